// Package fabrics makes one graph of the networks of a machine.
//
// A machine may have several fabrics, each a topology by itself, over the same boxes: a server has ports for
// computing, for storage and for its management, and a switch of one fabric is managed over another. [Plug] puts
// boxes of several kinds, with unequal numbers of ports, at the places that a topology has for nodes. [Uplinks] are
// the links from the switches of one fabric to those of another. [Join] joins all of them over the boxes that they
// share, so that these can be placed and cabled together.
package fabrics
