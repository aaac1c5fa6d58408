package archtest

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// maxLines is the length of the longest file.
const maxLines = 400

// emptyNames say nothing about what is inside.
var emptyNames = []string{"util", "utils", "common", "helper", "helpers", "types", "misc", "shared", "base", "lib"}

// machinePaths are folders of one machine or of one person, and a folder beside the repository.
var machinePaths = regexp.MustCompile(`(?:^|[^\w.~$}-])/(?:home|Users|root|work|workspace)/`)

func checkLength(tree *Tree) Report {
	var report Report
	for _, file := range tree.Files {
		report.Visited++
		if file.Lines > maxLines {
			report.add(tree, file.Syntax.Package, "%d lines, more than %d", file.Lines, maxLines)
		}
	}
	return report
}

func checkDocs(tree *Tree) Report {
	var report Report
	documented := map[string]bool{}
	first := map[string]*File{}
	for _, file := range tree.Files {
		if file.Test {
			continue
		}
		report.Visited++
		if first[file.Folder] == nil {
			first[file.Folder] = file
		}
		name := file.Syntax.Name.Name
		opening := "Package " + name + " "
		if name == "main" {
			opening = "Command " + path.Base(file.Folder) + " "
		}
		if strings.HasPrefix(file.Syntax.Doc.Text(), opening) {
			documented[file.Folder] = true
		}
	}
	for folder, file := range first {
		if !documented[folder] {
			report.add(tree, file.Syntax.Package, "package %s has no comment that begins with its name", folder)
		}
	}
	return report
}

func checkNames(tree *Tree) Report {
	var report Report
	for _, file := range tree.Files {
		report.Visited++
		name := strings.TrimSuffix(strings.TrimSuffix(path.Base(file.Path), ".go"), "_test")
		if slices.Contains(emptyNames, name) {
			report.add(tree, file.Syntax.Package, "a file named %s", name)
		}
		for _, part := range append(strings.Split(file.Folder, "/"), file.Syntax.Name.Name) {
			if slices.Contains(emptyNames, part) {
				report.add(tree, file.Syntax.Package, "a package named %s", part)
				break
			}
		}
	}
	return report
}

func checkMachines(tree *Tree) Report {
	var report Report
	for _, text := range tree.Texts {
		if strings.HasPrefix(text.Path, "internal/archtest/testdata/") {
			continue // the fixtures are there to be wrong
		}
		report.Visited++
		for number, line := range strings.Split(string(text.Content), "\n") {
			if found := machinePaths.FindString(line); found != "" {
				report.Violations = append(report.Violations, Violation{text.Path, number + 1, "it mentions " + strings.TrimSpace(found)})
			}
		}
	}
	return report
}
