package certificate

import (
	"os"

	"golang.org/x/sys/unix"
)

// Width is how many columns the terminal has that a file is, or 0 when it is none.
func Width(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
