package spec

import (
	"os"
	"path/filepath"
	"strings"
)

// Owned is what exists already and stays: a plan that was carried out, or its workbook or the tables of one, edited to
// what is there.
type Owned struct {
	Plan      string `yaml:"plan,omitempty" json:"plan,omitempty"`
	Workbook  string `yaml:"workbook,omitempty" json:"workbook,omitempty"`
	Placement string `yaml:"placement,omitempty" json:"placement,omitempty"`
	Cables    string `yaml:"cables,omitempty" json:"cables,omitempty"`
	Parts     string `yaml:"parts,omitempty" json:"parts,omitempty"`
	Cooling   string `yaml:"cooling,omitempty" json:"cooling,omitempty"`
	Power     string `yaml:"power,omitempty" json:"power,omitempty"`
}

// Files names the tables one by one: those beside the plan where it is given. A plan need not have
// cooling.csv and power.csv.
func (o *Owned) Files() *Owned {
	if o.Plan == "" {
		own := *o
		return &own
	}
	dir := o.Plan
	if filepath.Base(dir) == "plan.json" {
		dir = filepath.Dir(dir)
	}
	own := &Owned{
		Placement: filepath.Join(dir, "placement.csv"), Cables: filepath.Join(dir, "cables.csv"),
		Parts: filepath.Join(dir, "bom.csv"), Cooling: filepath.Join(dir, "cooling.csv"),
		Power: filepath.Join(dir, "power.csv"),
	}
	for _, path := range []*string{&own.Cooling, &own.Power} {
		if _, err := os.Stat(*path); err != nil {
			*path = ""
		}
	}
	return own
}

// beside has the files stand beside the machine file.
func (o *Owned) beside(s *Spec) {
	for _, path := range []*string{
		&o.Plan, &o.Workbook, &o.Placement, &o.Cables, &o.Parts, &o.Cooling, &o.Power,
	} {
		if *path != "" {
			*path = s.Beside(*path)
		}
	}
}

// checkOwned checks how what exists is named.
func (s *Spec) checkOwned(report Reporter) {
	o := s.Owned
	if o == nil {
		return
	}
	tables := o.Placement != "" || o.Cables != "" || o.Parts != "" || o.Cooling != "" || o.Power != ""
	switch {
	case o.Workbook != "" && (o.Plan != "" || tables):
		report("owned.workbook", "a workbook has all tables\nremove plan and the tables, or the workbook")
	case strings.EqualFold(filepath.Ext(o.Plan), ".xlsx"):
		report("owned.plan", "a plan is a directory\nwrite workbook: %s", o.Plan)
	case o.Plan != "" && tables:
		report("owned.plan", "a plan has its own tables\nremove these, or name the tables alone")
	case o.Plan == "" && o.Workbook == "" && !tables:
		report("owned", "names nothing that exists\nname a plan: the directory that plenum plan wrote")
	}
}
