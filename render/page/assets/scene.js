// What lies on the floor: the path of every cable, and what is under a point.

// layPaths makes the paths of all cables, or of bundles that stand for them, as corners on the floor. Cables of one way
// lie beside each other within a band as wide as a tray, each class of colours in a lane of its own as wide as its share
// of the cables, so that all can be seen. A cable inside one rack, and one straight up from it, is a short stroke along its depth.
function layPaths(m, of = () => 0, lanes = { from: [0], wide: [1] }) {
  const lines = m.cables || m.bundles;
  if (!lines) return { count: 0, start: new Uint32Array(1), xy: new Float32Array(0), box: new Float32Array(0) };
  const n = lines.count;
  const b = m.bundles;
  const rackA = m.cables ? lines.rackA : lines.a, rackB = m.cables ? lines.rackB : lines.b;
  const wayOf = (i) => {
    const bundle = m.cables ? lines.bundle[i] - 1 : i;
    return bundle >= 0 && b && b.way_starts.length ? b.way[bundle] : -1;
  };
  const start = new Uint32Array(n + 1);
  for (let i = 0; i < n; i++) {
    const way = wayOf(i);
    let points = rackA[i] !== rackB[i] && m.slack.route === "manhattan" ? 3 : 2;
    if (way >= 0) points = Math.max(2, b.way_starts[way + 1] - b.way_starts[way]);
    start[i + 1] = start[i] + points;
  }
  const xy = new Float32Array(2 * start[n]);
  const box = new Float32Array(4 * n);
  const used = new Map(), column = columnsOf(m);
  for (let i = 0; i < n; i++) {
    const way = wayOf(i);
    const key = way >= 0 ? way : column(rackA[i]) * 4294967.0 + column(rackB[i]);
    const rank = used.get(key) || 0;
    used.set(key, rank + 1);
    const aside = lanes.from[of(i)] + lanes.wide[of(i)] * ((rank * 0.6180339887 + 0.5) % 1) - 0.5;
    lay(m, { xy, at: 2 * start[i], count: start[i + 1] - start[i] }, rackA[i], rackB[i], way, aside, wayBack(m, i, way));
    let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
    for (let p = 2 * start[i]; p < 2 * start[i + 1]; p += 2) {
      x0 = Math.min(x0, xy[p]);
      x1 = Math.max(x1, xy[p]);
      y0 = Math.min(y0, xy[p + 1]);
      y1 = Math.max(y1, xy[p + 1]);
    }
    box.set([x0, y0, x1, y1], 4 * i);
  }
  return { count: n, start, xy, box };
}

// columnsOf numbers racks so that containers one above the other have the same number: seen from above, what leaves one
// lies where the same leaves the other.
function columnsOf(m) {
  if (m.room) return (i) => i;
  const known = new Map(), of = new Int32Array(m.racks.count);
  for (let i = 0; i < of.length; i++) {
    const at = `${m.racks.x_m[i]} ${m.racks.y_m[i]}`;
    if (!known.has(at)) known.set(at, i);
    of[i] = known.get(at);
  }
  return (i) => of[i];
}

// wayBack reports whether a cable runs its way from the second rack to the first.
function wayBack(m, i, way) {
  return way >= 0 && m.cables !== null && m.bundles.a[m.cables.bundle[i] - 1] !== m.cables.rackA[i];
}

// lay puts the corners of one line into its place.
function lay(m, to, a, b, way, aside, back) {
  const r = m.racks;
  const put = (k, x, y) => {
    to.xy[to.at + 2 * k] = x;
    to.xy[to.at + 2 * k + 1] = y;
  };
  if (a === b || (r.x_m[a] === r.x_m[b] && r.y_m[a] === r.y_m[b] && way < 0)) { // the one above the other
    const x = r.x_m[a] + aside * 0.8 * r.width_m[a];
    put(0, x, r.y_m[a] - 0.18 * r.depth_m[a]);
    for (let k = 1; k < to.count; k++) put(k, x, r.y_m[a] + 0.18 * r.depth_m[a]);
    return;
  }
  const band = 0.42 * Math.min(r.width_m[a] || 1, 1);
  if (way < 0 || to.count < 2 || m.bundles.way_starts[way + 1] - m.bundles.way_starts[way] < 2) {
    const off = aside * band;
    put(0, r.x_m[a] + off, r.y_m[a] + off);
    if (to.count === 3) put(1, r.x_m[b] + off, r.y_m[a] + off);
    put(to.count - 1, r.x_m[b] + off, r.y_m[b] + off);
    return;
  }
  const p = m.bundles.way_points_m, first = m.bundles.way_starts[way], off = aside * band;
  for (let k = 0; k < to.count; k++) {
    const at = 3 * (first + k); // ways run along the axes: moved by as much along both, stretches keep their distance
    put(back ? to.count - 1 - k : k, p[at] + off, p[at + 1] + off);
  }
}

// squares finds racks by place: a grid of the floor with the racks that touch each square.
function squares(m) {
  const r = m.racks, box = floorBox(m);
  const side = Math.max(0.5, Math.sqrt((box[2] - box[0]) * (box[3] - box[1]) / Math.max(1, r.count)) * 1.5);
  const across = Math.max(1, Math.ceil((box[2] - box[0]) / side)), up = Math.max(1, Math.ceil((box[3] - box[1]) / side));
  const cells = new Map();
  const visit = (x0, y0, x1, y1, f) => {
    const clamp = (v, most) => Math.max(0, Math.min(most, v));
    const c0 = clamp(Math.floor((x0 - box[0]) / side), across - 1), c1 = clamp(Math.floor((x1 - box[0]) / side), across - 1);
    const r0 = clamp(Math.floor((y0 - box[1]) / side), up - 1), r1 = clamp(Math.floor((y1 - box[1]) / side), up - 1);
    for (let y = r0; y <= r1; y++) for (let x = c0; x <= c1; x++) f(y * across + x);
  };
  for (let i = 0; i < r.count; i++) {
    const w = r.width_m[i] / 2, d = r.depth_m[i] / 2;
    visit(r.x_m[i] - w, r.y_m[i] - d, r.x_m[i] + w, r.y_m[i] + d, (c) => {
      if (!cells.has(c)) cells.set(c, []);
      cells.get(c).push(i);
    });
  }
  return (x, y) => {
    let found = -1;
    visit(x, y, x, y, (c) => {
      for (const i of cells.get(c) || []) {
        const inside = Math.abs(x - r.x_m[i]) <= r.width_m[i] / 2 && Math.abs(y - r.y_m[i]) <= r.depth_m[i] / 2;
        if (inside && (found < 0 || r.z_m[i] >= r.z_m[found])) found = i;
      }
    });
    return found;
  };
}

// floorBox is the least and greatest x and y of everything on the floor.
function floorBox(m) {
  if (m.room) return m.room.bound_m;
  const r = m.racks, out = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < r.count; i++) {
    out[0] = Math.min(out[0], r.x_m[i] - r.width_m[i] / 2);
    out[1] = Math.min(out[1], r.y_m[i] - r.depth_m[i] / 2);
    out[2] = Math.max(out[2], r.x_m[i] + r.width_m[i] / 2);
    out[3] = Math.max(out[3], r.y_m[i] + r.depth_m[i] / 2);
  }
  return out[0] > out[2] ? [0, 0, 1, 1] : out;
}

// nearestLine finds the line nearest to a point within reach metres, of those that are shown; -1 for none.
function nearestLine(paths, shown, x, y, reach) {
  let best = reach * reach, found = -1;
  const { box, start, xy } = paths;
  for (let i = 0; i < paths.count; i++) {
    if (!shown[i]) continue;
    const k = 4 * i;
    if (x < box[k] - reach || x > box[k + 2] + reach || y < box[k + 1] - reach || y > box[k + 3] + reach) continue;
    for (let p = 2 * start[i]; p + 3 < 2 * start[i + 1]; p += 2) {
      const ax = xy[p], ay = xy[p + 1], dx = xy[p + 2] - ax, dy = xy[p + 3] - ay;
      const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
      const ex = ax + t * dx - x, ey = ay + t * dy - y;
      const apart = ex * ex + ey * ey;
      if (apart < best) {
        best = apart;
        found = i;
      }
    }
  }
  return found;
}
