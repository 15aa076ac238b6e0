package compare

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// width is how many columns of a terminal the lines below a table take at most.
const width = 110

// WriteText writes the rows as a table for a terminal: what they came from above it; below it what is to be known
// about them, and Limits.
func WriteText(w io.Writer, rows []Row) error {
	t := newTable(rows)
	return t.writeText(w)
}

// WriteMarkdown writes what WriteText does, as Markdown that can be pasted into a text.
func WriteMarkdown(w io.Writer, rows []Row) error {
	t := newTable(rows)
	return t.writeMarkdown(w)
}

// WriteJSON writes one JSON line per row.
func WriteJSON(w io.Writer, rows []Row) error { return writeJSON(w, rows) }

// WritePairedText is WriteText for differences.
func WritePairedText(w io.Writer, rows []PairedRow) error {
	t := newPairedTable(rows)
	return t.writeText(w)
}

// WritePairedMarkdown is WriteMarkdown for differences.
func WritePairedMarkdown(w io.Writer, rows []PairedRow) error {
	t := newPairedTable(rows)
	return t.writeMarkdown(w)
}

// WritePairedJSON writes one JSON line per row.
func WritePairedJSON(w io.Writer, rows []PairedRow) error { return writeJSON(w, rows) }

func (t *table) writeText(w io.Writer) error {
	top, titles := make([]string, len(t.columns)), make([]string, len(t.columns))
	for i, c := range t.columns {
		top[i], titles[i] = c[0], c[1]
	}
	lines := append(headText(t.header), "")
	lines = append(lines, align(append([][]string{top, titles}, t.cells...))...)
	for _, notes := range [][]string{{t.legend}, t.footnotes, {t.limits}} {
		if len(notes) > 0 {
			lines = append(lines, "")
		}
		for _, note := range notes {
			lines = append(lines, wrap(note)...)
		}
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

func (t *table) writeMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString(headMarkdown(t.header) + "\n")
	titles, rules := make([]string, len(t.columns)), make([]string, len(t.columns))
	for i, c := range t.columns {
		titles[i], rules[i] = strings.TrimSpace(c[0]+" "+c[1]), "---"
	}
	for _, cells := range append([][]string{titles, rules}, t.cells...) {
		fmt.Fprintf(&b, "| %s |\n", escape(cells...))
	}
	fmt.Fprintf(&b, "\n%s\n\n", t.legend)
	for _, note := range t.footnotes {
		fmt.Fprintf(&b, "- %s\n", escape(note))
	}
	if len(t.footnotes) > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%s\n", t.limits)
	_, err := io.WriteString(w, b.String())
	return err
}

// headText is a line for each name and value.
func headText(head [][2]string) []string {
	rows := make([][]string, len(head))
	for i, h := range head {
		rows[i] = h[:]
	}
	return align(rows)
}

// headMarkdown is all names and values in one line.
func headMarkdown(head [][2]string) string {
	words := make([]string, len(head))
	for i, h := range head {
		words[i] = h[0] + ": " + escape(h[1])
	}
	return strings.Join(words, " · ") + "\n"
}

func writeJSON[T any](w io.Writer, rows []T) error {
	out := newEncoder(w)
	for i := range rows {
		if err := out.Encode(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// newEncoder writes JSON lines in which words stay legible.
func newEncoder(w io.Writer) *json.Encoder {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	return out
}

// escape makes cells of a Markdown row out of words, whatever is in them.
func escape(words ...string) string {
	special := strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "\n", " ")
	escaped := make([]string, len(words))
	for i, word := range words {
		escaped[i] = special.Replace(word)
	}
	return strings.Join(escaped, " | ")
}

// align pads every cell to the width of its column.
func align(rows [][]string) []string {
	var widths []int
	for _, cells := range rows {
		for i, cell := range cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	lines := make([]string, len(rows))
	for i, cells := range rows {
		var b strings.Builder
		for j, cell := range cells {
			b.WriteString(cell + strings.Repeat(" ", widths[j]-utf8.RuneCountInString(cell)+2))
		}
		lines[i] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

// wrap breaks a text into lines of at most width columns; all but the first are indented.
func wrap(text string) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = " "
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
