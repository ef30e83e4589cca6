package workload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// jsonNode is a node of a trace in a JSON form. Chakra's jsonizer (src/jsonizer/jsonizer.py) prints the messages of the
// protobuf form as protobuf's JSON mapping has them: whole numbers of 64 bits are texts, names are in camel case, and
// what is 0 is left out. Chakra's feeder (src/feeder/json_node.cpp) reads one object with the list workload_graph,
// whose nodes have attributes as keys, and no dependences but data_deps. Names of keys match in any case.
type jsonNode struct {
	ID           *whole       `json:"id"`
	Name         *string      `json:"name"`
	Type         *nodeType    `json:"type"`
	NodeType     *nodeType    `json:"NodeType"`
	CtrlDeps     []whole      `json:"ctrlDeps"`
	CtrlDepsToo  []whole      `json:"ctrl_deps"`
	DataDeps     []whole      `json:"dataDeps"`
	DataDepsToo  []whole      `json:"data_deps"`
	Duration     whole        `json:"durationMicros"`
	DurationToo  whole        `json:"duration_micros"`
	Runtime      whole        `json:"runtime"`
	Attr         []attribute  `json:"attr"`
	Graph        *[]*jsonNode `json:"workload_graph"`
	CPU          *bool        `json:"is_cpu_op"`
	CommType     *whole       `json:"comm_type"`
	CommSize     *whole       `json:"comm_size"`
	TensorSize   *whole       `json:"tensor_size"`
	CommSrc      *whole       `json:"comm_src"`
	CommDst      *whole       `json:"comm_dst"`
	CommTag      *whole       `json:"comm_tag"`
	ProcessGroup *string      `json:"pg_name"`
}

// attribute is an attribute of protobuf's JSON mapping: a name, and a value under the name of its type.
type attribute map[string]json.RawMessage

// whole is a whole number that is written as a number or, as protobuf has those of 64 bits, as a text.
type whole int64

// UnmarshalJSON reads a number or a text.
func (w *whole) UnmarshalJSON(data []byte) error {
	text := strings.Trim(string(data), `"`)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		var u uint64
		if u, err = strconv.ParseUint(text, 10, 64); err != nil {
			return fmt.Errorf("%s is not a whole number", data)
		}
		n = int64(u)
	}
	*w = whole(n)
	return nil
}

// nodeType is a type of nodes, as a number or as the name that the schema gives it.
type nodeType uint64

var nodeTypes = []string{
	"INVALID_NODE", "METADATA_NODE", "MEM_LOAD_NODE", "MEM_STORE_NODE", "COMP_NODE", "COMM_SEND_NODE", "COMM_RECV_NODE",
	"COMM_COLL_NODE",
}

// UnmarshalJSON reads a number or a name.
func (t *nodeType) UnmarshalJSON(data []byte) error {
	if i := slices.Index(nodeTypes, strings.Trim(string(data), `"`)); i >= 0 {
		*t = nodeType(i)
		return nil
	}
	n, err := strconv.ParseUint(string(data), 10, 64)
	if err != nil {
		return fmt.Errorf("%s is not a type of nodes; the types are %s", data, strings.Join(nodeTypes[1:], ", "))
	}
	*t = nodeType(n)
	return nil
}

// jsonNodes returns a function that reads the next node of a file in a JSON form; it returns io.EOF after the last.
func jsonNodes(file io.Reader) func() (*chakraNode, error) {
	in := json.NewDecoder(file)
	var listed []*jsonNode // of workload_graph, those that are left
	inGraph, first := false, true
	return func() (*chakraNode, error) {
		for !inGraph {
			var n jsonNode
			err := in.Decode(&n)
			if err != nil {
				if !errors.Is(err, io.EOF) {
					err = fmt.Errorf("is not JSON of a trace: %w", err)
				}
				return nil, err
			}
			if first && n.Graph != nil {
				listed, inGraph = *n.Graph, true
				break
			}
			metadata := first && n.ID == nil && n.Name == nil && n.Type == nil
			if first = false; !metadata {
				return n.node(false)
			}
		}
		if len(listed) == 0 {
			return nil, io.EOF
		}
		n := listed[0]
		listed = listed[1:]
		if n == nil {
			return nil, errors.New("is null, not an object")
		}
		return n.node(true)
	}
}

// node returns a node as the reader of protobuf has it.
func (j *jsonNode) node(ofFeeder bool) (*chakraNode, error) {
	n := &chakraNode{to: -1, from: -1, comm: -1}
	if j.ID != nil {
		n.id = uint64(*j.ID)
	}
	if j.Name != nil {
		n.name = *j.Name
	}
	for _, t := range []*nodeType{j.Type, j.NodeType} {
		if t != nil {
			n.kind = uint64(*t)
		}
	}
	n.micros = uint64(j.Duration) + uint64(j.DurationToo) + uint64(j.Runtime)
	needs := slices.Concat(j.DataDeps, j.DataDepsToo)
	if !ofFeeder {
		needs = slices.Concat(j.CtrlDeps, j.CtrlDepsToo, needs)
	}
	for _, id := range needs {
		n.needs = append(n.needs, uint64(id))
	}
	for _, a := range j.Attr {
		if err := a.giveTo(n); err != nil {
			return n, fmt.Errorf("(%.80q) %w", n.name, err)
		}
	}
	for _, a := range []struct {
		name  string
		value *whole
	}{
		{"comm_type", j.CommType},
		{"comm_size", j.CommSize},
		{"tensor_size", j.TensorSize},
		{"comm_src", j.CommSrc},
		{"comm_dst", j.CommDst},
		{"comm_tag", j.CommTag},
	} {
		if a.value != nil {
			if err := n.setAttribute(a.name, int64(*a.value), "", false); err != nil {
				return n, err
			}
		}
	}
	if j.CPU != nil {
		n.host = *j.CPU
	}
	if j.ProcessGroup != nil {
		n.group = *j.ProcessGroup
	}
	return n, nil
}

// giveTo has a node take the attribute. Values that no schedule needs, such as fractions, are left out.
func (a attribute) giveTo(n *chakraNode) error {
	var name, word string
	var value whole
	some := false
	if err := json.Unmarshal(a["name"], &name); err != nil {
		return errors.New("has an attribute without a name")
	}
	// A word or a value that is left out has its type's zero, as in protobuf.
	for key, data := range a {
		var err error
		switch kind := strings.ToLower(strings.ReplaceAll(key, "_", "")); kind {
		case "stringval":
			err = json.Unmarshal(data, &word)
		case "boolval":
			if bytes.Equal(data, []byte("true")) {
				value = 1
			}
		case "boollist":
			var list struct{ Values []bool }
			err = json.Unmarshal(data, &list)
			some = slices.Contains(list.Values, false)
		case "int32val", "int64val", "uint32val", "uint64val", "sint32val", "sint64val", "fixed32val", "fixed64val",
			"sfixed32val", "sfixed64val":
			err = json.Unmarshal(data, &value)
		}
		if err != nil {
			return fmt.Errorf("has the attribute %s, whose %s is %.40s", name, key, data)
		}
	}
	return n.setAttribute(name, int64(value), word, some)
}
