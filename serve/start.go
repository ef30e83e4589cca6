package serve

import (
	"bytes"
	_ "embed" // the page
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/template"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine/starter"
	"github.com/plenum-planner/plenum/render/page"
)

//go:embed assets/start.html
var startHTML string

//go:embed assets/start.js
var startScript string

//go:embed assets/start.css
var startStyle string

// startPage is the page of a server without a machine file.
var startPage = template.Must(template.New("start").Parse(startHTML))

// sample is an example that may be copied.
type sample struct {
	Name        string `json:"name"`
	Machine     string `json:"machine"`
	Description string `json:"description"`
}

// samples are the examples, by name.
var samples = sync.OnceValues(func() ([]sample, error) {
	entries, err := examples.Files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	out := []sample{}
	for _, e := range entries {
		text, err := examples.Files.ReadFile(e.Name())
		if err != nil {
			return nil, err
		}
		var head struct {
			Name        string `yaml:"name"`
			Description string `yaml:"description"`
		}
		if err := yaml.Load(text, &head); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		out = append(out, sample{strings.TrimSuffix(e.Name(), ".yaml"), head.Name, head.Description})
	}
	return out, nil
})

// started is the data of the start page, which a server without a machine file shows.
type started struct {
	Token    string   `json:"token"`
	File     string   `json:"file"` // path of the file to be written; empty if the page asks for its name
	Rates    []string `json:"rates"`
	Examples []sample `json:"examples"`
}

// start sends the start page.
func (s *Server) start(w http.ResponseWriter) {
	list, err := samples()
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	data, err := json.Marshal(started{s.token, s.current().Path, starter.Rates(), list})
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	script := "\nwindow.plenumStart = " + string(data) + ";\n" + startScript
	style := page.Style() + startStyle
	var b bytes.Buffer
	err = startPage.Execute(&b, map[string]string{
		"Policy": html.EscapeString("default-src 'none'; script-src " + page.Hash(script) + "; style-src " +
			page.Hash(style) + "; connect-src 'self'; form-action 'none'; base-uri 'none'"),
		"Script": script, "Style": style,
	})
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	limitAnswer(w)
	_, _ = w.Write(b.Bytes()) // whoever asked is gone if it fails
}

// asked is the request for a first machine file: a copy of an example, or answers about a new machine.
type asked struct {
	Example    string `json:"example"` // empty for a new machine
	Name       string `json:"name"`    // of the machine, and of its file where that has no name yet
	Nodes      string `json:"nodes"`
	Ports      string `json:"ports"`
	Rate       string `json:"rate"`
	Room       string `json:"room"`
	Management bool   `json:"management"` // a further fabric, of management
	Storage    string `json:"storage"`    // rate of a further fabric, of storage; empty for none
	Servers    string `json:"servers"`    // number of storage servers
}

// errStarted says that the server has a machine file already.
var errStarted = errors.New("there is a machine file already: open the page anew")

// begin writes the first machine file, which the server serves from then on. It never overwrites a file.
func (s *Server) begin(w http.ResponseWriter, r *http.Request) {
	text, ok := body(w, r)
	if !ok {
		return
	}
	var a asked
	if err := json.Unmarshal(text, &a); err != nil {
		refuse(w, http.StatusBadRequest, "the answers came incomplete")
		return
	}
	s.starting.Lock()
	defer s.starting.Unlock()
	o := s.current()
	if !o.Start {
		refuse(w, http.StatusConflict, errStarted.Error())
		return
	}
	path, data, err := a.file(r, o)
	if err == nil {
		err = outfile.New(r.Context(), path, data)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		refuse(w, http.StatusUnprocessableEntity, path+" exists; use another name")
	case errors.Is(err, fs.ErrNotExist):
		refuse(w, http.StatusUnprocessableEntity, "there is no directory "+filepath.Dir(path))
	case err != nil:
		refuse(w, http.StatusUnprocessableEntity, err.Error())
	default:
		s.machine.Store(&Options{Path: path, Name: path})
		answer(w, http.StatusOK, map[string]string{"path": path})
	}
}

// file returns the path and the text of the first machine file. A new machine is planned first: the error says why it
// cannot be, or which answer is wrong.
func (a *asked) file(r *http.Request, o Options) (path string, data []byte, err error) {
	name := stemOf(a.Name)
	if a.Example != "" {
		if !isExample(a.Example) {
			return "", nil, fmt.Errorf("there is no example %q", a.Example)
		}
		if data, err = examples.Files.ReadFile(a.Example + ".yaml"); err != nil {
			return "", nil, err
		}
		if name == "" {
			name = a.Example
		}
	}
	if path, err = o.firstPath(name, a.Example); err != nil || a.Example != "" {
		return path, data, err
	}
	m, err := a.machine()
	if err != nil {
		return "", nil, err
	}
	data, err = m.Planned(r.Context())
	return path, data, err
}

// stemOf returns a name without blanks around it and without the extension .yaml.
func stemOf(name string) string { return strings.TrimSuffix(strings.TrimSpace(name), ".yaml") }

// isExample reports whether an example has the name.
func isExample(name string) bool {
	list, err := samples()
	return err == nil && slices.ContainsFunc(list, func(s sample) bool { return s.Name == name })
}

// firstPath returns the path of the first machine file: the one that the server was started with, or else NAME.yaml in
// the current directory. The error refuses names that are paths or too long, and the name of an example unless the file
// is a copy of it.
func (o *Options) firstPath(name, copied string) (string, error) {
	switch {
	case o.Path != "":
		return o.Path, nil
	case strings.ContainsAny(name, `/\:`) || strings.HasPrefix(name, ".") || len(name) > maxName:
		return "", fmt.Errorf("the name %q is not one of a file", name)
	case name != copied && isExample(name):
		return "", fmt.Errorf("%s is the name of an example; use another name", name)
	}
	return name + ".yaml", nil
}

// machine returns the new machine of the answers. The error is that of the first answer that is wrong.
func (a *asked) machine() (m starter.Machine, err error) {
	m.Management, m.Fabrics = a.Management, true
	if m.Name, err = starter.ParseName(stemOf(a.Name)); err != nil {
		return m, err
	}
	if m.Nodes, err = starter.ParseNodes(a.Nodes); err != nil {
		return m, err
	}
	if m.Ports, err = starter.ParsePorts(a.Ports); err != nil {
		return m, err
	}
	if m.Rate, err = starter.ParseRate(a.Rate); err != nil {
		return m, err
	}
	if err = m.ParseStorage(a.Storage, a.Servers); err != nil {
		return m, err
	}
	m.Room, err = starter.ParseRoom(a.Room)
	return m, err
}

// maxName is the largest number of bytes in the name of a first machine file.
const maxName = 100
