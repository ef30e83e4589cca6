package verify

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/exchange"
)

// TestSwapsSeenByLLDP has hosts and switches in network namespaces of their own, joined by pairs of virtual Ethernet as
// they are planned but for some swaps, with lldpd in each; what lldpd tells is held against the plan.
func TestSwapsSeenByLLDP(t *testing.T) {
	if testing.Short() {
		t.Skip("starts fifty lldpd")
	}
	needs(t, "ip", "unshare", "lldpd", "lldpcli")
	p, w := planned(t, plan(t, "topology: {family: fat-tree, radix: 8, nodes: 36}"), "")
	if len(w.Boxes) < 50 {
		t.Fatalf("%d boxes", len(w.Boxes))
	}
	rng := rand.New(rand.NewPCG(7, 7))
	order := rng.Perm(len(w.Links))
	var want []injected
	for i := 0; i < 10; i += 2 {
		a, b := &w.Links[order[i]], &w.Links[order[i+1]]
		f := injected{kind: Swapped}
		for _, l := range []*exchange.Link{a, b} {
			x, y := w.Boxes[l.A.Box].Name+" "+l.A.Port, w.Boxes[l.B.Box].Name+" "+l.B.Port
			f.plan = append(f.plan, min(x, y)+" - "+max(x, y))
		}
		f.plan = sortedPair(f.plan)
		want = append(want, f)
		a.B, b.B = b.B, a.B
	}
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // for lldpd's own user
		t.Fatal(err)
	}
	ns := func(i int) string { return fmt.Sprintf("plenum%d-%d", os.Getpid(), i) }
	namespaces(t, ctx, w, ns)
	for i, b := range w.Boxes {
		socket := filepath.Join(dir, fmt.Sprintf("%d.sock", i))
		start := fmt.Sprintf("hostname %s && exec lldpd -d -u %s", b.Name, socket)
		lldpd := exec.CommandContext(ctx, "ip", "netns", "exec", ns(i), "unshare", "--uts", "sh", "-c", start)
		if err := lldpd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			lldpd.Process.Signal(syscall.SIGTERM) // so that it ends its other process
			lldpd.Wait()
		})
	}
	for i := range w.Boxes { // all speak every second, before anybody waits
		socket := filepath.Join(dir, fmt.Sprintf("%d.sock", i))
		for ctx.Err() == nil &&
			exec.CommandContext(ctx, "lldpcli", "-u", socket, "configure", "lldp", "tx-interval", "1").Run() != nil {
			time.Sleep(50 * time.Millisecond)
		}
	}
	links := make([]int, len(w.Boxes))
	for _, l := range w.Links {
		links[l.A.Box]++
		links[l.B.Box]++
	}
	var sources []*exchange.Wiring
	for i, b := range w.Boxes {
		sources = append(sources, neighboursOf(t, ctx, dir, i, b.Name, links[i]))
	}
	r := p.Compare(sources)
	if r.Unknown > 0 || len(r.Notes)+len(r.Strangers) > 0 {
		t.Errorf("%d unknown, %v, %v", r.Unknown, r.Notes, r.Strangers)
	}
	same(t, r, want, func(e End) string { return e.Box + " " + e.Port })
}

func sortedPair(s []string) []string { return []string{min(s[0], s[1]), max(s[0], s[1])} }

// needs skips a test that other programs are missing for, unless they must be there.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	required := os.Getenv("PLENUM_REQUIRE_TOOLS") == "1"
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			if required {
				t.Fatal(err)
			}
			t.Skipf("%s is not installed", program)
		}
	}
}

// namespaces makes a network namespace for every box and joins them as they are cabled: port 3 is swp3.
func namespaces(t *testing.T, ctx context.Context, w *exchange.Wiring, ns func(i int) string) {
	t.Helper()
	var batch bytes.Buffer
	for i := range w.Boxes {
		fmt.Fprintf(&batch, "netns add %s\n", ns(i))
	}
	for _, l := range w.Links {
		fmt.Fprintf(&batch, "link add swp%s netns %s type veth peer name swp%s netns %s\n",
			l.A.Port, ns(l.A.Box), l.B.Port, ns(l.B.Box))
	}
	t.Cleanup(func() {
		for i := range w.Boxes {
			exec.Command("ip", "netns", "del", ns(i)).Run()
		}
	})
	ip := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(ctx, "ip", args...)
		cmd.Stdin = &batch
		if out, err := cmd.CombinedOutput(); err != nil {
			if strings.Contains(string(out), "not permitted") && os.Getenv("PLENUM_REQUIRE_TOOLS") != "1" {
				t.Skip("network namespaces are not permitted")
			}
			t.Fatalf("ip %v: %v: %s", args, err, out)
		}
		batch.Reset()
	}
	ip("-batch", "-")
	for i := range w.Boxes {
		for _, l := range w.Links {
			for _, e := range []exchange.End{l.A, l.B} {
				if e.Box == i {
					fmt.Fprintf(&batch, "link set swp%s up\n", e.Port)
				}
			}
		}
		ip("-n", ns(i), "-batch", "-")
	}
}

// neighboursOf waits until lldpd of a box has seen all of its neighbours, and reads what it tells.
func neighboursOf(t *testing.T, ctx context.Context, dir string, box int, name string, links int) *exchange.Wiring {
	t.Helper()
	socket := filepath.Join(dir, fmt.Sprintf("%d.sock", box))
	path := filepath.Join(dir, name+".json")
	for {
		out, err := exec.CommandContext(ctx, "lldpcli", "-u", socket, "-f", "json", "show", "neighbors").Output()
		if err == nil && len(out) > 0 {
			if err := os.WriteFile(path, out, 0o666); err != nil {
				t.Fatal(err)
			}
			w, err := exchange.Read(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(w.Links) >= links {
				return w
			}
		}
		if ctx.Err() != nil {
			t.Fatalf("%s has not seen its %d neighbours: %s", name, links, out)
		}
		time.Sleep(200 * time.Millisecond)
	}
}
