package machine

// LoadRacks holds the racks of a plan against their limits once more.
func LoadRacks(p *Result) { p.loadRacks(p.Catalog.Part(p.Spec.Room.Rack)) }
