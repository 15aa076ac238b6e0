package scenarios

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// printTree writes a mapping as YAML: a line for each key, and for each item of a list of mappings.
func printTree(n *node) []byte {
	var out bytes.Buffer
	for i, key := range n.keys {
		value := n.items[i]
		out.WriteString(quote(key) + ":")
		if !isBlock(value) {
			out.WriteString(" ")
			printFlow(&out, value)
			out.WriteString("\n")
			continue
		}
		out.WriteString("\n")
		for _, item := range value.items {
			out.WriteString("  - ")
			printFlow(&out, item)
			out.WriteString("\n")
		}
	}
	return out.Bytes()
}

func isBlock(n *node) bool {
	return n.kind == listNode && len(n.items) > 0 && n.items[0].kind == mappingNode
}

func printFlow(out *bytes.Buffer, n *node) {
	switch n.kind {
	case listNode:
		printItems(out, "[", "]", n)
	case mappingNode:
		printItems(out, "{", "}", n)
	case textNode:
		out.WriteString(quote(n.text))
	default:
		out.WriteString(n.text)
	}
}

func printItems(out *bytes.Buffer, open, end string, n *node) {
	out.WriteString(open)
	for i, item := range n.items {
		if i > 0 {
			out.WriteString(", ")
		}
		if n.kind == mappingNode {
			out.WriteString(quote(n.keys[i]) + ": ")
		}
		printFlow(out, item)
	}
	out.WriteString(end)
}

// Texts that any reader of YAML takes for a text without quotes, inside braces too.
var (
	wordForm  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9./()_-]*( [A-Za-z0-9./()_-]+)*$`)
	notAsText = []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}
)

// isWord reports whether a text is made of small letters, as most keys are, and longer than those that are not taken for a
// text.
func isWord(s string) bool {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return len(s) > len("false")
}

// quote writes a text of printable characters, in quotes if it needs them.
func quote(s string) string {
	if isWord(s) || wordForm.MatchString(s) && !slices.Contains(notAsText, strings.ToLower(s)) {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
