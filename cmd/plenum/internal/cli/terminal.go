package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
)

// minColumns is the width of text for people where standard output is not a terminal, or a narrower one.
const minColumns = 100

// Columns returns the width of text for people: that of the terminal on standard output, elsewhere the number in the
// variable COLUMNS of the environment, and at least 100 columns.
func Columns() int {
	width, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		width, _ = strconv.Atoi(os.Getenv("COLUMNS")) // 0 where it is not a number
	}
	return max(width, minColumns)
}

// ColourFlag is the name of the flag that says when output is coloured.
const ColourFlag = "color"

// The values of --color.
const (
	colourAuto   = "auto"
	colourAlways = "always"
	colourNever  = "never"
)

// The marks around what Print colours. Without colour they are left out.
const (
	markBest = '\x0e'
	markEnd  = '\x0f'
)

// Best marks a cell of a table as the best of its row or column.
func Best(cell string) string { return string(markBest) + cell + string(markEnd) }

// Escape sequences of terminals (ECMA-48, SGR).
const (
	sgrRed    = "\x1b[31m"
	sgrGreen  = "\x1b[32m"
	sgrYellow = "\x1b[33m"
	sgrBold   = "\x1b[1m"
	sgrReset  = "\x1b[0m"
)

// HasColour reports whether text to w is coloured under a value of --color: with auto, on a terminal unless NO_COLOR
// (https://no-color.org) is set or TERM is dumb.
func HasColour(w io.Writer, mode string) bool {
	switch mode {
	case colourAlways:
		return true
	case colourNever:
		return false
	}
	if os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// checkColour is the error about a value of --color that there is not.
func checkColour(mode string) error {
	modes := []string{colourAuto, colourAlways, colourNever}
	if !slices.Contains(modes, mode) {
		return Inputf("--%s: %q is not known; %s", ColourFlag, mode, diag.Suggest(mode, modes, "there are "))
	}
	return nil
}

// Print writes text for people: lines wrapped to Columns, and on a terminal colours for errors, warnings and best
// values.
func Print(w io.Writer, text string) error {
	text = wrapLines(text, Columns())
	o, ok := w.(*Output)
	if !ok || !o.Colour {
		_, err := io.WriteString(w, strings.Map(unmarked, text))
		return err
	}
	return o.coloured(text)
}

// unmarked drops marks.
func unmarked(r rune) rune {
	if r == markBest || r == markEnd {
		return -1
	}
	return r
}

// severities begin lines that Print colours.
var severities = regexp.MustCompile(`(?m)^( *)(error|warning)(s?[: ])`)

// coloured writes text with escape sequences, and control characters of names as Write does.
func (o *Output) coloured(text string) error {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == markEnd }) {
		plain, best, marked := strings.Cut(part, string(markBest))
		b.WriteString(string(escapeControls([]byte(plain))))
		if marked {
			b.WriteString(sgrGreen + string(escapeControls([]byte(best))) + sgrReset)
		}
	}
	out := severities.ReplaceAllStringFunc(b.String(), func(s string) string {
		m := severities.FindStringSubmatch(s)
		colour := sgrYellow
		if m[2] == "error" {
			colour = sgrRed
		}
		return m[1] + colour + m[2] + sgrReset + m[3]
	})
	if o.Err == nil {
		_, o.Err = io.WriteString(o.W, out)
	}
	return o.Err
}

// The parts of an error that are coloured: the place of a mistake, the marks below what is wrong, and the name of the
// program before other errors.
var (
	placeOfMistake = regexp.MustCompile(`(?m)^[^\s:]+(:\d+)+:`)
	carets         = regexp.MustCompile(`(?m)^( *\| *)(\^+)`)
	programName    = regexp.MustCompile(`^plenum:`)
)

// PrintError writes an error as it is shown, on a terminal with colours.
func PrintError(w io.Writer, colour bool, text string) {
	if colour {
		text = placeOfMistake.ReplaceAllString(text, sgrBold+"$0"+sgrReset)
		text = carets.ReplaceAllString(text, "$1"+sgrRed+"$2"+sgrReset)
		text = programName.ReplaceAllString(text, sgrRed+"$0"+sgrReset)
	}
	fmt.Fprintln(w, text)
}

// labelled is a line of a summary: a short label, two blanks at least, and a value.
var labelled = regexp.MustCompile(`^ *\S+(?: \S+){0,3} {2,}`)

// wrapLines breaks lines that are wider than a number of columns at blanks. What follows begins below the value of a
// line with a label, else two columns further in.
func wrapLines(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if shownWidth(strings.TrimSuffix(line, "\n")) <= width {
			b.WriteString(line)
			continue
		}
		end := ""
		if strings.HasSuffix(line, "\n") {
			line, end = line[:len(line)-1], "\n"
		}
		indent := len(line) - len(strings.TrimLeft(line, " ")) + 2
		if l := len(labelled.FindString(line)); l > 0 && l <= width/3 {
			indent = l
		}
		for i, piece := range brokenLine(line, indent, width) {
			if i > 0 {
				b.WriteString("\n" + strings.Repeat(" ", indent))
			}
			b.WriteString(piece)
		}
		b.WriteString(end)
	}
	return b.String()
}

// brokenLine breaks a line into pieces of at most width columns, all but the first behind an indent.
func brokenLine(line string, indent, width int) []string {
	var out []string
	room := width
	for utf8.RuneCountInString(line) > room {
		runes := []rune(line)
		at := -1
		for i := 1; i <= room && i < len(runes); i++ {
			if runes[i] == ' ' && strings.TrimSpace(string(runes[:i])) != "" && (len(out) > 0 || i >= indent) {
				at = i
			}
		}
		if at < 0 { // a word without a blank keeps its line
			next := strings.IndexByte(string(runes[min(room, len(runes)-1):]), ' ')
			if next < 0 {
				break
			}
			at = min(room, len(runes)-1) + utf8.RuneCountInString(string(runes[min(room, len(runes)-1):])[:next])
		}
		out = append(out, strings.TrimRight(string(runes[:at]), " "))
		line = strings.TrimLeft(string(runes[at:]), " ")
		room = width - indent
	}
	return append(out, line)
}

// WrittenFiles lists files that were written, with their sizes, under the directory that they share.
func WrittenFiles(paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	dir := filepath.Dir(paths[0])
	for _, p := range paths {
		if filepath.Dir(p) != dir {
			dir = ""
		}
	}
	if len(paths) == 1 {
		return "written: " + sized(paths[0], paths[0]) + "\n"
	}
	var items []string
	for _, p := range paths {
		name := p
		if dir != "" {
			name = filepath.Base(p)
		}
		items = append(items, sized(name, p))
	}
	head := "written:"
	if dir != "" && dir != "." {
		head = "written to " + dir + ":"
	}
	var b strings.Builder
	b.WriteString(head)
	column := Columns()
	for i, item := range items {
		if i < len(items)-1 {
			item += ","
		}
		if w := utf8.RuneCountInString(item); column+1+w > Columns() {
			b.WriteString("\n  " + item)
			column = 2 + w
		} else {
			b.WriteString(" " + item)
			column += 1 + w
		}
	}
	return b.String() + "\n"
}

// sized is the name of a file with its size, if it has one.
func sized(name, path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return diag.Escape(name)
	}
	return fmt.Sprintf("%s (%s)", diag.Escape(name), byteSize(info.Size()))
}

// byteSize writes a number of bytes, in decimal units, with two digits at least: 812 B, 8.1 kB, 81 kB, 3.2 MB.
func byteSize(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	v := float64(n)
	for _, unit := range []string{"kB", "MB", "GB", "TB"} {
		if v /= 1000; v < 999.5 || unit == "TB" {
			if v < 9.95 {
				return fmt.Sprintf("%.1f %s", v, unit)
			}
			return english.Grouped(int64(v+0.5)) + " " + unit
		}
	}
	return ""
}

// columnsOf are the widths of the columns of rows.
func columnsOf(rows [][]string) []int {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], shownWidth(cell))
		}
	}
	return width
}

// shownWidth is the number of columns of a cell, without marks.
func shownWidth(cell string) int { return utf8.RuneCountInString(strings.Map(unmarked, cell)) }

// total is the width of a table whose columns have the widths.
func total(width []int) int {
	sum := 0
	for _, w := range width {
		sum += w + 2
	}
	return sum
}

// leastFirst is the width below which the first column is not broken.
const leastFirst = 30

// WriteTable lines columns up: the first to the left, the others to the right. A table that is wider than Columns has
// its heads broken into several lines, then the cells of its first column, and then goes without its last columns: a
// line below names these, and where they are: the files given, or the document of --json. A last column without a head
// has notes to the rows, which are always shown.
func WriteTable(b *strings.Builder, rows [][]string, files ...string) {
	limit := Columns()
	rows = groupedRows(rows)
	width := columnsOf(rows)
	heads := [][]string{slices.Clone(rows[0])}
	body := rows[1:]
	if total(width) > limit && len(body) > 0 {
		width = columnsOf(body)
		for i, cell := range rows[0] {
			for word := range strings.FieldsSeq(cell) {
				width[i] = max(width[i], shownWidth(word))
			}
		}
		heads = brokenRow(rows[0], width)
	}
	if over := total(width) - limit; over > 0 && width[0] > leastFirst {
		width[0] = max(width[0]-over, leastFirst)
		heads = brokenRow(rows[0], width)
	}
	var left []string
	for len(width) > 2 && total(width) > limit {
		at := len(width) - 1 - notes(rows[0])
		left = slices.Insert(left, 0, rows[0][at])
		width = slices.Delete(width, at, at+1)
		for _, all := range [][][]string{rows, heads} {
			for k, row := range all {
				all[k] = slices.Delete(row, at, at+1)
			}
		}
	}
	for _, row := range heads {
		writeRow(b, row, width)
	}
	for _, row := range body {
		first := brokenLine(row[0], 2, max(width[0], 3))
		for i, piece := range first {
			line := make([]string, len(width))
			if i == 0 {
				copy(line, row)
			} else {
				piece = "  " + piece
			}
			line[0] = piece
			writeRow(b, line, width)
		}
	}
	if len(left) > 0 {
		fmt.Fprintf(b, "  not shown here: %s; see %s\n", english.List(left),
			cmp.Or(strings.Join(files, ", "), "--json"))
	}
}

// notes is the number of columns of notes of a table with a head: 1 if its last one has none.
func notes(head []string) int {
	if n := len(head); n > 1 && head[n-1] == "" {
		return 1
	}
	return 0
}

// groupedRows sets apart the thousands of the numbers of a table, in columns but the first that have nothing else.
func groupedRows(rows [][]string) [][]string {
	out := make([][]string, len(rows))
	for k, row := range rows {
		out[k] = make([]string, len(rows[0]))
		copy(out[k], row)
	}
	for i := 1; i < len(rows[0]); i++ {
		numbers := true
		for _, row := range out[1:] {
			cell := strings.Map(unmarked, row[i])
			numbers = numbers && strings.Trim(cell, "-.,0123456789") == ""
		}
		for k := 1; numbers && k < len(rows); k++ {
			out[k][i] = english.GroupedText(out[k][i])
		}
	}
	return out
}

// brokenRow breaks the heads of columns into lines, the last of which every column has.
func brokenRow(head []string, width []int) [][]string {
	cells := make([][]string, len(head))
	lines := 1
	for i, cell := range head {
		cells[i] = brokenLine(cell, 0, max(width[i], 1))
		lines = max(lines, len(cells[i]))
	}
	out := make([][]string, lines)
	for k := range out {
		out[k] = make([]string, len(head))
		for i, c := range cells {
			if at := k - (lines - len(c)); at >= 0 {
				out[k][i] = c[at]
			}
		}
	}
	return out
}

// writeRow writes a line of a table.
func writeRow(b *strings.Builder, row []string, width []int) {
	line := "  "
	for i, cell := range row {
		pad := strings.Repeat(" ", max(width[i]-shownWidth(cell), 0))
		if i == 0 {
			line += cell + pad
		} else {
			line += "  " + pad + cell
		}
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}
