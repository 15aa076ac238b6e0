package server

import "testing"

func TestProductOf(t *testing.T) {
	for _, test := range []struct {
		fields           map[string]string
		product, version string
	}{
		{map[string]string{"redis_version": "7.0.15"}, "redis", "7.0.15"},
		{map[string]string{"redis_version": "7.2.4", "server_name": "valkey", "valkey_version": "8.1.1"}, "valkey", "8.1.1"},
	} {
		product, version, err := productOf(test.fields)
		if product != test.product || version != test.version || err != nil {
			t.Errorf("%v is %q %q (%v), want %q %q", test.fields, product, version, err, test.product, test.version)
		}
	}
	if _, _, err := productOf(map[string]string{"process_id": "1"}); err == nil {
		t.Error("no version at all: no error")
	}
}
