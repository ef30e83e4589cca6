package drawing

import (
	"math"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
)

// group is a pair of lines of a DXF file: a code, which says what the value means, and the value.
type group struct {
	code  int
	value string
	line  int // of the code
}

// groups reads a DXF file group by group. Comments are left out.
type groups struct {
	file   string
	rest   string
	line   int // number of lines read
	now    group
	done   bool // the file has ended, or is broken here
	faults diag.List
}

// next reads the next group that is not a comment. It sets done at the end of the file or where the file is broken.
func (g *groups) next() {
	for {
		line := g.line + 1
		code, ok := g.text()
		if !ok {
			g.done = true
			return
		}
		n, err := strconv.Atoi(strings.TrimSpace(code))
		if err != nil {
			g.fault(line, "%q is not a group code\na DXF file is pairs of lines: a number, and a value", brief(code))
			g.done = true
			return
		}
		value, ok := g.text()
		if !ok {
			g.done = true
			return
		}
		if g.now = (group{n, value, line}); n != 999 {
			return
		}
	}
}

// text returns the next line of the file, false at its end.
func (g *groups) text() (string, bool) {
	if g.rest == "" {
		return "", false
	}
	line, rest, _ := strings.Cut(g.rest, "\n")
	g.rest = rest
	g.line++
	return strings.TrimSuffix(line, "\r"), true
}

// is reports whether the current group has this code and value.
func (g *groups) is(code int, value string) bool {
	return !g.done && g.now.code == code && strings.TrimSpace(g.now.value) == value
}

// fault records a mistake.
func (g *groups) fault(line int, format string, args ...any) {
	if !g.faults.Full() {
		g.faults.Addf(diag.Position{File: g.file, Line: line}, format, args...)
	}
}

// brief returns a value cut to 40 characters, for a message.
func brief(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

// fields reads the groups of the current entity after its first, which gives its kind, into a slice that it returns.
func (g *groups) fields(into []group) []group {
	into = into[:0]
	begin := g.now.line
	for g.next(); !g.done && g.now.code != 0; g.next() {
		if len(into) == maxGroups {
			g.fault(begin, "an entity of more than %d groups\nremove it", maxGroups)
			g.done = true
			break
		}
		into = append(into, g.now)
	}
	return into
}

// record is an entity with its groups.
type record struct {
	kind   string
	line   int
	fields []group
	in     *groups
}

// text returns the first value of a code as it is written, "" if there is none.
func (r *record) text(code int) string {
	for i := range r.fields {
		if r.fields[i].code == code {
			return r.fields[i].value
		}
	}
	return ""
}

// number returns the first value of a code, or the default `without` if there is none.
func (r *record) number(code int, without float64) float64 {
	for i := range r.fields {
		if r.fields[i].code == code {
			return r.value(&r.fields[i])
		}
	}
	return without
}

// notNegative returns number(code, without). A value below 0 is a fault about `what`, and 0 is returned.
func (r *record) notNegative(code int, without float64, what string) float64 {
	v := r.number(code, without)
	for i := range r.fields {
		if g := &r.fields[i]; g.code == code && v < 0 {
			r.in.fault(g.line+1, "%s: the %s %v is less than 0", r.kind, what, v)
			return 0
		}
	}
	return v
}

// whole returns number(code, without) as a whole number.
func (r *record) whole(code, without int) int {
	v := r.number(code, float64(without))
	return int(max(min(v, 1<<30), -1<<30))
}

// value returns the number in a group. Text that is not a number, or one above maxNumber, is a fault, and 0 is
// returned.
func (r *record) value(g *group) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(g.value), 64)
	if err != nil || math.IsNaN(v) || math.Abs(v) > maxNumber {
		r.in.fault(g.line+1, "%s: %q is not a coordinate, length or angle that a building has", r.kind, brief(g.value))
		return 0
	}
	return v
}

// maxNumber bounds the numbers of a file, in any unit.
const maxNumber = 1e15
