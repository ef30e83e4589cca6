package outfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// text is a file with a text.
func text(name, content string) File {
	return File{Name: name, Write: func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, content)
		return err
	}}
}

// contents reads every file below a directory.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var errFault = errors.New("input/output error")

// faulty has the n-th call fail, counted from 0, and says how many there were.
func faulty(n int) (*run, *int) {
	var count int
	fails := func() bool { count++; return count-1 == n }
	c := system
	return &run{sys: calls{
		mkdirAll: func(dir string) error {
			if fails() {
				return errFault
			}
			return c.mkdirAll(dir)
		},
		create: func(final string) (*os.File, error) {
			if fails() {
				return nil, errFault
			}
			return c.create(final)
		},
		open: c.open,
		write: func(f *os.File, p []byte) (int, error) {
			if fails() {
				n, _ := c.write(f, p[:len(p)/2])
				return n, errFault
			}
			return c.write(f, p)
		},
		start: func(f *os.File, from, to int64) error {
			if fails() {
				return errFault
			}
			return c.start(f, from, to)
		},
		settle: func(f *os.File, from, to int64) error {
			if fails() {
				return errFault
			}
			return c.settle(f, from, to)
		},
		sync: func(f *os.File) error {
			if fails() {
				return errFault
			}
			return c.sync(f)
		},
		rename: func(from, to string) error {
			if fails() {
				return errFault
			}
			return c.rename(from, to)
		},
		link:   c.link,
		remove: c.remove, // what clears up is not to fail as well
		syncDir: func(dir string) error {
			if fails() {
				return errFault
			}
			return c.syncDir(dir)
		},
	}}, &count
}

// TestLargeFile writes more than is kept in memory: every call on the way may fail, none is left out, and the file is
// whole.
func TestLargeFile(t *testing.T) {
	const size = kept + 3*stretch + 1000
	piece := []byte(strings.Repeat("0123456789abcdef", 1<<12))
	large := File{Name: "large", Write: func(_ context.Context, w io.Writer) error {
		for n := 0; n < size; n += len(piece) {
			if _, err := w.Write(piece[:min(len(piece), size-n)]); err != nil {
				return err
			}
		}
		return nil
	}}
	var started, settled int64
	c := system
	c.start = func(f *os.File, from, to int64) error {
		if from != started || to-from < stretch {
			t.Errorf("from %d to %d after %d", from, to, started)
		}
		started = to
		return system.start(f, from, to)
	}
	c.settle = func(f *os.File, from, to int64) error {
		if from != settled || to > started || started-to < kept-stretch {
			t.Errorf("from %d to %d after %d, of %d", from, to, settled, started)
		}
		settled = to
		return system.settle(f, from, to)
	}
	dir := t.TempDir()
	if _, err := (&run{sys: c}).set(t.Context(), dir, []File{large}, nil, &Manifest{Plan: "1"}); err != nil {
		t.Fatal(err)
	}
	if settled != 3*stretch || started < settled+kept {
		t.Errorf("%d and %d of %d bytes are at the disk", settled, started, size)
	}
	if info, err := os.Stat(filepath.Join(dir, "large")); err != nil || info.Size() != size {
		t.Errorf("%v, %v", info, err)
	}
	if checked, err := Check(t.Context(), dir); err != nil || !checked.OK {
		t.Errorf("%+v, %v", checked, err)
	}
	for _, fault := range []func(c *calls){
		func(c *calls) { c.start = func(*os.File, int64, int64) error { return errFault } },
		func(c *calls) { c.settle = func(*os.File, int64, int64) error { return errFault } },
	} {
		c := system
		fault(&c)
		dir := t.TempDir()
		if _, err := (&run{sys: c}).set(t.Context(), dir, []File{large}, nil, nil); !errors.Is(err, errFault) {
			t.Errorf("%v", err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%v is left, %v", left, err)
		}
	}
}

// TestLongFilesFirst lists as many long files as are written at a time behind short ones: none of these comes before.
func TestLongFilesFirst(t *testing.T) {
	var mu sync.Mutex
	var begun []string
	file := func(name string, long int) File {
		return File{Name: name, Long: long, Write: func(context.Context, io.Writer) error {
			mu.Lock()
			defer mu.Unlock()
			begun = append(begun, strings.TrimRight(name, "0123456789"))
			return nil
		}}
	}
	turns := atOnce + runtime.GOMAXPROCS(0)
	var files []File
	for i := range 10 {
		files = append(files, file(fmt.Sprint("short", i), 1))
	}
	for i := range turns {
		files = append(files, file(fmt.Sprint("long", i), 2))
	}
	if _, err := Set(t.Context(), t.TempDir(), files, nil, nil); err != nil {
		t.Fatal(err)
	}
	if len(begun) != len(files) || begun[0] != "long" {
		t.Errorf("begun: %v", begun)
	}
}

// TestReady has a file wait for another, which is written meanwhile although it comes later, takes less time and waits
// behind more files than are written at a time.
func TestReady(t *testing.T) {
	ready := make(chan struct{})
	var files []File
	for i := range 1 + 2*(atOnce+runtime.GOMAXPROCS(0)) {
		f := text(fmt.Sprint("later", i), "later")
		f.Long, f.Ready = 1, ready
		files = append(files, f)
	}
	for i := range 2 * (atOnce + runtime.GOMAXPROCS(0)) {
		files = append(files, text(fmt.Sprint("now", i), "now"))
	}
	files = append(files, File{Name: "last", Write: func(context.Context, io.Writer) error {
		close(ready)
		return nil
	}})
	dir := t.TempDir()
	if _, err := Set(t.Context(), dir, files, nil, nil); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, dir); len(got) != len(files) || got["later0"] != "later" {
		t.Errorf("%v", got)
	}
}

// TestNothingIsLeft ends a set that waits: neither files nor the directories that it made stay, and others do.
func TestNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	f := text("sub/b", "b")
	f.Ready = make(chan struct{})
	var files []File
	for i := range 2 * (atOnce + runtime.GOMAXPROCS(0)) {
		files = append(files, f)
		files[i].Name += fmt.Sprint(i)
	}
	files = append(files, File{Name: "inputs/a", Write: func(context.Context, io.Writer) error {
		cancel()
		return nil
	}})
	if _, err := Set(ctx, filepath.Join(dir, "x", "y"), files, nil, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	// What was there, empty or not, stays.
	for _, folder := range []string{"x/inputs", "y"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	failing := File{Name: "inputs/deep/a", Write: func(context.Context, io.Writer) error { return errFault }}
	for _, folder := range []string{"x", "y"} {
		_, err := Set(t.Context(), filepath.Join(dir, folder), []File{failing}, nil, nil)
		if !errors.Is(err, errFault) {
			t.Error(err)
		}
	}
	for folder, want := range map[string]int{"": 2, "x": 1, "x/inputs": 0, "y": 0} {
		if left, err := os.ReadDir(filepath.Join(dir, folder)); err != nil || len(left) != want {
			t.Errorf("%q: %v is left, %v", folder, left, err)
		}
	}
}

// TestEveryFault has every call to the operating system fail once: each file is the old one or the new one, none is
// left over, and what is mixed does not pass for one plan.
func TestEveryFault(t *testing.T) {
	// Two sets of one file each, whose calls come in one order.
	old := []File{text("a", "old a"), text("sub/b", "old b")}
	young := []File{text("a", "new a, longer"), text("sub/b", "new b, longer")}
	outcomes := map[string]int{}
	for n := 0; ; n++ {
		dir := t.TempDir()
		if _, err := Set(t.Context(), dir, old, nil, &Manifest{Plan: "1"}); err != nil {
			t.Fatal(err)
		}
		r, count := faulty(n)
		serial := make([]File, len(young))
		copy(serial, young)
		_, err := r.set(t.Context(), dir, serial[:1], nil, &Manifest{Plan: "2"})
		if err == nil {
			_, err = r.set(t.Context(), dir, serial[1:], nil, &Manifest{Plan: "2"})
		}
		got := contents(t, dir)
		whole := 0
		for i, f := range []string{"a", "sub/b"} {
			switch content := got[f]; content {
			case fmt.Sprintf("old %c", 'a'+i):
			case fmt.Sprintf("new %c, longer", 'a'+i):
				whole++
			default:
				t.Errorf("fault %d: %s holds %q", n, f, content)
			}
		}
		if len(got) != 3 {
			t.Errorf("fault %d leaves %v", n, got)
		}
		checked, bad := Check(t.Context(), dir)
		if bad != nil {
			t.Fatal(bad)
		}
		if whole == 1 && checked.OK {
			t.Errorf("fault %d: a mixture passes for one plan", n)
		}
		if err == nil {
			if n < *count || whole != 2 || !checked.OK {
				t.Errorf("no fault, but %d files are new, %+v", whole, checked)
			}
			break
		}
		if !errors.Is(err, errFault) {
			t.Errorf("fault %d: %v", n, err)
		}
		outcomes[fmt.Sprint(whole)]++
	}
	for _, whole := range []string{"0", "1"} {
		if outcomes[whole] == 0 {
			t.Errorf("no fault left %s new files: %v", whole, outcomes)
		}
	}
}

func TestFailsWhole(t *testing.T) {
	full := errors.New("no space left on device")
	half := File{Name: "b", Write: func(_ context.Context, w io.Writer) error {
		if _, err := io.WriteString(w, strings.Repeat("half of", 1<<17)); err != nil {
			return err
		}
		return full
	}}
	ctx, cancel := context.WithCancel(t.Context())
	ended := File{Name: "b", Write: func(ctx context.Context, w io.Writer) error {
		cancel()
		_, err := io.WriteString(w, strings.Repeat("half of", 1<<17))
		return err
	}}
	fault := File{Name: "b", Write: func(context.Context, io.Writer) error { panic("a fault") }}
	for _, tt := range []struct {
		ctx  context.Context
		file File
		want string
	}{
		{t.Context(), half, filepath.Join("DIR", "b") + ": no space left on device"},
		{ctx, ended, "context canceled"},
		{t.Context(), fault, filepath.Join("DIR", "b") + ": panic: a fault"},
	} {
		dir := t.TempDir()
		if _, err := Set(t.Context(), dir, []File{text("a", "old"), text("b", "old")}, nil, nil); err != nil {
			t.Fatal(err)
		}
		_, err := Set(tt.ctx, dir, []File{text("a", "new"), tt.file}, []string{"a"}, nil)
		if err == nil || !strings.HasPrefix(strings.ReplaceAll(err.Error(), dir, "DIR"), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
		if diff := cmp.Diff(map[string]string{"a": "old", "b": "old"}, contents(t, dir)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestModesStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	for _, mode := range []fs.FileMode{0o600, 0o640, 0o444} {
		os.Remove(path)
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if err := Write(t.Context(), path, func(io.Writer) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != mode || info.Size() != 0 {
			t.Errorf("%v became %v, %v", mode, info.Mode(), err)
		}
	}
}

func TestNew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	put := func(content string) error {
		return New(t.Context(), path, []byte(content))
	}
	if err := put("first"); err != nil {
		t.Fatal(err)
	}
	if err := put("second"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the second: %v", err)
	}
	if diff := cmp.Diff(map[string]string{"x": "first"}, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// TestRename gives a file another name, but not that of another file.
func TestRename(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"a", "b"} {
		if err := New(t.Context(), at(name), []byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := Rename(at("a"), at("b")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the name of another file: %v", err)
	}
	if err := Rename(at("x"), at("y")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := Rename(at("a"), at("c")); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"b": "b", "c": "a"}, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// TestLeftovers clears the temporary files of processes that have ended, and no others.
func TestLeftovers(t *testing.T) {
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	names := map[string]bool{ // whether it is cleared
		fmt.Sprintf(".a.%s-%d-0.tmp", host, ended.Process.Pid):      true,
		fmt.Sprintf(".a.%s-%d-0.tmp", host, os.Getppid()):           false,
		fmt.Sprintf(".a.other%s-%d-0.tmp", host, ended.Process.Pid): false,
		fmt.Sprintf(".b.%s-%d-0.tmp", host, ended.Process.Pid):      false,
		".a.tmp": false,
	}
	for name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Set(t.Context(), dir, []File{text("a", "new")}, nil, nil); err != nil {
		t.Fatal(err)
	}
	got := contents(t, dir)
	for name, cleared := range names {
		if _, there := got[name]; there == cleared {
			t.Errorf("%s is there: %v", name, there)
		}
	}
}

func TestManifest(t *testing.T) {
	dir := t.TempDir()
	all := []File{
		text("plan.json", "{}"), text("floor.png", "picture"), text("bom.csv", "bill"), text("inputs/x", "in"),
	}
	if _, err := Set(t.Context(), dir, all, nil, &Manifest{Machine: "m", Plan: "1"}); err != nil {
		t.Fatal(err)
	}
	check := func(want ...Difference) {
		t.Helper()
		c, err := Check(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(append([]Difference{}, want...), c.Differences); diff != "" || c.OK != (len(want) == 0) {
			t.Error(c.OK, diff)
		}
	}
	check()
	if err := Verify(filepath.Join(dir, "plan.json"), []byte("{}")); err != nil {
		t.Error(err)
	}
	if err := Verify(filepath.Join(dir, "plan.json"), []byte("{ }")); err == nil {
		t.Error("other bytes pass")
	}
	if err := Verify(filepath.Join(dir, "other.json"), []byte("{ }")); err != nil {
		t.Error(err)
	}
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("floor.png", "pictura")
	write("bom.csv", "bil")
	if err := os.Remove(filepath.Join(dir, "inputs", "x")); err != nil {
		t.Fatal(err)
	}
	check(Difference{"bom.csv", Changed, "has 3 bytes instead of 4"},
		Difference{"floor.png", Changed, "has other bytes than those that were written"},
		Difference{"inputs/x", Missing, "is not there"})
	// A later plan of some files leaves the entries of the others.
	some := []File{text("plan.json", "[]"), text("bom.csv", "new")}
	if _, err := Set(t.Context(), dir, some, []string{"inputs/x"}, &Manifest{Machine: "m", Plan: "2"}); err != nil {
		t.Fatal(err)
	}
	write("floor.png", "picture")
	check(Difference{"floor.png", OtherPlan, "was written with another plan than that of the manifest"})

	write(ManifestName, `{"version": 1, "files": [{"name": "../x"}]}`)
	if _, err := Check(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "not in its directory") {
		t.Error(err)
	}
	write(ManifestName, `{"version": 2}`)
	if _, err := Check(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Error(err)
	}
	write(ManifestName, `{`)
	if _, err := Check(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "not a manifest") {
		t.Error(err)
	}
}

// Of many files, no more are open at a time than are written, so that none is refused for want of a number.
func TestManyFilesAreOpenOneAfterTheOther(t *testing.T) {
	var open, most atomic.Int64
	sys := system
	sys.create = func(final string) (*os.File, error) {
		for n := open.Add(1); ; {
			if m := most.Load(); n <= m || most.CompareAndSwap(m, n) {
				return system.create(final)
			}
		}
	}
	sys.sync = func(f *os.File) error {
		open.Add(-1)
		return nil
	}
	var files []File
	for i := range 300 {
		files = append(files, File{Name: fmt.Sprint(i), Write: func(_ context.Context, w io.Writer) error {
			_, err := io.WriteString(w, "x")
			return err
		}})
	}
	if _, err := (&run{sys: sys}).set(t.Context(), t.TempDir(), files, nil, nil); err != nil {
		t.Fatal(err)
	}
	if n := int(most.Load()); n > atOnce+runtime.GOMAXPROCS(0) {
		t.Errorf("%d files are open at once", n)
	}
}
