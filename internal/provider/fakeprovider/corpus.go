package fakeprovider

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// Case is what the server needs of a case: how to answer. What is expected of the
// client stands in the same file and is the harness's business.
type Case struct {
	ID           string              `json:"id"`
	Status       int                 `json:"status"`
	Headers      map[string]string   `json:"headers"`
	MultiHeaders map[string][]string `json:"multi_headers"`
	Body         string              `json:"body"`
	BodyBase64   string              `json:"body_base64"`
	BodyFill     *Fill               `json:"body_fill"`
	GzipBody     bool                `json:"gzip_body"`
	Behaviour    string              `json:"behaviour"`
	Params       Params              `json:"behaviour_params"`
}

// Fill is a body that is too large to write down.
type Fill struct {
	Prefix string `json:"prefix"`
	Unit   string `json:"unit"`
	Bytes  int    `json:"bytes"`
	Suffix string `json:"suffix"`
}

// Params shape a behaviour.
type Params struct {
	PadEveryMS int    `json:"pad_every_ms"`
	PadCount   int    `json:"pad_count"`
	Pad        string `json:"pad"`
	DripMS     int    `json:"drip_ms"`
	DripBytes  int    `json:"drip_bytes"`
	AfterBytes int    `json:"after_bytes"`
	Chunked    bool   `json:"chunked"`
	HangMS     int    `json:"hang_ms"`
}

// LoadCorpus reads corpus files. An ID that stands in two of them is an error.
func LoadCorpus(paths []string) (map[string]Case, error) {
	cases := map[string]Case{}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read the corpus: %w", err)
		}
		var list []Case
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, fmt.Errorf("read the corpus %s: %w", path, err)
		}
		for _, c := range list {
			if _, double := cases[c.ID]; double || c.ID == "" {
				return nil, fmt.Errorf("read the corpus %s: case ID %q is empty or used twice", path, c.ID)
			}
			cases[c.ID] = c
		}
	}
	return cases, nil
}

func millis(n int, fallback time.Duration) time.Duration {
	if n <= 0 {
		return fallback
	}
	return time.Duration(n) * time.Millisecond
}
