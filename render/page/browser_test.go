package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/internal/browsertest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/page"
)

// TestMain has all tests share a browser.
func TestMain(m *testing.M) { browsertest.Main(m) }

// browser is a page that is open in Chromium, from disk and without a network.
type browser struct {
	*browsertest.Page
	path string
}

// planOf plans an example by its name, or the machine file of a text.
func planOf(t testing.TB, source string) *machine.Result {
	t.Helper()
	name, text := source+".yaml", []byte(source)
	if !strings.Contains(source, "\n") {
		var err error
		if text, err = examples.Files.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	} else {
		name = "machine.yaml"
	}
	s, err := machine.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// write writes the page of a plan to a file.
func write(t testing.TB, r *machine.Result) string {
	t.Helper()
	d, err := page.New(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return saved(t, d)
}

// saved writes the page of data to a file.
func saved(t testing.TB, d *page.Data) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.HTML(&b, d, page.Options{}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// open shows the page of a plan in a given size and waits until it has drawn all.
func open(t *testing.T, path string, width, height int64) *browser {
	t.Helper()
	b := start(t, path, width, height)
	b.load()
	return b
}

// load opens the page anew.
func (b *browser) load() {
	b.T.Helper()
	b.Run(chromedp.Navigate("file://"+b.path), chromedp.WaitVisible(chromedp.CSS(`body[data-ready="yes"]`)))
	b.settle()
}

// settle waits until the floor is drawn.
func (b *browser) settle() {
	b.T.Helper()
	eval[bool](b, `new Promise((done) => { const look = () => { const f = plenum.state.floor;
		const hidden = document.getElementById("view-floor").hidden;
		if (hidden || f.idle()) done(true); else requestAnimationFrame(look); }; requestAnimationFrame(look); })`)
}

// text is all that is shown under a selector.
func (b *browser) text(selector string) string {
	b.T.Helper()
	return eval[string](b, fmt.Sprintf(`document.querySelector(%s)?.innerText ?? ""`, quoted(selector)))
}

func quoted(s string) string {
	q, _ := json.Marshal(s)
	return string(q)
}

// view opens one of the views.
func (b *browser) view(name string) {
	b.T.Helper()
	b.Run(chromedp.Click(chromedp.CSS(`[role=tab][aria-controls="view-` + name + `"]`)))
	b.settle()
}

// start starts a browser.
func start(t *testing.T, path string, width, height int64) *browser {
	t.Helper()
	b := &browser{browsertest.New(t, width, height, "file://"), path}
	call(b, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Offline: true}},
	})
	return b
}

// call sends a command to the browser.
func call[P, R any](b *browser, c cdp.Command[P, R], params P) R {
	b.T.Helper()
	return browsertest.Call(b.Page, c, params)
}

// eval is the value of an expression in the page.
func eval[T any](b *browser, expression string) T {
	b.T.Helper()
	return browsertest.Eval[T](b.Page, expression)
}
