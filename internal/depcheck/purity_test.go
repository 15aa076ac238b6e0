package depcheck

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pure are the packages of which a result depends on nothing but what they are given. sim/batch is not among them: it
// is where goroutines live.
var pure = []string{"internal/choice", "worker", "worker/lock", "worker/wire", "sim", "sim/store"}

// harmless are the packages of the standard library that pure ones may import: no clock, no I/O, no concurrency, no
// randomness, no order of maps.
var harmless = []string{"cmp", "fmt", "math", "math/bits", "slices", "strconv"}

func TestPurePackages(t *testing.T) {
	exports := exportFiles(t)
	for _, pkg := range pure {
		fset := token.NewFileSet()
		files := parsePackage(t, fset, filepath.Join(root, pkg))
		info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue)}
		config := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
			return os.Open(exports[path])
		})}
		if _, err := config.Check(pkg, fset, files, info); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			for _, found := range impurities(f, info) {
				t.Errorf("%s: %s", fset.Position(found.at), found.what)
			}
		}
	}
}

func TestImpuritiesAreFound(t *testing.T) {
	for code, want := range map[string]string{
		`import "time"`:                                         `imports time`,
		`import "math/rand/v2"`:                                 `imports math/rand/v2`,
		`import "maps"`:                                         `imports maps`,
		`import "example.com/other"`:                            `imports example.com/other`,
		`import "locklab/sim"`:                                  ``,
		`import "math"`:                                         ``,
		`func f() { go f() }`:                                   `go statement`,
		`func f() { select {} }`:                                `select statement`,
		`var c chan int`:                                        `channel`,
		`func f() { g() <- 1 }`:                                 `send to a channel`,
		`func f() { <-g() }`:                                    `receipt from a channel`,
		`func f() { println() }`:                                `print to the standard error`,
		`func f() { fmt.Println() }`:                            `fmt.Println`,
		`var s = fmt.Sprint(1)`:                                 ``,
		`func f() { for range m() {} }`:                         `range over a map`,
		`func f() { for range T(nil) {} }`:                      `range over a map`,
		`func f() { for range []int{} {} }`:                     ``,
		`func f() { for range unknown {} }`:                     `range over something of unknown type`,
		`func f(x float64) float64 { return 1 + (x*x) }`:        `product that may be fused`,
		`func f(x float64) float64 { return x*x - 1 }`:          `product that may be fused`,
		`func f(x float64) { x += x*x }`:                        `product that may be fused`,
		`func f(x float64) float64 { return 1 + float64(x*x) }`: ``,
		`func f(x int) int { return 1 + x*x }`:                  ``,
	} {
		source := "package p\n" + code + "\n"
		if !strings.HasPrefix(code, "import") {
			source += "type T map[int]int\nfunc m() T\n"
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "p.go", source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue)}
		lenient := types.Config{Error: func(error) {}} // what is unknown stays so
		_, _ = lenient.Check("p", fset, []*ast.File{f}, info)
		var got []string
		for _, found := range impurities(f, info) {
			got = append(got, found.what)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: found %q, want %q", code, got, want)
		}
	}
}

// An impurity is something that a pure package must not have.
type impurity struct {
	at   token.Pos
	what string
}

// impurities finds what must not stand in a file of a pure package.
func impurities(f *ast.File, info *types.Info) []impurity {
	var found []impurity
	ast.Inspect(f, func(n ast.Node) bool {
		if what := impurityOf(n, info); what != "" {
			found = append(found, impurity{n.Pos(), what})
		}
		return true
	})
	return found
}

func impurityOf(n ast.Node, info *types.Info) string {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return badImport(n)
	case *ast.GoStmt:
		return "go statement"
	case *ast.SelectStmt:
		return "select statement"
	case *ast.ChanType:
		return "channel"
	case *ast.SendStmt:
		return "send to a channel"
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return "receipt from a channel"
		}
	case *ast.CallExpr:
		return badCall(n)
	case *ast.RangeStmt:
		return badRange(info.TypeOf(n.X))
	case *ast.BinaryExpr:
		if n.Op == token.ADD || n.Op == token.SUB {
			return fusible(info, n.X, n.Y)
		}
	case *ast.AssignStmt:
		if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
			return fusible(info, n.Rhs...)
		}
	}
	return ""
}

func badImport(spec *ast.ImportSpec) string {
	path, err := strconv.Unquote(spec.Path.Value)
	if err == nil && (within(path, module) || slices.Contains(harmless, path)) {
		return ""
	}
	return "imports " + path
}

func badCall(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if f.Name == "print" || f.Name == "println" {
			return "print to the standard error"
		}
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && x.Name == "fmt" && !strings.HasPrefix(f.Sel.Name, "Sprint") && f.Sel.Name != "Errorf" {
			return "fmt." + f.Sel.Name
		}
	}
	return ""
}

func badRange(t types.Type) string {
	if t == nil || t == types.Typ[types.Invalid] {
		return "range over something of unknown type"
	}
	if _, isMap := t.Underlying().(*types.Map); isMap {
		return "range over a map"
	}
	return ""
}

// fusible says whether a term of a sum is a product of floats that the compiler may fuse with the addition: then the
// result differs between processors. A conversion, float64(x*y), prevents it.
func fusible(info *types.Info, terms ...ast.Expr) string {
	for _, term := range terms {
		product, ok := ast.Unparen(term).(*ast.BinaryExpr)
		if !ok || product.Op != token.MUL || info.Types[product].Value != nil {
			continue
		}
		if basic, ok := info.TypeOf(product).Underlying().(*types.Basic); ok && basic.Info()&types.IsFloat != 0 {
			return "product that may be fused"
		}
	}
	return ""
}

func parsePackage(t *testing.T, fset *token.FileSet, dir string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if !isCode(name) {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		t.Fatalf("no code in %s", dir)
	}
	return files
}

// exportFiles says where the compiler has put the types of every package that a pure one needs.
func exportFiles(t *testing.T) map[string]string {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for _, pkg := range pure {
		args = append(args, "./"+pkg)
	}
	list := exec.Command("go", args...)
	list.Dir = root
	var complaint bytes.Buffer
	list.Stderr = &complaint
	out, err := list.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, complaint.String())
	}
	exports := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		var path, file string
		if n, _ := fmt.Sscan(line, &path, &file); n == 2 {
			exports[path] = file
		}
	}
	return exports
}
