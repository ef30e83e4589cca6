package render

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of a sheet, of Microsoft's "Excel specifications and limits".
const (
	mostCellText  = 32_767    // UTF-16 code units of a cell
	mostRowHeight = 409       // points of a row
	mostSheetRows = 1_048_576 // rows of a sheet
	mostTitleText = 255       // of a property of the document, and of a title that is to be read
)

// lineHeight is that of a line of 11 points, in points.
const lineHeight = 15

// mostRowLines is the most lines of a row.
const mostRowLines = mostRowHeight / lineHeight

// cutText is a text of at most so many UTF-16 code units. One that is longer ends with how many characters are left
// out, and where the whole text is.
func cutText(s string, most int) string {
	if len(s) <= most {
		return s
	}
	units, end := 0, 0 // of what fits with the remark
	const remark = 60
	for i, r := range s {
		if units <= most-remark {
			end = i
		}
		if units += max(utf16.RuneLen(r), 1); units > most {
			left := utf8.RuneCountInString(s[end:])
			return s[:end] + fmt.Sprintf("... (and %s more characters, see plan.json)", grouped(int64(left)))
		}
	}
	return s
}

// titleText is a text that fits a title: on one line, and short.
func titleText(s string) string { return cutText(strings.Join(strings.Fields(s), " "), mostTitleText) }

// lineWidth is how many characters of a wrapped text stand on a line of a column: those that the width of the column
// counts are narrower than some letters.
func lineWidth(column float64) float64 { return column * 0.85 }

// textLines is how many lines a text takes that is wrapped in a column.
func textLines(s string, column float64) int {
	lines := 0
	for line := range strings.SplitSeq(s, "\n") {
		lines += max(1, int(math.Ceil(float64(utf8.RuneCountInString(line))/lineWidth(column))))
	}
	return lines
}

// pieces breaks a text that is wrapped in a column into pieces that each fit a row.
func pieces(s string, column float64) []string {
	if textLines(s, column) <= mostRowLines {
		return []string{s}
	}
	var out []string
	begin, lines, letters, blank := 0, 1, 0.0, -1
	width := lineWidth(column)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '\n' {
			lines, letters = lines+1, 0
		} else if letters++; letters > width {
			lines, letters = lines+1, 1
		}
		if lines > mostRowLines {
			end := i
			if r != '\n' && blank > begin {
				end = blank // a word stays whole
			}
			out = append(out, strings.TrimSpace(s[begin:end]))
			begin, lines, letters, blank, i = end, 1, 0, -1, end
			for begin < len(s) && (s[begin] == ' ' || s[begin] == '\n') {
				begin++
			}
			i = begin
			continue
		}
		if r == ' ' || r == '\n' {
			blank = i
		}
		i += n
	}
	return append(out, strings.TrimSpace(s[begin:]))
}

// addWrapped adds a row of wrapped texts. A text that is higher than a row can be continues in the rows below, and the
// first cell there says so. The widths of the columns must be known.
func (g *grid) addWrapped(row ...cell) {
	parts := make([][]string, len(row))
	most := 1
	for i, c := range row {
		if s, ok := c.value.(string); ok && c.style == wrapped && i < len(g.fitted) {
			parts[i] = pieces(s, g.fitted[i])
			most = max(most, len(parts[i]))
		}
	}
	if most == 1 {
		g.add(row...)
		return
	}
	for n := range most {
		next := make([]cell, len(row))
		for i, c := range row {
			switch {
			case n < len(parts[i]):
				next[i] = text(parts[i][n]).as(wrapped)
			case n == 0:
				next[i] = c
			case i == 0:
				next[i] = text(continued(parts[0][0])).as(wrapped)
			default:
				next[i] = text("").as(wrapped)
			}
		}
		g.add(next...)
	}
}

// continued is the first cell of a row that goes on with the texts of the row above.
func continued(first string) string { return first + " (continued)" }

// keepWithin cuts lists that are longer than a sheet of so many rows, and texts that are longer than a cell. The last
// row says how many rows are left out.
func (g *grid) keepWithin(rows int) {
	if more := len(g.rows) - rows; more > 0 {
		g.rows = append(g.rows[:rows-1:rows-1], []cell{text(fmt.Sprintf("%s more rows do not fit a sheet; the whole "+
			"list is in the files of comma-separated values and in plan.json.", grouped(int64(more)+1))).as(note)})
		g.filter = min(g.filter, rows-1)
	}
	for _, row := range g.rows {
		for i := range row {
			if s, ok := row[i].value.(string); ok && len(s) > mostCellText {
				row[i].value = cutText(s, mostCellText)
			}
		}
	}
}

// addParagraphs adds a text of several lines or sentences as notes, a row for each line, and breaks long lines at their
// words. What is left out after the last row is said there.
func (g *grid) addParagraphs(s string) { g.addLines(s, 150) }

// addLines is addParagraphs with rows of at most width characters.
func (g *grid) addLines(s string, width int) {
	const most = 40 // rows
	begin := g.next()
	for rest := strings.TrimSpace(s); rest != ""; {
		if g.next()-begin == most {
			g.add(text(fmt.Sprintf("... (and %s more characters, on the sheet %s)",
				grouped(int64(utf8.RuneCountInString(rest))), basisSheet)).as(note))
			return
		}
		end, blank, n := len(rest), -1, 0
		for i, r := range rest {
			if r == '\n' || n == width {
				if end = i; r != '\n' && blank > 0 {
					end = blank
				}
				break
			}
			if r == ' ' {
				blank = i
			}
			n++
		}
		line := rest[:end]
		rest = strings.TrimPrefix(strings.TrimLeft(rest[end:], " \t\r"), "\n")
		g.add(text(strings.TrimRight(line, " \t\r")).as(note))
	}
}
