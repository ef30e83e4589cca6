// Package examples embeds machine files of machines that exist, for the
// command line, for tests and to start from.
package examples

import "embed"

// Default is the machine that `plenum plan` plans when no file is given.
const Default = "superpod-h100-compute.yaml"

// Files holds the machine files by name.
//
//go:embed *.yaml
var Files embed.FS
