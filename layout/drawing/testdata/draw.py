"""Writes drawings with ezdxf and tells where ezdxf finds what is on their layers: a line of JSON for each file."""
import json
import sys

import ezdxf
from ezdxf import path

LAYERS = ["A-WALL", "S-COLS", "A-DOOR", "CURVES", "FILLED", "DEEP"]


def draw(version, file):
    doc = ezdxf.new(version)
    doc.header["$INSUNITS"] = 4
    for name in LAYERS:
        doc.layers.add(name)
    old = version == "R12"
    msp = doc.modelspace()

    def polyline(space, points, layer="0"):
        add = space.add_polyline2d if old else space.add_lwpolyline
        add(points, format="xyb", close=True, dxfattribs={"layer": layer})

    column = doc.blocks.new("COLUMN", base_point=(10, 20))
    polyline(column, [(10, 20, 0), (410, 20, 0), (410, 320, 0.3), (10, 320, -0.2)])
    column.add_circle((210, 170), 90)
    pair = doc.blocks.new("PAIR")
    pair.add_blockref("COLUMN", (1000, 0), dxfattribs={"rotation": 30, "xscale": 2, "yscale": 2})
    pair.add_blockref("COLUMN", (-1000, 500), dxfattribs={"layer": "DEEP", "xscale": -1})
    polyline(msp, [(0, 0, 0), (30000, 0, 0), (30000, 20000, 0.41421356), (0, 20000, 0)], "A-WALL")
    for i, (x, y) in enumerate([(5000, 5000), (10000, 5000), (10000, 9000)]):
        msp.add_blockref("PAIR", (x, y), dxfattribs={"layer": "S-COLS", "rotation": 37 * i, "xscale": 1 - 2 * (i % 2)})
    msp.add_arc((2000, 0), 900, 350, 80, dxfattribs={"layer": "A-DOOR"})
    msp.add_line((2000, 0), (2000, 900), dxfattribs={"layer": "A-DOOR"})
    msp.add_solid([(0, 0), (500, 0), (0, 400), (500, 400)], dxfattribs={"layer": "FILLED"})
    msp.add_circle((-5000, 700), 300, dxfattribs={"layer": "CURVES", "extrusion": (0, 0, -1)})
    if not old:
        msp.add_ellipse((7000, 7000), (900, 400), 0.4, 0.5, 4, dxfattribs={"layer": "CURVES"})
        hatch = msp.add_hatch(dxfattribs={"layer": "FILLED"})
        hatch.paths.add_polyline_path([(9000, 0, 0.5), (9900, 0, 0), (9900, 800, 0)], is_closed=True)
        edges = hatch.paths.add_edge_path()
        edges.add_line((12000, 0), (13000, 0))
        edges.add_arc((12000, 0), 1000, 0, 90)
        edges.add_line((12000, 1000), (12000, 0))
    doc.saveas(file)
    box = {}
    for name in LAYERS:
        found = [e for e in flat(msp, "") if e[0] == name]
        points = [p for _, e in found for p in corners(e)]
        if points:
            xs, ys = [p.x for p in points], [p.y for p in points]
            box[name] = [min(xs), min(ys), max(xs), max(ys)]
    print(json.dumps({"file": file, "boxes": box}))


def corners(e):
    """Points along an entity, less than 0.1 mm from each other's chord."""
    if e.dxftype() == "SOLID":
        return e.wcs_vertices()
    paths = path.make_path(e) if e.dxftype() != "HATCH" else list(path.from_hatch(e))
    return [p for one in (paths if isinstance(paths, list) else [paths]) for p in one.flattening(0.1, segments=64)]


def flat(entities, layer):
    """The entities of inserts and the pieces of polylines, each with its layer: that of the insert on layer 0."""
    for e in entities:
        own = layer if layer and e.dxf.layer == "0" else e.dxf.layer
        if e.dxftype() in ("INSERT", "LWPOLYLINE", "POLYLINE"):
            yield from flat(e.virtual_entities(), own)
        else:
            yield own, e


for version in ["R12", "R2000", "R2004", "R2007", "R2010", "R2013", "R2018"]:
    draw(version, f"{sys.argv[1]}/{version}.dxf")
