package page

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/render/palette"
)

// Colours are those of package render/palette, as #RRGGBB.
type Colours struct {
	Series []string          `json:"series"` // of things that are only told apart
	Heat   []string          `json:"heat"`   // of shares, from none to all
	Media  map[string]string `json:"media"`  // by medium; without a name for anything else
	Kinds  map[string]string `json:"kinds"`  // by kinds of cost, as plan.cost names them
	// TraySteps are the greatest shares of a tray's limit up to which trays have one of the colours --tray0, --tray1
	// and so on; those above the last have the one that follows.
	TraySteps []float64 `json:"tray_steps"`
}

func hex(c color.RGBA) string { return "#" + palette.Hex(c) }

// allColours are the colours of the other drawings.
func allColours() Colours {
	const series, steps = 8, 6
	out := Colours{Media: map[string]string{"": hex(palette.Medium(""))}, Kinds: map[string]string{
		"nodes": hex(palette.Nodes), "switches": hex(palette.Switches), "adapters": hex(palette.Adapters),
		"cables": hex(palette.Cables), "optics": hex(palette.Optics), "panels": hex(palette.Panels),
		"midplanes": hex(palette.Midplanes), "racks": hex(palette.Racks), "hoses": hex(palette.Hoses),
		"labour":  hex(palette.Labour),
		"freight": hex(palette.Yellow), "contingency": hex(palette.Other), "services": hex(palette.Services),
	}}
	for i := range series {
		if c := palette.Series(i); c != palette.Black { // which nobody sees on dark ground
			out.Series = append(out.Series, hex(c))
		}
	}
	for i := range steps {
		out.Heat = append(out.Heat, hex(palette.Heat(float64(i)/(steps-1))))
	}
	for _, m := range []catalog.Medium{
		catalog.PassiveCopper, catalog.ActiveCopper, catalog.ActiveOptical, catalog.Multimode, catalog.SingleMode,
	} {
		out.Media[string(m)] = hex(palette.Medium(m))
	}
	out.TraySteps = palette.TraySteps[:len(palette.TraySteps)-1]
	return out
}

// dimBehind returns the fill of a rack behind cables on dark ground. All fills are darker by the same value, so that
// the greys differ as much as on light ground.
func dimBehind(fill color.RGBA) color.RGBA {
	const darker = 110 // leaves the lightest dark enough for words
	c := palette.Behind(fill)
	if c == fill {
		return palette.Dim(fill)
	}
	less := func(v uint8) uint8 { return v - min(v, darker) }
	return color.RGBA{less(c.R), less(c.G), less(c.B), 0xff}
}

// roomColours are the colours of what stands in a room as variables of a stylesheet, of the light dress and of the dark
// one. Trays are darker where they are fuller, on dark ground brighter.
func roomColours() string {
	fills := []struct {
		name string
		c    color.RGBA
	}{
		{"rack-nodes", palette.NodeFill},
		{"rack-mixed", palette.MixedFill},
		{"rack-switches", palette.SwitchFill},
		{"rack-service", palette.ServiceFill},
		{"rack-servers", palette.ServedFill},
		{"rack-end", palette.EndFill},
		{"rack-middle", palette.MiddleFill},
		{"rack-panel", palette.PanelFill},
	}
	var light, dark strings.Builder
	for _, f := range fills {
		fmt.Fprintf(&light, "--%s: %s; --%s-behind: %s; ", f.name, hex(f.c), f.name, hex(palette.Behind(f.c)))
		fmt.Fprintf(&dark, "--%s: %s; --%s-behind: %s; ", f.name, hex(palette.Dim(f.c)), f.name, hex(dimBehind(f.c)))
	}
	for i := range palette.TraySteps {
		fmt.Fprintf(&light, "--tray%d: %sa0; ", i, hex(palette.Tray(i)))
		fmt.Fprintf(&dark, "--tray%d: %sa0; ", i, hex(palette.DimTray(i)))
	}
	fmt.Fprintf(&light, "--free: %s; --cold: %s; --hot: %s; --wall: %s; --door: %s; --keep-line: %s; --column: %s; "+
		"--beyond: %s; --front: %s; --traybox: %s; --cold-ink: %s; --hot-ink: %s", hex(palette.Free), hex(palette.Cold),
		hex(palette.Hot), hex(palette.Wall), hex(palette.Door), hex(palette.KeepOut), hex(palette.Column),
		hex(palette.Beyond), hex(palette.Front), hex(palette.Outline), hex(palette.ColdInk), hex(palette.HotInk))
	return fmt.Sprintf(":root { %s; }\n:root[data-theme=\"dark\"] { %s}\n@media (prefers-color-scheme: dark) "+
		"{ :root:not([data-theme=\"light\"]) { %s} }\n", light.String(), dark.String(), dark.String())
}
