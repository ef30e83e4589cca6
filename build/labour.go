package build

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/strictyaml"
	"github.com/plenum-planner/plenum/internal/triangle"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// Activity is a kind of work.
type Activity string

// The activities. The unit that a figure is for is in brackets.
const (
	PlaceRack    Activity = "place-rack"    // move a rack to its place and fix it (rack)
	MountBox     Activity = "mount-box"     // (box)
	MountPanel   Activity = "mount-panel"   // (panel)
	ConnectPower Activity = "connect-power" // (power inlet)
	PowerOn      Activity = "power-on"      // (rack)
	LayTray      Activity = "lay-tray"      // (metre of tray)
	LayTrunk     Activity = "lay-trunk"     // (trunk)
	PlugOptic    Activity = "plug-optic"    // (transceiver)
	Patch        Activity = "patch"         // route, plug and dress (cable)
	Label        Activity = "label"         // at both ends (cable)
	Clean        Activity = "clean"         // clean and inspect (plug of passive fibre)
	Test         Activity = "test"          // (link)
	Commission   Activity = "commission"    // bring a fabric into service, rack by rack (box with links of the fabric)
	CorrectPlug  Activity = "correct-plug"  // find and correct a wrong plug (plug)
	SwapOptic    Activity = "swap-optic"    // (transceiver)
	Disconnect   Activity = "disconnect"    // unplug and pull out (cable)
	DismountBox  Activity = "dismount-box"  // (box)
	RemoveRack   Activity = "remove-rack"   // (rack)
)

// Words lists the activities.
func (Activity) Words() []string {
	return []string{
		string(PlaceRack), string(MountBox), string(MountPanel), string(ConnectPower), string(PowerOn),
		string(LayTray), string(LayTrunk), string(PlugOptic), string(Patch), string(Label), string(Clean),
		string(Test), string(Commission), string(CorrectPlug), string(SwapOptic), string(Disconnect),
		string(DismountBox), string(RemoveRack),
	}
}

// Skill is what a person can do. A task is done by people of one skill.
type Skill string

// The skills.
const (
	Rigging Skill = "rigging" // place racks and mount boxes
	Cabling Skill = "cabling" // lay trays, plug and label
	Testing Skill = "testing" // clean, inspect, test and commission
	Power   Skill = "power"   // connect and switch on
)

// Skills lists the skills in the order of a build.
var Skills = []Skill{Rigging, Cabling, Testing, Power}

// Words lists the skills.
func (Skill) Words() []string {
	var out []string
	for _, s := range Skills {
		out = append(out, string(s))
	}
	return out
}

// Span is where both ends of a cable are.
type Span string

// The spans.
const (
	InRack Span = "rack" // in one rack
	InRow  Span = "row"  // in several racks of one row
	InRoom Span = "room" // in several rows
)

// Words lists the spans.
func (Span) Words() []string { return []string{string(InRack), string(InRow), string(InRoom)} }

// Labour is a dated set of figures of work. Its tags drive the reader of files.
type Labour struct {
	Name     string `yaml:"name"`
	Date     string `yaml:"date"` // year or ISO date
	Currency string `yaml:"currency,omitempty"`
	// Figures are searched in order: the first that covers the work applies.
	Figures []Figure `yaml:"figures,omitempty"`
	// Productive is the share of a shift in which people work on their tasks.
	Productive *Share `yaml:"productive,omitempty"`
	// Pay is what an hour of a person costs; the first entry of a skill decides.
	Pay []Pay `yaml:"pay,omitempty"`
	// DeadOnArrival is the share of optics that do not work when they arrive.
	DeadOnArrival *Share `yaml:"dead_on_arrival,omitempty"`
}

// Figure is how long a team takes for one unit of an activity.
type Figure struct {
	Of Activity `yaml:"of"`
	// Media, Span and LongerThan restrict a figure of cables; all cables when left out.
	Media      []catalog.Medium `yaml:"media,omitempty"`
	Span       Span             `yaml:"span,omitempty"`
	LongerThan units.Length     `yaml:"longer_than,omitempty" most:"100000"`
	// MultiFibre restricts a figure of plugs of fibre to those of several fibres, such as MPO.
	MultiFibre bool `yaml:"multi_fibre,omitempty"`
	// Units restricts a figure of boxes to those of at least as many rack units.
	Units int `yaml:"units,omitempty" most:"1000"`
	// Integrated restricts a figure of racks to those that arrive with boxes and cables in them.
	Integrated bool `yaml:"integrated,omitempty"`
	// Parts restricts a figure to boxes, cables or optics by id; a trailing * stands for any rest.
	Parts []string `yaml:"parts,omitempty"`

	Skill  Skill `yaml:"skill"`
	People int   `yaml:"people" jsonschema:"minimum=1" most:"100"` // of the team
	// Minutes are those of the whole team, and PerMetre those for each metre of cable or tray on top.
	Minutes  float64 `yaml:"minutes,omitempty" most:"100000"`
	PerMetre float64 `yaml:"per_metre,omitempty" most:"100000"`
	// Low and High bound Minutes; LowShare and HighShare bound both figures as multiples of them.
	Low        *float64           `yaml:"low,omitempty" most:"100000"`
	High       *float64           `yaml:"high,omitempty" most:"100000"`
	LowShare   *float64           `yaml:"low_share,omitempty" most:"1"`
	HighShare  *float64           `yaml:"high_share,omitempty" most:"1000"`
	Source     string             `yaml:"source"`
	Confidence catalog.Confidence `yaml:"confidence"`
}

// Share is a part of a whole with its bounds.
type Share struct {
	Share      units.Percent      `yaml:"share"`
	Low        *units.Percent     `yaml:"low,omitempty"`
	High       *units.Percent     `yaml:"high,omitempty"`
	Source     string             `yaml:"source"`
	Confidence catalog.Confidence `yaml:"confidence"`
}

// Pay is what an hour of one person costs.
type Pay struct {
	Skill      Skill              `yaml:"skill,omitempty"` // all when left out
	PerHour    float64            `yaml:"per_hour" most:"100000"`
	Low        *float64           `yaml:"low,omitempty" most:"100000"`
	High       *float64           `yaml:"high,omitempty" most:"100000"`
	Source     string             `yaml:"source"`
	Confidence catalog.Confidence `yaml:"confidence"`
}

// language is that of files of labour figures.
var language = strictyaml.Language{
	Empty:  "it has a name, a date and the list figures; docs/building.md has one to start from",
	Second: "a file of labour figures is a single document: remove what begins with this ---",
}

//go:embed data/labour-2026.yaml
var builtIn []byte

// DefaultLabour returns the built-in labour figures.
func DefaultLabour() *Labour {
	l, err := ParseLabour("labour-2026.yaml", builtIn)
	if err != nil {
		panic(err)
	}
	return l
}

// in returns the figures with pay in the currency of the plan's bill, at the rate that the machine file states; the
// figures themselves where it states none.
func (l *Labour) in(plan *machine.Result) *Labour {
	p := &plan.Spec.Prices
	x := catalog.Exchange{Currency: plan.Bill.Currency, Rates: p.Rates, Date: p.RatesDate}
	rate, ok := x.Rate(l.Currency)
	if !ok || l.Currency == x.Currency {
		return l
	}
	out := *l
	out.Currency, out.Pay = x.Currency, nil
	scaled := func(v *float64) *float64 {
		if v == nil {
			return nil
		}
		return new(*v * rate)
	}
	for _, pay := range l.Pay {
		pay.PerHour *= rate
		pay.Low, pay.High = scaled(pay.Low), scaled(pay.High)
		pay.Source += fmt.Sprintf("; %s at %v %s, %s", l.Currency, rate, x.Currency, x.Date)
		out.Pay = append(out.Pay, pay)
	}
	return &out
}

// LoadLabour reads a file of labour figures and puts its entries before the default ones. What the file leaves out is
// as in these. The error is a diag.List with every mistake.
func LoadLabour(path string) (*Labour, error) {
	data, err := strictyaml.ReadFile(path)
	if err != nil {
		return nil, err
	}
	own, err := ParseLabour(path, data)
	if err != nil {
		return nil, err
	}
	base := DefaultLabour()
	if own.Currency != "" && own.Currency != base.Currency && len(own.Pay) == 0 {
		var found diag.List
		found.Addf(diag.Position{File: path}, "the currency is %s and pay is missing: that of %s is in %s",
			own.Currency, base.Name, base.Currency)
		return nil, found
	}
	if own.Currency == "" {
		own.Currency = base.Currency
	}
	if own.Currency == base.Currency {
		own.Pay = append(own.Pay, base.Pay...)
	}
	own.Figures = append(own.Figures, base.Figures...)
	if own.Productive == nil {
		own.Productive = base.Productive
	}
	if own.DeadOnArrival == nil {
		own.DeadOnArrival = base.DeadOnArrival
	}
	return own, nil
}

// ParseLabour reads the text of a file of labour figures, without the default ones. The error is a diag.List with every
// mistake.
func ParseLabour(name string, data []byte) (*Labour, error) {
	l := &Labour{}
	doc := language.Read(name, data, l)
	at := func(path string) func(field, format string, args ...any) {
		return func(field, format string, args ...any) {
			path := diag.Join(path, field)
			doc.Report(path, diag.Fieldf(path, format, args...))
		}
	}
	for i := range l.Figures {
		l.Figures[i].check(at(fmt.Sprintf("figures[%d]", i)))
	}
	if l.Productive != nil {
		l.Productive.check(at("productive"))
		if l.Productive.Share == 0 {
			at("productive")("share", "must be above 0")
		}
	}
	if l.DeadOnArrival != nil {
		l.DeadOnArrival.check(at("dead_on_arrival"))
	}
	for i := range l.Pay {
		p := &l.Pay[i]
		checkBounds(at(fmt.Sprintf("pay[%d]", i)), "per_hour", p.PerHour, p.Low, p.High)
	}
	if l.Currency != "" && (len(l.Currency) != 3 || strings.ToUpper(l.Currency) != l.Currency) {
		at("")("currency", "%q is not a code of three capital letters (ISO 4217), such as USD", l.Currency)
	}
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return l, nil
}

// checkBounds reports bounds that contradict a figure.
func checkBounds(fault func(field, format string, args ...any), of string, figure float64, low, high *float64) {
	if low != nil && *low > figure {
		fault("low", "must not be above %s", of)
	}
	if high != nil && *high < figure {
		fault("high", "must not be below %s", of)
	}
}

func (s *Share) check(fault func(field, format string, args ...any)) {
	if s.Share > 100 {
		fault("share", "must be at most 100 %%")
	}
	checkBounds(fault, "share", float64(s.Share), (*float64)(s.Low), (*float64)(s.High))
}

// cableActivities are the activities whose figures may depend on cables.
var cableActivities = []Activity{Patch, Label, Disconnect, LayTrunk, Test, CorrectPlug}

// check reports what is wrong with the meaning of a figure.
func (f *Figure) check(fault func(field, format string, args ...any)) {
	checkBounds(fault, "minutes", f.Minutes, f.Low, f.High)
	if f.LowShare != nil && f.Low != nil {
		fault("low_share", "state one of low and low_share")
	}
	if f.HighShare != nil && f.High != nil {
		fault("high_share", "state one of high and high_share")
	}
	if f.HighShare != nil && *f.HighShare < 1 {
		fault("high_share", "must be at least 1")
	}
	if f.Minutes == 0 && f.PerMetre == 0 {
		fault("", "the time is missing: state minutes, per_metre or both")
	}
	of := func(field string, given bool, activities ...Activity) {
		if given && !slices.Contains(activities, f.Of) {
			fault(field, "figures of %s do not depend on it", f.Of)
		}
	}
	of("media", len(f.Media) > 0, cableActivities...)
	of("span", f.Span != "", cableActivities...)
	of("longer_than", f.LongerThan > 0, cableActivities...)
	of("per_metre", f.PerMetre > 0, append([]Activity{LayTray}, cableActivities...)...)
	of("multi_fibre", f.MultiFibre, Clean)
	of("units", f.Units > 0, MountBox, DismountBox)
	of("integrated", f.Integrated, PlaceRack)
	of("parts", len(f.Parts) > 0, Patch, Label, Disconnect, LayTrunk, MountBox, DismountBox, PlugOptic, SwapOptic)
}

// subject is the work for which a figure is searched.
type subject struct {
	part       *catalog.Part // nil where it does not matter
	span       Span
	length     units.Length
	multiFibre bool
	integrated bool
}

// covers reports whether the figure applies to an activity on a subject.
func (f *Figure) covers(of Activity, s *subject) bool {
	switch {
	case f.Of != of,
		f.Span != "" && f.Span != s.span,
		s.length <= f.LongerThan && f.LongerThan > 0,
		f.MultiFibre && !s.multiFibre,
		f.Integrated != s.integrated,
		f.Units > 0 && (s.part == nil || s.part.Units < f.Units),
		len(f.Media) > 0 && (s.part == nil || s.part.Cable == nil || !slices.Contains(f.Media, s.part.Cable.Medium)):
		return false
	}
	return len(f.Parts) == 0 || slices.ContainsFunc(f.Parts, func(p string) bool {
		before, any := strings.CutSuffix(p, "*")
		return s.part != nil && (s.part.ID == p || any && strings.HasPrefix(s.part.ID, before))
	})
}

// find returns the index of the first figure that covers the work, -1 if none does.
func (l *Labour) find(of Activity, s *subject) int {
	return slices.IndexFunc(l.Figures, func(f Figure) bool { return f.covers(of, s) })
}

// factors returns the bounds of a figure's minutes as multiples of them.
func (f *Figure) factors() triangle.Triangle {
	low, high := 1.0, 1.0
	switch {
	case f.LowShare != nil:
		low = *f.LowShare
	case f.Low != nil && f.Minutes > 0:
		low = *f.Low / f.Minutes
	}
	switch {
	case f.HighShare != nil:
		high = *f.HighShare
	case f.High != nil && f.Minutes > 0:
		high = *f.High / f.Minutes
	}
	return triangle.New(low, 1, high)
}

// pay returns what an hour of a person of a skill costs; nil where it is not known.
func (l *Labour) pay(skill Skill) *Pay {
	for i := range l.Pay {
		if p := &l.Pay[i]; p.Skill == "" || p.Skill == skill {
			return p
		}
	}
	return nil
}
