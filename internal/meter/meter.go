// Package meter shows on one line of a terminal what is being done, how far it is, and how long it is likely to take.
// Where the output is not a terminal, it shows nothing.
package meter

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/plenum-planner/plenum/internal/english"
)

const (
	columns = 79                     // of the line: those of the narrowest usual terminal, less one
	redraw  = 100 * time.Millisecond // the least time from one drawing of a stage to the next
	patient = 2 * time.Second        // how long a stage runs before the rest of it is estimated
)

// Line is the line. A stage begins where Stage is given another one or a count that does not go on, and is expected to
// go on as fast as it did since it began.
type Line struct {
	out io.Writer        // nil for none
	now func() time.Time // the clock

	lock  sync.Mutex
	shown bool
	stage
	drawn time.Time
}

// stage is what is being done.
type stage struct {
	what        string
	done, total int
	from        int // what was done when it began
	since       time.Time
}

// New is a line on a terminal; of any other output nothing is shown.
func New(w io.Writer) *Line {
	l := &Line{now: time.Now}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			l.out = w
		}
	}
	return l
}

// Stage says what is being done, and how much of it is done. A total of 0, or nothing done, shows no numbers.
func (l *Line) Stage(what string, done, total int) {
	if l.out == nil {
		return
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	now := l.now()
	begins := !l.shown || done < l.done || what != l.what && (done <= 0 || total != l.total)
	if begins {
		l.from, l.since = max(done, 0), now
	}
	l.what, l.done, l.total = what, done, total
	if !begins && now.Sub(l.drawn) < redraw && done < total {
		return
	}
	l.shown, l.drawn = true, now
	fmt.Fprintf(l.out, "\r\x1b[K%s", l.text(now))
}

// text is the line, no wider than terminals are: what is being done gives way to the numbers.
func (s *stage) text(now time.Time) string {
	numbers := " ..."
	if s.done > 0 {
		numbers = ": " + english.Grouped(int64(s.done)) + " of " + english.Grouped(int64(s.total))
		if left, ok := s.timeLeft(now); ok {
			numbers += ", about " + Rough(left) + " left"
		}
	}
	what := []rune(s.what)
	if most := columns - utf8.RuneCountInString(numbers); len(what) > most {
		what = append(what[:max(most-3, 0)], []rune("...")...)
	}
	return string(what) + numbers
}

// timeLeft returns the time that the rest of a stage takes, if it goes on as it did; not ok as long as nobody can tell.
func (s *stage) timeLeft(now time.Time) (time.Duration, bool) {
	gone := now.Sub(s.since)
	if gone < patient || s.done <= s.from || s.done >= s.total {
		return 0, false
	}
	return time.Duration(float64(gone) / float64(s.done-s.from) * float64(s.total-s.done)), true
}

// Clear takes the line away.
func (l *Line) Clear() {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.shown {
		fmt.Fprint(l.out, "\r\x1b[K")
	}
	l.shown = false
}

// Rough is a time in one or two units: 40 s, 3 min, 2 h 10 min, 5 d 3 h.
func Rough(t time.Duration) string {
	seconds := int64((t + time.Second/2) / time.Second)
	switch minutes := (seconds + 30) / 60; {
	case seconds < 100:
		return fmt.Sprintf("%d s", max(seconds, 1))
	case minutes < 100:
		return fmt.Sprintf("%d min", minutes)
	case minutes < 48*60:
		return fmt.Sprintf("%d h %d min", minutes/60, minutes%60)
	default:
		return fmt.Sprintf("%d d %d h", minutes/60/24, minutes/60%24)
	}
}
