package sweep

import "context"

// Row computes a point, for benchmarks.
func (s *Study) Row(ctx context.Context, number int) error {
	_, err := s.row(ctx, number)
	return err
}
