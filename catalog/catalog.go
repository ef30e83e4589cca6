package catalog

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/plenum-planner/plenum/diag"
)

// Catalog is a checked collection of parts and price sets. It does not change
// after it is made, so it may be shared between goroutines; the parts and price
// sets it hands out are its own and must not be changed.
type Catalog struct {
	parts []Part     // by id
	sets  []PriceSet // by name
}

//go:embed data/*.yaml
var data embed.FS

var embedded = sync.OnceValue(func() *Catalog {
	parts, sets, err := parseEmbedded()
	if err != nil {
		panic(fmt.Sprintf("catalog: the embedded files are faulty: %v", err))
	}
	return newSorted(parts, sets) // the tests check it, so that no command has to
})

func parseEmbedded() (parts []Part, sets []PriceSet, err error) {
	files, err := data.ReadDir("data")
	if err != nil {
		return nil, nil, err
	}
	var errs []error
	for _, f := range files {
		text, err := data.ReadFile(path.Join("data", f.Name()))
		if err != nil {
			return nil, nil, err
		}
		p, s, err := Parse(text, f.Name())
		errs = append(errs, err)
		parts, sets = append(parts, p...), append(sets, s...)
	}
	return parts, sets, errors.Join(errs...)
}

// Default is the catalog embedded in the binary.
func Default() *Catalog { return embedded() }

// New makes a catalog. The error joins everything that Check finds wrong.
func New(parts []Part, sets []PriceSet) (*Catalog, error) {
	parts = slices.Clone(parts)
	for i := range parts {
		parts[i].labelPorts()
	}
	c := newSorted(parts, sets)
	if err := errors.Join(c.Check()...); err != nil {
		return nil, err
	}
	return c, nil
}

// newSorted returns a catalog that nobody has checked.
func newSorted(parts []Part, sets []PriceSet) *Catalog {
	c := &Catalog{parts: slices.Clone(parts), sets: slices.Clone(sets)}
	slices.SortStableFunc(c.parts, func(a, b Part) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortStableFunc(c.sets, func(a, b PriceSet) int { return cmp.Compare(a.Name, b.Name) })
	for i := range c.sets {
		c.sets[i].base, c.sets[i].index = nil, new(priceIndex)
		if c.sets[i].Base != c.sets[i].Name {
			c.sets[i].base = c.PriceSet(c.sets[i].Base)
		}
	}
	return c
}

// With returns a catalog in which the given parts replace those of the same id and add to the others. A part without
// source or confidence is taken as the user's own word: its confidence becomes User. The receiver, which was checked
// when it was read, stays as it is, and so do the given parts; the receiver is returned if there are none. The error
// joins the mistakes that Check finds.
func (c *Catalog) With(parts []Part) (*Catalog, error) {
	all, faults := c.Draft(parts)
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return all, nil
}

// Draft returns what With returns, and the mistakes of the given parts, which are in the catalog all the same.
func (c *Catalog) Draft(parts []Part) (all *Catalog, faults []error) {
	if len(parts) == 0 {
		return c, nil
	}
	given := slices.Clone(parts)
	for i := range given {
		given[i].Source = cmp.Or(given[i].Source, "given by the user")
		given[i].Confidence = cmp.Or(given[i].Confidence, User)
		given[i].labelPorts()
	}
	all = c.overlaid(given, nil)
	return all, all.check(given)
}

// overlaid is the catalog with parts and sets that go before its own. Nobody has
// checked it.
func (c *Catalog) overlaid(parts []Part, sets []PriceSet) *Catalog {
	ids, names := map[string]bool{}, map[string]bool{}
	for i := range parts {
		ids[parts[i].ID] = true
	}
	for i := range sets {
		names[sets[i].Name] = true
	}
	parts, sets = slices.Clone(parts), slices.Clone(sets)
	for _, p := range c.parts {
		if !ids[p.ID] {
			parts = append(parts, p)
		}
	}
	for _, s := range c.sets {
		if !names[s.Name] {
			sets = append(sets, s)
		}
	}
	return newSorted(parts, sets)
}

// Part returns the part with the given id, or nil if there is none.
func (c *Catalog) Part(id string) *Part {
	i, found := sort.Find(len(c.parts), func(i int) int { return strings.Compare(id, c.parts[i].ID) })
	if !found {
		return nil
	}
	return &c.parts[i]
}

// Parts returns all parts, sorted by id.
func (c *Catalog) Parts() []Part { return slices.Clone(c.parts) }

// Suggest asks whether the nearest id of the given kind (of any kind, if kind is
// empty) was meant by a misspelt one; it is empty if none is near.
func (c *Catalog) Suggest(id string, kind Kind) string {
	var ids []string
	for _, p := range c.parts {
		if kind == "" || p.Kind == kind {
			ids = append(ids, p.ID)
		}
	}
	return diag.Suggest(id, ids, "")
}

// PriceSets returns the names of the price sets, sorted.
func (c *Catalog) PriceSets() []string {
	names := make([]string, len(c.sets))
	for i, s := range c.sets {
		names[i] = s.Name
	}
	return names
}

// PriceSet returns the price set of the given name, or nil if there is none.
func (c *Catalog) PriceSet(name string) *PriceSet {
	i, found := sort.Find(len(c.sets), func(i int) int { return strings.Compare(name, c.sets[i].Name) })
	if !found {
		return nil
	}
	return &c.sets[i]
}
