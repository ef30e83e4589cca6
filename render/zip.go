package render

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// sortedZip is a ZIP archive whose entries stand in the order of their names and
// bear no time. Excelize adds streamed sheets in the order of a map, so entries
// are kept, compressed, until Close.
type sortedZip struct {
	w       io.Writer
	entries []*zipEntry
	deflate *flate.Writer // shared: entries are written one after the other
}

type zipEntry struct {
	zip.FileHeader
	data bytes.Buffer
	zip  *sortedZip
	open bool
}

// Create starts an entry; the one before is complete.
func (z *sortedZip) Create(name string) (io.Writer, error) {
	if err := z.finish(); err != nil {
		return nil, err
	}
	e := &zipEntry{FileHeader: zip.FileHeader{Name: name, Method: zip.Deflate}, zip: z, open: true}
	if z.deflate == nil {
		// The least effort: a schedule of a million cables is worth the wait,
		// not the last per cent.
		w, err := flate.NewWriter(&e.data, flate.BestSpeed)
		if err != nil {
			return nil, err
		}
		z.deflate = w
	} else {
		z.deflate.Reset(&e.data)
	}
	z.entries = append(z.entries, e)
	return e, nil
}

func (e *zipEntry) Write(p []byte) (int, error) {
	e.CRC32 = crc32.Update(e.CRC32, crc32.IEEETable, p)
	e.UncompressedSize64 += uint64(len(p))
	return e.zip.deflate.Write(p)
}

func (z *sortedZip) finish() error {
	if len(z.entries) == 0 || !z.entries[len(z.entries)-1].open {
		return nil
	}
	e := z.entries[len(z.entries)-1]
	e.open = false
	err := z.deflate.Close()
	e.CompressedSize64 = uint64(e.data.Len())
	return err
}

// AddFS is there because excelize asks for it; it never calls it.
func (z *sortedZip) AddFS(fs.FS) error { return fs.ErrInvalid }

// Close writes the archive.
func (z *sortedZip) Close() error {
	if err := z.finish(); err != nil {
		return err
	}
	slices.SortFunc(z.entries, func(a, b *zipEntry) int { return strings.Compare(a.Name, b.Name) })
	out := zip.NewWriter(z.w)
	for _, e := range z.entries {
		w, err := out.CreateRaw(&e.FileHeader)
		if err != nil {
			return err
		}
		if _, err := e.data.WriteTo(w); err != nil {
			return err
		}
	}
	return out.Close()
}
