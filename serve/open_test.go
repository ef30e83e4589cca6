package serve_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/serve"
)

func TestOpener(t *testing.T) {
	has := func(name string) (string, error) { return "/bin/" + name, nil }
	none := func(string) (string, error) { return "", errors.New("none") }
	screen := func(key string) string { return map[string]string{"WAYLAND_DISPLAY": "wayland-0"}[key] }
	dark := func(string) string { return "" }
	for _, tt := range []struct {
		system string
		getenv func(string) string
		look   func(string) (string, error)
		want   []string
		why    string
	}{
		{"linux", screen, has, []string{"/bin/xdg-open"}, ""},
		{"linux", dark, has, nil, "no screen"},
		{"freebsd", screen, none, nil, "no xdg-open"},
		{"darwin", dark, has, []string{"/bin/open"}, ""},
		{"windows", dark, has, []string{"/bin/rundll32", "url.dll,FileProtocolHandler"}, ""},
		{"windows", dark, none, nil, "no rundll32"},
	} {
		got, err := serve.Opener(tt.system, tt.getenv, tt.look)
		if !slices.Equal(got, tt.want) || (err == nil) != (tt.why == "") ||
			err != nil && !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%s: %v, %v", tt.system, got, err)
		}
	}
}

// The address that a browser is started with leads to the page once, and nowhere for others.
func TestOpenURL(t *testing.T) {
	v := run(t, small)
	path := strings.TrimPrefix(v.s.OpenURL(), "http://"+v.host)
	if strings.Contains(path, v.token) {
		t.Error("the address has the token")
	}
	if a := v.ask("GET", path+"0", "", nil); a.status != 403 {
		t.Error("another ticket:", a.status)
	}
	a := v.ask("GET", path, "", nil)
	if a.status != 303 || a.header.Get("Location") != "/?token="+v.token {
		t.Error(a.status, a.header)
	}
	if a := v.ask("GET", path, "", nil); a.status != 403 || !strings.Contains(a.body, "was opened already") {
		t.Error("again:", a.status, a.body)
	}
	if a := v.ask("GET", "/open?ticket=", "", nil); a.status != 403 {
		t.Error("no ticket:", a.status)
	}
}
