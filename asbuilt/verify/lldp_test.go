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
	ctx, went := whileItGoesOn(t, 2*time.Minute)
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // for lldpd's own user
		t.Fatal(err)
	}
	settings := filepath.Join(dir, "lldpd.conf")
	if err := os.WriteFile(settings, []byte(speaksOften), 0o666); err != nil {
		t.Fatal(err)
	}
	ns := func(i int) string { return fmt.Sprintf("plenum%d-%d", os.Getpid(), i) }
	namespaces(t, ctx, w, ns)
	went()
	const atOnce = 5 // as fifty that start together keep each other from it on a busy machine
	for first := 0; first < len(w.Boxes); first += atOnce {
		last := min(first+atOnce, len(w.Boxes))
		for i := first; i < last; i++ {
			startLLDPD(t, ctx, ns(i), w.Boxes[i].Name, settings, socket(dir, i))
		}
		for i := first; i < last; i++ {
			awaitLLDPD(t, ctx, socket(dir, i))
			went()
		}
	}
	var sources []*exchange.Wiring
	for i := range w.Boxes {
		sources = append(sources, neighboursOf(t, ctx, went, dir, w, i))
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

// whileItGoesOn is a context that ends when nothing has gone on for so long; each call of went says that something
// has. A bound on the whole would have to know how busy the machine is.
func whileItGoesOn(t *testing.T, patience time.Duration) (ctx context.Context, went func()) {
	ctx, cancel := context.WithCancel(t.Context())
	timer := time.AfterFunc(patience, cancel)
	t.Cleanup(func() {
		timer.Stop()
		cancel()
	})
	return ctx, func() { timer.Reset(patience) }
}

// socket is where lldpd of a box listens.
func socket(dir string, box int) string { return filepath.Join(dir, fmt.Sprintf("%d.sock", box)) }

// startLLDPD starts lldpd in a network namespace, under the name of a box, with its settings in a file. It starts
// paused and has lldpcli read the file and let it go on, and lldpcli reads and writes all settings at once: those of
// another lldpcli that come between would pause it for good, or be lost.
func startLLDPD(t *testing.T, ctx context.Context, ns, name, settings, socket string) {
	t.Helper()
	start := fmt.Sprintf("hostname %s && exec lldpd -d -O %s -u %s", name, settings, socket)
	lldpd := exec.CommandContext(ctx, "ip", "netns", "exec", ns, "unshare", "--uts", "sh", "-c", start)
	lldpd.Cancel = func() error { return lldpd.Process.Signal(syscall.SIGTERM) } // so that it ends its other process
	if err := lldpd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		lldpd.Cancel()
		lldpd.Wait()
	})
}

// speaksOften are settings of lldpd: it speaks every second, and what it says holds for five minutes, so that nobody
// forgets a neighbour who was kept from speaking for a while.
const speaksOften = "configure lldp tx-interval 1\nconfigure lldp tx-hold 300\n"

// awaitLLDPD waits until lldpd has its settings.
func awaitLLDPD(t *testing.T, ctx context.Context, socket string) {
	t.Helper()
	for {
		set := string(lldpcli(ctx, socket, "show", "configuration"))
		if strings.Contains(set, `"tx-delay": "1"`) && strings.Contains(set, `"tx-hold": "300"`) {
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("lldpd at %s does not take its settings: %s", socket, set)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// lldpcli asks lldpd for something, and returns nothing where it does not answer.
func lldpcli(ctx context.Context, socket string, args ...string) []byte {
	out, err := exec.CommandContext(ctx, "lldpcli", append([]string{"-u", socket, "-f", "json"}, args...)...).Output()
	if err != nil {
		return nil
	}
	return out
}

// neighboursOf waits until lldpd of a box has seen all of its neighbours, as long as more of them appear, and reads
// what it tells.
func neighboursOf(
	t *testing.T, ctx context.Context, went func(), dir string, w *exchange.Wiring, box int,
) *exchange.Wiring {
	t.Helper()
	name := w.Boxes[box].Name
	path := filepath.Join(dir, name+".json")
	links := 0
	for _, l := range w.Links {
		if l.A.Box == box || l.B.Box == box {
			links++
		}
	}
	seen := 0
	for {
		out := lldpcli(ctx, socket(dir, box), "show", "neighbors")
		if len(out) > 0 {
			if err := os.WriteFile(path, out, 0o666); err != nil {
				t.Fatal(err)
			}
			found, err := exchange.Read(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(found.Links) > seen {
				seen = len(found.Links)
				went()
			}
			if seen >= links {
				return found
			}
		}
		if ctx.Err() != nil {
			t.Fatalf("%s has seen %d of its %d neighbours, and no more come", name, seen, links)
		}
		time.Sleep(200 * time.Millisecond)
	}
}
