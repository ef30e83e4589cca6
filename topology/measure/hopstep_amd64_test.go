package measure

import "testing"

func TestStepAVX2(t *testing.T) {
	if !hasAVX2 {
		t.Skip("the processor has no AVX2")
	}
	checkStep(t, func(s *step) stepped {
		if s.begin >= s.end {
			return stepped{}
		}
		return advanceAVX2(s.args(nil))
	}, func(s *step, rows []int32) int {
		if s.begin >= s.end {
			return 0
		}
		return uncoveredAVX2(s.args(rows))
	})
}
