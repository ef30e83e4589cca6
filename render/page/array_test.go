package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"testing"

	"pgregory.net/rapid"
)

// TestPackedAnew packs columns one after the other with what packed the one before: each has the bytes that a new
// compressor gives.
func TestPackedAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		few := rapid.SliceOfN(rapid.ByteRange(0, 3), 0, 3000)
		for range rapid.IntRange(1, 6).Draw(t, "columns") {
			raw := rapid.OneOf(few, rapid.SliceOfN(rapid.Byte(), 0, 300)).Draw(t, "raw")
			raw = bytes.Repeat(raw, rapid.SampledFrom([]int{1, 1, 50}).Draw(t, "times"))
			var want bytes.Buffer
			z, err := gzip.NewWriterLevel(&want, gzip.BestSpeed)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = z.Write(raw)
			_ = z.Close()
			if got := packed(raw); string(got) != base64.StdEncoding.EncodeToString(want.Bytes()) {
				t.Fatalf("%d bytes become %s", len(raw), got)
			}
		}
	})
}
