package sweep

import "context"

// Row computes a point, for benchmarks.
func (s *Study) Row(ctx context.Context, number int) error {
	_, err := s.row(ctx, number)
	return err
}

// Label is the label of an axis for a column.
func Label(column, currency string) string { return axisLabel(new(Table).title(column, currency)) }

// Rows calls do for every row of a shard.
func Rows(d *Dir, shard int, do func() error) error {
	return d.rows(shard, func(row) error { return do() })
}
