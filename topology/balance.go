package topology

import (
	"cmp"
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/internal/arith"
)

// DescribeImbalance says in what a member of a family differs from the shape that the family's source calls balanced,
// and which that is; "" for balanced members and for families without such a shape. Two networks of one family compare
// shapes rather than sizes where one of them is unbalanced.
func DescribeImbalance(p Params) string {
	if s, ok := p.(Spec); ok {
		p = s.Params
	}
	switch p := p.(type) {
	case Dragonfly:
		if p.LocalPorts == 0 && (p.A != 2*p.P || p.A != 2*p.H) {
			return fmt.Sprintf("a %d, p %d, h %d; balanced a = 2p = 2h (Kim et al. 2008)", p.A, p.P, p.H)
		}
	case DragonflyPlus:
		spines := cmp.Or(p.Spines, p.A)
		if p.P != spines || p.A != p.H {
			return fmt.Sprintf("p %d for %d spines, h %d for %d leaves; as many up as down in balance (Shpiner et al. "+
				"2017)", p.P, spines, p.H, p.A)
		}
	case HyperX:
		return p.describeImbalance()
	case FlattenedButterfly:
		return HyperX{Dims: p.Dims, Terminals: p.Terminals}.describeImbalance()
	case SlimFly:
		return concentration(p.Terminals, slimFlyDegree(p.Q), "Besta and Hoefler 2014")
	case PolarFly:
		return concentration(p.Terminals, p.Q+1, "Lakhotia et al. 2022")
	case FatTree:
		if p.Taper > 1 || p.Up > 0 && p.Down > p.Up {
			return "tapered: fewer ports up than down"
		}
	case FoldedClos:
		if p.Taper > 1 {
			return "tapered: fewer ports up than down"
		}
	case ThinTree:
		if p.Up < p.Down {
			return fmt.Sprintf("tapered: %d ports up for %d down", p.Up, p.Down)
		}
	}
	return ""
}

// concentration compares the nodes on a router of diameter 2 with half its links, at which random traffic of all nodes
// just loads every link.
func concentration(terminals, links int, source string) string {
	if want := arith.CeilDiv(links, 2); terminals > 0 && terminals != want {
		return fmt.Sprintf("%d nodes a switch; balanced %d, half the links (%s)", terminals, want, source)
	}
	return ""
}

// describeImbalance compares the relative bisection, min K_k S_k/(2 T), with 1/2: the least that carries uniform
// traffic at full rate (J. H. Ahn et al., SC 2009, section 2); above 1, channels stay idle.
func (p HyperX) describeImbalance() string {
	least := math.Inf(1)
	for d, side := range p.Dims {
		width := 1
		if d < len(p.Widths) {
			width = p.Widths[d]
		}
		if side > 1 {
			least = min(least, float64(width*side)/float64(2*p.Terminals))
		}
	}
	if math.IsInf(least, 1) || least >= 0.5 && least <= 1 {
		return ""
	}
	return fmt.Sprintf("relative bisection %.2f; balanced from 0.5, for uniform traffic, to 1 (Ahn et al. 2009)", least)
}
