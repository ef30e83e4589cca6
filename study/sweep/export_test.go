package sweep

import "context"

// Row computes a point, for benchmarks.
func (s *Study) Row(ctx context.Context, number int) error {
	_, err := s.row(ctx, number)
	return err
}

// Label is the label of an axis for a column.
func Label(column, currency string) string { return axisLabel(new(Table).title(column, currency)) }
