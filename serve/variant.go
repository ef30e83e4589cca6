package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// variantName is the name of a variant: without a point, so that a file has one name only, and without a separator of
// directories.
var variantName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$`)

// mostVariants is how many variants of a machine are listed.
const mostVariants = 100

// errNoFile is that an example has no file, beside which variants could be.
var errNoFile = errors.New("an example has no file beside which variants are kept: write one with plenum init")

// variantPath is the path of a variant of the machine file: NAME.VARIANT.yaml beside NAME.yaml. The empty name is that
// of the machine file itself.
func (o *Options) variantPath(name string) (string, error) {
	if name == "" {
		return o.Path, nil
	}
	if !variantName.MatchString(name) {
		return "", fmt.Errorf("%q is not the name of a variant: it has 1 to 40 letters, digits, hyphens and "+
			"underscores, and begins with a letter or a digit", name)
	}
	ext := filepath.Ext(o.Path)
	return strings.TrimSuffix(o.Path, ext) + "." + name + ext, nil
}

// Variant is a machine file that stands beside the one that is served, under a name of its own.
type Variant struct {
	Name string `json:"name"` // empty for the machine file itself
	File string `json:"file"` // without its directory
}

// listVariants lists the machine file and its variants, by name. Directories, links and pipes are left out.
func (o *Options) listVariants() ([]Variant, error) {
	out := []Variant{{File: filepath.Base(o.Path)}}
	entries, err := os.ReadDir(filepath.Dir(o.Path))
	if err != nil {
		return nil, err
	}
	ext := filepath.Ext(o.Path)
	stem := strings.TrimSuffix(filepath.Base(o.Path), ext) + "."
	for _, e := range entries {
		name := strings.TrimSuffix(strings.TrimPrefix(e.Name(), stem), ext)
		if e.Name() == stem+name+ext && variantName.MatchString(name) && e.Type().IsRegular() &&
			len(out) <= mostVariants {
			out = append(out, Variant{name, e.Name()})
		}
	}
	return out, nil
}

// read reads the machine file or a variant. The machine file may be a link; a variant may not, so that nothing is read
// or written elsewhere than beside the machine file.
func (o *Options) read(path string) ([]byte, error) {
	if info, err := os.Lstat(path); path != o.Path && err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not an ordinary file", path)
	}
	return readFile(path)
}

// variants answers with the names of the machine file and its variants.
func (s *Server) variants(w http.ResponseWriter, r *http.Request) {
	o := s.current()
	if o.Path == "" || o.Start {
		refuse(w, http.StatusForbidden, errNoFile.Error())
		return
	}
	list, err := onDisk(r.Context(), s, func(context.Context) ([]Variant, error) { return o.listVariants() })
	switch {
	case errors.Is(err, errSlowDisk):
		refuse(w, http.StatusServiceUnavailable, err.Error())
	case err != nil:
		refuse(w, http.StatusInternalServerError, err.Error())
	default:
		answer(w, http.StatusOK, map[string]any{"variants": list})
	}
}

// variant answers with the text of a variant.
func (s *Server) variant(w http.ResponseWriter, r *http.Request) {
	o := s.current()
	if o.Path == "" || o.Start {
		refuse(w, http.StatusForbidden, errNoFile.Error())
		return
	}
	path, err := o.variantPath(r.URL.Query().Get("name"))
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	text, err := onDisk(r.Context(), s, func(context.Context) ([]byte, error) { return o.read(path) })
	switch {
	case errors.Is(err, errSlowDisk):
		refuse(w, http.StatusServiceUnavailable, err.Error())
	case err != nil:
		refuse(w, http.StatusConflict, err.Error())
	default:
		answer(w, http.StatusOK, map[string]string{"text": string(text), "base": baseOf(text)})
	}
}

// duplicate writes a text as a new variant. An existing file is never overwritten.
func (s *Server) duplicate(w http.ResponseWriter, r *http.Request) {
	text, ok := body(w, r)
	if !ok {
		return
	}
	o := s.current()
	if o.Path == "" || o.Start {
		refuse(w, http.StatusForbidden, errNoFile.Error())
		return
	}
	name := r.URL.Query().Get("name")
	path, err := o.variantPath(name)
	if name == "" {
		err = errors.New("a variant needs a name")
	}
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	if !s.readable(w, r, path, text) {
		return
	}
	_, err = onDisk(r.Context(), s, func(ctx context.Context) (any, error) { return nil, outfile.New(ctx, path, text) })
	switch {
	case errors.Is(err, fs.ErrExist):
		refuse(w, http.StatusUnprocessableEntity, path+" exists; use another name")
	case errors.Is(err, errSlowDisk):
		refuse(w, http.StatusServiceUnavailable, path+" is not written: "+err.Error())
	case err != nil:
		refuse(w, http.StatusInternalServerError, path+" is not written: "+err.Error())
	default:
		answer(w, http.StatusOK, map[string]string{"file": filepath.Base(path), "base": baseOf(text)})
	}
}

// rename gives a variant another name. An existing file is never overwritten.
func (s *Server) rename(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("to")
	s.changeVariant(w, r, "renamed", func(o *Options, path string) (string, error) {
		to, err := o.variantPath(name)
		if name == "" {
			err = errors.New("a variant needs a name")
		}
		if err != nil {
			return "", unfit{err}
		}
		if err = outfile.Rename(path, to); errors.Is(err, fs.ErrExist) {
			return "", unfit{errors.New(to + " exists; use another name")}
		}
		return filepath.Base(to), err
	})
}

// deleteVariant removes the file of a variant.
func (s *Server) deleteVariant(w http.ResponseWriter, r *http.Request) {
	s.changeVariant(w, r, "deleted", func(_ *Options, path string) (string, error) { return "", os.Remove(path) })
}

// unfit is that a request names what cannot be.
type unfit struct{ error }

// changeVariant changes the file of a variant, not that of the machine, if it is as the page knows it. It answers with
// the name that the file has then.
func (s *Server) changeVariant(
	w http.ResponseWriter, r *http.Request, what string, change func(*Options, string) (string, error),
) {
	o := s.current()
	if o.Path == "" || o.Start {
		refuse(w, http.StatusForbidden, errNoFile.Error())
		return
	}
	name := r.URL.Query().Get("name")
	path, err := o.variantPath(name)
	if name == "" {
		err = fmt.Errorf("the machine file itself cannot be %s here", what)
	}
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	base := r.Header.Get(baseHeader)
	file, err := onDisk(r.Context(), s, func(ctx context.Context) (string, error) {
		old, err := o.read(path)
		if err != nil {
			return "", conflict{err}
		}
		if baseOf(old) != base {
			return "", conflict{fmt.Errorf("%s was changed by others since it was opened here", path)}
		}
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return change(&o, path)
	})
	switch why := path + " is not " + what + ": "; {
	case errors.As(err, new(unfit)):
		refuse(w, http.StatusUnprocessableEntity, err.Error())
	case errors.As(err, new(conflict)):
		refuse(w, http.StatusConflict, why+err.Error())
	case errors.Is(err, errSlowDisk):
		refuse(w, http.StatusServiceUnavailable, why+err.Error())
	case err != nil:
		refuse(w, http.StatusInternalServerError, why+err.Error())
	default:
		answer(w, http.StatusOK, map[string]string{"file": file})
	}
}

// compared is two machines whose figures are compared.
type compared struct {
	A string `json:"a"` // the text of a machine file
	B string `json:"b"` // the text of another one
	// Floors asks for the pictures of both from above.
	Floors bool `json:"floors"`
}

// Figure is a row of the table of differences between two variants.
type Figure struct {
	Heading bool   `json:"heading"` // a heading, without figures
	Name    string `json:"name"`
	Unit    string `json:"unit"` // may be empty
	A       string `json:"a"`    // for people; a dash for none
	B       string `json:"b"`
	// Difference is what the second has more than the first, and its share of the first: empty where one of the two
	// is not a number, and where they are equal.
	Difference string `json:"difference"`
	Share      string `json:"share"`
	Differs    bool   `json:"differs"`
	Main       bool   `json:"main"` // it is shown where it does not differ, too
}

// compare answers with the table of differences between two texts: the figures are those of plenum compare.
func (s *Server) compare(w http.ResponseWriter, r *http.Request) {
	text, ok := body(w, r)
	if !ok {
		return
	}
	var c compared
	if err := json.Unmarshal(text, &c); err != nil {
		refuse(w, http.StatusBadRequest, "the two texts came incomplete")
		return
	}
	name := s.current().Name
	of := askerOf(r)
	if of.page != "" {
		of.page += " compare"
	}
	both, err := inTurn(r.Context(), &s.plans, of, func(ctx context.Context, _ *machine.Planner) (any, error) {
		var machines []machine.Candidate
		for i, text := range []string{c.A, c.B} {
			spec, err := machine.Parse(name, []byte(text))
			if err != nil {
				return nil, faultOf{i, err}
			}
			machines = append(machines, machine.Candidate{File: string(rune('A' + i)), Spec: spec})
		}
		var opt machine.CompareOptions
		if c.Floors {
			opt.Floor = render.FloorOf(ctx)
		}
		out, err := machine.Compare(ctx, machines, opt)
		if err != nil {
			return nil, err
		}
		for i := range out.Machines { // both have one name mostly
			out.Machines[i].Machine = machines[i].File
		}
		rows := append(render.ProductRows(out), render.CompareRows(out)...)
		floors := [][]byte{} // which a JSON document has in base64, as addresses of data have
		for i := range out.Machines {
			if floor := out.Machines[i].Floor; c.Floors {
				floors = append(floors, floor)
			}
		}
		return map[string]any{
			"figures": figuresOf(rows), "notes": append([]string{}, render.CompareNotes(out)...), "floors": floors,
		}, nil
	})
	switch why, status := planFailure(err); {
	case status != 0:
		refuse(w, status, why)
	case err != nil:
		why := firstMessage(err)
		if f := (faultOf{}); errors.As(err, &f) {
			why = fmt.Sprintf("%c has mistakes: %s", 'A'+f.which, why)
		}
		answer(w, http.StatusUnprocessableEntity, failure{why, messagesOf(name, err)})
	default:
		answer(w, http.StatusOK, both)
	}
}

// faultOf is the mistakes in one of two texts.
type faultOf struct {
	which int
	error
}

func (f faultOf) Error() string {
	return fmt.Sprintf("%c has mistakes: %v", 'A'+f.which, firstMessage(f.error))
}
func (f faultOf) Unwrap() error { return f.error }

// mainFigures are the figures that are shown where they do not differ, too; of each fabric where there are several.
var mainFigures = []string{
	"racks", "cables", "cable", "longest cable", "cost", "power", "own delay, mean", "mean delay",
	"violations of design rules, errors", "violations of design rules, warnings",
}

// figuresOf are the rows of a comparison of two machines.
func figuresOf(rows []render.CompareRow) []Figure {
	out, currency := []Figure{}, render.CommonCurrency(rows)
	for i := range rows {
		r := &rows[i]
		f := Figure{Heading: r.Values == nil, Name: r.Figure, Unit: r.UnitWith(currency)}
		if r.Values != nil {
			f.A, f.B, f.Difference, f.Share = r.Text(0), r.Text(1), r.Difference(1, 0), r.Against(1, 0)
			f.Differs = f.A != f.B
			_, of, fabric := strings.Cut(r.Figure, ": ")
			f.Main = slices.Contains(mainFigures, r.Figure) || fabric && slices.Contains(mainFigures, of)
		}
		out = append(out, f)
	}
	return out
}
