package adopt

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/topology/graphio"
	"github.com/plenum-planner/plenum/units"
)

// kind is boxes of one part. Kinds are made by the role, model, height, style and rates of boxes.
type kind struct {
	name   string
	base   string // node, switch, leaf or spine
	model  string
	style  string
	height int // in rack units; 0 where no source tells
	boxes  []*box
	ports  map[string]*port // by key, those of all boxes: their names and rates
	part   *catalog.Part    // of the catalog, nil for a part that the machine file defines
}

// isSwitch reports whether the boxes are of any role but node.
func (k *kind) isSwitch() bool { return k.base != "node" }

// models are parts of the catalog by a word in the model of a box as sources write it.
var models = []struct {
	word *lazyregexp.Regexp
	part string
}{
	{lazyregexp.New(`(?i)\bM?QM97\d\d`), "nvidia-qm9700"},
	{lazyregexp.New(`(?i)\bM?QM87\d\d`), "nvidia-qm8700"},
	{lazyregexp.New(`(?i)\bM?SB78\d\d`), "mellanox-sb7800"},
	{lazyregexp.New(`(?i)\bM?SN2700`), "nvidia-sn2700"},
	{lazyregexp.New(`(?i)\bM?SN4600C`), "nvidia-sn4600c"},
	{lazyregexp.New(`(?i)\bM?SN2201`), "nvidia-sn2201"},
	{lazyregexp.New(`(?i)\bM?SN5600`), "nvidia-sn5600"},
	{lazyregexp.New(`(?i)\bDGX[ _-]*H[12]00`), "nvidia-dgx-h100"},
	{lazyregexp.New(`(?i)\bDGX[ _-]*B200`), "nvidia-dgx-b200"},
	{lazyregexp.New(`(?i)\bDGX[ _-]*B300`), "nvidia-dgx-b300"},
	{lazyregexp.New(`(?i)\bDGX[ _-]*A100`), "nvidia-dgx-a100"},
}

// partOf returns the node or switch of the catalog whose id is the slug of a model, else the first of models with a
// word of it; nil if there is none, and for "".
func partOf(model string) *catalog.Part {
	if model == "" {
		return nil
	}
	c := catalog.Default()
	slug := slugOf(model)
	for _, p := range c.Parts() {
		if p.ID == slug && (p.Kind == catalog.KindNode || p.Kind == catalog.KindSwitch) {
			return c.Part(p.ID)
		}
	}
	for _, m := range models {
		if m.word.MatchString(model) {
			return c.Part(m.part)
		}
	}
	return nil
}

var notSlug = lazyregexp.New(`[^a-z0-9.]+`)

// slugOf returns a text in the letters of ids: lower case, with a hyphen for each run of others than letters, digits
// and dots, none at its ends, and at most 40 bytes. It may be "".
func slugOf(text string) string {
	out := strings.Trim(notSlug.ReplaceAllString(strings.ToLower(text), "-"), "-.")
	return strings.TrimRight(out[:min(len(out), 40)], "-.")
}

var (
	switchName = lazyregexp.New(`(?i)leaf|spine|core|switch|router|tor\b|(?:^|[^a-z])(?:sw|agg|rtr)(?:[^a-z]|$)`)
	nodeName   = lazyregexp.New(`(?i)node|host|dgx|gpu|cpu|server|compute|storage|(?:^|[^a-z])(?:n|cn|nid|` +
		`srv)[-_]?\d`)
	nodePort = lazyregexp.New(`^(?:eth\d+|en[ops]\S*|ib[\dops]\S*|mlx[45]_\S*|hfi\d?_\S*|roce\S*|opa\S*|` +
		`HCA-?\d.*|` +
		`bmc|eno\d+\S*)$`)
	switchPort = lazyregexp.New(`(?i)^(?:swp\d+\S*|Ethernet ?\d+\S*|eth\d+/\S+|et-\S+|xe-\S+|ib ?\d+/\S+|` +
		`sw\d+p\S+)$`)
)

// guessRoles sets the role of boxes that have none in any source: by a model of the catalog, else by the names of the
// ports with cables, else, where these tell nothing, by the name of the box, and else by how many cables it and the
// boxes at their far ends have: a box at the far end of an adapter is a switch. Boxes without cables may stay without a
// role. A note counts the guesses but those by model.
func (j *joining) guessRoles() {
	guessed := map[string]int{}
	for _, b := range j.boxes {
		if b.role != "" {
			continue
		}
		if p := partOf(b.model); p != nil {
			b.role = map[bool]string{true: "switch", false: "adapter"}[p.Kind == catalog.KindSwitch]
			continue
		}
		hints := 0
		for _, p := range b.ports {
			switch {
			case p.link == nil:
			case switchPort.MatchString(p.text):
				hints++
			case nodePort.MatchString(p.text):
				hints--
			}
		}
		if hints == 0 {
			switch sw, node := switchName.MatchString(b.name), nodeName.MatchString(b.name); {
			case sw && !node:
				hints++
			case node && !sw:
				hints--
			}
		}
		switch {
		case hints > 0:
			b.role = "switch"
		case hints < 0:
			b.role = "adapter"
		default:
			continue
		}
		guessed[b.role]++
	}
	far := map[*box][]*box{}
	for _, l := range j.links {
		far[l.a.box] = append(far[l.a.box], l.b.box)
		far[l.b.box] = append(far[l.b.box], l.a.box)
	}
	roles := map[*box]string{}
	for _, b := range j.boxes {
		if b.role != "" || b.links == 0 {
			continue
		}
		more := 0
		for _, f := range far[b] {
			if f.role == "adapter" {
				more = math.MinInt
				break
			}
			more += f.links - 2*b.links
		}
		roles[b] = map[bool]string{true: "adapter", false: "switch"}[more >= 0]
		guessed[roles[b]]++
	}
	for b, role := range roles {
		b.role = role
	}
	if n := guessed["switch"]; n > 0 {
		j.note("%s taken for a switch, and %d for nodes, by what they and their ports are called or how many cables "+
			"they have", english.Count(n, "box"), guessed["adapter"])
	} else if n := guessed["adapter"]; n > 0 {
		j.note("%s taken for nodes by what they and their ports are called or how many cables they have",
			english.Count(n, "box"))
	}
}

// kinds guesses roles and groups the boxes that have cables into kinds, in the natural order of the names of kinds and,
// within one, of boxes. It sets the number of the kind of each of these boxes; boxes without a cable are left out, with
// a note. A switch is a leaf if it has a link to a node, else a spine.
func (j *joining) kinds() []*kind {
	j.guessRoles()
	alone := 0
	first := ""
	var boxes []*box
	for _, b := range j.boxes {
		if b.links == 0 {
			if alone == 0 {
				first = b.name
			}
			alone++
			continue
		}
		boxes = append(boxes, b)
	}
	if alone > 0 {
		j.note("%s without a cable left out: %s", english.Count(alone, "box"), more(first, alone))
	}
	nodes := map[*box]bool{}
	for _, l := range j.links {
		for _, e := range []end{l.a, l.b} {
			if e.box.role == "adapter" {
				nodes[l.far(e.box)] = true
			}
		}
	}
	var all []*kind
	byKey := map[string][]*kind{}
	slices.SortFunc(boxes, func(a, b *box) int { return graphio.CompareNatural(a.name, b.name) })
	for _, b := range boxes {
		base := "node"
		if b.role == "switch" {
			base = map[bool]string{true: "leaf", false: "spine"}[nodes[b]]
		}
		height := 0
		if b.place != nil {
			height = int(math.Ceil(b.place.Height))
		}
		style := b.style()
		key := fmt.Sprintf("%s\n%s\n%d\n%s", base, b.model, height, style)
		var k *kind
		for _, c := range byKey[key] {
			if c.takes(b) {
				k = c
				break
			}
		}
		if k == nil {
			k = &kind{base: base, model: b.model, height: height, style: style, ports: map[string]*port{}}
			byKey[key] = append(byKey[key], k)
			all = append(all, k)
		}
		k.add(b)
	}
	name(all)
	slices.SortStableFunc(all, func(a, b *kind) int { return graphio.CompareNatural(a.name, b.name) })
	for i, k := range all {
		for _, b := range k.boxes {
			b.kind = i
		}
	}
	for key, kinds := range byKey {
		if len(kinds) > 1 {
			model := strings.Split(key, "\n")[1]
			j.note("%d kinds of %s %s differ only in the rates of the same ports: is one of their links degraded?",
				len(kinds), kinds[0].base, model)
		}
	}
	return all
}

// more names the first of n: "a", or "a and 2 more" for three.
func more(first string, n int) string {
	if n == 1 {
		return first
	}
	return fmt.Sprintf("%s and %d more", first, n-1)
}

var digits = lazyregexp.New(`[0-9]+`)

// style returns a text that is the same for boxes whose ports with cables have names of one form: for a node, the
// names; for a switch, the different names with # in place of numbers, without those of ports for management.
func (b *box) style() string {
	var out []string
	for _, p := range b.ports {
		if p.link == nil {
			continue
		}
		text := p.text
		if b.role == "switch" {
			text = digits.ReplaceAllString(text, "#")
			if identity.OtherPort(p.text) {
				continue
			}
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}

// takes reports whether each port of a box with a cable that the kind has by its key has exactly the rate of the
// kind's.
func (k *kind) takes(b *box) bool {
	for key, p := range b.ports {
		if have := k.ports[key]; p.link != nil && have != nil && have.rate != p.link.rate {
			return false
		}
	}
	return true
}

// add adds a box to the kind, and its ports with cables to those of the kind, which keep the rates that they have.
func (k *kind) add(b *box) {
	k.boxes = append(k.boxes, b)
	for key, p := range b.ports {
		if p.link == nil {
			continue
		}
		own := k.ports[key]
		if own == nil {
			own = &port{
				key: p.key, text: p.text, claim: p.claim, device: p.device, number: p.number, plain: p.plain,
				rate: p.link.rate, link: p.link,
			}
			k.ports[key] = own
		}
		for _, text := range append([]string{p.text}, p.also...) {
			if text != own.text && !slices.Contains(own.also, text) {
				own.also = append(own.also, text)
			}
		}
	}
}

// name names the kinds by their base, with the model where several kinds have one base, and with -2, -3 where names are
// still the same. Unless there are both leaves and spines, it changes the base of both to switch.
func name(all []*kind) {
	tiers := map[string]bool{}
	for _, k := range all {
		tiers[k.base] = true
	}
	count := map[string]int{}
	for _, k := range all {
		if k.isSwitch() && !(tiers["leaf"] && tiers["spine"]) {
			k.base = "switch"
		}
		count[k.base]++
	}
	taken := map[string]bool{}
	for _, k := range all {
		k.name = k.base
		if slug := slugOf(k.model); count[k.base] > 1 && slug != "" {
			k.name = k.base + "-" + slug
		}
		for n, stem := 2, k.name; taken[k.name]; n++ {
			k.name = stem + "-" + strconv.Itoa(n)
		}
		taken[k.name] = true
	}
}

// sorted returns the ports of a kind in the natural order of their names: p2 before p10.
func (k *kind) sorted() []*port {
	return slices.SortedFunc(maps.Values(k.ports), func(a, b *port) int {
		return cmp.Or(graphio.CompareNatural(a.text, b.text), cmp.Compare(a.key, b.key))
	})
}

// plug finds the ports of a kind on a part of the catalog and sets their labels to those of the part. It returns false,
// with some labels set, where a port is not found or two are the same port of the part.
func (k *kind) plug(part *catalog.Part) bool {
	on := identity.NewPartPorts(part)
	taken := map[string]bool{}
	for _, p := range k.ports {
		c := p.claim
		if c.Text == "" {
			c.Text = p.text
		}
		p.label = on.Find(&c)
		if p.label == "" || taken[p.label] {
			return false
		}
		taken[p.label] = true
	}
	return true
}

var notLabel = lazyregexp.New(`[^A-Za-z0-9._+:/-]+`)

// labels sets the labels of the ports of a part that the machine file defines: the names in the sources with a hyphen
// for letters that labels may not have, at most 36 bytes, and ".2", ".3" at the end of names that are the same after
// that.
func (k *kind) labels() {
	taken := map[string]bool{}
	for _, p := range k.sorted() {
		label := strings.TrimLeft(notLabel.ReplaceAllString(p.text, "-"), "._+:/-")
		label = cmp.Or(label[:min(len(label), 36)], "port")
		for n, stem := 2, label; taken[label]; n++ {
			label = stem + "." + strconv.Itoa(n)
		}
		taken[label] = true
		p.label = label
	}
}

// plain reports whether the names of all ports are numbers from 1; it is true without ports.
func (k *kind) plain() bool {
	for _, p := range k.ports {
		if !p.plain {
			return false
		}
	}
	return true
}

// managementRate is the rate, in Gb/s, of links whose port at either end has a name of ports for management, where no
// source tells it.
const managementRate units.Rate = 1

// defaultRates gives links a rate where no source tells it: managementRate for links of ports for management, else the
// lowest of the rates of the cable's product and of the first ports of the parts of both ends, as far as they are
// known, else usual. Notes count the links.
func (j *joining) defaultRates(usual units.Rate) {
	untold, known := 0, 0
	parts := map[string]*catalog.Part{}
	for _, b := range j.boxes {
		if _, ok := parts[b.model]; !ok {
			parts[b.model] = partOf(b.model)
		}
	}
	for _, l := range j.links {
		if l.rate > 0 {
			continue
		}
		if item, err := catalog.ParseItem(l.product); err == nil {
			if p := catalog.Default().Part(item.Part); p != nil && p.Cable != nil {
				l.rate = p.Cable.Rate // 0 of passive fibre
			}
		}
		for _, e := range []end{l.a, l.b} {
			if p := parts[e.box.model]; p != nil && len(p.Ports) > 0 && (l.rate == 0 || p.Ports[0].Rate < l.rate) {
				l.rate = p.Ports[0].Rate
			}
		}
		switch {
		case identity.OtherPort(l.a.port.text) || identity.OtherPort(l.b.port.text):
			l.rate = managementRate
			untold++
		case l.rate > 0:
			known++
		default:
			l.rate = usual
			untold++
		}
	}
	if untold > 0 {
		j.note("%s without a rate in the sources: taken for %v, and for %v where a port is called as those of "+
			"management",
			english.Count(untold, "link"), usual, managementRate)
	}
	if known > 0 {
		j.note("%s without a rate in the sources: taken for that of the cable or of the ports of the part",
			english.Count(known, "link"))
	}
}
