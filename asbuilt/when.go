package asbuilt

// Connected returns, for every cable of the new plan, the number of the step in which it is plugged in or laid. Steps
// are numbered from 1; 0 is for cables that stay. The index is the number of the cable less 1.
func (d *Difference) Connected() []int32 {
	return stepNumbers(len(d.inv[1].cables), d.Steps, func(st *Step) []int32 { return st.In })
}

// Disconnected returns, for every cable of the old plan, the number of the step in which it is pulled out. Steps are
// numbered from 1; 0 is for cables that stay. The index is the number of the cable less 1.
func (d *Difference) Disconnected() []int32 {
	return stepNumbers(len(d.inv[0].cables), d.Steps, func(st *Step) []int32 { return st.Out })
}

// Stood returns, for every box of the new plan, the number of the step in which it is mounted in its place: a new box,
// or one that moves. Steps are numbered from 1; 0 is for boxes that stay where they are. The index is the vertex of the
// box; panels follow the vertices.
func (d *Difference) Stood() []int32 {
	at := stepNumbers(len(d.Boxes), d.Steps, func(st *Step) []int32 { return st.Stand })
	return byVertex(at, d.inv[1].box)
}

// TakenAway returns, for every box of the old plan, the number of the step in which it is removed from its place: a box
// that is not in the new plan, or one that moves. Steps are numbered from 1; 0 is for boxes that stay where they are.
// The index is the vertex of the box; panels follow the vertices.
func (d *Difference) TakenAway() []int32 {
	at := stepNumbers(len(d.Boxes), d.Steps, func(st *Step) []int32 { return st.Away })
	return byVertex(at, d.inv[0].box)
}

// stepNumbers returns the number, from 1, of the step that lists each of the indices 0 to n-1; 0 for those that no step
// lists. listed returns the indices of a step.
func stepNumbers(n int, all []Step, listed func(st *Step) []int32) []int32 {
	out := make([]int32, n)
	for i := range all {
		for _, k := range listed(&all[i]) {
			out[k] = int32(i + 1)
		}
	}
	return out
}

// byVertex returns values by vertex, given values by box and the box of each vertex.
func byVertex(values, box []int32) []int32 {
	out := make([]int32, len(box))
	for v, b := range box {
		out[v] = values[b]
	}
	return out
}
