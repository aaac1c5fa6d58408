package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/tutti-dev/tutti/internal/store"
)

// watchEvery is how often a watched list is read: a page is one walk along an index.
const watchEvery = time.Second

// watchPage prints the page now and whenever it has changed, until the user
// interrupts it, which is how watching ends well. What is printed twice is
// parted by a line with the time.
func (l *listing) watchPage(ctx context.Context, q store.Query) error {
	var last []byte
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		page, err := l.page(ctx, q)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		now, err := json.Marshal(page)
		if err != nil {
			return fmt.Errorf("compare pages: %w", err)
		}
		if !bytes.Equal(now, last) {
			if last != nil && !l.json && !l.names() {
				fmt.Fprintf(l.process.Stdout, "\n%s\n", l.now().Format("15:04:05"))
			}
			if err := l.print(ctx, page); err != nil {
				return err
			}
			last = now
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}
