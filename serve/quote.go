package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"regexp"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/outfile"
)

// quoteName is the name of the file of a quote: without a separator of directories.
var quoteName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._-]{0,79}\.(csv|tsv|xlsx)$`)

// quote writes a supplier's quote beside the machine file. It has to be one that can be read. An existing file is never
// overwritten; the same file may be sent again.
func (s *Server) quote(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		refuse(w, tooLarge().status, fmt.Sprintf("the file is larger than %d MiB", maxBody>>20))
		return
	case err != nil:
		refuse(w, http.StatusBadRequest, "the file came incomplete")
		return
	}
	o, name := s.current(), r.URL.Query().Get("name")
	if o.Path == "" || o.Start {
		refuse(w, http.StatusForbidden,
			"an example has no file beside which quotes are kept: write one with plenum init")
		return
	}
	if !quoteName.MatchString(name) {
		refuse(w, http.StatusUnprocessableEntity, fmt.Sprintf("%q is not the name of a quote: it has letters, digits, "+
			"spaces, points, hyphens and underscores, and ends in .csv, .tsv or .xlsx", name))
		return
	}
	if _, err := catalog.ReadOffer(name, data); err != nil {
		answer(w, http.StatusUnprocessableEntity, failure{firstMessage(err), messagesOf(o.Name, err)})
		return
	}
	path := filepath.Join(filepath.Dir(o.Path), name)
	_, err = onDisk(r.Context(), s, func(ctx context.Context) (any, error) {
		err := outfile.New(ctx, path, data)
		if errors.Is(err, fs.ErrExist) {
			if old, readErr := o.read(path); readErr == nil && bytes.Equal(old, data) {
				return nil, nil
			}
		}
		return nil, err
	})
	switch {
	case errors.Is(err, fs.ErrExist):
		refuse(w, http.StatusUnprocessableEntity, path+" exists and says something else; give the file another name")
	case errors.Is(err, errSlowDisk):
		refuse(w, http.StatusServiceUnavailable, path+" is not written: "+err.Error())
	case err != nil:
		refuse(w, http.StatusInternalServerError, path+" is not written: "+err.Error())
	default:
		answer(w, http.StatusOK, map[string]string{"file": name})
	}
}
