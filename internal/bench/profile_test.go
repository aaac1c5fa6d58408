package bench_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
)

// profile writes the CPU profile of this side to the folder that the variable
// names, if it names one, until the returned function is called.
func profile() (stop func()) {
	folder := os.Getenv(profileVariable)
	if folder == "" {
		return func() {}
	}
	file, err := os.Create(filepath.Join(folder, os.Getenv(sideVariable)+".pprof"))
	if err == nil {
		err = pprof.StartCPUProfile(file)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "no profile:", err)
		return func() {}
	}
	return func() {
		pprof.StopCPUProfile()
		if err := file.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "the profile may be cut:", err)
		}
	}
}
