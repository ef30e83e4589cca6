// The floor: two canvases larger than what is in sight, one of which is shown, moved and scaled while the other is drawn
// anew in slices of a few milliseconds, so that moving never waits for drawing; and one on top for what is pointed at.

const sliceMilliseconds = 4;
const firstMilliseconds = 200; // of drawing before a page is shown for the first time, so that it shows a floor
const around = 0.35; // of the view, on each side, that is drawn beyond it
const mostScale = 800, readable = 26; // pixels to a metre; pixels of a rack's depth at which its name is written
const leastNamed = 16, nameAt = 0.34; // pixels of a rack's width; of its depth from its middle, as in drawings

// rackContents are what racks hold, by the bits of m.holds.
const rackContents = [
  ["free position", "--free"], ["nodes", "--rack-nodes"], ["switches", "--rack-switches"],
  ["nodes and switches", "--rack-mixed"], ["service boxes", "--rack-service"], ["nodes", "--rack-nodes"],
  ["switches and service boxes", "--rack-servers"], ["nodes and switches", "--rack-mixed"],
];
const contentOf = (m, r) => {
  const bits = m.holds[r] & 7;
  if (m.racks.class[r] === 1) return ["switches, end of row", "--rack-end"];
  if (m.racks.class[r] === 2) return ["switches, middle of row", "--rack-middle"];
  if (bits === 0 && m.racks.boxes[r] > 0) return ["boxes", "--rack-nodes"];
  return rackContents[bits];
};

// fillOf is the colour of a rack by what it holds: behind cables a grey, as in drawings, so that colours belong to them.
const fillOf = (m, look, i) => {
  const name = contentOf(m, i)[1];
  return look.colour(look.lines && name !== "--free" ? `${name}-behind` : name);
};

// paintFloor draws the floor into a context, in steps: view is {x, y, scale} of the middle and {width, height} in
// pixels. It yields after every step, so that the caller may stop in between.
function* paintFloor(ctx, m, paths, look, view) {
  const sx = (x) => (x - view.x) * view.scale + view.width / 2;
  const sy = (y) => view.height / 2 - (y - view.y) * view.scale;
  const x0 = view.x - view.width / 2 / view.scale, x1 = view.x + view.width / 2 / view.scale;
  const y0 = view.y - view.height / 2 / view.scale, y1 = view.y + view.height / 2 / view.scale;
  const colour = look.colour;
  ctx.fillStyle = colour("--around");
  ctx.fillRect(0, 0, view.width, view.height);
  paintRoom(ctx, m, colour, sx, sy);
  paintGaps(ctx, m, { colour, scale: view.scale }, sx, sy, false);
  yield;
  yield* paintRacks(ctx, m, look, view, { sx, sy, x0, x1, y0, y1 });
  if (look.trays && m.trays) yield* paintTrays(ctx, m, look, view, sx, sy);
  const at = { sx, sy, x0, x1, y0, y1 };
  if (look.lines) {
    if (showsBands(look, view.scale)) yield* paintBands(ctx, look, view, at);
    else yield* paintLines(ctx, paths, look, view, at);
    yield* paintInside(ctx, m, look, view, at);
  }
  paintGaps(ctx, m, { colour, scale: view.scale }, sx, sy, true);
  paintAisles(ctx, m, look, view, at);
  yield* paintNests(ctx, m, look, view, at);
  yield* paintNames(ctx, m, look, view, { sx, sy, x0, x1, y0, y1 });
}

function paintRoom(ctx, m, colour, sx, sy) {
  const box = (b) => [sx(b[0]), sy(b[3]), sx(b[2]) - sx(b[0]), sy(b[1]) - sy(b[3])];
  const all = box(floorBox(m));
  ctx.fillStyle = colour("--floor");
  const halls = (m.room && m.room.halls_m) || [];
  for (const b of halls.length ? halls.map(box) : [all]) ctx.fillRect(...b);
  if (!m.room) return;
  for (const a of m.room.aisles) {
    ctx.fillStyle = colour(a.cold ? "--cold" : "--hot");
    ctx.fillRect(...box(a.bound_m));
  }
  for (const k of m.room.keep_outs) {
    ctx.beginPath();
    for (const ring of k.rings_m) ring.forEach(([x, y], i) => (i ? ctx.lineTo(sx(x), sy(y)) : ctx.moveTo(sx(x), sy(y))));
    ctx.fillStyle = colour({ column: "--column", wall: "--beyond", door: "--door-zone" }[k.why] || "--keep-out");
    ctx.fill("evenodd");
    ctx.strokeStyle = colour({ column: "--column", wall: "--wall", door: "--door" }[k.why] || "--keep-line");
    ctx.lineWidth = 1;
    ctx.stroke();
  }
  ctx.strokeStyle = colour("--wall");
  ctx.lineWidth = m.room.walls ? 3 : 1;
  if (!halls.length) ctx.strokeRect(...all);
  ctx.lineWidth = 3;
  for (const h of halls) ctx.strokeRect(...box(h));
  ctx.strokeStyle = colour("--door");
  ctx.lineWidth = 5;
  for (const d of m.room.doors) {
    ctx.beginPath();
    ctx.moveTo(sx(d[0]), sy(d[1]));
    ctx.lineTo(sx(d[2]), sy(d[3]));
    ctx.stroke();
  }
}

// usualGap is the width of an opening for cables where nothing states it, in metres; leastGap is half the least one that
// is drawn, in pixels.
const usualGap = 0.3, leastGap = 6;

// paintGaps draws the openings for cables: a gap in a wall with its two ends, or a crossed square in a floor. Walls are
// under cables, so that a gap hides none of them.
function paintGaps(ctx, m, look, sx, sy, inFloors) {
  for (const g of (m.room && m.room.gaps) || []) {
    if (!g.wall !== inFloors) continue;
    const x = sx(g.at_m[0]), y = sy(g.at_m[1]), half = Math.max(leastGap, (g.width_m || usualGap) * look.scale / 2);
    ctx.strokeStyle = look.colour("--wall");
    ctx.lineWidth = 1.5;
    if (inFloors) {
      ctx.strokeRect(x - half, y - half, 2 * half, 2 * half);
      ctx.beginPath();
      for (const s of [-1, 1]) { ctx.moveTo(x - half, y - s * half); ctx.lineTo(x + half, y + s * half); }
      ctx.stroke();
      continue;
    }
    const along = g.wall === "south" || g.wall === "north", [dx, dy] = along ? [half, 3] : [3, half];
    ctx.fillStyle = look.colour("--floor");
    ctx.fillRect(x - dx, y - dy, 2 * dx, 2 * dy);
    ctx.beginPath();
    for (const s of [-1, 1]) {
      ctx.moveTo(x + (along ? s * half : -4), y + (along ? -4 : s * half));
      ctx.lineTo(x + (along ? s * half : 4), y + (along ? 4 : s * half));
    }
    ctx.stroke();
  }
}

// gapLegend explains the openings for cables.
function gapLegend(m, look) {
  const gaps = (m.room && m.room.gaps) || [];
  const words = [[(g) => g.wall, "opening in a wall for cables"], [(g) => !g.wall, "opening in a floor for cables"]];
  return words.filter(([is]) => gaps.some(is)).map(([, text]) => [look.colour("--wall"), text]);
}

// keptWords name what no rack stands on, and its colour, by why.
const keptWords = { column: ["building column", "--column"], "keep-out": ["keep-out", "--keep-out"], door: ["floor before a door", "--door-zone"], wall: ["wall or floor beyond it", "--beyond"] };

// keptLegend explains what no rack stands on.
function keptLegend(m, look) {
  const seen = new Set(m.room ? m.room.keep_outs.map((k) => k.why) : []);
  return Object.keys(keptWords).filter((why) => seen.has(why)).map((why) => [look.colour(keptWords[why][1]), keptWords[why][0]]);
}

// boundOf is the rectangle around what no rack stands on.
function boundOf(kept) {
  const xs = kept.rings_m.flat().map((p) => p[0]), ys = kept.rings_m.flat().map((p) => p[1]);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

// keptAt is the column, or else the keep-out, at a place on the floor; -1 for none.
function keptAt(m, [x, y]) {
  const at = (why) => (m.room ? m.room.keep_outs : []).findIndex((k) => {
    const b = boundOf(k);
    return k.why === why && x >= b[0] && x <= b[2] && y >= b[1] && y <= b[3];
  });
  const column = at("column");
  return column >= 0 ? column : at("keep-out");
}

// sizeOf says how wide and deep something on the floor is.
const sizeOf = (b) => `${(b[2] - b[0]).toFixed(2)} m x ${(b[3] - b[1]).toFixed(2)} m`;

function* paintRacks(ctx, m, look, view, at) {
  const r = m.racks;
  const lines = view.scale * (r.width_m[0] || 1) > 4;
  ctx.lineWidth = 1;
  for (let i = 0; i < r.count; i++) {
    if (i % 2000 === 1999) yield;
    const w = r.width_m[i], d = r.depth_m[i], x = r.x_m[i], y = r.y_m[i];
    if (x + w < at.x0 || x - w > at.x1 || y + d < at.y0 || y - d > at.y1) continue;
    const left = at.sx(x - w / 2), top = at.sy(y + d / 2), wide = w * view.scale, deep = d * view.scale;
    ctx.fillStyle = look.rackColour(i);
    ctx.fillRect(left, top, wide, deep);
    if (!lines) continue;
    ctx.strokeStyle = look.colour("--rack-line");
    ctx.strokeRect(Math.round(left) + 0.5, Math.round(top) + 0.5, Math.round(wide), Math.round(deep));
    if (r.boxes[i] > 0 && m.room) {
      const front = Math.max(1.5, 0.06 * deep);
      ctx.fillStyle = look.colour("--front");
      ctx.fillRect(left, r.turned[i] ? top : top + deep - front, wide, front);
    }
  }
  yield;
}

// paintTrays draws the trays: as dashed lines where they lie behind cables, else in the colour of their fill.
function* paintTrays(ctx, m, look, view, sx, sy) {
  const t = m.trays, levels = t.levels.length, letter = look.letter || 1, e = t.ends_m;
  const band = Math.max(2, Math.min(14, 0.3 * view.scale));
  const line = (i, aside, width, colour) => {
    const k = 6 * i, across = e[k] === e[k + 3] ? [aside, 0] : [0, aside];
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.beginPath();
    ctx.moveTo(sx(e[k]) + across[0], sy(e[k + 1]) + across[1]);
    ctx.lineTo(sx(e[k + 3]) + across[0], sy(e[k + 4]) + across[1]);
    ctx.stroke();
  };
  if (look.lines) {
    ctx.setLineDash([6 * letter, 4 * letter]);
    for (let i = 0; i < t.count; i++) if (t.level[i] === 0) line(i, 0, 1.2 * letter, look.colour("--traybox"));
    ctx.setLineDash([]);
    yield;
    return;
  }
  const most = t.cables.reduce((n, v) => Math.max(n, v), 1);
  for (const edges of [true, false]) { // light edges set trays off from racks of the same colour
    for (let i = 0; i < t.count; i++) {
      if (i % 3000 === 2999) yield;
      const aside = (t.level[i] - (levels - 1) / 2) * (band / levels), width = 1 + (band / levels - 1) * t.cables[i] / most;
      line(i, aside, edges ? width + 3 : width, look.colour(edges ? "--floor" : `--tray${trayStep(t, i)}`));
    }
  }
  yield;
}

// trayStep is the colour of a piece of tray: 0 where it is empty, the last where it is above its limit.
function trayStep(t, i) {
  const limit = t.limits[t.level[i]], share = limit ? t.fill_percent[i] / limit : 0;
  const step = traySteps.findIndex((most) => share <= most + 1e-9);
  return step < 0 ? traySteps.length : step;
}

// trayLegend explains the trays: colours, or a dashed line behind cables, and words.
function trayLegend(m, look) {
  if (!m.trays || !look.trays) return [];
  if (look.lines) return [["", "cable tray"]];
  const seen = new Set();
  for (let i = 0; i < m.trays.count; i++) seen.add(trayStep(m.trays, i));
  const percent = (step) => `${Math.round(100 * traySteps[step])} %`;
  return [...seen].sort((a, b) => a - b).map((step) => [look.colour(`--tray${step}`), step === 0 ? "empty tray"
    : step === traySteps.length ? "tray above its fill limit" : `tray up to ${percent(step)} of its fill limit`]);
}

// paintLines draws every line that is shown. Hairlines are drawn fastest, and where many lie above each other they grow
// darker; strokes of a hundred lines or so keep each path short.
function* paintLines(ctx, paths, look, view, at) {
  const { start, xy, box } = paths;
  ctx.lineWidth = look.lineWidth || 1;
  ctx.lineJoin = "bevel";
  ctx.globalAlpha = look.alpha;
  const ox = view.width / 2 - view.x * view.scale, oy = view.height / 2 + view.y * view.scale, s = view.scale;
  let inPath = 0, done = 0;
  for (let c = 0; c < look.classes.length; c++) {
    ctx.strokeStyle = look.classes[c].colour;
    ctx.beginPath();
    const list = look.byClass[c];
    for (let k = 0; k < list.length; k++) {
      const i = list[k], b = 4 * i;
      if (look.within[i]) continue; // a column of its rack counts it
      if (box[b + 2] < at.x0 || box[b] > at.x1 || box[b + 3] < at.y0 || box[b + 1] > at.y1) continue;
      const end = 2 * start[i + 1];
      let p = 2 * start[i];
      ctx.moveTo(xy[p] * s + ox, oy - xy[p + 1] * s);
      for (p += 2; p < end; p += 2) ctx.lineTo(xy[p] * s + ox, oy - xy[p + 1] * s);
      if (++inPath === 60) {
        ctx.stroke();
        ctx.beginPath();
        inPath = 0;
        if (++done % 3 === 0) yield;
      }
    }
    ctx.stroke();
    inPath = 0;
  }
  ctx.globalAlpha = 1;
  yield;
}

function* paintNames(ctx, m, look, view, at) {
  const r = m.racks;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  if (m.room && look.letter) { // on a screen they stay at the edge
    ctx.font = `600 ${12 * (look.letter || 1)}px system-ui, sans-serif`;
    ctx.fillStyle = look.colour("--muted");
    let lastY = Infinity;
    for (const row of [...m.room.rows].sort((a, b) => b.bound_m[1] - a.bound_m[1])) {
      const y = at.sy((row.bound_m[1] + row.bound_m[3]) / 2), x = at.sx(row.bound_m[0] - 0.35) - 12 * (look.letter || 1);
      if (Math.abs(y - lastY) < 13) continue;
      lastY = y;
      ctx.fillText(row.name, x, y);
    }
  }
  if (m.room) {
    const size = 12 * (look.letter || 1), inside = (m.room.halls_m || []).length > 0;
    ctx.font = `600 ${size}px system-ui, sans-serif`;
    ctx.fillStyle = look.colour("--muted");
    ctx.textAlign = "left";
    for (const h of m.room.hall_names || []) {
      const [x0, , x1, y1] = h.bound_m;
      if (ctx.measureText(h.name).width > (x1 - x0) * view.scale) continue;
      ctx.fillText(h.name, at.sx(x0) + (inside ? size : 0), at.sy(y1) + (inside ? size : -size));
    }
    ctx.textAlign = "center";
  }
  const upright = uprightsOf(look, view, at), letters = lettersOf(ctx, m, view, look.letter || 1);
  if (!letters) return;
  ctx.font = letters.font;
  const stacked = stackedNames(m);
  for (let i = 0; i < r.count; i++) {
    if (i % 200 === 199) yield;
    if (r.boxes[i] === 0 && !m.room || stacked.of(i) === "") continue;
    const wide = r.width_m[i] * view.scale, deep = r.depth_m[i] * view.scale;
    if (r.x_m[i] < at.x0 || r.x_m[i] > at.x1 || r.y_m[i] < at.y0 || r.y_m[i] > at.y1) continue;
    const text = letters.numbers ? numberOf(r.names[i]) : stacked.of(i), width = ctx.measureText(text).width;
    if (width > wide - 4) continue;
    const y = at.sy(r.y_m[i]) + (m.room && !r.turned[i] ? -1 : 1) * nameAt * deep; // at the rear, beside the cables
    const x = wordAt(upright, at.sx(r.x_m[i]) - wide / 2, at.sx(r.x_m[i]) + wide / 2, y, letters.size, width);
    ctx.lineWidth = 3;
    ctx.lineJoin = "round";
    ctx.strokeStyle = look.rackColour(i);
    ctx.strokeText(text, x, y);
    ctx.fillStyle = look.colour(r.boxes[i] ? "--rack-ink" : "--muted");
    ctx.fillText(text, x, y);
  }
  yield;
}

// stackedNames are the names of racks from above: containers one above the other have one, that of the lowest with the
// number of the others.
function stackedNames(m) {
  if (m.room) return { of: (i) => m.racks.names[i] };
  if (!m.stacked) {
    const column = columnsOf(m), first = new Map(), more = new Int32Array(m.racks.count), names = new Array(m.racks.count).fill("");
    for (let i = 0; i < m.racks.count; i++) {
      if (m.racks.boxes[i] === 0) continue;
      if (first.has(column(i))) more[first.get(column(i))]++;
      else first.set(column(i), i);
    }
    for (const i of first.values()) names[i] = m.racks.names[i] + (more[i] ? ` +${more[i]}` : "");
    m.stacked = { of: (i) => names[i], longest: names.reduce((most, name) => (name.length > most.length ? name : most), "") };
  }
  return m.stacked;
}

// numberOf is the number at the end of a rack's name.
const numberOf = (name) => (/[0-9]+$/.exec(name) || [name])[0];

// lettersOf are the letters for the names of all racks, or for their numbers where names do not fit; null where neither
// can be read.
function lettersOf(ctx, m, view, letter) {
  const r = m.racks, wide = (r.width_m[0] || 0) * view.scale, deep = (r.depth_m[0] || 0) * view.scale;
  if (wide < leastNamed || deep < readable) return null;
  const longest = (of) => r.names.reduce((most, name) => (of(name).length > most.length ? of(name) : most), "");
  m.longest ||= [m.room ? longest((name) => name) : stackedNames(m).longest, m.room ? longest(numberOf) : ""];
  for (const numbers of m.room ? [false, true] : [false]) {
    for (let size = Math.floor(Math.min(16 * letter, 0.3 * deep)); size >= 9; size--) {
      const font = `600 ${size}px system-ui, sans-serif`;
      ctx.font = font;
      if (ctx.measureText(m.longest[+numbers]).width <= wide - 5) return { font, size, numbers };
    }
  }
  return null;
}

// floorView is the interactive floor: events are {hover, pick, step, moved}; grab, which returns what a pointer drags at a
// place, for an event, null for the floor, and key, which reports whether it took a key.
function floorView(m, paths, look, events, signal) {
  const layers = [0, 1].map(() => el("canvas", { class: "floorlayer", "aria-hidden": "true" }));
  const over = el("canvas", { class: "floorover", "aria-hidden": "true" });
  const element = el("div", {
    class: "plan", tabindex: "0", role: "application", "data-drawing": "",
    "aria-label": "Floor plan with all cables. Arrow keys move, plus and minus zoom, 0 shows all, Shift and an arrow key " +
      "go from rack to rack, Escape clears the selection.",
  }, layers, over);
  const contexts = layers.map((c) => c.getContext("2d", { alpha: false, willReadFrequently: true }));
  const above = over.getContext("2d");
  const drawn = [null, null]; // the view that each layer shows
  const view = { x: 0, y: 0, scale: 1, width: 1, height: 1 };
  let front = 0, job = null, stale = true, queued = false, moving = 0, ratio = 1, marks = null, busy = false;
  let uncover = null, outlined = null, sized = false, shown = false, placed = false; // sized once its canvases have their size; shown once it has begun to be drawn; placed where a link leads

  const resize = () => {
    const b = element.getBoundingClientRect();
    if (!b.width || !b.height) return;
    const first = view.width === 1, all = first ? !placed : !movedView(handle); // what shows all goes on doing so
    sized = true;
    ratio = Math.min(2, window.devicePixelRatio || 1);
    view.width = b.width;
    view.height = b.height;
    over.width = Math.round(b.width * ratio);
    over.height = Math.round(b.height * ratio);
    if (all) fit();
    redraw();
    frame(); // the browser paints after this: a first picture has the floor, a further one what was drawn before
  };

  // measure gives a layer the size for what is in sight, which clears it; that in front keeps the size that it was drawn in.
  const measure = (c) => {
    const size = { wide: view.width * (1 + 2 * around), high: view.height * (1 + 2 * around) };
    const w = Math.round(size.wide * ratio), h = Math.round(size.high * ratio);
    if (c.width !== w || c.height !== h) Object.assign(c, { width: w, height: h });
    c.style.width = `${size.wide}px`;
    c.style.height = `${size.high}px`;
    return size;
  };

  // place moves and scales the layer in front to where the view is.
  const place = () => {
    const d = drawn[front];
    if (!d) return;
    const k = view.scale / d.scale;
    const x = view.width / 2 + (d.x - view.x) * view.scale - d.wide / 2 * k;
    const y = view.height / 2 - (d.y - view.y) * view.scale - d.high / 2 * k;
    layers[front].style.transform = `translate(${x}px,${y}px) scale(${k})`;
  };

  // covered reports whether the layer in front reaches over all that is in sight.
  const covered = () => {
    const d = drawn[front];
    if (!d || d.scale > view.scale * 2 || d.scale < view.scale / 2) return false;
    const w = d.wide / 2 / d.scale - view.width / 2 / view.scale;
    const h = d.high / 2 / d.scale - view.height / 2 / view.scale;
    return Math.abs(view.x - d.x) <= w && Math.abs(view.y - d.y) <= h;
  };
  const same = () => {
    const d = drawn[front];
    return d && !stale && d.scale === view.scale && covered();
  };

  // frame places what there is and goes on drawing for a slice.
  const frame = () => {
    queued = false;
    if (!sized) return;
    place();
    mark();
    const rests = performance.now() - moving > 120;
    if (!job && !same() && (rests || !covered() || stale)) begin();
    if (job) slice();
    if (job || !same()) ask();
    if (busy !== !!job) {
      busy = !!job;
      element.toggleAttribute("data-drawing", busy || !same());
    }
    if (!job && same()) element.removeAttribute("data-drawing");
  };
  const ask = () => {
    if (queued) return;
    queued = true;
    requestAnimationFrame(frame);
  };
  const begin = () => {
    stale = false;
    const layer = layers[1 - front], size = measure(layer);
    const target = { x: view.x, y: view.y, scale: view.scale * ratio, width: layer.width, height: layer.height };
    job = {
      layer: 1 - front, view: { x: view.x, y: view.y, scale: view.scale, ...size },
      steps: paintFloor(contexts[1 - front], m, paths, look, target), first: !drawn[front],
    };
    element.setAttribute("data-drawing", "");
  };
  const slice = () => {
    const until = performance.now() + (!shown ? firstMilliseconds : job.first ? 40 : performance.now() - moving > 120 ? 8 : sliceMilliseconds);
    let step;
    do {
      step = job.steps.next();
      contexts[job.layer].getImageData(0, 0, 1, 1); // have it drawn now, not all at once when it is shown
    } while (!step.done && performance.now() < until);
    shown = true;
    if (!step.done) return;
    const first = job.first;
    drawn[job.layer] = job.view;
    front = job.layer;
    job = null;
    place();
    layers[front].style.visibility = "visible";
    layers[1 - front].style.visibility = "hidden";
    if (first) {
      performance.mark("plenum-drawn");
      if (uncover) uncover();
    }
  };
  const redraw = () => {
    stale = true;
    job = null;
    ask();
  };

  const toFloor = (e) => {
    const b = element.getBoundingClientRect();
    return [view.x + (e.clientX - b.left - b.width / 2) / view.scale,
      view.y - (e.clientY - b.top - b.height / 2) / view.scale];
  };
  const moved = () => {
    moving = performance.now();
    ask();
    if (events.moved) events.moved(view);
  };
  // whole is the view of all of the floor.
  const whole = () => {
    const b = floorBox(m);
    const foot = 30, edge = 12; // pixels: of the scale bar, and above and below the floor
    const scale = Math.min(mostScale, 0.92 * view.width / (b[2] - b[0] || 1),
      Math.max(0.5 * view.height, view.height - foot - 2 * edge) / (b[3] - b[1] || 1));
    return { x: (b[0] + b[2]) / 2, y: (b[1] + b[3]) / 2 - foot / 2 / scale, scale };
  };
  const fit = () => {
    Object.assign(view, whole());
    moved();
  };
  const zoom = (factor, x = view.x, y = view.y) => {
    const b = floorBox(m);
    const least = 0.3 * Math.min(view.width / (b[2] - b[0] || 1), view.height / (b[3] - b[1] || 1));
    const scale = Math.max(least, Math.min(mostScale, view.scale * factor));
    view.x = x + (view.x - x) * view.scale / scale;
    view.y = y + (view.y - y) * view.scale / scale;
    view.scale = scale;
    moved();
  };
  const pan = (dx, dy) => {
    const b = floorBox(m);
    view.x = Math.max(b[0], Math.min(b[2], view.x - dx / view.scale));
    view.y = Math.max(b[1], Math.min(b[3], view.y + dy / view.scale));
    moved();
  };

  // mark draws the item pointed at and the selection, on top.
  const mark = () => {
    above.setTransform(ratio, 0, 0, ratio, 0, 0);
    above.clearRect(0, 0, view.width, view.height);
    paintFurniture(above, m, look, view);
    if (!marks && !outlined) return;
    const sx = (x) => (x - view.x) * view.scale + view.width / 2;
    const sy = (y) => view.height / 2 - (y - view.y) * view.scale;
    const trace = (i) => {
      for (let p = paths.start[i]; p < paths.start[i + 1]; p++) {
        const x = sx(paths.xy[2 * p]), y = sy(paths.xy[2 * p + 1]);
        if (p === paths.start[i]) above.moveTo(x, y);
        else above.lineTo(x, y);
      }
    };
    if (outlined) {
      above.lineWidth = 2;
      above.strokeStyle = look.colour("--pick2");
      above.strokeRect(sx(outlined[0]), sy(outlined[3]), (outlined[2] - outlined[0]) * view.scale, (outlined[3] - outlined[1]) * view.scale);
    }
    if (!marks) return;
    for (const [list, width, colour] of marks.lines) {
      for (const stroke of [[width + 2, look.colour("--halo")], [width, colour || look.colour("--pick")]]) {
        if (list.length > 400 && stroke[0] > width) continue;
        above.beginPath();
        above.lineWidth = stroke[0];
        above.strokeStyle = stroke[1];
        above.lineJoin = "round";
        for (const i of list) trace(i);
        above.stroke();
      }
    }
    const r = m.racks, carried = marks.carried;
    if (carried) { // what is carried, where the pointer is
      const i = carried.rack, w = r.width_m[i] * view.scale, d = r.depth_m[i] * view.scale;
      above.globalAlpha = 0.7;
      above.fillStyle = look.rackColour(i);
      above.fillRect(sx(carried.at[0]) - w / 2, sy(carried.at[1]) - d / 2, w, d);
      above.globalAlpha = 1;
    }
    for (const [i, width, colour] of marks.racks) {
      above.lineWidth = width;
      above.strokeStyle = look.colour(colour || "--pick");
      above.strokeRect(sx(r.x_m[i] - r.width_m[i] / 2), sy(r.y_m[i] + r.depth_m[i] / 2),
        r.width_m[i] * view.scale, r.depth_m[i] * view.scale);
    }
  };
  const handle = {
    element, view, fit, zoom, pan, redraw, toFloor, whole,
    // lookAt shows a place, in metres, at a scale, in pixels to a metre.
    lookAt(x, y, scale) {
      const b = floorBox(m), within = (v, least, most) => Math.max(least, Math.min(most, v));
      placed = true;
      Object.assign(view, { x: within(x, b[0], b[2]), y: within(y, b[1], b[3]), scale: within(scale, 0.01, mostScale) });
      moved();
    },
    // frame shows a box, x0, y0, x1, y1 in metres, and what is around it, once the floor has a size.
    frame(box) {
      if (view.width === 1) requestAnimationFrame(() => handle.frame(box));
      else handle.lookAt((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, Math.min(60, 0.7 * view.width / (box[2] - box[0]), 0.7 * view.height / (box[3] - box[1])));
    },
    idle: () => (!sized && element.offsetParent === null) || (!job && !!same()),
    // cover shows the picture of an older floor until this one is drawn, so that there is never none.
    cover(old) {
      if (drawn[front] || !old.querySelector('.floorlayer[style*="visible"]')) return;
      old.classList.add("oldplan");
      old.setAttribute("aria-hidden", "true");
      old.removeAttribute("tabindex");
      element.append(old);
      uncover = () => { old.remove(); uncover = null; };
    },
    // outline draws a box on top of all, x0, y0, x1, y1 in metres; null for none.
    outline(box) {
      outlined = box;
      mark();
    },
    marks(next) {
      marks = next;
      mark();
    },
    // reveal moves the floor as little as brings a rack into sight, and not at all where it is in sight.
    reveal(i) {
      const edge = 24, r = m.racks; // pixels around it
      const over = (at, half, from, size) => {
        const most = Math.max(0, size / 2 - edge - half * view.scale), off = (at - from) * view.scale;
        return Math.abs(off) <= most ? from : at - Math.sign(off) * most / view.scale;
      };
      const x = over(r.x_m[i], r.width_m[i] / 2, view.x, view.width), y = over(r.y_m[i], r.depth_m[i] / 2, view.y, view.height);
      if (x === view.x && y === view.y) return;
      Object.assign(view, { x, y });
      moved();
    },
  };
  moves(handle, events, signal);
  const watch = new ResizeObserver(resize);
  watch.observe(element);
  signal.addEventListener("abort", () => watch.disconnect());
  return handle;
}

// moves lets pointer, wheel and keys move a floor. On a page that scrolls, one finger scrolls it past the floor and two
// move the floor; elsewhere one finger does.
function moves(floor, events, signal) {
  const { element, pan, zoom, fit, toFloor } = floor;
  const pointers = new Map(), pinch = newPinch();
  let far = 0, held = null; // held is what is dragged in place of the floor
  const release = () => {
    if (held) held.cancel();
    held = null;
  };
  const on = (type, f, options = {}) => element.addEventListener(type, f, { signal, ...options });
  on("pointerdown", (e) => {
    pointers.set(e.pointerId, [e.clientX, e.clientY]);
    far = pointers.size > 1 ? 99 : 0; // two fingers do not click
    pinch.begin(pointers);
    release();
    if (pointers.size === 1 && e.button === 0) held = events.grab(toFloor(e), e);
    element.focus({ preventScroll: true });
    element.setPointerCapture(e.pointerId);
  });
  on("pointermove", (e) => {
    const last = pointers.get(e.pointerId);
    if (!last) {
      events.hover(toFloor(e), e);
      return;
    }
    pointers.set(e.pointerId, [e.clientX, e.clientY]);
    if (pointers.size === 2) {
      pinch.step(pointers, (dx, dy, factor, clientX, clientY) => {
        pan(dx, dy);
        zoom(factor, ...toFloor({ clientX, clientY }));
      });
      return;
    }
    far += Math.abs(e.clientX - last[0]) + Math.abs(e.clientY - last[1]);
    if (far > 3 && held) held.to(toFloor(e), e);
    else if (far > 3 && !(e.pointerType === "touch" && pageScrolls())) {
      events.hover(null);
      pan(e.clientX - last[0], e.clientY - last[1]);
    }
  });
  const up = (e) => {
    const drop = held && far > 3 && e.type === "pointerup" ? held.drop : null;
    if (drop) held = null;
    release();
    if (drop) drop();
    if (pointers.delete(e.pointerId) && far <= 3 && e.type === "pointerup") events.pick(toFloor(e));
  };
  on("pointerup", up);
  on("pointercancel", up);
  on("pointerleave", () => events.hover(null));
  takeTouches(on, () => held);
  on("wheel", (e) => {
    e.preventDefault();
    const lines = e.deltaMode === 1 ? 16 : 1;
    zoom(Math.exp(-Math.max(-300, Math.min(300, e.deltaY * lines)) * 0.0016), ...toFloor(e));
  }, { passive: false });
  on("dblclick", (e) => zoom(2, ...toFloor(e)));
  on("keydown", (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    if (held && e.key === "Escape") {
      release();
      e.preventDefault();
      return;
    }
    if (events.key(e)) {
      e.preventDefault();
      return;
    }
    const arrow = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
    if (arrow && e.shiftKey) events.step(-arrow[0], arrow[1]);
    else if (arrow) pan(80 * arrow[0], 80 * arrow[1]);
    else if (e.key === "+" || e.key === "=") zoom(1.3);
    else if (e.key === "-" || e.key === "_") zoom(1 / 1.3);
    else if (e.key === "0") fit();
    else if (e.key === "Escape") events.pick(null);
    else return;
    e.preventDefault();
  });
}
