package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed" // the editor
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render/page"
)

//go:embed assets/editor.js
var editorScript string

//go:embed assets/complete.js
var completeScript string

//go:embed assets/move.js
var moveScript string

//go:embed assets/copybox.js
var copyBoxScript string

//go:embed assets/build.js
var buildScript string

//go:embed assets/boxes.js
var boxesScript string

//go:embed assets/parts.js
var partsScript string

//go:embed assets/variants.js
var variantsScript string

//go:embed assets/editor.css
var editorStyle string

// Message is a mistake in the machine file. Lines and columns count from 1, columns in characters; 0 is not known.
type Message struct {
	// File is set where the mistake is in another file, which the machine file names.
	File       string        `json:"file"`
	Line       int           `json:"line"`   // of the machine file
	Column     int           `json:"column"` // where it begins
	Length     int           `json:"length"` // characters from the column on that are meant
	Path       string        `json:"path"`   // of the value, such as room.rows
	Message    string        `json:"message"`
	Suggestion string        `json:"suggestion"` // what to do about it; may be empty
	Severity   diag.Severity `json:"severity"`   // `error` or `warning`
}

// failure says why a request was not done.
type failure struct {
	Error    string    `json:"error"`    // one sentence
	Messages []Message `json:"messages"` // the mistakes in the text, if they are why
}

// reply is a plan, or the mistakes for which there is none.
type reply struct {
	Data     *page.Data `json:"data"` // null with mistakes
	Messages []Message  `json:"messages"`
	Took     float64    `json:"took_ms"` // waiting for an older plan to end, planning, and making the data
}

// opened is what the editor starts from.
type opened struct {
	Name     string    `json:"name"`     // of the file, without its directory
	Text     string    `json:"text"`     // what is on disk
	Base     string    `json:"base"`     // its sum, by which changes of others are found
	Savable  bool      `json:"savable"`  // false of an example
	Messages []Message `json:"messages"` // the mistakes for which there is no plan
	Token    string    `json:"token"`    // that requests have to have
}

// baseHeader has the base from which a text that is saved was made.
const baseHeader = "Plenum-Base"

// pageHeader has a name that a page gives itself, so that its own plans only are superseded.
const pageHeader = "Plenum-Page"

// orderHeader has how many requests a page had made before.
const orderHeader = "Plenum-Order"

// baseOf tells texts apart.
func baseOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// errSlowDisk is that a file has not been read or written in time.
var errSlowDisk = errors.New("the file system has not answered in time; is the file on a network share that hangs?")

// onDisk reads or writes files, one call at a time. What hangs is left behind after diskTime, and keeps others out only
// until they have waited as long.
func onDisk[T any](ctx context.Context, s *Server, do func(context.Context) (T, error)) (none T, err error) {
	ctx, done := context.WithTimeoutCause(ctx, s.diskTime, errSlowDisk)
	defer done()
	select {
	case s.disk <- struct{}{}:
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
	out, _, err := callBounded(ctx, 0, func(ctx context.Context) (T, error) {
		defer func() { <-s.disk }()
		return do(ctx)
	})
	return out, err
}

// read reads the machine file.
func (s *Server) read(ctx context.Context) ([]byte, error) {
	if s.current().Path == "" {
		return s.current().Text, nil
	}
	return onDisk(ctx, s, func(context.Context) ([]byte, error) { return readFile(s.current().Path) })
}

// readFile reads a machine file, if it is an ordinary one: others, such as pipes, may have no end.
func readFile(path string) ([]byte, error) {
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not an ordinary file any more", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxBody+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxBody:
		return nil, fmt.Errorf("%s: the file is larger than %d MiB", path, maxBody>>20)
	case !utf8.Valid(text):
		return nil, fmt.Errorf("%s: the file is not UTF-8 text", path)
	}
	return text, nil
}

// page answers with the page of what is on disk.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	if s.current().Start {
		s.start(w)
		return
	}
	text, err := s.read(r.Context())
	if err != nil {
		refusePage(w, http.StatusConflict, err.Error())
		return
	}
	data, err := s.plans.plan(r.Context(), asker{}, s.current().Name, text)
	messages := messagesOf(s.current().Name, err)
	start, err := json.Marshal(opened{
		Name: filepath.Base(s.current().Name), Text: string(text), Base: baseOf(text), Savable: s.current().Path != "",
		Messages: messages, Token: s.token,
	})
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	var b bytes.Buffer
	script := "\nwindow.plenumServed = " + string(start) + ";\n" + completeScript + moveScript + copyBoxScript +
		boxesScript + buildScript + partsScript + variantsScript + editorScript
	err = page.HTML(&b, data, page.Options{Scripts: []string{script}, Styles: []string{editorStyle}, Connect: true})
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	limitAnswer(w)
	_, _ = w.Write(b.Bytes()) // whoever asked is gone if it fails
}

// schema answers with the JSON schema of machine files.
func (s *Server) schema(w http.ResponseWriter, _ *http.Request) {
	text, err := spec.Schema()
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/schema+json")
	limitAnswer(w)
	_, _ = w.Write(text)
}

// body is the text of a request; false if it was refused.
func body(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	text, err := io.ReadAll(r.Body)
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		refuse(w, tooLarge().status, tooLarge().why)
	case err != nil:
		refuse(w, http.StatusBadRequest, "the text came incomplete")
	case !utf8.Valid(text):
		refuse(w, http.StatusBadRequest, "the text is not UTF-8")
	default:
		return text, true
	}
	return nil, false
}

// plan plans a text.
func (s *Server) plan(w http.ResponseWriter, r *http.Request) {
	text, ok := body(w, r)
	if !ok {
		return
	}
	start := time.Now()
	data, err := s.plans.plan(r.Context(), askerOf(r), s.current().Name, text)
	if why, status := planFailure(err); status != 0 {
		refuse(w, status, why)
		return
	}
	took := float64(time.Since(start).Microseconds()) / 1e3
	answer(w, http.StatusOK, reply{data, messagesOf(s.current().Name, err), took})
}

// planFailure says why a plan was not made to its end, and with which status that is answered: 0 where it was.
func planFailure(err error) (why string, status int) {
	switch {
	case errors.Is(err, errSuperseded):
		return err.Error(), http.StatusConflict
	case errors.Is(err, context.Canceled):
		return "the plan was ended", http.StatusServiceUnavailable
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("the plan took longer than %v", longest), http.StatusServiceUnavailable
	}
	return "", 0
}

// mostChanges bounds the changes of one act.
const mostChanges = 64

// edit answers with a text in which values are others: of every path and value of the query, in their order.
func (s *Server) edit(w http.ResponseWriter, r *http.Request) {
	text, ok := body(w, r)
	if !ok {
		return
	}
	q := r.URL.Query()
	paths, values := q["path"], q["value"]
	if len(paths) != len(values) || len(paths) == 0 || len(paths) > mostChanges {
		refuse(w, http.StatusBadRequest, "the query has a path and a value for each of 1 to 64 changes")
		return
	}
	for i, path := range paths {
		var err error
		if text, err = change(text, path, values[i]); err != nil {
			refuse(w, http.StatusUnprocessableEntity, err.Error())
			return
		}
	}
	answer(w, http.StatusOK, map[string]string{"text": string(text)})
}

// save writes a text over the file, or over that of a variant.
func (s *Server) save(w http.ResponseWriter, r *http.Request) {
	text, ok := body(w, r)
	if !ok {
		return
	}
	o := s.current()
	if o.Path == "" || o.Start {
		refuse(w, http.StatusForbidden, o.Name+" is an example, which has no file: write one with plenum init")
		return
	}
	path, err := o.variantPath(r.URL.Query().Get("variant"))
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	if !s.readable(w, r, path, text) {
		return
	}
	base, err := onDisk(r.Context(), s, func(ctx context.Context) (string, error) {
		old, err := o.read(path)
		if err != nil {
			return "", conflict{err}
		}
		if baseOf(old) != r.Header.Get(baseHeader) {
			return "", conflict{fmt.Errorf("%s was changed by others since it was opened here: copy your text, and "+
				"open the page anew", path)}
		}
		text := likeLines(text, old)
		return baseOf(text), outfile.Write(ctx, path, func(to io.Writer) error {
			// nothing is written where ctx has ended
			_, err := to.Write(text)
			return err
		})
	})
	switch {
	case errors.As(err, new(conflict)):
		refuse(w, http.StatusConflict, "the file is kept as it is: "+err.Error())
	case errors.Is(err, errSlowDisk):
		refuse(w, http.StatusServiceUnavailable, path+" is not saved: "+err.Error())
	case err != nil:
		refuse(w, http.StatusInternalServerError, "the file is kept as it is: "+err.Error())
	default:
		answer(w, http.StatusOK, map[string]string{"base": base})
	}
}

// readable reports whether a text that is to be written to a path can be read as a machine file; it answers where not.
func (s *Server) readable(w http.ResponseWriter, r *http.Request, path string, text []byte) bool {
	switch err := s.mistakes(r.Context(), text); {
	case errors.Is(err, errSlowDisk):
		refuse(w, http.StatusServiceUnavailable, path+" is not saved: a file that it names: "+err.Error())
	case err != nil:
		answer(w, http.StatusUnprocessableEntity, failure{
			"the file is kept as it is, for the text has mistakes", messagesOf(s.current().Name, err),
		})
	default:
		return true
	}
	return false
}

// mistakes are those of a text, which may name files that have to be read.
func (s *Server) mistakes(ctx context.Context, text []byte) error {
	ctx, done := context.WithTimeoutCause(ctx, s.diskTime, errSlowDisk)
	defer done()
	name := s.current().Name
	_, _, err := callBounded(ctx, 0, func(context.Context) (*spec.Spec, error) { return machine.Parse(name, text) })
	return err
}

// conflict is that a file is not the one that was opened.
type conflict struct{ error }

// likeLines ends lines as the old text does: an editor in a browser knows line feeds only.
func likeLines(text, old []byte) []byte {
	if !bytes.Contains(old, []byte("\r\n")) {
		return text
	}
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
}

// messagesOf are the mistakes that an error tells.
func messagesOf(name string, err error) []Message {
	out := []Message{}
	var list diag.List
	switch {
	case err == nil:
	case errors.As(err, &list):
		for _, d := range list {
			m := Message{
				Line: d.Pos.Line, Column: d.Pos.Column, Length: d.Length, Path: d.Path, Message: d.Message,
				Suggestion: d.Suggestion, Severity: d.Severity,
			}
			if d.Pos.File != name {
				m.File = d.Pos.File
			}
			if m.Severity == "" {
				m.Severity = diag.Error
			}
			if d.Subject != "" {
				m.Message = d.Subject + ": " + m.Message
			}
			out = append(out, m)
		}
	default:
		out = append(out, Message{Message: err.Error(), Severity: diag.Error})
	}
	return out
}
