package workload

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/sim/goal"
)

// Types of nodes of a trace, as schema/protobuf/et_def.proto of MLCommons Chakra numbers them.
const (
	metadataNode = 1
	loadNode     = 2
	storeNode    = 3
	computeNode  = 4
	sendNode     = 5
	receiveNode  = 6
	groupNode    = 7
)

const (
	maxMessage = 1 << 24 // bytes of a node
	maxTag     = 1 << 31 // tags of messages that a trace states; those of collectives follow
)

// Trace is the schedule of execution traces, and what they leave out.
type Trace struct {
	Schedule *goal.Schedule
	// Untimed is the calculations and memory operations without a duration, which take no time in the schedule.
	Untimed int
	// Collectives is those of all groups, each counted once.
	Collectives int
}

// ReadChakra reads the execution traces of all ranks, NAME.0.et, NAME.1.et and so on in the protobuf form of Chakra, or
// NAME.0.json, NAME.1.json and so on in one of its JSON forms: what Chakra's jsonizer prints of protobuf, or the list
// workload_graph of its feeder. Path is one of these files. Collectives without a group are of all ranks. Errors name
// the file and the node.
func ReadChakra(path string, groups Groups) (*Trace, error) {
	files, err := chakraFiles(path)
	if err != nil {
		return nil, err
	}
	b, err := goal.NewBuilder(len(files))
	if err != nil {
		return nil, err
	}
	r := &chakraReader{maker: &maker{Builder: b}, groups: groups, ranks: len(files), trace: &Trace{}}
	r.numbered = map[called]*shared{}
	for i := range files {
		r.all = append(r.all, int32(i))
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		for _, rank := range groups[name] {
			if int(rank) >= len(files) {
				return nil, fmt.Errorf("group %q has rank %d, and there are traces of %d ranks", name, rank, len(files))
			}
		}
	}
	for rank, file := range files {
		if err := r.file(int32(rank), file); err != nil {
			return nil, err
		}
	}
	if err := r.complete(); err != nil {
		return nil, err
	}
	r.trace.Schedule, r.trace.Collectives = b.Schedule(), len(r.numbered)
	return r.trace, nil
}

var chakraName = regexp.MustCompile(`^(.*)\.([0-9]+)\.(et|json)$`)

// chakraFiles lists the traces beside one of them, by rank.
func chakraFiles(path string) ([]string, error) {
	parts := chakraName.FindStringSubmatch(filepath.Base(path))
	if parts == nil {
		return nil, fmt.Errorf("%s: the name of a trace ends with its rank, like NAME.0.et or NAME.0.json", path)
	}
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	found := map[int]string{}
	for _, e := range entries {
		of := chakraName.FindStringSubmatch(e.Name())
		if of == nil || of[1] != parts[1] || of[3] != parts[3] {
			continue
		}
		rank, err := strconv.Atoi(of[2])
		if err != nil || rank >= goal.MaxRanks {
			return nil, fmt.Errorf("%s: ranks are below %d", e.Name(), goal.MaxRanks)
		}
		if other, ok := found[rank]; ok {
			return nil, fmt.Errorf("%s and %s are traces of the same rank", other, e.Name())
		}
		found[rank] = e.Name()
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: there is no such file", path)
	}
	files := make([]string, len(found))
	for rank := range files {
		name, ok := found[rank]
		if !ok {
			return nil, fmt.Errorf("%s: there are %d traces, but none of rank %d", path, len(found), rank)
		}
		files[rank] = filepath.Join(dir, name)
	}
	return files, nil
}

// called is the nth collective of a group.
type called struct {
	group string
	n     int
}

// shared is a collective that several ranks take part in.
type shared struct {
	tag   uint32
	what  Collective
	bytes int64
	by    int // ranks that have called it
	first int32
}

type chakraReader struct {
	*maker
	groups   Groups
	all      []int32
	ranks    int
	trace    *Trace
	numbered map[called]*shared
	counts   map[string]int // collectives of the rank under way, by group
	rank     int32
}

// chakraNode is a node of a trace.
type chakraNode struct {
	id, kind    uint64
	name        string
	needs       []uint64
	micros      uint64
	comm, bytes int64
	to, from    int64
	tag         int64
	group       string
	host        bool
	begin, end  int32
}

// file reads the trace of a rank.
func (r *chakraReader) file(rank int32, path string) error {
	f, err := infile.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := r.Rank(rank); err != nil {
		return err
	}
	r.rank, r.counts = rank, map[string]int{}
	next := protobufNodes(f)
	if filepath.Ext(path) == ".json" {
		next = jsonNodes(f)
	}
	var nodes []chakraNode
	byID := map[uint64]int{}
	for {
		n, err := next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: node %d: %w", path, len(nodes), err)
		}
		if err := r.node(n); err != nil {
			return fmt.Errorf("%s: node %d (%.80q): %w", path, len(nodes), n.name, err)
		}
		if _, ok := byID[n.id]; ok {
			return fmt.Errorf("%s: two nodes have the id %d", path, n.id)
		}
		byID[n.id] = len(nodes)
		nodes = append(nodes, *n)
	}
	for i := range nodes {
		n := &nodes[i]
		for _, id := range n.needs {
			on, ok := byID[id]
			if !ok {
				return fmt.Errorf("%s: node %d (%.80q) waits for node %d, which the trace does not have", path, n.id,
					n.name, id)
			}
			r.Requires(n.begin, nodes[on].end)
		}
	}
	return nil
}

// node adds the operations of a node.
func (r *chakraReader) node(n *chakraNode) error {
	switch n.kind {
	case computeNode, loadNode, storeNode, metadataNode:
		if n.micros == 0 && n.kind != metadataNode {
			r.trace.Untimed++
		}
		if n.micros > goal.MaxCalc/1000 {
			return fmt.Errorf("takes %d microseconds; at most %.0f", n.micros, goal.MaxCalc/1000)
		}
		cpu := uint8(computes)
		if n.host {
			cpu = hosts
		}
		n.begin = r.add(goal.Op{Kind: goal.Calc, Size: int64(n.micros) * 1000, CPU: cpu})
		n.end = n.begin
	case sendNode, receiveNode:
		peer := n.to
		if n.kind == receiveNode {
			peer = n.from
		}
		if peer < 0 || peer >= int64(r.ranks) {
			return fmt.Errorf("is a message with rank %d; there are traces of %d ranks", peer, r.ranks)
		}
		if n.tag < 0 || n.tag >= maxTag {
			return fmt.Errorf("has the tag %d; tags are from 0 to %d", n.tag, maxTag-1)
		}
		if n.kind == sendNode {
			n.begin = r.send(n.bytes, int32(peer), uint32(n.tag))
		} else {
			n.begin = r.receive(n.bytes, int32(peer), uint32(n.tag))
		}
		n.end = n.begin
	case groupNode:
		if n.comm < 0 && n.host { // the host's call of a collective of the accelerator, as PyTorch's traces have it
			n.kind = computeNode
			return r.node(n)
		}
		return r.addCollective(n)
	default:
		return fmt.Errorf("is of type %d; the types are 1 to 7", n.kind)
	}
	return r.err
}

// addCollective adds the part of the rank in a collective.
func (r *chakraReader) addCollective(n *chakraNode) error {
	ranks := r.all
	if n.group != "" {
		var ok bool
		if ranks, ok = r.groups[n.group]; !ok {
			return fmt.Errorf("is of process group %q, of which no file of groups says the ranks", n.group)
		}
	}
	at := slices.Index(ranks, r.rank)
	if at < 0 {
		return fmt.Errorf("is of process group %q, which rank %d is not in", n.group, r.rank)
	}
	if n.comm < 0 || n.comm > int64(Barrier) {
		return fmt.Errorf("has no comm_type from 0 to %d", uint8(Barrier))
	}
	what := Collective(n.comm)
	key := called{n.group, r.counts[n.group]}
	r.counts[n.group]++
	s := r.numbered[key]
	if s == nil {
		if len(r.numbered) >= math.MaxInt32 {
			return errors.New("is one collective too many")
		}
		s = &shared{tag: uint32(maxTag + len(r.numbered)), what: what, bytes: n.bytes, first: r.rank}
		r.numbered[key] = s
	}
	if s.what != what || s.bytes != n.bytes {
		return fmt.Errorf("is %s of %d bytes, where rank %d has %s of %d as the collective of the same number in its "+
			"group", what, n.bytes, s.first, s.what, s.bytes)
	}
	s.by++
	n.begin = r.join()
	n.end = r.collective(what, n.bytes, group{ranks, at}, s.tag, n.begin)
	return r.err
}

// complete reports collectives that some ranks of their group do not take part in.
func (r *chakraReader) complete() error {
	var missing []called
	for k, s := range r.numbered {
		if want := len(r.members(k.group)); s.by < want {
			missing = append(missing, k)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	slices.SortFunc(missing, func(a, b called) int { return cmp.Or(cmp.Compare(a.group, b.group), a.n-b.n) })
	k := missing[0]
	s := r.numbered[k]
	return fmt.Errorf("%s of %d bytes, number %d of process group %q, is in the traces of %d of %d ranks; rank %d has "+
		"it", s.what, s.bytes, k.n, k.group, s.by, len(r.members(k.group)), s.first)
}

func (r *chakraReader) members(name string) []int32 {
	if name == "" {
		return r.all
	}
	return r.groups[name]
}

// protobufNodes returns a function that reads the next node of a file in the protobuf form; it returns io.EOF after the
// last.
func protobufNodes(file io.Reader) func() (*chakraNode, error) {
	in := bufio.NewReader(file)
	metadata := true // comes first
	return func() (*chakraNode, error) {
		data, err := message(in)
		if err == nil && metadata {
			metadata = false
			data, err = message(in)
		}
		if err != nil {
			return nil, err
		}
		n, err := parseNode(data)
		if err != nil {
			err = fmt.Errorf("(%.80q) %w", n.name, err)
		}
		return n, err
	}
}

// message reads the next message of a file, each of which has its length before it.
func message(in *bufio.Reader) ([]byte, error) {
	if _, err := in.Peek(1); err != nil {
		return nil, err
	}
	size, err := binary.ReadUvarint(in)
	if err != nil {
		return nil, errors.New("its length is no number")
	}
	if size > maxMessage {
		return nil, fmt.Errorf("has %d bytes; at most %d", size, maxMessage)
	}
	data, err := io.ReadAll(io.LimitReader(in, int64(size)))
	if err == nil && uint64(len(data)) < size {
		err = fmt.Errorf("has %d bytes, of which the file has %d", size, len(data))
	}
	return data, err
}

// parseNode reads a node. What it has besides is left out.
func parseNode(data []byte) (*chakraNode, error) {
	n := &chakraNode{to: -1, from: -1, comm: -1}
	fields := func(number protowire.Number, value uint64, text []byte) error {
		switch number {
		case 1:
			n.id = value
		case 2:
			n.name = string(text)
		case 3:
			n.kind = value
		case 4, 5:
			return n.need(value, text)
		case 7:
			n.micros = value
		case 10:
			return n.attribute(text)
		}
		return nil
	}
	return n, eachField(data, fields)
}

// need adds nodes that are waited for, one or a packed list.
func (n *chakraNode) need(value uint64, packed []byte) error {
	if packed == nil {
		n.needs = append(n.needs, value)
		return nil
	}
	for len(packed) > 0 {
		id, size := protowire.ConsumeVarint(packed)
		if size < 0 {
			return errMalformed
		}
		n.needs, packed = append(n.needs, id), packed[size:]
	}
	return nil
}

// attribute takes an attribute that a schedule needs.
func (n *chakraNode) attribute(data []byte) error {
	var name, word string
	var value int64
	some := false // of a list are false
	err := eachField(data, func(number protowire.Number, v uint64, text []byte) error {
		switch number {
		case 1:
			name = string(text)
		case 7, 9, 11, 13, 23, 25, 19, 21, 27: // whole numbers
			value = int64(v)
		case 15, 17:
			value = protowire.DecodeZigZag(v)
		case 29:
			word = string(text)
		case 28:
			return eachField(text, func(_ protowire.Number, one uint64, packed []byte) error {
				some = some || packed == nil && one == 0 || slices.Contains(packed, 0)
				return nil
			})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return n.setAttribute(name, value, word, some)
}

// setAttribute sets the attribute of a name to a whole number or truth value, a word, or whether some entry of a list
// is false.
func (n *chakraNode) setAttribute(name string, value int64, word string, some bool) error {
	switch name {
	case "comm_type":
		n.comm = value
	case "comm_size":
		n.bytes = value
	case "tensor_size":
		if n.bytes == 0 {
			n.bytes = value
		}
	case "comm_src":
		n.from = value
	case "comm_dst":
		n.to = value
	case "comm_tag":
		n.tag = value
	case "pg_name":
		n.group = word
	case "is_cpu_op":
		n.host = value != 0
	case "involved_dim":
		if some {
			return errors.New("is over some dimensions only (involved_dim); state its ranks as a group (pg_name)")
		}
	}
	return nil
}

var errMalformed = errors.New("is not a protobuf message")

// eachField calls do for the fields of a message, with the number or the bytes that each has.
func eachField(data []byte, do func(number protowire.Number, value uint64, text []byte) error) error {
	for len(data) > 0 {
		number, kind, size := protowire.ConsumeTag(data)
		if size < 0 {
			return errMalformed
		}
		data = data[size:]
		var value uint64
		var text []byte
		switch kind {
		case protowire.VarintType:
			value, size = protowire.ConsumeVarint(data)
		case protowire.Fixed64Type:
			value, size = protowire.ConsumeFixed64(data)
		case protowire.Fixed32Type:
			var v uint32
			v, size = protowire.ConsumeFixed32(data)
			value = uint64(v)
		case protowire.BytesType:
			text, size = protowire.ConsumeBytes(data)
			if text == nil {
				text = []byte{}
			}
		default:
			size = protowire.ConsumeFieldValue(number, kind, data)
		}
		if size < 0 {
			return errMalformed
		}
		data = data[size:]
		if err := do(number, value, text); err != nil {
			return err
		}
	}
	return nil
}
