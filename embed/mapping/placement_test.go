package mapping_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/embed/mapping"
)

func TestPlacementFileThereAndBack(t *testing.T) {
	place := []int32{5, 0, 3, 3}
	labels := []string{"(1,2)", "=1+1", `a "quoted", one`, ""}
	var b bytes.Buffer
	if err := mapping.WriteGrid(&b, 3, place, func(v int) string { return labels[v] }); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "1,'=1+1,0,0\r\n") {
		t.Errorf("%s", b.String())
	}
	got, err := mapping.ReadGrid("p.csv", &b, 4, 3, 2)
	if err != nil || !slices.Equal(got, place) {
		t.Errorf("%v %v", got, err)
	}
}

// FuzzReadGrid reads any input; what is read is a placement.
func FuzzReadGrid(f *testing.F) {
	f.Add("vertex,label,x,y\n0,a,0,0\n1,\"b\nc\",1,1\n")
	f.Add("vertex,label,x,y\n0,a,0\n")
	f.Add("\ufeffvertex,label,x,y\r\n1,,0,1\r\n0,,1,0\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		place, err := mapping.ReadGrid("p.csv", strings.NewReader(text), 2, 2, 2)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "p.csv:") {
				t.Errorf("%v", err)
			}
			return
		}
		for _, p := range place {
			if p < 0 || p > 3 {
				t.Errorf("%v", place)
			}
		}
	})
}
