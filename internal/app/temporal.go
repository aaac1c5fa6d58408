package app

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	sdklog "go.temporal.io/sdk/log"
	"google.golang.org/grpc"

	"github.com/tutti-dev/tutti/internal/runs"
)

// dialTimeout bounds how long a command waits for Temporal to answer at all.
const dialTimeout = 5 * time.Second

// ConnectionError says that Temporal cannot be reached, and where it was looked for.
type ConnectionError struct {
	Address string
	Err     error
}

// Error implements error.
func (e *ConnectionError) Error() string {
	return fmt.Sprintf("temporal cannot be reached at %s", e.Address)
}

// Unwrap returns the cause and runs.ErrUnreachable.
func (e *ConnectionError) Unwrap() []error { return []error{runs.ErrUnreachable, e.Err} }

// temporalOptions reads the Temporal client configuration that Temporal's own
// CLI uses: TEMPORAL_* variables and profiles in temporal.toml.
func (a *App) temporalOptions() (client.Options, error) {
	request := envconfig.LoadClientOptionsRequest{EnvLookup: variables{a.env}}
	if _, set := a.env.Lookup("TEMPORAL_CONFIG_FILE"); !set && a.env.HomeDir != "" {
		request.ConfigFilePath = filepath.Join(a.userConfigHome(), "temporalio", "temporal.toml")
	}
	options, err := envconfig.LoadClientOptions(request)
	if err != nil {
		return client.Options{}, &ConfigError{Err: fmt.Errorf("the Temporal client configuration cannot be used: %w", err)}
	}
	options.Logger = sdklog.NewStructuredLogger(a.env.Log)
	if options.HostPort == "" {
		options.HostPort = client.DefaultHostPort
	}
	if options.Namespace == "" {
		options.Namespace = client.DefaultNamespace
	}
	if onThisMachine(options.HostPort) {
		// The SDK compresses what it sends, which only a network has use for.
		options.ConnectionOptions.GrpcCompression = &client.GrpcCompressionNone{}
	}
	return options, nil
}

// onThisMachine says that a connection to the address leaves no network card.
func onThisMachine(hostPort string) bool {
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (a *App) userConfigHome() string {
	if dir, ok := a.env.Lookup("XDG_CONFIG_HOME"); ok && filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(a.env.HomeDir, ".config")
}

// dial connects to Temporal, with interceptors for who wants to see the calls.
func (a *App) dial(ctx context.Context, see ...grpc.UnaryClientInterceptor) (client.Client, client.Options, error) {
	options, err := a.temporalOptions()
	if err != nil {
		return nil, options, err
	}
	if len(see) > 0 {
		options.ConnectionOptions.DialOptions = append(options.ConnectionOptions.DialOptions,
			grpc.WithChainUnaryInterceptor(see...))
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	c, err := client.DialContext(ctx, options)
	if err != nil {
		return nil, options, &ConnectionError{Address: options.HostPort, Err: err}
	}
	return c, options, nil
}
