package testenv

import (
	"context"
	"fmt"
	"net"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/encoding/gzip" // The SDK compresses what it sends.
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Deed is what a [GRPC] proxy does with a call.
type Deed int

// The deeds. Pass is the zero value.
const (
	// Pass hands call and answer on as they are.
	Pass Deed = iota
	// Refuse answers with the verdict's code; the server never hears of the call.
	Refuse
	// Lose lets the server do the call and answers with the verdict's code all the same.
	Lose
	// Hold lets the call wait until the caller gives up; the server never hears of it.
	Hold
	// Withhold lets the server do the call and keeps the answer until the caller gives up.
	Withhold
)

// Call is one call, as the judge sees it.
type Call struct {
	// Method is the method's name without its service, like StartWorkflowExecution.
	Method string
	// Before counts the calls of any method that came before, BeforeOfMethod those of this one.
	Before, BeforeOfMethod int
}

// Verdict says what becomes of a call.
type Verdict struct {
	Deed Deed
	Code codes.Code
}

// GRPC stands between a process and a gRPC server, knows none of its messages, and asks a judge
// about each call. The calls must be unary, as all of Temporal's are.
type GRPC struct {
	address string
	target  *grpc.ClientConn
	judge   func(Call) Verdict
	stopped chan struct{}

	mu    sync.Mutex
	calls []string
	held  chan struct{}
}

// StartGRPC serves on a free port on loopback until the test ends. Calls are judged one at a time
// and in the order in which they come, so a judge may count without a lock.
func StartGRPC(t testing.TB, target string, judge func(Call) Verdict) *GRPC {
	t.Helper()
	conn, err := grpc.NewClient(target, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(rawCodec{}), grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage)))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &GRPC{address: listener.Addr().String(), target: conn, judge: judge, held: make(chan struct{}), stopped: make(chan struct{})}
	server := grpc.NewServer(grpc.ForceServerCodecV2(rawCodec{}), grpc.UnknownServiceHandler(p.serve),
		grpc.MaxRecvMsgSize(maxMessage), grpc.MaxSendMsgSize(maxMessage))
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		close(p.stopped)
		server.Stop()
		if err := <-served; err != nil {
			t.Errorf("the gRPC proxy: %v", err)
		}
		_ = conn.Close()
	})
	return p
}

// maxMessage is above what the server itself takes.
const maxMessage = 128 << 20

// Address is where to connect.
func (p *GRPC) Address() string { return p.address }

// Calls are the methods that were called, in their order.
func (p *GRPC) Calls() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.calls)
}

// Held is closed once a call, or the answer to one, is held back.
func (p *GRPC) Held() <-chan struct{} { return p.held }

func (p *GRPC) serve(_ any, stream grpc.ServerStream) error {
	full, ok := grpc.MethodFromServerStream(stream)
	if !ok {
		return status.Error(codes.Internal, "the gRPC proxy: a call without a method")
	}
	var request, answer frame
	if err := stream.RecvMsg(&request); err != nil {
		return err
	}
	verdict := p.decide(path.Base(full))
	switch verdict.Deed {
	case Refuse:
		return status.Error(verdict.Code, "refused by the test's proxy")
	case Hold:
		return p.hold(stream.Context())
	default: // The server hears of it.
	}
	var header, trailer metadata.MD
	err := p.target.Invoke(outgoing(stream.Context()), full, &request, &answer, grpc.Header(&header), grpc.Trailer(&trailer))
	switch verdict.Deed {
	case Lose:
		return status.Error(verdict.Code, "lost by the test's proxy")
	case Withhold:
		return p.hold(stream.Context())
	default: // The caller hears of it.
	}
	stream.SetTrailer(trailer)
	if err != nil {
		return err
	}
	if err := stream.SetHeader(header); err != nil {
		return fmt.Errorf("the gRPC proxy: %w", err)
	}
	return stream.SendMsg(&answer)
}

func (p *GRPC) decide(method string) Verdict {
	p.mu.Lock()
	defer p.mu.Unlock()
	call := Call{Method: method, Before: len(p.calls)}
	for _, earlier := range p.calls {
		if earlier == method {
			call.BeforeOfMethod++
		}
	}
	p.calls = append(p.calls, method)
	return p.judge(call)
}

// hold waits until the caller gives up or the test ends.
func (p *GRPC) hold(ctx context.Context) error {
	p.mu.Lock()
	select {
	case <-p.held:
	default:
		close(p.held)
	}
	p.mu.Unlock()
	select {
	case <-ctx.Done():
		return status.FromContextError(ctx.Err()).Err()
	case <-p.stopped:
		return status.Error(codes.Unavailable, "the test has ended")
	}
}

// outgoing hands the caller's metadata on, without what each connection says for itself.
func outgoing(ctx context.Context) context.Context {
	given, _ := metadata.FromIncomingContext(ctx)
	sent := metadata.MD{}
	for key, values := range given {
		if !strings.HasPrefix(key, ":") && !strings.HasPrefix(key, "grpc-") && key != "content-type" && key != "user-agent" {
			sent[key] = values
		}
	}
	return metadata.NewOutgoingContext(ctx, sent)
}
