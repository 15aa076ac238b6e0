// Package plots draws figures from what other steps wrote: records, cells, sweeps and events. It runs nothing.
//
// Conflicts sets published, simulated and measured conflict rates side by side, Agreement sets measured counts against
// simulated ones, Timeline tells the story of one run lane by lane. Of many cells, Forecasts, Transforms and Coverage show
// how far predictions can be trusted. Safety sets what goes wrong in several scenarios against what it costs, Contention shows
// how both grow with the number of workers. Figures chooses among them by what there is to draw, and draws sweeps: curves over
// one axis, heat maps over two, panels for a third, with lost holds beside the conflicts. Each is a Figure, which Save
// writes in the format that the file's name asks for.
//
// All are made for a slide: 16:9, large type, colours of Okabe and Ito that colour-blind people tell apart, and
// always a second cue beside the colour: a shape, a hatch or a word. The same input gives the same bytes.
package plots
