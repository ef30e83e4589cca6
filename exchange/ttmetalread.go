package exchange

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

func isCutSheet(head []byte) bool {
	line, rest, _ := bytes.Cut(head, []byte("\n"))
	heads, _, _ := bytes.Cut(rest, []byte("\n"))
	return bytes.HasPrefix(line, []byte("Source,")) && bytes.Contains(heads, []byte("Hostname")) &&
		bytes.Contains(heads, []byte("Tray"))
}

// ReadCutSheet reads a cut sheet of tt-metal, with places or without.
func ReadCutSheet(path string, r io.Reader) (*Wiring, error) {
	t, b := newRows(path, r, ','), newBuilder()
	for range 2 {
		if _, err := t.next(); err != nil {
			return nil, err
		}
	}
	var at []int // host, tray and port of both ends
	for range 2 {
		heads := csvtable.Heads(t.row)
		for i := range heads {
			if len(at) == 3 && i <= at[2] {
				heads[i] = "" // of the first end
			}
		}
		end, err := t.columns(heads, "hostname", "tray", "port")
		if err != nil {
			return nil, err
		}
		at = append(at, end...)
	}
	for {
		more, err := t.next()
		if err != nil {
			return nil, err
		}
		if !more {
			return b.w, t.found.Err()
		}
		var e [6]string
		for i := range e {
			e[i] = t.field(at[i])
		}
		if !t.ends(e[:]...) {
			continue
		}
		var ports [2]string
		for i := range ports {
			tray, errA := strconv.Atoi(e[3*i+1])
			port, errB := strconv.Atoi(e[3*i+2])
			if errA != nil || errB != nil || tray < 0 || port < 1 {
				t.wrong(fmt.Sprintf("tray %q, port %q", e[3*i+1], e[3*i+2]), "expected two numbers")
			}
			ports[i] = ttPort(tray, port)
		}
		b.subnetLink(e[0], ports[0], e[3], ports[1], t.line())
	}
}

var ttSystemHead = lazyregexp.New(`(?m)^\s*(hosts|board_types|eth_connections)\s*:?\s*[{<\[]`)

func isTTSystem(head []byte) bool { return ttSystemHead.Match(head) }

// mostProto is the most that is read of a text of protocol buffers, in bytes: in memory it takes twenty times as much.
const mostProto = 32 << 20

// ttSystem describes the fields of tt-metal's description of a system that links are made of, by their numbers there.
var ttSystem = func() protoreflect.MessageDescriptor {
	const (
		text   = descriptorpb.FieldDescriptorProto_TYPE_STRING
		number = descriptorpb.FieldDescriptorProto_TYPE_UINT32
		one    = descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL
		many   = descriptorpb.FieldDescriptorProto_LABEL_REPEATED
	)
	type kind = descriptorpb.FieldDescriptorProto_Type
	message := func(name string, fields ...*descriptorpb.FieldDescriptorProto) *descriptorpb.DescriptorProto {
		for i, f := range fields {
			f.Number = proto.Int32(int32(i) + 1)
		}
		return &descriptorpb.DescriptorProto{Name: &name, Field: fields}
	}
	plain := func(name string, of kind) *descriptorpb.FieldDescriptorProto {
		return &descriptorpb.FieldDescriptorProto{Name: &name, Type: of.Enum(), Label: one.Enum()}
	}
	of := func(name, message string, label descriptorpb.FieldDescriptorProto_Label) *descriptorpb.FieldDescriptorProto {
		return &descriptorpb.FieldDescriptorProto{
			Name: &name, Type: descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(), Label: label.Enum(),
			TypeName: proto.String("." + message),
		}
	}
	file, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String("system.proto"), Syntax: proto.String("proto3"),
		MessageType: []*descriptorpb.DescriptorProto{
			message("System", of("hosts", "Host", many), of("board_types", "Boards", one),
				of("eth_connections", "Connections", one)),
			message("Host", plain("hostname", text), plain("hall", text), plain("aisle", text), plain("rack", number),
				plain("shelf_u", number), plain("motherboard", text), plain("group_name", text)),
			message("Board", plain("host_id", number), plain("tray_id", number), plain("board_type", text)),
			message("Boards", of("board_locations", "Board", many)),
			message("End", plain("host_id", number), plain("tray_id", number), plain("asic_location", number),
				plain("chan_id", number)),
			message("Connection", of("endpoint_a", "End", one), of("endpoint_b", "End", one)),
			message("Connections", of("connection", "Connection", many)),
		},
	}, nil)
	if err != nil {
		panic(err) // the description above is not a description
	}
	return file.Messages().ByName("System")
}()

var protoMistake = lazyregexp.New(`\(line (\d+):(\d+)\): (.*)`)

// ReadTTSystem reads tt-metal's description of a system (FactorySystemDescriptor, .textproto). Channel 0 of ASIC 0 in
// tray 2 is port 2/1; those of other ASICs are called by tray, ASIC and channel, 2/1/0. Connections
// within a host and fields that are not known are passed over.
func ReadTTSystem(path string, r io.Reader) (*Wiring, error) {
	wrong := func(line, column int, message string) error {
		return diag.List{{Pos: diag.Position{File: path, Line: line, Column: column}, Message: message}}
	}
	data, err := io.ReadAll(csvtable.Text(path, io.LimitReader(r, mostProto+1)))
	if err != nil {
		return nil, err
	}
	if len(data) > mostProto {
		return nil, wrong(1, 1, fmt.Sprintf("has more than the %d bytes that are read of a textproto", mostProto))
	}
	system := dynamicpb.NewMessage(ttSystem)
	if err := (prototext.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(data, system); err != nil {
		if m := protoMistake.FindStringSubmatch(err.Error()); m != nil {
			line, _ := strconv.Atoi(m[1])
			column, _ := strconv.Atoi(m[2])
			return nil, wrong(line, column, m[3])
		}
		return nil, wrong(1, 1, strings.ReplaceAll(err.Error(), "\u00a0", " "))
	}
	b := newBuilder()
	field := func(m protoreflect.Message, name protoreflect.Name) protoreflect.Value {
		return m.Get(m.Descriptor().Fields().ByName(name))
	}
	hosts := field(system, "hosts").List()
	for i := range hosts.Len() {
		name := field(hosts.Get(i).Message(), "hostname").String()
		if name == "" {
			return nil, wrong(1, 1, fmt.Sprintf("host %d, counted from 0, has no hostname", i))
		}
		b.w.Boxes[b.box(strconv.Itoa(i), name)].Listed = true
	}
	within := 0
	links := field(field(system, "eth_connections").Message(), "connection").List()
	for i := range links.Len() {
		var ends [2]End
		for k, name := range []protoreflect.Name{"endpoint_a", "endpoint_b"} {
			e := field(links.Get(i).Message(), name).Message()
			host := field(e, "host_id").Uint()
			if host >= uint64(hosts.Len()) {
				return nil, wrong(1, 1, fmt.Sprintf("connection %d, counted from 0, ends at host %d, and there are %d",
					i, host, hosts.Len()))
			}
			port := ttChannel(field(e, "tray_id").Uint(), field(e, "asic_location").Uint(), field(e, "chan_id").Uint())
			ends[k] = End{Box: int(host), Port: port, Form: Subnet}
		}
		if ends[0].Box == ends[1].Box {
			within++
			continue
		}
		b.link(Link{A: ends[0], B: ends[1]})
	}
	b.withinHosts(path, within)
	return b.w, nil
}

// ttChannel is the port of a channel, as plans and readers call it.
func ttChannel(tray, asic, channel uint64) string {
	if asic > 0 {
		return fmt.Sprintf("%d/%d/%d", tray, asic, channel)
	}
	return fmt.Sprintf("%d/%d", tray, channel+1)
}

// withinHosts says that connections were passed over that are within a host: traces and cables between the boards of a
// box, of which a plan has none.
func (b *builder) withinHosts(path string, n int) {
	switch {
	case n == 1:
		b.w.Notes = append(b.w.Notes, filepath.Base(path)+": passed over is 1 connection within a host")
	case n > 1:
		b.w.Notes = append(b.w.Notes,
			fmt.Sprintf("%s: passed over are %s within a host", filepath.Base(path), english.Count(n, "connection")))
	}
}
