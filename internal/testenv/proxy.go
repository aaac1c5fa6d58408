package testenv

import (
	"net"
	"sync"
	"testing"
	"time"
)

// Proxy is a TCP proxy that a test may hold: what is sent while it is held
// arrives nowhere, and nobody is told, as in a half-open network.
type Proxy struct {
	target   string
	listener net.Listener
	ended    chan struct{}

	mu      sync.Mutex
	held    chan struct{} // closed while traffic flows
	flows   bool
	conns   map[net.Conn]struct{}
	delay   time.Duration
	asked   int           // pieces that clients have sent
	holdAt  int           // hold the piece with this number; 0 is never
	reached chan struct{} // closed when that has come
}

// StartProxy forwards a free port on loopback to the target until the test ends.
func StartProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{target: target, listener: listener, ended: make(chan struct{}), held: make(chan struct{}), flows: true, conns: make(map[net.Conn]struct{}), reached: make(chan struct{})}
	close(p.held)
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		defer group.Done()
		p.accept(&group)
	}()
	t.Cleanup(func() {
		close(p.ended)
		p.Flow()
		_ = listener.Close()
		p.Cut()
		group.Wait()
	})
	return p
}

// Address is where to connect.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Hold lets nothing through any more, in either direction.
func (p *Proxy) Hold() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hold()
}

func (p *Proxy) hold() {
	if p.flows {
		p.held, p.flows = make(chan struct{}), false
	}
}

// Delay makes every piece arrive so much later, in either direction.
func (p *Proxy) Delay(by time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = by
}

// HoldAt holds as [Proxy.Hold] does once clients send their piece number n, counted from 1: what
// came before has arrived and this has not. The channel is closed then. It is called once, before
// the first client comes.
func (p *Proxy) HoldAt(n int) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.holdAt = n
	return p.reached
}

// Asked counts the pieces that clients have sent. A client of Postgres sends one for each question,
// because it waits for the answer before it asks the next.
func (p *Proxy) Asked() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked
}

// Flow lets everything through again, also what was held.
func (p *Proxy) Flow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.flows {
		close(p.held)
		p.flows = true
	}
}

// Cut breaks all connections off.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.conns {
		_ = conn.Close()
	}
}

func (p *Proxy) accept(group *sync.WaitGroup) {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.target)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.mu.Lock()
		p.conns[client], p.conns[server] = struct{}{}, struct{}{}
		p.mu.Unlock()
		group.Add(2)
		go p.forward(group, client, server, p.ask)
		go p.forward(group, server, client, p.gate)
	}
}

// gate is what a piece waits for.
func (p *Proxy) gate() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.held
}

// ask is the gate of a piece from a client.
func (p *Proxy) ask() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asked++; p.asked == p.holdAt {
		p.hold()
		close(p.reached)
	}
	return p.held
}

// lag is the slowness that a test asked for.
func (p *Proxy) lag() {
	p.mu.Lock()
	delay := p.delay
	p.mu.Unlock()
	if delay == 0 {
		return
	}
	select {
	case <-time.After(delay):
	case <-p.ended:
	}
}

func (p *Proxy) forward(group *sync.WaitGroup, from, to net.Conn, gate func() <-chan struct{}) {
	defer group.Done()
	defer func() {
		_ = from.Close()
		_ = to.Close()
		p.mu.Lock()
		delete(p.conns, from)
		p.mu.Unlock()
	}()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n == 0 {
			<-p.gate()
		} else {
			<-gate()
			p.lag()
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
