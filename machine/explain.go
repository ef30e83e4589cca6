package machine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/units"
)

// LoadPlan reads the machine of a saved plan: a plan.json, a directory that holds
// one, or a machine file. Places that were optimised are taken from the
// placement.csv beside plan.json.
func LoadPlan(path string) (*Spec, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "plan.json")
	}
	if filepath.Ext(path) != ".json" {
		return Load(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPlan+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxPlan {
		return nil, fmt.Errorf("%s: the file is larger than %d MiB", path, maxPlan>>20)
	}
	var plan struct {
		Spec json.RawMessage `json:"spec"`
	}
	if err := json.Unmarshal(data, &plan); err != nil {
		if errors.As(err, new(*json.UnmarshalTypeError)) {
			return nil, fmt.Errorf("%s: not a plan: it is no mapping of keys to values", path)
		}
		return nil, fmt.Errorf("%s: not a plan: %w", path, err)
	}
	if len(bytes.TrimSpace(plan.Spec)) == 0 || string(plan.Spec) == "null" {
		return nil, fmt.Errorf("%s: not a plan: it has no spec", path)
	}
	// Paths in a plan start where it was planned, not beside it.
	s, err := Parse("spec of plan.json", plan.Spec)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	places := filepath.Join(filepath.Dir(path), "placement.csv")
	if _, err := os.Stat(places); err == nil && s.Embedding.Effort != "" && s.Embedding.Effort != NoEffort {
		s.Embedding.Effort, s.Embedding.Objective, s.Embedding.Weights = NoEffort, "", nil
		s.Embedding.Together, s.Embedding.Apart, s.Embedding.Lock = nil, nil, nil
		s.Embedding.Placement = places
	}
	return s, nil
}

// maxPlan bounds the size of a plan.json.
const maxPlan = 256 << 20

// ErrNoCable says that a plan has no cable of an id.
var ErrNoCable = errors.New("no such cable")

// CableReport says where everything about a cable comes from.
type CableReport struct {
	Cable   string       `json:"cable"`
	Product string       `json:"product"` // empty where none fits
	Medium  string       `json:"medium"`
	Length  units.Length `json:"length_m"` // needed
	Stock   units.Length `json:"stock_length_m"`
	// Instead is the length that was chosen, where another one is bought to have
	// fewer products; 0 elsewhere.
	Instead units.Length `json:"chosen_length_m,omitempty"`
	Links   []LinkReport `json:"links"`
	// Ways are the links that the cable carries from box to box, where they run
	// over patch panels.
	Ways []WayReport `json:"links_over_panels,omitempty"`
	// Rule is the media rule that decides, from 1; 0 where the machine file has
	// none, -1 where none matches. RuleText is what it says.
	Rule     int    `json:"media_rule"`
	RuleText string `json:"media_rule_text"`
	// Apart says why the links of a cage do not share a cable.
	Apart   string         `json:"apart,omitempty"`
	Options []OptionReport `json:"options"`
	// Elsewhere counts the cable families whose plugs fit neither port.
	Elsewhere int           `json:"families_of_other_connectors"`
	Currency  string        `json:"currency"`
	Prices    []PriceReport `json:"prices"`
}

// LinkReport is a link that a cable carries.
type LinkReport struct {
	A           string        `json:"a_label"`
	B           string        `json:"b_label"`
	Level       string        `json:"level"`
	LayoutLevel string        `json:"layout_level"`
	PortA       string        `json:"a_port_kind"`
	PortB       string        `json:"b_port_kind"`
	Length      units.Length  `json:"length_m"`
	Pieces      []PieceReport `json:"pieces"`
}

// WayReport is a link over patch panels, from box to box.
type WayReport struct {
	A      string           `json:"a_label"`
	B      string           `json:"b_label"`
	Length units.Length     `json:"length_m"`
	Cables []WayCableReport `json:"cables"`
}

// WayCableReport is a cable on a link's way.
type WayCableReport struct {
	Cable   string       `json:"cable"`
	Product string       `json:"product"` // empty where there is none
	Length  units.Length `json:"length_m"`
}

// PieceReport is a named piece of a length.
type PieceReport struct {
	Name   string       `json:"name"`
	Length units.Length `json:"length_m"`
}

// OptionReport is a product that was considered.
type OptionReport struct {
	Product string          `json:"product"`
	Optics  []string        `json:"optics,omitempty"`
	Verdict cabling.Verdict `json:"verdict"`
	Why     string          `json:"why"`
	// Cost is of all links of the cable with their optics, at the price of the
	// smallest quantity; null without a price.
	Cost *units.Money `json:"cost"`
}

// PriceReport is the price of a part as the bill has it.
type PriceReport struct {
	Part       string             `json:"part"`
	Qty        int64              `json:"qty"` // in the bill, with spares
	Unit       *units.Money       `json:"unit_cost"`
	From       string             `json:"price_from"`
	Source     string             `json:"price_source"`
	Confidence catalog.Confidence `json:"price_confidence"`
	PartSource string             `json:"part_source"`
}

// CableID is the form of the id of a cable.
var CableID = regexp.MustCompile(`^[Cc]0*([1-9][0-9]{0,9})$`)

// ExplainCable explains the cable of an id ("C00042") of the plan, which may be a
// summary. The error is ErrNoCable if there is none.
func (p *Result) ExplainCable(ctx context.Context, id string) (*CableReport, error) {
	match := CableID.FindStringSubmatch(id)
	if match == nil {
		return nil, ErrNoCable
	}
	number, err := strconv.ParseInt(match[1], 10, 64)
	if err != nil {
		return nil, ErrNoCable
	}
	e, err := cabling.Explain(ctx, p.cables, number)
	if err != nil {
		return nil, err
	}
	if e == nil {
		s := p.Schedule
		return nil, fmt.Errorf("%w: the plan has %d, %s to %s", ErrNoCable, s.Cables, s.CableID(min(1, s.Cables)), s.CableID(s.Cables))
	}
	return p.cableReport(e), nil
}

func (p *Result) cableReport(e *cabling.Explanation) *CableReport {
	s := e.Schedule
	out := &CableReport{
		Cable: s.CableID(e.Cable), Length: round(e.Need), Rule: e.Rule, RuleText: p.ruleText(e.Rule),
		Apart: e.Apart, Elsewhere: e.Elsewhere, Currency: p.Prices.Currency, Options: []OptionReport{}, Prices: []PriceReport{},
	}
	for i := range e.Links {
		seg := &e.Links[i]
		l := LinkReport{
			A: s.Label(seg.A, seg.PortA), B: s.Label(seg.B, seg.PortB), PortA: s.PortKind(seg.A, seg.PortA), PortB: s.PortKind(seg.B, seg.PortB),
			Level: p.Graph.Levels()[seg.Level].Name, LayoutLevel: p.Placement.Layout.Levels[seg.Within].Name, Length: round(seg.Length),
		}
		for _, piece := range s.Pieces(seg) {
			l.Pieces = append(l.Pieces, PieceReport{piece.Name, round(piece.Length)})
		}
		out.Links = append(out.Links, l)
	}
	for i := range e.Ways {
		out.Ways = append(out.Ways, p.way(s, &e.Ways[i]))
	}
	for _, o := range e.Options {
		r := OptionReport{Product: o.Part.ID, Verdict: o.Verdict, Why: o.Why}
		if o.Length > 0 {
			r.Product = o.Part.Item(o.Length).String()
		}
		if o.OpticA != nil {
			r.Optics = []string{o.OpticA.ID, o.OpticB.ID}
		}
		if o.Priced {
			r.Cost = &o.Cost
		}
		out.Options = append(out.Options, r)
	}
	if product := e.Product; product != nil {
		out.Product, out.Medium, out.Stock = product.Item().String(), string(product.Part.Cable.Medium), round(product.Length)
		out.Instead = round(e.Instead)
		out.Prices = append(out.Prices, p.priceReport(product.Item(), product.Part))
		for _, optic := range []*catalog.Part{product.OpticA, product.OpticB} {
			if optic != nil && (optic != product.OpticA || len(out.Prices) == 1) {
				out.Prices = append(out.Prices, p.priceReport(optic.Item(0), optic))
			}
		}
	}
	return out
}

// priceReport finds a row of the bill.
func (p *Result) priceReport(item catalog.Item, part *catalog.Part) PriceReport {
	out := PriceReport{Part: item.String(), PartSource: part.Source}
	for i := range p.Bill.Rows {
		if r := &p.Bill.Rows[i]; r.Item == item {
			out.Qty, out.Unit, out.From, out.Source, out.Confidence = r.Qty+r.Spares, r.UnitCost, r.From, r.Source, r.Confidence
		}
	}
	return out
}

// ruleText is what a media rule says.
func (p *Result) ruleText(rule int) string {
	switch {
	case rule == 0:
		return "no media rules: anything that fits both ports"
	case rule < 0:
		return "no media rule matches"
	}
	m := &p.Spec.Cabling.Media[rule-1]
	var text []string
	if len(m.Levels) > 0 {
		text = append(text, "levels "+strings.Join(m.Levels, ", "))
	}
	if m.Within != "" {
		text = append(text, "within a "+m.Within)
	}
	if m.Beyond != "" {
		text = append(text, "beyond a "+m.Beyond)
	}
	if m.Longest > 0 {
		text = append(text, fmt.Sprintf("at most %v", m.Longest))
	}
	if len(text) == 0 {
		text = append(text, "all links")
	}
	return strings.Join(text, ", ") + ": use " + strings.Join(m.Use, ", ")
}

// PartReport says what a plan has of a part.
type PartReport struct {
	Part     *catalog.Part `json:"part"`
	Currency string        `json:"currency"`
	Rows     []cost.Row    `json:"bom"` // of the part; cables by length
	// Uses says how many pieces the links of a class take.
	Uses []UseReport `json:"uses"`
}

// UseReport counts pieces by level of the topology and of the layout.
type UseReport struct {
	Product     catalog.Item `json:"product"`
	Level       string       `json:"level"`
	LayoutLevel string       `json:"layout_level"`
	Qty         int64        `json:"qty"`
}

// ExplainPart says what the plan has of a part, whose id may have a length
// ("id@3 m"); nil if the catalog has none of the id. A summary will do.
func (p *Result) ExplainPart(id string) *PartReport {
	asked, misspelt := catalog.ParseItem(id) // no piece has a length that is none
	part := p.Catalog.Part(asked.Part)
	if part == nil {
		return nil
	}
	out := &PartReport{Part: part, Currency: p.Prices.Currency, Rows: []cost.Row{}, Uses: []UseReport{}}
	wanted := func(i catalog.Item) bool {
		return misspelt == nil && (i == asked || i.Family() == asked)
	}
	for _, r := range p.Bill.Rows {
		if wanted(r.Item) {
			out.Rows = append(out.Rows, r)
		}
	}
	s := p.Schedule
	use := func(item catalog.Item, level, within int, n int64) {
		if n > 0 && wanted(item) {
			out.Uses = append(out.Uses, UseReport{item, p.Graph.Levels()[level].Name, p.Placement.Layout.Levels[within].Name, n})
		}
	}
	for level, row := range s.Tallies {
		for within := range row {
			for i, n := range row[within].Product {
				use(s.Products[i].Item(), level, within, n)
			}
			use(part.Item(0), level, within, row[within].Optics[part])
		}
	}
	return out
}
