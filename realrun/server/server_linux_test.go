package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

const patience = 10 * time.Second

// startServer starts a server for a test. Without one on this machine the test is skipped, but fails in CI.
func startServer(t *testing.T) *Server {
	t.Helper()
	s, err := Start(t.Context(), Options{})
	if errors.Is(err, ErrNoServer) && os.Getenv("CI") == "" {
		t.Skip("needs a Redis server: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func connect(t *testing.T, url string) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	t.Cleanup(func() { client.Close() })
	return client
}

// script writes an executable file that plays a server.
func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "server.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func wantError(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", texts)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("error = %q, want %q in it", err, text)
		}
	}
}

func alive(pid int) bool {
	_, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
	return err == nil
}

func TestServerServesAndLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	s := startServer(t)
	client := connect(t, s.URL())
	if err := client.Set(t.Context(), "key", "value", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if got, err := client.Get(t.Context(), "key").Result(); err != nil || got != "value" {
		t.Errorf("GET = %q, %v", got, err)
	}
	if err := s.Err(); err != nil {
		t.Errorf("Err while it runs: %v", err)
	}
	s.Close()
	s.Close()
	if err := s.Err(); err != nil {
		t.Errorf("Err after Close: %v", err)
	}
	if alive(s.Pid()) {
		t.Errorf("process %d is still there", s.Pid())
	}
	if conn, err := net.Dial("tcp", s.Addr); err == nil {
		conn.Close()
		t.Errorf("somebody still listens at %s", s.Addr)
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) > 0 {
		t.Errorf("files left: %v (%v)", files, err)
	}
}

func TestServerIsPrivateAndKeepsNothing(t *testing.T) {
	s := startServer(t)
	ctx := t.Context()
	if err := connect(t, "redis://"+s.Addr).Ping(ctx).Err(); err == nil {
		t.Error("answers without a password")
	}
	command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", s.Pid()))
	if err != nil || strings.Contains(string(command), s.password) || strings.Contains(s.String(), s.password) {
		t.Errorf("password is visible in %q or %q (%v)", command, s, err)
	}
	client := connect(t, s.URL())
	for key, want := range map[string]string{"save": "", "appendonly": "no", "databases": "1", "bind": "127.0.0.1", "pidfile": ""} {
		got, err := client.ConfigGet(ctx, key).Result()
		if err != nil || got[key] != want {
			t.Errorf("config %s = %q (%v), want %q", key, got[key], err, want)
		}
	}
}

func TestDescribe(t *testing.T) {
	s := startServer(t)
	product, version, err := Describe(t.Context(), connect(t, s.URL()))
	if err != nil || product != s.Product || version != s.Version || version == "" {
		t.Errorf("described as %q %q (%v), started as %q %q", product, version, err, s.Product, s.Version)
	}
	if got, want := s.String(), product+" "+version+" at "+s.Addr; got != want {
		t.Errorf("String = %q, want %q", got, want)
	}
	_, _, err = Describe(t.Context(), connect(t, "redis://:wrong@"+s.Addr))
	wantError(t, err, s.Addr, "WRONGPASS")
}

func TestTwoServersAtOnce(t *testing.T) {
	first, second := startServer(t), startServer(t)
	if first.Addr == second.Addr || first.password == second.password {
		t.Fatalf("not apart: %v and %v", first, second)
	}
	if err := connect(t, first.URL()).Set(t.Context(), "key", "value", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if n, err := connect(t, second.URL()).Exists(t.Context(), "key").Result(); err != nil || n != 0 {
		t.Errorf("a key of the first is in the second (%v)", err)
	}
}

func TestServerThatGoesAway(t *testing.T) {
	s := startServer(t)
	s.child.Kill()
	<-s.Done()
	wantError(t, s.Err(), s.Addr, "killed by SIGKILL", "Ready to accept connections")
	s.Close()
	wantError(t, s.Err(), "killed by SIGKILL")
}

func TestPortTakenBySomebodyElse(t *testing.T) {
	s := startServer(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0") // accepts, and never answers
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, err = startOn(t.Context(), Options{Binary: s.binary}, listener.Addr().(*net.TCPAddr).Port)
	if !errors.Is(err, errPortTaken) {
		t.Errorf("error = %v, want errPortTaken", err)
	}
}

func TestStartGivesUpAfterSomePorts(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	binary := script(t, "echo started >>"+log+"; echo bind: Address already in use; exit 1")
	_, err := Start(t.Context(), Options{Binary: binary})
	wantError(t, err, "taken by somebody else", binary)
	if tries, _ := os.ReadFile(log); strings.Count(string(tries), "started") != portTries {
		t.Errorf("tried %q, want %d times", tries, portTries)
	}
}

func TestServerThatEndsAtOnce(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       []string
	}{
		{"with a message", "echo no room >&2; exit 3", []string{"exit status 3", "no room"}},
		{"with many messages", "seq 1000000; exit 1", []string{"exit status 1", "999991\n", "1000000"}},
		{"silently", "exit 0", []string{"exit status 0", "printed nothing"}},
		{"leaving a process with its output", "sleep 1 & echo gone; exit 4", []string{"exit status 4", "gone"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Start(t.Context(), Options{Binary: script(t, test.body)})
			wantError(t, err, test.want...)
			if len(err.Error()) > 2*keptBytes {
				t.Errorf("error has %d bytes", len(err.Error()))
			}
		})
	}
}

func TestPasswordIsNotInErrors(t *testing.T) {
	_, err := Start(t.Context(), Options{Binary: script(t, "cat; exit 1")})
	wantError(t, err, "requirepass ***\n")
}

func TestWrapperScript(t *testing.T) {
	real := startServer(t).binary
	s, err := Start(t.Context(), Options{Binary: script(t, "exec "+real+` "$@"`)})
	if err != nil {
		t.Fatalf("one that execs the server: %v", err)
	}
	s.Close()
	pid := filepath.Join(t.TempDir(), "pid")
	_, err = Start(t.Context(), Options{Binary: script(t, "exec 3<&0; "+real+` "$@" <&3 & echo $! >`+pid+"; wait")})
	wantError(t, err, "it has to exec the server")
	var child int
	text, _ := os.ReadFile(pid)
	if _, err := fmt.Sscan(string(text), &child); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the server that the script started is gone", func() bool { return ended(child) })
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// ended tells whether a process that is not our child is gone, or a zombie that process 1 has not reaped.
func ended(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ")
}

func TestServerThatDoesNotAnswer(t *testing.T) {
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	s, err := launch(Options{Binary: script(t, "echo thinking; exec sleep 1000")}, port)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	wantError(t, s.awaitReady(t.Context(), 300*time.Millisecond), s.Addr, "within 300ms", "thinking")
}

func TestProgramThatCannotBeStarted(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "server")
	if err := os.WriteFile(binary, []byte("no program\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := Start(t.Context(), Options{Binary: binary})
	wantError(t, err, "start "+binary, "exec format error")
}

func TestContextEndsDuringStart(t *testing.T) {
	before := runtime.NumGoroutine()
	pid := filepath.Join(t.TempDir(), "pid")
	binary := script(t, "echo $$ >"+pid+"; exec sleep 1000")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for text := ""; !strings.HasSuffix(text, "\n"); time.Sleep(time.Millisecond) {
			data, _ := os.ReadFile(pid)
			text = string(data)
		}
		cancel()
	}()
	_, err := Start(ctx, Options{Binary: binary})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want the context's", err)
	}
	var child int
	text, _ := os.ReadFile(pid)
	if _, err := fmt.Sscan(string(text), &child); err != nil {
		t.Fatal(err)
	}
	if alive(child) {
		t.Errorf("process %d is left", child)
	}
	// One more may stay: the goroutine of package child that starts all children.
	eventually(t, "no goroutine left", func() bool { return runtime.NumGoroutine() <= before+1 })
}
