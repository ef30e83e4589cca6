package sweep

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
)

// Status is how far a study is.
type Status struct {
	Name   string `json:"name"`   // that of the sweep file
	Points int    `json:"points"` // all that there are, every repeat for itself
	Shards int    `json:"shards"` // files that the results are in
	// PointsDone is the points in the shards that are finished.
	PointsDone int `json:"points_done"`
	ShardsDone int `json:"shards_done"` // shards that are finished
	// Failed is the points that have a reason in place of some or all figures.
	Failed int `json:"failed"`
	// Files is the tables that were merged; empty before all shards are finished.
	Files []string `json:"files"`
}

// Status reads the shards that are there. A file that ends inside a row is a *DamagedError.
func (d *Dir) Status() (*Status, error) {
	done, err := d.DoneShards()
	if err != nil {
		return nil, err
	}
	s := &Status{Name: d.Name, Points: d.Points, Shards: d.Shards, ShardsDone: len(done)}
	for _, shard := range done {
		first, end := d.span(shard)
		s.PointsDone += end - first
		f, err := os.Open(d.shardPath(shard))
		if err != nil {
			return nil, err
		}
		err = lines(f, func(line []byte) error {
			if bytes.Contains(line, failure) {
				s.Failed++
			}
			return nil
		})
		f.Close()
		if err != nil {
			return nil, &DamagedError{d.shardPath(shard), err}
		}
	}
	for _, name := range []string{CSVName, ParquetName, SummaryCSVName, SummaryParquetName} {
		path := d.tablePath(name)
		if _, err := os.Stat(path); err == nil {
			s.Files = append(s.Files, path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return s, nil
}

// failure is in the line of a row with a reason, and in no other: within a text its quotes have backslashes.
var failure = []byte(`,"error":"`)
