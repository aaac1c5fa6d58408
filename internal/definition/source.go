package definition

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"
)

// MaxFileBytes is the size of the largest definition that is read.
const MaxFileBytes = 256 << 10

// Dirs names the two directories in which a user keeps definitions. Either may
// be nil, which is a directory that does not exist.
type Dirs struct {
	// Work is the working directory.
	Work fs.FS
	// Config is the user's configuration directory, and ConfigLabel what to
	// call it in messages.
	Config      fs.FS
	ConfigLabel string
}

// Source is one directory of definitions. Label is what messages call it.
type Source struct {
	Label string
	FS    fs.FS
}

// InWork returns the source for a directory below the working directory.
func (d Dirs) InWork(dir string) Source { return sub(d.Work, dir, dir) }

// InConfig returns the source for a directory below the user's configuration
// directory.
func (d Dirs) InConfig(dir string) Source {
	return sub(d.Config, dir, path.Join(d.ConfigLabel, dir))
}

func sub(root fs.FS, dir, label string) Source {
	if root == nil {
		return Source{Label: label}
	}
	below, err := fs.Sub(root, dir)
	if err != nil {
		return Source{Label: label}
	}
	return Source{Label: label, FS: below}
}

// builtInLabel is what messages call the source that comes with the binary.
const builtInLabel = "built-in"

// BuiltIn returns the source for a directory of the binary's own files.
func BuiltIn(files fs.FS, dir string) Source { return sub(files, dir, builtInLabel) }

// IsBuiltIn says whether a file, as messages name it, came with the binary.
func IsBuiltIn(file string) bool { return strings.HasPrefix(file, builtInLabel+"/") }

// File is one file of a source. Err is set, and Data empty, where it cannot be
// read as text.
type File struct {
	Path string // as messages name it: the source's label and the path in it
	Stem string // the base name without its extension
	Data []byte
	Err  error
}

// Files returns the files of the source and its subdirectories whose names end
// in one of the extensions, in the order of their paths. A directory that does
// not exist has none; one that cannot be listed is an error, because to go on
// without it would quietly run other definitions than the user's.
func (s Source) Files(extensions ...string) ([]File, error) {
	if s.FS == nil {
		return nil, nil
	}
	var files []File
	err := fs.WalkDir(s.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() || !hasExtension(name, extensions) {
			return nil
		}
		base := path.Base(name)
		file := File{Path: path.Join(s.Label, name), Stem: strings.TrimSuffix(base, path.Ext(base))}
		file.Data, file.Err = readText(s.FS, name, file.Path)
		files = append(files, file)
		return nil
	})
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(files) == 0:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read; check its permissions: %w", s.Label, err)
	}
	return files, nil
}

func hasExtension(name string, extensions []string) bool {
	for _, e := range extensions {
		if strings.EqualFold(path.Ext(name), e) {
			return true
		}
	}
	return false
}

// readText reads one bounded file of UTF-8 text. What is no regular file, a
// pipe for instance, is not even opened: reading it might never end.
func readText(fsys fs.FS, name, label string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, unreadable(label, err)
	}
	if !info.Mode().IsRegular() {
		return nil, refusal(label, 0, "this is not a regular file", "move it elsewhere")
	}
	file, err := fsys.Open(name)
	if err != nil {
		return nil, unreadable(label, err)
	}
	data, err := io.ReadAll(io.LimitReader(file, MaxFileBytes+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, unreadable(label, err)
	}
	if err := CheckText(label, data); err != nil {
		return nil, err
	}
	return data, nil
}

// CheckText refuses what is larger than MaxFileBytes, is not UTF-8 or holds a
// NUL, with an *InvalidError.
func CheckText(label string, data []byte) error {
	if len(data) > MaxFileBytes {
		return refusal(label, 0, fmt.Sprintf("the file is larger than %d KiB", MaxFileBytes>>10), "shorten it")
	}
	if at := bytes.IndexByte(data, 0); at >= 0 {
		return refusal(label, lineOf(data, at), "the file holds a NUL byte", "save it as plain UTF-8 text")
	}
	if at := invalidUTF8(data); at >= 0 {
		return refusal(label, lineOf(data, at), "the file is not UTF-8", "save it as plain UTF-8 text")
	}
	return nil
}

func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

func lineOf(data []byte, at int) int { return 1 + bytes.Count(data[:at], []byte{'\n'}) }

func refusal(label string, line int, message, next string) error {
	return &InvalidError{File: label, Problems: []Problem{{Pos: Pos{Line: line}, Message: message, NextStep: next}}}
}

func unreadable(label string, err error) error {
	return &InvalidError{File: label, Problems: []Problem{{
		Message: "the file cannot be read", NextStep: "check its permissions", Cause: err,
	}}}
}
