package initcmd

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine/starter"
)

// asker asks for lines at a terminal. A goroutine reads them, so that an interrupt ends the waiting for one; it may
// then stay blocked in the read until the program ends.
type asker struct {
	ctx   context.Context
	out   io.Writer
	lines chan string
	// failed is why there are no more lines, once lines is closed
	failed error
}

// newAsker returns an asker and begins to read lines.
func newAsker(ctx context.Context, in io.Reader, out io.Writer) *asker {
	a := &asker{ctx: ctx, out: out, lines: make(chan string)}
	go func() {
		defer close(a.lines)
		s := bufio.NewScanner(in)
		for s.Scan() {
			select {
			case a.lines <- s.Text():
			case <-ctx.Done():
				return
			}
		}
		a.failed = s.Err()
	}()
	return a
}

// ask prints a question with the usual answer in brackets, passes the line, without blanks at its ends, to take, and
// asks again with take's error until that is nil. An empty line is the usual answer. It returns an error if the context
// ends, the input ends (a cli.Inputf) or reading fails.
func (a *asker) ask(question, usual string, take func(string) error) error {
	for {
		fmt.Fprintf(a.out, "%s [%s]: ", question, usual)
		var line string
		var more bool
		select {
		case <-a.ctx.Done():
			fmt.Fprintln(a.out)
			return a.ctx.Err()
		case line, more = <-a.lines:
		}
		if !more {
			fmt.Fprintln(a.out)
			if a.failed != nil {
				return a.failed
			}
			return cli.Inputf("the answers end here; nothing is written")
		}
		if line = strings.TrimSpace(line); line == "" {
			line = usual
		}
		err := take(line)
		switch {
		case err == nil:
			return nil
		case a.ctx.Err() != nil:
			return a.ctx.Err()
		}
		fmt.Fprintf(a.out, "  %s\n", diag.Escape(err.Error()))
	}
}

// machine asks for all that the flags do not give, and plans it. It returns the path and the content of the machine
// file, which it does not write. If the machine cannot be built, it asks again: for the figures if they are too large
// or a flag gives the room, otherwise for the room. If flags give all that it would ask again, it returns the error.
func (a *asker) machine(g *given) (path string, data []byte, err error) {
	m := &g.machine
	fmt.Fprintln(a.out, "A first machine file. Return takes what is in brackets.")
	err = a.ask("Name of the machine and of its file", m.Name, func(text string) (err error) {
		if text, err = starter.ParseName(text); err != nil {
			return err
		}
		if path, m.Name, err = fileOf(text); err != nil {
			return err
		}
		if slices.Contains(cli.ExampleNames(), m.Name) {
			return taken(m.Name)
		}
		return cli.Free(path)
	})
	if err != nil {
		return "", nil, err
	}
	for {
		if err := a.figures(g); err != nil {
			return "", nil, err
		}
		if _, err = m.File(); err == nil && g.room == "" {
			data, err = a.room(m)
			return path, data, err
		}
		if err == nil {
			data, err = m.Planned(a.ctx)
		}
		switch {
		case err == nil || a.ctx.Err() != nil:
			return path, data, err
		case g.nodes != "" && g.ports != "" && g.rate != "":
			return "", nil, cli.InputError(err)
		}
		fmt.Fprintf(a.out, "  %s\n", diag.Escape(err.Error()))
	}
}

// room asks for the room until the machine can be planned in it, and returns the machine file.
func (a *asker) room(m *starter.Machine) (data []byte, err error) {
	question := "Room, width x depth in metres like 20x15, or auto"
	err = a.ask(question, m.Room.String(), func(text string) (err error) {
		if m.Room, err = starter.ParseRoom(text); err == nil {
			data, err = m.Planned(a.ctx)
		}
		return err
	})
	return data, err
}

// figures asks for those of the number of nodes, their ports and the rate of these that no flag gives, and sets them in
// g.machine.
func (a *asker) figures(g *given) (err error) {
	m := &g.machine
	question := func(flag, text, usual string, take func(string) error) {
		if flag == "" && err == nil {
			err = a.ask(text, usual, take)
		}
	}
	question(g.nodes, "Number of nodes", strconv.Itoa(m.Nodes), func(text string) (err error) {
		n, err := starter.ParseNodes(text)
		if err == nil {
			m.Nodes = n
		}
		return err
	})
	question(g.ports, "Ports a node", strconv.Itoa(m.Ports), func(text string) (err error) {
		n, err := starter.ParsePorts(text)
		if err == nil {
			m.Ports = n
		}
		return err
	})
	question(g.rate, "Rate of a port ("+strings.Join(starter.Rates(), ", ")+")", m.Rate, func(text string) error {
		r, err := starter.ParseRate(text)
		if err == nil {
			m.Rate = r
		}
		return err
	})
	return err
}
