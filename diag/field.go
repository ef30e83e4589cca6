package diag

import (
	"fmt"
	"strings"
	"unicode"
)

// FieldError is a mistake in a field of a value that was not read from a file, or whose place in the file is added
// later. The package that makes it names the fields of its own types.
type FieldError struct {
	Subject    string // the object that has the field, in words: part "x"; may be empty
	Path       string // of the field: rows, cable.lengths[2]
	Message    string
	Suggestion string // what to do about it; may be empty
	OfKey      bool   // the last key of Path is wrong, and not its value
}

// Fieldf returns a FieldError, of a key if the path is one of OfKey. The text after the first line break of the message
// is the suggestion.
func Fieldf(path, format string, args ...any) *FieldError {
	path, ofKey := strings.CutSuffix(path, keyMark)
	message, suggestion, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	return &FieldError{Path: path, Message: message, Suggestion: suggestion, OfKey: ofKey}
}

// Error returns "subject: path: message; suggestion".
func (e *FieldError) Error() string {
	return advise(join(e.Subject, e.Path, e.Message), e.Suggestion)
}

// FieldErrors are an error with every mistake of a value, in the order in which
// they were found.
type FieldErrors []*FieldError

// Add appends a FieldError that Fieldf makes.
func (all *FieldErrors) Add(path, format string, args ...any) {
	*all = append(*all, Fieldf(path, format, args...))
}

// Err returns the mistakes, nil if there are none.
func (all FieldErrors) Err() error {
	if len(all) == 0 {
		return nil
	}
	return all
}

// Error returns the mistakes, one on each line; of many that differ only in names and numbers, only the first ones.
func (all FieldErrors) Error() string {
	return summary(len(all), func(i int) string { return all[i].Message }, func(i int) string { return all[i].Error() })
}

// Unwrap lets errors.As find each of them.
func (all FieldErrors) Unwrap() []error {
	errs := make([]error, len(all))
	for i, e := range all {
		errs[i] = e
	}
	return errs
}

// Fields returns the FieldErrors among all errors that err joins or wraps, in order.
func Fields(err error) FieldErrors {
	switch e := err.(type) {
	case *FieldError:
		return FieldErrors{e}
	case interface{ Unwrap() []error }:
		var all FieldErrors
		for _, one := range e.Unwrap() {
			all = append(all, Fields(one)...)
		}
		return all
	case interface{ Unwrap() error }:
		return Fields(e.Unwrap())
	}
	return nil
}

// Under returns the FieldErrors of err with path before their own paths. An err without FieldErrors becomes one
// FieldError at path.
func Under(path string, err error) error {
	var all FieldErrors
	for _, e := range Fields(err) {
		moved := *e
		moved.Path = Join(path, e.Path)
		all = append(all, &moved)
	}
	if all == nil && err != nil {
		all.Add(path, "%v", err)
	}
	return all.Err()
}

// The notation of paths: room.columns[2].x, prices.unit["dac@3 m"].

// Key returns the path of a key in the mapping at path.
func Key(path, key string) string {
	plain := func(r rune) bool { return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return !plain(r) }) {
		return fmt.Sprintf("%s[%q]", path, key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// OfKey returns the path of a key in the mapping at path for Fieldf, where the key itself is wrong: a name that nothing
// has.
func OfKey(path, key string) string { return Key(path, key) + keyMark }

// keyMark ends the paths of OfKey. No path has it elsewhere.
const keyMark = "\x00"

// Elem returns the path of element i of the list at path.
func Elem(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// Join returns the path below, which starts at the value at path, as a path from the root.
func Join(path, below string) string {
	if path == "" || below == "" || below[0] == '[' {
		return path + below
	}
	return path + "." + below
}

// Below returns a path as one that starts at the value at path above, and whether it is of that value or one in it.
func Below(above, path string) (below string, ok bool) {
	below, ok = strings.CutPrefix(path, above)
	if above == "" || below == "" {
		return below, ok
	}
	return strings.TrimPrefix(below, "."), ok && strings.ContainsRune(".[", rune(below[0]))
}

// Within reports whether a path is one of a list, or of a value in one of these.
func Within(path string, list []string) bool {
	for _, above := range list {
		if _, ok := Below(above, path); ok {
			return true
		}
	}
	return false
}

// Parent returns a path up to its last separator. If that separator is within a quoted key, the result is not the path
// of any value; callers then find nothing at it.
func Parent(path string) string { return path[:max(0, strings.LastIndexAny(path, ".["))] }
