package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// modulePath is the module's name as it stands in go.mod; what begins with it is our own.
const modulePath = "github.com/tutti-dev/tutti"

// textKinds are the endings of the files that people read and programs do not compile.
var textKinds = []string{".go", ".md", ".yml", ".yaml", ".sh", ".sql", ".txt", ".txtar", ".json", ".mod", "Makefile", "Dockerfile", "run"}

// File is one Go source file.
type File struct {
	Path   string // from the module's folder, with slashes
	Folder string // the package's path within the module
	Test   bool
	Lines  int
	Syntax *ast.File
}

// Text is any file that people read, Go files included.
type Text struct {
	Path    string
	Content []byte
}

// Tree is the module's source.
type Tree struct {
	Positions *token.FileSet
	Files     []*File
	Texts     []Text
}

// Load reads a tree. Hidden folders are left out, apart from the build's own; Go files below a
// testdata folder are texts only.
func Load(root fs.FS) (*Tree, error) {
	tree := &Tree{Positions: token.NewFileSet()}
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if hidden(entry.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if !slices.ContainsFunc(textKinds, func(kind string) bool { return strings.HasSuffix(name, kind) }) {
			return nil
		}
		return tree.add(root, name)
	})
	if err != nil {
		return nil, fmt.Errorf("reading the source: %w", err)
	}
	return tree, nil
}

func hidden(folder string) bool {
	return strings.HasPrefix(folder, ".") && folder != "." && folder != ".ci"
}

func (t *Tree) add(root fs.FS, name string) error {
	content, err := fs.ReadFile(root, name)
	if err != nil {
		return fmt.Errorf("reading a source file: %w", err)
	}
	t.Texts = append(t.Texts, Text{Path: name, Content: content})
	if path.Ext(name) != ".go" || slices.Contains(strings.Split(name, "/"), "testdata") {
		return nil
	}
	syntax, err := parser.ParseFile(t.Positions, name, content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("parsing: %w", err)
	}
	t.Files = append(t.Files, &File{
		Path: name, Folder: path.Dir(name), Test: strings.HasSuffix(name, "_test.go"),
		Lines: bytes.Count(content, []byte("\n")), Syntax: syntax,
	})
	return nil
}

// imports yields the paths that a file imports.
func (f *File) imports(yield func(*ast.ImportSpec, string)) {
	for _, spec := range f.Syntax.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has accepted it, so it can be unquoted
		}
		yield(spec, imported)
	}
}

// within says whether a folder is one of the places, or below one that ends in a slash and dots.
func within(folder string, places []string) bool {
	return slices.ContainsFunc(places, func(place string) bool {
		if parent, whole := strings.CutSuffix(place, "/..."); whole {
			return folder == parent || strings.HasPrefix(folder, parent+"/")
		}
		return folder == place
	})
}
