package testenv

import (
	"fmt"
	"net"
	"net/netip"
)

const loopback = "127.0.0.1"

// FreePort returns a TCP port on loopback that nothing listens on. The kernel hands out no port on
// which a connection is in TIME_WAIT, so one connection is made and closed from the server's side:
// that reserves the port for about a minute, while a server can still bind it.
func FreePort() (int, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(loopback, "0"))
	if err != nil {
		return 0, fmt.Errorf("asking for a free port: %w", err)
	}
	defer listener.Close()

	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		return 0, fmt.Errorf("reserving the port: %w", err)
	}
	defer client.Close()
	server, err := listener.Accept()
	if err != nil {
		return 0, fmt.Errorf("reserving the port: %w", err)
	}
	if err := server.Close(); err != nil {
		return 0, fmt.Errorf("reserving the port: %w", err)
	}
	address, err := netip.ParseAddrPort(listener.Addr().String())
	if err != nil {
		return 0, fmt.Errorf("reading the port: %w", err)
	}
	return int(address.Port()), nil
}
