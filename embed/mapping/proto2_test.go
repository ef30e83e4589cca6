package mapping
import ("testing";"math")
func TestCurve(t *testing.T) {
	rr := readEdges(t, "../../../shared/data/graphs/rr8_1024.edges")
	to := torus3(16)
	for _, tt := range []struct {
		name  string
		g     *Graph
		w, cap int
	}{{"rr16", rr, 16, 4}, {"t16", to, 16, 16}, {"t4", to, 4, 256}} {
				p := &Problem{Graph: tt.g, Costs: Grid(tt.w, tt.w)}
				for range tt.w * tt.w {
					p.Capacity = append(p.Capacity, int64(tt.cap))
				}
				ta, err := newTask(p)
				if err != nil {
					t.Fatal(err)
				}
				n := tt.g.Vertices()
				place := make([]int32, n)
				for v := range place {
					place[v] = int32(v / tt.cap)
				}
				newRandom(1, 1).shuffle(place)
				s := newState(ta, place)
				near := make([]int32, 0)
				for q := range tt.w * tt.w {
					x, y := q%tt.w, q/tt.w
					near = append(near, int32(q))
					for _, d := range [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
						xx, yy := min(max(x+d[0], 0), tt.w-1), min(max(y+d[1], 0), tt.w-1)
						near = append(near, int32(xx+yy*tt.w))
					}
				}
				w := newWalker(s, near, 5, newRandom(1, 2))
	for T:=64.;T>.1;T*=.84 {
		 sum,sq:=0.,0.
		 w.taken=0
		 const K=500000
		 for range K { w.step(T); x:=float64(w.sum); sum+=x; sq+=x*x }
		 m:=sum/K
		 t.Logf("%s T %.3f E %.0f sd %.1f acc %.4f C %.2f", tt.name, T, m, math.Sqrt(sq/K-m*m), float64(w.taken)/K, (sq/K-m*m)/T/T)
	}
	}
}
