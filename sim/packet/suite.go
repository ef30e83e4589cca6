package packet

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/plenum-planner/plenum/topology"
)

// MeanCycles is the mean of the times of runs that differ in their seeds, and
// their standard deviation, which is not a number for a single run.
func MeanCycles(runs []*JobResult) (mean, std float64) {
	cycles := make([]float64, len(runs))
	for i, r := range runs {
		cycles[i] = float64(r.Cycles)
	}
	return stat.MeanStdDev(cycles, nil)
}

// MeanJobCycles is the mean of JobCycles over the jobs of all runs; 0 where a run is of one job.
func MeanJobCycles(runs []*JobResult) float64 {
	sum, jobs := 0.0, 0
	for _, r := range runs {
		for _, cycles := range r.JobCycles {
			sum += float64(cycles)
		}
		jobs += len(r.JobCycles)
	}
	return sum / float64(max(1, jobs))
}

// Phi is the performance of a network against a reference: the sum of the weights
// over the weighted sum of its relative times, 1 for the reference itself (J.
// Navaridas et al., Parallel Computing 36, 2010, section 6.1). It is not a number where there are none.
func Phi(relative, weights []float64) float64 {
	sum, total := 0.0, 0.0
	for i, t := range relative {
		sum += float64(weights[i] * t)
		total += weights[i]
	}
	return total / sum
}

// PhiOver is the phi of the mean times over seeds, and the standard deviation of
// the phi of every seed, which is not a number for a single one. Runs are by workload
// and then by seed, those of the reference with the same seeds. Both are not numbers where there are no runs.
func PhiOver(own, reference [][]*JobResult, weights []float64) (phi, std float64) {
	if len(own) == 0 {
		return math.NaN(), math.NaN()
	}
	relative := make([]float64, len(own))
	for w := range own {
		mean, _ := MeanCycles(own[w])
		base, _ := MeanCycles(reference[w])
		relative[w] = mean / base
	}
	phi = Phi(relative, weights)
	phis := make([]float64, len(own[0]))
	for k := range phis {
		for w := range own {
			relative[w] = float64(own[w][k].Cycles) / float64(reference[w][k].Cycles)
		}
		phis[k] = Phi(relative, weights)
	}
	return phi, stat.StdDev(phis, nil)
}

// PerCost is performance over cost, 1 for the reference (section 6.2): a switch
// costs the same for any number of ports, or as much as it has ports, or the square of
// that. All switches count as having the ports of the largest.
type PerCost struct {
	Constant  float64 `json:"constant"`  // if a switch costs the same for any number of ports
	Linear    float64 `json:"linear"`    // if it costs as much as it has ports
	Quadratic float64 `json:"quadratic"` // if it costs the square of its ports
}

// PhiPerCost divides phi by what the switches of g cost against those of the reference: by number, and by number and
// the ports of the largest.
func PhiPerCost(phi float64, g, reference topology.Graph) PerCost {
	s, r := switches(g)
	s0, r0 := switches(reference)
	count, radix := s0/s, r0/r
	return PerCost{phi * count, phi * count * radix, phi * count * radix * radix}
}

// switches counts what forwards, and the ports of the largest.
func switches(g topology.Graph) (count, radix float64) {
	for _, k := range g.Kinds() {
		if k.Role != topology.Terminal {
			count += float64(k.Count)
			radix = max(radix, float64(k.Ports))
		}
	}
	return count, radix
}
