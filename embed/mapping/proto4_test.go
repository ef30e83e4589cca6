package mapping
import ("testing";"time";"context";"sort")
func TestCut2(t *testing.T) {
	to := torus3(16)
	for _, k:= range []int{2,16} {
		p := &Problem{Graph: to, Costs: uniform(k)}
		for range k { p.Capacity=append(p.Capacity, int64(4096/k)) }
				ta, err := newTask(p)
				if err != nil {
					t.Fatal(err)
				}
		var got []int
		b:=time.Now()
		for seed := range uint64(20) {
			pl := ta.recursive(context.Background(), seed)
			pl, err := ta.settle(pl, newRandom(1,1))
			if err != nil { t.Fatal(err) }
			got = append(got, int(newState(ta, pl).sum))
		}
		sort.Ints(got)
		t.Log(got, time.Since(b)/10)
	}
}
