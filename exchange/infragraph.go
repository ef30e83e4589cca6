package exchange

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

// mostExpanded is the most links and ends that the edges of an infragraph may stand for.
const mostExpanded = 1 << 21

var (
	infragraphHead  = lazyregexp.New(`(?m)^["']?(?:instances|devices)["']?\s*:`)
	infragraphInner = lazyregexp.New(`(?m)^[\s-].*\b(?:components|ep1|component)["']?\s*:`)
)

func isInfragraph(head []byte) bool {
	if startsJSON(head) {
		keys := jsonKeys(head)
		return keys["instances"] == 1 && (keys["devices"] == 1 || keys["edges"] == 1) &&
			(keys["components"] > 0 || keys["ep1"] > 0)
	}
	return infragraphHead.Match(head) && infragraphInner.Match(head)
}

// infragraph expands the edges of an infrastructure.
type infragraph struct {
	*lab
	// instances are device and count of each by its name, components the counts of those of a device.
	instances  map[string]infraInstance
	components map[string]map[string]int
	left       int // of what may be expanded
}

type infraInstance struct {
	device string
	count  int
}

// ReadInfragraph reads an infrastructure of infragraph (JSON or YAML): the edges between instances of devices. Instance
// 0 of leaf is the box leaf[0], and component 3 of port its port port[3]; components of composed devices are divided by
// dots. A ring joins end i of the first endpoint with end i + 1 of the second, and the last with the first. Edges
// within a device are not cables.
func ReadInfragraph(path string, r io.Reader) (*Wiring, error) {
	root, err := readYAML(path, r)
	if err != nil {
		return nil, err
	}
	g := &infragraph{
		lab: newLab(path), instances: map[string]infraInstance{}, components: map[string]map[string]int{},
		left: mostExpanded,
	}
	count := func(n *yaml.Node) (int, error) {
		t := textOf(n, "count")
		if t == "" {
			return 1, nil
		}
		c, err := strconv.Atoi(t)
		if err != nil || c < 0 || c > mostExpanded {
			return 0, mistake(path, get(n, "count"), fmt.Sprintf("the count %.40q", t), "expected a whole number")
		}
		return c, nil
	}
	for _, d := range items(get(root, "devices")) {
		counts := map[string]int{}
		for _, c := range items(get(d, "components")) {
			if counts[textOf(c, "name")], err = count(c); err != nil {
				return nil, err
			}
		}
		g.components[textOf(d, "name")] = counts
	}
	for _, n := range items(get(root, "instances")) {
		name, device := textOf(n, "name"), textOf(n, "device")
		c, err := count(n)
		switch {
		case err != nil:
			return nil, err
		case name == "" || g.components[device] == nil:
			return nil, mistake(path, n, fmt.Sprintf("the instance %.40q is of no device that there is", name),
				"expected name, device and count")
		case c > g.left:
			return nil, g.tooMany(n)
		}
		g.instances[name] = infraInstance{device, c}
		g.left -= c
		for i := range c {
			g.w.Boxes[g.node(indexName(name, i))].Model = device
		}
	}
	for _, e := range items(get(root, "edges")) {
		if err := g.edge(e); err != nil {
			return nil, err
		}
	}
	return g.end(), nil
}

func indexName(name string, i int) string { return name + "[" + strconv.Itoa(i) + "]" }

func (g *infragraph) tooMany(n *yaml.Node) error {
	return mistake(g.path, n,
		fmt.Sprintf("the file stands for more than %d boxes, links and ends of links", mostExpanded), "")
}

// edge adds the links that an edge stands for.
func (g *infragraph) edge(e *yaml.Node) error {
	var ends [2][]End
	for i, key := range []string{"ep1", "ep2"} {
		n := get(e, key)
		if n == nil {
			return mistake(g.path, e, "the edge has no "+key, "expected instance and component")
		}
		var err error
		if ends[i], err = g.ends(n); err != nil {
			return err
		}
	}
	add := func(a, b End) {
		if a != b {
			g.link(Link{A: a, B: b, Line: e.Line})
		}
	}
	a, b := ends[0], ends[1]
	switch scheme := textOf(e, "scheme"); scheme {
	case "one2one", "":
		if len(a) != len(b) {
			g.w.Notes = append(g.w.Notes, fmt.Sprintf("%s:%d: one2one joins %d ends with %d; the rest have no link",
				g.path, e.Line, len(a), len(b)))
		}
		for i := range min(len(a), len(b)) {
			add(a[i], b[i])
		}
	case "ring":
		if len(a) != len(b) {
			return mistake(g.path, e, fmt.Sprintf("a ring of %d and %d ends", len(a), len(b)),
				"expected as many of both")
		}
		for i := range a {
			add(a[i], b[(i+1)%len(b)])
		}
	case "many2many":
		if len(b) > 0 && len(a) > g.left/len(b) {
			return g.tooMany(e)
		}
		g.left -= len(a) * len(b)
		for _, from := range a {
			for _, to := range b {
				add(from, to)
			}
		}
	default:
		return mistake(g.path, get(e, "scheme"), fmt.Sprintf("the scheme %.40q", scheme),
			diag.Suggest(scheme, []string{"one2one", "many2many", "ring"}, "expected "))
	}
	return nil
}

// ends expands an endpoint: every component of the first instance, then those of the next.
func (g *infragraph) ends(n *yaml.Node) ([]End, error) {
	instance, component := get(n, "instance"), get(n, "component")
	name, _, _ := strings.Cut(text(instance), "[")
	is, ok := g.instances[name]
	if !ok {
		return nil, mistake(g.path, n, fmt.Sprintf("there is no instance %.40q", name), "")
	}
	boxes, err := g.slice(n, text(instance), is.count)
	if err != nil {
		return nil, err
	}
	if len(boxes) == 0 {
		return nil, nil
	}
	ports, device := []string{""}, is.device
	for part := range strings.SplitSeq(text(component), ".") {
		name, _, _ := strings.Cut(part, "[")
		count, ok := g.components[device][name]
		if !ok {
			return nil, mistake(g.path, n, fmt.Sprintf("the device %.40q has no component %.40q", device, name), "")
		}
		at, err := g.slice(n, part, count)
		if err != nil {
			return nil, err
		}
		if len(at) > 0 && len(ports) > g.left/len(at)/len(boxes) {
			return nil, g.tooMany(n)
		}
		var all []string
		for _, outer := range ports {
			for _, i := range at {
				all = append(all, strings.TrimPrefix(outer+"."+indexName(name, i), "."))
			}
		}
		ports, device = all, name
	}
	g.left -= len(boxes) * len(ports)
	var out []End
	for _, i := range boxes {
		box := g.node(indexName(name, i))
		for _, port := range ports {
			out = append(out, End{Box: box, Port: port})
		}
	}
	return out, nil
}

// slice returns the numbers that an expression selects of 0 to count - 1, as Python's slices do: leaf[3], leaf[0:4],
// leaf[::2], leaf[-1], or all with leaf alone.
func (g *infragraph) slice(n *yaml.Node, expression string, count int) ([]int, error) {
	wrong := func() ([]int, error) {
		return nil, mistake(g.path, n, fmt.Sprintf("%.80q selects none of %d", expression, count),
			"expected an index or a slice such as leaf[0:4]")
	}
	_, inside, found := strings.Cut(expression, "[")
	if !found {
		inside = ":]"
	}
	inside, closed := strings.CutSuffix(strings.TrimSpace(inside), "]")
	parts := strings.Split(inside, ":")
	if !closed || len(parts) > 3 {
		return wrong()
	}
	var v [3]int
	var given [3]bool
	for i, p := range parts {
		if p = strings.TrimSpace(p); p == "" {
			continue
		}
		var err error
		if v[i], err = strconv.Atoi(p); err != nil {
			return wrong()
		}
		given[i] = true
	}
	if len(parts) == 1 {
		if v[0] < 0 {
			v[0] += count
		}
		if !given[0] || v[0] < 0 || v[0] >= count {
			return wrong()
		}
		return v[:1:1], nil
	}
	step := 1
	if given[2] {
		step = max(-count-1, min(v[2], count+1))
	}
	low, high := 0, count // the range that start and stop are kept in
	if step < 0 {
		low, high = -1, count-1
	}
	bound := func(i, otherwise int) int {
		if !given[i] {
			return otherwise
		}
		at := v[i]
		if at < 0 {
			at += count
		}
		return max(low, min(at, high))
	}
	start, stop := bound(0, low), bound(1, high)
	if step < 0 {
		start, stop = bound(0, high), bound(1, low)
	}
	if step == 0 {
		return wrong()
	}
	if count > g.left {
		return nil, g.tooMany(n)
	}
	var out []int
	for i := start; step > 0 && i < stop || step < 0 && i > stop; i += step {
		out = append(out, i)
	}
	return out, nil
}
