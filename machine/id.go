package machine

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
)

// ID names a plan: a hash of the version of Plenum, of the machine file with its defaults filled in, and of the slots
// of all boxes if they have been placed, 32 hexadecimal digits. Two runs that make the same plan give it the same ID.
// Files that the machine file names count by their paths, and by their content only as far as it changes slots: another
// price list at the same path leaves the ID as it is. It is "" if the spec cannot be encoded, which a spec that was
// read from a file always can.
func (p *Result) ID() string {
	h := sha256.New()
	e := json.NewEncoder(h)
	if e.Encode(Version) != nil || e.Encode(p.Spec) != nil {
		return ""
	}
	if p.Placement != nil {
		b := make([]byte, 0, 1<<16)
		for _, slot := range p.Placement.Slot {
			if b = binary.LittleEndian.AppendUint32(b, uint32(slot)); len(b) == cap(b) {
				h.Write(b)
				b = b[:0]
			}
		}
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
