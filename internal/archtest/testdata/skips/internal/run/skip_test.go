package run

import "testing"

func TestSkipped(t *testing.T) {
	t.Skip("later") // [want]
	t.Run("inner", func(inner *testing.T) {
		inner.SkipNow()       // [want]
		inner.Skipf("%d", 42) // [want]
		inner.Fatal("not skipped")
	})
}
