package goal_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/sim/goal"
)

const small = `// two ranks
num_ranks 2

rank 0 { l1: calc 100 cpu 2
l2: send 64b to 1 tag 3 cpu 0 nic 1 // the message
l2 requires l1
  send 8 b to 1
}
/* the
   other */ rank 1 {
first: recv 64b from 0 tag 3
got: recv 64b from -1 tag -1
later: calc 0
later irequires got
later requires got
}
`

func read(t *testing.T, text string) *goal.Schedule {
	t.Helper()
	s, err := goal.Read(strings.NewReader(text), "a.goal")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// listed is a schedule in words.
func listed(s *goal.Schedule) []string {
	var out []string
	for r := range s.Ranks() {
		from, to := s.Of(r)
		for i := from; i < to; i++ {
			line := fmt.Sprintf("%d: %+v waits %d", r, s.Ops()[i], s.Waits(i))
			for _, d := range s.Dependents(i) {
				line += fmt.Sprintf(" %d(%v)", d.Op()-from, d.OnStart())
			}
			out = append(out, line)
		}
	}
	return out
}

func TestRead(t *testing.T) {
	want := []string{
		"0: {Size:100 Peer:0 Tag:0 Kind:2 CPU:2 NIC:0} waits 0 1(false)",
		"0: {Size:64 Peer:1 Tag:3 Kind:0 CPU:0 NIC:1} waits 1",
		"0: {Size:8 Peer:1 Tag:0 Kind:0 CPU:0 NIC:0} waits 0",
		"1: {Size:64 Peer:0 Tag:3 Kind:1 CPU:0 NIC:0} waits 0",
		"1: {Size:64 Peer:-1 Tag:4294967295 Kind:1 CPU:0 NIC:0} waits 0 2(true) 2(false)",
		"1: {Size:0 Peer:0 Tag:0 Kind:2 CPU:0 NIC:0} waits 2",
	}
	for _, text := range []string{small, strings.ReplaceAll(small, "\n", "\r\n")} {
		s := read(t, text)
		if got := listed(s); !slices.Equal(got, want) || s.Messages() != 2 {
			t.Errorf("%d messages, %s", s.Messages(), strings.Join(got, "\n"))
		}
		if got := s.Describe(1, 4); got != "a.goal:12: recv 64b from -1 tag -1 of rank 1" {
			t.Error(got)
		}
	}
}

// What is written is read again as it was.
func TestWrite(t *testing.T) {
	check := func(s *goal.Schedule) {
		t.Helper()
		var b bytes.Buffer
		if err := goal.Write(&b, s); err != nil {
			t.Fatal(err)
		}
		again, err := goal.Read(&b, "b.goal")
		if err != nil {
			t.Fatal(err)
		}
		if got, want := listed(again), listed(s); !slices.Equal(got, want) {
			t.Errorf("\n%s\nwas\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	check(read(t, small))
	for _, p := range goal.Patterns() {
		for _, ranks := range []int{1, 2, 8, 11} {
			s, err := goal.NewPattern(p.Name, ranks, 100)
			if ranks == 11 && p.Name == "recursive-doubling-all-reduce" {
				if err == nil || !strings.Contains(err.Error(), "power of two") {
					t.Error(err)
				}
				continue
			}
			if err != nil {
				t.Fatal(p.Name, err)
			}
			check(s)
		}
	}
}

func TestMistakesHavePlaces(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "a.goal:1:1: the schedule is empty: expected num_ranks and a number"},
		{"rank 0 {\n}\n", `a.goal:1:1: expected num_ranks before all else, found "rank"`},
		{"num_ranks 0\n", "a.goal:1:11: a schedule has at least one rank"},
		{"num_ranks 99999999\n", `a.goal:1:11: the number of ranks must be from 0 to 4194304, not "99999999"`},
		{"num_ranks 1\nnum_ranks 1\n", "a.goal:2:1: the number of ranks is given twice"},
		{"num_ranks 1\nrnak 0 {\n", `a.goal:2:1: expected rank N {, found "rnak"; did you mean "rank"?`},
		{"num_ranks 1\nrank 1 {\n}\n", "a.goal:2:6: there is no rank 1: the schedule has 1, from 0"},
		{"num_ranks 1\nrank 0\n", `a.goal:2:7: expected "{" after the rank, found the end of the line`},
		{"num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", "a.goal:4:6: rank 0 has been given before"},
		{"num_ranks 1\nrank 0 {\ncalc 5\n", "a.goal:3:1: the rank of line 2 has no }"},
		{"num_ranks 1 /* x\n", "a.goal:1:1: the comment of line 1 has no */"},
		{
			"num_ranks 2\nrank 0 {\n a1: snd 5b to 1\n}\n",
			`a.goal:3:6: expected send, recv or calc after the label, found "snd"; did you mean "send"?`,
		},
		{"num_ranks 2\nrank 0 {\nsend 5 to 1\n}\n", `a.goal:3:8: expected "b" after the length, found "to"`},
		{"num_ranks 2\nrank 0 {\nsend 5b from 1\n}\n", `a.goal:3:9: expected "to" after the length, found "from"`},
		{"num_ranks 2\nrank 0 {\nsend 5b to 2\n}\n", `a.goal:3:12: the rank must be from 0 to 1, not "2"`},
		{"num_ranks 2\nrank 0 {\nsend 5b to -1\n}\n", `a.goal:3:12: the rank must be from 0 to 1, not "-1"`},
		{
			"num_ranks 2\nrank 0 {\nsend 5b to 1 tag -1\n}\n",
			`a.goal:3:18: the tag must be from 0 to 4294967294, not "-1"`,
		},
		{"num_ranks 2\nrank 0 {\nsend 5b to 1 tag 1 tag 2\n}\n", "a.goal:3:20: tag is given twice"},
		{"num_ranks 2\nrank 0 {\ncalc 5 nic 1\n}\n", `a.goal:3:8: expected cpu or the end of the line, found "nic"`},
		{"num_ranks 2\nrank 0 {\ncalc 5 cpu 256\n}\n", `a.goal:3:12: the cpu must be from 0 to 255, not "256"`},
		{
			"num_ranks 2\nrank 0 {\nö: calc 5\n}\n",
			`a.goal:3:1: expected a label, send, recv, calc or }, found "ö"`,
		},
		{
			"num_ranks 2\nrank 0 {\nx: calc 5\n/*ö*/ x requires y\n}\n",
			`a.goal:4:18: no operation of this rank has the label "y" so far`,
		},
		{"num_ranks 2\nrank 0 {\nl1: calc 5\nl1 requires l1\n}\n", `a.goal:4:13: "l1" waits for itself`},
		{"num_ranks 2\nrank 0 {\nl1: calc 5\nl1: calc 5\n}\n", `a.goal:4:1: the label "l1" is given twice in its rank`},
		{
			"num_ranks 2\nrank 0 {\nl1: calc 5\n}\nrank 1 {\nl2: calc 1\nl2 requires l1\n}\n",
			`a.goal:7:13: no operation of this rank has the label "l1" so far`,
		},
		{
			"num_ranks 2\nrank 0 {\nrecv: recv 1b from 0\n}\n",
			`a.goal:3:5: the length of a message must be from 0 to 1099511627776, not ":"`,
		},
		{"num_ranks 2\nrank 0 {\n} x\n", `a.goal:3:3: expected the end of the line after }, found "x"`},
		{"num_ranks 1\n" + strings.Repeat(" ", 1<<17) + "x\n", "a.goal:2:1: the line is longer than 65536 bytes"},
	} {
		_, err := goal.Read(strings.NewReader(c.text), "a.goal")
		var list diag.List
		if !errors.As(err, &list) || list[0].Error() != c.want {
			t.Errorf("%.60q: %v, not %s", c.text, err, c.want)
		}
	}
}

// All mistakes are reported in one run, up to twenty.
func TestAllMistakes(t *testing.T) {
	_, err := goal.Read(strings.NewReader("num_ranks 2\nrank 0 {\nsend x\ncalc y\n}\nrank 5 {\n}\n"), "a.goal")
	var list diag.List
	if !errors.As(err, &list) || len(list) != 3 {
		t.Error(err)
	}
	_, err = goal.Read(strings.NewReader("num_ranks 2\nrank 0 {\n"+strings.Repeat("calc y\n", 50)), "a.goal")
	if !errors.As(err, &list) || len(list) != 20 {
		t.Error(len(list))
	}
}

func TestPatternsAreRefused(t *testing.T) {
	for _, c := range []struct {
		name  string
		ranks int
		bytes int64
		want  string
	}{
		{"disemination", 4, 8, `did you mean "dissemination"?`},
		{"dissemination", 0, 8, "Ranks: must be from 1 to 4194304, not 0"},
		{"dissemination", 4, 0, "Bytes: must be from 1"},
		{"linear-all-to-all", 65536, 8, "has 8589803520 operations; a schedule has at most 134217728"},
	} {
		if _, err := goal.NewPattern(c.name, c.ranks, c.bytes); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// Whatever a file says, it is refused or can be written and read again.
func FuzzRead(f *testing.F) {
	f.Add(small)
	f.Add("num_ranks 3\nrank 2 {\nl1: calc 1\nl3: calc 2\nl2: calc 1\nl3 irequires l1\n}\nrank 0 {\n}\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := goal.Read(strings.NewReader(text), "f.goal")
		if err != nil {
			return
		}
		if s.Ranks() > 1<<16 {
			return // writing all of them takes long
		}
		var b bytes.Buffer
		if err := goal.Write(&b, s); err != nil {
			t.Fatal(err)
		}
		again, err := goal.Read(&b, "g.goal")
		if err != nil {
			t.Fatal(err)
		}
		if got, want := listed(again), listed(s); !slices.Equal(got, want) {
			t.Errorf("%v was %v", got, want)
		}
	})
}
