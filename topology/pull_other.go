//go:build !amd64

package topology

func pull(s *lines, in, out *arcs) pulled { return pullPlain(s, in, out) }
