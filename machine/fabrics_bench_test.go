package machine_test

import (
	"context"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/machine"
)

// hundredThousand is a machine of 100,000 nodes with four fabrics and 2.3 million links.
const hundredThousand = `
name: hundred thousand
boxes: [{name: node, count: 100000, part: big-node, per_rack: 16}]
fabrics:
- name: compute
  topology: {family: folded-clos, radix: 64, ports_per_node: 4, attach: rails}
  ends: [{boxes: node, ports: compute}]
  switches: {switch: {part: generic-switch-64x400g}}
- name: storage
  topology: {family: folded-clos, radix: 64, taper: 3}
  ends: [{boxes: node, ports: storage}]
  switches: {switch: {part: generic-switch-64x400g}}
- name: in-band
  topology: {family: folded-clos, radix: 60, taper: 3}
  ends: [{boxes: node, ports: in-band}]
  switches: {switch: {part: nvidia-sn4600c}}
- name: oob
  topology: {family: access, down: 48}
  ends: [{boxes: node, ports: bmc}]
  switches: {switch: {part: nvidia-sn2201, place: in-rack}}
  uplinks: [{to: in-band/leaf, ports: up}]
room: {rack: rack-48u}
parts:
- {id: big-node, kind: node, units: 2, width: 440 mm, depth: 800 mm, power: 800 W, source: x, confidence: user,
   ports: [{name: compute, count: 4, connector: qsfp112, rate: 400G},
           {name: storage, count: 1, first: 5, connector: qsfp112, rate: 400G},
           {name: in-band, count: 1, first: 6, connector: qsfp28, rate: 100G},
           {name: bmc, count: 1, first: 7, connector: rj45, rate: 1G}]}
`

// BenchmarkFourFabrics plans them as a summary: links by the second of the whole plan, and of the stage that gives
// every
// link its cable, which goes over them several times.
func BenchmarkFourFabrics(b *testing.B) {
	s, err := machine.Parse("m.yaml", []byte(hundredThousand))
	if err != nil {
		b.Fatal(err)
	}
	links, cabling := int64(0), time.Duration(0)
	for b.Loop() {
		begun := time.Time{}
		r, err := machine.PlanWith(context.Background(), s, machine.Options{
			Summary: true,
			Progress: func(stage string, _, _ int) {
				switch {
				case stage == "scheduling cables":
					begun = time.Now()
				case stage == "making the bill":
					cabling += time.Since(begun)
				}
			},
		})
		if err != nil {
			b.Fatal(err)
		}
		links += r.Counts.Links
	}
	b.ReportMetric(float64(links)/b.Elapsed().Seconds(), "links/s")
	b.ReportMetric(float64(links)/cabling.Seconds(), "cabled-links/s")
}
