package serve

import (
	"encoding/json"
	"net/http"
	"sync"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/units"
)

// partList is the catalog as the page lists it.
type partList struct {
	Parts []catalog.Part `json:"parts"` // in the order of the catalog
	// Prices are those of the parts in every set that has any, by the name of the set and the id of the part. Cables
	// are not among them: their prices go by length.
	Prices map[string]map[string]partPrice `json:"prices"`
}

// partPrice is the price of one piece.
type partPrice struct {
	Unit       units.Money        `json:"unit"`
	Currency   string             `json:"currency"`
	Source     string             `json:"source"`
	Confidence catalog.Confidence `json:"confidence"`
}

// listedParts is the document of the catalog that comes with the program.
var listedParts = sync.OnceValues(func() ([]byte, error) {
	c := catalog.Default()
	out := partList{Parts: c.Parts(), Prices: map[string]map[string]partPrice{}}
	for _, name := range c.PriceSets() {
		set := c.PriceSet(name)
		prices := map[string]partPrice{}
		for i := range out.Parts {
			p := &out.Parts[i]
			if q := set.Quote(p, 0); q.Priced && !p.HasLength() {
				prices[p.ID] = partPrice{q.Unit, set.Currency, q.Source, q.Confidence}
			}
		}
		out.Prices[name] = prices
	}
	return json.Marshal(out)
})

// parts answers with the catalog.
func (s *Server) parts(w http.ResponseWriter, _ *http.Request) {
	text, err := listedParts()
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	limitAnswer(w)
	_, _ = w.Write(text)
}
