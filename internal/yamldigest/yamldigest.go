// Package yamldigest hashes values of YAML files by what they mean: neither their form in the file nor the order of
// keys matters.
package yamldigest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/internal/infile"
)

// Digest is the hash of a value, equal for all its spellings in a file.
type Digest [sha256.Size]byte

// Text is a digest for files: enough of it to tell billions of values apart.
func (d Digest) Text() string { return hex.EncodeToString(d[:8]) }

// Known remembers digests of values that do not change. A value that an alias repeats is hashed once.
type Known map[*yaml.Node]Digest

// Of hashes a value. Keys may stand in any order. Without keep, nothing is remembered, and several goroutines may ask.
func (known Known) Of(n *yaml.Node, keep bool) Digest {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if d, ok := known[n]; ok {
		return d
	}
	type pair struct {
		key   string
		value Digest
	}
	h := sha256.New()
	write := func(text string) { h.Write(append([]byte(text), 0)) }
	switch n.Kind {
	case yaml.MappingNode:
		write("map")
		var pairs []pair
		for i := 0; i+1 < len(n.Content); i += 2 {
			pairs = append(pairs, pair{n.Content[i].Value, known.Of(n.Content[i+1], keep)})
		}
		slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
		for _, p := range pairs {
			write(p.key)
			h.Write(p.value[:])
		}
	case yaml.SequenceNode:
		write("list")
		for _, c := range n.Content {
			d := known.Of(c, keep)
			h.Write(d[:])
		}
	default:
		write(n.ShortTag())
		write(n.Value)
	}
	d := Digest(h.Sum(nil))
	if keep {
		known[n] = d
	}
	return d
}

// Join hashes what is made of several parts.
func Join(parts ...[]byte) Digest {
	h := sha256.New()
	for _, p := range parts {
		one := sha256.Sum256(p)
		h.Write(one[:])
	}
	return Digest(h.Sum(nil))
}

// File is the digest of the content of a file, of nothing where it cannot be read: who needs it says so.
func File(path string) Digest {
	h := sha256.New()
	if f, err := infile.Open(path); err == nil {
		defer f.Close()
		if _, err := io.Copy(h, f); err != nil {
			return Digest{}
		}
	}
	return Digest(h.Sum(nil))
}
