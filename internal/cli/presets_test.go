package cli

import (
	"bytes"
	"os"
	"testing"
)

// docs/presets.md is what the command that it names prints.
func TestPresetsPage(t *testing.T) {
	const page = "../../docs/presets.md"
	var out, errs bytes.Buffer
	if code := Main([]string{"scenarios", "presets", "--runs", "500"}, &out, &errs); code != exitOK {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	if *updateDocs {
		if err := os.WriteFile(page, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Errorf("docs/presets.md is not what the command prints; write it anew with -update-docs")
	}
}
