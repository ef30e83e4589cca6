package mapping
import ("testing";"time";"context";"sort")
func TestML(t *testing.T) {
	rr := readEdges(t, "../../../shared/data/graphs/rr8_1024.edges")
	to := torus3(16)
	for _, tt := range []struct {
		name  string
		g     *Graph
		w, cap int
	}{{"rr16", rr, 16, 4},{"rr8", rr, 8, 16}, {"t16", to, 16, 16}, {"t8", to, 8, 64}, {"t4", to, 4, 256}} {
				p := &Problem{Graph: tt.g, Costs: Grid(tt.w, tt.w)}
				for range tt.w * tt.w {
					p.Capacity = append(p.Capacity, int64(tt.cap))
				}
				ta, err := newTask(p)
				if err != nil {
					t.Fatal(err)
				}
		var got []int
		b:=time.Now()
		for seed := range uint64(10) {
			pl := ta.recursive(context.Background(), seed)
			pl, err := ta.settle(pl, newRandom(1,1))
			if err != nil { t.Fatal(err) }
			got = append(got, int(newState(ta, pl).sum))
		}
		sort.Ints(got)
		t.Log(tt.name, got, time.Since(b)/10)
	}
}
