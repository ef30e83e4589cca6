package infile

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInside holds paths against a directory with a file, a directory and links.
func TestInside(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{dir + "/a": "in", dir + "/sub/b": "deep", outside + "/c": "out"} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"in": "a", "out": outside + "/c", "away": outside, "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for path, want := range map[string]string{ // text, or a part of the error
		"a": "in", "sub/b": "deep", "sub/../a": "in", "in": "in", "./a": "in",
		"out": "escapes", "away/c": "escapes", "loop": "cannot be read", "a\x00": "cannot be read",
		"../a": "is not below the directory", "sub/../../a": "is not below the directory",
		"": "is not below the directory", dir + "/a": "is an absolute path", outside + "/c": "is an absolute path",
		os.DevNull: "is an absolute path", "none": "no such file",
	} {
		f, err := within(root, path)
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v", path, err)
			}
			if is := errors.Is(err, fs.ErrNotExist); is != (path == "none") {
				t.Errorf("%q does not exist: %v", path, is)
			}
			continue
		}
		text, err := io.ReadAll(f)
		if f.Close(); err != nil || string(text) != want {
			t.Errorf("%q has %q, want %q (%v)", path, text, want, err)
		}
	}
	if info, err := Inside(root, "sub"); err != nil || !info.IsDir() {
		t.Error(info, err)
	}
}

// After an interrupt no file is read any more, however it is read.
func TestInterrupt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(f *File) error{
		"read": func(f *File) error { _, err := f.Read(make([]byte, 1)); return err },
		"all":  func(f *File) error { _, err := io.ReadAll(f); return err },
		"copy": func(f *File) error { _, err := io.Copy(io.Discard, f); return err },
	} {
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := read(f); err != nil || WasInterrupted() {
			t.Error(name, err)
		}
		Interrupt()
		if err := read(f); !errors.Is(err, context.Canceled) || !WasInterrupted() {
			t.Error(name, "after an interrupt:", err)
		}
		interrupted.Store(false)
		ended.Store(false)
		f.Close()
	}
}
