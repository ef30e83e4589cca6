// Bands: lines that lie above each other as one, as wide as their number. From afar a floor shows these, near it single
// lines.

const singleLines = 150; // pixels to a metre from which on single lines are drawn
const fewLines = 24; // that many above each other stay distinct at any scale
const bandMetres = 0.4, leastBand = 0.8; // the width of the band with the most cables; pixels of a band that has any
const bandEdge = 1.2; // pixels of the light edge on both sides of a band
const ofContainer = 0.2; // of a container's side: the width of the band with the most cables between containers

// bandsOf sums the cables that are shown: pieces are stretches of floor with the number of cables of each class along
// them, inside has the numbers of cables within each rack, class by class.
function bandsOf(m, look) {
  const lines = m.cables || m.bundles, classes = look.classes.length, b = m.bundles;
  const out = { pieces: [], most: 0, inside: new Map(), mostInside: 0, mostMetres: Infinity };
  if (!lines) return out;
  if (!m.room && m.racks.count) out.mostMetres = ofContainer * Math.max(m.racks.width_m[0], m.racks.depth_m[0]);
  const rackA = m.cables ? lines.rackA : lines.a, rackB = m.cables ? lines.rackB : lines.b, column = columnsOf(m), r = m.racks;
  const ways = new Map();
  for (let c = 0; c < classes; c++) {
    for (const i of look.byClass[c]) {
      if (m.cables && !startsJacket(m, i)) continue;
      const n = m.cables ? 1 : b.cables[i], bundle = m.cables ? lines.bundle[i] - 1 : i;
      const way = bundle >= 0 && b && b.way_starts.length ? b.way[bundle] : -1, from = column(rackA[i]), to = column(rackB[i]);
      if (way < 0 && from === to) {
        if (!out.inside.has(from)) out.inside.set(from, new Float64Array(classes));
        out.inside.get(from)[c] += n;
        continue;
      }
      const key = way >= 0 ? way : `${from} ${to}`;
      if (!ways.has(key)) ways.set(key, { way, from, to, counts: new Float64Array(classes) });
      ways.get(key).counts[c] += n;
    }
  }
  for (const counts of out.inside.values()) out.mostInside = Math.max(out.mostInside, counts.reduce((s, n) => s + n, 0));
  const along = new Map(); // stretches by the line that they lie on
  const mm = (v) => Math.round(v * 1000);
  const stretch = (x0, y0, x1, y1, counts) => {
    const [a, c, d, e] = [mm(x0), mm(y0), mm(x1), mm(y1)];
    if (a === d && c === e) return;
    const key = a === d ? `x${a}` : c === e ? `y${c}` : `${a} ${c} ${d} ${e}`;
    if (!along.has(key)) along.set(key, []);
    along.get(key).push(a === d ? [Math.min(c, e), Math.max(c, e), counts] : c === e ? [Math.min(a, d), Math.max(a, d), counts] : [0, 1, counts]);
  };
  for (const w of ways.values()) {
    const first = w.way >= 0 ? b.way_starts[w.way] : 0, count = w.way >= 0 ? b.way_starts[w.way + 1] - first : 0, p = b ? b.way_points_m : null;
    const corners = count >= 2 ? Array.from({ length: count }, (_, k) => [p[3 * (first + k)], p[3 * (first + k) + 1]])
      : m.slack.route === "manhattan" ? [[r.x_m[w.from], r.y_m[w.from]], [r.x_m[w.to], r.y_m[w.from]], [r.x_m[w.to], r.y_m[w.to]]]
        : [[r.x_m[w.from], r.y_m[w.from]], [r.x_m[w.to], r.y_m[w.to]]];
    for (let k = 1; k < corners.length; k++) stretch(...corners[k - 1], ...corners[k], w.counts);
  }
  for (const [key, list] of along) {
    const ends = [];
    for (const [from, to, counts] of list) ends.push([from, 1, counts], [to, -1, counts]);
    ends.sort((a, b) => a[0] - b[0]);
    const now = new Float64Array(classes), free = key.split(" ").map(Number), at = +key.slice(1);
    for (let k = 0; k < ends.length; k++) {
      const [x, sign, counts] = ends[k];
      for (let c = 0; c < classes; c++) now[c] += sign * counts[c];
      const next = k + 1 < ends.length ? ends[k + 1][0] : x, total = now.reduce((s, n) => s + n, 0);
      if (next === x || total === 0) continue;
      const box = free.length === 4 ? free : key[0] === "x" ? [at, x, at, next] : [x, at, next, at];
      out.pieces.push({ box: box.map((v) => v / 1000), counts: now.slice(), total });
      out.most = Math.max(out.most, total);
    }
  }
  findCorners(out.pieces);
  out.pieces.sort((a, b) => a.total - b.total);
  return out;
}

// findCorners says how many cables lie on the piece with which a piece makes a corner at each of its ends: its band goes
// on half as far as that one is wide, which fills the corner. It is 0 where a piece goes on straight, or at right angles
// to both sides.
function findCorners(pieces) {
  const most = new Map(), axisOf = ({ box }) => (box[0] === box[2] ? 1 : box[1] === box[3] ? 0 : -1);
  const at = ({ box }, end) => {
    const key = `${Math.round(1000 * box[2 * end])} ${Math.round(1000 * box[2 * end + 1])}`;
    if (!most.has(key)) most.set(key, [[0, 0], [0, 0]]);
    return most.get(key);
  };
  for (const end of [0, 1]) {
    for (const p of pieces) {
      const axis = axisOf(p);
      if (axis >= 0) at(p, end)[axis][end] = Math.max(at(p, end)[axis][end], p.total);
    }
  }
  for (const p of pieces) {
    const axis = axisOf(p);
    p.beyond = [0, 1].map((end) => {
      if (axis < 0 || at(p, end)[axis][1 - end]) return 0;
      const [one, other] = at(p, end)[1 - axis];
      return one && other ? 0 : one + other;
    });
  }
}

// showsBands reports whether a floor at a scale shows bands in place of lines.
const showsBands = (look, scale) => look.bands.most > fewLines && (!!look.letter || scale < singleLines);

// widestBand is the width of the band with the most cables, in pixels.
const widestBand = (look, scale) => Math.max(4, Math.min(bandMetres, look.bands.mostMetres) * scale);

// uprightsOf are the bands across the rows, as [left, top, right, bottom] in pixels: words keep clear of them. There are
// none where single lines are drawn.
function uprightsOf(look, view, at) {
  if (!look.lines || !showsBands(look, view.scale)) return [];
  const per = widestBand(look, view.scale) / look.bands.most, out = [];
  for (const { box, counts, beyond } of look.bands.pieces) {
    if (box[0] !== box[2] || box[0] < at.x0 - 1 || box[0] > at.x1 + 1) continue;
    const half = counts.reduce((s, n) => s + (n ? Math.max(leastBand, n * per) : 0), 0) / 2 + bandEdge, x = at.sx(box[0]);
    const [before, after] = beyond.map((n) => n * per / 2);
    out.push([x - half, at.sy(box[3]) - after, x + half, at.sy(box[1]) + before]);
  }
  return out;
}

// wordAt is where the middle of a word is between two places, as near to their middle as the bands let it be.
function wordAt(uprights, from, to, y, size, width) {
  const over = uprights.filter((b) => b[2] > from && b[0] < to && b[3] > y - 0.6 * size && b[1] < y + 0.6 * size).sort((a, b) => a[0] - b[0]);
  const middle = (from + to) / 2, half = width / 2 + 2;
  if (!over.some((b) => b[2] > middle - half && b[0] < middle + half)) return middle;
  let best = [from, from], at = from;
  for (const b of [...over, [to, 0, to, 0]]) {
    if (b[0] - at > best[1] - best[0] + (best[1] > best[0] ? 4 : 0)) best = [at, b[0]];
    at = Math.max(at, b[2]);
  }
  return best[1] - best[0] < 2 * half ? middle : Math.max(best[0] + half, Math.min(middle, best[1] - half));
}

// paintBands draws the bands, the widest last, the classes of each beside each other, on light edges.
function* paintBands(ctx, look, view, at) {
  const widest = widestBand(look, view.scale), per = widest / look.bands.most;
  ctx.lineCap = "butt";
  for (const edges of [true, false]) {
    for (const [k, { box, counts, beyond }] of look.bands.pieces.entries()) {
      if (k % 2000 === 1999) yield;
      if (Math.max(box[0], box[2]) < at.x0 - 1 || Math.min(box[0], box[2]) > at.x1 + 1 || Math.max(box[1], box[3]) < at.y0 - 1 || Math.min(box[1], box[3]) > at.y1 + 1) continue;
      const wide = [...counts].map((n) => (n ? Math.max(leastBand, n * per) : 0));
      let x0 = at.sx(box[0]), y0 = at.sy(box[1]), x1 = at.sx(box[2]), y1 = at.sy(box[3]);
      const length = Math.hypot(x1 - x0, y1 - y0) || 1, nx = -(y1 - y0) / length, ny = (x1 - x0) / length;
      const [before, after] = beyond.map((n) => n * per / 2);
      x0 -= ny * before;
      y0 += nx * before;
      x1 += ny * after;
      y1 -= nx * after;
      const all = wide.reduce((s, w) => s + w, 0);
      const stroke = (colour, width, off) => {
        ctx.strokeStyle = colour;
        ctx.lineWidth = width;
        ctx.beginPath();
        ctx.moveTo(x0 + nx * off, y0 + ny * off);
        ctx.lineTo(x1 + nx * off, y1 + ny * off);
        ctx.stroke();
      };
      if (edges) { // thin bands have none, of which a floor may have very many
        if (all >= 2) stroke(look.colour("--floor"), all + 2 * bandEdge, 0);
        continue;
      }
      let aside = -all / 2;
      for (let c = 0; c < wide.length; c++) {
        if (wide[c]) stroke(look.classes[c].colour, wide[c], aside + wide[c] / 2);
        aside += wide[c];
      }
    }
  }
  yield;
}

// paintInside draws how many cables are within each rack: a column at its left edge, full where there are the most.
function* paintInside(ctx, m, look, view, at) {
  const r = m.racks, { inside, mostInside } = look.bands, uprights = uprightsOf(look, view, at);
  if (!mostInside || !m.room) return;
  for (const [i, counts] of inside) {
    const w = r.width_m[i] * view.scale, d = r.depth_m[i] * view.scale;
    if (w < 7 || r.x_m[i] < at.x0 - 1 || r.x_m[i] > at.x1 + 1 || r.y_m[i] < at.y0 - 1 || r.y_m[i] > at.y1 + 1) continue;
    const wide = Math.max(3, 0.13 * w), tall = 0.5 * d, foot = at.sy(r.y_m[i]) + tall / 2, left = at.sx(r.x_m[i]) - w / 2;
    let x = left + 0.06 * w + 1;
    for (const b of uprights) if (b[0] < x + wide && b[2] > x && b[1] < foot && b[3] > foot - tall && b[2] + wide < left + w) x = b[2] + 0.06 * w + 1;
    ctx.fillStyle = look.colour("--free");
    ctx.fillRect(x, foot - tall, wide, tall);
    let up = 0;
    for (let c = 0; c < counts.length; c++) {
      if (!counts[c]) continue;
      const high = Math.max(1, tall * counts[c] / mostInside);
      ctx.fillStyle = look.classes[c].colour;
      ctx.fillRect(x, foot - up - high, wide, high);
      up += high;
    }
    ctx.strokeStyle = look.colour("--rack-line");
    ctx.lineWidth = 1;
    ctx.strokeRect(x, foot - tall, wide, tall);
  }
  yield;
}

// bandsInWords is what the legend says of widths.
function bandsInWords(m, look) {
  const parts = [], counted = m.products.some((p) => p.splits) ? "cables and legs of splitters" : "cables";
  if (look.bands.most > fewLines) parts.push(`Band width: number of ${counted} (most: ${whole.format(look.bands.most)}); near, single cables.`);
  if (look.bands.mostInside && m.room) parts.push(`Column in a rack: ${counted} inside it (full: ${whole.format(look.bands.mostInside)}).`);
  return parts.join(" ");
}

// nestNames are the names of the containers of a level without what all have in common.
function nestNames(m, level) {
  const r = m.racks, holds = m.nests[level].holds, n = Math.floor(r.count / holds), some = [];
  const numbers = (g) => {
    const steps = r.names[g * holds].split("/"), name = steps[level - (m.nests.length - steps.length)] || "";
    return name.slice(name.lastIndexOf("-") + 1).split(".");
  };
  for (let g = 0; g < n; g++) numbers(g).forEach((v, k) => { some[k] = some[k] || +v > 0; });
  return Array.from({ length: n }, (_, g) => numbers(g).filter((_, k) => some[k]).join("."));
}

const mostNests = 3000; // containers of a level that are outlined
// paintNests draws the outlines and names of the containers around those that are drawn as racks: of every level that
// is large enough at the scale, and beside the outermost ones the name of their level.
function* paintNests(ctx, m, look, view, at) {
  if (!m.nests || m.nests.length < 2) return;
  if (!m.named) {
    const corners = nestBoxes(m);
    m.named = m.nests.map((nest, level) => {
      const n = m.racks.count / nest.holds, c = corners[level];
      if (nest.holds === 1 || n <= 1 || n > mostNests) return [];
      const seen = new Map(); // one for those above each other, as for racks: the lowest, and how many more
      for (const [g, name] of nestNames(m, level).entries()) {
        const box = [c[6 * g], c[6 * g + 1], c[6 * g + 3], c[6 * g + 4]], key = box.map((v) => v.toFixed(3)).join();
        if (seen.has(key)) seen.get(key).more++;
        else seen.set(key, { name, box, more: 0 });
      }
      return [...seen.values()].map(({ name, box, more }) => ({ name: more ? `${name} +${more}` : name, box }));
    });
  }
  for (const [level, boxes] of m.named.entries()) {
    if (!boxes.length) continue;
    const outer = m.named.slice(0, level).every((l) => !l.length);
    for (const { box, name } of boxes) {
      const x = at.sx(box[0]), y = at.sy(box[3]), w = at.sx(box[2]) - x, d = at.sy(box[1]) - y;
      if (w < 5 || d < 5 || x > view.width || y > view.height || x + w < 0 || y + d < 0) continue;
      ctx.strokeStyle = look.colour("--rack-line");
      ctx.lineWidth = outer ? 2 : 1;
      ctx.strokeRect(x, y, w, d);
      const size = Math.min(13 * (look.letter || 1), outer ? 12 : w / Math.max(2, name.length) * 1.4, outer ? 99 : d * 0.6);
      if (!name || size < 7) continue;
      ctx.font = `600 ${size}px system-ui, sans-serif`;
      ctx.textBaseline = "middle";
      ctx.textAlign = outer ? "right" : "center";
      ctx.lineWidth = 3;
      ctx.strokeStyle = look.colour(outer ? "--around" : "--floor");
      ctx.fillStyle = look.colour("--rack-ink");
      const edge = look.letter ? 0 : view.width * around / (1 + 2 * around); // of what is in sight
      const full = `${m.nests[level].name} ${name}`, text = outer && x - 9 - ctx.measureText(full).width > edge ? full : name;
      const tx = outer ? Math.max(x - 5, edge + 4 + ctx.measureText(text).width) : x + w / 2, ty = y + d / 2;
      ctx.strokeText(text, tx, ty);
      ctx.fillText(text, tx, ty);
    }
    yield;
  }
}

// paintAisles writes what the aisles are and how wide, clear of cables and keep-outs and as near to a third of the
// aisle's length as can be, as drawings do; over the cables where there is no such place.
function paintAisles(ctx, m, look, view, at) {
  if (!m.room) return;
  const letter = look.letter || 1, uprights = uprightsOf(look, view, at);
  const kept = m.room.keep_outs.map((k) => {
    const xs = k.rings_m.flat().map((p) => p[0]), ys = k.rings_m.flat().map((p) => p[1]);
    return [at.sx(Math.min(...xs)), at.sy(Math.max(...ys)), at.sx(Math.max(...xs)), at.sy(Math.min(...ys))];
  });
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  for (const a of m.room.aisles) {
    const [x0, y0, x1, y1] = a.bound_m, tall = (y1 - y0) * view.scale, y = at.sy((y0 + y1) / 2);
    const text = `${a.cold ? "cold" : "hot"} aisle, ${+(y1 - y0).toFixed(4)} m`, left = at.sx(x0), wide = at.sx(x1) - left;
    const write = (size, taken) => {
      ctx.font = `${size}px system-ui, sans-serif`;
      const half = ctx.measureText(text).width / 2 + 3 * letter, tries = 120;
      for (let k = 0; k < tries; k++) {
        const x = left + wide * (1 / 3 + (k % 2 ? -1 : 1) * Math.ceil(k / 2) / tries);
        if (x - half < left || x + half > left + wide) continue;
        if (taken.some((b) => b[2] > x - half && b[0] < x + half && b[3] > y - size && b[1] < y + size)) continue;
        ctx.lineWidth = 4 * letter;
        ctx.strokeStyle = look.colour(a.cold ? "--cold" : "--hot");
        ctx.strokeText(text, x, y);
        ctx.fillStyle = look.colour(a.cold ? "--cold-ink" : "--hot-ink");
        ctx.fillText(text, x, y);
        return true;
      }
      return false;
    };
    const sizes = [];
    for (let size = Math.min(15 * letter, 0.45 * tall); size >= 8; size--) sizes.push(size);
    if (!sizes.some((size) => write(size, [...kept, ...uprights]))) sizes.some((size) => write(size, kept));
  }
}

// paintFurniture draws what stays in sight however the floor is moved: the names of rows at the left edge, and a scale
// bar with the size of the floor.
function paintFurniture(ctx, m, look, view) {
  const sx = (x) => (x - view.x) * view.scale + view.width / 2, sy = (y) => view.height / 2 - (y - view.y) * view.scale;
  ctx.font = "600 12px system-ui, sans-serif";
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  if (m.room) {
    let last = Infinity;
    for (const row of [...m.room.rows].sort((a, b) => b.bound_m[1] - a.bound_m[1])) {
      const y = sy((row.bound_m[1] + row.bound_m[3]) / 2), x = sx(row.bound_m[0] - 0.35) - 12;
      if (Math.abs(y - last) < 13 || y < 0 || y > view.height || sx(row.bound_m[2]) < 0) continue;
      last = y;
      ctx.textAlign = x < 12 ? "left" : "center";
      ctx.lineWidth = 4;
      ctx.strokeStyle = look.colour("--floor");
      ctx.strokeText(row.name, Math.max(8, x), y);
      ctx.fillStyle = look.colour("--muted");
      ctx.fillText(row.name, Math.max(8, x), y);
    }
  }
  const room = 150 / view.scale, ten = 10 ** Math.floor(Math.log10(room)), bar = ten * [5, 2, 1].find((f) => f * ten <= room);
  const b = floorBox(m), text = `${bar < 1 ? `${Math.round(bar * 100)} cm` : `${bar} m`}   floor ${(b[2] - b[0]).toFixed(2)} x ${(b[3] - b[1]).toFixed(2)} m`;
  const x = 14, y = view.height - 14, wide = bar * view.scale;
  ctx.textAlign = "left";
  ctx.font = "12px system-ui, sans-serif";
  ctx.fillStyle = look.colour("--around");
  ctx.fillRect(x - 6, y - 12, wide + 22 + ctx.measureText(text).width, 22);
  ctx.fillStyle = look.colour("--rack-ink");
  ctx.fillRect(x, y - 2, wide, 3);
  ctx.fillRect(x, y - 6, 1.5, 11);
  ctx.fillRect(x + wide - 1.5, y - 6, 1.5, 11);
  ctx.fillText(text, x + wide + 8, y);
}
