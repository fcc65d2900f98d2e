package main_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// How large things may be, in lines. The checks of audit are one table of small functions, which more rooms would not make clearer.
const (
	maxFunction = 60
	maxFile     = 500
	maxPackage  = 5000
)

// TestSizes holds that functions, files and packages stay small enough to be read. Packages are counted without their tests, and functions of
// tests are exempt: the long ones are tables of cases.
func TestSizes(t *testing.T) {
	lines := map[string]int{}
	for file := range everyGoFile(t) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := bytes.Count(source, []byte("\n"))
		if n > maxFile {
			t.Errorf("%s has %d lines; at most %d", file, n, maxFile)
		}
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		lines[path.Dir(file)] += n
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, file, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := files.Position(f.End()).Line - files.Position(f.Pos()).Line + 1; n > maxFunction {
				t.Errorf("%s: %s has %d lines; at most %d", file, f.Name, n, maxFunction)
			}
		}
	}
	for dir, n := range lines {
		if n >= maxPackage && dir != "audit" {
			t.Errorf("the package %s has %d lines; fewer than %d", dir, n, maxPackage)
		}
	}
}

// TestExportedNamesAreDocumented has every exported name but the methods Error and Unwrap, which are the same everywhere, and the methods of
// types that are not exported.
func TestExportedNamesAreDocumented(t *testing.T) {
	for file := range everyGoFile(t) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s: %s has no comment", file, name)
			}
		}
	}
}

// undocumented returns the exported names that a declaration leaves without a comment.
func undocumented(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Doc == nil && d.Name.IsExported() && ofExportedType(d) && name != "Error" && name != "Unwrap" {
			return []string{name}
		}
	case *ast.GenDecl:
		if d.Doc != nil {
			return nil
		}
		var names []string
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Doc == nil && s.Name.IsExported() {
					names = append(names, s.Name.Name)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if s.Doc == nil && s.Comment == nil && n.IsExported() {
						names = append(names, n.Name)
					}
				}
			}
		}
		return names
	}
	return nil
}

// ofExportedType reports whether a function is no method, or one of an exported type.
func ofExportedType(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	receiver := f.Recv.List[0].Type
	for {
		switch r := receiver.(type) {
		case *ast.StarExpr:
			receiver = r.X
		case *ast.IndexExpr:
			receiver = r.X
		case *ast.Ident:
			return r.IsExported()
		default:
			return true
		}
	}
}

// TestModulesOfTests holds that go.mod names apart, in its second block, the modules that the program itself does not use: what tests import,
// and the packages whose names end in "test", which only tests use.
func TestModulesOfTests(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for file, imports := range sourceFiles(t) {
		if strings.HasSuffix(path.Dir(file), "test") {
			continue
		}
		for _, imported := range imports {
			used[imported] = true
		}
	}
	blocks := strings.Split(string(text), "require (\n")[1:]
	if len(blocks) != 3 {
		t.Fatalf("go.mod has %d blocks of requirements, not one for the program, one for its tests and one for the rest", len(blocks))
	}
	for i, block := range blocks[:2] {
		for line := range strings.Lines(block[:strings.IndexByte(block, ')')]) {
			name := strings.Fields(line)[0]
			if ofProgram := isUsed(used, name); ofProgram != (i == 0) {
				t.Errorf("%s is in block %d of go.mod; the program uses it: %v", name, i+1, ofProgram)
			}
		}
	}
}

// isUsed reports whether a package of a module is among those imported.
func isUsed(imported map[string]bool, module string) bool {
	for name := range imported {
		if name == module || strings.HasPrefix(name, module+"/") {
			return true
		}
	}
	return false
}

// everyGoFile returns the Go files of this module, its tests too.
func everyGoFile(t *testing.T) map[string]bool {
	t.Helper()
	files := map[string]bool{}
	for file := range sourceFiles(t) {
		files[file] = true
	}
	for dir := range layers {
		tests, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range tests {
			files[filepath.ToSlash(file)] = true
		}
	}
	return files
}
