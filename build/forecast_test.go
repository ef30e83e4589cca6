package build

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/cabling"
)

// TestForecast: what is left of a slow crew ends late against the calendar without progress, by as many working days
// as its end lies behind the planned one; a progress table without a cable that begins on the planned day ends as
// planned.
func TestForecast(t *testing.T) {
	r := planText(t, small)
	read := func(cables, minutes int) *Progress {
		t.Helper()
		var table strings.Builder
		table.WriteString("cable_id,done,by,when\n")
		n := 0
		at := time.Date(2027, time.March, 1, 8, 0, 0, 0, time.UTC)
		r.Schedule.Each(func(number int64, seg *cabling.Segment) bool {
			if seg.Within >= 2 && n < cables {
				fmt.Fprintf(&table, "%s,yes,ann,%s\n", r.Schedule.CableID(number),
					at.Add(time.Duration(n*minutes)*time.Minute).Format("2006-01-02 15:04"))
				n++
			}
			return true
		})
		p, err := ReadProgress("progress.csv", strings.NewReader(table.String()), r)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	calendar := Calendar{Start: date(t, "2027-03-01"), Shifts: 1, Hours: 8}
	none := of(t, r, Options{Progress: read(0, 0), Calendar: calendar})
	for _, l := range none.Forecast.Late {
		if l.Days == nil || *l.Days != 0 || l.Planned != l.End || l.PlannedDate != l.EndDate || l.Overdue {
			t.Errorf("nothing is done on the first day: %+v", l)
		}
	}
	whole := of(t, r, Options{Calendar: calendar})
	if whole.Forecast != nil || none.Forecast.Begins != 1 || none.Forecast.Planned != 0 {
		t.Errorf("%+v, %+v", whole.Forecast, none.Forecast)
	}

	later := calendar
	later.Start = date(t, "2027-03-15")
	slow := of(t, r, Options{Progress: read(15, 50), Calendar: later, PlannedStart: calendar.Start})
	f := slow.Forecast
	if f.Start != whole.Start || f.Begins != 11 || slow.Progress.Factor != 10 {
		t.Errorf("%+v, %+v", f, slow.Progress)
	}
	at := slices.IndexFunc(f.Late, func(l Late) bool { return l.Of == OfBuild })
	l := f.Late[at]
	if l.PlannedDate != whole.End || l.Planned != whole.Days || l.EndDate != slow.End || l.End != 10+slow.Days ||
		*l.Days != l.End-l.Planned || *l.Days <= 0 || l.Overdue != (whole.Days <= 10) {
		t.Errorf("%+v, planned %s to %s, left %s to %s", l, whole.Start, whole.End, slow.Start, slow.End)
	}
	planned := int64(0)
	for _, day := range whole.ByDay[:min(10, len(whole.ByDay))] {
		planned += day.Cables
	}
	if f.Planned != planned {
		t.Errorf("%d cables planned before the schedule begins, want %d", f.Planned, planned)
	}
	for _, fabric := range slow.Fabrics {
		i := slices.IndexFunc(f.Late, func(l Late) bool { return l.Of == OfFabric && l.Name == fabric.Fabric })
		if f.Late[i].EndDate != fabric.Date {
			t.Errorf("%+v, %+v", f.Late[i], fabric)
		}
	}
	for _, wrong := range []Options{
		{PlannedStart: calendar.Start, Calendar: later},
		{PlannedStart: calendar.Start, Progress: read(1, 1)},
		{PlannedStart: later.Start, Progress: read(1, 1), Calendar: calendar},
	} {
		if _, err := Of(t.Context(), r, wrong); err == nil {
			t.Errorf("%+v is accepted", wrong)
		}
	}
}
