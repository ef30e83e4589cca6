// Package plans tests the command on machines that are planned.
package plans

import (
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/scripttest"
)

func TestMain(m *testing.M) { scripttest.Main(m) }

func TestScripts(t *testing.T) { scripttest.Run(t, "script/plans", nil) }
