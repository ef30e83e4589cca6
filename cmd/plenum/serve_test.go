package main

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
)

// TestServe serves an example and a file until a signal, which ends it with status 0.
func TestServe(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "plenum") // what testscript.Main runs as the command
	if err := os.Symlink(self, program); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	ring := "name: Ring\ntopology: {family: torus, dims: 8}\n"
	if err := os.WriteFile(filepath.Join(dir, "ring.yaml"), []byte(ring), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		what   string
		signal os.Signal
	}{{"ring.yaml", syscall.SIGINT}, {"clex-4096", syscall.SIGTERM}} {
		cmd := exec.Command(program, "serve", tt.what, "--port", "0")
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		address := ""
		for lines := bufio.NewScanner(out); address == "" && lines.Scan(); {
			address = regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+/\?token=[0-9a-f]{32}$`).FindString(lines.Text())
		}
		r, err := http.Get(address)
		if err != nil {
			t.Error(err)
		} else {
			r.Body.Close()
			if r.StatusCode != http.StatusOK {
				t.Errorf("%s: %s", tt.what, r.Status)
			}
		}
		if err := cmd.Process.Signal(tt.signal); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s, ended by %v: %v", tt.what, tt.signal, err)
		}
	}
}
