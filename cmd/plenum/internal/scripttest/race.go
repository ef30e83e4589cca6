//go:build race

package scripttest

func init() { buildFlags = []string{"-race"} }
