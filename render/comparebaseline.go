package render

import (
	"fmt"
	"math"
	"strconv"

	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/units"
)

// Against returns the difference of the value of machine i from that of the baseline in per cent of the latter: "+5.2
// %". It is "" if one of the two is not a number, if the difference rounds to 0.0 %, and if the baseline is 0.
func (r *CompareRow) Against(i, baseline int) string {
	share, ok := r.share(i, baseline)
	if !ok || share == 0 {
		return ""
	}
	switch text := strconv.FormatFloat(100*share, 'f', 1, 64); {
	case text == "0.0" || text == "-0.0":
		return ""
	case share > 0:
		return "+" + text + " %"
	default:
		return text + " %"
	}
}

// Difference returns the difference of the value of machine i from that of the baseline, with as many decimals as the
// row has: "+1,204". It is "" if one of the two is not a number, and if both are written alike.
func (r *CompareRow) Difference(i, baseline int) string {
	a, ok := numeric(r.Values[baseline])
	b, also := numeric(r.Values[i])
	if !ok || !also || r.Text(i) == r.Text(baseline) {
		return ""
	}
	most := 0
	for _, v := range r.Values {
		most = max(most, digits(v))
	}
	if b < a {
		return "-" + fixedDigits(a-b, most)
	}
	return "+" + fixedDigits(b-a, most)
}

// share returns the difference of machine i from the baseline as a share of the baseline, false if there is none.
func (r *CompareRow) share(i, baseline int) (float64, bool) {
	a, ok := numeric(r.Values[baseline])
	b, also := numeric(r.Values[i])
	if !ok || !also || a == 0 || i == baseline {
		return 0, false
	}
	return (b - a) / math.Abs(a), true
}

// numeric returns the value of a figure, and whether it is a finite number.
func numeric(v any) (float64, bool) {
	switch v := inUnit(v).(type) {
	case int64:
		return float64(v), true
	case units.Money:
		return v.Float(), true
	case float64:
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	return 0, false
}

// DifferenceWords returns a sentence for each field in which a machine file differs from that of the baseline.
func DifferenceWords(c *report.Comparison) []string {
	var out []string
	for _, d := range c.Differences {
		value := func(text string) string {
			switch runes := []rune(text); {
			case text == "":
				return "left out"
			case len(runes) > mostValue:
				return string(runes[:mostValue-3]) + "..."
			}
			return text
		}
		out = append(out, fmt.Sprintf("%s: %s is %s, in the baseline %s", d.Machine, d.Field, value(d.Value),
			value(d.Baseline)))
	}
	return out
}

// mostValue is the number of characters to which values are cut in these sentences.
const mostValue = 60

// againstCells returns two cells for each machine but the baseline: formulas for its difference from the baseline, and
// for that as a share. It returns nil without a baseline.
func againstCells(c *report.Comparison, r *CompareRow, row int) []cell {
	if c.Baseline == 0 {
		return nil
	}
	var out []cell
	const first = 3 // number of the column of the first machine
	base := ref(first+c.Baseline-1, row)
	for i := range c.Machines {
		if i == c.Baseline-1 {
			continue
		}
		a, ok := numeric(r.Values[c.Baseline-1])
		b, also := numeric(r.Values[i])
		if !ok || !also {
			out = append(out, cell{}, cell{})
			continue
		}
		own := ref(first+i, row)
		out = append(out, cell{value: b - a, style: metres}.by(own+"-"+base))
		if a == 0 {
			out = append(out, cell{})
			continue
		}
		out = append(out, cell{value: (b - a) / math.Abs(a), style: percent}.by("("+own+"-"+base+")/ABS("+base+")"))
	}
	return out
}
