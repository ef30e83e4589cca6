package exchange

import (
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

// lab makes a wiring of a description that lists all links of all its nodes.
type lab struct {
	*builder
	path string
	// single counts links that do not join two nodes.
	single int
}

func newLab(path string) *lab { return &lab{builder: newBuilder(), path: path} }

// node is the number of a node, which lists its links.
func (l *lab) node(name string) int {
	i := l.box(name, name)
	l.w.Boxes[i].Listed = true
	return i
}

// nodes takes the nodes of a mapping or a list of names, with the model under a key.
func (l *lab) nodes(n *yaml.Node, model ...string) {
	if n != nil && n.Kind == yaml.SequenceNode {
		for _, x := range n.Content {
			name := textOf(x, "name")
			if x.Kind == yaml.ScalarNode {
				name = text(x)
			}
			if name != "" {
				l.node(name)
			}
		}
		return
	}
	for name, fields := range pairs(n) {
		if name == "" {
			continue
		}
		x := &l.w.Boxes[l.node(name)]
		x.Model, x.Address = textOf(fields, model...), textOf(fields, "mgmt-ipv4", "mgmt-ipv4-address", "mgmt_ip")
	}
}

// cable adds a link between two named ports.
func (l *lab) cable(line int, node1, port1, node2, port2 string) {
	if node1 == "" || port1 == "" || node2 == "" || port2 == "" {
		l.single++
		return
	}
	l.link(Link{
		A: End{Box: l.node(node1), Port: port1}, B: End{Box: l.node(node2), Port: port2}, Line: line,
	})
}

func (l *lab) end() *Wiring {
	l.noteSkipped(l.path, l.single, "link", "without two ports of nodes")
	return l.w
}

var (
	clabHead   = lazyregexp.New(`(?m)^["']?topology["']?\s*:`)
	clabInside = lazyregexp.New(`(?m)^\s+-?\s*["']?(?:kinds|links|endpoints|kind|image)["']?\s*:`)
	clabNodes  = lazyregexp.New(`(?m)^\s+["']?nodes["']?\s*:\s*(?:\{.*|#.*|\r)?$`)
	familyKey  = lazyregexp.New(`(?m)^\s+family\s*:`)
)

func isContainerlab(head []byte) bool {
	if startsJSON(head) {
		keys := jsonKeys(head)
		return keys["topology"] == 1 && keys["nodes"] == 2 && keys["family"] != 2 && !isPaddle(head) ||
			keys["nodes"] == 1 && keys["links"] == 1 && keys["a"] > 1 && keys["z"] == keys["a"] // topology-data.json
	}
	return clabHead.Match(head) && clabNodes.Match(head) && clabInside.Match(head) && !familyKey.Match(head)
}

// notNodes are what an endpoint of containerlab may have in the place of a node.
var notNodes = []string{"host", "mgmt-net", "macvlan"}

// ReadContainerlab reads a topology of containerlab (YAML or JSON): links with endpoints in the short form,
// "leaf1:e1-1", or as node and interface. Links to the host, the management network and the like are passed over. The
// file topology-data.json of a lab that runs is read as well.
func ReadContainerlab(path string, r io.Reader) (*Wiring, error) {
	root, err := readYAML(path, r)
	if err != nil {
		return nil, err
	}
	if topology := get(root, "topology"); topology != nil {
		root = topology
	}
	l := newLab(path)
	l.nodes(get(root, "nodes"), "type", "kind")
	for _, link := range items(get(root, "links")) {
		ends := get(link, "endpoints")
		if ends == nil {
			ends = link
		}
		if a, z := get(ends, "a"), get(ends, "z"); ends.Kind == yaml.MappingNode && a != nil && z != nil {
			ends = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{a, z}}
		}
		if ends.Kind != yaml.SequenceNode || len(ends.Content) != 2 {
			if get(link, "endpoint") == nil {
				return nil, mistake(path, link, "the link has not two endpoints",
					`expected such as ["leaf1:e1-1", "host1:eth1"]`)
			}
			l.single++
			continue
		}
		var named [4]string
		for i, e := range ends.Content {
			named[2*i], named[2*i+1] = textOf(e, "node"), textOf(e, "interface")
			if e.Kind == yaml.ScalarNode {
				named[2*i], named[2*i+1], _ = strings.Cut(text(e), ":")
			}
			if named[2*i] == "" || named[2*i+1] == "" {
				return nil, mistake(path, e, "the endpoint names no node and interface", "expected such as leaf1:e1-1")
			}
			if slices.Contains(notNodes, named[2*i]) {
				named[2*i] = ""
			}
		}
		l.cable(link.Line, named[0], named[1], named[2], named[3])
	}
	return l.end(), nil
}

var (
	netlabLinks = lazyregexp.New(`(?m)^["']?links["']?\s*:|^["']?(?:vlans|vrfs)["']?\s*:(?:\n|.)*\n\s+links\s*:`)
	netlabNodes = lazyregexp.New(`(?m)^["']?(?:nodes|groups|provider|module|defaults|addressing)["']?\s*:`)
)

func isNetlab(head []byte) bool {
	return !startsJSON(head) && netlabLinks.Match(head) && netlabNodes.Match(head) && !isInfragraph(head)
}

// ReadNetlab reads a topology of netlab (YAML). An interface that has no name in the file, which netlab chooses by the
// device, tells its node alone. Links that do not join two nodes are passed over.
func ReadNetlab(path string, r io.Reader) (*Wiring, error) {
	root, err := readYAML(path, r)
	if err != nil {
		return nil, err
	}
	l := newLab(path)
	l.nodes(get(root, "nodes"), "device")
	groups := get(root, "groups") // nodes may be made as their members
	for _, group := range pairs(groups) {
		for _, member := range items(get(group, "members")) {
			if name := text(member); name != "" && get(groups, name) == nil {
				l.node(name)
			}
			if member.Kind == yaml.MappingNode {
				l.nodes(member, "device")
			}
		}
	}
	l.netlab(get(root, "links"), 0)
	for _, section := range []string{"vlans", "vrfs"} {
		for _, x := range pairs(get(root, section)) {
			l.netlab(get(x, "links"), 0)
		}
	}
	return l.end(), nil
}

// netlab takes a list of links, or lists by the names of groups.
func (l *lab) netlab(links *yaml.Node, depth int) {
	if links == nil || depth > 4 {
		return
	}
	if links.Kind == yaml.MappingNode {
		for _, group := range pairs(links) {
			l.netlab(group, depth+1)
		}
		return
	}
	for _, link := range items(links) {
		off, several := strings.EqualFold(textOf(link, "disable"), "true"), false
		for _, members := range []*yaml.Node{
			get(link, "members"), get(link, "lag", "members"), get(link, "lag.members"),
		} {
			several = several || members != nil
			if !off {
				l.netlab(members, depth+1)
			}
		}
		switch {
		case link.Kind != yaml.MappingNode:
		case off || several:
			continue
		case slices.Contains([]string{"", "p2p", "lan"}, textOf(link, "type")):
		default: // a tunnel or a loopback
			l.single++
			continue
		}
		ends := l.netlabEnds(link)
		if len(ends) != 2 {
			l.single++
			continue
		}
		// There may be many between two nodes that tell no port, so that they are not told apart.
		l.w.Links = append(l.w.Links, Link{A: ends[0], B: ends[1], Line: link.Line})
	}
}

// netlabEnds are the ends of a link in any form: r1-r2, [r1, r2], {r1: {ifname}, r2: {}} or {interfaces: [...]}.
func (l *lab) netlabEnds(link *yaml.Node) []End {
	end := func(name string, fields *yaml.Node) End {
		e := End{Box: l.node(name), Port: textOf(fields, "ifname")}
		if e.Port == "" {
			e.Form = Untold
		}
		return e
	}
	var out []End
	list := link
	if link.Kind == yaml.MappingNode {
		list = get(link, "interfaces")
		if list == nil {
			for key, fields := range pairs(link) {
				if _, known := l.boxes[key]; known {
					out = append(out, end(key, fields))
				}
			}
			return out
		}
	}
	if list.Kind == yaml.ScalarNode {
		for _, name := range strings.Split(text(list), "-") {
			if name != "" {
				out = append(out, end(name, nil))
			}
		}
		return out
	}
	if len(list.Content) != 2 {
		return nil
	}
	for _, x := range list.Content {
		name := textOf(x, "node")
		if x.Kind == yaml.ScalarNode {
			name = text(x)
		}
		if name != "" {
			out = append(out, end(name, x))
		}
	}
	return out
}

func isAir(head []byte) bool {
	keys := jsonKeys(head)
	nodes, links := keys["nodes"], keys["links"]
	return nodes == links && (nodes == 1 || nodes == 2 && keys["content"] == 1) &&
		keys["interface"] > links && keys["node"] > links && keys["endpoints"] == 0
}

// ReadAir reads a topology of NVIDIA DSX Air (JSON), or what it has under content alone. Links to outside are passed
// over.
func ReadAir(path string, r io.Reader) (*Wiring, error) {
	root, err := readTree(path, r)
	if err != nil {
		return nil, err
	}
	if content := get(root, "content"); content != nil {
		root = content
	}
	l := newLab(path)
	l.nodes(get(root, "nodes"), "os")
	for _, link := range items(get(root, "links")) {
		var named [4]string
		if link.Kind != yaml.SequenceNode || len(link.Content) > 2 {
			return nil, mistake(path, link, "the link is not a list of two ends", "expected node and interface of both")
		}
		for i, e := range link.Content {
			named[2*i], named[2*i+1] = textOf(e, "node"), textOf(e, "interface")
		}
		l.cable(link.Line, named[0], named[1], named[2], named[3])
	}
	return l.end(), nil
}

func isBatfish(head []byte) bool {
	keys := jsonKeys(head)
	return keys["edges"] == 1 && keys["node1"] > 0 && keys["node2"] > 0 && keys["interfaceName"] > 0
}

// ReadBatfish reads a layer-1 topology of Batfish (layer1_topology.json).
func ReadBatfish(path string, r io.Reader) (*Wiring, error) {
	root, err := readTree(path, r)
	if err != nil {
		return nil, err
	}
	l := newLab(path)
	for _, edge := range items(get(root, "edges")) {
		a, b := get(edge, "node1"), get(edge, "node2")
		if edge.Kind != yaml.MappingNode || a == nil || b == nil {
			return nil, mistake(path, edge, "the edge has not two nodes", "expected node1 and node2")
		}
		l.cable(edge.Line, textOf(a, "hostname"), textOf(a, "interfaceName"), textOf(b, "hostname"),
			textOf(b, "interfaceName"))
	}
	return l.end(), nil
}
