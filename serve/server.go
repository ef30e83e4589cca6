package serve

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/plenum-planner/plenum/machine/spec"
)

// DefaultPort is the port that is tried first where none is asked for.
const DefaultPort = 7777

const (
	// morePorts is how many ports after the first are tried.
	morePorts = 20
	// maxBody is the most bytes of a request, those of the largest machine file.
	maxBody = spec.MaxSize
	// mostRequests bounds what is kept in memory: the requests that are answered at once, each with a body. Others
	// wait.
	mostRequests = 8
	// mostDiskTime is how long reading or writing the machine file may take.
	mostDiskTime = 20 * time.Second
	// mostTransfer is how long a body may take to come, and an answer to leave.
	mostTransfer = time.Minute
	// longest is how long a plan may take, once it is its turn.
	longest = 10 * time.Minute
	// grace is how long the last answers may take when the server ends.
	grace = 5 * time.Second
)

// Options are what is served.
type Options struct {
	// Path is that of the machine file; empty for a text without one, which cannot be saved.
	Path string
	// Name is what mistakes call the file: its path, or the name of an example.
	Name string
	// Text is the machine file where there is no path.
	Text []byte
	// Start says that there is no machine file yet: the page is one of examples and starters, and the file that it
	// writes is that of Path, or without one that of the machine's name in the present directory.
	Start bool
}

// Server serves one machine file.
type Server struct {
	machine atomic.Pointer[Options] // another one once a first machine file was written
	// starting is held while one is.
	starting sync.Mutex
	pending  *imported // what was imported last, and is not written yet; starting guards it
	token    string
	hosts    map[string]bool // that the Host header may name
	address  string
	plans    planner
	ticket   ticket
	slots    chan struct{}
	disk     chan struct{} // has an element while the machine file is read or written
	// diskTime is how long that may take.
	diskTime time.Duration
}

// Listen listens on the loopback interface: on a port, on any free one if that is 0, or, if next is set, on the first
// free one of that port and those after it.
func Listen(port int, next bool) (net.Listener, error) {
	if port < 0 || port > 65535 {
		return nil, fmt.Errorf("port %d is not one of 0 to 65535", port)
	}
	last := port
	if next && port > 0 {
		last = min(port+morePorts, 65535)
	}
	var wrong error
	for p := port; p <= last; p++ {
		for _, loopback := range []string{"127.0.0.1", "::1"} {
			l, err := net.Listen("tcp", net.JoinHostPort(loopback, strconv.Itoa(p)))
			if err == nil {
				return l, nil
			}
			if wrong = err; !errors.Is(err, syscall.EADDRNOTAVAIL) && !errors.Is(err, syscall.EAFNOSUPPORT) {
				break // the other loopback is for machines without IPv4
			}
		}
	}
	return nil, wrong
}

// New is a server for those who reach it at an address, which must be one that Listen gave.
func New(o Options, at net.Addr) *Server {
	secret := make([]byte, 16)
	_, _ = rand.Read(secret) // never fails
	host, port, _ := net.SplitHostPort(at.String())
	s := &Server{
		token: hex.EncodeToString(secret), hosts: map[string]bool{}, address: net.JoinHostPort(host, port),
		slots: make(chan struct{}, mostRequests), disk: make(chan struct{}, 1), diskTime: mostDiskTime,
		plans: planner{patience: mostDiskTime},
	}
	s.machine.Store(&o)
	for _, name := range []string{host, "localhost"} {
		s.hosts[net.JoinHostPort(name, port)] = true
		if port == "80" {
			s.hosts[name] = true
		}
	}
	return s
}

// current returns what is served now.
func (s *Server) current() Options { return *s.machine.Load() }

// URL is the address of the page, with its token.
func (s *Server) URL() string {
	u := url.URL{Scheme: "http", Host: s.address, Path: "/", RawQuery: url.Values{"token": {s.token}}.Encode()}
	return u.String()
}

// Run serves until the context ends. Then plans are ended, the last answers are sent, and nothing goes on.
func (s *Server) Run(ctx context.Context, l net.Listener) error {
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	server := &http.Server{
		Handler: s, BaseContext: func(net.Listener) context.Context { return work },
		ReadHeaderTimeout: 10 * time.Second, // ServeHTTP limits bodies and answers
		IdleTimeout:       2 * time.Minute, MaxHeaderBytes: 64 << 10,
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	stop()
	last, done := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer done()
	err := server.Shutdown(last)
	if errors.Is(err, context.DeadlineExceeded) { // a browser that does not read its answer
		err = server.Close()
	}
	<-ended
	return err
}
