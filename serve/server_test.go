package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/serve"
)

const small = `# A small machine.
name: Small
topology: {family: mesh, dims: [4, 2]}
packaging: {node: {per_rack: 2}}
room: {rows: 2, racks_per_row: 2}
cabling:
  slack: {fixed: 1 m}   # a metre
`

// served is a server that runs, of a machine file.
type served struct {
	t     *testing.T
	path  string
	host  string
	token string
	s     *serve.Server
	stop  context.CancelFunc
	ended chan error
}

// run serves a text.
func run(t *testing.T, text string) *served {
	t.Helper()
	path := filepath.Join(t.TempDir(), "machine.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return start(t, serve.Options{Path: path, Name: path})
}

func start(t *testing.T, o serve.Options) *served {
	t.Helper()
	l, err := serve.Listen(0, false)
	if err != nil {
		t.Fatal(err)
	}
	v := &served{t: t, path: o.Path, host: l.Addr().String(), s: serve.New(o, l.Addr()), ended: make(chan error, 1)}
	u, err := url.Parse(v.s.URL())
	if err != nil || u.Host != v.host {
		t.Fatal(u, err)
	}
	v.token = u.Query().Get("token")
	ctx, stop := context.WithCancel(context.Background())
	v.stop = stop
	go func() { v.ended <- v.s.Run(ctx, l) }()
	t.Cleanup(stop)
	return v
}

// answered is what came back.
type answered struct {
	status int
	header http.Header
	body   string
}

// reply is that of a plan, an edit, a save and a refusal.
type reply struct {
	Data     json.RawMessage `json:"data"`
	Messages []serve.Message `json:"messages"`
	Error    string          `json:"error"`
	Text     string          `json:"text"`
	Base     string          `json:"base"`
}

func (v *served) ask(method, path, body string, change func(*http.Request)) answered {
	v.t.Helper()
	r, err := http.NewRequest(method, "http://"+v.host+path, strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Plenum-Token", v.token)
	if change != nil {
		change(r)
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	a, err := client.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return answered{a.StatusCode, a.Header, string(text)}
}

func (a *answered) reply(t *testing.T) reply {
	t.Helper()
	var out reply
	if err := json.Unmarshal([]byte(a.body), &out); err != nil {
		t.Fatal(err, a.body)
	}
	return out
}

// reason says why a request was refused: in a page for people, or in a document.
func (a *answered) reason(t *testing.T) string {
	t.Helper()
	if strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
		_, why, _ := strings.Cut(a.body, "</h1><p>")
		why, _, _ = strings.Cut(why, "</p>")
		return why
	}
	return a.reply(t).Error
}

func TestRefusals(t *testing.T) {
	v := run(t, small)
	set := func(key, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(key, value) }
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	_, port, _ := net.SplitHostPort(v.host)
	page := "/?token=" + v.token
	large := strings.Repeat("#", spec.MaxSize+1)
	for _, tt := range []struct {
		name, method, path, body string
		change                   func(*http.Request)
		want                     int
	}{
		{"page", "GET", page, "", nil, 200},
		{"page by its other name", "GET", page, "", host("localhost:" + port), 200},
		{"page, typed", "GET", page, "", set("Sec-Fetch-Site", "none"), 200},
		{"plan", "POST", "/api/plan", small, nil, 200},
		{"plan of the page", "POST", "/api/plan", small, set("Origin", "http://"+v.host), 200},
		{"schema", "GET", "/api/schema", "", nil, 200},
		{"icon", "GET", "/favicon.ico", "", nil, 204},
		{"second host name", "GET", page, "", host("evil.example:" + port), 421},
		{"second host name, plan", "POST", "/api/plan", small, host("evil.example"), 421},
		{"other port", "GET", page, "", host("127.0.0.1:1"), 421},
		{"host without port", "GET", page, "", host("127.0.0.1"), 421},
		{"foreign origin", "POST", "/api/plan", small, set("Origin", "https://evil.example"), 403},
		{"origin of a file", "POST", "/api/plan", small, set("Origin", "null"), 403},
		{"origin by https", "POST", "/api/save", small, set("Origin", "https://"+v.host), 403},
		{"two origins", "POST", "/api/plan", small, func(r *http.Request) {
			r.Header["Origin"] = []string{"http://" + v.host, "https://evil.example"}
		}, 403},
		{"cross-site", "POST", "/api/plan", small, set("Sec-Fetch-Site", "cross-site"), 403},
		{"same site, other port", "GET", page, "", set("Sec-Fetch-Site", "same-site"), 403},
		{"page without token", "GET", "/", "", nil, 403},
		{"page with a wrong token", "GET", "/?token=" + v.token[1:] + "0", "", nil, 403},
		{"plan without token", "POST", "/api/plan", small, set("Plenum-Token", ""), 403},
		{
			"plan with the token in its address only", "POST", "/api/plan?token=" + v.token, small,
			set("Plenum-Token", ""), 403,
		},
		{"schema without token", "GET", "/api/schema", "", set("Plenum-Token", ""), 403},
		{"get of a plan", "GET", "/api/plan", "", nil, 405},
		{"put", "PUT", "/api/save", small, nil, 405},
		{"options", "OPTIONS", "/api/save", "", nil, 405},
		{"delete of the page", "DELETE", page, "", nil, 405},
		{"another path", "GET", "/machine.yaml", "", nil, 404},
		{"above", "GET", "/../machine.yaml", "", nil, 404},
		{"above, encoded", "GET", "/%2e%2e/%2e%2e/etc/passwd", "", nil, 404},
		{"above, slash encoded", "GET", "/..%2f..%2fetc%2fpasswd", "", nil, 404},
		{"path that is encoded", "POST", "/api%2fplan", small, nil, 404},
		{"path through another", "POST", "/x/../api/plan", small, nil, 404},
		{"path with two slashes", "POST", "//api/plan", small, nil, 404},
		{"too large", "POST", "/api/plan", large, nil, 413},
		{"too large to save", "POST", "/api/save", large, nil, 413},
		{"too large, of unknown size", "POST", "/api/plan", large, func(r *http.Request) { r.ContentLength = -1 }, 413},
		{"no text", "POST", "/api/plan", "\xff\xfe", nil, 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v.t = t
			a := v.ask(tt.method, tt.path, tt.body, tt.change)
			if a.status != tt.want {
				t.Errorf("status %d, want %d: %.200s", a.status, tt.want, a.body)
			}
			if a.header.Get("X-Content-Type-Options") != "nosniff" ||
				!strings.Contains(a.header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
				t.Error("headers are missing:", a.header)
			}
			if a.header.Get("Access-Control-Allow-Origin") != "" {
				t.Error("another origin may read this")
			}
			if tt.want >= 400 && (a.reason(t) == "" || strings.Contains(a.body, v.token)) {
				t.Errorf("refused without a reason, or with the token: %s", a.body)
			}
		})
	}
	if now, err := os.ReadFile(v.path); err != nil || string(now) != small {
		t.Error("the file was changed:", err)
	}
}

// A plan of the text is answered, or its mistakes at their lines.
func TestPlan(t *testing.T) {
	v := run(t, small)
	a := v.ask("POST", "/api/plan", small, nil)
	if r := a.reply(t); len(r.Messages) > 0 || !bytes.Contains(r.Data, []byte(`"machine":"Small"`)) {
		t.Errorf("messages %v, data %.100s", r.Messages, r.Data)
	}
	for _, tt := range []struct {
		name, from, to string
		line, column   int
		path           string
	}{
		{"value", "rows: 2,", "rows: 2x,", 5, 14, "room.rows"},
		{"key", "racks_per_row", "rack_per_row", 5, 17, "room.rack_per_row"},
		{"syntax", "family: mesh,", "family: mesh, [", 3, 0, ""},
		{"found in planning", "per_rack: 2", "per_rack: 1", 5, 0, "room"},
	} {
		wrong := strings.Replace(small, tt.from, tt.to, 1)
		a := v.ask("POST", "/api/plan", wrong, nil)
		r := a.reply(t)
		if a.status != 200 || string(r.Data) != "null" || len(r.Messages) == 0 {
			t.Errorf("%s: status %d, %v", tt.name, a.status, r.Messages)
			continue
		}
		m := r.Messages[0]
		if m.Line != tt.line || tt.column > 0 && m.Column != tt.column || !strings.HasPrefix(m.Path, tt.path) ||
			m.Message == "" || m.File != "" || m.Severity != "error" {
			t.Errorf("%s: %+v", tt.name, m)
		}
	}
}

// The page has the text, its plan and its mistakes; nothing of the text ends the script in which it stands.
func TestPage(t *testing.T) {
	hostile := strings.Replace(small, "A small", "</script><script>alert(1)</script> & <!--", 1)
	v := run(t, hostile)
	a := v.ask("GET", "/?token="+v.token, "", nil)
	if !strings.Contains(a.body, `"machine":"Small"`) || strings.Contains(a.body, "<script>alert") {
		t.Error("the page lacks the plan, or runs what the file says")
	}
	if err := os.WriteFile(v.path, []byte("topology: {family: mush}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a = v.ask("GET", "/?token="+v.token, "", nil)
	if a.status != 200 || !strings.Contains(a.body, `"line":1,`) || !strings.Contains(a.body, `"plenum-data">null<`) {
		t.Errorf("status %d: a file with a mistake has no page that tells it", a.status)
	}
	if err := os.Remove(v.path); err != nil {
		t.Fatal(err)
	}
	a = v.ask("GET", "/?token="+v.token, "", nil)
	if a.status != 409 || !strings.Contains(a.reason(t), "no such file") {
		t.Errorf("status %d without a file", a.status)
	}
}

func TestSave(t *testing.T) {
	v := run(t, small)
	sum := func() string {
		t.Helper()
		a := v.ask("GET", "/?token="+v.token, "", nil)
		_, rest, ok := strings.Cut(a.body, `"base":"`)
		if !ok {
			t.Fatal("the page has no base")
		}
		return rest[:64]
	}
	save := func(text, base string) (answered, reply) {
		a := v.ask("POST", "/api/save", text, func(r *http.Request) { r.Header.Set("Plenum-Base", base) })
		return a, a.reply(t)
	}
	onDisk := func(want string) {
		t.Helper()
		if now, err := os.ReadFile(v.path); err != nil || string(now) != want {
			t.Errorf("on disk: %q, %v", now, err)
		}
	}
	second := strings.Replace(small, "name: Small", "name: Second", 1)
	base := sum()
	a, r := save(second, base)
	if a.status != 200 || r.Base != sum() {
		t.Fatalf("status %d: %s", a.status, a.body)
	}
	onDisk(second)
	if info, err := os.Stat(v.path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error("the file has other permissions than before:", err)
	}
	if a, r := save(small, base); a.status != 409 || !strings.Contains(r.Error, "changed by others") {
		t.Errorf("an old base: status %d: %s", a.status, a.body)
	}
	onDisk(second)
	a, r = save(strings.Replace(second, "rows: 2", "rows: x", 1), sum())
	if a.status != 422 || len(r.Messages) != 1 || r.Messages[0].Line != 5 {
		t.Errorf("a text with a mistake: status %d: %s", a.status, a.body)
	}
	onDisk(second)
	others := small + "# changed by others\n"
	base = sum()
	if err := os.WriteFile(v.path, []byte(others), 0o600); err != nil {
		t.Fatal(err)
	}
	if a, _ := save(second, base); a.status != 409 {
		t.Errorf("over the change of others: status %d", a.status)
	}
	onDisk(others)
	windows := strings.ReplaceAll(small, "\n", "\r\n")
	if err := os.WriteFile(v.path, []byte(windows), 0o600); err != nil {
		t.Fatal(err)
	}
	if a, _ := save(second, sum()); a.status != 200 {
		t.Errorf("status %d: %s", a.status, a.body)
	}
	onDisk(strings.ReplaceAll(second, "\n", "\r\n"))
	if files, err := os.ReadDir(filepath.Dir(v.path)); err != nil || len(files) != 1 {
		t.Error("more files than the one:", files, err)
	}
}

func TestExamplesAreNotSaved(t *testing.T) {
	v := start(t, serve.Options{Name: "small.yaml", Text: []byte(small)})
	a := v.ask("POST", "/api/save", small, nil)
	if a.status != 403 || !strings.Contains(a.reply(t).Error, "plenum init") {
		t.Errorf("status %d: %s", a.status, a.body)
	}
}

func TestEditOverHTTP(t *testing.T) {
	v := run(t, small)
	a := v.ask("POST", "/api/edit?path=cabling.slack.fixed&value=2.5+m", small, nil)
	if want := strings.Replace(small, "1 m", "2.5 m", 1); a.reply(t).Text != want {
		t.Errorf("status %d: %s", a.status, a.body)
	}
	if _, err := machine.Parse("x", []byte(a.reply(t).Text)); err != nil {
		t.Error(err)
	}
	a = v.ask("POST", "/api/edit?path=cabling.slack.fixed&value=2}", small, nil)
	if a.status != 422 {
		t.Errorf("status %d: %s", a.status, a.body)
	}
}

// A newer text of the same page ends the plan of the older one, one of another page does not.
func TestSupersededPlans(t *testing.T) {
	v := run(t, small)
	begun, proceed := make(chan context.Context, 4), make(chan struct{})
	serve.OnPlan(v.s, func(ctx context.Context) {
		begun <- ctx
		select {
		case <-ctx.Done():
		case <-proceed:
		}
	})
	page := func(name string) chan answered {
		out := make(chan answered, 1)
		go func() {
			out <- v.ask("POST", "/api/plan", small, func(r *http.Request) { r.Header.Set("Plenum-Page", name) })
		}()
		return out
	}
	old := page("a")
	work := <-begun
	newer := page("a")
	<-work.Done() // which nothing but the newer text ends
	if a := <-old; a.status != 409 || !strings.Contains(a.body, "newer text") {
		t.Errorf("the old plan: status %d: %s", a.status, a.body)
	}
	<-begun
	other := page("b") // waits: one plan at a time
	close(proceed)
	if a := <-newer; a.status != 200 {
		t.Errorf("the newer plan: status %d: %.200s", a.status, a.body)
	}
	if a := <-other; a.status != 200 {
		t.Errorf("the plan of another page: status %d: %.200s", a.status, a.body)
	}
}

// An older text that arrives after a newer one of the same page is refused, and the newer one is planned.
func TestOvertakenPlans(t *testing.T) {
	v := run(t, small)
	begun, proceed := make(chan struct{}, 4), make(chan struct{})
	serve.OnPlan(v.s, func(context.Context) {
		begun <- struct{}{}
		<-proceed
	})
	sends := func(order string) answered {
		return v.ask("POST", "/api/plan", small, func(r *http.Request) {
			r.Header.Set("Plenum-Page", "a")
			r.Header.Set("Plenum-Order", order)
		})
	}
	newer := make(chan answered, 1)
	go func() { newer <- sends("10") }()
	<-begun
	if a := sends("9"); a.status != 409 || !strings.Contains(a.body, "newer text") {
		t.Errorf("the older text: status %d: %.200s", a.status, a.body)
	}
	close(proceed)
	if a := <-newer; a.status != 200 {
		t.Errorf("the newer text: status %d: %.200s", a.status, a.body)
	}
}

// When the context ends, plans end, requests are answered, and no goroutine of the server is left.
func TestShutdown(t *testing.T) {
	v := run(t, small)
	begun := make(chan struct{})
	serve.OnPlan(v.s, func(ctx context.Context) {
		close(begun)
		<-ctx.Done()
	})
	out := make(chan answered, 1)
	go func() { out <- v.ask("POST", "/api/plan", small, nil) }()
	<-begun
	v.stop()
	if err := <-v.ended; err != nil {
		t.Error(err)
	}
	if a := <-out; a.status != 503 {
		t.Errorf("the plan under way: status %d: %s", a.status, a.body)
	}
	if c, err := net.Dial("tcp", v.host); err == nil {
		c.Close()
		t.Error("the server still listens")
	}
	stacks := make([]byte, 1<<20)
	for range 1000 { // the goroutine of a connection ends a moment after its answer
		n := runtime.Stack(stacks, true)
		if !strings.Contains(string(stacks[:n]), "serve.(*Server)") {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("goroutines are left:\n%s", stacks)
}

func TestListen(t *testing.T) {
	l, err := serve.Listen(0, true)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	at := l.Addr().(*net.TCPAddr)
	if !at.IP.IsLoopback() {
		t.Error("others can reach", at)
	}
	if _, err := serve.Listen(at.Port, false); err == nil {
		t.Error("a port that is taken is taken again")
	}
	next, err := serve.Listen(at.Port, true)
	if err != nil {
		t.Fatal(err)
	}
	next.Close()
	if got := next.Addr().(*net.TCPAddr).Port; got == at.Port || got > at.Port+20 {
		t.Errorf("port %d after %d", got, at.Port)
	}
	for _, port := range []int{-1, 65536} {
		if _, err := serve.Listen(port, true); err == nil {
			t.Error("listens on port", port)
		}
	}
}
