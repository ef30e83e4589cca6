package sweep

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"go.yaml.in/yaml/v4"
)

// digest is the hash of a value, whatever its form in the file.
type digest [sha256.Size]byte

// text is a digest for files: enough of it to tell billions of points apart.
func (d digest) text() string { return hex.EncodeToString(d[:8]) }

// digests remembers those of values that do not change: the base machine. A value that an alias repeats is hashed once.
type digests map[*yaml.Node]digest

// of hashes a value. Keys may stand in any order. Without keep, nothing is remembered, and several goroutines may ask.
func (known digests) of(n *yaml.Node, keep bool) digest {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if d, ok := known[n]; ok {
		return d
	}
	type pair struct {
		key   string
		value digest
	}
	h := sha256.New()
	write := func(text string) { h.Write(append([]byte(text), 0)) }
	switch n.Kind {
	case yaml.MappingNode:
		write("map")
		var pairs []pair
		for i := 0; i+1 < len(n.Content); i += 2 {
			pairs = append(pairs, pair{n.Content[i].Value, known.of(n.Content[i+1], keep)})
		}
		slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
		for _, p := range pairs {
			write(p.key)
			h.Write(p.value[:])
		}
	case yaml.SequenceNode:
		write("list")
		for _, c := range n.Content {
			d := known.of(c, keep)
			h.Write(d[:])
		}
	default:
		write(n.ShortTag())
		write(n.Value)
	}
	d := digest(h.Sum(nil))
	if keep {
		known[n] = d
	}
	return d
}

// join hashes what is made of several parts.
func join(parts ...[]byte) digest {
	h := sha256.New()
	for _, p := range parts {
		one := sha256.Sum256(p)
		h.Write(one[:])
	}
	return digest(h.Sum(nil))
}
