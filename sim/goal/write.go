package goal

import (
	"bufio"
	"io"
	"strconv"
)

// Write writes a schedule as the text that Read and LogGOPSim's txt2bin read. The
// operations of a rank are labelled l1, l2 ... in their order.
func Write(w io.Writer, s *Schedule) error {
	out := bufio.NewWriterSize(w, 1<<16)
	line := make([]byte, 0, 128)
	out.WriteString("num_ranks " + strconv.Itoa(s.Ranks()) + "\n")
	type need struct {
		op, on int32
		start  bool
	}
	var needs, sorted []need
	for rank := range s.Ranks() {
		from, to := s.Of(rank)
		out.WriteString("\nrank " + strconv.Itoa(rank) + " {\n")
		needs = needs[:0]
		at := make([]int32, to-from+1)
		for i := from; i < to; i++ {
			for _, d := range s.Dependents(i) {
				needs = append(needs, need{d.Op(), i, d.OnStart()})
				at[d.Op()-from+1]++
			}
		}
		for i := range to - from {
			at[i+1] += at[i]
		}
		sorted = append(sorted[:0], needs...)
		next := append([]int32(nil), at...)
		for _, n := range needs {
			sorted[next[n.op-from]] = n
			next[n.op-from]++
		}
		for i := from; i < to; i++ {
			line = append(strconv.AppendInt(append(line[:0], 'l'), int64(i-from)+1, 10), ": "...)
			out.Write(append(append(line, s.ops[i].text()...), '\n'))
		}
		for _, n := range sorted {
			line = strconv.AppendInt(append(line[:0], 'l'), int64(n.op-from)+1, 10)
			word := " requires l"
			if n.start {
				word = " irequires l"
			}
			line = strconv.AppendInt(append(line, word...), int64(n.on-from)+1, 10)
			out.Write(append(line, '\n'))
		}
		out.WriteString("}\n")
	}
	return out.Flush()
}
