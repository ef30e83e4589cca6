package traffic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Injection is a process that says when a terminal of an open loop makes its
// messages. Time counts in cycles; each terminal has a process of its own.
type Injection struct {
	// Rate is the mean number of messages per cycle and terminal, greater than 0
	// and at most 1.
	Rate float64
	// Burst is the mean number of messages in a burst, at least 1; 0 means
	// Bernoulli: every cycle makes a message with probability Rate.
	Burst float64
	// Within is the number of cycles from one message of a burst to the next, at
	// least 1: the length of a message in phits for bursts at the full rate of
	// the terminal's link.
	Within int64
}

// Check reports what is wrong with the numbers.
func (p Injection) Check() error {
	switch {
	case !(p.Rate > 0 && p.Rate <= 1):
		return fmt.Errorf("the rate must be above 0 and at most 1 message per cycle, not %v", p.Rate)
	case p.Burst == 0:
		return nil
	case !(p.Burst >= 1 && p.Burst <= 1e9):
		return fmt.Errorf("a burst must have from 1 to 1e9 messages, not %v", p.Burst)
	case p.Within < 1:
		return fmt.Errorf("the messages of a burst must be at least 1 cycle apart, not %d", p.Within)
	case p.Rate*float64(p.Within) > 1:
		return fmt.Errorf("bursts with a message every %d cycles cannot reach %v messages per cycle", p.Within, p.Rate)
	}
	return nil
}

// First returns the cycle, from 0, of a terminal's first message.
func (p Injection) First(r *rand.Rand) int64 {
	if p.Burst == 0 {
		return geometric(p.Rate, r) - 1
	}
	// Bursts of different terminals start at different places of the mean period
	// of a burst.
	return int64(min(r.Float64()*p.Burst/p.Rate, 1<<62))
}

// Gap returns the number of cycles, at least 1, from one message of a terminal to
// its next. Bernoulli gaps are geometric with mean 1/Rate. A burst goes on with
// probability 1 - 1/Burst after each of its messages; the pause after it, beyond
// Within, is geometric and as long as the mean rate asks for: the two-state Markov
// modulated process of Dally and Towles 2004, section 24.2.2.
func (p Injection) Gap(r *rand.Rand) int64 {
	if p.Burst == 0 {
		return geometric(p.Rate, r)
	}
	pause := p.Burst * (1/p.Rate - float64(p.Within))
	if pause <= 0 || r.Float64() >= 1/p.Burst {
		return p.Within
	}
	return p.Within + geometric(1/(pause+1), r) - 1
}

// geometric draws the number of trials up to the first success: that after which an
// exponential variable ends whose rate is -ln(1 - success) a trial.
func geometric(success float64, r *rand.Rand) int64 {
	if success >= 1 {
		return 1
	}
	n := math.Ceil(r.ExpFloat64() / -math.Log1p(-success))
	return int64(min(max(n, 1), math.MaxInt32))
}

// ParseInjection reads "bernoulli" or "burst:N", bursts of N messages on average,
// which follow each other at the full rate of a link: one message per phits
// cycles. rate is in messages per cycle. With an error, the process must not be used.
func ParseInjection(text string, rate float64, phits int64) (Injection, error) {
	name, arg, _ := strings.Cut(text, ":")
	p := Injection{Rate: rate}
	switch strings.ToLower(name) {
	case "bernoulli":
		if arg != "" {
			return p, fmt.Errorf("injection %q: bernoulli takes no argument", text)
		}
	case "burst":
		n, err := strconv.ParseFloat(arg, 64)
		if err != nil || !(n >= 1) {
			return p, fmt.Errorf("injection %q: expected burst:N with the mean number of messages of a burst, at "+
				"least 1", text)
		}
		p.Burst, p.Within = n, phits
	default:
		return p, unknownName("injection process", name, []string{"bernoulli", "burst"})
	}
	if err := p.Check(); err != nil {
		return p, fmt.Errorf("injection %q: %w", text, err)
	}
	return p, nil
}
