package exchange

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
)

// page is which part of a list the answers of a file are.
type page struct {
	path   string
	of     string // what was asked for, without its page; "" where no answer tells
	count  int64  // elements of the whole list, -1 where an answer does not tell
	told   bool   // an answer tells count or that it is followed by others
	more   bool   // an answer before or after these is spoken of
	read   int    // answers
	ids    map[int64]bool
	noID   int
	cables []NetBoxCable
}

// about takes what an answer says of itself.
func (p *page) about(key any, value json.RawMessage) {
	switch key {
	case "count":
		p.told, p.count = true, -1
		_ = json.Unmarshal(value, &p.count) // null stays -1
	case "next", "previous":
		var link *string
		if json.Unmarshal(value, &link) != nil || link == nil {
			return
		}
		p.more = true
		if u, err := url.Parse(*link); err == nil {
			query := u.Query()
			for _, name := range []string{"limit", "offset", "start"} {
				query.Del(name)
			}
			p.of = u.Path + "?" + query.Encode()
		}
	}
}

// add counts an element, each id once.
func (p *page) add(id int64) {
	if id <= 0 {
		p.noID++
		return
	}
	if p.ids == nil {
		p.ids = map[int64]bool{}
	}
	p.ids[id] = true
}

// size is how many elements there are.
func (p *page) size() int64 { return int64(len(p.ids) + p.noID) }

// isPart reports whether elements of the list are missing. NetBox tells no count where a page is asked for by start.
func (p *page) isPart() bool {
	return p.told && (p.count < 0 || p.size() < p.count) || !p.told && p.more
}

func (p *page) String() string {
	of := "an unknown number"
	if p.count >= 0 && p.told {
		of = english.Grouped(p.count)
	}
	return fmt.Sprintf("the answer of NetBox is a page: %s of %s", english.Count(int(p.size()), "element"), of)
}

// allPages says how to get the whole of a list.
const allPages = `ask with ?limit=0, and follow "next" as long as it is not null; give all pages`

// setPage has a wiring know that it is a page of an answer: its boxes are not listed, as their other links may stand on
// another page.
func (w *Wiring) setPage(path string, p *page, cables []NetBoxCable) {
	if !p.isPart() {
		return
	}
	p.path, p.cables = path, cables
	w.page, w.Partial = p, true
	for i := range w.Boxes {
		w.Boxes[i].Listed = false
	}
	w.Notes = append(w.Notes, fmt.Sprintf("%s: %s; what it does not list is unknown: %s", filepath.Base(path), p,
		allPages))
}

// JoinPages makes one source of the pages of an answer of NetBox's REST API that are all there, in place of the first,
// and leaves other sources as they are.
func JoinPages(sources []*Wiring) []*Wiring {
	out := slices.Clone(sources)
	for i, w := range out {
		if w == nil || w.page == nil {
			continue
		}
		all := &page{count: w.page.count, told: w.page.told}
		var parts []int
		for k := i; k < len(out); k++ {
			if p := out[k]; p != nil && p.page != nil && p.page.isOf(w.page) {
				parts = append(parts, k)
				for id := range p.page.ids {
					all.add(id)
				}
				all.noID += p.page.noID
			}
		}
		if all.isPart() {
			continue
		}
		joined := &Wiring{}
		var names []string
		var cables []NetBoxCable
		seen := map[int64]bool{}
		for _, k := range parts {
			p := out[k]
			names = append(names, filepath.Base(p.page.path))
			for _, c := range p.page.cables {
				if c.ID <= 0 || !seen[c.ID] {
					seen[c.ID] = true
					cables = append(cables, c)
				}
			}
			joined.Places, joined.Racks = append(joined.Places, p.Places...), append(joined.Racks, p.Racks...)
			out[k] = nil
		}
		slices.Sort(names) // the order of the files says nothing
		source := strings.Join(names, ", ")
		if cables != nil {
			joined = netboxWiring(source, cables)
		}
		joined.Source = source
		out[i] = joined
	}
	return slices.DeleteFunc(out, func(w *Wiring) bool { return w == nil })
}

// isOf reports whether two pages are of one list.
func (p *page) isOf(q *page) bool {
	return p.told == q.told && p.count == q.count && (p.cables == nil) == (q.cables == nil) &&
		(p.of == q.of || p.of == "" || q.of == "")
}
