// Package page makes the page that shows a plan in a browser: one HTML file with everything in it, which works from
// disk without a network.
//
// New makes the Data of a plan, which is what the page shows: the document of the plan, the room, and every box and
// cable in columns of numbers (Array), compressed. HTML puts the data into the page. The two are apart so that a server
// can send new data to a page that is open: the page's script has plenum.show(data) for it.
//
// The script is written in plain files under assets, which HTML joins; nothing builds or bundles them. It reads the
// data, draws the floor with all cables on a canvas, and makes tables, charts and elevations. The view in three
// dimensions is drawn by three.js (assets/three, MIT licence), which the page carries compressed and unpacks when the
// view is opened. A content security policy keeps the page from fetching anything, and texts from the machine file are
// only ever set as text.
//
// The same plan gives the same bytes.
package page
