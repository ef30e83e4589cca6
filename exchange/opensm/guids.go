package opensm

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

// GUIDs are the GUIDs that ibnetdiscover found in a fabric. A managed switch, which describes itself as
// MF0;leaf-1:MQM9700/U1, has the name leaf-1.
type GUIDs struct {
	switches map[string]string         // GUID of a switch, by name
	behind   map[string]map[int]string // GUID of the adapter port behind a port, by name of the switch
	// described lists the descriptions and GUIDs of the switches of each name: several if a switch has several chips.
	described map[string][]string
}

var (
	switchGUID = lazyregexp.New(`^switchguid=0x([0-9a-fA-F]{1,16})`)
	switchLine = lazyregexp.New(`^Switch\s+\d+\s+"([^"]*)"\s*(?:#\s*"([^"]*)")?`)
	otherLine  = lazyregexp.New(`^(?:Ca|Hca|Rt)\s`)
	hostLine   = lazyregexp.New(
		`^\[(\d+)\](?:\[ext \d+\])?(?:\([^)]*\))?\s+"H-[^"]*"\s*\[\d+\](?:\[ext \d+\])?\s*\(([0-9a-fA-F]{1,16})\)`)
)

// Read reads the output of ibnetdiscover, without -p. The error is that of r, or says that no switch with a GUID was
// found.
func Read(r io.Reader) (*GUIDs, error) {
	g := &GUIDs{map[string]string{}, map[string]map[int]string{}, map[string][]string{}}
	in := bufio.NewScanner(io.LimitReader(r, 1<<28))
	guid, at := "", ""
	for in.Scan() {
		text := in.Text()
		if m := switchGUID.FindStringSubmatch(text); m != nil {
			guid = m[1]
		} else if m := switchLine.FindStringSubmatch(text); m != nil {
			description := cmp.Or(m[2], m[1])
			if at, _, _, _ = identity.Description(description); at == "" {
				at = description
			}
			if text := description + " (0x" + guid + ")"; !slices.Contains(g.described[at], text) {
				g.described[at] = append(g.described[at], text)
			}
			if guid != "" {
				g.switches[at], guid = guid, ""
			}
		} else if otherLine.MatchString(text) {
			at = ""
		} else if m := hostLine.FindStringSubmatch(text); m != nil && at != "" {
			if port, err := strconv.Atoi(m[1]); err == nil {
				if g.behind[at] == nil {
					g.behind[at] = map[int]string{}
				}
				g.behind[at][port] = m[2]
			}
		}
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	if len(g.switches) == 0 {
		return nil, errors.New("has no GUID of a switch; expected the output of ibnetdiscover, without -p")
	}
	return g, nil
}
