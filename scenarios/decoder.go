package scenarios

import (
	"fmt"
	"slices"
	"strings"
)

// A decoder gives the values of a tree their meaning. It keeps the first problem it meets; after it, and for a
// nil node, which is a key that was left out, every method gives the zero value.
type decoder struct {
	problem   *problem
	inProfile bool                              // laws may be those of a profile
	files     func(name string) ([]byte, error) // reads a file that the document names; nil if it may name none
	preset    string                            // the name of the one that the scenario's lock is of
	token     *node                             // where that preset's token comes from; nil if it issues none
	sampled   int                               // samples of all laws so far
}

// fail notes what is wrong with a node; the message begins with the node's name.
func (d *decoder) fail(n *node, format string, args ...any) {
	d.failAt(n, n.name()+" "+format, args...)
}

// failAt notes what is wrong at a node.
func (d *decoder) failAt(n *node, format string, args ...any) {
	if d.problem == nil {
		d.problem = &problem{n.line, n.col, fmt.Sprintf(format, args...)}
	}
}

// skip reports whether there is nothing to decode.
func (d *decoder) skip(n *node) bool { return n == nil || d.problem != nil }

// refuse notes that a word, a key or a value, is none of those that are allowed.
func (d *decoder) refuse(n *node, what, word string, allowed []string) {
	d.failAt(n, "unknown %s; %sallowed: %s", what, didYouMean(word, allowed), strings.Join(allowed, ", "))
}

// fields are the values of a mapping, by key.
type fields map[string]*node

// mapping decodes a mapping that has none but the allowed keys.
func (d *decoder) mapping(n *node, allowed []string) fields {
	if d.skip(n) {
		return nil
	}
	if n.kind != mappingNode {
		d.fail(n, "is %s; want a mapping with some of: %s", n.show(), strings.Join(allowed, ", "))
		return nil
	}
	found := make(fields, len(n.keys))
	for i, key := range n.keys {
		if !slices.Contains(allowed, key) {
			d.refuse(n.keyNodes[i], fmt.Sprintf("key %q in %s", shorten(key), n.name()), key, allowed)
			return nil
		}
		n.items[i].path = join(n.path, key)
		found[key] = n.items[i]
	}
	return found
}

// join is the path of a key within what stands at a path.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// require notes the first of the keys that a mapping lacks.
func (d *decoder) require(n *node, found fields, keys ...string) {
	if d.skip(n) {
		return
	}
	for _, key := range keys {
		if found[key] == nil {
			d.fail(n, "lacks %q; it must have: %s", key, strings.Join(keys, ", "))
			return
		}
	}
}

// oneOf is the only key of several that a mapping has. None, or two, is a problem.
func (d *decoder) oneOf(n *node, found fields, keys ...string) string {
	if d.skip(n) {
		return ""
	}
	var present []string
	for _, key := range keys {
		if found[key] != nil {
			present = append(present, key)
		}
	}
	switch len(present) {
	case 0:
		d.fail(n, "has none of %s; give exactly one", strings.Join(keys, ", "))
		return ""
	case 1:
		return present[0]
	}
	d.fail(n, "has both %s and %s; give only one of: %s", present[0], present[1], strings.Join(keys, ", "))
	return ""
}

// list decodes a list of at least min items.
func (d *decoder) list(n *node, min int, of string) []*node {
	if d.skip(n) {
		return nil
	}
	if n.kind != listNode {
		d.fail(n, "is %s; want a list of %s", n.show(), of)
		return nil
	}
	if len(n.items) < min {
		d.fail(n, "has length %d; want at least %d %s", len(n.items), min, of)
		return nil
	}
	for i, item := range n.items {
		item.path = fmt.Sprintf("%s[%d]", n.path, i)
	}
	return n.items
}
