package serve

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"sync"
)

// Opener is the program, with its arguments but for the address, that shows an address in the default browser of a
// system such as "linux", an error where none can be shown. getenv and look are os.Getenv and exec.LookPath.
func Opener(system string, getenv func(string) string, look func(string) (string, error)) ([]string, error) {
	var with []string
	switch system {
	case "darwin":
		with = []string{"open"}
	case "windows":
		with = []string{"rundll32", "url.dll,FileProtocolHandler"}
	default:
		if getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" {
			return nil, errors.New("there is no screen for a browser here (neither DISPLAY nor WAYLAND_DISPLAY is " +
				"set)\nleave it out, and open the address that is printed")
		}
		with = []string{"xdg-open"}
	}
	path, err := look(with[0])
	if err != nil {
		return nil, fmt.Errorf("there is no %s, which knows the default browser\n"+
			"leave it out, and open the address that is printed", with[0])
	}
	return append([]string{path}, with[1:]...), nil
}

// System is the one that Opener is asked about here.
const System = runtime.GOOS

// ticket lets one request in without the token.
type ticket struct {
	mu     sync.Mutex
	secret string
}

// OpenURL is an address that leads to the page once. Other than that of URL it may stand where other users of the
// machine can read it, as among the arguments of a program: when the browser has followed it, nobody else can.
func (s *Server) OpenURL() string {
	secret := make([]byte, 16)
	_, _ = rand.Read(secret) // never fails
	s.ticket.mu.Lock()
	defer s.ticket.mu.Unlock()
	s.ticket.secret = hex.EncodeToString(secret)
	query := url.Values{"ticket": {s.ticket.secret}}
	u := url.URL{Scheme: "http", Host: s.address, Path: "/open", RawQuery: query.Encode()}
	return u.String()
}

// redeemTicket reports whether a request has the ticket, which then is no longer one.
func (s *Server) redeemTicket(r *http.Request) bool {
	s.ticket.mu.Lock()
	defer s.ticket.mu.Unlock()
	given := r.URL.Query().Get("ticket")
	if s.ticket.secret == "" || subtle.ConstantTimeCompare([]byte(given), []byte(s.ticket.secret)) != 1 {
		return false
	}
	s.ticket.secret = ""
	return true
}

// open leads who had the ticket to the page.
func (s *Server) open(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Location", "/?"+url.Values{"token": {s.token}}.Encode())
	w.WriteHeader(http.StatusSeeOther)
}
