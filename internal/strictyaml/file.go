package strictyaml

import (
	"fmt"
	"io"
	"os"

	"github.com/plenum-planner/plenum/internal/infile"
)

// ReadFile reads a file of at most MaxFile bytes. The error is an *os.PathError.
func ReadFile(path string) ([]byte, error) {
	f, err := infile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxFile {
		return nil, &os.PathError{Op: "read", Path: path, Err: fmt.Errorf("more than %d MB", MaxFile>>20)}
	}
	return data, nil
}
