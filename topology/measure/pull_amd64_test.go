package measure

import "testing"

func TestPullAVX2(t *testing.T) {
	if !hasAVX2 {
		t.Skip("the processor has no AVX2")
	}
	checkPull(t, func(s *lines, in, out *arcs) pulled { return pullAVX2(newPullArgs(s, in, out)) })
}

func TestPullAVX512(t *testing.T) {
	if !hasAVX512 {
		t.Skip("the processor has no AVX-512")
	}
	checkPull(t, func(s *lines, in, out *arcs) pulled { return pullAVX512(newPullArgs(s, in, out)) })
}
