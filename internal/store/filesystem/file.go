package filesystem

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// replace gives the file this content, whole or not at all.
func replace(path string, data []byte) error {
	temporary, err := writeBeside(path, data)
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return syncDir(filepath.Dir(path))
}

// create makes the file with this content if it is not there, and says whether
// it did. Of several at once one makes it.
func create(path string, data []byte) (bool, error) {
	if _, err := os.Stat(path); err == nil {
		return false, nil
	}
	temporary, err := writeBeside(path, data)
	if err != nil {
		return false, err
	}
	linked := os.Link(temporary, path)
	if err := os.Remove(temporary); err != nil {
		return false, err
	}
	if errors.Is(linked, fs.ErrExist) {
		return false, nil
	}
	if linked != nil {
		return false, linked
	}
	return true, syncDir(filepath.Dir(path))
}

// writeBeside writes and syncs a file under another name in the same folder.
func writeBeside(path string, data []byte) (temporary string, err error) {
	dir := filepath.Dir(path)
	if err := makeDir(dir); err != nil {
		return "", err
	}
	file, err := os.CreateTemp(dir, ".tmp-*")
	if err != nil {
		return "", err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}

// makeDir makes the folder and those above it, each on disk.
func makeDir(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := makeDir(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(filepath.Dir(dir))
}

func syncDir(dir string) error {
	file, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// errDamaged marks a file that is there and is not what was written.
var errDamaged = errors.New("the file is damaged: remove it")

// readJSON reads the file into value, and says whether it is there.
func readJSON(path string, value any) (bool, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := json.Unmarshal(raw, value); err != nil {
		return false, fmt.Errorf("%s: %w: %w", path, errDamaged, err)
	}
	return true, nil
}

// entries lists the names in a folder that are not being written just now. A
// folder that is not there is empty.
func entries(dir string) ([]string, error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range list {
		if entry.Name()[0] != '.' {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}
