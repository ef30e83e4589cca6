package mapping

// occupancy keeps count of what stands in every container.
type occupancy struct {
	*instance
	load    []int64          // by container and resource
	members map[uint64]int32 // members of apart groups by group and container
}

func newOccupancy(t *instance) *occupancy {
	r := &occupancy{instance: t, load: make([]int64, len(t.capacity))}
	if t.groups != nil {
		r.members = make(map[uint64]int32)
	}
	return r
}

// add puts v on place p, remove takes it away.
func (r *occupancy) add(v, p int32)    { r.count(v, p, 1) }
func (r *occupancy) remove(v, p int32) { r.count(v, p, -1) }

func (r *occupancy) count(v, p int32, sign int64) {
	if r.simple {
		r.load[p] += sign
		return
	}
	size := r.size[int(v)*r.resources:][:r.resources]
	for _, c := range r.within[int(p)*r.layers:][:r.layers] {
		load := r.load[int(c)*r.resources:][:r.resources]
		for i, s := range size {
			load[i] += sign * s
		}
	}
	if r.groups != nil {
		for i, group := range r.groups[v] {
			r.members[r.memberKey(group, p)] += int32(sign) * r.times[v][i]
		}
	}
}

func (r *occupancy) memberKey(group, p int32) uint64 {
	c := r.within[int(p)*r.layers+r.apart[group].Layer]
	return uint64(group)<<32 | uint64(uint32(c))
}

// fits reports whether v, which stands nowhere, may stand on p.
func (r *occupancy) fits(v, p int32) bool {
	if r.simple {
		return r.load[p] < r.capacity[p]
	}
	if !r.isAllowed(v, p) {
		return false
	}
	size := r.size[int(v)*r.resources:][:r.resources]
	for _, c := range r.within[int(p)*r.layers:][:r.layers] {
		for i, s := range size {
			// A load never exceeds its capacity, so nothing overflows.
			if k := int(c)*r.resources + i; s > r.capacity[k]-r.load[k] {
				return false
			}
		}
	}
	if r.groups != nil {
		for i, group := range r.groups[v] {
			if int64(r.members[r.memberKey(group, p)])+int64(r.times[v][i]) > int64(r.apart[group].AtMost) {
				return false
			}
		}
	}
	return true
}

// canMove reports whether v may go from a, where it is, to b by the rules; pins are not checked.
func (r *occupancy) canMove(v, a, b int32) bool {
	if r.simple {
		return r.load[b] < r.capacity[b]
	}
	if !r.isAllowed(v, b) {
		return false
	}
	r.remove(v, a)
	ok := r.fits(v, b)
	r.add(v, a)
	return ok
}

// canSwap reports whether v on a and u on b may change places by the rules; pins are not checked.
func (r *occupancy) canSwap(v, u, a, b int32) bool {
	if r.simple {
		return true
	}
	if !r.isAllowed(v, b) || !r.isAllowed(u, a) {
		return false
	}
	r.remove(v, a)
	r.remove(u, b)
	ok := r.fits(v, b)
	if ok {
		r.add(v, b)
		ok = r.fits(u, a)
		r.remove(v, b)
	}
	r.add(v, a)
	r.add(u, b)
	return ok
}
