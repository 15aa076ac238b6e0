package scenarios

import (
	"fmt"
	"slices"
	"strconv"
)

// A node is one value of a YAML document. Files are read into a tree of nodes, scenarios are written from one,
// and a parameter is set in one; the decoder alone knows what the values mean.
type node struct {
	line, col int    // where it begins, from 1; 0 if it comes from no file
	path      string // e.g. pauses[0].for; known once the decoder has reached it
	kind      nodeKind
	text      string   // scalars
	quoted    bool     // scalars
	keys      []string // mappings
	keyNodes  []*node  // mappings: where each key begins
	items     []*node  // lists; mappings: the values of keys
}

type nodeKind uint8

const (
	nullNode    nodeKind = iota // nothing
	plainNode                   // a number, a truth value; when written, anything that needs no quotes
	textNode                    // a text
	listNode                    //
	mappingNode                 //
)

// A problem is what is wrong with a node.
type problem struct {
	line, col int
	what      string
}

// in is the problem as an error of the named file.
func (p *problem) in(file string) error {
	return fmt.Errorf("%s:%d:%d: %s", file, p.line, p.col, p.what)
}

func plain(text string) *node { return &node{kind: plainNode, text: text} }

func text(text string) *node { return &node{kind: textNode, text: text} }

func list(items ...*node) *node { return &node{kind: listNode, items: items} }

func mapping() *node { return &node{kind: mappingNode} }

// with adds a key and its value to a mapping.
func (n *node) with(key string, value *node) *node {
	n.keys = append(n.keys, key)
	n.keyNodes = append(n.keyNodes, value)
	n.items = append(n.items, value)
	return n
}

// without takes a key away from a mapping, if it is there.
func (n *node) without(key string) {
	if i := slices.Index(n.keys, key); i >= 0 {
		n.keys = slices.Delete(n.keys, i, i+1)
		n.keyNodes = slices.Delete(n.keyNodes, i, i+1)
		n.items = slices.Delete(n.items, i, i+1)
	}
}

// get is the value of a key of a mapping, or nil.
func (n *node) get(key string) *node {
	if i := slices.Index(n.keys, key); i >= 0 {
		return n.items[i]
	}
	return nil
}

func (n *node) isScalar() bool { return n.kind == plainNode || n.kind == textNode }

// name is what messages call the node.
func (n *node) name() string {
	if n.path == "" {
		return "the document"
	}
	return n.path
}

// show is the node's value, short enough for a message of one line.
func (n *node) show() string {
	switch n.kind {
	case nullNode:
		return "empty"
	case listNode:
		return "a list"
	case mappingNode:
		return "a mapping"
	}
	if n.kind == plainNode {
		return shorten(n.text)
	}
	return strconv.Quote(shorten(n.text))
}

// shorten cuts a text to what a message has room for.
func shorten(s string) string {
	const longest = 40
	if runes := []rune(s); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return s
}
