package asbuilt

// Connected returns the step, from 1, in which each cable of the new plan is plugged in or laid, by its number less 1;
// 0 for cables that stay.
func (d *Difference) Connected() []int32 {
	return steps(len(d.inv[1].cables), d.Steps, func(st *Step) []int32 { return st.In })
}

// Disconnected returns the step, from 1, in which each cable of the old plan is pulled out, by its number less 1; 0 for
// cables that stay.
func (d *Difference) Disconnected() []int32 {
	return steps(len(d.inv[0].cables), d.Steps, func(st *Step) []int32 { return st.Out })
}

// Stood returns the step, from 1, in which each box of the new plan is stood, by its vertex, panels after the boxes; 0
// for those that stay where they are.
func (d *Difference) Stood() []int32 {
	at := steps(len(d.Boxes), d.Steps, func(st *Step) []int32 { return st.Stand })
	return pick(at, d.inv[1].box)
}

// TakenAway returns the step, from 1, in which each box of the old plan is taken from where it stands, by its vertex,
// panels after the boxes; 0 for those that stay where they are.
func (d *Difference) TakenAway() []int32 {
	at := steps(len(d.Boxes), d.Steps, func(st *Step) []int32 { return st.Away })
	return pick(at, d.inv[0].box)
}

// steps returns the number of the step that lists each of n indices, 0 for none.
func steps(n int, all []Step, of func(st *Step) []int32) []int32 {
	out := make([]int32, n)
	for i := range all {
		for _, k := range of(&all[i]) {
			out[k] = int32(i + 1)
		}
	}
	return out
}

func pick(at, of []int32) []int32 {
	out := make([]int32, len(of))
	for v, box := range of {
		out[v] = at[box]
	}
	return out
}
