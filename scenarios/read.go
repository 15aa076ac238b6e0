package scenarios

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Bounds of a file, so that no input can exhaust time or memory. The longest scenario in canonical form is a little shorter:
// it has maxSamples samples like "86399999999999ns, " and 2 maxPauses lists of maxWorkers numbers.
const (
	maxBytes     = 3 << 20
	maxBytesText = "3 MiB"
	maxKeys      = 2000
	maxDepth     = 32
)

// readTree reads one YAML document. What a scenario never needs, and a reader would stumble over, is refused:
// anchors, aliases, tags, directives, keys that are not plain words, lists of lists.
func readTree(data []byte) (*node, *problem) {
	if p := checkText(data); p != nil {
		return nil, p
	}
	tokens := lexer.Tokenize(string(data))
	if p := screen(tokens); p != nil {
		return nil, p
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, syntaxProblem(err)
	}
	return document(file)
}

// checkText checks what can be said of a file before it is read as YAML.
func checkText(data []byte) *problem {
	if len(data) > maxBytes {
		return &problem{1, 1, "longer than " + maxBytesText + "; no scenario or profile is"}
	}
	if utf8.Valid(data) {
		return nil
	}
	valid := strings.ToValidUTF8(string(data), "\x00")
	before, _, _ := strings.Cut(valid, "\x00")
	line := strings.Count(before, "\n")
	col := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return &problem{line + 1, col + 1, "not a UTF-8 text; save the file in this encoding"}
}

var refusedTokens = map[token.Type]string{
	token.AnchorType:     "an anchor (&)",
	token.AliasType:      "an alias (*)",
	token.MergeKeyType:   "a merge key (<<)",
	token.TagType:        "a tag (!)",
	token.MappingKeyType: "a key that begins with ?",
	token.DirectiveType:  "a directive (%)",
}

// screen refuses, before anything recurses over it, what is not supported or nested too deeply.
func screen(tokens token.Tokens) *problem {
	depth, keys := 0, 0
	for i, t := range tokens {
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			depth++
		case token.MappingEndType, token.SequenceEndType:
			depth--
		case token.MappingValueType:
			keys++
		case token.SequenceEntryType:
			if i > 0 && tokens[i-1].Type == token.SequenceEntryType {
				return problemAt(t, "a list in a list; no value here is one")
			}
		}
		if what := refusedTokens[t.Type]; what != "" {
			return problemAt(t, what+" is not supported; write the value out")
		}
		if depth > maxDepth || keys > maxKeys {
			return problemAt(t, fmt.Sprintf("nested deeper than %d or more than %d keys; no scenario or profile is", maxDepth, maxKeys))
		}
	}
	return nil
}

func problemAt(t *token.Token, what string) *problem {
	if t == nil || t.Position == nil {
		return &problem{1, 1, what}
	}
	return &problem{t.Position.Line, t.Position.Column, what}
}

// syntaxProblem turns the parser's error into one line.
func syntaxProblem(err error) *problem {
	var syntax yaml.Error
	if !errors.As(err, &syntax) {
		return &problem{1, 1, "not valid YAML: " + err.Error()}
	}
	message := strings.Join(strings.Fields(syntax.GetMessage()), " ")
	return problemAt(syntax.GetToken(), "not valid YAML: "+message)
}

func document(file *ast.File) (*node, *problem) {
	var docs []ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		docs = append(docs, doc.Body)
	}
	switch len(docs) {
	case 0:
		return nil, &problem{1, 1, "empty; want one YAML document"}
	case 1:
		return convert(docs[0])
	}
	return nil, problemAt(firstToken(docs[1]), "a second document; want only one")
}

// firstToken is where a value begins. The parser says where a block mapping's first colon is, not its first key.
func firstToken(n ast.Node) *token.Token {
	switch n := n.(type) {
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return n.Values[0].Key.GetToken()
		}
	case *ast.MappingValueNode:
		return n.Key.GetToken()
	}
	return n.GetToken()
}

// convert turns the parser's tree into ours.
func convert(from ast.Node) (*node, *problem) {
	begin := problemAt(firstToken(from), "not a value that is supported here; want a text, a number, a list or a mapping")
	n := &node{line: begin.line, col: begin.col}
	switch from := from.(type) {
	case *ast.MappingNode:
		n.kind = mappingNode
		return n, n.addEntries(from.Values)
	case *ast.MappingValueNode:
		n.kind = mappingNode
		return n, n.addEntries([]*ast.MappingValueNode{from})
	case *ast.SequenceNode:
		n.kind = listNode
		return n, n.addItems(from.Values)
	case *ast.StringNode:
		n.kind, n.text = textNode, from.Value
		n.quoted = from.Token.Type != token.StringType
	case *ast.LiteralNode:
		n.kind, n.text, n.quoted = textNode, strings.TrimSuffix(from.Value.Value, "\n"), true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		n.kind, n.text = plainNode, from.GetToken().Value
	case *ast.NullNode:
	default:
		return nil, begin
	}
	return n, nil
}

func (n *node) addItems(values []ast.Node) *problem {
	for _, v := range values {
		item, p := convert(v)
		if p != nil {
			return p
		}
		n.items = append(n.items, item)
	}
	return nil
}

func (n *node) addEntries(values []*ast.MappingValueNode) *problem {
	for _, v := range values {
		key, p := convert(v.Key)
		if p != nil {
			return p
		}
		if !key.isScalar() {
			return &problem{key.line, key.col, "a key that is " + key.show() + "; a key is a word"}
		}
		if n.get(key.text) != nil {
			return &problem{key.line, key.col, fmt.Sprintf("duplicate key %q; give it once", shorten(key.text))}
		}
		value, p := convert(v.Value)
		if p != nil {
			return p
		}
		n.with(key.text, value)
		n.keyNodes[len(n.keyNodes)-1] = key
	}
	return nil
}
