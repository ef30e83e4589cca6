package cli

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// TestHeard: work that hears no interrupt is given up, a fault of it is reported, and what it returns is handed on.
func TestHeard(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	if err := Heard(ctx, func() error { return errors.ErrUnsupported }); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
	err := Heard(ctx, func() error { panic("odd") })
	if err == nil || !strings.Contains(err.Error(), "panic: odd") || Status(err) != ExitFault {
		t.Errorf("%v ends with %d", err, Status(err))
	}
	cancel()
	deaf := make(chan struct{})
	defer close(deaf)
	if err := Heard(ctx, func() error { <-deaf; return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := Heard(ctx, func() error { return errors.ErrUnsupported }); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v, where the work ended in time", err)
	}
}
