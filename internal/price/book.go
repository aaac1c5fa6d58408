package price

import (
	"embed"
	"errors"
	"io/fs"
	"path"

	"github.com/tutti-dev/tutti/internal/definition"
	"github.com/tutti-dev/tutti/internal/run"
)

// FileName is the name of a file of prices, wherever it lies.
const FileName = "prices.yaml"

// workDir is the folder of the working directory that holds the project's own.
const workDir = ".tutti"

//go:embed prices.yaml
var builtIn embed.FS

// Book is every price that is known. It does not change once it is loaded, and
// may be read by many goroutines. The zero Book knows no price.
type Book struct {
	// sheets are the files in order of precedence.
	sheets [][]Entry
}

// Load reads the user's two files, where they exist, and the built-in one. A file
// that cannot be used is an error, a *definition.InvalidError in it: to go on
// without it would charge other prices than the user's.
func Load(dirs definition.Dirs) (*Book, error) {
	b := &Book{}
	for _, source := range []definition.Source{dirs.InWork(workDir), dirs.InConfig("."), definition.BuiltIn(builtIn, ".")} {
		entries, err := read(source)
		if err != nil {
			return nil, err
		}
		b.sheets = append(b.sheets, entries)
	}
	return b, nil
}

// read reads the file of prices of one directory. A directory without one has none.
func read(source definition.Source) ([]Entry, error) {
	if source.FS == nil {
		return nil, nil
	}
	label := path.Join(source.Label, FileName)
	info, err := fs.Stat(source.FS, FileName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && !info.Mode().IsRegular():
		return nil, refuse(label, "this is not a regular file", "move it elsewhere", nil)
	case err == nil && info.Size() > definition.MaxFileBytes:
		return nil, definition.CheckText(label, make([]byte, definition.MaxFileBytes+1))
	}
	data, err := fs.ReadFile(source.FS, FileName)
	if err != nil {
		return nil, refuse(label, "the file cannot be read", "check its permissions", err)
	}
	return Parse(label, data)
}

func refuse(label, message, next string, cause error) error {
	var report definition.Report
	report.AddCause(definition.Pos{}, message, next, cause)
	return report.Err(label)
}

// For returns the price of a provider's model, pinned and named, and whether
// there is one. The model's name is taken as it will be sent.
func (b *Book) For(provider, model string) (run.Price, bool) {
	for _, sheet := range b.sheets {
		if best := match(sheet, provider, model); best != nil {
			return best.pin(model), true
		}
	}
	return run.Price{}, false
}

// Entries lists what the files say, in order of precedence.
func (b *Book) Entries() []Entry {
	var all []Entry
	for _, sheet := range b.sheets {
		all = append(all, sheet...)
	}
	return all
}

func match(sheet []Entry, provider, model string) *Entry {
	var best *Entry
	for i := range sheet {
		e := &sheet[i]
		if e.Provider == provider && e.covers(model) && (best == nil || e.closerThan(best)) {
			best = e
		}
	}
	return best
}
