package budget

import (
	"slices"
	"testing"
)

func TestMachine(t *testing.T) {
	if got := parseMemTotal("MemFree: 1 kB\nMemTotal:       2048 kB\n"); got != 2<<20 {
		t.Errorf("the machine has %d bytes", got)
	}
	want := []string{
		"/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.limit_in_bytes",
		"/sys/fs/cgroup/user/one/memory.max", "/sys/fs/cgroup/user/memory.max", "/sys/fs/cgroup/memory.max",
	}
	if got := groupFiles("4:memory:/job\n3:cpu:/x\n0::/user/one\nnonsense\n"); !slices.Equal(got, want) {
		t.Errorf("limits are read from %q", got)
	}
	if Machine() < 64e6 {
		t.Errorf("this machine has %d bytes", Machine())
	}
}
