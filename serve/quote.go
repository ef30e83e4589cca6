package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"regexp"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
)

// quoteName is the name of the file of a quote: without a separator of directories.
var quoteName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._-]{0,79}\.(csv|tsv|xlsx)$`)

// quote writes a supplier's quote beside the machine file. It has to be one by which the machine of the text can be
// priced: each of its parts is in the catalog or in the text. An existing file is never overwritten; the same file may
// be sent again.
func (s *Server) quote(w http.ResponseWriter, r *http.Request) {
	fields, files, err := readForm(r)
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		refuse(w, tooLarge().status, fmt.Sprintf("the file is larger than %d MiB", maxBody>>20))
		return
	case err != nil:
		refuse(w, http.StatusBadRequest, err.Error())
		return
	case len(files) != 1:
		refuse(w, http.StatusBadRequest, "the form has to have one file")
		return
	}
	o := s.current()
	if o.Path == "" || o.Start {
		refuse(w, http.StatusForbidden,
			"an example has no file beside which quotes are kept: write one with plenum init")
		return
	}
	name, data := files[0].name, files[0].data
	if !quoteName.MatchString(name) {
		refuse(w, http.StatusUnprocessableEntity, fmt.Sprintf("%q is not the name of a quote: it has letters, digits, "+
			"spaces, points, hyphens and underscores, and ends in .csv, .tsv or .xlsx", name))
		return
	}
	offer, err := checkQuote(o.Name, []byte(fields["text"]), name, data)
	if err != nil {
		answer(w, http.StatusUnprocessableEntity, failure{quoteMistakes(name, err), messagesOf(o.Name, err)})
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
		answer(w, http.StatusOK, map[string]string{"file": name, "note": noteSuppliers(offer)})
	}
}

// noteSuppliers says how many lines of a quote are from nobody; "" where all name their supplier.
func noteSuppliers(offer *catalog.Offer) string {
	without := 0
	for i := range offer.Lines {
		if offer.Lines[i].Order.Supplier == "" {
			without++
		}
	}
	if without == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s name no supplier, in a column supplier, so orders do not either",
		english.Count(without, "line"), english.Grouped(int64(len(offer.Lines))))
}

// checkQuote reads a quote of a machine file. The error says what is wrong in it: rows that cannot be read, and parts
// that neither the catalog nor the machine file has.
func checkQuote(machineName string, text []byte, name string, data []byte) (*catalog.Offer, error) {
	m, err := machine.Parse(machineName, text)
	if err != nil {
		return nil, errors.New("the machine file has mistakes, so that its parts are not known\nmend them first")
	}
	offer, err := catalog.ReadOffer(name, data)
	if offer == nil {
		return nil, err
	}
	var wrong diag.List
	if err != nil && !errors.As(err, &wrong) {
		return nil, err
	}
	unknown, err := machine.CheckOffer(m, offer)
	if err != nil {
		return nil, err
	}
	for _, d := range unknown {
		wrong.Add(d)
	}
	wrong.Sort()
	return offer, wrong.Err()
}

// quoteMistakes says in a sentence why a quote is not taken.
func quoteMistakes(name string, err error) string {
	var list diag.List
	if errors.As(err, &list) && len(list) > 1 {
		return fmt.Sprintf("%s has %s, of which none is written", name, english.Count(len(list), "mistake"))
	}
	return firstMessage(err)
}
