// Package cli is what the commands of plenum have in common: exit statuses, how files and examples are named, tables,
// and how mistakes in the fields of options become mistakes in flags.
package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/diag"
)

// The exit statuses.
const (
	ExitDone   = 0
	ExitBroken = 1
	ExitInput  = 2
	ExitFault  = 3
)

// A StatusError carries an exit status.
type StatusError struct {
	Status int
	Err    error
}

// Error is the message of the error inside.
func (e *StatusError) Error() string { return e.Err.Error() }

// Unwrap is the error inside.
func (e *StatusError) Unwrap() error { return e.Err }

// InputError marks an error as the user's to mend.
func InputError(err error) error { return &StatusError{ExitInput, err} }

// Inputf makes an error that is the user's to mend.
func Inputf(format string, args ...any) error { return InputError(fmt.Errorf(format, args...)) }

// Brokenf makes an error that says what breaks a design rule, or differs from a plan.
func Brokenf(format string, args ...any) error {
	return &StatusError{ExitBroken, fmt.Errorf(format, args...)}
}

// Usage marks errors about arguments as the user's to mend.
func Usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			if cmd.HasAvailableSubCommands() && len(args) > 0 {
				return UnknownCommand(cmd, args[0])
			}
			return Inputf("%w (see %s --help)", err, cmd.CommandPath())
		}
		return nil
	}
}

// AsInput marks errors about a spec that was not read from a file.
func AsInput(err error) error {
	if errors.As(err, new(diag.FieldErrors)) {
		return InputError(err)
	}
	return err
}

// InputUnlessDiagnosed marks an error as the user's unless its place in a file is
// known.
func InputUnlessDiagnosed(err error) error {
	if errors.As(err, new(diag.List)) {
		return err
	}
	return InputError(err)
}

// Spelled turns mistakes in fields of options into those of the flags that set them;
// a field whose flag is "" has none, and its message says enough. Another error stays
// what it is.
func Spelled(err error, flags map[string]string) error {
	var all diag.FieldErrors
	for _, e := range diag.Fields(err) {
		moved := *e
		for path := e.Path; path != ""; path = diag.Parent(path) {
			if flag, ok := flags[path]; ok {
				moved.Path = flag
				if flag != "" {
					moved.Path = "--" + flag
				}
				break
			}
		}
		all = append(all, &moved)
	}
	if all == nil {
		return err
	}
	return InputError(all)
}
