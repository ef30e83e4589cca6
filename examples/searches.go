package examples

import "embed"

// Searches holds search files to start from, below searches.
//
//go:embed searches/*.yaml
var Searches embed.FS
