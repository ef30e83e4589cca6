//go:build !amd64

package delay

func (s *treeSweeper) passAll(b *block) bool { return s.passPlain(b) }

func (s *treeSweeper) backAll(b *block) bool { return s.backPlain(b) }
