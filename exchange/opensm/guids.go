package opensm

import (
	"bufio"
	"errors"
	"io"
	"regexp"
	"strconv"
)

// GUIDs are what ibnetdiscover says of a fabric: those of switches by their names, and of adapters' ports by the switch
// and its port.
type GUIDs struct {
	switches map[string]string
	behind   map[string]map[int]string
}

var (
	switchGUID = regexp.MustCompile(`^switchguid=0x([0-9a-fA-F]{1,16})`)
	switchLine = regexp.MustCompile(`^Switch\s+\d+\s+"([^"]*)"\s*(?:#\s*"([^"]*)")?`)
	otherLine  = regexp.MustCompile(`^(?:Ca|Hca|Rt)\s`)
	hostLine   = regexp.MustCompile(`^\[(\d+)\](?:\([^)]*\))?\s+"H-[^"]*"\s*\[\d+\]\(([0-9a-fA-F]{1,16})\)`)
)

// Read reads the GUIDs of the output of ibnetdiscover, without -p.
func Read(r io.Reader) (*GUIDs, error) {
	g := &GUIDs{map[string]string{}, map[string]map[int]string{}}
	in := bufio.NewScanner(io.LimitReader(r, 1<<28))
	guid, at := "", ""
	for in.Scan() {
		text := in.Text()
		if m := switchGUID.FindStringSubmatch(text); m != nil {
			guid = m[1]
		} else if m := switchLine.FindStringSubmatch(text); m != nil {
			if at = m[2]; at == "" {
				at = m[1]
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
