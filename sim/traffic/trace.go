package traffic

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
)

// Trace is a list of messages read from a file. docs/traffic.md describes the
// format. Replay plays it.
type Trace struct {
	tasks int32
	// Message i goes from src[i] to dst[i].
	src, dst, bytes []int32
	delay           []int64 // from the start, or from the last cause
	causes          []int32 // number of causes of each message
	// Messages that wait for message i are effects[first[i]:first[i+1]].
	first   []int64
	effects []int32
}

// Tasks is the number of ranks.
func (t *Trace) Tasks() int { return int(t.tasks) }

// Messages is the number of messages.
func (t *Trace) Messages() int { return len(t.src) }

// maxTraceErrors is how many mistakes ReadTrace reports.
const maxTraceErrors = 20

// ReadTrace reads a trace: one message a line, of four fields, the sending rank,
// the start, the receiving rank and the length in bytes. The start is a cycle
// ("1200"), or the numbers of messages that must have been delivered, counted from
// 0 in the order of the file, and a number of cycles after that ("@3", "@3&7",
// "@3&7+250"). A message waits only for messages that its rank sends or receives,
// since a rank knows of no others. A line "tasks N" gives the number of ranks,
// which is otherwise that of the highest rank plus one. What follows a # is a
// comment.
//
// The error is a diag.List of up to 20 mistakes.
func ReadTrace(r io.Reader, name string) (*Trace, error) {
	t := &traceReader{name: name}
	lines := bufio.NewScanner(csvtable.Text(name, r))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() && len(t.found) < maxTraceErrors {
		t.line++
		text, _, _ := strings.Cut(lines.Text(), "#")
		if fields := strings.Fields(text); len(fields) > 0 {
			t.read(fields)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		t.line++
		t.mistake("the line is longer than 1 MiB")
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(t.found) == 0 {
		t.finish()
	}
	if err := t.found.Err(); err != nil {
		return nil, err
	}
	return &t.Trace, nil
}

type traceReader struct {
	Trace
	name  string
	line  int
	found diag.List
	given int32   // ranks by a line "tasks N", or 0
	lines []int32 // line of each message
	// cause[firstCause[i]:firstCause[i+1]] are the causes of message i.
	cause      []int32
	firstCause []int64
}

func (t *traceReader) mistake(format string, args ...any) {
	t.mistakeAt(t.line, format, args...)
}

func (t *traceReader) mistakeAt(line int, format string, args ...any) {
	if len(t.found) < maxTraceErrors {
		t.found.Addf(diag.Position{File: t.name, Line: line}, format, args...)
	}
}

// read takes the fields of a line, at least one: a message, or the number of tasks.
func (t *traceReader) read(fields []string) {
	if fields[0] == "tasks" {
		n, ok := t.number(fields[len(fields)-1], "the number of tasks", 1)
		switch {
		case len(fields) != 2:
			t.mistake("expected: tasks N")
		case t.given != 0:
			t.mistake("the number of tasks is given twice")
		case ok:
			t.given = n
		}
		return
	}
	if len(fields) != 4 {
		t.mistake("expected rank, start, destination and bytes, found %d fields", len(fields))
		return
	}
	if len(t.src) == math.MaxInt32 {
		t.mistake("the trace has more than %d messages", math.MaxInt32)
		return
	}
	src, ok1 := t.number(fields[0], "the rank", 0)
	causes, delay, ok2 := t.start(fields[1])
	dst, ok3 := t.number(fields[2], "the destination", 0)
	bytes, ok4 := t.number(fields[3], "the number of bytes", 1)
	if !(ok1 && ok2 && ok3 && ok4) {
		return
	}
	if src == dst {
		t.mistake("rank %d sends to itself", src)
	}
	t.src, t.dst, t.bytes = append(t.src, src), append(t.dst, dst), append(t.bytes, bytes)
	t.delay = append(t.delay, delay)
	t.lines = append(t.lines, int32(min(t.line, math.MaxInt32)))
	t.firstCause = append(t.firstCause, int64(len(t.cause)))
	t.cause = append(t.cause, causes...)
	t.tasks = max(t.tasks, src+1, dst+1)
}

func (t *traceReader) number(text, what string, least int32) (int32, bool) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < int64(least) || n == math.MaxInt32 {
		t.mistake("%s must be from %d to %d, not %q", what, least, math.MaxInt32-1, text)
		return 0, false
	}
	return int32(n), true
}

const startForms = "the start must be a cycle like 1200 or messages like @3, @3&7 or @3&7+250, not %q"

// start reads a cycle, or causes and a delay.
func (t *traceReader) start(text string) (causes []int32, delay int64, ok bool) {
	after, cycles, delayed := strings.Cut(text, "+")
	numbers, waits := strings.CutPrefix(after, "@")
	switch {
	case waits:
		for number := range strings.SplitSeq(numbers, "&") {
			n, ok := t.number(number, "the number of a message", 0)
			if !ok {
				return nil, 0, false
			}
			causes = append(causes, n)
		}
		if !delayed {
			return causes, 0, true
		}
	case delayed:
		t.mistake(startForms, text)
		return nil, 0, false
	default:
		cycles = text
	}
	delay, err := strconv.ParseInt(cycles, 10, 64)
	if err != nil || delay < 0 || delay > maxDelay {
		t.mistake(startForms, text)
		return nil, 0, false
	}
	return causes, delay, true
}

// maxDelay keeps sums of delays from overflowing.
const maxDelay = 1 << 40

// finish checks what a line alone cannot tell, and turns causes into effects.
func (t *traceReader) finish() {
	n := len(t.src)
	if t.given != 0 {
		for i := range n {
			if high := max(t.src[i], t.dst[i]); high >= t.given {
				t.mistakeAt(int(t.lines[i]), "there is no rank %d: the trace has %d tasks", high, t.given)
			}
		}
		t.tasks = t.given
	}
	if n == 0 {
		t.mistakeAt(max(t.line, 1), "the trace has no messages")
	}
	t.checkCauses()
	if len(t.found) > 0 {
		return
	}
	t.causes = make([]int32, n)
	t.first = make([]int64, n+1)
	for i := range n {
		for _, c := range t.causesOf(i) {
			t.causes[i]++
			t.first[c+1]++
		}
	}
	for i := range n {
		t.first[i+1] += t.first[i]
	}
	t.effects = make([]int32, len(t.cause))
	next := append([]int64(nil), t.first...)
	for i := range n {
		for _, c := range t.causesOf(i) {
			t.effects[next[c]] = int32(i)
			next[c]++
		}
	}
	t.checkCycles()
	t.cause, t.firstCause, t.lines = nil, nil, nil
}

func (t *traceReader) causesOf(i int) []int32 {
	end := int64(len(t.cause))
	if i+1 < len(t.firstCause) {
		end = t.firstCause[i+1]
	}
	return t.cause[t.firstCause[i]:end]
}

func (t *traceReader) checkCauses() {
	n := len(t.src)
	for i := range n {
		for _, c := range t.causesOf(i) {
			switch {
			case int(c) >= n:
				t.mistakeAt(int(t.lines[i]), "there is no message @%d: the trace has messages 0 to %d", c, n-1)
			case int(c) == i:
				t.mistakeAt(int(t.lines[i]), "message @%d waits for itself", c)
			case t.src[c] != t.src[i] && t.dst[c] != t.src[i]:
				t.mistakeAt(int(t.lines[i]), "rank %d waits for message @%d, which goes from rank %d to rank %d",
					t.src[i], c, t.src[c], t.dst[c])
			}
		}
	}
}

// checkCycles plays the trace in no time at all; what is left waits for itself.
func (t *traceReader) checkCycles() {
	left := append([]int32(nil), t.causes...)
	var ready []int32
	for i, c := range left {
		if c == 0 {
			ready = append(ready, int32(i))
		}
	}
	done := 0
	for ; len(ready) > 0; done++ {
		m := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, e := range t.effects[t.first[m]:t.first[m+1]] {
			if left[e]--; left[e] == 0 {
				ready = append(ready, e)
			}
		}
	}
	if done == len(left) {
		return
	}
	for i, c := range left {
		if c > 0 {
			t.mistakeAt(int(t.lines[i]), "message @%d can never start: it waits for messages that wait for each other",
				i)
			return
		}
	}
}

// Replay returns a workload that plays the trace once. The trace itself is not
// changed and may be played by many at once. The tag of a message is its number.
func (t *Trace) Replay() Workload {
	return &replay{trace: t, waiting: append([]int32(nil), t.causes...)}
}

type replay struct {
	trace   *Trace
	waiting []int32
	issuer
}

func (p *replay) Tasks() int { return p.trace.Tasks() }

func (p *replay) Start(emit func(Message)) {
	for i, n := range p.waiting {
		if n == 0 {
			p.release(int32(i), emit)
		}
	}
}

func (p *replay) Delivered(m Message, emit func(Message)) {
	t := p.trace
	for _, e := range t.effects[t.first[m.Tag]:t.first[m.Tag+1]] {
		if p.waiting[e]--; p.waiting[e] == 0 {
			p.release(e, emit)
		}
	}
}

func (p *replay) release(i int32, emit func(Message)) {
	t := p.trace
	m := Message{ID: p.next, Src: t.src[i], Dst: t.dst[i], Bytes: t.bytes[i], Delay: t.delay[i], Tag: int64(i)}
	p.next++
	emit(m)
}
