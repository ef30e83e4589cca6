package cabling

import (
	"slices"

	"github.com/plenum-planner/plenum/diag"
)

// Rule is a design rule that a plan is checked against.
type Rule struct {
	ID       string
	Severity diag.Severity // a plan with a violation of an Error cannot be built as it is
	Text     string        // what must hold
	Why      string        // why it matters, and how it is checked
	Mend     string        // what helps against a violation
}

// The rules.
var (
	RuleReach = Rule{
		"reach", diag.Error, "Every cable needs a product that is long enough, fits both ports and is allowed by the " +
			"media policy.",
		"A cable that no product can make cannot be ordered. The need is the routed length with its slack; the " +
			"longest piece on offer is that of the stocked lengths, or the reach of the optics where that is less. " +
			"The violation names both ends and what is in the way under the media rule that decides: the need and " +
			"the " +
			"longest piece, the transceivers in the cages, or that no product is allowed, with where the other links " +
			"of a cage lead.",
		"Allow another medium for these links, move their ends together, or add a part that reaches.",
	}
	RulePorts = Rule{
		"ports", diag.Error, "A box has a port for every link, and no port takes two.",
		"A vertex with more links than its box has ports cannot be plugged. Ports are held against the part's list, " +
			"once for each kind of vertex; two channels at one port are found by marking every port that is used.",
		"Choose a larger box, or a smaller radix of the topology.",
	}
	RuleOptics = Rule{
		"optics", diag.Error, "All links of one cage use the same transceiver, and the transceivers at both ends of " +
			"a fibre agree.",
		"A cage takes one transceiver. Two optics, in cages or inside boxes, talk only if standard, medium and rate " +
			"of " +
			"a lane are the same, and the fibre between them has a plug for each.",
		"Give the links of a cage one medium: by a media rule for their level, or with another box.",
	}
	RuleLoss = Rule{
		"insertion-loss", diag.Error, "A link over patch panels loses no more light than its optics allow.",
		"Each panel that a link passes is one mated pair more. The loss is that of two panels and of the attenuation " +
			"of both patch cords and the trunk, in the lengths that are bought; the plugs in the optics are within " +
			"the optics' own budget. Held against the budget of the optic that allows less; where a part states no " +
			"loss, the link is not checked and the plan says so.",
		"Take optics with a larger budget, panels with low-loss adapters, or single cables for these links.",
	}
	RuleBreakout = Rule{
		"breakout", diag.Warning, "Both ports of a link run at the same rate.",
		"A cable between ports of different rates runs at the lower one, and the rest of the faster port is paid for " +
			"and lost. The violation is listed once for each pair of ports.",
		"Divide the faster port with a splitter, or choose boxes of one rate.",
	}
	RuleBend = Rule{
		"bend-radius", diag.Error, "A cable bends no tighter than its maker allows.",
		"Between a box's ports and the door on that side of the rack a cable has to turn once, and at the tray's " +
			"edge again. The room is what the rack's depth leaves on either side of a box that stands in its middle, " +
			"and the tray's width; both are held against the least bend radius of every product used there.",
		"Take a deeper rack, a shorter box, a wider tray or a thinner cable.",
	}
	RuleCrossHall = Rule{
		"cross-hall-copper", diag.Warning, "No copper cable joins two halls.",
		"Halls have earths of their own; a copper shield between them carries what flows from one to the other, and " +
			"lightning. Checked for every cable whose ends are in different halls.",
		"Put a media rule before the others that allows fibre or active optical cables only beyond the hall.",
	}
	RuleTrayFill = Rule{
		"tray-fill", diag.Error, "No tray is filled beyond its limit.",
		"Cables in an overfull tray cannot be reached, and the lower ones are crushed and cook. The fill is the " +
			"cross-section of the cables divided by that of the tray. Cables are led around full pieces first; the " +
			"violation " +
			"names a piece for which that was not enough, and its excess.",
		"Add cross trays, levels or wider trays, or take thinner cables.",
	}
	RuleGapFill = Rule{
		"gap-fill", diag.Warning, "The cables between containers fit into the gaps between them.",
		"Cables take room, and where many leave a container, the next one has to keep its distance. A cable runs " +
			"along x, then y, then z, as Manhattan lengths are measured, and crosses the gaps between neighbouring " +
			"containers on its way: inside the containers that hold one of its ends; around all others it is led. " +
			"The cross-section of the cables that cross a gap is held against that of the gap, its width by the " +
			"shorter side of the containers beside it, and the `fill` of the level. Warned of once for each " +
			"level, with the fullest gap. The innermost level is not checked: its cells are places for " +
			"boxes, whose distance is stated.",
		"Give the level the pitch that the violation names, or `pitch: fit`, or take thinner cables.",
	}
	RuleSeparation = Rule{
		"tray-separation", diag.Error, "Data cables keep their distance from power.",
		"Currents of the mains couple into copper beside them, and a fault there must not reach it. Held against " +
			"room.trays.separation is the clear height between a level of power trays and every level of data trays; " +
			"data cables never lie on a power tray.",
		"Move the levels apart, or state a smaller room.trays.separation where they are shielded.",
	}
	RuleRedundancy = Rule{
		"redundancy", diag.Warning, "The cables of a node with several rails do not all run through one piece of tray.",
		"Rails are there so that a node survives the loss of one. If all of its cables share a piece of tray, a fire " +
			"or a slip of a saw there takes them all. Checked for terminals with two links or more of their " +
			"fastest rate, on trays, where the plan lists its cables; the violation is listed once for each row of " +
			"racks.",
		"Put the switches of the rails on different sides of the nodes, or suppress the rule where rails are there " +
			"for bandwidth.",
	}
	RuleLabels = Rule{
		"labels", diag.Error, "Every end of a cable has a label of its own.",
		"A technician finds a port by its label: place, device and port number. Two ports of a box with the same " +
			"number, or two kinds of boxes with the same code, make two ends alike.",
		"Give the port groups of the part different first numbers, the kinds of boxes different names.",
	}
	RuleUnits = Rule{
		"rack-units", diag.Error, "What stands in a rack takes no more units than it has.",
		"Boxes, chassis and patch panels take whole rack units, one above the other.",
		"Allow more racks, or fewer boxes in one.",
	}
	RuleEntry = Rule{
		"entry", diag.Error, "The cables that leave a rack fit through its openings and into its cable managers, and " +
			"bend there no tighter than their makers allow.",
		"Cables on trays above the racks leave through openings in the top, those on trays below the floor through " +
			"the bottom. Their cross-section is held against that of the openings at that side, of which cables may " +
			"take 50 % unless the part states another fill, and against that of all cable managers of the rack, in " +
			"which they run. The least bend radius of each cable that states one is held against the bend of the " +
			"openings, and of the managers, if all of them state it. Cables inside the rack are left out. Checked " +
			"where the rack part states openings.",
		"Spread the switches over more racks, take a rack with larger openings and rounder edges, or thinner cables.",
	}
	RulePower = Rule{
		"rack-power", diag.Error, "The boxes, optics and cables of a rack draw no more than the rack can supply.",
		"Each part draws what it states, an optic and the end of an active cable in the rack that it is plugged in.",
		"Allow fewer boxes in a rack (per_rack), or choose a rack that supplies more.",
	}
	RuleBusbar = Rule{
		"rack-busbar", diag.Error, "The busbar of a rack carries the current of its boxes.",
		"The power of the rack by the lowest voltage of its busbar is the current at the worst section of the bar: " +
			"that beside power shelves which all stand at one end. Bars share it evenly. Shelves in the middle or at " +
			"both ends make it less, which is not looked at. Checked where the rack part states a busbar.",
		"Allow fewer boxes in a rack (per_rack), choose a rack with more bars, or suppress the rule where shelves " +
			"stand apart, with that as the reason.",
	}
	RuleWeight = Rule{
		"rack-weight", diag.Error, "The boxes and cables of a rack weigh no more than it bears.",
		"Weights are the parts' own; a part that states none weighs nothing here, and the sheet Racks names it. A " +
			"cable inside the rack counts whole, in the length that is bought. One that leaves the rack counts at " +
			"each end with half of what its run along the trays leaves: the ways up and down, slack and surplus. " +
			"Patch panels count with the boxes.",
		"Allow fewer boxes in a rack (per_rack), or choose a rack that bears more.",
	}
	RuleRowPower = Rule{
		"row-power", diag.Error, "The racks of a row draw no more than the row can supply.",
		"A row hangs on one busway, or on one of each feed. The limits are room.row_power and, for what a feed gives " +
			"to a row with all feeds and without one of the others, row_power of room.feeds.",
		"Allow fewer racks in a row, or mix racks that draw less into it.",
	}
	RuleOutlets = Rule{
		"outlets", diag.Error, "Every power inlet has an outlet that fits it and carries its current.",
		"Where boxes of a rack have outlets (supply) and the room has feeds, all inlets of its boxes are plugged in: " +
			"C14 into C13, C20 into C19, both into C39, clips of the busbar onto that of the rack. Currents are held " +
			"against the ratings of IEC 60320 (10 A for C14, 16 A for C20), with all feeds and without one of them, " +
			"and the voltage of outlets against its 250 V. " +
			"A box with outlets needs a feed that has its rack. Boxes whose part states no inlets are listed by the " +
			"plan and not checked.",
		"Add supplies or outlets to the rack, take other ones, or allow fewer boxes in it.",
	}
	RuleBreaker = Rule{
		"breaker", diag.Error, "No supply of a rack gives more than its breaker carries for hours, or than it can.",
		"The current in each line, at a power factor of 1, is held against 80 % of the breaker (breaker_load of " +
			"room.feeds), with all feeds, without one of them and without the power shelves that may fail: the rest " +
			"has to carry the whole rack. What a power shelf gives is held against its power. A supply whose voltage " +
			"or breaker is not stated is not checked.",
		"Take supplies with larger breakers, add some, or allow fewer boxes in the rack.",
	}
	RuleFeedLoss = Rule{
		"feed-loss", diag.Warning, "All boxes keep running when a feed is lost.",
		"Each feed is taken away in turn. A box goes dark if fewer of its inlets have power than it needs by its " +
			"redundancy. Supplies that are loaded beyond their breaker or their power after that switch off as well, " +
			"with what hangs on them. A box whose part does not state the redundancy of several inlets is taken to " +
			"run on one. Where a template states the redundancy of its power shelves, as many as may fail are taken " +
			"away as well: the choice of them that turns off most boxes.",
		"Give the rack supplies on two feeds, boxes a second inlet, or suppress the rule for racks that may stop.",
	}
	RuleCooling = Rule{
		"cooling", diag.Error, "Coolant and air take the heat of the racks away.",
		"The heat of a rack that its parts state to go to liquid is held against the loop of coolant that has the " +
			"rack: that of all its racks against the capacity of its coolant distribution units, and, where the loop " +
			"states flow_per_kw and the part its flow, the flow that it needs against what they pump. Units to spare " +
			"do not count. Where a machine has such units, every rack with heat to liquid needs a loop, and hoses " +
			"no longer than the part of the loop (hose) is sold. The other " +
			"heat of a row, that of parts which do not state where it goes included, is held against room.row_air.",
		"Add units or larger ones, divide racks among more loops, or spread racks over more rows.",
	}
	RuleTierLoss = Rule{
		"tier-loss", diag.Warning, "The loss of one rack or of one feed leaves every tier of a fabric a switch.",
		"Without a whole tier, such as all spines, a fabric joins nothing. Checked for each kind of switches of " +
			"which a fabric has several, in rooms with several feeds: whether all stand in one rack, while the " +
			"fabric has boxes in other racks; whether all go dark without a feed, as feed-loss finds it; and, where " +
			"there is no power schedule, whether all stand at positions that draw from one feed alone.",
		"Let the switches stand apart (embedding.apart), in more racks or rows, or give them inlets on two feeds.",
	}
	RuleRowWeight = Rule{
		"row-weight", diag.Error, "The boxes and cables of a row weigh no more than its floor bears.",
		"The limit is room.row_weight. Weights are those of rack-weight.",
		"Allow fewer racks in a row.",
	}
	RuleFloorLoad = Rule{
		"floor-load", diag.Error, "Racks with their boxes and cables weigh no more than the floor under them bears.",
		"A raised floor or a slab bears so much on a square metre. A rack loads the floor that it stands on and half " +
			"of the aisles before and behind it, over its own width: its weight with all that stands in it, by that " +
			"area, is held against room.floor_load. Where there is no aisle, the floor up to the wall counts, and no " +
			"more than half of the wider kind of aisle. Feet on single tiles are not looked at.",
		"Allow fewer boxes in a rack (per_rack), make the aisles wider, or spread the load with plates.",
	}
	RuleAisle = Rule{
		"aisle", diag.Warning, "Columns, walls and keep-outs leave enough of every aisle free.",
		"People and racks on castors have to pass. Beside each obstacle, the widest way past it across the aisle is " +
			"held against room.aisle_clear, as wide as a hot aisle of which nothing is said when left out; an aisle " +
			"that is narrower anyway has to be free as wide as it is. An obstacle counts as the rectangle around its " +
			"part in the aisle, the floor before a door not at all. Checked for aisles at which racks stand.",
		"Move the rows or the obstacle, make the aisle wider, or state a smaller room.aisle_clear.",
	}
	RuleGrowth = Rule{
		"growth", diag.Warning, "Racks grow to the number that the file states without a link that moves or a rule " +
			"that is broken.",
		"Where templates of racks state growth, the larger machine is planned as well, in the same room and as if " +
			"nothing existed. Reported are: what keeps it from being planned, such as missing positions or ports; " +
			"how many links between boxes of this machine it has not, with a lower bound over all positions in the " +
			"topology; trays that its cables fill beyond their limit; and what any other rule reports of it, such as " +
			"too little cooling or power, where that rule does not report this machine already. Links of boxes that " +
			"are plugged in by where they stand are not counted.",
		"Add positions to the room, take spines with more ports or more spines from the start, or reserve trays.",
	}
	RulePolarity = Rule{
		"polarity", diag.Warning, "Angled MPO plugs meet key up to key down.",
		"The ends of angled (APC) plugs fit each other only where one is turned over, as adapters of type A have " +
			"them. By polarity method B all adapters are of type B, key up to key up, so that angled ends stand " +
			"against each other. Checked for the panels of structured cabling.",
		"Leave cabling.structured.polarity out, or ask for A or C.",
	}
	RuleMatedPairs = Rule{
		"mated-pairs", diag.Warning, "A link passes no more mated pairs of plugs than is allowed: two.",
		"The reach of transceivers is stated for links over two panels, and each pair of plugs loses and reflects " +
			"light. A patch panel is one pair, a cassette two (its front and its rear), a shuffle two, an adapter in " +
			"which octopus cables meet one; the plugs in the transceivers are not counted. " +
			"cabling.mated_pairs allows another number. What the pairs lose is checked by insertion-loss.",
		"Take patch panels in place of cassettes, or allow more (cabling.mated_pairs) where transceivers bear it.",
	}
	RuleStrands = Rule{
		"strands", diag.Error, "Every fibre of a link over panels and trunks leads from its transmitter to its " +
			"receiver.",
		"A cassette or a trunk that is wired otherwise leads light to another adapter, to a position at which the " +
			"transceiver sends, or to a position without a fibre, as that in the middle of plugs of base 8. Each " +
			"fibre is followed over its cords, panels and trunk by the polarity method; `plenum explain` with the id " +
			"of a cable lists the positions. Links are not checked whose transceivers have no fibre for each lane.",
		"Take cassettes of one part at both ends, a trunk with more fibres, or another cabling.structured.polarity.",
	}
	RulePrice = Rule{
		"price", diag.Warning, "Every part that is bought has a price; a total without one excludes it.",
		"A part without a price is never counted as free: the total says what it leaves out. Nodes, which are seldom " +
			"bought with the network, are exempt.",
		"Add the price under prices.unit, or a quote.",
	}
)

// Rules lists all design rules.
var Rules = []Rule{
	RuleReach, RulePorts, RuleOptics, RuleLoss, RuleBreakout, RuleBend, RuleCrossHall, RuleTrayFill, RuleGapFill,
	RuleSeparation, RuleRedundancy, RuleLabels,
	RuleUnits, RuleEntry, RulePower, RuleBusbar, RuleWeight, RuleRowPower, RuleOutlets, RuleBreaker, RuleFeedLoss,
	RuleCooling, RuleTierLoss, RuleRowWeight, RuleFloorLoad, RuleAisle, RuleGrowth, RulePolarity, RuleStrands,
	RuleMatedPairs, RulePrice,
}

// RuleIDs lists the ids of all design rules.
func RuleIDs() []string {
	var ids []string
	for i := range Rules {
		ids = append(ids, Rules[i].ID)
	}
	return ids
}

// FindRule returns the rule of that id, nil if there is none.
func FindRule(id string) *Rule {
	if i := slices.Index(RuleIDs(), id); i >= 0 {
		return &Rules[i]
	}
	return nil
}
