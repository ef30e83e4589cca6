// Package opensm makes routing tables of an InfiniBand fabric that OpenSM loads (opensm -R file -U FILE), free of
// deadlocks: up and down in one virtual lane, spread over parallel ways, or over shortest paths in several lanes.
//
// OpenSM's file routing has no lanes, so a destination has one: a QoS policy gives whoever asks for a path to it that
// service level, and every port leads the level into the lane of its number. OpenSM's own routing nue gives
// destinations lanes in the same way.
//
// A plan does not know the GUIDs of delivered devices: they come from the output of ibnetdiscover in the fabric, where
// switches are found by their names and adapters by the ports that they are plugged into.
package opensm
