package main

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
)

// sample returns some of the things that a test could try, in their order: others in every run, or those of RAPID_SEED.
func sample[T any](t *testing.T, all []T, n int) []T {
	seed, err := strconv.ParseUint(os.Getenv("RAPID_SEED"), 10, 64)
	if err != nil {
		seed = rand.Uint64()
	}
	t.Logf("drawn with RAPID_SEED=%d", seed)
	name := fnv.New64()
	_, _ = name.Write([]byte(t.Name()))
	order := rand.New(rand.NewPCG(seed, name.Sum64())).Perm(len(all))[:min(n, len(all))]
	slices.Sort(order)
	var out []T
	for _, i := range order {
		out = append(out, all[i])
	}
	return out
}
