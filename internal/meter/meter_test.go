package meter

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// fake is a line with a clock that is set by hand.
func fake() (l *Line, out *bytes.Buffer, pass func(time.Duration)) {
	at := time.Unix(0, 0)
	out = &bytes.Buffer{}
	l = &Line{out: out, now: func() time.Time { return at }}
	return l, out, func(d time.Duration) { at = at.Add(d) }
}

// last is what the line shows.
func last(out *bytes.Buffer) string {
	lines := strings.Split(out.String(), "\r\x1b[K")
	return lines[len(lines)-1]
}

// A stage that has done a fifth in ten seconds has forty to go; nothing is said of the first two seconds.
func TestTimeLeft(t *testing.T) {
	l, out, pass := fake()
	for _, step := range []struct {
		after       time.Duration
		what        string
		done, total int
		want        string
	}{
		{0, "planning", 0, 1, "planning ..."},
		{time.Second, "simulating", 0, 50_000, "simulating ..."},
		{time.Second, "simulating", 1000, 50_000, "simulating: 1,000 of 50,000"},
		{9 * time.Second, "simulating", 10_000, 50_000, "simulating: 10,000 of 50,000, about 40 s left"},
		{time.Second / 20, "simulating", 10_100, 50_000, "simulating: 10,000 of 50,000, about 40 s left"}, // too soon
		{10 * time.Second, "simulating", 20_000, 60_000, "simulating: 20,000 of 60,000, about 40 s left"}, // more to do
		{time.Second, "simulating", 60_000, 60_000, "simulating: 60,000 of 60,000"},
		{time.Second, "waiting", 0, 4, "waiting ..."},
		{time.Minute, "waiting", 0, 4, "waiting ..."},
		{time.Minute, "waiting", 1, 4, "waiting: 1 of 4, about 6 min left"},
		{time.Minute, "cost 7, step", 5, 60, "cost 7, step: 5 of 60"},                          // another stage
		{time.Minute, "cost 6, step", 15, 60, "cost 6, step: 15 of 60, about 5 min left"},      // 10 a minute, 45 to go
		{time.Minute, "cost 6, step", 16, 60, "cost 6, step: 16 of 60, about 8 min left"},      // it slows down
		{time.Minute, "cost 5, step", 2, 60, "cost 5, step: 2 of 60"},                          // it begins anew
		{time.Minute, "cost 5, step", 3, 6000, "cost 5, step: 3 of 6,000, about 4 d 3 h left"}, // 5997 minutes
	} {
		pass(step.after)
		l.Stage(step.what, step.done, step.total)
		if got := last(out); got != step.want {
			t.Errorf("%s %d of %d shows %q, want %q", step.what, step.done, step.total, got, step.want)
		}
	}
	l.Clear()
	if last(out) != "" || !strings.HasSuffix(out.String(), "\r\x1b[K") {
		t.Errorf("cleared, it shows %q", last(out))
	}
}

// Whatever the stage, a line is no wider than a terminal and has no time left that is not above 0.
func TestLinesFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, out, pass := fake()
		for range rapid.IntRange(1, 20).Draw(t, "calls") {
			pass(time.Duration(rapid.Int64Range(0, 1e11).Draw(t, "ns")))
			l.Stage(rapid.StringMatching(`[a-zä ]{0,120}`).Draw(t, "what"), rapid.IntRange(-1, 1<<40).Draw(t, "done"),
				rapid.IntRange(0, 1<<40).Draw(t, "total"))
			if text := last(out); utf8.RuneCountInString(text) > columns || strings.Contains(text, "-1") ||
				strings.Contains(text, "about 0 s") {
				t.Fatalf("%q", text)
			}
		}
	})
}

func TestNoTerminal(t *testing.T) {
	var b bytes.Buffer
	l := New(&b)
	l.Stage("planning", 1, 2)
	l.Clear()
	f, err := os.Create(t.TempDir() + "/log")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l = New(f)
	l.Stage("planning", 1, 2)
	l.Clear()
	if info, err := f.Stat(); err != nil || info.Size() > 0 || b.Len() > 0 {
		t.Errorf("%q to a buffer, %v to a file", b.String(), info)
	}
}

func TestRough(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "1 s", time.Second: "1 s", 99 * time.Second: "99 s", 100 * time.Second: "2 min", 99 * time.Minute: "99 min",
		130 * time.Minute: "2 h 10 min", 123 * time.Hour: "5 d 3 h",
	} {
		if got := Rough(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
