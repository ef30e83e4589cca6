package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const events = `{"Action":"start","Package":"x/a"}
{"Action":"run","Package":"x/a","Test":"TestS"}
{"Action":"output","Package":"x/a","Test":"TestS","Output":"=== RUN   TestS\n"}
{"Action":"output","Package":"x/a","Test":"TestS","Output":"    a_test.go:3: why not\n"}
{"Action":"output","Package":"x/a","Test":"TestS","Output":"--- SKIP: TestS (0.00s)\n"}
{"Action":"skip","Package":"x/a","Test":"TestS"}
{"Action":"run","Package":"x/a","Test":"TestP"}
{"Action":"output","Package":"x/a","Test":"TestP","Output":"    a_test.go:4: hidden\n"}
{"Action":"output","Package":"x/a","Test":"TestP","Output":"--- PASS: TestP (0.00s)\n"}
{"Action":"pass","Package":"x/a","Test":"TestP"}
{"Action":"output","Package":"x/a","Output":"PASS\n"}
{"Action":"output","Package":"x/a","Output":"ok  \tx/a\t0.003s\n"}
{"Action":"pass","Package":"x/a"}
{"ImportPath":"x/c [x/c.test]","Action":"build-output","Output":"c/c_test.go:2:27: undefined: x\n"}
{"Action":"output","Package":"x/c","Output":"FAIL\tx/c [build failed]\n"}
{"Action":"run","Package":"x/b","Test":"TestF"}
{"Action":"run","Package":"x/b","Test":"TestF/sub"}
{"Action":"output","Package":"x/b","Test":"TestF/sub","Output":"=== RUN   TestF/sub\n"}
{"Action":"output","Package":"x/b","Test":"TestF/sub","Output":"    b_test.go:4: bad\n"}
{"Action":"output","Package":"x/b","Test":"TestF/sub","Output":"--- FAIL: TestF/sub (0.00s)\n"}
{"Action":"fail","Package":"x/b","Test":"TestF/sub"}
{"Action":"output","Package":"x/b","Test":"TestF","Output":"--- FAIL: TestF (0.00s)\n"}
{"Action":"fail","Package":"x/b","Test":"TestF"}
{"Action":"output","Package":"x/b","Output":"FAIL\n"}
{"Action":"output","Package":"x/b","Output":"FAIL\tx/b\t0.003s\n"}
{"Action":"fail","Package":"x/b"}
{"Action":"run","Package":"x/d","Test":"TestE"}
{"Action":"run","Package":"x/d","Test":"TestD"}
{"Action":"output","Package":"x/d","Test":"TestD","Output":"=== RUN   TestD\n"}
{"Action":"pass","Package":"x/d","Test":"TestE"}
{"Action":"output","Package":"x/d","Test":"TestD","Output":"exit status 3\n"}
{"Action":"output","Package":"x/d","Output":"FAIL\tx/d\t0.003s\n"}
{"Action":"fail","Package":"x/d"}
not an event
`

func TestPrintsAsGoTestDoes(t *testing.T) {
	var b bytes.Buffer
	skipped := filepath.Join(t.TempDir(), "skipped")
	if err := run(strings.NewReader(events), &b, skipped, ""); err != nil {
		t.Fatal(err)
	}
	want := `ok  	x/a	0.003s
c/c_test.go:2:27: undefined: x
FAIL	x/c [build failed]
    b_test.go:4: bad
--- FAIL: TestF/sub (0.00s)
--- FAIL: TestF (0.00s)
FAIL
FAIL	x/b	0.003s
FAIL	x/d	0.003s
--- FAIL: TestD (its process ended)
exit status 3
not an event
2 passed, 3 failed, 1 skipped
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	got, err := os.ReadFile(skipped)
	if diff := cmp.Diff("x/a TestS: why not\n", string(got)); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestEveryAlternativeOfAFilterMustMatch(t *testing.T) {
	for filter, want := range map[string]string{
		"S":             "",
		"S|F/sub":       "",
		"^TestF$/^sub$": "",
		"S|Gone":        "no test matches Gone",
		"F/gone":        "no test matches F/gone",
		"S/sub":         "no test matches S/sub",
		"[":             "missing closing ]",
	} {
		err := run(strings.NewReader(events), &bytes.Buffer{}, "", filter)
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", filter, err, want)
		}
	}
}
