package spec

// Rules changes how a plan is held against the design rules.
type Rules struct {
	Suppress []Suppression `yaml:"suppress,omitempty" json:"suppress,omitempty"`
}

// Suppression keeps violations of one design rule from counting.
type Suppression struct {
	Rule   string `yaml:"rule" json:"rule"`
	Where  string `yaml:"where,omitempty" json:"where,omitempty"`
	Reason string `yaml:"reason" json:"reason"`
}
