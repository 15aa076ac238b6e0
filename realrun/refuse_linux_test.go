package realrun_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"locklab/realrun"
)

const secret = "s3cret-Pa55"

// refused opens a session that must fail, and returns the error. It never holds a password.
func refused(t *testing.T, url string) error {
	t.Helper()
	s, err := realrun.Open(t.Context(), url)
	if err == nil {
		s.Close()
		t.Fatalf("no error")
	}
	discreet(t, err, url)
	return err
}

// discreet checks that an error does not hold the password of a URL.
func discreet(t *testing.T, err error, rawURL string) {
	t.Helper()
	passwords := []string{secret}
	if u, bad := url.Parse(rawURL); bad == nil && u.User != nil {
		if password, ok := u.User.Password(); ok {
			passwords = append(passwords, password)
		}
	}
	for _, password := range passwords {
		if strings.Contains(err.Error(), password) {
			t.Errorf("the error holds the password: %v", err)
		}
	}
}

func TestBadURLs(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"", "auto ", "localhost:6379", "http://:" + secret + "@127.0.0.1", "redis://:" + secret + "@127.0.0.1:port",
		"redis://:" + secret + "%zz@127.0.0.1", "redis://:" + secret + "@127.0.0.1/zero", "redis://:" + secret + "\x00@127.0.0.1",
		"redis://:" + secret + "@127.0.0.1?bogus=1",
	} {
		wantError(t, refused(t, url), "--redis: not a Redis URL", "want redis://, rediss:// or unix://")
	}
}

// deadAddr is an address of this machine at which nobody listens.
func deadAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	addr := deadAddr(t)
	wantError(t, refused(t, "redis://user:"+secret+"@"+addr), "Redis at "+addr, "connection refused")
	socket := filepath.Join(t.TempDir(), "none.sock")
	wantError(t, refused(t, "unix://user:"+secret+"@"+socket), "Redis at "+socket, "no such file")
}

func TestPasswords(t *testing.T) {
	t.Parallel()
	u := startUsers(t)
	wantError(t, refused(t, "redis://"+u.Addr), u.Addr, "NOAUTH", "--redis redis://:PASSWORD@HOST:PORT")
	wantError(t, refused(t, "redis://:"+secret+"@"+u.Addr), u.Addr, "WRONGPASS", "is wrong")
}

// A user of its own, who may use keys under our prefix only, is enough.
func TestUserWithAPassword(t *testing.T) {
	t.Parallel()
	u := startUsers(t)
	u.do(t, "ACL", "SETUSER", "alice", "on", ">"+secret, "~locklab:*", "+@all", "-@dangerous", "+info")
	s := open(t, "redis://alice:"+secret+"@"+u.Addr)
	measure(t, s, scenario(t, "lesson/e", 0.1, "rounds=2"))
	if s.Store().Product == "" || s.Store().Version == "" {
		t.Errorf("store %+v: not described", s.Store())
	}
}

// A server that answers with errors: in the preparations, and only to workers.
func TestServerAnswersWithAnError(t *testing.T) {
	t.Parallel()
	u := startUsers(t)
	alice := "redis://alice:" + secret + "@" + u.Addr
	u.do(t, "ACL", "SETUSER", "alice", "on", ">"+secret, "~*", "+@all", "-set")
	wantError(t, refused(t, alice), u.Addr, "NOPERM", "locklab needs")
	u.do(t, "ACL", "SETUSER", "alice", "+set", "-evalsha")
	s := open(t, alice)
	r := measureAll(t.Context(), s, realrun.Job{Scenario: scenario(t, "lesson/b", 0.1), Seed: 1})[0]
	wantError(t, r.err, "worker ", u.Addr, "NOPERM", "locklab needs")
	discreet(t, r.err, alice)
	u.do(t, "SCRIPT", "FLUSH")
	u.do(t, "ACL", "SETUSER", "alice", "+evalsha")
	r = measureAll(t.Context(), s, realrun.Job{Scenario: scenario(t, "lesson/b", 0.1), Seed: 1})[0]
	wantError(t, r.err, "worker ", u.Addr, "NOSCRIPT", "was it restarted?")
}

func TestReadOnlyReplica(t *testing.T) {
	t.Parallel()
	primary, replica := startUsers(t), startUsers(t)
	host, port, _ := net.SplitHostPort(primary.Addr)
	password, _ := mustParse(t, primary.URL()).User.Password()
	replica.do(t, "CONFIG", "SET", "masterauth", password)
	replica.do(t, "REPLICAOF", host, port)
	wantError(t, refused(t, replica.URL()), replica.Addr, "READONLY", "use the primary")
}

func mustParse(t *testing.T, rawURL string) *url.URL {
	t.Helper()
	u, err := url.Parse(rawURL)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// A server that goes away in mid-run: the runs that have ended count, the others say why they do not.
func TestServerGoesAway(t *testing.T) {
	t.Parallel()
	u := startUsers(t)
	s, err := realrun.Open(t.Context(), u.URL())
	if err != nil {
		t.Fatal(err)
	}
	short, long := scenario(t, "lesson/b", 0.1, "rounds=2"), scenario(t, "lesson/d", 1)
	var errs [2]error
	time.AfterFunc(2*time.Second, u.Close) // the short run is over
	s.Measure(t.Context(), []realrun.Job{{Scenario: short, Seed: 1}, {Scenario: long, Seed: 1}}, 2, func(i int, o *realrun.Outcome, err error) {
		errs[i] = err
		if (o == nil) != (err != nil) {
			t.Errorf("job %d: outcome %v and error %v", i, o, err)
		}
	})
	if errs[0] != nil {
		t.Errorf("the run that had ended: %v", errs[0])
	}
	wantError(t, errs[1], "worker ", u.Addr)
	discreet(t, errs[1], u.URL())
	if !strings.Contains(errs[1].Error(), "closed the connection") && !strings.Contains(errs[1].Error(), "reset by peer") {
		t.Errorf("error = %v, want the cause", errs[1])
	}
	err = s.Close()
	wantError(t, err, u.Addr, "connection refused", "expire by themselves")
	discreet(t, err, u.URL())
}

// A server that hangs holds nobody up who wants to leave.
func TestServerHangs(t *testing.T) {
	t.Parallel()
	u := startUsers(t)
	s, err := realrun.Open(t.Context(), u.URL())
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(u.Pid(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(u.Pid(), syscall.SIGCONT)
	promptly := func(what string, limit time.Duration, do func(context.Context) error) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		begin := time.Now()
		err := do(ctx)
		if err == nil {
			t.Errorf("%s: no error", what)
		}
		if took := time.Since(begin); took > limit {
			t.Errorf("%s took %v: %v", what, took, err)
		}
	}
	promptly("open", 2*time.Second, func(ctx context.Context) error {
		_, err := realrun.Open(ctx, u.URL())
		return err
	})
	promptly("measure", 2*time.Second, func(ctx context.Context) error {
		return measureAll(ctx, s, realrun.Job{Scenario: scenario(t, "lesson/b", 0.1), Seed: 1})[0].err
	})
	promptly("close", 7*time.Second, func(context.Context) error {
		err := s.Close()
		wantError(t, err, u.Addr, "no answer within 5s", "expire by themselves")
		return err
	})
}

// Interrupting a run whose workers wait for a server that hangs.
func TestServerHangsInMidRun(t *testing.T) {
	t.Parallel()
	u := startUsers(t)
	s := open(t, u.URL())
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	sc := scenario(t, "lesson/b", 1)
	go func() { ended <- measureAll(ctx, s, realrun.Job{Scenario: sc, Seed: 1})[0].err }()
	eventually(t, "the run under way", func() bool { return len(u.keys(t)) >= 4 })
	if err := syscall.Kill(u.Pid(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(u.Pid(), syscall.SIGCONT)
	time.Sleep(100 * time.Millisecond)
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error = %v, want that it was cancelled", err)
		}
	case <-time.After(2 * time.Second):
		t.Fatal("the run goes on")
	}
}

func TestUnixSocket(t *testing.T) {
	t.Parallel()
	u := startUsers(t)
	socket := filepath.Join(t.TempDir(), "redis.sock")
	forward(t, socket, u.Addr)
	password, _ := mustParse(t, u.URL()).User.Password()
	measure(t, open(t, "unix://:"+password+"@"+socket), scenario(t, "lesson/e", 0.1, "rounds=2"))
	wantError(t, refused(t, "unix://"+socket), socket, "NOAUTH")
}

// forward connects whoever connects to a Unix socket with a TCP address.
func forward(t *testing.T, socket, addr string) {
	t.Helper()
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	pass := func(to, from net.Conn) {
		_, _ = io.Copy(to, from)
		to.Close()
	}
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", addr)
			if err != nil {
				in.Close()
				continue
			}
			go pass(in, out)
			go pass(out, in)
		}
	}()
}

// A server that does not speak TLS: an error within the time that opening a connection may take.
func TestNoTLS(t *testing.T) {
	t.Parallel()
	u := startUsers(t)
	err := refused(t, strings.Replace(u.URL(), "redis://", "rediss://", 1))
	wantError(t, err, u.Addr, "does it speak TLS?")
}
