package build

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
)

// Progress is which cables of a plan are done, from the table that plenum render --format progress writes.
type Progress struct {
	done map[int32]Tick // by number of the cable
	// measured has the minutes between a cable and the one before it, of the same person on the same day, by the number
	// of the cable.
	measured map[int32]float64
}

// Tick says who has plugged a cable in, and when, as the table has it; both may be empty.
type Tick struct{ By, When string }

// longestGap is the longest time between two cables of a person that counts as work on the second one.
const longestGap = 2 * time.Hour

// whens are the forms of a time that a progress table may have.
var whens = []string{
	time.RFC3339, "2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02T15:04:05",
}

// Cables is the number of cables that are done; 0 without a table, where p is nil.
func (p *Progress) Cables() int {
	if p == nil {
		return 0
	}
	return len(p.done)
}

// isDone reports whether a cable is done; none is without a table.
func (p *Progress) isDone(cable int32) bool {
	_, ok := p.Done(cable)
	return ok
}

// Done returns who has plugged a cable in and when, and reports whether it is done, by the number of the cable from 1.
// Without a table, p is nil and no cable is done.
func (p *Progress) Done(cable int32) (tick Tick, ok bool) {
	if p == nil {
		return Tick{}, false
	}
	tick, ok = p.done[cable]
	return tick, ok
}

// ReadProgress reads a table with the columns cable_id and done, and by and when if there are any. A row of a cable
// that the plan does not have, or a word in done that says neither yes nor no, is a mistake. A cable is done if any of
// its rows says so, and the last such row tells by whom and when. The error is a diag.List with every mistake, or that
// of r.
func ReadProgress(name string, r io.Reader, plan *machine.Result) (*Progress, error) {
	t := csvtable.NewReader(name, r)
	heads, err := t.Header(func(heads []string) bool { return csvtable.Has(heads, "cable_id", "done") })
	if err != nil {
		return nil, err
	}
	at := func(column string) int { return slices.Index(heads, column) }
	id, done, by, when := at("cable_id"), at("done"), at("by"), at("when")
	if id < 0 || done < 0 {
		var found diag.List
		found.Addf(diag.Position{File: name}, "the columns cable_id and done are missing\nexpected the table that "+
			"plenum render --format progress writes; the columns are %s", english.List(heads))
		return nil, found
	}
	numbers := map[string]int32{}
	s := plan.Schedule
	for number := int64(1); number <= s.Cables; number++ {
		numbers[s.CableID(number)] = int32(number)
	}
	type stamp struct {
		cable int32
		by    string
		at    time.Time
	}
	var stamps []stamp
	var found diag.List
	p := &Progress{done: map[int32]Tick{}, measured: map[int32]float64{}}
	for {
		row, err := t.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		field := func(i int) string {
			if i < 0 || i >= len(row) {
				return ""
			}
			return csvtable.Unguard(row[i])
		}
		if field(id) == "" || csvtable.Has(csvtable.Heads(row), "cable_id", "done") {
			continue
		}
		number, ok := numbers[field(id)]
		if !ok {
			found.Addf(t.Place(row, id), "the plan has no cable %q", field(id))
			continue
		}
		is, known := csvtable.Mark(field(done))
		if !known {
			found.Addf(t.Place(row, done), "done is %q, which says neither that the cable is laid nor that it is "+
				"not\n%s", field(done), csvtable.MarkWords)
			continue
		}
		if !is {
			continue
		}
		p.done[number] = Tick{field(by), field(when)}
		if text := field(when); text != "" {
			for _, form := range whens {
				if at, err := time.Parse(form, text); err == nil {
					stamps = append(stamps, stamp{number, field(by), at})
					break
				}
			}
		}
	}
	if err := found.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(stamps, func(a, b stamp) int { return cmp.Or(cmp.Compare(a.by, b.by), a.at.Compare(b.at)) })
	for i := 1; i < len(stamps); i++ {
		last, now := &stamps[i-1], &stamps[i]
		if gap := now.at.Sub(last.at); last.by == now.by && gap > 0 && gap <= longestGap && last.cable != now.cable {
			p.measured[now.cable] = gap.Minutes()
		}
	}
	return p, nil
}

// leastMeasured is the number of cables with times from which figures are calibrated.
const leastMeasured = 10

// calibrate gives the options labour figures of patching and labelling that are scaled by the times of the progress
// table, and says what it did; nil without a table. With times of fewer cables than leastMeasured, figures stay.
func (o *Options) calibrate(plan *machine.Result) *Done {
	if o.Progress == nil {
		return nil
	}
	done := &Done{Measured: len(o.Progress.measured)}
	if done.Measured < leastMeasured {
		return done
	}
	var ratios []float64
	none := *o
	none.Progress = nil
	p := newProject(plan, &none)
	legs := plan.Schedule.Legs()
	plan.Schedule.Each(func(number int64, seg *cabling.Segment) bool {
		minutes, ok := o.Progress.measured[int32(number)]
		a, b := p.rackOf[seg.A], p.rackOf[seg.B]
		if legs.Next(seg) != 1 || !ok || a < 0 || b < 0 {
			return true
		}
		s := &subject{span: p.span(&group{racks: [2]int32{a, b}}), length: seg.Length}
		if made := plan.Schedule.Product(seg); made != nil {
			s.part, s.length = made.Part, made.Length
		}
		planned := 0.0
		for _, of := range []Activity{Patch, Label} {
			if f := o.Labour.find(of, s); f >= 0 {
				planned += o.Labour.Figures[f].of(1, float64(s.length))
			}
		}
		if planned > 0 {
			ratios = append(ratios, minutes/planned)
		}
		return true
	})
	if done.Measured = len(ratios); done.Measured < leastMeasured {
		return done
	}
	slices.Sort(ratios)
	done.Factor = ratios[len(ratios)/2]
	own := *o.Labour
	own.Figures = slices.Clone(own.Figures)
	for i := range own.Figures {
		f := &own.Figures[i]
		if f.Of != Patch && f.Of != Label {
			continue
		}
		f.Minutes, f.PerMetre = f.Minutes*done.Factor, f.PerMetre*done.Factor
		f.Low, f.High, f.LowShare, f.HighShare = nil, nil, nil, nil
		f.Source = fmt.Sprintf("measured: the median of %s is %.2f times the figure (%s)",
			english.Count(done.Measured, "cable"), done.Factor, f.Source)
		f.Confidence = catalog.User
	}
	o.Labour = &own
	return done
}
