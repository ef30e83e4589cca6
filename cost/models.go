package cost

// A Model is a way to estimate the cost of a network without planning a room. All but ModelParts, which package machine
// estimates, are for NewEstimate.
type Model struct {
	Name   string
	Doc    string
	Source string
}

// The models.
const (
	ModelParts    = "parts"
	ModelCabinet  = "cabinet"
	ModelSlimFly  = "slim-fly"
	ModelPerseus  = "perseus"
	ModelThinTree = "thin-tree"
	ModelPorts    = "ports"
)

// Models lists the models, the usual one first.
var Models = []Model{
	{
		ModelParts, "the machine as it is planned, with its own parts, prices, places and rules of length, without " +
			"documents and delays",
		"the machine file",
	},
	{ModelCabinet, "the machine's own parts and prices; " + CabinetFloor.String(), CabinetFloor.Source},
	{
		ModelSlimFly, "routers at $350.4 k - 892.3 for k ports, 40 Gb/s cables at $(0.4079 x + 0.5771) a Gb/s for x " +
			"metres of copper in a rack and $(0.0919 x + 7.2745) of fibre beyond, 2.8 W a port; " +
			SlimFlyFloor.String(),
		"M. Besta and T. Hoefler, Slim Fly, SC 2014; the intercept 7.2745 is quoted as 2.7452 elsewhere",
	},
	{
		ModelPerseus,
		"switches at $500 a port, stock QSFP copper to 5 m and fibre beyond at the prices of 2011, $2.50 " +
			"and $6.25 to install a cable in and between racks; " + CabinetFloor.String(),
		"J. Mudigonda, P. Yalagandula and J. C. Mogul, Taming the flying cable monster, USENIX ATC 2011; layout of " +
			"Fujiwara, Koibuchi et al.",
	},
	{
		ModelThinTree, "no money: S switches of radix R cost c_C = S, c_L = S R or c_Q = S R^2",
		"J. Navaridas et al., Parallel Computing 36, 2010, section 6.2",
	},
	{
		ModelPorts, "no money: the ports of a router without those to terminals, as a node's router is on its chip",
		"S. Li, P.-C. Huang and B. Jacob, MEMSYS 2016, section 3",
	},
}

// SourceOf returns where the model of that name is from, "" if there is no such model.
func SourceOf(model string) string {
	for i := range Models {
		if Models[i].Name == model {
			return Models[i].Source
		}
	}
	return ""
}

// ModelNames lists the names of the models.
func ModelNames() []string {
	var names []string
	for i := range Models {
		names = append(names, Models[i].Name)
	}
	return names
}
