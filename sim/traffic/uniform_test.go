package traffic

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestUniformReachesAllOthersEqually(t *testing.T) {
	const n, draws = 7, 60000
	p := Uniform(n)
	r := rand.New(rand.NewPCG(1, 2))
	for src := range int32(n) {
		var count [n]int
		for range draws {
			count[p.Destination(src, r)]++
		}
		mean := float64(draws) / (n - 1)
		for dst, got := range count {
			if dst == int(src) {
				if got != 0 {
					t.Errorf("terminal %d sent %d messages to itself", src, got)
				}
				continue
			}
			if math.Abs(float64(got)-mean) > 5*math.Sqrt(mean) {
				t.Errorf("terminal %d sent %d messages to %d, expected about %.0f", src, got, dst, mean)
			}
		}
	}
}

func TestUniformOfOneTerminalIsSilent(t *testing.T) {
	if dst := Uniform(1).Destination(0, nil); dst != -1 {
		t.Errorf("a single terminal sends to %d", dst)
	}
}

func TestUniformAllReachesAllEqually(t *testing.T) {
	const n, draws = 7, 60000
	p := UniformAll(n)
	r := rand.New(rand.NewPCG(1, 2))
	var count [n]int
	for range draws {
		count[p.Destination(3, r)]++
	}
	mean := float64(draws) / n
	for dst, got := range count {
		if math.Abs(float64(got)-mean) > 5*math.Sqrt(mean) {
			t.Errorf("%d messages to %d, expected about %.0f", got, dst, mean)
		}
	}
}
