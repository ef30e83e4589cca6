package embed

import (
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
)

// vertexFinder finds the vertices that the lines of a table are about. It makes an index of names or addresses when it
// first needs it.
type vertexFinder struct {
	*tableReader
	names   *names.Names
	byName  *wordIndex // of the names that the machine file gives; nil until needed
	byLabel *wordIndex // of the addresses in the notation of the family; nil until needed
}

// wordIndex finds vertices by a name or address.
type wordIndex struct {
	vertex map[string]int32
	shared map[string]bool // words of several vertices
	words  []string        // all words, sorted; nil until needed
}

// index returns the index of the words that `of` returns for the vertices.
func (t *vertexFinder) index(of func(v int) string) *wordIndex {
	n := topology.Vertices(t.p.Graph)
	x := &wordIndex{vertex: make(map[string]int32, n), shared: map[string]bool{}}
	for v := range n {
		word := tableLabel(of(v))
		if _, again := x.vertex[word]; again {
			x.shared[word] = true
		}
		x.vertex[word] = int32(v)
	}
	return x
}

// findByName finds the only vertex with a name that the machine file gives.
func (t *vertexFinder) findByName(text string) (int32, bool) {
	if text == "" || !t.names.Any() {
		return 0, false
	}
	if t.byName == nil {
		t.byName = t.index(t.names.Name)
	}
	v, ok := t.byName.vertex[text]
	return v, ok && !t.byName.shared[text]
}

// addresses returns the index of addresses in the notation of the family.
func (t *vertexFinder) addresses() *wordIndex {
	if t.byLabel == nil {
		t.byLabel = t.index(t.names.Address)
	}
	return t.byLabel
}

// vertex finds the vertex of a line: by a name that the machine file gives, else by its address, else by its number.
// When a machine grows, names and addresses stay the same while numbers change. renumbered is true if the line's number
// is that of another vertex.
func (t *vertexFinder) vertex(number, label, address, kind tableField) (v int32, renumbered, ok bool) {
	address.text = strings.TrimSpace(address.text)
	x, isNumber := -1, false
	if number.text != "" {
		n, err := strconv.Atoi(number.text)
		if isNumber = err == nil && n >= 0; !isNumber {
			t.noNumber(number)
			return 0, false, false
		}
		if n < topology.Vertices(t.p.Graph) {
			x = n
		}
	}
	switch {
	case x >= 0 && address.text == "" && label.text == tableLabel(t.names.Address(x)): // a table of an earlier version
		v, ok = int32(x), true
	default:
		v, ok = t.findByName(label.text)
		if !ok && address.text != "" {
			v, ok = t.findByAddressAndNumber(address, x)
			if !ok {
				return 0, false, false
			}
		}
		if !ok {
			v, ok = t.findByNumber(number, label, x)
		}
	}
	if !ok {
		return 0, false, false
	}
	if have := t.kinds[topology.KindOf(t.kinds, int(v))].Name; kind.text != "" && kind.text != have {
		t.fail(kind.column, "%s is a %s, not a %s", t.names.Name(int(v)), have, kind.text)
		return 0, false, false
	}
	return v, isNumber && int(v) != x, true
}

// findByAddressAndNumber finds a vertex by its address; if several have it, the one whose number is x.
func (t *vertexFinder) findByAddressAndNumber(address tableField, x int) (int32, bool) {
	if x >= 0 && address.text == tableLabel(t.names.Address(x)) {
		return int32(x), true
	}
	return t.findByAddress(address)
}

// findByNumber finds a vertex by its number x (-1 for none), unless its label is the address of exactly one other
// vertex.
func (t *vertexFinder) findByNumber(number, label tableField, x int) (int32, bool) {
	switch {
	case number.text == "" && label.text == "":
		t.fail(label.column, "the line names no vertex")
		return 0, false
	case number.text == "":
		if v, ok := t.names.Lookup(label.text); ok && !t.names.Any() { // a code and a number
			return int32(v), true
		}
		return t.findByAddress(label)
	case x >= 0 && (label.text == "" || label.text == tableLabel(t.names.Name(x))):
		return int32(x), true
	}
	if label.text != "" {
		if v, ok := t.addresses().vertex[label.text]; ok && !t.byLabel.shared[label.text] {
			return v, true
		}
	}
	if x >= 0 {
		t.fail(label.column, "vertex %d is %s, not %s", x, t.nameOf(x), label.text)
	} else {
		t.noNumber(number)
	}
	return 0, false
}

// noNumber reports a text that is not the number of a vertex.
func (t *vertexFinder) noNumber(number tableField) {
	t.fail(number.column, "%q is not the number of a vertex: they are 0 to "+
		"%d", number.text, topology.Vertices(t.p.Graph)-1)
}

// nameOf returns the name of a vertex if the machine file gives names, else its address.
func (t *vertexFinder) nameOf(v int) string {
	if t.names.Any() {
		return t.names.Name(v)
	}
	return t.names.Address(v)
}

// findByAddress finds a vertex by its address.
func (t *vertexFinder) findByAddress(label tableField) (int32, bool) {
	found, ok := t.addresses().vertex[label.text]
	switch {
	case !ok:
		near := ""
		if best, ok := t.nearest(label.text); ok {
			near = "did you mean " + best + "?"
		}
		t.fail(label.column, "there is no vertex %s\n%s", label.text, near)
		return 0, false
	case t.byLabel.shared[label.text]:
		t.fail(label.column, "several vertices are called %s: give the number in a column vertex", label.text)
		return 0, false
	}
	return found, true
}

// tableLabel returns a label as a reader of the table sees it.
func tableLabel(label string) string { return strings.TrimSpace(csvtable.OneLine(label)) }

// Limits of the search for the word nearest to a misspelt one.
const (
	mostSearched    = 1 << 16 // words to compare it with
	longestSearched = 100     // its length in bytes
)

// nearest returns the name or address most like a misspelt word, false if there is none or the search would take long.
func (t *vertexFinder) nearest(word string) (string, bool) {
	for _, x := range []*wordIndex{t.byName, t.byLabel} {
		if x == nil || len(x.vertex) > mostSearched || len(word) > longestSearched || len(t.found) > 20 {
			continue
		}
		if x.words == nil {
			for w := range x.vertex {
				x.words = append(x.words, w)
			}
			slices.Sort(x.words)
		}
		if near, ok := diag.Closest(word, x.words); ok {
			return near, true
		}
	}
	return "", false
}
