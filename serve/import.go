package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/plenum-planner/plenum/asbuilt/adopt"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/layout/drawing"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/racklist"
	"github.com/plenum-planner/plenum/machine/starter"
	"github.com/plenum-planner/plenum/units"
)

// mostSources is how many files are imported at once.
const mostSources = 1000

// sent is a file that was chosen in the browser.
type sent struct {
	name string // without a directory
	data []byte
}

// imported is the files that an import makes, of which none is written yet.
type imported struct {
	id    string // tells it from others
	path  string // of the machine file; the other files stand beside it
	files map[string][]byte
	notes []string
	facts []string // what was read, in a line each
}

// madeFile is a file that an import makes.
type madeFile struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

// importReply says what an import makes.
type importReply struct {
	ID    string     `json:"id"` // for POST /api/imported
	Files []madeFile `json:"files"`
	Facts []string   `json:"facts"` // what was read
	Notes []string   `json:"notes"` // what was guessed and left out
	Text  string     `json:"text"`  // of the machine file
}

// roomLayers are the roles that layers of a drawing may have, as fields of a form.
var roomLayers = []string{"outline", "walls", "columns", "keep_outs", "doors"}

// importFiles reads files that were chosen in the browser, and answers with what they make. Nothing is written.
func (s *Server) importFiles(w http.ResponseWriter, r *http.Request) {
	fields, files, err := readForm(r)
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		refuse(w, http.StatusRequestEntityTooLarge,
			fmt.Sprintf("the files have more than %d MiB together", maxBody>>20))
		return
	case err != nil:
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	o := s.current()
	if !o.Start {
		refuse(w, http.StatusConflict, errStarted.Error())
		return
	}
	a := asked{
		Name: fields["name"], Nodes: fields["nodes"], Ports: fields["ports"], Rate: fields["rate"], Room: "auto",
		Management: fields["management"] == "true", Storage: fields["storage"], Servers: fields["servers"],
	}
	path, err := o.firstPath(stemOf(a.Name), "")
	if err == nil && stemOf(a.Name) == "" {
		_, err = starter.ParseName("")
	}
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	read := func(ctx context.Context, _ *machine.Planner) (*imported, error) {
		switch fields["kind"] {
		case "wiring":
			return importWiring(ctx, path, &a, files)
		case "racks", "drawing":
			return importRoom(ctx, path, &a, fields, files)
		}
		return nil, fmt.Errorf("kind: %q is not wiring, racks or drawing", fields["kind"])
	}
	made, err := inTurn(r.Context(), &s.plans, asker{page: "import"}, read)
	switch why, status := planFailure(err); {
	case status != 0:
		refuse(w, status, why)
		return
	case err != nil:
		answer(w, http.StatusUnprocessableEntity, failure{firstMessage(err), messagesOf("", err)})
		return
	}
	out := importReply{Facts: made.facts, Notes: append([]string{}, made.notes...)}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(made.files)) {
		out.Files = append(out.Files, madeFile{name, len(made.files[name])})
		fmt.Fprintf(sum, "%q %x\n", name, sha256.Sum256(made.files[name]))
	}
	made.path, made.id = path, hex.EncodeToString(sum.Sum(nil))
	out.ID, out.Text = made.id, string(made.files[filepath.Base(path)])
	s.starting.Lock()
	s.pending = made
	s.starting.Unlock()
	answer(w, http.StatusOK, out)
}

// drawnLayer is a layer of a drawing, to choose from.
type drawnLayer struct {
	Name   string `json:"name"`
	Shapes int    `json:"shapes"` // lines and areas on it
}

// drawnLayers answers with the layers of a drawing that was chosen in the browser, of those that show something.
func (s *Server) drawnLayers(w http.ResponseWriter, r *http.Request) {
	fields, files, err := readForm(r)
	switch {
	case err != nil:
		refuse(w, http.StatusBadRequest, err.Error())
		return
	case len(files) != 1:
		refuse(w, http.StatusBadRequest, "choose one file: the drawing")
		return
	}
	unit := strings.TrimSpace(fields["unit"])
	if unit == "" {
		unit = drawing.UnitNames()[0] // names of layers do not depend on it
	}
	d, err := drawing.Read(files[0].name, files[0].data, drawing.Options{Unit: unit})
	if err != nil {
		answer(w, http.StatusUnprocessableEntity, failure{firstMessage(err), messagesOf("", err)})
		return
	}
	out := []drawnLayer{}
	for _, l := range d.Layers {
		if l.Shapes > 0 {
			out = append(out, drawnLayer{l.Name, l.Shapes})
		}
	}
	slices.SortFunc(out, func(a, b drawnLayer) int { return strings.Compare(a.Name, b.Name) })
	answer(w, http.StatusOK, map[string]any{"layers": out})
}

// readForm reads the fields and the files of a form. Parts of another name than file are fields.
func readForm(r *http.Request) (fields map[string]string, files []sent, err error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, nil, errors.New("the body has to be a form with files")
	}
	fields = map[string]string{}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return fields, files, nil
		}
		if err != nil {
			return nil, nil, err
		}
		data, err := io.ReadAll(part)
		switch {
		case err != nil:
			return nil, nil, err
		case part.FormName() != "file":
			fields[part.FormName()] = string(data)
		case len(files) == mostSources:
			return nil, nil, fmt.Errorf("more than %d files", mostSources)
		default:
			files = append(files, sent{part.FileName(), data}) // without directories
		}
	}
}

// importWiring makes the machine file of a machine that exists, as plenum init --from does.
func importWiring(ctx context.Context, path string, a *asked, files []sent) (*imported, error) {
	if len(files) == 0 {
		return nil, errors.New("choose the files that tell how the machine is cabled")
	}
	rate, err := starter.ParseRate(a.Rate)
	if err != nil {
		return nil, err
	}
	most, err := units.ParseRate(rate)
	if err != nil {
		return nil, err
	}
	var sources []*exchange.Wiring
	var mistakes diag.List
	for _, f := range files {
		w, err := exchange.ReadFrom(f.name, bytes.NewReader(f.data))
		if err != nil {
			list := diag.List{}
			if !errors.As(err, &list) {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
			mistakes = append(mistakes, list...)
		}
		sources = append(sources, w)
	}
	if len(mistakes) > 0 {
		return nil, mistakes
	}
	m, err := adopt.New(ctx, adopt.Options{Name: stemOf(filepath.Base(path)), Rate: most}, sources)
	if err != nil {
		return nil, err
	}
	c := m.Compared
	out := &imported{files: m.Files, facts: []string{
		english.Count(m.Boxes, "box") + ", " + english.Count(m.Links, "cable"),
		fmt.Sprintf("compared with the sources: %s right, %s, %d unknown", english.Count(c.Right, "link"),
			english.Count(len(c.Differences), "difference"), c.Unknown),
	}}
	for _, n := range m.Notes {
		out.notes = append(out.notes, strings.Join(strings.Fields(n), " "))
	}
	return out, nil
}

// importRoom makes the machine file of a new machine in a room that a list of racks or a drawing gives.
func importRoom(
	ctx context.Context, path string, a *asked, fields map[string]string, files []sent,
) (*imported, error) {
	if len(files) != 1 {
		return nil, errors.New("choose one file: the list of racks, or the drawing")
	}
	name := stemOf(filepath.Base(path))
	m, err := a.machine()
	if err != nil {
		return nil, err
	}
	text, err := m.Planned(ctx)
	if err != nil {
		return nil, err
	}
	file := name + "-racks.csv"
	if strings.EqualFold(filepath.Ext(files[0].name), ".xlsx") {
		file = name + "-racks.xlsx"
	}
	set := [][2]string{{"room.rack_list", scalar(file)}}
	if fields["kind"] == "racks" {
		if _, err := racklist.Read(files[0].name, files[0].data); err != nil {
			return nil, err
		}
	} else {
		ext := strings.ToLower(filepath.Ext(files[0].name))
		if !slices.Contains([]string{".dxf", ".geojson", ".json"}, ext) {
			return nil, fmt.Errorf("%s: a drawing of a room is .dxf or .geojson", files[0].name)
		}
		file = name + "-room" + ext
		set = drawnRoom(file, fields)
		if !slices.ContainsFunc(roomLayers, func(role string) bool { return strings.TrimSpace(fields[role]) != "" }) {
			return nil, errors.New("say which layers of the drawing are the outline, the walls, columns and so on: " +
				"without them nothing of it is read")
		}
	}
	for _, c := range set {
		if text, err = change(text, c[0], c[1]); err != nil {
			return nil, err
		}
	}
	out := &imported{files: map[string][]byte{name + ".yaml": text, file: files[0].data}}
	plan, err := planAside(ctx, out.files, name+".yaml", map[string]string{file: files[0].name})
	if err != nil {
		return nil, err
	}
	out.facts = []string{fmt.Sprintf("%s in %s of the room, %s", english.Count(plan.racks, "rack"),
		english.Count(plan.positions, "position"), english.Count(plan.cables, "cable"))}
	out.notes = plan.notes
	return out, nil
}

// drawnRoom is what the machine file says of a drawing.
func drawnRoom(file string, fields map[string]string) [][2]string {
	set := [][2]string{{"room.drawing.file", scalar(file)}}
	if unit := strings.TrimSpace(fields["unit"]); unit != "" {
		set = append(set, [2]string{"room.drawing.unit", scalar(unit)})
	}
	for _, role := range roomLayers {
		var layers []string
		for _, layer := range strings.Split(fields[role], ",") {
			if layer = strings.TrimSpace(layer); layer != "" && utf8.ValidString(layer) {
				layers = append(layers, scalar(layer))
			}
		}
		if len(layers) > 0 {
			set = append(set, [2]string{"room.drawing.layers." + role, "[" + strings.Join(layers, ", ") + "]"})
		}
	}
	return set
}

// asidePlan is what a plan of files that are not written comes to.
type asidePlan struct {
	racks, positions int
	cables           int64
	notes            []string
}

// planAside plans a machine of files that are not where they belong yet: in a directory of its own, which is removed.
// Mistakes name the files as they were sent.
func planAside(
	ctx context.Context, files map[string][]byte, name string, sentAs map[string]string,
) (*asidePlan, error) {
	dir, err := os.MkdirTemp("", "plenum-import-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for file, data := range files {
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o600); err != nil {
			return nil, err
		}
	}
	plan, err := func() (*machine.Result, error) {
		s, err := machine.Load(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		return machine.PlanWith(ctx, s, machine.Options{Summary: true, NoPaths: true})
	}()
	if err != nil {
		return nil, withSentNames(err, dir, sentAs)
	}
	r := plan.Report()
	out := &asidePlan{racks: r.Racks, cables: r.Cables, notes: r.Notes}
	if r.Floor != nil {
		out.positions = r.Floor.Positions
	}
	for i, n := range out.notes {
		out.notes[i] = strings.ReplaceAll(n, dir+string(filepath.Separator), "")
	}
	return out, nil
}

// withSentNames returns an error of files in a directory, which calls them as they were sent.
func withSentNames(err error, dir string, sentAs map[string]string) error {
	var list diag.List
	if !errors.As(err, &list) {
		return errors.New(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
	}
	out := slices.Clone(list)
	for i := range out {
		for _, text := range []*string{&out[i].Pos.File, &out[i].Message, &out[i].Suggestion} {
			*text = strings.ReplaceAll(*text, dir+string(filepath.Separator), "")
			for file, as := range sentAs {
				*text = strings.ReplaceAll(*text, file, as)
			}
		}
	}
	return out
}

// writeImport writes the files that an import makes, if it is the last one that was asked for. None is written over
// another file, and where one cannot be written, none is left.
func (s *Server) writeImport(w http.ResponseWriter, r *http.Request) {
	s.starting.Lock()
	defer s.starting.Unlock()
	o, made := s.current(), s.pending
	switch {
	case !o.Start:
		refuse(w, http.StatusConflict, errStarted.Error())
		return
	case made == nil || made.id != r.URL.Query().Get("id"):
		refuse(w, http.StatusConflict, "another import was made since: read the files again")
		return
	}
	if err := made.write(r.Context()); err != nil {
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	s.pending = nil
	s.machine.Store(&Options{Path: made.path, Name: made.path})
	answer(w, http.StatusOK, map[string]string{"path": made.path})
}

// write writes the files, the machine file last.
func (m *imported) write(ctx context.Context) (err error) {
	var done []string
	defer func() {
		for _, path := range done {
			if err != nil {
				_ = os.Remove(path)
			}
		}
	}()
	own := filepath.Base(m.path)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(m.files)), func(name string) bool { return name == own })
	for _, name := range append(names, own) {
		path := filepath.Join(filepath.Dir(m.path), name)
		err = outfile.New(ctx, path, m.files[name])
		switch {
		case errors.Is(err, fs.ErrExist):
			return fmt.Errorf("%s exists; use another name", path)
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("there is no directory %s", filepath.Dir(path))
		case err != nil:
			return err
		}
		done = append(done, path)
	}
	return nil
}
