// The page: views beside each other, one of which is shown, and the selection.

let running = null; // the page that is shown, to be ended when new data come

// show puts new data into the page; the view that is open stays open.
async function show(data) {
  takeColours(data.colours);
  const m = await modelOf(data);
  const old = running, kept = old && window.plenum.state ? window.plenum.state.remember() : null;
  const before = kept && window.plenum.state.floor;
  running = new AbortController();
  if (old) old.abort();
  buildPage(m, running.signal, kept);
  if (before) window.plenum.state.floor.cover(before.element);
}

function buildPage(m, signal, kept) {
  const look = newLook(m);
  const paths = look.paths;
  const find = squares(m);
  const state = { rack: -1, cable: -1, hover: -1, space: null, eye: kept && kept.eye, sight: kept ? kept.sight : undefined };
  const details = el("aside", { class: "details", "aria-label": "Details", "aria-live": "polite", tabindex: "0" });
  const lead = leadTo(details, signal);
  // tell shows something in the panel of details, and its name in what leads there.
  const tell = (name, ...children) => {
    replace(details, ...children);
    details.scrollTop = 0;
    lead.name(name);
    if (state.markRow) state.markRow();
  };
  const tip = el("div", { class: "tip", role: "tooltip", hidden: true });
  let floor = null;
  const panel = filterPanel(m, look, () => {
    if (floor) floor.redraw();
    if (state.space) state.space.colours();
    marked();
    listed();
  });
  const lines = m.cables || m.bundles;
  const marked = () => {
    details.toggleAttribute("data-selected", state.rack >= 0 || state.cable >= 0);
    if (state.space && state.space.mark) state.space.mark(state.rack, state.cable);
    if (!floor) return;
    const list = [];
    if (state.rack >= 0 && m.cables) list.push([[...m.cablesOf(state.rack)].filter((i) => look.shown[i]), 1.2]);
    if (state.hover >= 0) list.push([[state.hover], 2]);
    if (state.cable >= 0) list.push([[state.cable], 3, look.colour("--pick2")]);
    const racks = state.rack >= 0 ? [[state.rack, 2.5]] : [], carried = state.carried;
    if (carried && carried.to >= 0) racks.push([carried.to, 3, carried.good === false ? "--bad" : "--pick2"]);
    floor.marks(list.length || racks.length ? { lines: list, racks, carried } : null);
  };
  let listed = () => {};
  const pickRack = (r, move) => {
    unmark();
    state.rack = r;
    state.cable = -1;
    if (move && floor) floor.reveal(r);
    marked();
    const shown = rackDetails(m, r, look, (i) => pickCable(i));
    listed = shown.list;
    tell(`${m.room ? "Rack" : m.racks.level} ${m.racks.names[r]}`, shown.element);
  };
  const pickCable = (i) => {
    unmark();
    state.cable = i;
    marked();
    listed = () => {};
    const back = state.rack >= 0 ? el("button", { type: "button", class: "link", onclick: () => pickRack(state.rack) },
      `back to rack ${m.racks.names[state.rack]}`) : null;
    tell(`${cableID(m, i)}, ${metres(m.cables.length_m[i])}`, back, explainCable(m, i, (r) => pickRack(r, true)));
  };
  // pickKept shows a column or a keep-out.
  const pickKept = (i) => {
    nothing();
    const b = boundOf(m.room.keep_outs[i]);
    floor.outline(b);
    outlined = true;
    tell(keptName(m, i), keptDetails(m, i, b), window.plenum.mover && window.plenum.mover.about ? window.plenum.mover.about(page, b) : null);
  };
  // pickPlace shows a hall, a row, a free position or a container around others.
  const pickPlace = (place) => {
    nothing();
    floor.outline(place.box);
    floor.frame(place.box);
    outlined = true;
    tell(place.name, placeDetails(m, place, (r) => pickRack(r, true)));
  };
  let outlined = false;
  // missing says above the details what a link names that is not here.
  const missing = (sentences) => {
    details.prepend(...sentences.map((text) => el("p", { class: "warn" }, text)));
    lead.name(sentences[0]);
  };
  // pickFigure explains a figure of the plan, as plenum explain does.
  const pickFigure = (name) => {
    const f = m.figures.find((f) => f.figure === name), longest = longestCable(m), button = (text, onclick) => el("button", { type: "button", class: "link", onclick }, text);
    nothing();
    tell(`How ${name} is computed`, explainFigure(f), name === "cost" ? button("show the bill", () => views.open("bill"))
      : name === "length" ? longest >= 0 && button("explain the longest cable", () => pickCable(longest)) : button("show the charts", () => views.open("figures")));
  };
  const unmark = () => {
    if (outlined) floor.outline(null);
    outlined = false;
  };
  const nothing = () => {
    unmark();
    state.rack = state.cable = -1;
    marked();
    listed = () => {};
    tell("", intro(m));
  };
  const hovering = (at, e) => {
    if (!at) {
      state.hover = -1;
      tip.hidden = true;
      marked();
      return;
    }
    const rack = find(...at), line = look.lines && lines ? nearestLine(paths, look.shown, ...at, 5 / floor.view.scale) : -1;
    if (line !== state.hover) {
      state.hover = line;
      marked();
    }
    tellTip(m, tip, rack, line, e, at);
  };
  // What carries racks, where the page is one of plenum serve.
  const page = { m, state, find, tip, marked: () => marked(), neighbour: (i, dx, dy) => neighbour(m, i, dx, dy, null, true),
    get floor() { return floor; } };
  floor = floorView(m, paths, look, {
    hover: hovering,
    grab: (at, e) => (window.plenum.mover ? window.plenum.mover.grab(page, at, e) : null),
    key: (e) => !!window.plenum.mover && window.plenum.mover.key(page, e),
    pick(at) {
      if (window.plenum.mover && window.plenum.mover.pick(page, at)) return undefined;
      if (!at) return nothing();
      const rack = find(...at);
      if (rack >= 0 && m.racks.boxes[rack] > 0) return pickRack(rack);
      const kept = keptAt(m, at), line = m.cables ? nearestLine(paths, look.shown, ...at, 6 / floor.view.scale) : -1;
      if (kept >= 0 && (line < 0 || m.room.keep_outs[kept].why === "column")) return pickKept(kept);
      return line >= 0 ? pickCable(line) : nothing();
    },
    step: (dx, dy) => pickRack(neighbour(m, state.rack, dx, dy, floor.view), true),
  }, signal);
  const views = viewsOf(m, { look, panel, floor, details, tip, state, pickRack, pickCable, clear: nothing, signal });
  nothing();
  panel.update();
  const go = { rack: (r) => { views.open("floor"); pickRack(r, true); }, cable: (i) => { views.open("floor"); state.rack = -1; pickCable(i); },
    place: (p) => { views.open("floor"); pickPlace(p); }, figure: (name) => { views.open("floor"); pickFigure(name); } };
  const app = document.getElementById("app");
  const open = document.body.dataset.view || "floor";
  replace(app, header(m, views, { pickRack: go.rack, pickCable: go.cable, pickPlace: go.place, pickFigure: go.figure, link: () => linkOf(shown) }), el("main", { class: "views" }, views.elements), lead.element, printFloor(m, paths, look, signal));
  views.open(views.names.includes(open) ? open : "floor");
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => recolour(look, panel), { signal });
  window.plenum.recolour = () => recolour(look, panel);
  const follow = (fragment, whole) => followLink(fragment, shown, views, { pickRack, pickCable, clear: nothing, missing }, whole);
  const shown = { model: m, look, floor, paths, panel, selected: state, pickRack, go, follow, cableNamed: (id) => cableNamed(m, id),
    remember: () => ({ ...remember(shown, views), eye: state.space && state.space.moved && state.space.moved() ? state.space.eye : state.space ? null : state.eye, sight: state.sight }) };
  window.plenum.state = shown;
  if (kept) recall(kept, shown, views, { pickRack, pickCable });
  else follow(location.hash);
  keepHistory(shown, signal, !!kept);
  document.body.dataset.ready = "yes";
}

let lastStep = null; // what of the link makes a step of the browser's history, as the page last showed it

// keepHistory keeps the fragment of the address at what the page shows, a moment after every act, and after new data,
// which end the page that the act was on. Another view or selection is a step of the browser's history; other acts change
// the step that the page is at.
function keepHistory(shown, signal, renewed) {
  let timer = 0;
  const stepOf = (link) => { const q = new URLSearchParams(link); return ["view", "rack", "cable"].map((name) => q.get(name)).join("\n"); };
  const write = (acted) => {
    const link = linkOf(shown), now = location.hash.replace(/^#/, ""), step = stepOf(link), next = acted && lastStep !== null && step !== lastStep;
    lastStep = step;
    if (link === now && !next && history.state?.plenum) return;
    try {
      history[next ? "pushState" : "replaceState"]({ ...history.state, plenum: true }, "", link ? `#${link}` : location.pathname + location.search);
    } catch { /* a page within another one may not */ }
  };
  const later = (acted) => {
    clearTimeout(timer);
    timer = setTimeout(() => { if (!signal.aborted) write(acted); }, acted ? 100 : 300);
  };
  for (const type of ["click", "change", "input", "keyup", "pointerup", "wheel"]) document.addEventListener(type, () => later(true), { signal, passive: true });
  // Back and Forward show a step as it was left; a link that is entered changes what it names.
  window.addEventListener("popstate", () => {
    if (!history.state?.plenum) return;
    shown.follow(location.hash, true);
    later(false);
  }, { signal });
  window.addEventListener("hashchange", () => {
    if (history.state?.plenum) return;
    shown.follow(location.hash);
    later(false);
  }, { signal });
  lastStep ??= stepOf(linkOf(shown));
  try {
    history.replaceState({ ...history.state, plenum: true }, ""); // at once: the first act may come before the timer
  } catch { /* a page within another one may not */ }
  later(false);
}

function recolour(look, panel) {
  look.cache.clear();
  panel.update();
}

// leadTo is the bar that leads to the details of what is selected, while they are out of sight on a page that is scrolled,
// as on a phone: the stylesheet shows it there only.
function leadTo(details, signal) {
  const words = el("b");
  const element = el("button", { type: "button", class: "lead", hidden: true, onclick: () => {
    details.scrollIntoView();
    details.focus({ preventScroll: true });
  } }, words, el("span", {}, "Details"));
  let inSight = false;
  const show = () => { element.hidden = inSight || !words.textContent; };
  const watch = new IntersectionObserver((seen) => { inSight = seen[seen.length - 1].isIntersecting; show(); }, { rootMargin: "0px 0px -90px 0px" });
  watch.observe(details);
  signal.addEventListener("abort", () => watch.disconnect());
  return { element, name(text) { words.textContent = text; show(); } };
}

// neighbour is the rack next to one in a direction, or the position where free ones count; the one in the middle of the
// view where none is selected.
function neighbour(m, from, dx, dy, view, free = false) {
  const r = m.racks;
  let best = Infinity, found = Math.max(0, from);
  const x = from >= 0 ? r.x_m[from] : view.x, y = from >= 0 ? r.y_m[from] : view.y;
  for (let i = 0; i < r.count; i++) {
    if (i === from || (r.boxes[i] === 0 && !free)) continue;
    const ex = r.x_m[i] - x, ey = r.y_m[i] - y, along = ex * dx + ey * dy, across = Math.abs(ex * dy) + Math.abs(ey * dx);
    if (from >= 0 && along <= 1e-6) continue;
    const far = from >= 0 ? along + 3 * across : Math.hypot(ex, ey);
    if (far < best) {
      best = far;
      found = i;
    }
  }
  return found;
}

// keptName is what a column or a keep-out is called.
function keptName(m, i) {
  const k = m.room.keep_outs[i];
  return k.why === "column" ? "Column" : k.name && k.name !== "keep-out" ? `Keep-out ${k.name}` : "Keep-out";
}

// keptDetails shows a column or a keep-out, with the violations of the rule of aisles.
function keptDetails(m, i, b) {
  const k = m.room.keep_outs[i], at = `x ${b[0].toFixed(2)} m, y ${b[1].toFixed(2)} m`;
  const found = (m.plan.violations || []).filter((v) => v.rule === "aisle" && v.message.includes(` at ${at} `));
  return el("div", {}, el("h3", {}, keptName(m, i)), figures([["size", sizeOf(b)], ["at", at],
    k.height_m ? ["height", metres(k.height_m)] : k.why === "column" ? ["height", "from floor to ceiling"] : null], { class: "facts tight" }),
  found.map((v) => el("p", { class: "warn" }, v.message)));
}

// tellTip says what is under the pointer.
function tellTip(m, tip, rack, line, e, at) {
  const out = [];
  if (rack >= 0) {
    const r = m.racks;
    out.push(el("b", {}, `${m.room ? "Rack" : m.racks.level} ${r.names[rack]}`), ` ${contentOf(m, rack)[0]}`);
    const facts = [plural(r.boxes[rack], "box", "boxes")];
    if (r.power_w[rack]) facts.push(watts(r.power_w[rack]) + basisOf(m) + without(m, rack, "power"));
    if (m.cables) facts.push(plural(m.cableCount(rack), "cable"));
    out.push(el("div", {}, facts.join(", ")));
  }
  if (line >= 0 && m.cables) {
    const c = m.cables, p = c.product[line];
    out.push(el("div", {}, el("b", {}, cableID(m, line)), ` ${m.boxes.names[c.a[line]]} to ${m.boxes.names[c.b[line]]}`),
      el("div", {}, `${metres(c.length_m[line])}, ${p >= 0 ? m.products[p].name : "no product"}`));
  } else if (line >= 0) {
    const b = m.bundles;
    out.push(el("div", {}, `Bundle of ${plural(b.cables[line], "cable")}, ${m.racks.names[b.a[line]]} to ${m.racks.names[b.b[line]]}`));
  }
  const kept = rack < 0 && line < 0 && at ? keptAt(m, at) : -1;
  if (kept >= 0) out.push(el("b", {}, keptName(m, kept)), ` ${sizeOf(boundOf(m.room.keep_outs[kept]))}`);
  tip.hidden = out.length === 0;
  if (!out.length) return;
  replace(tip, out);
  const box = tip.parentElement.getBoundingClientRect();
  const x = e.clientX - box.left, y = e.clientY - box.top;
  tip.style.left = `${Math.min(x + 14, box.width - tip.offsetWidth - 4)}px`;
  tip.style.top = `${y + 18 + tip.offsetHeight > box.height ? y - tip.offsetHeight - 10 : y + 18}px`;
}

// intro is what stands in the panel of details when nothing is selected.
function intro(m) {
  return el("div", {}, el("h3", {}, "Nothing selected"),
    el("p", {}, m.cables ? `${isTouched() ? "Tap" : "Click"} a ${m.racks.level} for what is in it and its cables, a cable for where its length, product and price come ` +
      "from." : `${isTouched() ? "Tap" : "Click"} a ${m.racks.level} for its figures.`),
    el("h4", {}, isTouched() ? "Fingers on the floor" : "Keys on the floor"),
    el("dl", { class: "keys" }, (isTouched() ? [["two fingers", "move and zoom"], ["tap", `select a ${m.racks.level} or a cable`], ["tap beside them", "clear"]]
      : [["drag, arrows", "move"], ["two fingers", "move and zoom"], ["wheel, + -", "zoom"], ["0", "show all"],
        ["Shift + arrows", `next ${m.racks.level}`], ["Esc", "clear"], ["/", "search"]]).map(([k, v]) => [el("dt", {}, k), el("dd", {}, v)])),
    m.left_out.length ? [el("h4", {}, "Not on this page"), el("ul", { class: "plain" }, m.left_out.map((l) => el("li", {}, l.why)))] : null,
    el("p", { class: "hint" }, rulesInWords(m)));
}

// rulesInWords says how the plan keeps the design rules.
function rulesInWords(m) {
  const accepted = m.rules.reduce((s, r) => s + r.suppressed, 0);
  const open = (severity) => m.rules.reduce((s, r) => s + (r.severity === severity ? r.breaches - r.suppressed : 0), 0);
  const parts = ["error", "warning"].filter(open).map((severity) => plural(open(severity), severity));
  if (accepted) parts.push(`${whole.format(accepted)} accepted`);
  return parts.length ? `Design rules: ${parts.join(", ")}; see Rules.` : "No design rule is broken.";
}

// rackHeat is where the heat of a rack goes, as far as parts state it.
function rackHeat(m, name) {
  const h = m.plan.heat && m.plan.heat.racks.find((x) => x.rack === name);
  return h ? ["heat", `${watts(h.liquid_w)} to liquid, ${watts(h.air_w)} to air` +
    (h.unstated_w ? `, ${watts(h.unstated_w)} of parts that do not state it` : "")] : null;
}

// rackCooling is the loop of coolant that serves a rack.
function rackCooling(m, name) {
  const c = m.plan.cooling;
  if (c && c.unserved_racks.includes(name)) return ["cooling", "no loop of coolant has the rack"];
  for (const l of (c || {}).loops || []) {
    const r = l.racks.find((x) => x.rack === name);
    if (r) return ["cooling", [`loop ${l.name}, ${r.cdu}`, r.flow_lpm ? `${short.format(r.flow_lpm)} l/min` : "",
      r.hose_m ? `two hoses of ${metres(r.hose_m)}${r.hose ? `, ${r.hose}` : ""}` : r.other_hall ? "from another hall" : "in the rack"].filter(Boolean).join(", ")];
  }
  return null;
}

// basisOf names the basis of figures of power, behind a comma; empty without one.
const basisOf = (m) => (m.plan.power_basis ? `, ${m.plan.power_basis.basis} power` : "");

// without says how many boxes of a rack the sum of a figure leaves out: power or weight. Empty where there are none, and
// where boxes are not listed.
function without(m, r, figure) {
  let n = 0;
  if (m.boxes) for (const v of m.boxesIn.of(r)) if (m.kinds[m.kind[v]][`no_${figure}`]) n++;
  return n ? `, without ${plural(n, "box", "boxes")} of unstated ${figure}` : "";
}

// rackDetails shows a rack: figures, elevation, cables.
function rackDetails(m, r, look, pick) {
  const k = m.racks, has = m.cables && k.boxes[r] > 0;
  const table = has ? longTable({ label: `Cables of rack ${k.names[r]}`, pick: (row) => pick(rows[row]),
    narrow: { lines: 2, columns: "64px minmax(0, 1fr) max-content" }, columns: [
      { name: "cable", width: "52px", at: "1 / 1" }, { name: "from", width: "1fr", at: "1 / 2" }, { name: "to", width: "1.5fr", at: "2 / 2 / 3 / 4" },
      { name: "m", width: "44px", number: true, at: "1 / 3", unit: "m" }] }) : null;
  let rows = [];
  const count = el("span", { class: "count" });
  const list = () => {
    if (!has) return;
    rows = [...m.cablesOf(r)].filter((i) => look.shown[i]);
    const c = m.cables;
    const end = (v, p, far) => portAt(m, v, p, far ? ` (${m.racks.names[m.boxes.rack[v]]})` : "");
    table.set(rows.length, (col, row) => {
      const i = rows[row], here = c.rackA[i] === r;
      const [v, p, w, q] = here ? [c.a[i], c.port_a[i], c.b[i], c.port_b[i]] : [c.b[i], c.port_b[i], c.a[i], c.port_a[i]];
      return [cableID(m, i), end(v, p), end(w, q, m.boxes.rack[w] !== r), c.length_m[i].toFixed(2)][col];
    });
    const some = countCables(m, rows), all = m.cableCount(r);
    count.textContent = some === all ? whole.format(all) : `${whole.format(some)} of ${whole.format(all)}, by the filters`;
  };
  const within = k.limit_w[r] ? ` of ${watts(k.limit_w[r])}` : "";
  const element = el("div", { class: "rack" }, el("h3", {}, `${m.room ? "Rack" : k.level} ${k.names[r]}`),
    figures([["holds", contentOf(m, r)[0]], ["boxes", whole.format(k.boxes[r])],
      m.room ? ["rack units", `${k.used_units[r]} of ${k.units[r]} used`] : null,
      k.power_w[r] || without(m, r, "power") ? ["power", watts(k.power_w[r]) + within + basisOf(m) + without(m, r, "power")] : null,
      rackHeat(m, k.names[r]), rackCooling(m, k.names[r]),
      k.weight_kg[r] || without(m, r, "weight") ? ["weight", `${whole.format(k.weight_kg[r])} kg${without(m, r, "weight")}`] : null,
      ["at", `x ${short.format(k.x_m[r])} m, y ${short.format(k.y_m[r])} m`]], { class: "facts tight" }),
    window.plenum.mover && k.boxes[r] > 0 ? window.plenum.mover.control(m, r) : null,
    has ? [el("h4", {}, "Cables ", count), table.element] : null,
    m.room && m.boxes ? [el("h4", {}, "Front"), elevationOf(m, r)] : null);
  list();
  return { element, list };
}

window.plenum = { show, pieces: piecesOf };
const first = JSON.parse(document.getElementById("plenum-data").textContent);
if (!first) replace(document.getElementById("app"), el("p", { class: "loading" }, "There is no plan yet."));
else window.plenum.first = show(first);
if (first) window.plenum.first.catch((err) => {
  const old = typeof DecompressionStream === "undefined" ? " It needs a browser of 2023 or later." : "";
  document.getElementById("app").replaceChildren(el("p", { class: "loading bad" }, `The plan cannot be shown: ${err.message}.${old}`));
  throw err;
});
