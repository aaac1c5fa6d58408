package testenv

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// databaseURL names the variable that, when set, points to a server of the developer's own; it must
// allow making databases. Without it a throw-away cluster is started.
const databaseURL = "TUTTI_TEST_DATABASE_URL"

// databaseTime is how long making or dropping a database may take.
const databaseTime = 60 * time.Second

// sharedCluster is the server of this test process, started by the first that asks. The variable
// keeps the server's guards from being collected as garbage, which would close their pipes.
var sharedCluster = sync.OnceValues(newCluster)

// Postgres returns the address of a fresh, empty database on the shared server. It is dropped, open
// connections or not, when the test ends.
func Postgres(t testing.TB) string {
	t.Helper()
	if server := os.Getenv(databaseURL); server != "" {
		return database(t, server)
	}
	c, err := sharedCluster()
	if err != nil {
		t.Fatal(err)
	}
	return database(t, c.url("postgres"))
}

// database makes a database for one test on the server.
func database(t testing.TB, server string) string {
	t.Helper()
	name := "tutti_test_" + strings.ToLower(rand.Text())
	ctx, cancel := context.WithTimeout(t.Context(), databaseTime)
	defer cancel()
	if err := execute(ctx, server, "create database "+name+" template template0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), databaseTime)
		defer cancel()
		if err := execute(ctx, server, "drop database if exists "+name+" with (force)"); err != nil {
			t.Error(err)
		}
	})
	address, err := withDatabase(server, name)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// withDatabase returns the server's address with another database in it.
func withDatabase(server, name string) (string, error) {
	address, err := url.Parse(server)
	if err != nil || address.Host == "" {
		return "", fmt.Errorf("%s is not a postgres:// URL", databaseURL)
	}
	address.Path = "/" + name
	return address.String(), nil
}

// PostgresServer is a private Postgres that a test may stop and start, to see what an outage does.
type PostgresServer struct {
	t       testing.TB
	cluster *cluster
	dsn     string
}

// StartPostgres starts a private server with one empty database.
func StartPostgres(t testing.TB) *PostgresServer {
	t.Helper()
	c, err := newCluster()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.remove(); err != nil {
			t.Error(err)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), databaseTime)
	defer cancel()
	if err := c.exec(ctx, "create database tutti template template0"); err != nil {
		t.Fatal(err)
	}
	return &PostgresServer{t: t, cluster: c, dsn: c.url("tutti")}
}

// DSN returns the database's address, which stays the same over a stop and a start.
func (s *PostgresServer) DSN() string { return s.dsn }

// Stop ends the server; connections break off, and new ones are refused.
func (s *PostgresServer) Stop() {
	s.t.Helper()
	if err := s.cluster.stop(); err != nil {
		s.t.Fatal(err)
	}
}

// Start starts the server again, with the data it had, and waits until it takes connections.
func (s *PostgresServer) Start() {
	s.t.Helper()
	if err := s.cluster.start(); err != nil {
		s.t.Fatal(err)
	}
}
