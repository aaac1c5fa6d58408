package bench_test

import (
	"os"
	"runtime/pprof"
)

// profile writes the CPU profile of this side to the folder that the variable
// names, if it names one, until the returned function is called.
func profile() (stop func()) {
	folder := os.Getenv(profileVariable)
	if folder == "" {
		return func() {}
	}
	file, err := os.Create(folder + "/" + os.Getenv(sideVariable) + ".pprof")
	if err != nil {
		return func() {}
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return func() {}
	}
	return func() {
		pprof.StopCPUProfile()
		_ = file.Close()
	}
}
