package graphio_test

import (
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/topology/graphio"
)

// What a terminal would act on is refused at its place in every format, as it would
// reach all that is printed of a graph.
func TestControlCharactersAreRefused(t *testing.T) {
	for _, test := range []struct{ format, text, want string }{
		{"edges", "a b\né\x1b[31m c\n", "f:2:2: control character U+001B"},
		{"edges", "a b\nx\u009b31m c\n", "f:2:2: control character U+009B"},
		{"dot", "graph {\n a -- \"b\x07\"\n}", "f:2:9: control character U+0007"},
		{"graphml", "<graphml><graph><node id=\"a\u009b\"/></graph></graphml>", "f:1:28: control character U+009B"},
		{"anynet", "router 0 node 0 \x7f\n", "f:1:17: control character U+007F"},
		{"cables", "a_device,b_device\na,b\n\x1b[1m,c\n", "f:3:1: control character U+001B"},
	} {
		_, err := graphio.Read("f", test.format, strings.NewReader(test.text))
		if err == nil || !strings.HasPrefix(err.Error(), test.want+" at offset ") {
			t.Errorf("%s %q: %v, want %s", test.format, test.text, err, test.want)
		}
	}
}

// Names of megabytes and columns without end are neither names nor a list of cables.
func TestNamesAndColumnsHaveAnEnd(t *testing.T) {
	long := strings.Repeat("a", 5_000_000)
	for format, text := range map[string]string{
		"edges":  long + " b\n",
		"cables": strings.Repeat("x,", 300) + "a_device,b_device\n",
	} {
		_, err := graphio.Read("f", format, strings.NewReader(text))
		if err == nil || len(err.Error()) > 200 {
			t.Errorf("%s: %.300v", format, err)
		}
	}
}

// The encoding that an XML file declares does not count: its bytes are UTF-8 or UTF-16, or are refused with their
// offset.
func TestDeclaredEncodings(t *testing.T) {
	const text = `<?xml version="1.0" encoding="ISO-8859-1"?><graphml><graph><node id="%s"/></graph></graphml>`
	if _, err := graphio.Read("f", "graphml", strings.NewReader(strings.Replace(text, "%s", "ä", 1))); err != nil {
		t.Error(err)
	}
	_, err := graphio.Read("f", "graphml", strings.NewReader(strings.Replace(text, "%s", "\xe4", 1)))
	if err == nil || !strings.Contains(err.Error(), "the byte 0xe4 at offset 69 is not UTF-8 text") {
		t.Error(err)
	}
}
