//go:build !amd64

package delay

// passAll is passPlain: other processors have no vector code.
func (s *treeSweeper) passAll(b *block) bool { return s.passPlain(b) }

// backAll is backPlain, likewise.
func (s *treeSweeper) backAll(b *block) bool { return s.backPlain(b) }
