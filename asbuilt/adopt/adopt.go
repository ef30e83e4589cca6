package adopt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/asbuilt/verify"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// Options has what the sources do not tell.
type Options struct {
	Name string     // of the machine and of its files
	Rate units.Rate // of links for which no source tells it
}

// Machine is a machine that exists, as a machine file.
type Machine struct {
	// Files is the machine file, NAME.yaml, and the files that it names, by name.
	Files map[string][]byte
	// Boxes and Links are how many of them the machine has.
	Boxes, Links int
	// Notes are what was guessed and what was left out, a line each. They stand in the machine file, too.
	Notes []string
	// Compared is the sources held against the plan of the machine.
	Compared *verify.Result

	placed bool
}

// New makes a machine file of what sources say of one machine. It plans the machine in several ways (see trials), with
// files in a temporary directory, compares each plan with the sources, and returns the first without differences, else
// the one with the fewest and a note. The error is a diag.List where the sources contradict each other, that of the
// context, or says that no cable or no plan was found.
func New(ctx context.Context, o Options, sources []*exchange.Wiring) (*Machine, error) {
	sources = exchange.JoinPages(sources)
	j, err := join(sources)
	if err != nil {
		return nil, err
	}
	if len(j.links) == 0 {
		var names []string
		for _, w := range sources {
			names = append(names, w.Source)
		}
		return nil, fmt.Errorf("no cable between two boxes in %s; give a source that has links, such as the output of "+
			"ibnetdiscover, LLDP or a list of cables", english.List(names))
	}
	j.defaultRates(o.Rate)
	d := &draft{o: o, j: j, kinds: j.kinds(), before: j.notes}
	var wrong error
	var best *Machine
	for _, t := range trials {
		if t.placed && !d.hasPlaces() || !t.catalogued && !t.products && !d.hasModels() || t.tight &&
			!hasOtherProducts(best) ||
			!t.placed && best != nil && best.placed {
			continue
		}
		m, err := d.machine(ctx, sources, t)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			wrong = cmp.Or(wrong, err)
			d.giveUp(t, err)
			continue
		case m.Compared.OK && m.Compared.Unknown == 0:
			return m, nil
		case best == nil || len(m.Compared.Differences) < len(best.Compared.Differences):
			best = m
		}
	}
	if best != nil {
		if n := len(best.Compared.Differences); n > 0 {
			best.Notes = append(best.Notes, fmt.Sprintf("%s between this machine and its sources: plenum verify "+
				"says which; a cable that the places make too long is one", english.Count(n, "difference")))
		}
		return best, nil
	}
	return nil, fmt.Errorf("no plan of what the sources say: %w", wrong)
}

// trial is a way to make a machine of what the sources say.
type trial struct {
	catalogued bool // with parts of the catalog where a model is known
	placed     bool // where the sources have the boxes
	tight      bool // with cables that run straight
	products   bool // with parts of the machine's own for the cables that the sources list
}

// trials are tried in turn until one has the machine as it is.
var trials = []trial{
	{true, true, false, false},
	{true, true, true, false},
	{false, true, false, false},
	{false, true, true, false},
	{false, true, true, true},
	{true, false, false, false},
	{true, false, true, false},
	{false, false, false, false},
	{false, false, true, false},
	{false, false, true, true},
}

// hasOtherProducts reports whether a cable of a machine is another product than the one that the sources list.
func hasOtherProducts(m *Machine) bool {
	return m != nil && slices.ContainsFunc(m.Compared.Differences, func(x verify.Difference) bool {
		return x.Kind == verify.WrongProduct
	})
}

// giveUp notes why a trial does not make a machine.
func (d *draft) giveUp(t trial, err error) {
	what := "the parts that were guessed"
	if t.catalogued && d.known {
		what = "parts of the catalog"
	}
	if t.placed {
		what += " at the places of the sources"
	}
	if note := fmt.Sprintf("not with %s: %s", what, firstLine(err)); !slices.Contains(d.before, note) {
		d.before = append(slices.Clip(d.before), note)
	}
}

// firstLine returns the first mistake of a diag.List, or the first line of another error, without temporary paths.
func firstLine(err error) string {
	var list diag.List
	if errors.As(err, &list) && len(list) > 0 {
		return list[0].Message
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return inTemporary.ReplaceAllString(text, "")
}

// inTemporary is the directory in which a machine file is tried, which is another each time.
var inTemporary = lazyregexp.New(`\S*plenum-adopt-\d+/`)

// machine writes, plans and compares a machine.
func (d *draft) machine(ctx context.Context, sources []*exchange.Wiring, t trial) (*Machine, error) {
	m := &Machine{Files: d.write(t), Links: len(d.j.links), placed: t.placed}
	m.Notes = d.notes
	for _, k := range d.kinds {
		m.Boxes += len(k.boxes)
	}
	dir, err := os.MkdirTemp("", "plenum-adopt-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, data := range m.Files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return nil, err
		}
	}
	s, err := machine.Load(filepath.Join(dir, d.o.Name+".yaml"))
	if err != nil {
		return nil, err
	}
	r, err := machine.PlanWith(ctx, s, machine.Options{NoPaths: true})
	if err != nil {
		return nil, err
	}
	p, err := verify.NewPlan(r, "")
	if err != nil {
		return nil, err
	}
	m.Compared = p.Compare(sources)
	return m, nil
}
