package archtest

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// makers are the functions whose result holds no state, or that compute a value once; a star stands
// for all functions of a package.
var makers = []string{
	"errors.New", "fmt.Errorf",
	"regexp.MustCompile",
	"strings.*",
	"template.Must", "template.New", "template.ParseFS",
	"sync.OnceValue", "sync.OnceValues", "sync.OnceFunc",
	"uuid.MustParse", "uuid.NewSHA1",
	"netip.MustParseAddr", "netip.MustParsePrefix",
	"temporal.NewSearchAttributeKeyKeyword",
	"slices.Concat", "slices.Sorted", "maps.Keys",
}

// zeros are the types whose zero value is worth a name; it has no part that could be changed.
var zeros = []string{"time.Time", "time.Duration"}

// locks are the packages whose values exist to be changed.
var locks = []string{"sync", "sync/atomic", "bytes", "strings"}

func checkState(tree *Tree) Report {
	var report Report
	for _, checked := range typed(tree) {
		for _, file := range checked.files {
			if file.Test {
				continue
			}
			report.Visited++
			for _, declaration := range file.Syntax.Decls {
				if vars, ok := declaration.(*ast.GenDecl); ok && vars.Tok == token.VAR {
					checked.declared(tree, &report, vars)
				}
			}
			checked.written(tree, &report, file)
		}
	}
	return report
}

// declared reports the variables of one declaration that are made to be changed.
func (p *checkedPackage) declared(tree *Tree, report *Report, vars *ast.GenDecl) {
	for _, spec := range vars.Specs {
		value, ok := spec.(*ast.ValueSpec)
		if !ok || blank(value) || embedded(vars.Doc) || embedded(value.Doc) {
			continue
		}
		if len(value.Values) == 0 && !slices.Contains(zeros, types.ExprString(value.Type)) {
			report.add(tree, value.Pos(), "package variable %s has no value, so somebody gives it one later", value.Names[0].Name)
		}
		for _, expr := range value.Values {
			if what := p.changeable(expr); what != "" {
				report.add(tree, expr.Pos(), "package variable %s holds %s", value.Names[0].Name, what)
			}
		}
	}
}

// changeable says what in a value can be changed, or nothing. Function literals are not looked
// into: they run later.
func (p *checkedPackage) changeable(expr ast.Expr) string {
	what := ""
	ast.Inspect(expr, func(node ast.Node) bool {
		if what != "" {
			return false
		}
		switch n := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				what = "a pointer to something that can be changed"
			}
		case *ast.CallExpr:
			what = p.call(n)
		case *ast.CompositeLit:
			if selector, ok := n.Type.(*ast.SelectorExpr); ok && slices.Contains(locks, p.packageOf(selector.X)) {
				what = "a value that exists to be changed"
			}
		}
		return true
	})
	return what
}

// call says why the result of a call may change, or nothing.
func (p *checkedPackage) call(call *ast.CallExpr) string {
	if p.info.Types[call.Fun].IsType() {
		return "" // a conversion
	}
	name := "the result of a call"
	switch fun := call.Fun.(type) {
	case *ast.SelectorExpr:
		if ident, ok := fun.X.(*ast.Ident); ok {
			name = ident.Name + "." + fun.Sel.Name
		} else if _, nested := fun.X.(*ast.CallExpr); nested {
			return "" // the inner call is looked at for itself
		}
	case *ast.Ident:
		name = fun.Name
	case *ast.ArrayType, *ast.MapType, *ast.ParenExpr:
		return "" // a conversion
	}
	pkg, _, _ := strings.Cut(name, ".")
	if slices.Contains(makers, name) || slices.Contains(makers, pkg+".*") || name == "len" {
		return ""
	}
	return "the result of " + name + ", which is not among the makers of unchanging values in state.go"
}

// written reports every place that changes a package variable.
func (p *checkedPackage) written(tree *Tree, report *Report, file *File) {
	change := func(expr ast.Expr) {
		if v := p.variable(expr); v != nil {
			report.add(tree, expr.Pos(), "package variable %s is changed here", v.Name())
		}
	}
	ast.Inspect(file.Syntax, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, left := range n.Lhs {
					change(left)
				}
			}
		case *ast.IncDecStmt:
			change(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				change(n.X)
			}
		case *ast.CallExpr:
			if fun, ok := n.Fun.(*ast.Ident); ok && (fun.Name == "delete" || fun.Name == "clear") && len(n.Args) > 0 {
				change(n.Args[0])
			}
		}
		return true
	})
}

func blank(value *ast.ValueSpec) bool {
	return !slices.ContainsFunc(value.Names, func(name *ast.Ident) bool { return name.Name != "_" })
}

// embedded says whether a declaration's comment embeds a file: the linker gives that value.
func embedded(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//go:embed ")
	})
}

func checkInits(tree *Tree) Report {
	var report Report
	for _, file := range tree.Files {
		report.Visited++
		for _, declaration := range file.Syntax.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok && function.Recv == nil && function.Name.Name == "init" {
				report.add(tree, function.Pos(), "an init function")
			}
		}
	}
	return report
}
