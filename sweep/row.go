package sweep

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// row is the result of a point: a line of JSON, whose keys are the columns of the table.
type row struct {
	number int
	cells  []column
	failed bool // it has a reason in place of some or all figures
}

func (r *row) add(name, value string) { r.cells = append(r.cells, column{name, value}) }

// fixedColumns are those that every table has, besides the axes and figures.
func fixedColumns() []string { return []string{"point", "hash", "repeat", "seed", "error"} }

// columns are how many cells an axis has in a row.
func (x *axis) columns() []place {
	if len(x.Labels) > 0 {
		return x.places[:1]
	}
	return x.places
}

// line appends the row to b.
func (r *row) line(b []byte) []byte {
	for i, c := range r.cells {
		b = append(b, "{,"[min(i, 1)])
		b = append(append(b, quoted(c.name)...), ':')
		b = append(b, c.value...)
	}
	return append(b, '}', '\n')
}

// parseRow reads a line that row.line has written.
func parseRow(line []byte) (row, error) {
	var r row
	d := json.NewDecoder(bytes.NewReader(line))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return r, fmt.Errorf("not a row of a sweep")
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return r, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return r, err
		}
		if value[0] == '{' || value[0] == '[' {
			return r, fmt.Errorf("%v is neither a number nor a text", key)
		}
		r.add(key.(string), string(value))
	}
	if _, err := d.Token(); err != nil {
		return r, err
	}
	if len(r.cells) == 0 || r.cells[0].name != "point" {
		return r, fmt.Errorf("not a row of a sweep")
	}
	var err error
	if r.number, err = strconv.Atoi(r.cells[0].value); err != nil {
		return r, fmt.Errorf("point %s is not a number", r.cells[0].value)
	}
	for _, c := range r.cells {
		r.failed = r.failed || c.name == "error" && c.value != "null"
	}
	return r, nil
}

// maxLine is the longest line of a shard.
const maxLine = 1 << 24

// lines calls do for every line of a file of JSON lines. A last line without its end is an error.
func lines(in io.Reader, do func(line []byte) error) error {
	read := bufio.NewReaderSize(in, 1<<16)
	for n := 1; ; n++ {
		line, err := read.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long := bytes.Clone(line)
			for err == bufio.ErrBufferFull && len(long) < maxLine {
				line, err = read.ReadSlice('\n')
				long = append(long, line...)
			}
			line = long
		}
		switch {
		case err == io.EOF && len(line) == 0:
			return nil
		case err == io.EOF:
			return fmt.Errorf("line %d: the file ends inside a row", n)
		case err != nil:
			return fmt.Errorf("line %d: %w", n, err)
		}
		if err := do(line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
}

// unquoted is the text of a value.
func unquoted(value string) string {
	var out string
	if json.Unmarshal([]byte(value), &out) != nil {
		return value
	}
	return out
}
