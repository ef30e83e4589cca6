package drawing

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
)

// Role says what the shapes on a layer mean to a floor.
type Role string

// The roles.
const (
	Outline  Role = "outline"   // the edge of the floor, and of holes in it
	Walls    Role = "walls"     // no rack and no tray crosses their lines; the edge if no layer is an outline
	Columns  Role = "columns"   // areas in which something stands from floor to ceiling
	KeepOuts Role = "keep_outs" // areas that are kept free
	Doors    Role = "doors"
)

// AllRoles lists the roles.
var AllRoles = []Role{Outline, Walls, Columns, KeepOuts, Doors}

// Roles name the layers of each role. A name may have * for any letters and ? for any one; case does not matter.
type Roles map[Role][]string

// matches reports whether a name matches a pattern with * and ?, upper and lower case being the same.
func matches(pattern, name string) bool {
	p, n := []rune(strings.ToLower(pattern)), []rune(strings.ToLower(name))
	star, from := -1, 0 // the last star, and where the text that it matches ends
	i, j := 0, 0
	for j < len(n) {
		switch {
		case i < len(p) && p[i] == '*':
			star, from = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == n[j]):
			i++
			j++
		case star >= 0:
			from++
			i, j = star+1, from
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}

// assign returns the role of each layer, by its index. Errors are diag.FieldErrors of layers.walls[0] and the like: a
// pattern that matches no layer, one whose layers have no shapes, and layers with two roles.
func (d *Drawing) assign(roles Roles) (map[int]Role, error) {
	var faults diag.FieldErrors
	out := map[int]Role{}
	names := d.layerNames()
	for _, role := range AllRoles {
		for i, pattern := range roles[role] {
			at := diag.Elem("layers."+string(role), i)
			found, drawn := false, false
			for l := range d.Layers {
				if !matches(pattern, d.Layers[l].Name) {
					continue
				}
				found = true
				drawn = drawn || d.Layers[l].Shapes > 0
				if other, ok := out[l]; ok && other != role {
					faults.Add(at, "layer %q is among the %s too\na layer has one role", d.Layers[l].Name, words(other))
				} else {
					out[l] = role
				}
			}
			switch {
			case pattern == "":
				faults.Add(at, "the name is empty")
			case !found && strings.ContainsAny(pattern, "*?"):
				faults.Add(at, "no layer of %s is called like %q\nit has %s", d.name(), pattern, d.someLayers(names))
			case !found:
				hint, ok := diag.Closest(strings.ToLower(pattern), lower(names))
				if ok {
					hint = diag.DidYouMean(names[slices.Index(lower(names), hint)])
				} else {
					hint = "it has " + d.someLayers(names)
				}
				faults.Add(at, "%s has no layer %q\n%s", d.name(), pattern, hint)
			case !drawn:
				faults.Add(at, "nothing that is read is drawn on layer %q of %s%s", pattern, d.name(),
					d.unreadOn(pattern))
			}
		}
	}
	return out, faults.Err()
}

func lower(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strings.ToLower(n)
	}
	return out
}

// layerNames returns the names of all layers, those with the most shapes first.
func (d *Drawing) layerNames() []string {
	order := make([]int, len(d.Layers))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return d.Layers[b].Shapes - d.Layers[a].Shapes })
	var out []string
	for _, i := range order {
		out = append(out, d.Layers[i].Name)
	}
	return out
}

// someLayers lists layers for a message, at most 12 by name.
func (d *Drawing) someLayers(names []string) string {
	const most = 12
	switch n := len(names); {
	case n == 0:
		return "no layers"
	case n > most:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), n-most)
	}
	return english.List(names)
}

// unreadOn returns what is drawn on the layers that match a pattern but is not read, in brackets for a message; "" if
// everything is read.
func (d *Drawing) unreadOn(pattern string) string {
	sum := map[string]int{}
	for i := range d.Layers {
		if matches(pattern, d.Layers[i].Name) {
			for kind, n := range d.Layers[i].Unread {
				sum[kind] += n
			}
		}
	}
	if len(sum) == 0 {
		return ""
	}
	return " (" + describeCounts(sum) + ": not read)"
}

// describeCounts lists kinds with their counts: "2 SPLINE and 1 BODY".
func describeCounts(kinds map[string]int) string {
	var out []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		out = append(out, fmt.Sprintf("%d %s", kinds[kind], kind))
	}
	return english.List(out)
}

func words(r Role) string {
	if r == KeepOuts {
		return "keep-outs"
	}
	return string(r)
}

// unread returns a note for each layer with a role on which entities were not read.
func (d *Drawing) unread(roles map[int]Role) []string {
	var out []string
	for i := range d.Layers {
		if l := &d.Layers[i]; roles[i] != "" && len(l.Unread) > 0 {
			out = append(out, fmt.Sprintf("layer %s of %s (%s) has %s, not read: nothing is kept clear of them", l.Name,
				d.name(), words(roles[i]), describeCounts(l.Unread)))
		}
	}
	return out
}
