package machine_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/machine"
)

func TestEveryMistakeOfAFileIsShown(t *testing.T) {
	_, err := machine.Load("testdata/mistakes.yaml")
	if err == nil {
		t.Fatal("no error")
	}
	want, e := os.ReadFile("testdata/mistakes.golden")
	if e != nil {
		t.Fatal(e)
	}
	if diff := cmp.Diff(string(want), err.Error()+"\n"); diff != "" {
		t.Error(diff)
	}
}

func TestLoadOfNoFile(t *testing.T) {
	if _, err := machine.Load(filepath.Join(t.TempDir(), "none.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// A graph of the user's own is looked for beside the machine file.
func TestGraphBesideTheMachineFile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"ring.edges":   "0 1\n1 2\n2 0\n",
		"machine.yaml": "topology: {family: file, path: ring.edges}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := machine.Load(filepath.Join(dir, "machine.yaml")); err != nil {
		t.Error(err)
	}
}
