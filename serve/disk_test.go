package serve_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/serve"
)

// A machine file that has become a pipe is refused, and can be saved again once it is a file.
func TestMachineFileBecomesAPipe(t *testing.T) {
	v := run(t, small)
	if err := os.Remove(v.path); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfifo", v.path).CombinedOutput(); err != nil {
		t.Skipf("no mkfifo: %v %s", err, out)
	}
	for range 2 {
		for _, a := range []answered{
			v.ask("GET", "/?token="+v.token, "", nil), v.ask("POST", "/api/save", small, nil),
		} {
			if a.status != 409 || !strings.Contains(a.body, "not an ordinary file") {
				t.Errorf("status %d: %.200s", a.status, a.body)
			}
		}
	}
	if err := os.Remove(v.path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(v.path, []byte(small), 0o600); err != nil {
		t.Fatal(err)
	}
	if a := v.ask("GET", "/?token="+v.token, "", nil); a.status != 200 {
		t.Errorf("status %d: %.200s", a.status, a.body)
	}
}

// A file system that hangs is reported, nothing is written after that, and it is used again when it answers.
func TestFileSystemHangs(t *testing.T) {
	v := run(t, small)
	serve.SetDiskTime(v.s, 20*time.Millisecond)
	release := serve.Hang(v.s)
	for range 3 {
		a := v.ask("GET", "/?token="+v.token, "", nil)
		if a.status != 409 || !strings.Contains(a.body, "has not answered") {
			t.Errorf("the page: status %d: %.200s", a.status, a.body)
		}
		if a := v.ask("POST", "/api/save", small, nil); a.status != 503 || !strings.Contains(a.body, "is not saved") {
			t.Errorf("a save: status %d: %.200s", a.status, a.body)
		}
	}
	serve.SetDiskTime(v.s, time.Minute)
	release()
	if a := v.ask("GET", "/?token="+v.token, "", nil); a.status != 200 {
		t.Errorf("status %d: %.200s", a.status, a.body)
	}
}

// Requests beyond those that are answered at once wait for their turn.
func TestRequestsWait(t *testing.T) {
	v := run(t, small)
	begun, proceed := make(chan struct{}, 1), make(chan struct{})
	serve.OnPlan(v.s, func(context.Context) {
		select {
		case begun <- struct{}{}:
		default:
		}
		<-proceed
	})
	const tabs = 24
	out := make(chan answered, tabs)
	for i := range tabs {
		go func() {
			out <- v.ask("POST", "/api/plan", small, func(r *http.Request) {
				r.Header.Set("Plenum-Page", fmt.Sprint("tab ", i))
			})
		}()
	}
	<-begun
	close(proceed)
	for range tabs {
		if a := <-out; a.status != 200 {
			t.Errorf("status %d: %.200s", a.status, a.body)
		}
	}
}

// A plan that hangs, as one does that reads a file of a network share which does not answer, keeps others from being
// made only until its page has sent a newer text.
func TestPlanHangs(t *testing.T) {
	v := run(t, small)
	serve.SetDiskTime(v.s, 20*time.Millisecond)
	ended, release := serve.HangPlan(v.s, "a")
	defer release()
	a := v.ask("POST", "/api/plan", small, func(r *http.Request) { r.Header.Set("Plenum-Page", "a") })
	if a.status != 200 {
		t.Errorf("status %d: %.200s", a.status, a.body)
	}
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "newer text") {
		t.Errorf("the plan that hangs: %v", err)
	}
	if a := v.ask("POST", "/api/plan", small, nil); a.status != 200 {
		t.Errorf("status %d: %.200s", a.status, a.body)
	}
}

// Files that the machine file names have to be ordinary ones: a pipe may have no end.
func TestNamedPipes(t *testing.T) {
	v := run(t, small)
	pipe := filepath.Join(filepath.Dir(v.path), "pipe.csv")
	if out, err := exec.Command("mkfifo", pipe).CombinedOutput(); err != nil {
		t.Skipf("no mkfifo: %v %s", err, out)
	}
	text := small + "names: {table: " + pipe + "}\n"
	for _, path := range []string{"/api/plan", "/api/save"} {
		if a := v.ask("POST", path, text, nil); !strings.Contains(a.body, "not a regular file") {
			t.Errorf("%s: status %d: %.200s", path, a.status, a.body)
		}
	}
}
