package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/asbuilt/verify"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/machine"
)

// planned is a small plan with its links as a table.
func planned(t *testing.T) (p *verify.Plan, rows []string) {
	t.Helper()
	s, err := machine.Parse("m.yaml", []byte("topology: {family: fat-tree, radix: 8, nodes: 24}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if p, err = verify.NewPlan(r, ""); err != nil {
		t.Fatal(err)
	}
	w, err := exchange.PlannedWiring(r, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range w.Links {
		a, b := w.Boxes[l.A.Box].Name, w.Boxes[l.B.Box].Name
		rows = append(rows, fmt.Sprintf("%s,%s,%s,%s", a, l.A.Port, b, l.B.Port))
	}
	return p, rows
}

const header = "a_device,a_port,b_device,b_port"

// site is a directory into which a test writes.
type site struct {
	t *testing.T
	p *verify.Plan
	*Dir
}

func newSite(t *testing.T, p *verify.Plan) *site {
	t.Helper()
	d, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &site{t, p, d}
}

// write writes a file. No two of one name have the same size, as the clock of a file system may be coarse.
func (s *site) write(name string, lines ...string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.path, name), []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) remove(name string) {
	s.t.Helper()
	if err := os.Remove(filepath.Join(s.path, name)); err != nil {
		s.t.Fatal(err)
	}
}

// look looks once, and says what is known then if anything has changed; else nothing.
func (s *site) look() string {
	s.t.Helper()
	changed, err := s.Look()
	if err != nil {
		s.t.Fatal(err)
	}
	if !changed {
		return ""
	}
	var waiting []string
	for _, w := range s.Waiting() {
		waiting = append(waiting, w.Name)
	}
	r := s.p.Compare(s.Sources())
	return fmt.Sprintf("%d right, %d differences, %d unknown; waiting: %s", r.Right, len(r.Differences), r.Unknown,
		strings.Join(waiting, " "))
}

// expect looks as often as there are answers.
func (s *site) expect(answers ...string) {
	s.t.Helper()
	for i, want := range answers {
		if got := s.look(); got != want {
			s.t.Errorf("look %d: %q, expected %q", i+1, got, want)
		}
	}
}

// TestWholeFiles: files count when they are whole, one that is being written or is broken waits while what it said
// before holds, and one that is taken away is gone.
func TestWholeFiles(t *testing.T) {
	p, rows := planned(t)
	s := newSite(t, p)
	s.expect("", "")
	s.write(".hidden.csv", header, rows[0])
	s.write("copying.csv.part", header, rows[0])
	if err := os.Mkdir(filepath.Join(s.path, "old"), 0o777); err != nil {
		t.Fatal(err)
	}
	s.expect("", "", "")

	// A leaf grows from look to look, and counts at the second that finds it the same.
	s.write("leaf-1.csv", header, rows[0])
	s.expect("")
	s.write("leaf-1.csv", header, rows[0], rows[1])
	s.expect("")
	s.write("leaf-1.csv", header, rows[0], rows[1], rows[2], "")
	s.expect("", "3 right, 5 differences, 40 unknown; waiting: ", "", "")

	// Broken ones wait, and what was there before holds.
	s.write("leaf-1.csv", header, rows[0], rows[1], "LF1,")
	s.write("notes.txt", "what is this")
	s.expect("", "3 right, 5 differences, 40 unknown; waiting: leaf-1.csv notes.txt", "")
	s.write("leaf-1.csv", append([]string{header}, rows[:4]...)...)
	s.expect("", "4 right, 4 differences, 40 unknown; waiting: notes.txt", "")
	s.remove("notes.txt")
	s.expect("4 right, 4 differences, 40 unknown; waiting: ", "")
	s.remove("leaf-1.csv")
	s.expect("0 right, 0 differences, 48 unknown; waiting: ", "")
}

// following follows a directory with ticks of the test's.
func following(ctx context.Context, s *site, ticks chan time.Time) (shown *int, ended chan *verify.Result) {
	shown, ended = new(int), make(chan *verify.Result, 1)
	go func() {
		r, err := Follow(ctx, s.p, s.Dir, nil, ticks, 0, func(*verify.Result, *Dir) error {
			*shown++
			return nil
		})
		if err != nil {
			s.t.Error(err)
		}
		ended <- r
	}()
	return shown, ended
}

// TestFollow ends when all is right, and shows what has changed and no more.
func TestFollow(t *testing.T) {
	p, rows := planned(t)
	s := newSite(t, p)
	s.write("some.csv", header, rows[0])
	ticks := make(chan time.Time)
	shown, ended := following(t.Context(), s, ticks)
	for range 5 {
		ticks <- time.Time{}
	}
	s.write("all.csv", append([]string{header}, rows...)...)
	for done := false; !done; {
		select {
		case ticks <- time.Time{}:
		case r := <-ended:
			if done = true; !r.OK || r.Right != 48 {
				t.Errorf("%+v", r)
			}
		}
	}
	if *shown != 3 {
		t.Errorf("shown %d times: at first, and after each of two files are 3", *shown)
	}
}

// TestFollowIsInterrupted: a context that ends is not an error, and neither are ticks that do; the last result is
// reported.
func TestFollowIsInterrupted(t *testing.T) {
	p, rows := planned(t)
	for _, interrupted := range []bool{false, true} {
		s := newSite(t, p)
		s.write("some.csv", header, rows[0], "")
		ctx, cancel := context.WithCancel(t.Context())
		ticks := make(chan time.Time)
		_, ended := following(ctx, s, ticks)
		for range 3 {
			ticks <- time.Time{}
		}
		if interrupted {
			cancel()
		} else {
			close(ticks)
		}
		if r := <-ended; r == nil || r.OK || r.Right != 1 {
			t.Errorf("%+v", r)
		}
		cancel()
	}
}

// TestWhatIsNoDirectory refuses to watch what is none.
func TestWhatIsNoDirectory(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if _, err := Open(name); err == nil {
		t.Error("a directory that is not there")
	}
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(name); err == nil {
		t.Error("a file")
	}
}
