package budget

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// sizes are the suffixes of amounts of memory, in lower case, and their numbers of bytes.
var sizes = []struct {
	suffix string
	bytes  float64
}{
	{"kib", 1 << 10},
	{"mib", 1 << 20},
	{"gib", 1 << 30},
	{"tib", 1 << 40},
	{"kb", 1e3},
	{"mb", 1e6},
	{"gb", 1e9},
	{"tb", 1e12},
	{"k", 1e3},
	{"m", 1e6},
	{"g", 1e9},
	{"t", 1e12},
	{"b", 1},
}

// ParseSize reads an amount of memory: "4 GB", "512MiB", "2g". It must be from 64 MB, which the program itself takes,
// to 1 PB.
func ParseSize(text string) (int64, error) {
	number, unit := strings.ToLower(strings.TrimSpace(text)), 0.0
	for _, s := range sizes {
		if rest, ok := strings.CutSuffix(number, s.suffix); ok {
			number, unit = strings.TrimSpace(rest), s.bytes
			break
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || unit == 0 || math.IsNaN(n) {
		return 0, fmt.Errorf("%.60q is not an amount of memory like 4 GB or 512 MiB", text)
	}
	bytes := n * unit
	if bytes < least || bytes > most {
		return 0, fmt.Errorf("%.60q is not from %s to %s", text, Size(least), Size(most))
	}
	return int64(bytes), nil
}

// The range of amounts of memory, in bytes.
const (
	least = 64e6
	most  = 1e15
)
