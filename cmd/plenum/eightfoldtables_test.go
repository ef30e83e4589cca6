package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/build"
	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/owned"
	"github.com/plenum-planner/plenum/machine/racklist"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
)

// A readTable is a reader of tables of comma-separated values.
type readTable struct {
	name      string
	head, row string // names of columns; a row that is right, with its number for every %d
	read      func(text string) error
}

// growingTables are the readers of tables by the files in which they begin to read one. TestEveryTableGrows finds those
// files by their calls.
var growingTables = map[string][]readTable{
	"catalog/tablefile.go": {{
		"quote", "part,unit price,currency,date", "rack-%d,1,USD,2025-06-01",
		func(text string) error { _, err := catalog.ReadOffer("q.csv", []byte(text)); return err },
	}},
	"build/progress.go": {{"progress", "cable_id,done", "C1,yes", func(text string) error {
		plan := &machine.Result{Schedule: &cabling.Schedule{Cables: int64(strings.Count(text, "\n"))}}
		_, err := build.ReadProgress("p.csv", strings.NewReader(text), plan)
		return err
	}}},
	"identity/map.go": {{
		"map of names", "name,alias,guid", "n%d,a%d,0x%d",
		func(text string) error { _, err := identity.ReadMap("m.csv", strings.NewReader(text)); return err },
	}},
	"machine/owned/read.go": {
		{"boxes that exist", "label,kind,container,unit", "n%d,node,A%d,1", fromFile(func(path string) error {
			_, _, err := owned.ReadBoxes(path)
			return err
		})},
		{"cables that exist", "a_device,a_port,b_device,b_port,product", "a%d,1,b%d,1,p%d:2", fromFile(
			func(path string) error { _, err := owned.ReadCables(path); return err },
		)},
		{"parts that exist", "part,quantity", "p%d,3", fromFile(func(path string) error {
			_, err := owned.ReadParts(path)
			return err
		})},
	},
	"machine/racklist/read.go": {{
		"rack list", "name,x,y", "r%d,%d,0",
		func(text string) error { _, err := racklist.Read("r.csv", []byte(text)); return err },
	}},
	"exchange/rows.go": {
		{
			"cables", "a_device,a_port,b_device,b_port", "a%d,1,b%d,2",
			func(text string) error { _, err := exchange.ReadCables("c.csv", strings.NewReader(text)); return err },
		},
		{
			"cables of NetBox", "device_a,termination_a,device_b,termination_b", "a%d,1,b%d,2",
			func(text string) error { _, err := exchange.ReadNetBox("c.csv", strings.NewReader(text)); return err },
		},
	},
	"topology/graphio/readcables.go": {{
		"graph of cables", "a_device,a_port,b_device,b_port", "a%d,1,b%d,2", readGraph("cables"),
	}},
	"topology/names/table.go": {{"table of names", "box,name", "%d,new-%d", func(text string) error {
		_, err := names.Of(ring(text)).ReadTable("n.csv", strings.NewReader(text))
		return err
	}}},
	"embed/tableread.go": {{"places", "vertex,container,unit", "%d,R%d,1", func(text string) error {
		g := ring(text)
		room := layout.RoomSpec{
			Rack: layout.RackType{Units: 42, Width: 0.6, Depth: 1.2, Height: 2}, Cold: 1.2, Hot: 0.9, Margin: 1.2,
			Rows: 1, PerRow: g.Kinds()[0].Count,
		}
		called := make([]layout.RackName, room.PerRow)
		for i := range called {
			called[i].Name = fmt.Sprint("R", i)
		}
		room.Names = layout.NewRackNames([][]layout.RackName{called})
		_, err := embed.ReadCSV("p.csv", strings.NewReader(text), &embed.Problem{
			Graph: g, Kinds: []embed.Kind{{Box: layout.NewBox(1, 0.44, 0.8, nil)}}, Room: &room, Strategy: embed.Auto,
		})
		return err
	}}},
	"embed/mapping/placement.go": {{"places on a grid", "vertex,label,x,y", "%d,,%d,0", func(text string) error {
		n := strings.Count(text, "\n") - 1
		_, err := mapping.ReadGrid("g.csv", strings.NewReader(text), n, n, 1)
		return err
	}}},
}

// tablesElsewhere are the files that begin to read a table and are covered by something else.
var tablesElsewhere = map[string]string{
	"machine/owned/book.go": "reads one row again, for the place of a mistake",
}

// ring is a ring of as many nodes as a text has lines behind its first.
func ring(text string) topology.Graph {
	g, err := topology.New(topology.Torus{Dims: topology.Ints{max(strings.Count(text, "\n")-1, 3)}})
	if err != nil {
		panic(err)
	}
	return g
}

// fromFile gives a reader of files a text.
func fromFile(read func(path string) error) func(text string) error {
	return func(text string) error {
		f, err := os.CreateTemp("", "table*.csv")
		if err != nil {
			return err
		}
		defer os.Remove(f.Name())
		if _, err := f.WriteString(text); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
		return read(f.Name())
	}
}

// TestEightfoldTables is TestEightfoldInput for every table: of rows that are right, rows that are wrong, and columns
// that nobody knows.
func TestEightfoldTables(t *testing.T) {
	for _, list := range growingTables {
		for _, r := range list {
			rows := func(n int) string { return r.head + "\n" + lines(n, r.row) }
			if err := r.read(rows(20)); err != nil {
				t.Errorf("%s: the row is not right: %v", r.name, err)
			}
			isLinear(t, r.name, 1000, rows, r.read)
			isLinear(t, r.name+", wrong", 1000, func(n int) string { return r.head + "\n" + lines(n, `"x%d`) }, r.read)
			isLinear(t, r.name+", columns", 2000, func(n int) string {
				return r.head + "," + strings.TrimRight(strings.ReplaceAll(lines(n, "c%d"), "\n", ","), ",") + "\n"
			}, r.read)
		}
	}
}

// TestEveryTableGrows holds that every file that begins to read a table is covered by TestEightfoldTables.
func TestEveryTableGrows(t *testing.T) {
	called := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && (s.Sel.Name == "NewReader" || s.Sel.Name == "NewLines") {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "csvtable" {
					called[strings.TrimPrefix(filepath.ToSlash(path), "../../")] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for path := range called {
		if len(growingTables[path]) == 0 && tablesElsewhere[path] == "" {
			t.Errorf("%s reads a table that TestEightfoldTables leaves out: add a line to growingTables", path)
		}
	}
	for path := range growingTables {
		if !called[path] {
			t.Errorf("%s reads no table any longer: remove its line from growingTables", path)
		}
	}
}
