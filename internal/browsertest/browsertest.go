// Package browsertest has tests look at pages in Chromium. They skip themselves where it is not installed, unless
// PLENUM_REQUIRE_TOOLS is 1.
package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Page is a page that is open in Chromium. It notes what goes wrong there, and requests to elsewhere.
type Page struct {
	T   *testing.T
	Ctx context.Context // of the browser, for chromedp

	own    string // how addresses begin that may be asked for
	mu     sync.Mutex
	errors []string
}

// The browser of all tests of a package, which the first page starts and Main ends.
var browser context.Context

// Main runs the tests of a package, for its TestMain, and ends the browser that they share.
func Main(m *testing.M) {
	status := m.Run()
	if browser != nil {
		if err := chromedp.Cancel(browser); err != nil {
			fmt.Fprintln(os.Stderr, "chromium:", err)
		}
	}
	os.Exit(status)
}

// New opens a window of some pixels, which shares nothing with those of other tests. Own is how the addresses begin
// that its pages may ask for. The package's TestMain must call Main.
func New(t *testing.T, width, height int64, own string) *Page {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
			t.Fatal(err)
		}
		t.Skip("no chromium, which opens the page")
	}
	if browser == nil {
		if browser, err = start(program); err != nil {
			t.Fatal(err)
		}
	}
	parent, stop := context.WithTimeout(browser, 4*time.Minute)
	t.Cleanup(stop)
	ctx, stopPage := chromedp.NewContext(parent, chromedp.WithNewBrowserContext())
	t.Cleanup(stopPage)
	p := &Page{T: t, Ctx: ctx, own: own}
	if err := chromedp.Listen(ctx, p.listen); err != nil {
		t.Fatal(err)
	}
	Call(p, network.Enable, network.EnableParams{})
	Call(p, cdplog.Enable, cdp.Empty{})
	Call(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, DeviceScaleFactor: 1,
	})
	return p
}

// start starts Chromium, which lives until Main ends.
func start(program string) (context.Context, error) {
	o := []chromedp.ExecAllocatorOption{
		chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless, chromedp.NoSandbox,
		chromedp.ExecPath(program),
	}
	for _, flag := range []string{
		"disable-gpu", "disable-quic", "disable-background-networking", "disable-component-update", "disable-sync",
		"enable-unsafe-swiftshader", "hide-scrollbars", "disable-dev-shm-usage",
	} {
		o = append(o, chromedp.Flag(flag, true))
	}
	allocator, _ := chromedp.NewExecAllocator(context.Background(), o...)
	ctx, _ := chromedp.NewContext(allocator)
	return ctx, chromedp.Do(ctx)
}

// Call sends a command to the browser.
func Call[P, R any](p *Page, c cdp.Command[P, R], params P) R {
	p.T.Helper()
	out, err := chromedp.Call(p.Ctx, c, params)
	if err != nil {
		p.T.Fatal(c.Method, err)
	}
	return out
}

// listen notes what goes wrong in the page.
func (p *Page) listen(ev any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		text := ev.ExceptionDetails.Text
		if e := ev.ExceptionDetails.Exception; e != nil {
			text += " " + e.Description
		}
		p.errors = append(p.errors, text)
	case *runtime.EventConsoleAPICalled:
		if ev.Type == runtime.ConsoleAPICalledTypeError || ev.Type == runtime.ConsoleAPICalledTypeWarning {
			for _, a := range ev.Args {
				p.errors = append(p.errors, string(ev.Type)+": "+string(a.Value)+a.Description)
			}
		}
	case *cdplog.EventEntryAdded:
		if strings.Contains(ev.Entry.Text, "GL Driver Message") { // of the software that draws in place of a GPU
			return
		}
		if ev.Entry.Level == cdplog.EntryLevelError || ev.Entry.Level == cdplog.EntryLevelWarning {
			p.errors = append(p.errors, ev.Entry.Text)
		}
	case *network.EventRequestWillBeSent:
		if u := ev.Request.URL; !strings.HasPrefix(u, p.own) && !strings.HasPrefix(u, "blob:") &&
			!strings.HasPrefix(u, "data:") {
			p.errors = append(p.errors, "the page asks for "+u)
		}
	}
}

// Run does something in the page.
func (p *Page) Run(actions ...chromedp.Action[chromedp.Void]) {
	p.T.Helper()
	if err := chromedp.Do(p.Ctx, actions...); err != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.T.Fatalf("%v; the page says %q", err, p.errors)
	}
}

// Eval is the value of an expression in the page.
func Eval[T any](p *Page, expression string) T {
	p.T.Helper()
	out, err := chromedp.Run(p.Ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.T.Fatalf("%s: %v", expression, err)
	}
	return out
}

// Quiet fails if anything went wrong in the page.
func (p *Page) Quiet() {
	p.T.Helper()
	for _, e := range p.Errors() {
		p.T.Error(e)
	}
}

// Errors lists what went wrong in the page.
func (p *Page) Errors() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.errors)
}

// Picture writes the picture of a page of the documentation, under PLENUM_UPDATE=1.
func (p *Page) Picture(path string) {
	p.T.Helper()
	if os.Getenv("PLENUM_UPDATE") != "1" {
		return
	}
	png, err := chromedp.Run(p.Ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(path, png, 0o666)
	}
	if err != nil {
		p.T.Fatal(err)
	}
}

// Shot writes a picture of the page, if the environment names a directory for them.
func (p *Page) Shot(name string) {
	p.T.Helper()
	dir := os.Getenv("PLENUM_SHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(p.Ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.T.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o666); err != nil {
		p.T.Error(err)
	}
}
