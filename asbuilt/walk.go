package asbuilt

import (
	"fmt"

	"github.com/plenum-planner/plenum/internal/english"
)

// walker walks steps: it knows which plug is in which port and who can reach whom, and nothing of how the steps were
// found.
type walker struct {
	*transition
	inPort  map[end]int32 // the plug in each port: cables of the old plan, and len(old)+those of the new
	plugged [2][]bool     // by cable
	there   [2][]bool     // by box: where the old plan has it, where the new plan has it
	up      []bool        // by link
	inWay   [][]int32     // by box: what stands in its new place
}

// walk takes the steps one by one. The error says what cannot be done as a step says, who has no path in spite of it,
// or what is missing at the end.
func (t *transition) walk(steps []Step) error {
	w := &walker{transition: t, inPort: map[end]int32{}, up: make([]bool, len(t.links)), inWay: blockers(t.boxes)}
	for side, inv := range t.inv {
		w.plugged[side] = make([]bool, len(inv.cables))
		w.there[side] = make([]bool, len(t.boxes))
	}
	for v := range t.boxes {
		w.there[0][v] = t.boxes[v].From != nil
		w.there[1][v] = t.boxes[v].Fate == Kept
	}
	for c := range t.inv[0].cables {
		if err := w.plug(0, int32(c)); err != nil {
			return err
		}
	}
	for i := range steps {
		if err := w.step(&steps[i]); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return w.arrived()
}

// step takes one step.
func (w *walker) step(st *Step) error {
	for _, c := range st.Out {
		if !w.plugged[0][c] {
			return fmt.Errorf("cable %s is not there to be disconnected", w.inv[0].s.CableID(int64(c)+1))
		}
		w.plugged[0][c] = false
		for _, e := range w.inv[0].cables[c].ports {
			delete(w.inPort, e)
		}
	}
	if err := w.connected(st); err != nil {
		return err
	}
	for _, v := range st.Away {
		if !w.there[0][v] {
			return fmt.Errorf("%s is not there to be taken away", w.boxes[v].Name)
		}
		w.there[0][v] = false
	}
	for e := range w.inPort {
		if v := e.box(); !w.there[0][v] && !w.there[1][v] {
			return fmt.Errorf("%s is taken away while cables are plugged into it", w.boxes[v].Name)
		}
	}
	for _, v := range st.Stand {
		if w.there[1][v] || w.there[0][v] {
			return fmt.Errorf("%s stands already", w.boxes[v].Name)
		}
		for _, o := range w.inWay[v] {
			if w.there[0][o] {
				return fmt.Errorf("%s stands where %s should", w.boxes[o].Name, w.boxes[v].Name)
			}
		}
		w.there[1][v] = true
	}
	for _, c := range st.In {
		if err := w.plug(1, c); err != nil {
			return err
		}
	}
	return w.connected(st)
}

// plug plugs in a cable.
func (w *walker) plug(side int, c int32) error {
	if w.plugged[side][c] {
		return fmt.Errorf("cable %s is plugged in already", w.inv[side].s.CableID(int64(c)+1))
	}
	w.plugged[side][c] = true
	for _, e := range w.inv[side].cables[c].ports {
		if _, taken := w.inPort[e]; taken && side == 1 {
			return fmt.Errorf("cable %s: its port at %s is taken", w.inv[side].s.CableID(int64(c)+1),
				w.boxes[e.box()].Name)
		}
		if v := e.box(); !w.there[side][v] {
			return fmt.Errorf("cable %s: %s does not stand yet", w.inv[side].s.CableID(int64(c)+1), w.boxes[v].Name)
		}
		w.inPort[e] = c
	}
	return nil
}

// state finds which links are up: those all of whose cables are plugged in.
func (w *walker) state() {
	clear(w.up)
	var link int32
	for range w.links {
		if w.changeOf[link] >= 0 {
			break
		}
		w.up[link] = true
		link++
	}
	for side := range w.changes {
		for i := range w.changes[side] {
			c := &w.changes[side][i]
			up := true
			for _, k := range c.cables {
				up = up && w.plugged[side][k]
			}
			for _, k := range c.trunks {
				up = up && w.plugged[side][k]
			}
			for _, v := range c.boxes {
				up = up && w.there[side][v]
			}
			for _, l := range c.links {
				w.up[l] = up
			}
		}
	}
}

// connected reports whether all have their paths, those left out that a step cuts off.
func (w *walker) connected(st *Step) error {
	w.state()
	up := func(i int32) bool { return w.up[i] }
	off := map[Cut]bool{}
	for _, c := range st.Cut {
		off[c] = true
	}
	for _, n := range w.networks {
		exempt := make([]bool, len(n.ends))
		for e, v := range n.ends {
			exempt[e] = off[Cut{v, n.name}]
		}
		if cut := n.cut(w.links, up, exempt); len(cut) > 0 {
			return fmt.Errorf("%s without a path, %s among them", english.Count(len(cut), "box"),
				w.boxes[n.ends[cut[0]]].Name)
		}
		if !n.enough(w.links, up, exempt, st.Paths) {
			return fmt.Errorf("fewer than %d paths", st.Paths)
		}
	}
	return nil
}

// arrived reports whether the machine is that of the new plan.
func (w *walker) arrived() error {
	for c := range w.inv[0].cables {
		if w.plugged[0][c] != (w.pairs.of[0][c] == stays) {
			return fmt.Errorf("in the end cable %s of the old plan is not where it belongs",
				w.inv[0].s.CableID(int64(c)+1))
		}
	}
	for c := range w.inv[1].cables {
		if w.plugged[1][c] == (w.pairs.of[1][c] == stays) {
			return fmt.Errorf("in the end cable %s of the new plan is missing", w.inv[1].s.CableID(int64(c)+1))
		}
	}
	for v := range w.boxes {
		b := &w.boxes[v]
		if w.there[1][v] != (b.To != nil) || w.there[0][v] && b.Fate != Kept {
			return fmt.Errorf("in the end %s is not where it belongs", b.Name)
		}
	}
	return nil
}
