package cabling

// hashed is a key of a numbering.
type hashed interface {
	comparable
	hash() uint64
}

// numbering numbers keys in the order in which they are first found. It is a hash
// table with open addressing: a map would take as long as all the rest of
// scheduling a cable.
type numbering[K hashed] struct {
	keys  []K
	slots []int32 // number + 1
	last  K
	at    int32 // number of last
}

// find returns the number of a key, from 0, and whether it had one. It numbers a new key.
func (t *numbering[K]) find(k K) (number int32, known bool) {
	if len(t.keys) > 0 && k == t.last {
		return t.at, true
	}
	if 4*len(t.keys) >= 3*len(t.slots) {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	i := k.hash() & mask
	for ; t.slots[i] != 0; i = (i + 1) & mask {
		if n := t.slots[i] - 1; t.keys[n] == k {
			t.last, t.at = k, n
			return n, true
		}
	}
	t.keys = append(t.keys, k)
	t.slots[i] = int32(len(t.keys))
	t.last, t.at = k, int32(len(t.keys)-1)
	return t.at, false
}

func (t *numbering[K]) grow() {
	t.slots = make([]int32, max(1024, 2*len(t.slots)))
	mask := uint64(len(t.slots) - 1)
	for n := range t.keys {
		i := t.keys[n].hash() & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = int32(n + 1)
	}
}
