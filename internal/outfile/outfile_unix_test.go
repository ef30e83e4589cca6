//go:build unix

package outfile

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// TestWhatIsNoFile writes to pipes, and through symbolic links, which stay what they are.
func TestWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	put := func(name, content string) error {
		return Write(t.Context(), at(name), func(w io.Writer) error {
			_, err := io.WriteString(w, content)
			return err
		})
	}
	if err := syscall.Mkfifo(at("pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	read := make(chan string)
	go func() {
		data, _ := os.ReadFile(at("pipe"))
		read <- string(data)
	}()
	if err := put("pipe", "through a pipe"); err != nil {
		t.Fatal(err)
	}
	if got := <-read; got != "through a pipe" {
		t.Errorf("the pipe passed %q", got)
	}
	if info, err := os.Lstat(at("pipe")); err != nil || info.Mode().Type() != fs.ModeNamedPipe {
		t.Errorf("the pipe is %v, %v", info.Mode(), err)
	}

	if err := os.Mkdir(at("elsewhere"), 0o700); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": "elsewhere/target", "chain": "link", "loop": "loop"} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range []string{"link", "chain"} { // the first time there is no target
		content := fmt.Sprint("text ", i)
		if err := put(name, content); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(at("elsewhere/target")); err != nil || string(got) != content {
			t.Errorf("%s: the target holds %q, %v", name, got, err)
		}
		if info, err := os.Lstat(at(name)); err != nil || info.Mode().Type() != fs.ModeSymlink {
			t.Errorf("%s is not a symbolic link any more: %v", name, err)
		}
	}
	if err := put("loop", "x"); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Errorf("a link to itself: %v", err)
	}
	if err := put("elsewhere", "x"); err == nil || !strings.HasSuffix(err.Error(), "elsewhere: is a directory") {
		t.Errorf("a directory: %v", err)
	}
}

// TestDevices writes to a device that the test makes, where it may.
func TestDevices(t *testing.T) {
	path := filepath.Join(t.TempDir(), "null")
	if err := syscall.Mknod(path, syscall.S_IFCHR|0o600, 1<<8|3); err != nil {
		t.Skip("devices cannot be made here:", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Skip("devices cannot be used here:", err)
	}
	f.Close()
	err = Write(t.Context(), path, func(w io.Writer) error {
		_, err := io.WriteString(w, "x")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode().Type()&fs.ModeDevice == 0 {
		t.Errorf("the device is %v, %v", info.Mode(), err)
	}
}

// TestPipesTakeNoTurns: files are written a few at a time, but for pipes, which who has opened all may want to read in
// any order.
func TestPipesTakeNoTurns(t *testing.T) {
	dir := t.TempDir()
	most := atOnce + runtime.GOMAXPROCS(0)
	var files []File
	var now, peak atomic.Int32
	for i := range 4 * most {
		name := fmt.Sprint(i)
		if i < 2*most {
			if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
				t.Skip(err)
			}
		}
		files = append(files, File{Name: name, Write: func(_ context.Context, w io.Writer) error {
			if i >= 2*most {
				n := now.Add(1)
				defer now.Add(-1)
				for old := peak.Load(); old < n && !peak.CompareAndSwap(old, n); old = peak.Load() {
				}
				runtime.Gosched()
			}
			_, err := io.WriteString(w, strings.Repeat(name, 1<<20)) // more than a pipe holds
			return err
		}})
	}
	read := make(chan string)
	go func() {
		pipes := make([]*os.File, 2*most)
		for i := range pipes {
			pipes[i], _ = os.Open(filepath.Join(dir, fmt.Sprint(i)))
		}
		for _, p := range slices.Backward(pipes) {
			data, _ := io.ReadAll(p)
			p.Close()
			read <- string(data)
		}
	}()
	written := make(chan error, 1)
	go func() {
		_, err := Set(t.Context(), dir, files, nil, nil)
		written <- err
	}()
	for i := 2*most - 1; i >= 0; i-- {
		if got := <-read; got != strings.Repeat(fmt.Sprint(i), 1<<20) {
			t.Errorf("pipe %d passed %d bytes", i, len(got))
		}
	}
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	if p := int(peak.Load()); p > most {
		t.Errorf("%d files at a time", p)
	}
}

// TestLongPipesHoldNoTurn writes more pipes than files at a time, which are read only when a file has been written.
func TestLongPipesHoldNoTurn(t *testing.T) {
	dir := t.TempDir()
	var files []File
	for i := range 2 * (atOnce + runtime.GOMAXPROCS(0)) {
		name := fmt.Sprint("pipe", i)
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Skip(err)
		}
		f := text(name, name)
		f.Long = 1
		files = append(files, f)
	}
	written := make(chan struct{})
	files = append(files, File{Name: "file", Write: func(context.Context, io.Writer) error {
		close(written)
		return nil
	}})
	read := make(chan struct{})
	go func() {
		defer close(read)
		<-written
		for _, f := range files[:len(files)-1] {
			if got, err := os.ReadFile(filepath.Join(dir, f.Name)); err != nil || string(got) != f.Name {
				t.Errorf("%s: %q, %v", f.Name, got, err)
			}
		}
	}()
	if _, err := Set(t.Context(), dir, files, nil, nil); err != nil {
		t.Fatal(err)
	}
	<-read
}
