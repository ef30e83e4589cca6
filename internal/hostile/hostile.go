// Package hostile has values that nobody means, for tests of what reads input, and holds what is done with them to
// bounds of processor time and memory.
package hostile

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Ints are whole numbers at and beyond the edges of what counts mean.
var Ints = []int{
	0, -1, 1, 2, 3, 1000, math.MaxUint16, 1 << 20, math.MaxInt32, 1 << 31, 1_000_000_000, 1_000_000_000_000_000_000,
	math.MaxInt64, math.MinInt64,
}

// Texts are names, words and paths.
var Texts = []string{
	"", " ", "\x00", "\x1b[31mred", "../../etc/passwd", "=1+1", "<script>", "\u202e", "\xff", "NaN", "-", "a\nb",
	"網路", strings.Repeat("x", 100_000),
}

// Scalars are values as YAML writes them.
var Scalars = []string{
	"0", "-1", "1", "2147483648", "1000000000000000000", "-9223372036854775808", "99999999999999999999999", "1e308",
	"-1e308", "1e-308", ".nan", ".inf", "-.inf", "true", "null", `""`, `" "`, `"\0"`, `"\e[31mred"`, `"=1+1"`,
	`"../../etc/passwd"`, `"NaN"`, `"1e308 m"`, `"1e308%"`, `"<script>"`, `"\u202e網路"`, "[]", "{}", "[[]]", "[null]",
	"[0, 0]", "[-1, 1e308, .nan]", "[1, 1]", "{a: 1}", `{"": 0}`, `[{}]`, `[[0, 0], [1, 1]]`, "2026-11-23",
}

// Bounds are the most that a case may take.
type Bounds struct {
	Time  time.Duration // of the processor, of the whole process
	Bytes uint64        // allocated in all
}

// Plus are bounds for what makes or follows so many links besides.
func (b Bounds) Plus(links int64) Bounds {
	return Bounds{b.Time + time.Duration(links)*time.Microsecond, b.Bytes + uint64(links)*200}
}

// Hold does what is to be done with a hostile value, and fails the test if it panics or takes more than the bounds. A
// case that does not end ends the test, with its name.
func (b Bounds) Hold(t testing.TB, name string, do func()) {
	t.Helper()
	dog.Do(func() { go watch() })
	current.Store(&running{name, processorTime(), 10*b.Time + 10*time.Second})
	defer current.Store(nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begun := processorTime()
	func() {
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s: panic: %v\n%s", name, p, debug.Stack())
			}
		}()
		do()
	}()
	used := processorTime() - begun
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; used > b.Time || bytes > b.Bytes {
		t.Errorf("%s: took %v and %d MB; at most %v and %d MB", name, used, bytes>>20, b.Time, b.Bytes>>20)
	}
}

// running is the case at work.
type running struct {
	name  string
	begun time.Duration
	most  time.Duration
}

var (
	dog     sync.Once
	current atomic.Pointer[running]
)

// watch ends the process when a case takes ten times its bound, as there is no other way to end it.
func watch() {
	for range time.Tick(time.Second) {
		if r := current.Load(); r != nil && processorTime()-r.begun > r.most {
			fmt.Fprintf(os.Stderr, "%s: has not ended after %v of the processor\n", r.name, r.most)
			stacks := make([]byte, 1<<16)
			os.Stderr.Write(stacks[:runtime.Stack(stacks, true)])
			os.Exit(1)
		}
	}
}

// Seconds is what work takes of the processor, of all cores.
func Seconds(work func()) float64 {
	runtime.GC() // of what came before
	begun := processorTime()
	work()
	return (processorTime() - begun).Seconds()
}
