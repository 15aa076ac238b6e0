package page

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"regexp"

	"locklab/plots"
)

// drawn is a figure as the template wants it.
type drawn struct {
	Name, Title, About string
	SVG                template.HTML
	Numbers            plots.Numbers
}

// opening is the beginning of an SVG document, up to the end of its first tag.
var opening = regexp.MustCompile(`(?s)^.*?<svg[^>]*viewBox="([^"]*)"[^>]*>`)

// inline makes a figure's SVG a part of a page, for readers of the screen too.
func inline(f *plots.Figure) (drawn, error) {
	var data bytes.Buffer
	if err := f.WriteBareSVG(&data); err != nil {
		return drawn{}, fmt.Errorf("draw %s: %w", f.Name, err)
	}
	d := drawn{Name: f.Name, Title: f.Title, About: f.About, Numbers: f.Numbers}
	begin := opening.FindSubmatchIndex(data.Bytes())
	if begin == nil {
		return drawn{}, fmt.Errorf("draw %s: its SVG has no viewBox", f.Name)
	}
	box := data.Bytes()[begin[2]:begin[3]]
	id := "figure-" + f.Name
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="%s" role="img" aria-labelledby="%s-title %s-about"><title id="%s-title">%s</title><desc id="%s-about">%s</desc>`,
		box, id, id, id, html.EscapeString(f.Title), id, html.EscapeString(f.About))
	d.SVG = template.HTML(head + string(data.Bytes()[begin[1]:]))
	return d, nil
}
