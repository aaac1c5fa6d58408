// Command fakeprovider runs the fake provider as a process of its own. The first
// line that it prints is its URL.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/tutti-dev/tutti/internal/provider/fakeprovider"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "fakeprovider:", err)
		os.Exit(1)
	}
}

func run() error {
	var opts fakeprovider.Options
	flag.StringVar(&opts.Addr, "addr", "127.0.0.1:0", "listen address; loopback only (port 0 picks one)")
	corpus := flag.String("corpus", "", "corpus JSON files, comma separated")
	flag.DurationVar(&opts.Latency, "latency", 0, "delay before every answer")
	flag.IntVar(&opts.FailFirst, "fail-first", 0, "answer 503 to the first N calls of each model")
	flag.DurationVar(&opts.HangMax, "hang-max", 0, "longest time that a hanging case holds a connection (default 1m)")
	flag.Parse()
	if *corpus != "" {
		opts.Corpus = strings.Split(*corpus, ",")
	}
	server, err := fakeprovider.Listen(opts)
	if err != nil {
		return err
	}
	fmt.Println(server.URL())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	<-ctx.Done()
	return server.Close()
}
