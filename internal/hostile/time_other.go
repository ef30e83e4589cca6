//go:build !unix

package hostile

import "time"

// processorTime is not known here: no case takes any.
func processorTime() time.Duration { return 0 }
