package main

import (
	"strings"
	"testing"
)

// TestCompletionsAreOfCommands finds every command and flag that is completed: a name of none would be forgotten.
func TestCompletionsAreOfCommands(t *testing.T) {
	root := newRoot()
	for path := range completedArgs {
		if cmd, _, err := root.Find(strings.Fields(path)[1:]); err != nil || cmd.CommandPath() != path {
			t.Errorf("there is no command %s", path)
		}
	}
	for path, flags := range completedFlags {
		if path == "" {
			continue
		}
		cmd, _, err := root.Find(strings.Fields(path)[1:])
		if err != nil || cmd.CommandPath() != path {
			t.Errorf("there is no command %s", path)
			continue
		}
		for flag, words := range flags {
			if cmd.Flags().Lookup(flag) == nil || len(words()) == 0 {
				t.Errorf("%s has no flag --%s, or no words for it", path, flag)
			}
		}
	}
}
