//go:build !amd64

package measure

func (s *step) advance() stepped { return s.advancePlain() }

func (s *step) uncovered(rows []int32) int { return s.uncoveredPlain(rows) }
