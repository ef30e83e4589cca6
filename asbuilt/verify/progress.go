package verify

// Rack is how far a rack is cabled, or an innermost container of a machine without racks. A link between two racks
// counts in both, one within a rack once.
type Rack struct {
	Rack    string `json:"rack"`    // its name
	Planned int    `json:"planned"` // links that end in it
	Right   int    `json:"right"`   // those that are as planned
	Missing int    `json:"missing"` // those that are not there, with nothing else in their ports
	Wrong   int    `json:"wrong"`   // those that differ otherwise
	Unknown int    `json:"unknown"` // those that no source sees
}

// racks counts the links of every rack with a planned link, in the order of places; it is never nil. It counts those of
// one fabric if only that is compared. An end of a box outside all racks is not counted.
func (s *sight) racks(faults []fault) []Rack {
	p := s.p
	kind := s.kinds(faults)
	lay := p.schedule.Placement.Layout
	level := lay.Stands()
	var count []Rack // by number of the container
	at := func(port int32) int32 { return lay.Container(level, p.schedule.Placement.Slot[p.vertex(port)]) }
	for i := range p.links {
		l := &p.links[i]
		if p.only >= 0 && l.fabric != p.only {
			continue
		}
		a, b := at(l.a), at(l.b)
		for _, c := range [2]int32{a, b} {
			if c < 0 {
				continue // of a box that stands in none
			}
			for int(c) >= len(count) {
				count = append(count, Rack{})
			}
			k := &count[c]
			k.Planned++
			switch {
			case kind[i] == Missing:
				k.Missing++
			case kind[i] != "":
				k.Wrong++
			case s.at[l.a] >= 0: // nothing differs
				k.Right++
			default:
				k.Unknown++
			}
			if a == b {
				break
			}
		}
	}
	out := []Rack{}
	for c := range count {
		if count[c].Planned > 0 {
			count[c].Rack = lay.ContainerName(level, int32(c))
			out = append(out, count[c])
		}
	}
	return out
}
