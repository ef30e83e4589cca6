package render

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/machine"
)

type part struct {
	Names []string `json:"names"`
}

type own struct{ Names []string }

func (own) MarshalJSON() ([]byte, error) { return []byte(`"own"`), nil }

type document struct {
	part
	Parts    []part            `json:"parts"`
	Nested   [][]int           `json:"nested"`
	Pair     [2][]int          `json:"pair"`
	ByName   map[string][]int  `json:"by_name"`
	Any      any               `json:"any"`
	Pointer  *part             `json:"pointer"`
	Nil      *part             `json:"nil"`
	Unknown  *float64          `json:"unknown"`
	Bytes    []byte            `json:"bytes"`
	Left     []int             `json:"left,omitempty"`
	Zero     part              `json:"zero,omitzero"`
	Itself   own               `json:"itself"`
	When     time.Time         `json:"when"`
	Children []*document       `json:"children"`
	Plain    map[string]string `json:"plain"`
}

// TestDocumentHasNoNullLists: also in what is nested, embedded or behind pointers,
// and the value stays as it was.
func TestDocumentHasNoNullLists(t *testing.T) {
	fresh := func() *document {
		return &document{
			Parts: []part{{}, {[]string{"a"}}}, Nested: [][]int{nil, {1}}, ByName: map[string][]int{"b": nil},
			Any: part{}, Pointer: &part{}, Children: []*document{nil, {}},
		}
	}
	const unmade = `{"version":"` + machine.Version + `","commit":"unknown","modified":null,"files":[],"seeds":[]}`
	d := fresh()
	var b bytes.Buffer
	if err := Document(t.Context(), &b, d); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(d, fresh()) {
		t.Errorf("writing changed the value: %+v", d)
	}
	child := `{"names":[],"parts":[],"nested":[],"pair":[[],[]],"by_name":null,"any":null,` +
		`"pointer":null,"nil":null,"unknown":null,"bytes":null,"itself":"own",` +
		`"when":"0001-01-01T00:00:00Z","children":[],"plain":null}`
	want := `{"names":[],"parts":[{"names":[]},{"names":["a"]}],"nested":[[],[1]],"pair":[[],[]],"by_name":{"b":[]},` +
		`"any":{"names":[]},"pointer":{"names":[]},"nil":null,"unknown":null,"bytes":null,"itself":"own",` +
		`"when":"0001-01-01T00:00:00Z","children":[null,` + child + `],"plain":null,"provenance":` + unmade + `}`
	var got bytes.Buffer
	if err := json.Compact(&got, b.Bytes()); err != nil || got.String() != want {
		t.Errorf("%v\n%s\nexpected\n%s", err, &got, want)
	}
	b.Reset()
	if err := Document(t.Context(), &b, []int(nil)); err != nil || strings.TrimSpace(b.String()) != "[]" {
		t.Errorf("no list: %s, %v", &b, err)
	}
}
