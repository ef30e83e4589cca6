// Package opensm makes routing tables of an InfiniBand fabric that OpenSM loads (opensm -R file -U FILE): up and down,
// free of deadlocks in one virtual lane, spread over parallel ways.
//
// A plan does not know the GUIDs of what is bought: they come from the output of ibnetdiscover in the fabric, where
// switches are found by their names and adapters by the ports that they are plugged into.
package opensm
