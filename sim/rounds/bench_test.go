package rounds

import "testing"

// BenchmarkMillion is the dense run of a million nodes. Beside messages x hops
// a second, it gives the bytes of memory that a hop must move at the least: the
// arrays of a message are read and written once for each hop above level 1, and
// the rounds and the last digit once for each call of A(1).
func BenchmarkMillion(b *testing.B) {
	hops := 0.0
	for b.Loop() {
		r := mustRun(b, Options{Topology: clex(32, 4), Load: 28, Seed: 1})
		hops += r.Hops * float64(r.Messages)
	}
	b.ReportMetric(hops/b.Elapsed().Seconds(), "hops/s")
}

// BenchmarkStreamCopy is the memory bandwidth of one core, or with -cpu and
// several goroutines of more: bytes copied a second, each read once and written
// once.
func BenchmarkStreamCopy(b *testing.B) {
	const size = 256 << 20
	b.SetBytes(size)
	b.RunParallel(func(pb *testing.PB) {
		from, to := make([]uint64, size/8), make([]uint64, size/8)
		for i := range from {
			from[i] = uint64(i)
		}
		for pb.Next() {
			copy(to, from)
		}
	})
}
