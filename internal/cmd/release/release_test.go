package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// TestArchivesAreTheSameTwice packs files that were written at different times.
func TestArchivesAreTheSameTwice(t *testing.T) {
	dir := t.TempDir()
	files := []file{
		{name: "LICENSE", path: filepath.Join(dir, "a")},
		{name: "plenum", path: filepath.Join(dir, "b"), executable: true},
	}
	for ending, pack := range map[string]func(string, string, []file) error{"tar.gz": tarGz, "zip": writeZIP} {
		var got [2][]byte
		for i := range got {
			for _, f := range files {
				if err := os.WriteFile(f.path, []byte(f.name), 0o600); err != nil {
					t.Fatal(err)
				}
				when := time.Unix(int64(1e9*(i+1)), 0)
				if err := os.Chtimes(f.path, when, when); err != nil {
					t.Fatal(err)
				}
			}
			path := filepath.Join(dir, "x."+ending)
			if err := pack(path, "plenum_1", files); err != nil {
				t.Fatal(err)
			}
			var err error
			if got[i], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(got[0], got[1]) {
			t.Errorf("%s: differs", ending)
		}
		want := "plenum_1/LICENSE -rw-r--r-- LICENSE\nplenum_1/plenum -rwxr-xr-x plenum\n"
		if text := listed(t, ending, got[0]); text != want {
			t.Errorf("%s holds\n%s", ending, text)
		}
	}
}

// listed reads an archive again.
func listed(t *testing.T, ending string, data []byte) string {
	t.Helper()
	var b strings.Builder
	if ending == "zip" {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString(f.Name + " " + f.Mode().String() + " " + string(text) + "\n")
		}
		return b.String()
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return b.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(h.Name + " " + h.FileInfo().Mode().String() + " " + string(text) + "\n")
	}
}

func TestBill(t *testing.T) {
	info := &buildinfo.BuildInfo{
		GoVersion: "go1.26.8", Main: debug.Module{Path: "github.com/plenum-planner/plenum"},
		Deps: []*debug.Module{{Path: "example.com/a", Version: "v1.2.3", Sum: "h1:AAAA"}},
	}
	b := billOf(info, "linux", "amd64")
	if len(b.Components) != 2 || b.Components[0].Version != "1.26.8" ||
		b.Components[1].URL != "pkg:golang/example.com/a@v1.2.3" || b.Components[1].Properties[0].Value != "h1:AAAA" {
		t.Errorf("%+v", b)
	}
}

func TestSums(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := sums(dir); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	const want = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  x\n"
	if err != nil || string(got) != want {
		t.Errorf("%q %v", got, err)
	}
}
