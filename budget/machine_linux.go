package budget

import (
	"math"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"
)

// Machine returns the memory that this process may use, in bytes: the minimum of the machine's memory, the limits of
// its control groups, and its limit of address space (RLIMIT_AS); 0 if it is not known.
func Machine() int64 {
	var limit int64 = math.MaxInt64
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		limit = min(limit, parseMemTotal(string(text)))
	}
	groups, _ := os.ReadFile("/proc/self/cgroup")
	for _, file := range groupFiles(string(groups)) {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		// Version 2 writes "max" for no limit.
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 {
			limit = min(limit, n)
		}
	}
	var addresses syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &addresses) == nil && addresses.Cur < math.MaxInt64 {
		limit = min(limit, int64(addresses.Cur))
	}
	if limit == math.MaxInt64 {
		return 0
	}
	return limit
}

// parseMemTotal returns the memory of the machine in bytes (MemTotal, which includes memory in use), given the text of
// /proc/meminfo; math.MaxInt64 if it is not there.
func parseMemTotal(meminfo string) int64 {
	for line := range strings.Lines(meminfo) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] != "MemTotal:" {
			continue
		}
		if n, err := strconv.ParseInt(fields[1], 10, 64); err == nil && n > 0 && n < 1<<50 {
			return n << 10
		}
	}
	return math.MaxInt64
}

// groupFiles lists the files with the memory limits of the control groups of a process and of all parents of these
// groups, given the text of /proc/self/cgroup: memory.max of version 2, memory.limit_in_bytes of version 1. Some may
// not exist.
func groupFiles(groups string) []string {
	var out []string
	for line := range strings.Lines(groups) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		root, file := "/sys/fs/cgroup", "memory.max"
		if parts[1] == "memory" {
			root, file = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
		} else if parts[1] != "" {
			continue
		}
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
			out = append(out, path.Join(root, group, file))
			if group == "/" {
				break
			}
		}
	}
	return out
}
