package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// alone is a stage without any server: nobody listens where it looks.
func alone(t *testing.T) *stage {
	t.Helper()
	home := t.TempDir()
	return &stage{
		t: t, home: home,
		env: map[string]string{
			"TEMPORAL_ADDRESS": "127.0.0.1:1", "TEMPORAL_CONFIG_FILE": os.DevNull,
			"TUTTI_DATA_DIR": filepath.Join(home, "data"), "OLLAMA_HOST": "127.0.0.1:1",
		},
		now: func() time.Time { return time.Now().UTC() },
	}
}

func (s *stage) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.home, name)
	require.NoError(s.t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(s.t, os.WriteFile(path, []byte(text), 0o600))
}
