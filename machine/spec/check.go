package spec

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// Reporter records a mistake in the value at a path of the machine file; see diag.Fieldf.
type Reporter = func(path, format string, args ...any)

// Check finds the mistakes that show without parts and topology.
func (s *Spec) Check(report Reporter) {
	s.checkFabrics(report)
	s.checkPackaging(report)
	s.checkRacks(report)
	s.checkTemplates(report)
	s.checkRoom(report)
	s.checkPlausible(report)
	s.checkParts(report)
	s.checkCabling(report)
	s.checkStructured(report)
	s.checkNames(report)
	s.Delay.check(report, "delay")
	s.checkPrices(report)
	s.checkPowerBasis(report)
	s.checkStock(report)
	s.checkOwned(report)
	s.checkObjective(report)
	s.checkRules(report)
	s.checkOperation(report)
	s.checkTitleBlock(report)
	for _, level := range slices.Sorted(maps.Keys(s.Embedding.Blocks)) {
		s.checkLevel(report, diag.Key("embedding.blocks", level), level)
	}
	if f := s.Embedding.Fold; !f.All() && !f.None() {
		for i, name := range f {
			if dimension(name) < 0 {
				report(diag.Elem("embedding.fold", i), "%q is not true, false or a dimension\nwrite dim1 for the first",
					name)
			}
		}
	}
}

// dimension is the number from 0 of a dimension called dim1, dim2, ..., -1 of
// anything else.
func dimension(name string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(name, "dim"))
	if err != nil || name != "dim"+strconv.Itoa(n) || n < 1 {
		return -1
	}
	return n - 1
}

// checkAxes checks a grid: up to three axes, with one pitch for all or one for each.
func checkAxes[T Pitch | units.Length](report Reporter, grid, pitch string, axes int, pitches []T) {
	if axes > 3 {
		report(grid, "%d numbers for three axes", axes)
	}
	if n := len(pitches); n > 1 && n != axes {
		report(pitch, "%d distances for %d axes\ngive one for all or one for each", n, axes)
	}
	for i, p := range pitches {
		if p == 0 {
			report(diag.Elem(pitch, i), "the distance is zero")
		}
	}
}

// ascending checks that a list of numbers rises.
func ascending[T int | units.Length](report Reporter, path string, list []T) {
	for i := 1; i < len(list); i++ {
		if list[i] <= list[i-1] {
			report(diag.Elem(path, i), "%v comes after %v\nlist them in ascending order, each once", list[i], list[i-1])
		}
	}
}

// Most boxes in a chassis.
const maxCells = 1 << 20

// cells multiplies the numbers of a grid, up to a little over maxCells.
func cells(grid []int) int {
	n := 1
	for _, c := range grid {
		n *= min(c, maxCells+1)
		if n > maxCells {
			return maxCells + 1
		}
	}
	return n
}

// layoutLevels names the containers that a rule or block may speak of,
// outermost first.
func (s *Spec) layoutLevels() []string {
	levels := []string{"hall", "row", "rack"}
	if len(s.Room.Containers) > 0 {
		levels = nil
		for _, c := range s.Room.Containers {
			levels = append(levels, c.Name)
		}
		return levels
	}
	return append(levels, slices.Sorted(maps.Keys(s.Packaging.Chassis))...)
}

func (s *Spec) checkLevel(report Reporter, path, level string) {
	if levels := s.layoutLevels(); level != "" && !slices.Contains(levels, level) {
		report(path, "the layout has no level %q\n%s", level, diag.Suggest(level, levels, "it is one of "))
	}
}

// mediumWords are the words for one or several media of cables.
func mediumWords() []string {
	return append(words(catalog.Media), slices.Sorted(maps.Keys(catalog.MediumAliases))...)
}
