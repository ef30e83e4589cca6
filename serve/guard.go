package serve

import (
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"strings"
	"time"
)

// tokenHeader has the token of requests that a page makes.
const tokenHeader = "Plenum-Token"

// refusal is why a request is not answered.
type refusal struct {
	status int
	why    string
}

// route is what answers a path.
type route struct {
	method string
	answer func(*Server, http.ResponseWriter, *http.Request)
}

// routes are all paths that there are.
var routes = map[string]route{
	"/":              {http.MethodGet, (*Server).page},
	"/favicon.ico":   {http.MethodGet, func(_ *Server, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }},
	"/open":          {http.MethodGet, (*Server).open},
	"/api/schema":    {http.MethodGet, (*Server).schema},
	"/api/parts":     {http.MethodGet, (*Server).parts},
	"/api/plan":      {http.MethodPost, (*Server).plan},
	"/api/edit":      {http.MethodPost, (*Server).edit},
	"/api/move":      {http.MethodPost, (*Server).move},
	"/api/rows":      {http.MethodPost, (*Server).rows},
	"/api/copy":      {http.MethodPost, (*Server).copyTo},
	"/api/copybox":   {http.MethodPost, (*Server).copyBoxTo},
	"/api/file":      {http.MethodPost, (*Server).file},
	"/api/quote":     {http.MethodPost, (*Server).quote},
	"/api/start":     {http.MethodPost, (*Server).begin},
	"/api/import":    {http.MethodPost, (*Server).importFiles},
	"/api/layers":    {http.MethodPost, (*Server).drawnLayers},
	"/api/imported":  {http.MethodPost, (*Server).writeImport},
	"/api/values":    {http.MethodPost, (*Server).values},
	"/api/save":      {http.MethodPost, (*Server).save},
	"/api/variants":  {http.MethodGet, (*Server).variants},
	"/api/variant":   {http.MethodGet, (*Server).variant},
	"/api/duplicate": {http.MethodPost, (*Server).duplicate},
	"/api/rename":    {http.MethodPost, (*Server).rename},
	"/api/delete":    {http.MethodPost, (*Server).deleteVariant},
	"/api/compare":   {http.MethodPost, (*Server).compare},
}

// ServeHTTP answers a request, or refuses it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", "frame-ancestors 'none'") // what the page may do, it says itself
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	answers, known := routes[r.URL.Path]
	if why := s.checkRequest(r, known, answers.method); why != nil {
		if why.status == http.StatusMethodNotAllowed {
			h.Set("Allow", answers.method)
		}
		if r.URL.Path == "/" && r.Method == http.MethodGet {
			refusePage(w, why.status, why.why)
			return
		}
		refuse(w, why.status, why.why)
		return
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-r.Context().Done(): // whoever asked is gone, or the server ends
		refuse(w, http.StatusServiceUnavailable, "the server ends")
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(mostTransfer)) // of the body, not of the wait
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	answers.answer(s, w, r)
}

// checkRequest says why a request is not answered, nil if it is.
func (s *Server) checkRequest(r *http.Request, known bool, method string) *refusal {
	own := "http://" + r.Host
	origin, fetched := r.Header.Values("Origin"), r.Header.Values("Sec-Fetch-Site")
	switch {
	case !s.hosts[strings.ToLower(r.Host)]:
		return &refusal{http.StatusMisdirectedRequest, "this server has another name than the request asks for"}
	case len(origin) > 1, len(origin) == 1 && origin[0] != own:
		return &refusal{http.StatusForbidden, "requests of other origins are refused"}
	case len(fetched) > 1, len(fetched) == 1 && fetched[0] != "same-origin" && fetched[0] != "none":
		return &refusal{http.StatusForbidden, "requests of other sites are refused; copy the address into the browser"}
	case !known || r.URL.EscapedPath() != r.URL.Path:
		return &refusal{http.StatusNotFound, "there is nothing at this path"}
	case r.Method != method:
		return &refusal{http.StatusMethodNotAllowed, "the method must be " + method}
	case r.URL.Path == "/favicon.ico":
		return nil // browsers ask for it on their own
	case r.URL.Path == "/open" && !s.redeemTicket(r):
		return &refusal{http.StatusForbidden, "this was opened already: open the address that plenum serve printed"}
	case r.URL.Path != "/open" && !s.knows(r):
		return &refusal{http.StatusForbidden, "no token, or a wrong one: open the address that plenum serve printed"}
	}
	return nil
}

func tooLarge() *refusal {
	return &refusal{http.StatusRequestEntityTooLarge, "the text is larger than a machine file may be"}
}

// knows reports whether a request has the token: in a header or, for the page itself, in its address.
func (s *Server) knows(r *http.Request) bool {
	given := r.Header.Get(tokenHeader)
	if r.URL.Path == "/" {
		given = r.URL.Query().Get("token")
	}
	return subtle.ConstantTimeCompare([]byte(given), []byte(s.token)) == 1
}

// refuse answers with a sentence.
func refuse(w http.ResponseWriter, status int, why string) {
	answer(w, status, failure{Error: why, Messages: []Message{}})
}

// refusePage answers with a page for people, who follow an address that is out of date or whose file is gone.
func refusePage(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	limitAnswer(w)
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Plenum</title></head>
<body><main><h1>There is no page at this address</h1><p>%s.</p>
<p>Every start of plenum serve prints an address of its own. What was not saved in a page of this file is offered when
it is opened at the new address, in the same browser and at the same port.</p></main></body></html>
`, html.EscapeString(why))
}

// answer answers with a document.
func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	limitAnswer(w)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // whoever asked is gone if it fails
}

// limitAnswer bounds the time that a browser may take to read an answer. Recorders of tests have no such limit.
func limitAnswer(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(mostTransfer))
}
