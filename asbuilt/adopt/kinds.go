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

// kind is boxes of one part.
type kind struct {
	name   string
	base   string // node, switch, leaf or spine
	model  string
	style  string
	height int // in rack units; 0 where no source tells
	boxes  []*box
	ports  map[string]*port // by key, those of all boxes: their names and rates
	part   *catalog.Part    // of the catalog, nil for one of the machine's own
}

// isSwitch reports whether a box passes on what others send.
func (k *kind) isSwitch() bool { return k.base != "node" }

// models are parts of the catalog by a word of what the sources call the model of a box.
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

// partOf is the part of the catalog that a model means: by its id, or by a word of the model.
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

// slugOf is a text in the letters of ids.
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

// guessRoles finds which boxes are switches where no source tells: by model, by what boxes and their ports are called,
// then by how many cables they have.
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

// kinds groups the boxes that have cables.
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

// more names the first of several.
func more(first string, n int) string {
	if n == 1 {
		return first
	}
	return fmt.Sprintf("%s and %d more", first, n-1)
}

var digits = lazyregexp.New(`[0-9]+`)

// style is how the ports of a box that have cables are called: of a node, their names; of a switch, the letters in
// them.
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

// takes reports whether the ports of a box have the rates of the ports of the same names.
func (k *kind) takes(b *box) bool {
	for key, p := range b.ports {
		if have := k.ports[key]; p.link != nil && have != nil && have.rate != p.link.rate {
			return false
		}
	}
	return true
}

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

// name names the kinds: by what they are, and the model where several are the same.
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

// sorted are the ports of a kind, in the order of their names.
func (k *kind) sorted() []*port {
	return slices.SortedFunc(maps.Values(k.ports), func(a, b *port) int {
		return cmp.Or(graphio.CompareNatural(a.text, b.text), cmp.Compare(a.key, b.key))
	})
}

// plug finds the ports of a kind on a part of the catalog; false where one of them is not found.
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

// labels names the ports of a part of the machine's own as the sources do, in the letters that labels have.
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

// plain reports whether all ports are numbers.
func (k *kind) plain() bool {
	for _, p := range k.ports {
		if !p.plain {
			return false
		}
	}
	return true
}

// managementRate is that of ports that are called as those of management, where no source tells.
const managementRate units.Rate = 1

// defaultRates gives links a rate where no source tells it: that of the ports of a part that is known, else the stated
// one.
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
