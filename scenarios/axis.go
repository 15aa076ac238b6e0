package scenarios

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"locklab/history"
)

// maxValues is the most values of an axis.
const maxValues = 100_000

// ParseAxis reads an axis: the values that a parameter takes, in order. name is the parameter's path or short name, e.g.
// lock.ttl or ttl, and values one of
//
//	from..to/n     n values from the one to the other, both included, equally far apart
//	from..to*n     the same, each the same multiple of the one before it
//	from..to:step  from, from + step, …, as far as to
//	a,b,c          these
//
// Computed values are rounded: durations to nanoseconds, those of a TTL, also written ones, to milliseconds, whole numbers to
// whole numbers, other numbers to six digits. The arithmetic is exact, so that the values are the same on every machine. A
// value that comes up twice is an error, as it would be computed twice and counted as one.
func ParseAxis(name, values string) (history.Axis, error) {
	path, kind, err := parameterOf(name)
	if err != nil {
		return history.Axis{}, err
	}
	exact, err := kind.values(values)
	if err != nil {
		return history.Axis{}, err
	}
	axis := history.Axis{Path: path}
	axis.Values, err = kind.writeAll(exact)
	return axis, err
}

// axisForms is the part of a message that says how an axis is written.
const axisForms = "want from..to/n, from..to*n, from..to:step or a,b,c"

var rangeForm = regexp.MustCompile(`^(.*?)\.\.(.*?)([/:*])(.*)$`)

// values are the values that a text asks for.
func (k parameterKind) values(text string) ([]*big.Rat, error) {
	text = strings.Join(strings.Fields(text), "")
	if !strings.Contains(text, "..") {
		return k.list(strings.Split(text, ","))
	}
	parts := rangeForm.FindStringSubmatch(text)
	if parts == nil {
		return nil, fmt.Errorf("%q does not say how many values; %s", shorten(text), axisForms)
	}
	from, err := k.read(parts[1])
	if err != nil {
		return nil, err
	}
	to, err := k.read(parts[2])
	if err != nil {
		return nil, err
	}
	if from.Cmp(to) > 0 {
		return nil, fmt.Errorf("from %s to %s: the second must not be below the first", parts[1], parts[2])
	}
	if parts[3] == ":" {
		return k.steps(from, to, parts[4])
	}
	n, err := readCount(parts[4])
	switch {
	case err != nil:
		return nil, err
	case n == 1 && from.Cmp(to) != 0:
		return nil, fmt.Errorf("one value from %s to %s: both ends are included, so want at least 2", parts[1], parts[2])
	case n > 1 && from.Cmp(to) == 0:
		return nil, fmt.Errorf("%d values from %s to %s: there is only one", n, parts[1], parts[2])
	case parts[3] == "*" && from.Sign() == 0:
		return nil, fmt.Errorf("from %s: no multiple of it is another; begin a logarithmic axis above 0", parts[1])
	case parts[3] == "*":
		return k.roundAll(logarithmic(from, to, n)), nil
	}
	return k.roundAll(linear(from, to, n)), nil
}

func (k parameterKind) list(texts []string) ([]*big.Rat, error) {
	if len(texts) > maxValues {
		return nil, tooMany(strconv.Itoa(len(texts)))
	}
	var values []*big.Rat
	for _, text := range texts {
		v, err := k.read(text)
		if err != nil {
			if text == "" {
				err = errors.New("a value is empty; " + axisForms)
			}
			return nil, err
		}
		if k == leaseKind {
			v = k.round(v)
		}
		values = append(values, v)
	}
	return values, nil
}

func (k parameterKind) steps(from, to *big.Rat, text string) ([]*big.Rat, error) {
	step, err := k.read(text)
	if err != nil {
		return nil, fmt.Errorf("the step: %w", err)
	}
	if step.Sign() == 0 {
		return nil, fmt.Errorf("the step is %s; want one above 0", text)
	}
	if n := countSteps(from, to, step); n.Cmp(big.NewInt(maxValues)) > 0 {
		return nil, tooMany(n.String())
	}
	values := stepped(from, to, step)
	if k == leaseKind {
		values = k.roundAll(values)
	}
	return values, nil
}

func readCount(text string) (int, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil && !notANumber(err) || n > maxValues {
		return 0, tooMany(text)
	}
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is no number of values; want a whole number from 1 to %d", shorten(text), maxValues)
	}
	return int(n), nil
}

func tooMany(n string) error {
	return fmt.Errorf("%s values are too many; want at most %d on an axis", shorten(n), maxValues)
}

// roundAll rounds computed values to what the parameter can be. The ends of a range of numbers stay as they are written.
func (k parameterKind) roundAll(values []*big.Rat) []*big.Rat {
	for i, v := range values {
		if isEnd := i == 0 || i == len(values)-1; !isEnd || k != numberKind {
			values[i] = k.round(v)
		}
	}
	return values
}

// writeAll is the values as the scenario's file has them, no two of them equal.
func (k parameterKind) writeAll(values []*big.Rat) ([]string, error) {
	texts := make([]string, len(values))
	seen := make(map[string]bool, len(values))
	for i, v := range values {
		text, err := k.write(v)
		if err != nil {
			return nil, err
		}
		if seen[text] {
			return nil, fmt.Errorf("the value %s comes up twice%s; want each once", text, k.afterRounding())
		}
		seen[text], texts[i] = true, text
	}
	return texts, nil
}

// afterRounding says to what values are rounded, if that may make two of them equal.
func (k parameterKind) afterRounding() string {
	switch k {
	case leaseKind:
		return ", rounded to whole milliseconds, as a lease in Redis is"
	case wholeKind:
		return ", rounded to whole numbers"
	case numberKind:
		return fmt.Sprintf(", rounded to %d digits", significantDigits)
	}
	return ", rounded to whole nanoseconds"
}
