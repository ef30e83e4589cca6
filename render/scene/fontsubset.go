package scene

import (
	"encoding/binary"
	"errors"
	"slices"

	"golang.org/x/image/font/sfnt"
)

// subset is a TrueType font with the outlines of the given characters only, so that a drawing carries the letters that
// it has and no more. Numbers of glyphs stay: the others are empty. What lays out text beyond single letters, and what
// fits outlines to pixels, is left out. The format is that of the OpenType specification, version 1.9.
func subset(ttf []byte, runes []rune) ([]byte, error) {
	tables, err := fontTables(ttf)
	if err != nil {
		return nil, err
	}
	font, err := sfnt.Parse(ttf)
	if err != nil {
		return nil, err
	}
	keep := map[int]bool{0: true}
	var buffer sfnt.Buffer
	for _, r := range runes {
		i, err := font.GlyphIndex(&buffer, r)
		if err != nil {
			return nil, err
		}
		keep[int(i)] = true
	}
	head, glyf := tables["head"], tables["glyf"]
	if len(head) < 54 {
		return nil, errors.New("scene: a font without a header")
	}
	places := glyphPlaces(tables["loca"], binary.BigEndian.Uint16(head[50:]) == 1)
	outline := func(i int) []byte {
		if i+1 >= len(places) || places[i] > places[i+1] || places[i+1] > len(glyf) {
			return nil
		}
		return glyf[places[i]:places[i+1]]
	}
	for queue := keysOf(keep); len(queue) > 0; queue = queue[1:] {
		for _, i := range components(outline(queue[0])) {
			if !keep[i] {
				keep[i] = true
				queue = append(queue, i)
			}
		}
	}
	var outlines, loca []byte
	for i := range len(places) - 1 {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(outlines)))
		if keep[i] {
			outlines = append(outlines, outline(i)...)
			outlines = append(outlines, make([]byte, -len(outlines)&3)...)
		}
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(outlines)))
	head = slices.Clone(head)
	binary.BigEndian.PutUint16(head[50:], 1) // places of 32 bits
	binary.BigEndian.PutUint32(head[8:], 0)  // the checksum of all, which is set below
	out := map[string][]byte{"glyf": outlines, "loca": loca, "head": head}
	for _, tag := range []string{"cmap", "hhea", "hmtx", "maxp", "name", "OS/2", "post"} {
		if table, ok := tables[tag]; ok {
			out[tag] = table
		}
	}
	return joinTables(out), nil
}

// fontTables are the tables of a font file by their tags.
func fontTables(ttf []byte) (map[string][]byte, error) {
	wrong := errors.New("scene: not a TrueType font")
	if len(ttf) < 12 {
		return nil, wrong
	}
	n := int(binary.BigEndian.Uint16(ttf[4:]))
	if len(ttf) < 12+16*n {
		return nil, wrong
	}
	out := map[string][]byte{}
	for i := range n {
		entry := ttf[12+16*i:]
		from, size := int(binary.BigEndian.Uint32(entry[8:])), int(binary.BigEndian.Uint32(entry[12:]))
		if from+size > len(ttf) {
			return nil, wrong
		}
		out[string(entry[:4])] = ttf[from : from+size]
	}
	return out, nil
}

// glyphPlaces are where the outlines of glyphs begin, and the end of the last.
func glyphPlaces(loca []byte, long bool) (out []int) {
	if long {
		for ; len(loca) >= 4; loca = loca[4:] {
			out = append(out, int(binary.BigEndian.Uint32(loca)))
		}
		return out
	}
	for ; len(loca) >= 2; loca = loca[2:] {
		out = append(out, 2*int(binary.BigEndian.Uint16(loca)))
	}
	return out
}

// components are the glyphs of which an outline is made, such as a letter and its accent.
func components(outline []byte) (out []int) {
	const words, scale, more, scales, matrix = 1, 8, 32, 64, 128
	if len(outline) < 10 || int16(binary.BigEndian.Uint16(outline)) >= 0 {
		return nil
	}
	for rest := outline[10:]; len(rest) >= 4; {
		flags := binary.BigEndian.Uint16(rest)
		out = append(out, int(binary.BigEndian.Uint16(rest[2:])))
		size := 6
		if flags&words != 0 {
			size += 2
		}
		switch {
		case flags&scale != 0:
			size += 2
		case flags&scales != 0:
			size += 4
		case flags&matrix != 0:
			size += 8
		}
		if flags&more == 0 || size > len(rest) {
			return out
		}
		rest = rest[size:]
	}
	return out
}

// joinTables makes a font file of tables.
func joinTables(tables map[string][]byte) []byte {
	tags := keysOf(tables)
	n := len(tags)
	power, log := 1, 0
	for 2*power <= n {
		power, log = 2*power, log+1
	}
	file := []byte{0, 1, 0, 0}
	for _, v := range []int{n, 16 * power, log, 16 * (n - power)} {
		file = binary.BigEndian.AppendUint16(file, uint16(v))
	}
	at, headAt := 12+16*n, 0
	var body []byte
	for _, tag := range tags {
		table := tables[tag]
		if tag == "head" {
			headAt = at + len(body)
		}
		file = append(file, tag...)
		for _, v := range []int{int(checksum(table)), at + len(body), len(table)} {
			file = binary.BigEndian.AppendUint32(file, uint32(v))
		}
		body = append(body, table...)
		body = append(body, make([]byte, -len(body)&3)...)
	}
	file = append(file, body...)
	binary.BigEndian.PutUint32(file[headAt+8:], 0xb1b0afba-checksum(file))
	return file
}

// checksum is the sum of a table as numbers of 32 bits, filled up with zeros.
func checksum(table []byte) (sum uint32) {
	for ; len(table) >= 4; table = table[4:] {
		sum += binary.BigEndian.Uint32(table)
	}
	var last [4]byte
	copy(last[:], table)
	return sum + binary.BigEndian.Uint32(last[:])
}

// keysOf are the keys of a map in their order.
func keysOf[K int | string, V any](m map[K]V) []K {
	out := make([]K, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
