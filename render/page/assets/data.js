// Reading the data: columns of numbers are unpacked, and what follows from them is worked out once.

const columnTypes = {
  i8: Int8Array, u8: Uint8Array, u16: Uint16Array, i16: Int16Array, i32: Int32Array, u32: Uint32Array, f32: Float32Array,
};

// bytesOf decodes base64.
function bytesOf(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}

// inflate undoes gzip. A stream of a Blob would ask another process for every column.
async function inflate(bytes) {
  const stream = new DecompressionStream("gzip"), writer = stream.writable.getWriter();
  const out = new Response(stream.readable).arrayBuffer();
  writer.write(bytes).catch(() => {}); // out fails as well
  writer.close().catch(() => {});
  return out;
}

// unpackColumn turns the text of a column into a typed array of n elements, or into a list of texts.
async function unpackColumn(text, n) {
  const colon = text.indexOf(":");
  const kind = text.slice(0, colon);
  const packed = text.slice(colon + 1);
  if (kind === "s") {
    if (!packed) return [];
    const all = new TextDecoder().decode(await inflate(bytesOf(packed))).split("\0");
    all.pop();
    return all;
  }
  const type = columnTypes[kind];
  return packed ? new type(await inflate(bytesOf(packed))) : new type(n);
}

// unpack replaces the columns of an object, which are texts of that form, by their elements.
async function unpack(object, other = {}) {
  const out = { ...object };
  const n = object.count || 0;
  await Promise.all(Object.entries(object).map(async ([key, value]) => {
    const size = other[key] === undefined ? n : other[key];
    if (typeof value === "string" && /^([iu](8|16|32)|f32|s):/.test(value)) out[key] = await unpackColumn(value, size);
    if (key === "parts_tenth_mm" || key === "axes_tenth_mm") out[key] = await Promise.all(value.map((v) => unpackColumn(v, n)));
  }));
  return out;
}

// modelOf is the data with its columns unpacked and what is worked out from them.
async function modelOf(data) {
  const m = { ...data, plan: data.plan };
  const packed = (object, other) => (object ? unpack(object, other) : null);
  [m.racks, m.boxes, m.bundles, m.cables, m.cords, m.trays] = await Promise.all([
    packed(data.racks), packed(data.boxes), packed(data.bundles), packed(data.cables),
    packed(data.cords, data.cords ? { starts: data.cords.count + 1, points_m: 0 } : {}), packed(data.trays)]);
  if (m.trays) {
    m.trays.count = m.trays.ends_m.length / 6;
    for (const key of ["level", "cables", "fill_percent"]) {
      if (m.trays[key].length === 0) m.trays[key] = new m.trays[key].constructor(m.trays.count);
    }
  }
  if (m.bundles && m.bundles.way_starts.length && !m.bundles.way_level.length) {
    m.bundles.way_level = new Uint8Array(m.bundles.way_starts.length - 1);
  }
  m.fabrics = [...new Set(m.levels.map((l) => l.fabric))];
  m.media = [...new Set(m.products.map((p) => p.medium))];
  kindsOf(m);
  if (m.cables) endsOf(m);
  return m;
}

// kindsOf finds the kind of every box, and what every rack holds: bits for nodes, switches, services and panels.
const roleBits = { node: 1, switch: 2, service: 4, panel: 8 };
function kindsOf(m) {
  let first = 0;
  for (const k of m.kinds) {
    k.first = first;
    first += k.count;
  }
  m.holds = new Uint8Array(m.racks.count);
  if (!m.boxes) return;
  m.kind = new Uint8Array(m.boxes.count);
  m.kinds.forEach((k, i) => {
    m.kind.fill(i, k.first, k.first + k.count);
    if (k.units === 0) return;
    for (let v = k.first; v < k.first + k.count; v++) m.holds[m.boxes.rack[v]] |= roleBits[k.role];
  });
  m.boxesIn = grouped(m.boxes.rack, m.racks.count);
}

// grouped lists the indices of values by value, one list after the other: those of v are list[start[v]..start[v+1]].
function grouped(values, n) {
  const start = new Int32Array(n + 1);
  for (const v of values) if (v >= 0) start[v + 1]++;
  for (let i = 0; i < n; i++) start[i + 1] += start[i];
  const list = new Int32Array(start[n]);
  const at = start.slice();
  for (let i = 0; i < values.length; i++) if (values[i] >= 0) list[at[values[i]]++] = i;
  return { start, list, of: (v) => list.subarray(start[v], start[v + 1]) };
}

// endsOf finds the racks that cables join, and what filters ask for.
function endsOf(m) {
  const c = m.cables;
  const rack = m.boxes.rack;
  c.rackA = new Int32Array(c.count);
  c.rackB = new Int32Array(c.count);
  c.medium = new Uint8Array(c.count);
  c.fabric = new Uint8Array(c.count);
  const mediumOf = m.products.map((p) => m.media.indexOf(p.medium));
  const fabricOf = m.levels.map((l) => m.fabrics.indexOf(l.fabric));
  let none = false;
  for (let i = 0; i < c.count; i++) {
    c.rackA[i] = rack[c.a[i]];
    c.rackB[i] = rack[c.b[i]];
    c.fabric[i] = fabricOf[c.level[i]];
    none = none || c.product[i] < 0;
    c.medium[i] = c.product[i] < 0 ? m.media.length : mediumOf[c.product[i]];
  }
  if (none) m.media.push("no product");
  const start = new Int32Array(m.racks.count + 1);
  for (let i = 0; i < c.count; i++) {
    start[c.rackA[i] + 1]++;
    if (c.rackB[i] !== c.rackA[i]) start[c.rackB[i] + 1]++;
  }
  for (let r = 0; r < m.racks.count; r++) start[r + 1] += start[r];
  const list = new Int32Array(start[m.racks.count]);
  const at = start.slice();
  for (let i = 0; i < c.count; i++) {
    list[at[c.rackA[i]]++] = i;
    if (c.rackB[i] !== c.rackA[i]) list[at[c.rackB[i]]++] = i;
  }
  m.cablesOf = (r) => list.subarray(start[r], start[r + 1]);
  m.cableCount = (r) => countCables(m, m.cablesOf(r));
  const most = c.cable.reduce((s, n) => Math.max(s, n), 0);
  c.need = new Float32Array(most + 1); // by the number of the cable: the most that one of its links needs
  c.seen = new Uint32Array(most + 1); // by the number of the cable: in which count it came up last
  c.counts = 0;
  for (let i = 0; i < c.count; i++) c.need[c.cable[i]] = Math.max(c.need[c.cable[i]], c.length_m[i]);
}

// countCables counts the cables of elements: a cable has one for each of its links.
function countCables(m, list) {
  const c = m.cables, now = ++c.counts;
  let n = 0;
  for (const i of list) {
    if (c.seen[c.cable[i]] !== now) n++;
    c.seen[c.cable[i]] = now;
  }
  return n;
}

// startsJacket reports whether an element is the first of its jacket: a splitter has one for each of its legs.
function startsJacket(m, i) {
  const c = m.cables, leg = c.leg[i] - 1, per = c.product[i] < 0 ? 1 : m.products[c.product[i]].links_per_jacket || 0;
  return leg <= 0 || (per > 0 && leg % per === 0);
}

// linesInWords counts the cables of elements, of all cables, and their links where these are more.
function linesInWords(m, list) {
  const cables = countCables(m, list), links = list.length > cables ? `, ${plural(list.length, "link")}` : "";
  return `${whole.format(cables)} of ${plural(m.plan.cables, "cable")}${links}`;
}

// cableID is the id of the cable of an element.
function cableID(m, i) {
  const c = m.cables;
  return c.ids.length ? c.ids[i] : "C" + String(c.cable[i]).padStart(c.digits, "0");
}

// cableNamed is the first element of the cable of an id, -1 without one.
function cableNamed(m, id) {
  if (!m.cables) return -1;
  for (let i = 0; i < m.cables.count; i++) if (cableID(m, i) === id) return i;
  return -1;
}

// portName is what is printed at a port.
function portName(m, box, port) {
  const names = m.kinds[m.kind[box]].ports || [];
  return port < names.length ? names[port] : String(port + 1);
}

// portAt is a box and its port, as longTable has texts: head, which may be cut, and tail.
function portAt(m, box, port, after = "") {
  const name = m.boxes.names[box], at = Math.max(0, name.lastIndexOf("-"), name.length - 6);
  return [name.slice(0, at), `${name.slice(at)} ${portName(m, box, port)}${after}`];
}

// placeOf says where a box stands: rack and unit.
function placeOf(m, box) {
  const unit = m.boxes.unit[box];
  const name = m.racks.names[m.boxes.rack[box]];
  return unit > 0 ? `${name} U${String(unit).padStart(2, "0")}` : name;
}
