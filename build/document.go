package build

import (
	"time"

	"github.com/plenum-planner/plenum/asbuilt"
	"github.com/plenum-planner/plenum/catalog"
)

// All stands for all racks in Options.Integrated.
const All = "all"

// OneTeam is where one team works at a time.
type OneTeam string

// The places.
const (
	PerRack OneTeam = "rack" // in a rack: a team that patches between two racks takes both
	PerRow  OneTeam = "row"  // at a row
	PerNone OneTeam = "none" // any number of teams anywhere
)

// Words lists the places.
func (OneTeam) Words() []string { return []string{string(PerRack), string(PerRow), string(PerNone)} }

// DefaultPeople is how many people of each skill work in a shift where nothing is said.
var DefaultPeople = map[Skill]int{Rigging: 4, Cabling: 8, Testing: 4, Power: 2}

// DefaultWrong are the shares of wrong plugs, in per cent, for which the corrections are estimated: no published share
// was found.
var DefaultWrong = []float64{0.1, 0.5, 1, 3}

// Options are what a build is planned with.
type Options struct {
	Labour *Labour       // the default figures when nil
	People map[Skill]int // in each shift; of DefaultPeople where a skill is left out
	// Calendar is when people work; one shift of 8 hours from Monday to Friday when its Shifts are 0. The productive
	// share is that of Labour when 0.
	Calendar Calendar
	// Ordered is the day on which parts are ordered, from which their lead times count; the first day when zero.
	Ordered time.Time
	// PlannedStart is the first day of the calendar without progress, with which what is left is compared, and on which
	// parts count as ordered when Ordered is zero; the start of Calendar when zero.
	PlannedStart time.Time
	// Integrated names racks or types of racks that arrive with boxes and cables in them; All for all.
	Integrated []string
	OneTeam    OneTeam // PerRack when empty
	// First are fabrics that are needed before the others, the most urgent first.
	First []string
	// From is the difference to the plan that the machine grows from, which must lead to the plan that is built; nil
	// for all of the machine. What a step pulls out is pulled out when the links of all steps before are tested, so
	// that what the steps keep up stays up.
	From     *asbuilt.Difference
	Remove   bool      // plan the removal of the machine instead
	Progress *Progress // nil where nothing is done
	Wrong    []float64 // shares of wrong plugs in per cent; DefaultWrong when nil
	Draws    int       // of figures that are ranges, at least 1; from 20 to 100, fewer for many tasks, when 0
	Seed     uint64    // of these draws
}

// Document is the plan of a build. Of makes it; a zero Document is not usable.
type Document struct {
	Machine string `json:"machine"`         // its name
	Labour  string `json:"labour"`          // the set of labour figures
	Date    string `json:"date"`            // of the set
	Work    string `json:"work"`            // `build`, or `removal` of the machine
	Start   string `json:"start"`           // the first day, an ISO date; empty where none is given
	End     string `json:"end"`             // the last day, likewise
	People  []Crew `json:"people"`          // who works in each shift
	PerDay  int64  `json:"minutes_per_day"` // working minutes of a day: those of the shifts that are productive
	// Hours is how long the build takes, in working hours, and Days in working days.
	Hours float64 `json:"duration_h"`
	Days  int     `json:"days"` // working days
	// Range is the duration when labour figures that are ranges are drawn from triangles; of the same people.
	Range Quantiles `json:"duration_h_range"`
	// LowerBound is a time before which no schedule with these people ends, in working hours.
	LowerBound float64 `json:"lower_bound_h"`
	// whether all smaller numbers of people were tried, so that one more person never makes it later
	Tried bool `json:"fewer_people_tried"`

	// CriticalPath is a longest chain of tasks that depend on each other, with any number of people.
	CriticalPath  []Step  `json:"critical_path"`
	CriticalHours float64 `json:"critical_path_h"` // when it ends, in working hours
	// Chain is what makes the end of this schedule: each task begins when the one before it ends, which it depends on
	// or whose people or place it takes.
	Chain []Step `json:"chain"`

	// GrownFrom is the machine whose steps to this one are scheduled; left out without a growth.
	GrownFrom string `json:"grown_from,omitempty"`
	Steps     int    `json:"steps,omitempty"` // of the growth
	// Disconnected is how many cables of the smaller machine are pulled out.
	Disconnected int64 `json:"disconnected,omitempty"`

	Racks  int   `json:"racks"`  // that are placed, or removed
	Boxes  int64 `json:"boxes"`  // that are mounted, or dismounted
	Cables int64 `json:"cables"` // that are patched or laid as trunks, or disconnected
	Links  int64 `json:"links"`  // that they carry
	// LinksPerDay is the mean number of links that are plugged in a day, from the first to the last day on which some
	// are; RacksPerDay is the same of racks that are placed.
	LinksPerDay float64 `json:"links_per_day"`
	RacksPerDay float64 `json:"racks_per_day"` // from the first to the last day on which some are placed
	ByDay       []Day   `json:"by_day"`        // what is finished on each working day

	Activities  []Effort  `json:"activities"`         // the work, by activity
	PersonHours Range     `json:"person_hours"`       // of all activities
	HoursRange  Quantiles `json:"person_hours_range"` // when figures that are ranges are drawn from triangles
	Currency    string    `json:"currency"`           // of costs
	Cost        *Range    `json:"cost"`               // of the hours; null where some have no pay
	BySpan      []Install `json:"by_span"`            // what it costs to install a cable, as lines of a quote

	Fabrics    []Ready    `json:"fabrics"`    // when each is in service
	Deliveries []Delivery `json:"deliveries"` // what the work waits for
	// Orders is when parts with a lead time have to be ordered; empty where no start is given.
	Orders     []Order   `json:"orders"`
	Mistakes   []Mistake `json:"mistakes"`    // expected wrong plugs
	DeadOptics *Dead     `json:"dead_optics"` // expected on arrival; null where there are none
	Stages     []Stage   `json:"stages"`      // when what is tested
	Progress   *Done     `json:"progress"`    // null without a progress table
	// Forecast compares the schedule with the calendar without progress; left out without a progress table, and where
	// the people are too few for all of the work.
	Forecast *Forecast `json:"forecast,omitempty"`
	// Closeout counts what the closeout package has; left out without one.
	Closeout *Closeout `json:"closeout,omitempty"`
	Tasks    int       `json:"tasks"` // of the schedule
	Notes    []string  `json:"notes"` // what the figures leave out

	project  *project
	schedule *Schedule
	dates    []string
}

// Crew is how many people of a skill work in each shift.
type Crew struct {
	// Skill is `rigging`, `cabling`, `testing` or `power`.
	Skill  Skill `json:"skill"`
	People int   `json:"people"` // in each shift
	// Used is how many of them the schedule takes.
	Used int `json:"used"`
	// Busy is the share of the duration in which they work.
	Busy float64 `json:"busy"`
}

// Step is a task of a chain.
type Step struct {
	Task  string  `json:"task"`    // what is done, and where
	Begin float64 `json:"begin_h"` // in working hours from the begin of the build
	End   float64 `json:"end_h"`   // in working hours from the begin of the build
	// Why is what it waits for: `after`, what it depends on; `people`; `place`; `delivery` of a part; empty of the
	// first.
	Why string `json:"why,omitempty"`
}

// Quantiles are the values that 10, 50 and 90 per cent of the draws stay below.
type Quantiles struct {
	P10 float64 `json:"p10"` // 10 per cent of the draws are below
	P50 float64 `json:"p50"` // 50 per cent
	P90 float64 `json:"p90"` // 90 per cent
}

// Range is an estimate with its bounds.
type Range struct {
	Low    float64 `json:"low"`    // the least
	Likely float64 `json:"likely"` // the likely figure
	High   float64 `json:"high"`   // the most
}

// Day is what is finished on a working day.
type Day struct {
	Day    int               `json:"day"`            // from 1
	Date   string            `json:"date,omitempty"` // left out where no start is given
	Racks  int               `json:"racks"`          // placed or removed
	Boxes  int64             `json:"boxes"`          // mounted or dismounted
	Cables int64             `json:"cables"`         // patched or disconnected
	Links  int64             `json:"links"`          // plugged in or out
	Hours  map[Skill]float64 `json:"person_hours"`   // that people work on this day, by skill
}

// Effort is the work of an activity.
type Effort struct {
	Of     Activity `json:"activity"`         // such as `patch`
	Skill  Skill    `json:"skill"`            // of those who do it
	Pieces int64    `json:"pieces"`           // racks, boxes, cables, plugs, links
	Metres float64  `json:"metres,omitempty"` // of cable or tray, where the time depends on it
	Hours  Range    `json:"person_hours"`     // of all of them
	Cost   *Range   `json:"cost"`             // null where the pay is not known
	Source string   `json:"source"`           // where the figure is from
	// Confidence is how good the figure is.
	Confidence catalog.Confidence `json:"confidence"`
}

// Install is what it costs to clean, patch, label and test cables that run in one rack, one row or the room.
type Install struct {
	Span   Span     `json:"span"`              // `rack`, `row` or `room`
	Cables int64    `json:"cables"`            // of the build
	Hours  float64  `json:"person_hours_each"` // of one cable
	Cost   *float64 `json:"cost_each"`         // null where the pay is not known
}

// Ready is when a fabric is in service.
type Ready struct {
	Fabric string  `json:"fabric"`         // its name; empty where the machine has one network
	Hours  float64 `json:"ready_h"`        // in working hours
	Day    int     `json:"day"`            // from 1
	Date   string  `json:"date,omitempty"` // left out where no start is given
}

// Delivery is a part that work waits for.
type Delivery struct {
	Part string  `json:"part"`           // its id, of cables with the length
	Lead float64 `json:"lead_time_days"` // of the calendar
	Day  int     `json:"day"`            // the working day, from 1, on which it is there
	Date string  `json:"date,omitempty"` // left out where no start is given
	// Tasks is how many tasks begin no earlier because of it.
	Tasks int `json:"tasks"`
	// Begun is how many of them begin in the very minute in which it is there.
	Begun int `json:"begun_at_once"`
}

// Order is when a part has to be ordered so that no task of the schedule begins later.
type Order struct {
	Part  string  `json:"part"`           // its id, of cables with the length
	Lead  float64 `json:"lead_time_days"` // of the calendar
	By    string  `json:"order_by"`       // the last date on which it can be ordered
	Begin string  `json:"needed"`         // the date on which the first task begins that needs it
	Task  string  `json:"task"`           // the name of that task
}

// Mistake is what a share of wrong plugs comes to.
type Mistake struct {
	Percent float64 `json:"percent"`     // of all plugs
	Wrong   float64 `json:"wrong_plugs"` // expected among all plugs
	// AtOnce is the work of finding and correcting them when every bundle is checked after it is patched; Late is that
	// when they are found after the commissioning: then the two links of a plug are tested again, and their racks
	// commissioned again.
	AtOnce float64 `json:"person_hours_at_once"`
	Late   float64 `json:"person_hours_late"` // when they are found after the commissioning
}

// Dead is optics that do not work on arrival.
type Dead struct {
	Optics     int64              `json:"optics"`       // that are plugged
	Dead       Range              `json:"dead"`         // expected among them
	Hours      float64            `json:"person_hours"` // of swapping the likely number
	Source     string             `json:"source"`       // where the share is from
	Confidence catalog.Confidence `json:"confidence"`   // how good it is
}

// Stage is a stage of tests.
type Stage struct {
	Stage string `json:"stage"`     // when it comes
	Check string `json:"check"`     // what is looked at, and with which command
	Tasks int    `json:"tasks"`     // of the schedule
	First int    `json:"first_day"` // from 1
	Last  int    `json:"last_day"`  // from 1
}

// Done is what a progress table says.
type Done struct {
	Cables int64 `json:"cables"` // that are done
	Left   int64 `json:"left"`   // that are not
	// Factor is the measured time of a cable as a multiple of the figures, the median of Measured cables; the cables
	// that are left take this multiple. 0 where too few have times.
	Factor   float64 `json:"factor,omitempty"`
	Measured int     `json:"measured"` // cables whose times are known
}

// Closeout counts what a closeout package has.
type Closeout struct {
	Complete bool  `json:"complete"` // whether every planned link was seen and nothing differs
	Links    int   `json:"links"`    // planned
	Right    int   `json:"right"`    // links that are seen and as planned
	Unknown  int   `json:"unknown"`  // links that no source sees
	Spares   int64 `json:"spares"`   // pieces on the bill beyond what the machine takes
	// Differences is how many differences there are, of links and of places.
	Differences int `json:"differences"`
	// Conflicts is how many of them are links that the progress table has as done, and other sources have not.
	Conflicts int `json:"conflicts,omitempty"`
}
