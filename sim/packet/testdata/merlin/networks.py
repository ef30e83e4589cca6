# Networks of SST merlin set like those of testdata/booksim:
#
#   sst networks.py -- NETWORK LOAD [CYCLES]
#
# NETWORK is torus888 (8 x 8 x 8 torus), flatfly88 (8 x 8 flattened butterfly) or
# dragonfly (p = 4, a = 8, h = 4). Flits of 8 bytes at 8 GB/s make a cycle of 1 ns;
# packets have one flit; every virtual channel has a buffer of 8 flits at the input
# and one at the output of a router; links take one cycle, the way out of a router
# one more. One virtual network. 2,000 cycles, half of them at most, warm up.
import sys

import sst
from sst.merlin.base import System
from sst.merlin.endpoint import OfferedLoadJob
from sst.merlin.interface import LinkControl
from sst.merlin.router import hr_router
from sst.merlin.targetgen import UniformTarget
from sst.merlin.topology import topoDragonFly, topoHyperX, topoTorus

network, load = sys.argv[1], float(sys.argv[2])
cycles = int(sys.argv[3]) if len(sys.argv) > 3 else 12000
warmup = min(2000, cycles // 2)

bandwidth, flit, buffer = "8GB/s", "8B", "64B"

if network == "torus888":
    topology = topoTorus()
    topology.shape = "8x8x8"
    topology.width = "1x1x1"
    topology.local_ports = 1
elif network == "flatfly88":
    topology = topoHyperX()
    topology.shape = "8x8"
    topology.width = "1x1"
    topology.local_ports = 1
    topology.algorithm = "DOR"
elif network == "dragonfly":
    topology = topoDragonFly()
    topology.hosts_per_router = 4
    topology.routers_per_group = 8
    topology.intergroup_links = 1
    topology.num_groups = 33
    topology.algorithm = "minimal"
else:
    sys.exit("no network " + network)

router = hr_router()
router.link_bw = bandwidth
router.xbar_bw = bandwidth
router.flit_size = flit
router.input_latency = "0ns"
router.output_latency = "1ns"
router.input_buf_size = buffer
router.output_buf_size = buffer
router.num_vns = 1
router.xbar_arb = "merlin.xbar_arb_rr"
topology.router = router
topology.link_latency = "1ns"

interface = LinkControl()
interface.link_bw = bandwidth
interface.input_buf_size = buffer
interface.output_buf_size = "64kB"

nodes = OfferedLoadJob(0, topology.getNumNodes())
nodes.network_interface = interface
nodes.offered_load = load
nodes.link_bw = bandwidth
nodes.message_size = flit
nodes.pattern = UniformTarget()
nodes.warmup_time = "%dns" % warmup
nodes.collect_time = "%dns" % (cycles - warmup)
nodes.drain_time = "0ns"

system = System()
system.setTopology(topology)
system.allocateNodes(nodes, "linear")
system.build()
