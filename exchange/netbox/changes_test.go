package netbox

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/machine"
)

// cablesOf reads the cables of an export, or of changes, back.
func cablesOf(t rapid.TB, files map[string]func(io.Writer) error) []exchange.NetBoxCable {
	t.Helper()
	var out []exchange.NetBoxCable
	for _, name := range []string{Cables, SeveralEnds} {
		if files[name] == nil {
			continue
		}
		var b bytes.Buffer
		if err := files[name](&b); err != nil {
			t.Fatal(err)
		}
		found, err := exchange.ReadNetBoxCables(name, b.Bytes())
		if err != nil || len(found) == 0 {
			t.Fatal(name, len(found), err)
		}
		out = append(out, found...)
	}
	return out
}

// server is what NetBox does with cables: it has one at a port.
type server struct {
	cables map[int64]*exchange.NetBoxCable
	at     map[string]int64
	next   int64
}

func (s *server) create(c exchange.NetBoxCable) error {
	for _, p := range slices.Concat(c.A, c.B) {
		if id, ok := s.at[portKey(p)]; ok {
			return fmt.Errorf("%v has the cable %d", p, id)
		}
	}
	s.next++
	c.ID = s.next
	for _, p := range slices.Concat(c.A, c.B) {
		s.at[portKey(p)] = c.ID
	}
	s.cables[c.ID] = &c
	return nil
}

func (s *server) delete(id int64) error {
	c := s.cables[id]
	if c == nil {
		return fmt.Errorf("there is no cable %d", id)
	}
	for _, p := range slices.Concat(c.A, c.B) {
		delete(s.at, portKey(p))
	}
	delete(s.cables, id)
	return nil
}

func (s *server) list() []exchange.NetBoxCable {
	var out []exchange.NetBoxCable
	for id := range s.next + 1 {
		if c := s.cables[id]; c != nil {
			out = append(out, *c)
		}
	}
	return out
}

// TestChangesMakeThePlan draws what NetBox has, does as the changes say, and holds that NetBox refuses nothing, that it
// has every planned cable then, and that no cable was deleted in vain.
func TestChangesMakeThePlan(t *testing.T) {
	var plans []*machine.Result
	for _, path := range []string{
		"../../examples/basepod.yaml", "../../examples/superpod-b300-planes.yaml",
		"../../machine/testdata/structured.yaml",
	} {
		plans = append(plans, planOf(t, path))
	}
	var exports []*Export
	var wanted [][]exchange.NetBoxCable
	for _, r := range plans {
		x, err := New(r, "")
		if err != nil {
			t.Fatal(err)
		}
		exports = append(exports, x)
		wanted = append(wanted, cablesOf(t, x.Files(t.Context())))
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, len(exports)-1).Draw(t, "machine")
		want := wanted[n]
		s := &server{cables: map[int64]*exchange.NetBoxCable{}, at: map[string]int64{}}
		for range rapid.IntRange(0, 20).Draw(t, "cables") {
			c := want[rapid.IntRange(0, len(want)-1).Draw(t, "cable")]
			switch rapid.IntRange(0, 4).Draw(t, "change") {
			case 0:
				c.B = want[rapid.IntRange(0, len(want)-1).Draw(t, "other")].B
			case 1:
				c.A, c.B = c.B, c.A
			case 2:
				c.Status = "decommissioning"
			case 3:
				c.A = []exchange.NetBoxPort{{Device: "spare", Name: fmt.Sprint(rapid.IntRange(1, 9).Draw(t, "port"))}}
			}
			_ = s.create(c) // NetBox refuses what is there twice
		}
		before := s.list()
		changes, err := exports[n].Changes(before)
		if err != nil {
			t.Fatal(err)
		}
		files := changes.Files(t.Context())
		var gone []struct{ ID int64 }
		if files[Deletions] != nil {
			var b bytes.Buffer
			if err := files[Deletions](&b); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(b.Bytes(), &gone); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range gone {
			if err := s.delete(c.ID); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range cablesOf(t, files) {
			if err := s.create(c); err != nil {
				t.Fatal(err)
			}
		}
		have := map[string]int64{}
		for id, c := range s.cables {
			have[cableKey(c.A, c.B)] = id
		}
		kept := int64(0)
		for _, c := range want {
			id, ok := have[cableKey(c.A, c.B)]
			if !ok {
				t.Fatalf("%v is not there", c)
			}
			if id <= int64(len(before)) {
				kept++
			}
		}
		// Slow and obvious: a cable that was there need not be made again.
		for _, c := range before {
			there := slices.ContainsFunc(want, func(w exchange.NetBoxCable) bool {
				return cableKey(w.A, w.B) == cableKey(c.A, c.B)
			})
			if deleted := s.cables[c.ID] == nil; there && deleted && c.Status != "decommissioning" {
				t.Fatalf("%v is deleted", c)
			}
		}
		rows := changeRows(t, files)
		if len(rows["delete"]) != len(gone) || len(rows["keep"]) != int(kept) ||
			len(rows["add"])+int(kept) != len(want) {
			t.Fatalf("%d, %d and %d rows; %d deleted, %d kept of %d", len(rows["delete"]), len(rows["add"]),
				len(rows["keep"]), len(gone), kept, len(want))
		}
	})
}

// changeRows are the rows of the list of changes, by action.
func changeRows(t rapid.TB, files map[string]func(io.Writer) error) map[string][][]string {
	var b bytes.Buffer
	if err := files[ChangeList](&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][][]string{}
	for _, row := range rows[1:] {
		out[row[0]] = append(out[row[0]], row)
	}
	return out
}

// The files of changes pass the forms that those of a whole export pass.
func TestChangesPassTheForms(t *testing.T) {
	r := planOf(t, "../../examples/basepod.yaml")
	x, err := New(r, "")
	if err != nil {
		t.Fatal(err)
	}
	all := cablesOf(t, x.Files(t.Context()))
	wrong := all[0]
	wrong.ID, wrong.B = 7, []exchange.NetBoxPort{{Device: "elsewhere", Name: "1"}}
	keep := all[1]
	keep.ID, keep.Label = 8, "old"
	stay := exchange.NetBoxCable{
		ID: 9, A: []exchange.NetBoxPort{{Device: "x", Name: "1"}}, B: []exchange.NetBoxPort{{Device: "y", Name: "1"}},
	}
	changes, err := x.Changes([]exchange.NetBoxCable{wrong, keep, stay})
	if err != nil {
		t.Fatal(err)
	}
	files := changes.Files(t.Context())
	rows := changeRows(t, files)
	want := "delete|7|C0001|compute-leaf-1 sw1p1|elsewhere 1|compute-leaf-1 sw1p1 is for C0001"
	if got := strings.Join(rows["delete"][0], "|"); got != want {
		t.Error(got)
	}
	want = "keep|8|old|compute-leaf-1 sw1p2|dgx-1 ibp154s0|planned as C0002"
	if got := strings.Join(rows["keep"][0], "|"); got != want {
		t.Error(got)
	}
	if got := strings.Join(changes.Notes, "; "); got != fmt.Sprintf("1 cable to delete, %d to add, 1 to keep; "+
		"left as they are, being in no port of a planned one: 1 cable", len(all)-1) {
		t.Error(got)
	}
	var b bytes.Buffer
	if err := files[Cables](&b); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	f := readForms(t)
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, field := range record {
			row[records[0][i]] = field
		}
		f.check(t, Cables, row)
	}
	loose := exchange.NetBoxCable{ID: 10, Unordered: true, A: stay.A, B: slices.Concat(stay.A, stay.B)}
	if _, err := x.Changes([]exchange.NetBoxCable{loose}); err != ErrUnordered {
		t.Error(err)
	}
	wrong.ID = 0
	if _, err := x.Changes([]exchange.NetBoxCable{wrong}); err != ErrNoIDs {
		t.Error(err)
	}
}

// TestChangesOfOtherNames: a NetBox whose boxes and ports are called otherwise than exports call them has the same
// cables, and what is lacking is added under the names that it has.
func TestChangesOfOtherNames(t *testing.T) {
	for _, path := range []string{
		"../../examples/basepod.yaml", "../../examples/superpod-b300-planes.yaml",
		"../../machine/testdata/structured.yaml",
	} {
		x, err := New(planOf(t, path), "")
		if err != nil {
			t.Fatal(err)
		}
		printed := *x
		printed.printed = true
		for name, called := range map[string]func(p *exchange.NetBoxPort){
			"labels": func(*exchange.NetBoxPort) {},
			"capitals": func(p *exchange.NetBoxPort) {
				p.Device, p.Name = strings.ToUpper(p.Device), strings.ToUpper(p.Name)
			},
			"domains": func(p *exchange.NetBoxPort) { p.Device += ".example.org" },
		} {
			from := x
			if name == "labels" {
				from = &printed
			}
			all := cablesOf(t, from.Files(t.Context()))
			for i := range all {
				all[i].ID = int64(i + 1)
				for _, side := range [][]exchange.NetBoxPort{all[i].A, all[i].B} {
					for k := range side {
						called(&side[k])
					}
				}
			}
			changes, err := x.Changes(all[1:])
			if err != nil {
				t.Fatal(err)
			}
			rows := changeRows(t, changes.Files(t.Context()))
			if len(rows["keep"]) != len(all)-1 || len(rows["add"]) != 1 || len(rows) != 2 {
				t.Fatalf("%s, %s: %d to keep, %d to add, %d to delete of %d: %v", path, name, len(rows["keep"]),
					len(rows["add"]), len(rows["delete"]), len(all), rows["delete"])
			}
			added := cablesOf(t, changes.Files(t.Context()))
			if name == "labels" && cableKey(added[0].A, added[0].B) != cableKey(all[0].A, all[0].B) {
				t.Errorf("%s: added between %v, %v and not %v, %v", path, added[0].A, added[0].B, all[0].A, all[0].B)
			}
		}
	}
}

// TestChangesLeaveWhatIsNotIdentified: cables of management and power and those at ports that no name proves are never
// deleted, and a planned cable that needs the other port waits.
func TestChangesLeaveWhatIsNotIdentified(t *testing.T) {
	x, err := New(planOf(t, "../../examples/basepod.yaml"), "")
	if err != nil {
		t.Fatal(err)
	}
	all := cablesOf(t, x.Files(t.Context()))
	port := func(device, name string) []exchange.NetBoxPort {
		return []exchange.NetBoxPort{{Device: device, Name: name}}
	}
	found := slices.Clone(all[1:])
	for i, c := range []exchange.NetBoxCable{
		{A: port("dgx-1", "PSU1"), B: port("pdu-1", "7")},
		{A: port("dgx-2", "eno17"), B: port("office", "3")},
		{A: port("compute-leaf-1", "Management9"), B: port("compute-leaf-2", "console0")},
		{A: all[0].A, B: port("dgx-1", "rail0")},
	} {
		c.ID = int64(1000 + i)
		found = append(found, c)
	}
	changes, err := x.Changes(found)
	if err != nil {
		t.Fatal(err)
	}
	files := changes.Files(t.Context())
	rows := changeRows(t, files)
	if len(rows["delete"])+len(rows["add"]) > 0 || len(rows["keep"]) != len(all)-1 || len(rows["wait"]) != 1 {
		t.Errorf("%v, %v, %d to keep, %v", rows["delete"], rows["add"], len(rows["keep"]), rows["wait"])
	}
	want := "unknown|1003||compute-leaf-1 sw1p1|dgx-1 rail0|dgx-1 rail0 is not identified"
	if got := strings.Join(rows["unknown"][0], "|"); got != want || len(rows["unknown"]) != 1 {
		t.Error(rows["unknown"])
	}
	if files[Deletions] != nil || files[Cables] != nil {
		t.Error("there is something to do")
	}
	if !strings.Contains(strings.Join(changes.Notes, "\n"), "at a port that is not identified: 4 cables") {
		t.Error(changes.Notes)
	}
}
