package embed

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
)

// site is a set of rack positions that are alike for anti-affinity rules and for the racks that may stand there.
type site struct {
	of, block int   // the type of racks and the block of rows
	held      Class // of the racks that stand there, InRack where none do
	// domain has the domain of each type that the positions are in.
	domain [len(domainNames)]int32
}

// apartRack is a rack that holds boxes which anti-affinity rules limit.
type apartRack struct {
	counts []groupCount
	sites  []int32 // where it may stand, the preferred ones first
}

// mostSeparateSteps is the highest number of choices that separateRacks tries.
const mostSeparateSteps = 200_000

// separateRacks chooses a site for every rack, so that each site has no more racks than room and no group more boxes in
// a domain than its rule allows. It is a depth-first search, in which the racks with the fewest sites come first. It
// returns nil if it finds no such choice in mostSeparateSteps; exhausted reports whether there is none.
func separateRacks(groups []antiAffinityGroup, racks []apartRack, sites []site, room []int) (of []int32,
	exhausted bool,
) {
	order := make([]int, len(racks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(len(racks[a].sites), len(racks[b].sites)),
			cmp.Compare(len(racks[b].counts), len(racks[a].counts)))
	})
	type place struct{ group, domain int32 }
	count := map[place]int32{}
	room, of = slices.Clone(room), make([]int32, len(racks))
	steps := 0
	add := func(r *apartRack, s int32, sign int32) {
		room[s] -= int(sign)
		for _, c := range r.counts {
			count[place{c.group, sites[s].domain[groups[c.group].within]}] += sign * c.boxes
		}
	}
	var choose func(n int) bool
	choose = func(n int) bool {
		if n == len(order) {
			return true
		}
		r := &racks[order[n]]
		for _, s := range r.sites {
			if room[s] == 0 || slices.ContainsFunc(r.counts, func(c groupCount) bool {
				g := &groups[c.group]
				return count[place{c.group, sites[s].domain[g.within]}]+c.boxes > g.atMost
			}) {
				continue
			}
			if steps++; steps > mostSeparateSteps {
				return false
			}
			add(r, s, 1)
			of[order[n]] = s
			if choose(n + 1) {
				return true
			}
			add(r, s, -1)
		}
		return false
	}
	if choose(0) {
		return of, false
	}
	return nil, steps <= mostSeparateSteps
}

// separate returns positions of all racks in which the anti-affinity rules hold, nil if separateRacks finds none. It
// moves racks with boxes that rules limit, and racks without such boxes make way. A rack takes positions of its type
// and block only, which are free or held by racks of its own class or of class InRack. Racks of templates with stated
// positions stay.
func (fl *floor) separate(room *layout.Room, places []int32, free []bool) []int32 {
	f := fl.f
	sites, racks, moving := fl.apartSites(room, places, free)
	if len(moving) == 0 {
		return nil
	}
	of, _ := separateRacks(f.antiAffinity.groups, racks, sites.sites, sites.room())
	if of == nil {
		return nil
	}
	out := slices.Clone(places)
	rackAt := make([]int32, len(room.Places))
	for i := range rackAt {
		rackAt[i] = -1
	}
	for r, place := range places {
		rackAt[place] = int32(r)
	}
	var leaving []int // indices in moving
	stays := make([]bool, len(places))
	for i, r := range moving {
		if sites.at[places[r]] == of[i] {
			stays[r] = true
			continue
		}
		leaving = append(leaving, i)
		rackAt[places[r]] = -1
	}
	var displaced []int32
	for _, i := range leaving {
		r, into := moving[i], int32(-1)
		for _, place := range sites.positions[of[i]] {
			if h := rackAt[place]; h < 0 {
				into = place
				break
			} else if into < 0 && !stays[h] {
				into = place
			}
		}
		if into < 0 {
			return nil
		}
		if h := rackAt[into]; h >= 0 {
			displaced = append(displaced, h)
		}
		rackAt[into], out[r], stays[r] = r, into, true
	}
	for _, r := range displaced {
		from, into := &room.Places[places[r]], int32(-1)
		for _, i := range leaving { // positions that were left
			place := places[moving[i]]
			to := &room.Places[place]
			if rackAt[place] < 0 && to.Type == from.Type && sites.block(place) == sites.block(places[r]) {
				into = place
				break
			}
		}
		if into < 0 {
			return nil
		}
		rackAt[into], out[r] = r, into
	}
	return out
}

// apartSites is the sites of a room and their positions.
type apartSites struct {
	sites     []site
	positions [][]int32
	at        []int32 // the site of each position, -1 for none
}

// room returns the number of positions of each site.
func (a *apartSites) room() []int {
	var out []int
	for _, p := range a.positions {
		out = append(out, len(p))
	}
	return out
}

func (a *apartSites) block(place int32) int { return a.sites[a.at[place]].block }

// apartSites lists the sites of a room, without positions of racks that do not move, and the racks that anti-affinity
// rules of domains larger than a rack limit (moving, indices of the filler's racks).
func (fl *floor) apartSites(room *layout.Room, places []int32, free []bool) (
	out *apartSites, racks []apartRack, moving []int32,
) {
	f := fl.f
	out = &apartSites{at: slices.Repeat([]int32{-1}, len(room.Places))}
	var domains [len(domainNames)][]int32
	for within := range domains {
		domains[within] = fl.p.domains(room, Domain(within))
	}
	held := make([]Class, len(room.Places))
	fixed := make([]bool, len(room.Places))
	for r, place := range places {
		held[place] = f.racks[r].home.class
		fixed[place] = f.placedTemplate(int32(r)) != nil
	}
	blocks := (&filled{f: f, room: room, places: places}).blockOf()
	index := map[site]int32{}
	for i := range room.Places {
		if !free[i] || fixed[i] {
			continue
		}
		s := site{of: room.Places[i].Type, block: blocks[room.Places[i].Row], held: held[i]}
		for within := range domains {
			if Domain(within) != RackDomain {
				s.domain[within] = domains[within][i]
			}
		}
		n, known := index[s]
		if !known {
			n = int32(len(out.sites))
			index[s] = n
			out.sites, out.positions = append(out.sites, s), append(out.positions, nil)
		}
		out.positions[n] = append(out.positions[n], int32(i))
		out.at[i] = n
	}
	for r := range f.racks {
		var counts []groupCount
		for _, c := range f.racks[r].state.groupCounts {
			if f.antiAffinity.groups[c.group].within > RackDomain {
				counts = append(counts, c)
			}
		}
		if counts == nil || out.at[places[r]] < 0 {
			continue
		}
		moving = append(moving, int32(r))
		racks = append(racks, apartRack{counts, out.sitesFor(&f.racks[r], room, places[r])})
	}
	return out, racks, moving
}

// sitesFor lists the sites where a rack may stand, the one where it is first and then the nearest.
func (a *apartSites) sitesFor(r *filledRack, room *layout.Room, place int32) []int32 {
	var out []int32
	for s := range a.sites {
		if c := &a.sites[s]; c.of == r.state.of && c.block == r.home.block &&
			(c.held == InRack || c.held == r.home.class) {
			out = append(out, int32(s))
		}
	}
	at := &room.Places[place]
	away := func(s int32) float64 {
		if s == a.at[place] {
			return -1
		}
		to := &room.Places[a.positions[s][0]]
		return float64((to.X - at.X).Abs() + (to.Y - at.Y).Abs())
	}
	slices.SortStableFunc(out, func(s, t int32) int { return cmp.Compare(away(s), away(t)) })
	return out
}

// fewDomains says of a group that is not apart that the racks which hold it have positions in too few domains; "" if
// they have positions in enough.
func (fl *floor) fewDomains(room *layout.Room, places []int32, group int) string {
	f := fl.f
	g := &f.antiAffinity.groups[group]
	free := slices.Repeat([]bool{true}, len(room.Places))
	sites, racks, _ := fl.apartSites(room, places, free)
	domains := map[int32]bool{}
	for _, r := range racks {
		if !slices.ContainsFunc(r.counts, func(c groupCount) bool { return int(c.group) == group }) {
			continue
		}
		for _, s := range r.sites {
			domains[sites.sites[s].domain[g.within]] = true
		}
	}
	need := (len(g.Vertices) + int(g.atMost) - 1) / int(g.atMost)
	if g.within == RackDomain || len(domains) == 0 || need <= len(domains) {
		return ""
	}
	var names []string
	for d := range domains {
		names = append(names, fl.p.domainName(room, g.within, d))
	}
	slices.Sort(names)
	return fmt.Sprintf("it takes %s, and the racks that hold them have positions in %s only",
		english.Count(need, domainNames[g.within]), english.List(names))
}
