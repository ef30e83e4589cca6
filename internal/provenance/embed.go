package provenance

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// indent is that of JSON documents.
const indent = "  "

// JSON adds the record as the last key to an indented JSON object that is written in one call, as encoding/json does.
// What is not an object stays as it is.
func JSON(ctx context.Context, w io.Writer) io.Writer { return &object{w, Of(ctx)} }

type object struct {
	io.Writer
	Record
}

func (o *object) Write(p []byte) (int, error) {
	rest, ok := bytes.CutSuffix(p, []byte("}\n"))
	if !ok {
		return o.Writer.Write(p)
	}
	rest = bytes.TrimSuffix(rest, []byte("\n"))
	between := ",\n"
	if bytes.Equal(rest, []byte("{")) {
		between = "\n"
	}
	if _, err := o.Writer.Write(rest); err != nil {
		return 0, err
	}
	_, err := io.WriteString(o.Writer, between+indent+`"`+Key+`": `+string(o.encode(indent))+"\n}\n")
	return len(p), err
}

// header is the length of the signature and the header of a PNG file, behind which other chunks may stand: PNG
// specification, third edition, sections 5.2 and 11.2.1.
const header = 8 + 25

// PNG adds the record to a picture that is written as PNG: a chunk tEXt with the keyword Key (PNG specification, third
// edition, section 11.3.3.2).
func PNG(ctx context.Context, w io.Writer) io.Writer {
	return &picture{Writer: w, Record: Of(ctx), left: header}
}

type picture struct {
	io.Writer
	Record
	left int // bytes before the chunk
}

func (c *picture) Write(p []byte) (n int, err error) {
	if c.left > 0 {
		n, err = c.Writer.Write(p[:min(c.left, len(p))])
		if c.left -= n; err != nil || c.left > 0 {
			return n, err
		}
		if _, err = c.Writer.Write(chunk("tEXt", []byte(Key+"\x00"+c.Line()))); err != nil {
			return n, err
		}
	}
	m, err := c.Writer.Write(p[n:])
	return n + m, err
}

// chunk is a chunk of a PNG file: PNG specification, third edition, section 5.3.
func chunk(name string, data []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, name...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// SVG is the element metadata of a drawing. It is empty where With gave no record: the bytes of a drawing that a
// library makes depend on the drawing alone.
func SVG(ctx context.Context) string {
	if _, given := FromContext(ctx); !given {
		return ""
	}
	return "<metadata>" + rdf(ctx) + "</metadata>\n"
}

// XMP is the packet of metadata of a PDF: ISO 16684-1, section 7.
func XMP(ctx context.Context) []byte {
	return []byte("<?xpacket begin=\"\ufeff\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n" +
		`<x:xmpmeta xmlns:x="adobe:ns:meta/">` + rdf(ctx) + "</x:xmpmeta>\n" + `<?xpacket end="r"?>`)
}

func rdf(ctx context.Context) string {
	r := Of(ctx)
	return `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
		`<rdf:Description rdf:about="" xmlns:plenum="` + Namespace + `">` +
		`<plenum:` + Key + `>` + r.Line() + `</plenum:` + Key + `></rdf:Description></rdf:RDF>`
}
