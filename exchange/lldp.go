package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
)

func isLLDP(head []byte) bool {
	head = bytes.TrimSpace(head)
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"lldp"`))
}

// one or many: lldpctl writes a list where there are several and the thing itself where there is one.
type several []json.RawMessage

func (s *several) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	if len(data) > 0 && data[0] == '[' {
		return json.Unmarshal(data, (*[]json.RawMessage)(s))
	}
	*s = several{bytes.Clone(data)}
	return nil
}

// lldpPort is what is said of a port.
type lldpPort struct {
	Chassis json.RawMessage `json:"chassis"`
	Port    struct {
		ID struct {
			Type  string `json:"type"`
			Value string `json:"value"`
		} `json:"id"`
		Descr string `json:"descr"`
	} `json:"port"`
}

// ReadLLDP reads what lldpctl -f json prints on a host: the neighbours of its ports. The host itself, which the output
// does not name, is called as the file is, without its ending, or by a key "host" beside "lldp" that whoever gathered
// the files has added. Ports whose id is a MAC address are called by their description where they have one.
func ReadLLDP(path string, r io.Reader) (*Wiring, error) {
	data, err := io.ReadAll(csvtable.Text(path, r))
	if err != nil {
		return nil, asMistakes(err)
	}
	wrong := func(format string, args ...any) error {
		return diag.List{{Pos: diag.Position{File: path, Line: 1, Column: 1}, Message: fmt.Sprintf(format, args...)}}
	}
	var doc struct {
		Host string `json:"host"`
		LLDP struct {
			Interface several `json:"interface"`
		} `json:"lldp"`
	}
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &doc); err != nil {
		return nil, jsonMistake(path, data, err)
	}
	b := newBuilder()
	host := doc.Host
	if host == "" {
		host = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	own := b.box(host, host)
	b.w.Boxes[own].Listed = true
	for _, raw := range doc.LLDP.Interface {
		var ports map[string]lldpPort
		if err := json.Unmarshal(raw, &ports); err != nil {
			return nil, wrong("an interface is not as lldpctl writes it: %v", err)
		}
		for _, name := range slices.Sorted(maps.Keys(ports)) {
			p := ports[name]
			far := chassisName(p.Chassis)
			if far == "" {
				b.w.Notes = append(b.w.Notes, fmt.Sprintf("%s: the neighbour of %s has no name", host, name))
				continue
			}
			id := p.Port.ID.Value
			if p.Port.ID.Type != "ifname" && p.Port.Descr != "" {
				id = p.Port.Descr
			}
			b.link(Link{A: End{Box: own, Port: name}, B: End{Box: b.box(far, far), Port: id}})
		}
	}
	return b.w, nil
}

// chassisName is the name of a chassis: the key that it stands under, or its field "name".
func chassisName(raw json.RawMessage) string {
	var named map[string]json.RawMessage
	if json.Unmarshal(raw, &named) != nil {
		return ""
	}
	var name string
	if json.Unmarshal(named["name"], &name) == nil && name != "" {
		return name
	}
	if _, ok := named["id"]; ok || len(named) != 1 {
		return "" // without a name lldpctl writes its fields at once
	}
	for key := range named {
		return key
	}
	return ""
}

// jsonMistake gives a mistake in a JSON text its place.
func jsonMistake(path string, data []byte, err error) error {
	at := diag.Position{File: path, Line: 1, Column: 1}
	offset := int64(-1)
	switch e := err.(type) {
	case *json.SyntaxError:
		offset = e.Offset
	case *json.UnmarshalTypeError:
		offset = e.Offset
	}
	if offset > 0 && offset <= int64(len(data)) {
		before := data[:offset-1]
		at.Line = 1 + bytes.Count(before, []byte("\n"))
		at.Column = int(offset) - 1 - bytes.LastIndexByte(before, '\n')
	}
	return diag.List{{Pos: at, Message: err.Error()}}
}
