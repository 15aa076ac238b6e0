package store_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"
	"testing"
)

// A connection speaks to a server without any client library in between: several requests, then their answers.
type connection struct {
	conn net.Conn
	in   *bufio.Reader
	out  []byte
}

// A refusal is an error that a server answers with.
type refusal string

// dial connects to the server at a URL as redis.ParseURL takes it.
func dial(t *testing.T, address string) *connection {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	c := &connection{conn: conn, in: bufio.NewReader(conn)}
	password, _ := u.User.Password()
	if answer := c.ask("AUTH", password); answer != "OK" {
		t.Fatalf("AUTH: %v", answer)
	}
	return c
}

// ask sends one request and reads its answer.
func (c *connection) ask(words ...any) any {
	c.put(words...)
	c.flush()
	return c.read()
}

// put adds a request to what flush sends.
func (c *connection) put(words ...any) {
	c.out = append(c.out, '*')
	c.out = strconv.AppendInt(c.out, int64(len(words)), 10)
	c.out = append(c.out, "\r\n"...)
	var text []byte
	for _, word := range words {
		text = appendWord(text[:0], word)
		c.out = append(c.out, '$')
		c.out = strconv.AppendInt(c.out, int64(len(text)), 10)
		c.out = append(c.out, "\r\n"...)
		c.out = append(append(c.out, text...), "\r\n"...)
	}
}

// appendWord writes a word as go-redis does.
func appendWord(b []byte, word any) []byte {
	switch w := word.(type) {
	case string:
		return append(b, w...)
	case bool:
		if w {
			return append(b, '1')
		}
		return append(b, '0')
	}
	return fmt.Append(b, word)
}

func (c *connection) flush() {
	if _, err := c.conn.Write(c.out); err != nil {
		panic(err)
	}
	c.out = c.out[:0]
}

// read is the next answer: a string, an int64, nil, a refusal, or a list of them.
func (c *connection) read() any {
	line, err := c.in.ReadString('\n')
	if err != nil {
		panic(err)
	}
	kind, rest := line[0], line[1:len(line)-2]
	switch kind {
	case '+':
		return rest
	case '-':
		return refusal(rest)
	}
	n, err := strconv.ParseInt(rest, 10, 64)
	switch {
	case err != nil:
		panic(err)
	case kind == ':':
		return n
	case n < 0:
		return nil
	case kind == '$':
		return c.text(int(n))
	}
	list := make([]any, n)
	for i := range list {
		list[i] = c.read()
	}
	return list
}

func (c *connection) text(n int) string {
	text := make([]byte, n+2)
	if _, err := io.ReadFull(c.in, text); err != nil {
		panic(err)
	}
	return string(text[:n])
}
