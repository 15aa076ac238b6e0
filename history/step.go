package history

import "fmt"

// Step is one step of a worker's round. The zero value is no step.
type Step uint8

// The steps of a round, in the order of the lesson's lab (a token may also be drawn before the acquire).
const (
	Acquire Step = iota + 1
	Token
	Enter
	Check
	Work
	Commit
	Leave
	Release
	Think
	Read // of the resource, between check and work
	NumSteps
)

var stepNames = [NumSteps]string{"", "acquire", "token", "enter", "check", "work", "commit", "leave", "release", "think", "read"}

// String is the step's name in a scenario.
func (s Step) String() string {
	if s < NumSteps {
		return stepNames[s]
	}
	return fmt.Sprintf("step(%d)", uint8(s))
}

// StepByName is the step with the given name, or 0.
func StepByName(name string) Step {
	for s := Acquire; s < NumSteps; s++ {
		if stepNames[s] == name {
			return s
		}
	}
	return 0
}

// MarshalText gives the step's name.
func (s Step) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a step's name; an empty one is no step.
func (s *Step) UnmarshalText(text []byte) error {
	step := StepByName(string(text))
	if step == 0 && len(text) > 0 {
		return fmt.Errorf("unknown step %q", text)
	}
	*s = step
	return nil
}
