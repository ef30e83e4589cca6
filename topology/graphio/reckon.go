package graphio

import (
	"bytes"
	"fmt"
	"io"

	"github.com/plenum-planner/plenum/internal/english"
)

// linkMarks are texts by which the links in a file of a format are counted. Files that write links in another way have
// fewer of them than links.
var linkMarks = map[string][]string{
	"edges": {"\n"}, "cables": {"\n"}, "dot": {" -- ", " -> "}, "graphml": {"<edge"},
}

// bytesPerLink is about how much memory a link takes while a file is read, in bytes.
const bytesPerLink = 130

// refuseLarge refuses a file by how many links it seems to have, before it is read, and goes back to its beginning.
// Lines that are empty or comments are not counted. What cannot be read twice is refused only where the limit is
// reached.
func (b *reading) refuseLarge(format string, r io.Reader) error {
	marks, file := linkMarks[format], io.ReadSeeker(nil)
	if file, _ = r.(io.ReadSeeker); file == nil || marks == nil {
		return nil
	}
	begin, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil //nolint:nilerr // a pipe
	}
	links := 0
	block := make([]byte, 1<<18)
	blocks := 0
	for ; ; blocks++ {
		n, err := io.ReadFull(file, block)
		for _, mark := range marks {
			links += bytes.Count(block[:n], []byte(mark))
		}
		if marks[0] == "\n" {
			for _, empty := range []string{"\n\n", "\n\r\n", "\n#"} {
				links -= bytes.Count(block[:n], []byte(empty))
			}
		}
		if err != nil {
			break
		}
	}
	if _, err := file.Seek(begin, io.SeekStart); err != nil {
		return err
	}
	if links <= maxGraphLinks+blocks { // a line may be empty where two blocks meet
		return nil
	}
	return fmt.Errorf("%s: the file has about %s links, more than the %s that are read; they would take about %.1f GB",
		b.name, english.Grouped(int64(links)), english.Grouped(maxGraphLinks), float64(links)*bytesPerLink/1e9)
}
