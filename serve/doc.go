// Package serve shows the plan of a machine file in a browser while the file is edited: the page of package
// render/page, with an editor beside it.
//
// It is a web server for the one person who started it. It listens on the loopback interface, and whoever asks must
// know the random token of its address, so that neither other machines nor other users and programs of this one reach
// it. Web pages of other origins, which a browser lets send requests to 127.0.0.1, are refused by their headers: Host
// (DNS rebinding), Origin and Sec-Fetch-Site.
//
// The file is read when the page is opened, planned as it is edited, and written back whole only when asked to, only if
// it can be read as a machine file, and never over changes that others have made since. So are its variants, which
// stand beside it (variant.go).
//
// One plan is made at a time. A newer text of the same page ends the plan of the older one (planner.go). Sliders change
// the text of the file where the value stands (edit.go), so that the file is all there is.
package serve
