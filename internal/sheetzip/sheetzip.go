// Package sheetzip writes workbooks of excelize as ZIP archives whose entries stand in the order of their names and
// bear no time, with sheets of a million rows that are never held.
package sheetzip

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
)

// Archive is such an archive. Excelize adds streamed sheets in the order of a map, so entries are kept, compressed,
// until the archive is written.
type Archive struct {
	// Insert are what is written into sheets after the rows that excelize has
	// written, in the order of the archive, while that is made.
	Insert []Insertion

	entries []*zipEntry
	deflate *flate.Writer // shared: entries are written one after the other
}

// Insertion is rows for the sheet in the entry of a name.
type Insertion struct {
	Name string
	Rows func(w io.Writer) error
}

type zipEntry struct {
	zip.FileHeader
	data bytes.Buffer // compressed, unless rows is set
	zip  *Archive
	open bool
	rows func(w io.Writer) error
	held []byte // written, and not compressed yet
}

// Create starts an entry; the one before is complete.
func (z *Archive) Create(name string) (io.Writer, error) {
	if err := z.finish(); err != nil {
		return nil, err
	}
	e := &zipEntry{FileHeader: zip.FileHeader{Name: name, Method: zip.Deflate}, zip: z, open: true}
	for _, i := range z.Insert {
		if i.Name == name {
			e.rows = i.Rows
		}
	}
	if z.deflate == nil {
		w, err := newDeflate(&e.data)
		if err != nil {
			return nil, err
		}
		z.deflate = w
	} else if e.rows == nil {
		z.deflate.Reset(&e.data)
	}
	z.entries = append(z.entries, e)
	return e, nil
}

// newDeflate compresses with the least effort: a schedule of a million cables is
// worth the wait, not the last per cent.
func newDeflate(w io.Writer) (*flate.Writer, error) { return flate.NewWriter(w, flate.BestSpeed) }

// Write compresses what excelize writes of an entry.
func (e *zipEntry) Write(p []byte) (int, error) {
	if e.rows != nil {
		return e.data.Write(p)
	}
	e.held = append(e.held, p...)
	if i := bytes.LastIndexByte(e.held, '<'); i >= 0 { // whole tags
		if err := e.pass(i); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// Bars are as long as their numbers are great, from 0 on, where the format itself has the shortest a tenth of the cell
// and the longest nine: excelize has no option for that.
var barsOf, barsTo = []byte("<dataBar "), []byte(`<dataBar minLength="0" maxLength="100" `)

// pass compresses the first n bytes of those that are held.
func (e *zipEntry) pass(n int) error {
	out := e.held[:n]
	if bytes.Contains(out, barsOf) {
		out = bytes.ReplaceAll(out, barsOf, barsTo)
	}
	e.CRC32 = crc32.Update(e.CRC32, crc32.IEEETable, out)
	e.UncompressedSize64 += uint64(len(out))
	_, err := e.zip.deflate.Write(out)
	e.held = append(e.held[:0], e.held[n:]...)
	return err
}

func (z *Archive) finish() error {
	if len(z.entries) == 0 || !z.entries[len(z.entries)-1].open {
		return nil
	}
	e := z.entries[len(z.entries)-1]
	e.open = false
	if e.rows != nil {
		return nil
	}
	err := errors.Join(e.pass(len(e.held)), z.deflate.Close())
	e.held = nil
	e.CompressedSize64 = uint64(e.data.Len())
	return err
}

// AddFS is there because excelize asks for it; it never calls it.
func (z *Archive) AddFS(fs.FS) error { return fs.ErrInvalid }

// Close completes the last entry.
func (z *Archive) Close() error { return z.finish() }

// Write writes a workbook. Excelize itself would hold the whole archive in memory.
func (z *Archive) Write(w io.Writer, f *excelize.File) error {
	f.SetZipWriter(func(io.Writer) excelize.ZipWriter { return z })
	if err := f.Write(io.Discard); err != nil { // into the entries
		return err
	}
	return z.archive(w)
}

// archive writes the archive.
func (z *Archive) archive(w io.Writer) error {
	slices.SortFunc(z.entries, func(a, b *zipEntry) int { return sheetOrder(a.Name, b.Name) })
	out := zip.NewWriter(w)
	out.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return newDeflate(w) })
	for _, e := range z.entries {
		if e.rows != nil {
			if err := e.withRows(out); err != nil {
				return err
			}
			continue
		}
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

// withRows writes a sheet with its rows, straight into the archive.
func (e *zipEntry) withRows(out *zip.Writer) error {
	before, after, ok := bytes.Cut(e.data.Bytes(), []byte("</sheetData>"))
	if !ok {
		return fmt.Errorf("%s is not a sheet", e.Name)
	}
	w, err := out.CreateHeader(&zip.FileHeader{Name: e.Name, Method: zip.Deflate})
	if err != nil {
		return err
	}
	if _, err := w.Write(before); err != nil {
		return err
	}
	if err := e.rows(w); err != nil {
		return err
	}
	if _, err := w.Write([]byte("</sheetData>")); err != nil {
		return err
	}
	_, err = w.Write(after)
	return err
}

// sheetOrder puts sheet10.xml behind sheet9.xml: the rows of sheets of cables are
// written in the order of the archive.
func sheetOrder(a, b string) int {
	if len(a) != len(b) && strings.HasPrefix(a, "xl/worksheets/sheet") && strings.HasPrefix(b, "xl/worksheets/sheet") {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}
