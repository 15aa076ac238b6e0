package calibrate

import (
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"locklab/realrun/server"
)

// farAway starts a server and a proxy before it that delays everything on its way, and gives the proxy's URL.
func farAway(t *testing.T, there, back time.Duration) string {
	t.Helper()
	s, err := server.Start(t.Context(), server.Options{})
	if errors.Is(err, server.ErrNoServer) && os.Getenv("CI") == "" {
		t.Skip("needs a Redis server: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	target, err := net.ResolveTCPAddr("tcp", s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			store, err := net.DialTCP("tcp", nil, target)
			if err != nil {
				client.Close()
				return
			}
			go carry(store, client, there)
			go carry(client, store, back)
		}
	}()
	return strings.Replace(s.URL(), s.Addr, l.Addr().String(), 1)
}

// carry carries what comes from one connection to another, so much later, until one of them ends.
func carry(to io.WriteCloser, from io.ReadCloser, delay time.Duration) {
	type piece struct {
		data []byte
		due  time.Time
	}
	pieces := make(chan piece, 100)
	go func() {
		defer to.Close()
		for p := range pieces {
			time.Sleep(time.Until(p.due))
			if _, err := to.Write(p.data); err != nil {
				from.Close()
			}
		}
	}()
	defer close(pieces)
	for {
		data := make([]byte, 4096)
		n, err := from.Read(data)
		if err != nil {
			return
		}
		pieces <- piece{data[:n], time.Now().Add(delay)}
	}
}
