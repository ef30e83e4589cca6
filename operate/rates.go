package operate

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/strictyaml"
	"github.com/plenum-planner/plenum/units"
)

// MonthHours is the length of a month: a twelfth of 365 days.
const MonthHours = 730

// Subject is what a failure rate is of.
type Subject string

// The subjects. A link is a channel between two boxes with its cable and optics; an access link joins a switch and
// a node or service box. A leaf is a switch that such boxes are linked to. The others are kinds of parts; a service is
// a box that is neither node nor switch, a supply a power inlet of a box, a laser a
// module of lasers of optics inside a box.
const (
	AccessLink Subject = "access-link"
	Link       Subject = "link"
	Leaf       Subject = "leaf"
	Switch     Subject = "switch"
	Node       Subject = "node"
	Service    Subject = "service"
	Adapter    Subject = "adapter"
	Optic      Subject = "optic"
	Cable      Subject = "cable"
	PatchPanel Subject = "panel"
	Supply     Subject = "supply"
	Laser      Subject = "laser"
)

// Words lists the subjects.
func (Subject) Words() []string {
	return []string{
		string(AccessLink), string(Link), string(Leaf), string(Switch), string(Node), string(Service),
		string(Adapter), string(Optic), string(Cable), string(PatchPanel), string(Supply),
		string(Laser),
	}
}

// Rates is a dated set of failure rates. Its tags drive the reader of files.
type Rates struct {
	Name string `yaml:"name"`
	Date string `yaml:"date"` // year or ISO date
	// Rates are asked in order: the first that covers a link or a part decides.
	Rates []Rate `yaml:"rates,omitempty"`
	// Work is how long repairs take; the first entry of a subject decides.
	Work []Work `yaml:"work,omitempty"`
	// LeadTime is how long a spare part takes to arrive once it is ordered.
	LeadTime *LeadTime `yaml:"lead_time,omitempty"`
	// Response is the time from a failure to the begin of its repair.
	Response *Duration `yaml:"response,omitempty"`
	// Restart is the time that a job loses when it is interrupted.
	Restart *Duration `yaml:"restart,omitempty"`

	base *Rates // asked where this set and the catalog have no rate; nil for none
}

// Rate is how often one kind of thing fails. One of PerMonth and PerYear is stated.
type Rate struct {
	Of Subject `yaml:"of"`
	// Kinds restricts a rate of optics or cables to ends of these kinds.
	Kinds []catalog.EndKind `yaml:"kinds,omitempty"`
	// Parts restricts a rate to parts by id; a trailing * stands for any rest.
	Parts    []string       `yaml:"parts,omitempty"`
	PerMonth *units.Percent `yaml:"per_month,omitempty"`
	PerYear  *units.Percent `yaml:"per_year,omitempty"`
	// Low and High bound the rate, in the same period; the rate is not a range where they are left out.
	Low        *units.Percent     `yaml:"low,omitempty"`
	High       *units.Percent     `yaml:"high,omitempty"`
	Source     string             `yaml:"source"`
	Confidence catalog.Confidence `yaml:"confidence"`
}

// Work is the time of one repair, all hands together.
type Work struct {
	Of   []Subject `yaml:"of"`
	Time Duration  `yaml:"time"`
}

// Duration is a time in hours.
type Duration struct {
	Hours float64  `yaml:"hours" json:"hours" most:"100000"`                   // the likely figure
	Low   *float64 `yaml:"low,omitempty" json:"low,omitempty" most:"100000"`   // hours at least
	High  *float64 `yaml:"high,omitempty" json:"high,omitempty" most:"100000"` // hours at most
	// Source is where the figure is from.
	Source string `yaml:"source" json:"source"`
	// Confidence is how good the figure is.
	Confidence catalog.Confidence `yaml:"confidence" json:"confidence"`
}

// LeadTime is the time of delivery of a spare part.
type LeadTime struct {
	Days       units.Days         `yaml:"days" json:"days"`             // of the calendar
	Source     string             `yaml:"source" json:"source"`         // where the figure is from
	Confidence catalog.Confidence `yaml:"confidence" json:"confidence"` // how sure it is
}

// Range is an estimate with its bounds.
type Range struct {
	Low    float64 `json:"low"`    // the least
	Likely float64 `json:"likely"` // the likely figure
	High   float64 `json:"high"`   // the most
}

// monthly returns the failures of one piece a month, 0.01 for one per cent a month, with bounds that equal the rate
// where none are stated. One of PerMonth and PerYear must be stated.
func (r *Rate) monthly() Range {
	months := 1.0
	given := r.PerMonth
	if given == nil {
		given, months = r.PerYear, 12
	}
	share := func(p *units.Percent) float64 { return float64(*cmp.Or(p, given)) / 100 / months }
	return Range{share(r.Low), share(given), share(r.High)}
}

// language is that of files of failure rates.
var language = strictyaml.Language{
	Empty:  "it has a name, a date and the list rates; docs/operating.md has one to start from",
	Second: "a file of failure rates is a single document: remove what begins with this ---",
}

//go:embed data/failures-2026.yaml
var builtIn []byte

// DefaultRates are the failure rates that come along.
func DefaultRates() *Rates {
	r, err := ParseRates("failures-2026.yaml", builtIn)
	if err != nil {
		panic(err)
	}
	out := *r
	out.Rates, out.Work, out.base = nil, nil, r
	return &out
}

// LoadRates reads a file of failure rates. Its rates go before those that the catalog has of parts, and these before
// the default ones; what else the file leaves out is as in the default set. The error is that of opening the file, or a
// diag.List with every mistake.
func LoadRates(path string) (*Rates, error) {
	data, err := strictyaml.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r, err := ParseRates(path, data)
	if err != nil {
		return nil, err
	}
	base := DefaultRates()
	r.base = base.base
	r.LeadTime = cmp.Or(r.LeadTime, base.LeadTime)
	r.Response = cmp.Or(r.Response, base.Response)
	r.Restart = cmp.Or(r.Restart, base.Restart)
	return r, nil
}

// ParseRates reads the text of a file of failure rates, without the default ones. The error is a diag.List with every
// mistake.
func ParseRates(name string, data []byte) (*Rates, error) {
	r := &Rates{}
	doc := language.Read(name, data, r)
	for i := range r.Rates {
		r.Rates[i].check(func(field, format string, args ...any) {
			path := diag.Join(fmt.Sprintf("rates[%d]", i), field)
			doc.Report(path, diag.Fieldf(path, format, args...))
		})
	}
	check := func(path string, d *Duration) {
		if d != nil {
			d.check(func(field, format string, args ...any) {
				at := diag.Join(path, field)
				doc.Report(at, diag.Fieldf(at, format, args...))
			})
		}
	}
	check("response", r.Response)
	check("restart", r.Restart)
	for i := range r.Work {
		check(fmt.Sprintf("work[%d].time", i), &r.Work[i].Time)
	}
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

// check calls fault for every contradiction in a rate, with the key of the field, "" for the whole rate.
func (r *Rate) check(fault func(field, format string, args ...any)) {
	switch {
	case r.PerMonth == nil && r.PerYear == nil:
		fault("", "the rate is missing: state per_month or per_year, in per cent")
		return
	case r.PerMonth != nil && r.PerYear != nil:
		fault("per_year", "state one of per_month and per_year")
		return
	}
	m := r.monthly()
	if r.Low != nil && m.Low > m.Likely {
		fault("low", "must not be above the rate itself")
	}
	if r.High != nil && m.High < m.Likely {
		fault("high", "must not be below the rate itself")
	}
	if len(r.Kinds) > 0 && r.Of != Optic && r.Of != Cable {
		fault("kinds", "only rates of optics and cables depend on the kind of their ends")
	}
	if len(r.Parts) > 0 && (r.Of == Link || r.Of == AccessLink || r.Of == Supply) {
		fault("parts", "a rate of %s does not depend on parts", r.Of)
	}
}

// check calls fault for every bound of a time that contradicts it.
func (d *Duration) check(fault func(field, format string, args ...any)) {
	if d.Low != nil && *d.Low > d.Hours {
		fault("low", "must not be above hours")
	}
	if d.High != nil && *d.High < d.Hours {
		fault("high", "must not be below hours")
	}
}

// bounds are the hours with their bounds.
func (d *Duration) bounds() Range {
	return Range{*cmp.Or(d.Low, &d.Hours), d.Hours, *cmp.Or(d.High, &d.Hours)}
}

// covers reports whether a rate holds for a subject and its part, which is nil for links. A rate of switches covers
// leaves, too. A rate that is restricted to parts or kinds of ends does not cover a nil part.
func (r *Rate) covers(of Subject, part *catalog.Part) bool {
	if r.Of != of && !(r.Of == Switch && of == Leaf) {
		return false
	}
	if len(r.Parts) > 0 && !slices.ContainsFunc(r.Parts, func(p string) bool {
		before, any := strings.CutSuffix(p, "*")
		return part != nil && (part.ID == p || any && strings.HasPrefix(part.ID, before))
	}) {
		return false
	}
	return len(r.Kinds) == 0 || part != nil && slices.Contains(r.Kinds, catalog.EndOf(part).Kind)
}

// of finds the rate of a part of a subject, nil where none is known: of the file that was read, else what the catalog
// knows of optics and plugs, else of the default set.
func (r *Rates) of(of Subject, part *catalog.Part) *Rate {
	first := func(rates []Rate) *Rate {
		for i := range rates {
			if rates[i].covers(of, part) {
				return &rates[i]
			}
		}
		return nil
	}
	if own := first(r.Rates); own != nil || r.base == nil {
		return cmp.Or(own, catalogRate(of, part))
	}
	return cmp.Or(catalogRate(of, part), first(r.base.Rates))
}

// work is the time of a repair of a subject, of this set, else of the default one; nil where neither has it.
func (r *Rates) work(of Subject) *Duration {
	for i := range r.Work {
		if slices.Contains(r.Work[i].Of, of) {
			return &r.Work[i].Time
		}
	}
	if r.base != nil {
		return r.base.work(of)
	}
	return nil
}

// catalogRate is the rate of a transceiver, of optics inside a box, or of a cable with ends of its own, as the catalog
// has it; nil where it has none. All ends of a cable are in its rate.
func catalogRate(of Subject, part *catalog.Part) *Rate {
	if of != Optic && of != Cable || part == nil {
		return nil
	}
	end := catalog.EndOf(part)
	if end.Failures == nil {
		return nil
	}
	ends := 1.0
	if part.Cable != nil {
		ends += float64(part.Cable.FarPlugs())
	}
	perYear := units.Percent(*end.Failures * 100 * ends)
	rate := &Rate{Of: of, PerYear: &perYear, Source: end.Source, Confidence: catalog.Paper}
	switch {
	case part.Failures != nil:
		rate.Confidence = part.Confidence
	case end.Kind == catalog.CPO:
		rate.Confidence = catalog.Datasheet
	}
	return rate
}
