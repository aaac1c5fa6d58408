package bench

import (
	"fmt"
	"html"
	"strings"
)

// The plot's measures, in pixels.
const (
	plotWidth  = 960
	labelWidth = 300
	barHeight  = 14
	groupGap   = 14
	header     = 70
	// scaleEnd is the ratio at the right edge; a longer bar is cut and says its number.
	scaleEnd = 2.0
	// aim is the ratio that tutti is held to.
	aim = 1.10
)

// colour is a side's, told apart also without colour by its place and number.
func colour(side Side) string {
	switch side {
	case Tutti:
		return "#1f5fae"
	case NoMirror:
		return "#7fb0e6"
	case Bare:
		return "#8a8a8a"
	default:
		return "#c9c9c9"
	}
}

// SVG plots each measure of each side as a multiple of the bare side's.
func (r *Report) SVG() string {
	var rows strings.Builder
	y := header
	for _, m := range r.Measures {
		if _, ok := m.Ratio(Tutti, Bare); !ok {
			continue
		}
		top := y
		for _, side := range Sides() {
			if value, ok := m.Ratio(side, Bare); ok {
				y = bar(&rows, y, side, value, m)
			}
		}
		text(&rows, 8, (top+y)/2+4, m.Name, "")
		y += groupGap
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", plotWidth, y+20)
	b.WriteString(`<rect width="100%" height="100%" fill="white"/>` + "\n")
	text(&b, 8, 22, "Cost beside a bare Temporal workflow with the same activities and answers store (less is better)", ` font-weight="bold"`)
	text(&b, 8, 40, r.Machine, "")
	x := labelWidth
	for _, side := range Sides() {
		fmt.Fprintf(&b, `<rect x="%d" y="48" width="10" height="10" fill="%s"/>`+"\n", x, colour(side))
		text(&b, x+14, 57, string(side), "")
		x += 150
	}
	b.WriteString(rows.String())
	mark(&b, 1, y, "#444", "")
	mark(&b, aim, y, "#c03030", ` stroke-dasharray="4 3"`)
	b.WriteString("</svg>\n")
	return b.String()
}

// bar draws one side and returns where the next begins.
func bar(b *strings.Builder, y int, side Side, value float64, m *Measure) int {
	width := place(min(value, scaleEnd)) - labelWidth
	middle, ok := m.Median(side)
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", labelWidth, y, width, barHeight-2, colour(side))
	text(b, labelWidth+width+6, y+barHeight-4, fmt.Sprintf("%.2f (%s %s)", value, number(middle, ok), m.Unit), ` fill="#333"`)
	return y + barHeight
}

func mark(b *strings.Builder, at float64, bottom int, stroke, more string) {
	fmt.Fprintf(b, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s"%s/>`+"\n", place(at), header-6, place(at), bottom, stroke, more)
}

// place is where a ratio stands from the left.
func place(value float64) int {
	return labelWidth + int(value/scaleEnd*(plotWidth-labelWidth-190))
}

func text(b *strings.Builder, x, y int, s, more string) {
	fmt.Fprintf(b, `<text x="%d" y="%d"%s>%s</text>`+"\n", x, y, more, html.EscapeString(s))
}
