package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// Pictures are the extensions of files that Picture writes.
var Pictures = []string{".svg", ".png", ".pdf"}

// CheckPicture refuses a file whose extension is not one of Pictures; an empty name is none.
func CheckPicture(file string) error {
	if file == "" || slices.Contains(Pictures, strings.ToLower(filepath.Ext(file))) {
		return nil
	}
	return fmt.Errorf("expected a file whose extension is %s, not %q", strings.Join(Pictures, ", "), file)
}

// Picture writes a drawing in the format of a file's extension, which CheckPicture has accepted.
func Picture(ctx context.Context, c *pen.Canvas, file string) func(io.Writer) error {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".pdf":
		return func(w io.Writer) error { return scene.PDF(ctx, w, c.Scene) }
	case ".svg":
		return func(w io.Writer) error { return scene.SVG(ctx, w, c.Scene) }
	}
	return func(w io.Writer) error { return c.PNG(ctx, w) }
}
