package scenarios

import "testing"

// What a lock is whose waiters are told of releases, as it is written and after it was scaled.
func TestWake(t *testing.T) {
	for in, want := range map[string][2]string{
		"{wake: none}":    {"{every: 25ms}", "{every: 2500us}"},
		"{wake: publish}": {"{wake: publish}", "{wake: publish}"},
		"{wake: publish, lost: 0.01, longest: 3s, tries: 9}": {
			"{wake: publish, lost: 0.01, tries: 9, longest: 3s}", "{wake: publish, lost: 0.01, tries: 9, longest: 300ms}",
		},
		"{wake: fifo}":                       {"{wake: fifo}", "{wake: fifo, queue_timeout: 30s}"},
		"{queue_timeout: 3000s, wake: fifo}": {"{wake: fifo, queue_timeout: 3000s}", "{wake: fifo}"},
		"{wake: fifo, queue_timeout: 1004ms}": {
			"{wake: fifo, queue_timeout: 1004ms}", "{wake: fifo, queue_timeout: 100ms}",
		},
	} {
		s, err := Parse("x.yaml", []byte(rest+"lock: {kind: single, ttl: 1s, retry: "+in+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		scaled, err := Scaled(s, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range []*Scenario{s, scaled} {
			if got := lockNode(&s.Lock).get("retry"); string(printTree(mapping().with("retry", got))) != "retry: "+want[i]+"\n" {
				t.Errorf("%s: got %s, want %s", in, printTree(mapping().with("retry", got)), want[i])
			}
		}
	}
}
