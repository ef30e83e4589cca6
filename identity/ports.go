package identity

import (
	"maps"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

// Way is how a box or a port was identified.
type Way string

// The ways, the surest first. The last two are guesses.
const (
	Unidentified Way = ""
	ByName       Way = "name"        // of a box, as the plan has it
	ByLabel      Way = "label"       // what is printed at a port
	ByInterface  Way = "interface"   // what the operating system calls a port
	ByDevice     Way = "device"      // the RDMA device of a port
	ByPCI        Way = "pci"         // the place on the bus, as in ibp220s0
	ByAlias      Way = "alias"       // another name that the part has for a port
	ByPattern    Way = "pattern"     // another form of one of these, as Et1/1 for Ethernet1/1
	ByMap        Way = "map"         // what a map says
	BySubnet     Way = "subnet port" // the number of a port in its InfiniBand subnet
	ByOnly       Way = "only port"   // the one port of a box with one adapter
	ByStructure  Way = "structure"   // how a box is cabled
	ByNumber     Way = "number"      // a number in the text
)

// Ways lists the ways to identify something, the surest first.
var Ways = []Way{
	ByName, ByLabel, ByInterface, ByDevice, ByPCI, ByAlias, ByPattern, ByMap, BySubnet, ByOnly,
	ByStructure, ByNumber,
}

// Guess reports whether the way is none that a name proves.
func (w Way) Guess() bool { return w == ByStructure || w == ByNumber }

// Claim is what a source says of a port.
type Claim struct {
	Text   string // as the source calls the port
	Subnet bool   // Text is the number of the port in its subnet
	MAC    bool   // Text is an address of hardware
	Untold bool   // Text names no port
	Also   string // a second text, which counts only where it is exactly a name of a port
	Outer  string // the printed number of a port of a switch of several chips
	Chip   string // the chip that Text is a port of, as L03/U1
	Device string // the RDMA device that Text is a port of
	Only   bool   // Device is the only one of its box that the source has
	Lane   int    // of what the port is broken out into, from 1; 0 where the source does not tell
}

// ports are those of the boxes of a kind, by what they are called.
type ports struct {
	plugged int // ports that links of the plan may be in; the rest of the box's ports come after them
	names   []catalog.PortIdentity
	by      [len(classes)]map[string][]int32
	// canonical has all names in the form that canonical gives them.
	canonical map[string][]int32
	// wholes are the ports that ports are broken out of, by any of their names, with the lanes in order.
	wholes    map[string][]int32
	lanes     []int           // by port, the number of its lane, from 1; 0 for a whole port
	subnet    map[int][]int32 // ports by their number in a subnet
	numeric   bool            // all labels are numbers
	systems   bool            // the operating system's name of some port is known
	hasDevice bool
}

// classes are the names of a port, the surest first.
var classes = [...]struct {
	way Way
	of  func(p *catalog.PortIdentity) []string
}{
	{ByLabel, func(p *catalog.PortIdentity) []string { return []string{p.Label} }},
	{ByInterface, func(p *catalog.PortIdentity) []string { return []string{p.Interface} }},
	{ByDevice, func(p *catalog.PortIdentity) []string { return []string{p.Device} }},
	{ByPCI, func(p *catalog.PortIdentity) []string { return []string{p.PCI} }},
	{ByAlias, func(p *catalog.PortIdentity) []string { return p.Aliases }},
}

// newPorts lists all ports of a box: those that the plan has links for, as many as most at least, then the others of
// its part.
func newPorts(box *cabling.Box, most int) *ports {
	p := &ports{canonical: map[string][]int32{}, wholes: map[string][]int32{}, subnet: map[int][]int32{}, numeric: true}
	for c := range p.by {
		p.by[c] = map[string][]int32{}
	}
	for i := range box.Ports {
		port := &box.Ports[i]
		p.subnet[port.Number] = append(p.subnet[port.Number], int32(i))
		p.addPort(port)
	}
	for len(p.names) < most {
		p.subnet[len(p.names)+1] = []int32{int32(len(p.names))}
		p.add(catalog.PortIdentity{Label: strconv.Itoa(len(p.names) + 1)}, 0)
	}
	p.plugged = len(p.names)
	numeric, plugged := p.numeric, maps.Clone(p.by[0])
	for _, port := range box.Spare() {
		if plugged[fold(port.Identity().Label)] != nil {
			continue // the label means the port that links may be in
		}
		if port.Number > 0 && p.subnet[port.Number] == nil {
			p.subnet[port.Number] = []int32{int32(len(p.names))}
		}
		p.addPort(&port)
	}
	p.numeric = numeric
	return p
}

// addPort adds a port of a box, and the names of the port that it is part of. Such a name means the parts that links
// may be in, if there are any.
func (p *ports) addPort(port *cabling.Port) {
	at := int32(len(p.names))
	p.add(port.Identity(), port.Lane)
	if port.Lane == 0 {
		return
	}
	whole := port.WholeIdentity()
	for _, class := range classes {
		for _, name := range class.of(&whole) {
			of := p.wholes[fold(name)]
			if spare := len(of) > 0 && int(of[0]) < p.plugged; name != "" && !spare &&
				(of == nil || of[len(of)-1] != at) {
				p.wholes[fold(name)] = append(of, at)
			}
		}
	}
}

func (p *ports) add(id catalog.PortIdentity, lane int) {
	at := int32(len(p.names))
	p.names, p.lanes = append(p.names, id), append(p.lanes, lane)
	for c, class := range classes {
		for _, name := range class.of(&id) {
			if name == "" {
				continue
			}
			p.by[c][fold(name)] = append(p.by[c][fold(name)], at)
			form := canonical(name)
			if last := p.canonical[form]; len(last) == 0 || last[len(last)-1] != at {
				p.canonical[form] = append(last, at)
			}
		}
	}
	p.numeric = p.numeric && isNumber(id.Label)
	p.systems = p.systems || id.Interface != ""
	p.hasDevice = p.hasDevice || id.Device != ""
}

// find returns the ports that a claim means: several where it names one that is broken out and not its lane, or where
// the plan has a port twice, and none where it is not identified.
func (p *ports) find(c *Claim) ([]int32, Way) {
	if c.Untold || c.MAC {
		return p.beside(c)
	}
	if c.Device != "" {
		return p.ofDevice(c)
	}
	if strings.Contains(c.Chip, "/") {
		return p.ofDirector(c)
	}
	if c.Subnet {
		return p.ofSubnet(c)
	}
	if found, way := p.exact(c.Text, c.Lane); found != nil {
		return found, way
	}
	if found := p.pattern(c.Text, c.Lane); found != nil {
		return found, ByPattern
	}
	if found := p.onBus(c.Text); found != nil {
		return found, ByPCI
	}
	return p.findByNumber(c.Text)
}

// beside finds a port by a description beside an address, which has to be exactly what the port is called.
func (p *ports) beside(c *Claim) ([]int32, Way) {
	if found, way := p.exact(c.Also, 0); found != nil {
		return found, way
	}
	if number, ok := strings.CutPrefix(fold(c.Also), "swp"); ok && p.numeric && isNumber(number) {
		if found := p.canonical[number]; found != nil {
			return found, ByPattern
		}
	}
	return nil, Unidentified
}

// ofSubnet finds a port by its number in a subnet. Systems of several trays write 2/7; where no port is called so, tray
// 0 or 1 has all of them.
func (p *ports) ofSubnet(c *Claim) ([]int32, Way) {
	text := c.Text
	if tray, number, ok := strings.Cut(text, "/"); ok {
		if found, way := p.exact(text, c.Lane); found != nil {
			return found, way
		}
		if tray == "0" || tray == "1" {
			text = number
		}
	}
	if n, err := strconv.Atoi(text); err == nil {
		if found := p.subnet[n]; found != nil {
			return found, BySubnet
		}
		return nil, Unidentified
	}
	if found, way := p.exact(c.Text, c.Lane); found != nil {
		return found, way
	}
	if found := p.pattern(c.Text, c.Lane); found != nil {
		return found, ByPattern
	}
	return nil, Unidentified
}

// exact finds ports by one of their names as it stands, or by that of the port that they are broken out of.
func (p *ports) exact(text string, lane int) ([]int32, Way) {
	key := fold(text)
	if key == "" {
		return nil, Unidentified
	}
	for c, class := range classes {
		if found := p.by[c][key]; found != nil {
			return found, class.way
		}
	}
	if whole := p.wholes[key]; whole != nil {
		if found := p.lane(whole, lane); found != nil {
			return found, ByLabel
		}
	}
	return nil, Unidentified
}

// lane is those of the lanes of a port that have a number; all where it is 0.
func (p *ports) lane(whole []int32, lane int) []int32 {
	if lane == 0 {
		return whole
	}
	var out []int32
	for _, at := range whole {
		if p.lanes[at] == lane {
			out = append(out, at)
		}
	}
	return out
}

// broken is a name of one of the lanes of a port: Cumulus and Junos count them from 0, others from 1.
var broken = lazyregexp.New(`^(.*[0-9])(s|:|/)(\d{1,2})$`)

// subInterface is a name of a virtual network on a port.
var subInterface = lazyregexp.New(`^(.*[0-9])\.\d{1,4}$`)

// pattern finds ports by other forms of their names.
func (p *ports) pattern(text string, lane int) []int32 {
	form := canonical(text)
	if form == "" || OtherPort(text) && !OtherPort(form) { // eth0 of SONiC is for management, Ethernet0 for data
		return nil
	}
	if found := p.canonical[form]; found != nil {
		return found
	}
	if m := subInterface.FindStringSubmatch(form); m != nil {
		if found := p.canonical[m[1]]; found != nil {
			return found
		}
	}
	m := broken.FindStringSubmatch(form)
	if m == nil {
		if p.numeric {
			if number, ok := strings.CutPrefix(form, "swp"); ok && isNumber(number) {
				return p.canonical[number]
			}
		}
		return nil
	}
	number, err := strconv.Atoi(m[3])
	if err != nil {
		return nil
	}
	lanes := func([]int32) int { return number + 1 }
	if m[2] == "/" {
		number--
		lanes = func(whole []int32) int { return laneOf(number, len(whole)) }
	}
	whole := p.wholes[m[1]]
	if whole == nil { // of a port that is one: its first lane stands for all
		if one := p.canonical[m[1]]; m[2] == "/" && number == 0 && len(one) > 0 && p.lanes[one[0]] == 0 && !p.numeric {
			return one
		}
		return nil
	}
	return p.lane(whole, lanes(whole))
}

// laneOf is the lane that a number counts, from 0, of a port in so many lanes, or -1 where that is unknown: some
// systems count lanes, and others the wires of 4 or 8 that the lanes begin at.
func laneOf(number, lanes int) int {
	lane := -1
	for _, wires := range []int{lanes, 4, 8} {
		if wires%lanes != 0 || number >= wires || number%(wires/lanes) != 0 {
			continue
		}
		n := number / (wires / lanes)
		if lane >= 0 && lane != n {
			return -1
		}
		lane = n
	}
	if lane < 0 {
		return -1
	}
	return lane + 1
}

// onBus finds a port by its place on the PCI bus with a domain of zeros, 0000:dc:00.0, or by a name that the place
// makes up: ibp220s0 is at dc:00.0, enp170s0f1np1 at aa:00.1.
func (p *ports) onBus(text string) []int32 {
	if m := busAddress.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		return p.by[3][fold(m[1])]
	}
	m := busName.FindStringSubmatch(strings.ToLower(strings.TrimSpace(text)))
	if m == nil {
		return nil
	}
	var n [4]int // domain, bus, device, function
	for i, digits := range m[1:] {
		if digits != "" {
			n[i], _ = strconv.Atoi(digits)
		}
	}
	address := pad(n[1], 2) + ":" + pad(n[2], 2) + "." + strconv.Itoa(n[3])
	for _, form := range []string{address, pad(n[0], 4) + ":" + address} {
		if form == address && n[0] != 0 {
			continue
		}
		if found := p.by[3][fold(form)]; found != nil {
			return found
		}
	}
	return nil
}

var busAddress = lazyregexp.New(`^0{4,8}:([0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7])$`)

var busName = lazyregexp.New(`^(?:en|ib|roce|rocep?|iw|opa|rdma)(?:p(\d{1,5})(?:p))?p?(\d{1,3})s(\d{1,2})` +
	`(?:f(\d))?(?:np\d|d\d)?$`)

// pad writes a number in hexadecimal digits, as many as that at least.
func pad(n, digits int) string {
	text := strconv.FormatInt(int64(n), 16)
	return strings.Repeat("0", max(0, digits-len(text))) + text
}

// ofDevice finds the port of an RDMA device: by what the part says, else by the place on the bus, and by its number
// only where the part tells nothing of devices and interfaces.
func (p *ports) ofDevice(c *Claim) ([]int32, Way) {
	n, err := strconv.Atoi(c.Text)
	if err != nil || n < 1 {
		return nil, Unidentified
	}
	one := func(found []int32, way Way) ([]int32, Way) {
		if n > len(found) {
			return nil, Unidentified
		}
		return found[n-1 : n], way
	}
	for _, class := range []int{2, 1, 0, 4} { // device, interface, label, alias
		if found := p.by[class][fold(c.Device)]; found != nil {
			return one(found, classes[class].way)
		}
	}
	if found := p.onBus(c.Device); found != nil {
		return one(found, ByPCI)
	}
	if p.hasDevice || p.systems {
		return nil, Unidentified
	}
	if c.Only && n == 1 && p.plugged == 1 {
		return []int32{0}, ByOnly
	}
	digits := c.Device[len(strings.TrimRight(c.Device, "0123456789")):]
	number, err := strconv.Atoi(digits)
	if err != nil {
		return nil, Unidentified
	}
	if strings.HasPrefix(strings.ToUpper(c.Device), "HCA") { // counts from 1
		number--
	}
	if found := p.subnet[number+n]; number >= 0 && found != nil && int(found[0]) < p.plugged {
		return found, ByNumber
	}
	return nil, Unidentified
}

// ofDirector finds an outer port of a switch of several chips, by slot and number, in the forms in which parts write
// them.
func (p *ports) ofDirector(c *Claim) ([]int32, Way) {
	slot, _, _ := strings.Cut(c.Chip, "/")
	number := c.Outer
	if number == "" {
		return nil, Unidentified // of a port to the backplane
	}
	bare := strings.TrimLeft(slot, "LSls")
	for _, form := range []string{slot + "/" + number, bare + "/" + number, slot + "P" + number, slot + "/P" + number} {
		if found, way := p.exact(form, c.Lane); found != nil {
			return found, way
		}
	}
	return nil, Unidentified
}

// findByNumber finds a port by its number where all that is printed at the ports are numbers: behind a tray, as 1/7.
func (p *ports) findByNumber(text string) ([]int32, Way) {
	if !p.numeric || p.systems {
		return nil, Unidentified
	}
	text = strings.TrimSpace(text)
	for _, tray := range []string{"0/", "1/"} {
		if number, ok := strings.CutPrefix(text, tray); ok && isNumber(number) {
			if found := p.by[0][fold(number)]; found != nil {
				return found, ByNumber
			}
		}
	}
	return nil, Unidentified
}

// namesOther reports whether a claim that means none of the ports names another port than these.
func (p *ports) namesOther(c *Claim) bool {
	switch {
	case c.Untold || c.MAC:
		return false
	case p.systems || p.hasDevice || !p.numeric:
		return c.Text != "" || c.Device != ""
	}
	return c.Device == "" && isNumber(canonical(c.Text))
}

// PartPorts are the ports of a part into which links are plugged where a machine file names no others.
type PartPorts struct{ ports *ports }

// NewPartPorts takes the ports of a part.
func NewPartPorts(part *catalog.Part) *PartPorts {
	return &PartPorts{newPorts(cabling.NewBox(part), 0)}
}

// Find returns the printed name of the one port that a claim means, "" where there is none, or only by a guess.
func (p *PartPorts) Find(c *Claim) string {
	found, way := p.ports.find(c)
	if len(found) != 1 || int(found[0]) >= p.ports.plugged || way.Guess() {
		return ""
	}
	return p.ports.names[found[0]].Label
}

// CanonicalPort returns a name of a port in one form for all that systems have for it: Et1/1 and Ethernet1/1 are the
// same.
func CanonicalPort(text string) string { return canonical(text) }

// management are names that no port for data has, on boxes whose part does not say so.
var management = lazyregexp.New(`(?i)^(?:e?mgmt\S*|management\S*|eno\d+\S*|eth0|bmc\S*|ilo\S*|idrac\S*|ipmi\S*|` +
	`con(?:sole)?\S*|psu\S*|oob\S*|fnm\d*|lo\d*|usb\S*|acp\d*)$`)

// OtherPort reports whether a text names a port that is not a port for data: of management, of a console, of power.
func OtherPort(text string) bool { return management.MatchString(strings.TrimSpace(text)) }

// prefixes are how systems begin the names of their ports, the long form last.
var prefixes = []struct{ short, long string }{
	{"eth", "ethernet"},
	{"et", "ethernet"},
	{"ethernet", "ethernet"},
	{"gi", "gigabitethernet"},
	{"te", "tengigabitethernet"},
	{"twe", "twentyfivegige"},
	{"fo", "fortygigabitethernet"},
	{"hu", "hundredgige"},
	{"fou", "fourhundredgige"},
	{"po", "port-channel"},
	{"port", ""},
	{"p", ""},
}

// canonical is a name of a port in the one form of all that systems have for it: in small letters, with the long form
// of what it begins with, without blanks and zeros before numbers. "Port 7" and "P7" are 7.
func canonical(text string) string {
	text = strings.ReplaceAll(fold(text), " ", "")
	at := strings.IndexAny(text, "0123456789")
	if at < 0 {
		return text
	}
	word, rest := text[:at], text[at:]
	if word == "e" && strings.Contains(rest, "-") { // SR Linux: e1-1 is ethernet-1/1
		return "ethernet" + strings.Replace(rest, "-", "/", 1)
	}
	if word == "ethernet-" {
		return "ethernet" + rest
	}
	for _, p := range prefixes {
		if word == p.short {
			return p.long + rest
		}
	}
	return word + rest
}

// isNumber reports whether a text is made of digits.
func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
