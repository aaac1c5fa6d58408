package archtest

import (
	"go/ast"
	"go/types"
	"path"
	"regexp"
	"strings"
)

// version matches the last part of an import path such as math/rand/v2.
var version = regexp.MustCompile(`^v[0-9]+$`)

// checkedPackage is a package whose names are resolved as far as its own files tell: which
// identifier is a package, and which a variable of this package.
type checkedPackage struct {
	files []*File
	info  *types.Info
	scope *types.Scope
}

// typed resolves every package. Nothing is imported for real, so errors are expected and ignored;
// what is resolved within the files is resolved all the same.
func typed(tree *Tree) []*checkedPackage {
	type key struct{ folder, name string }
	groups := map[key][]*File{}
	var order []key
	for _, file := range tree.Files {
		k := key{file.Folder, file.Syntax.Name.Name}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], file)
	}
	checked := make([]*checkedPackage, 0, len(order))
	for _, k := range order {
		checked = append(checked, resolve(tree, k.folder, groups[k]))
	}
	return checked
}

func resolve(tree *Tree, folder string, files []*File) *checkedPackage {
	syntax := make([]*ast.File, len(files))
	for i, file := range files {
		syntax[i] = file.Syntax
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: hollow{}, Error: func(error) {}, FakeImportC: true}
	// Hollow imports give errors, which say nothing of the code.
	pkg, _ := config.Check(folder, tree.Positions, syntax, info)
	return &checkedPackage{files: files, info: info, scope: pkg.Scope()}
}

// packageOf returns the import path of what an expression names, when that is a package.
func (p *checkedPackage) packageOf(expr ast.Expr) string {
	ident, ok := expr.(*ast.Ident)
	if !ok {
		return ""
	}
	name, ok := p.info.Uses[ident].(*types.PkgName)
	if !ok {
		return ""
	}
	return name.Imported().Path()
}

// variable returns the package variable that an expression begins with: of `table["x"].field` it is
// table.
func (p *checkedPackage) variable(expr ast.Expr) *types.Var {
	for {
		switch e := expr.(type) {
		case *ast.ParenExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.SelectorExpr:
			expr = e.X
		case *ast.StarExpr:
			expr = e.X
		case *ast.SliceExpr:
			expr = e.X
		case *ast.Ident:
			if v, ok := p.info.Uses[e].(*types.Var); ok && v.Parent() == p.scope {
				return v
			}
			return nil
		default:
			return nil
		}
	}
}

// hollow imports packages without content, under the name that their path suggests.
type hollow struct{}

// Import makes an empty package.
func (hollow) Import(imported string) (*types.Package, error) {
	name := path.Base(imported)
	if version.MatchString(name) {
		name = path.Base(path.Dir(imported))
	}
	pkg := types.NewPackage(imported, strings.TrimPrefix(name, "go-"))
	pkg.MarkComplete()
	return pkg, nil
}
