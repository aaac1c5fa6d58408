package testenv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// postgresInstall is the next step where Postgres is missing.
const postgresInstall = "no postgres server program found in PATH or /usr/lib/postgresql; run: apt-get install postgresql"

// clusterStart is how long a cluster may take to answer; it takes about a second on an idle machine.
const clusterStart = 60 * time.Second

// clusterSettings trade what a throw-away cluster does not need, surviving a power cut, for speed.
var clusterSettings = []string{
	"listen_addresses=" + loopback,
	"unix_socket_directories=",
	"fsync=off",
	"synchronous_commit=off",
	"full_page_writes=off",
	"max_connections=300",
	"shared_buffers=64MB",
}

// cluster is a Postgres cluster in a folder of its own. It may be stopped and started.
type cluster struct {
	bin    string
	home   string // removed by its guard when the cluster, or the test process, is gone
	port   int
	owner  *syscall.Credential // nil: the user that runs the tests
	keeper *guard
	server *child
}

// newCluster makes a cluster and starts it.
func newCluster() (*cluster, error) {
	bin, err := postgresBin()
	if err != nil {
		return nil, err
	}
	c := &cluster{bin: bin}
	if c.port, err = FreePort(); err != nil {
		return nil, err
	}
	if err := c.makeHome(); err != nil {
		return nil, err
	}
	if c.keeper, err = startGuard(0, "", c.home); err != nil {
		return nil, err
	}
	initdb := c.command("initdb", "--pgdata", c.data(), "--no-sync", "--auth", "trust",
		"--username", "postgres", "--encoding", "UTF8", "--locale", "C")
	if output, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w:\n%s", err, output)
	}
	return c, c.start()
}

// makeHome makes the folder and gives it to the user that will run the server: Postgres refuses to
// run as root.
func (c *cluster) makeHome() error {
	home, err := os.MkdirTemp("", "tutti-postgres-")
	if err != nil {
		return fmt.Errorf("making a folder for Postgres: %w", err)
	}
	c.home = home
	if os.Geteuid() != 0 {
		return nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		return fmt.Errorf("postgres does not run as root and needs its user: %w; run: apt-get install postgresql", err)
	}
	uid, uidErr := strconv.ParseUint(account.Uid, 10, 32)
	gid, gidErr := strconv.ParseUint(account.Gid, 10, 32)
	if err := errors.Join(uidErr, gidErr); err != nil {
		return fmt.Errorf("reading the user postgres: %w", err)
	}
	c.owner = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	if err := os.Chown(home, int(uid), int(gid)); err != nil {
		return fmt.Errorf("giving Postgres its folder: %w", err)
	}
	return nil
}

func (c *cluster) data() string { return filepath.Join(c.home, "data") }

// command makes a command of the installation that runs as the cluster's owner.
func (c *cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(c.bin, name), args...)
	cmd.Dir = c.home
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.owner}
	return cmd
}

// start starts the server and waits until it takes connections.
func (c *cluster) start() error {
	args := []string{"-D", c.data(), "-p", strconv.Itoa(c.port)}
	for _, setting := range clusterSettings {
		args = append(args, "-c", setting)
	}
	var err error
	// SIGQUIT makes the server go at once and take its own children along.
	if c.server, err = startChild(c.command("postgres", args...), "QUIT"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), clusterStart)
	defer cancel()
	err = await(ctx, func() error {
		if err := c.server.ended(); err != nil {
			cancel() // it will not come any more
			return err
		}
		return c.exec(ctx, "select 1")
	})
	if err != nil {
		return errors.Join(fmt.Errorf("starting Postgres: %w", err), c.stop())
	}
	return nil
}

// stop ends the server by its fast shutdown, which breaks connections off and loses nothing.
func (c *cluster) stop() error {
	if c.server == nil {
		return nil
	}
	server := c.server
	c.server = nil
	return server.end(syscall.SIGINT)
}

// remove ends the server and removes its folder.
func (c *cluster) remove() error {
	return errors.Join(c.stop(), c.keeper.release())
}

// url returns the address of a database of the cluster.
func (c *cluster) url(database string) string {
	return fmt.Sprintf("postgres://postgres@%s:%d/%s?sslmode=disable", loopback, c.port, database)
}

func (c *cluster) exec(ctx context.Context, sql string) error {
	return execute(ctx, c.url("postgres"), sql)
}

// execute runs one statement on a connection of its own.
func execute(ctx context.Context, url, sql string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("connecting to the test database: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, sql); err != nil {
		return fmt.Errorf("%s: %w", sql, err)
	}
	return nil
}

// postgresBin returns the folder of the server's programs: Debian keeps them off the PATH, in one
// folder a version, of which the greatest is taken.
func postgresBin() (string, error) {
	if path, err := exec.LookPath("postgres"); err == nil {
		return filepath.Dir(path), nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err != nil {
		return "", fmt.Errorf("looking for Postgres: %w", err)
	}
	if len(found) == 0 {
		return "", errors.New(postgresInstall)
	}
	newest := slices.MaxFunc(found, func(a, b string) int { return majorVersion(a) - majorVersion(b) })
	return filepath.Dir(newest), nil
}

func majorVersion(path string) int {
	version, err := strconv.Atoi(strings.Split(path, "/")[4])
	if err != nil {
		return 0 // not one of the packaged versions, so it comes last
	}
	return version
}
