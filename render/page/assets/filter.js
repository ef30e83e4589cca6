// Which cables are shown, and in which colours.

// newLook is how the floor is drawn: colours of racks and classes of lines.
function newLook(m) {
  const look = {
    lines: true, trays: true, colourBy: m.cables ? (m.fabrics.length > 1 ? "fabric" : "medium") : "kind", racksBy: "contents",
    classes: [], byClass: [], paths: { count: 0 }, shown: new Uint8Array(0), within: new Uint8Array(0), bands: { pieces: [], most: 0, inside: new Map(), mostInside: 0 }, alpha: 1, cache: new Map(), count: 0, cables: 0, metres: 0,
    colour(name) {
      if (!look.cache.has(name)) look.cache.set(name, colourOf(name));
      return look.cache.get(name);
    },
    rackColour: (i) => fillOf(m, look, i),
  };
  return look;
}

// lengthSteps are the classes of lengths.
const lengthSteps = [1, 3, 5, 10, 30];

// classesOf lists the classes of lines by what they are coloured by, and the class of each line.
function classesOf(m, by) {
  const c = m.cables;
  const list = (names) => names.map((name, i) => ({ name, colour: palette[i % palette.length] }));
  if (!c) {
    const b = m.bundles;
    const kind = (i) => (b.copper[i] === 0 ? 0 : b.copper[i] === b.cables[i] ? 1 : 2);
    return { classes: list(["fibre bundle", "copper bundle", "mixed bundle"]), of: kind };
  }
  switch (by) {
    case "fabric": return { classes: list(m.fabrics.map((f) => f || "network")), of: (i) => c.fabric[i] };
    case "level":
      return { classes: list(m.levels.map((l) => (l.fabric ? `${l.fabric}/${l.name}` : l.name))), of: (i) => c.level[i] };
    case "stated": {
      const all = m.cable_colours.map((name, i) => ({ name: name || "no stated colour", colour: m.cable_jackets[i] }));
      const [none, ...classes] = all, last = classes.length;
      if (c.colour.includes(0)) classes.push(none);
      return { classes, of: (i) => (c.colour[i] ? c.colour[i] - 1 : last) };
    }
    case "length": {
      const names = lengthSteps.map((s, i) => (i ? `${lengthSteps[i - 1]} to ${s} m` : `up to ${s} m`));
      names.push(`over ${lengthSteps[lengthSteps.length - 1]} m`);
      const at = (i) => {
        const k = lengthSteps.findIndex((s) => c.length_m[i] <= s);
        return k < 0 ? lengthSteps.length : k;
      };
      return { classes: names.map((name, i) => ({ name, colour: heat[i] })), of: at };
    }
  }
  return { classes: m.media.map((name) => ({ name, colour: mediumColour(name) })), of: (i) => c.medium[i] };
}

// leastLane is the least share of the width of a tray that a class with lines has.
const leastLane = 0.04;

// lanesOf gives every class that has lines a lane of the trays: where it begins and how wide it is, as shares of the
// width, in proportion to the number of its lines.
function lanesOf(n, of, classes) {
  const counts = new Float64Array(classes), from = new Float64Array(classes);
  for (let i = 0; i < n; i++) counts[of(i)]++;
  const wide = counts.map((k) => (k ? Math.max(leastLane, k / n) : 0)), all = wide.reduce((s, w) => s + w, 0) || 1;
  let at = 0;
  for (let c = 0; c < classes; c++) {
    from[c] = at;
    at += wide[c] /= all;
  }
  return { from, wide };
}

// applyFilter works out which lines are shown.
function applyFilter(m, look, want) {
  const { classes, of } = classesOf(m, look.colourBy);
  const n = m.cables ? m.cables.count : m.bundles ? m.bundles.count : 0;
  if (look.laidBy !== look.colourBy) {
    look.laidBy = look.colourBy;
    const lanes = lanesOf(n, of, classes.length);
    Object.assign(look.paths, layPaths(m, of, lanes));
  }
  const c = m.cables;
  const shown = new Uint8Array(n), lists = classes.map(() => []), seen = new Uint8Array(c ? c.need.length : 0);
  let cables = 0, total = 0, count = 0, outside = 0;
  for (let i = 0; i < n; i++) {
    const length = c ? c.need[c.cable[i]] : m.bundles.length_m[i];
    if (length < want.least || length > want.most) continue;
    if (c) {
      if (want.fabrics && !want.fabrics.has(c.fabric[i])) continue;
      if (want.levels && !want.levels.has(c.level[i])) continue;
      if (want.media && !want.media.has(c.medium[i])) continue;
      if (want.where === "within" && c.rackA[i] !== c.rackB[i]) continue;
      if (want.where === "between" && c.rackA[i] === c.rackB[i]) continue;
      if (!seen[c.cable[i]]) {
        seen[c.cable[i]] = 1;
        cables++;
        total += length;
      }
      if (c.rackA[i] !== c.rackB[i]) outside++;
    } else {
      cables += m.bundles.cables[i];
      outside++;
    }
    shown[i] = 1;
    count++;
    lists[of(i)].push(i);
  }
  look.within = new Uint8Array(n);
  look.classes = classes;
  look.byClass = lists.map((l) => Int32Array.from(l));
  look.shown = shown;
  look.count = count;
  look.cables = cables;
  look.metres = total;
  look.bands = bandsOf(m, look);
  if (c && m.room) {
    for (let i = 0; i < n; i++) {
      const counts = c.rackA[i] === c.rackB[i] && c.bundle[i] === 0 ? look.bands.inside.get(c.rackA[i]) : null;
      if (counts && counts.reduce((s, k) => s + k, 0) > fewLines) look.within[i] = 1;
    }
  }
  look.alpha = outside > 30000 ? 0.25 : outside > 8000 ? 0.4 : outside > 2000 ? 0.6 : 0.85;
}

// heatOf maps a share from 0 to 1 to a colour.
const heatOf = (share) => heat[Math.max(0, Math.min(heat.length - 1, Math.floor(share * heat.length)))];

// colourRacks sets the colours of racks, and returns the legend: colours and names.
function colourRacks(m, look) {
  const r = m.racks;
  const measures = {
    power: [m.power_note ? `kW, ${m.power_note}` : "kW", (i) => r.power_w[i] / 1e3], cables: ["cables", (i) => m.cableCount(i)],
    units: ["rack units used", (i) => r.used_units[i]], weight: ["kg", (i) => r.weight_kg[i]],
    limit: ["% of the power limit", (i) => (r.limit_w[i] ? 100 * r.power_w[i] / r.limit_w[i] : 0)],
  };
  const measure = measures[look.racksBy];
  if (!measure) {
    look.rackColour = (i) => fillOf(m, look, i);
    const seen = new Map();
    for (let i = 0; i < r.count; i++) seen.set(contentOf(m, i)[0], [contentOf(m, i)[1], fillOf(m, look, i)]);
    return [...seen].sort((a, b) => (a[1][0] < b[1][0] ? 1 : -1)).map(([name, v]) => [v[1], name]);
  }
  let most = 0;
  for (let i = 0; i < r.count; i++) if (r.boxes[i] > 0) most = Math.max(most, measure[1](i));
  look.rackColour = (i) => (r.boxes[i] > 0 ? heatOf(most ? measure[1](i) / most : 0) : look.colour("--free"));
  return heat.map((c, i) => [c, `${short.format(most * i / heat.length)} to ${short.format(most * (i + 1) / heat.length)}` +
    (i === heat.length - 1 ? ` ${measure[0]}` : "")]);
}

// filterPanel is the panel of filters and legends; changed is called after every change.
function filterPanel(m, look, changed) {
  const want = { least: 0, most: Infinity, where: "all", fabrics: null, levels: null, media: null };
  const status = el("p", { class: "status", role: "status", "aria-live": "polite" });
  const rackLegend = el("ul", { class: "legend" });
  const widths = el("p", { class: "hint" });
  const boxes = [];
  const update = () => {
    applyFilter(m, look, want);
    const legend = [...colourRacks(m, look), ...keptLegend(m, look), ...gapLegend(m, look), ...trayLegend(m, look)];
    replace(rackLegend, legend.map(([colour, name]) => el("li", {}, colour ? swatch(colour) : el("i", { class: "swatch dashed" }), name)));
    for (const show of boxes) show();
    const lines = m.cables ? `${whole.format(look.cables)} of ${plural(m.plan.cables, "cable")}, ${distance(look.metres)}`
      : m.bundles ? `${plural(look.count, "bundle")} of ${plural(look.cables, "cable")}`
      : `${plural(m.plan.cables, "cable")}, not listed on this page`;
    status.textContent = lines;
    widths.textContent = bandsInWords(m, look);
    changed();
  };
  const parts = [status];
  if (m.cables) {
    const kinds = [["fabrics", "Fabric", m.fabrics, "fabric"], ["media", "Medium", m.media, "medium"],
      ["levels", "Level", m.levels.map((l) => (l.fabric ? `${l.fabric}/${l.name}` : l.name)), "level"]];
    for (const [key, title, names, by] of kinds) {
      if (names.length < 2 && key !== "media") continue;
      parts.push(choice(key, title, names, by, m, look, want, update, boxes));
    }
    parts.push(lengthFilter(m, want, update));
    parts.push(picker("Cables", [["all", "all"], ["between", "between racks"], ["within", "inside one rack"]], "all",
      (v) => { want.where = v; update(); }));
    const bys = [["medium", "medium"], ["level", "level"], ["length", "length"]];
    if (m.fabrics.length > 1) bys.unshift(["fabric", "fabric"]);
    if (m.cable_colours.length > 1) bys.push(["stated", "stated colour"]);
    parts.push(picker("Colour cables by", bys, look.colourBy, (v) => { look.colourBy = v; update(); }));
    const legend = el("ul", { class: "legend" });
    boxes.push(() => replace(legend, !["length", "stated"].includes(look.colourBy) ? [] : look.classes.map((c, i) =>
      el("li", {}, swatch(c.colour), c.name, el("small", {}, whole.format(countCables(m, look.byClass[i])))))));
    parts.push(legend);
  } else if (m.bundles) {
    const kinds = el("ul", { class: "legend" });
    boxes.push(() => replace(kinds, look.classes.map((c, i) =>
      el("li", {}, swatch(c.colour), c.name, el("small", {}, whole.format(look.byClass[i].length))))));
    parts.push(kinds);
  }
  const bys = [["contents", "contents"], ["units", "units used"]];
  if (m.plan.power_w && m.room) bys.push(["power", "power"]);
  if (m.room && m.racks.limit_w.some((v) => v > 0)) bys.push(["limit", "share of power limit"]);
  if (m.cables) bys.push(["cables", "cables"]);
  if (m.room) bys.push(["weight", "weight"]);
  parts.push(picker(m.room ? "Colour racks by" : `Colour each ${m.racks.level} by`,
    m.room ? bys : bys.filter((b) => b[0] !== "units"), look.racksBy, (v) => { look.racksBy = v; update(); }));
  parts.push(rackLegend, widths);
  const flag = (name, key) => el("label", { class: "check" }, el("input", {
    type: "checkbox", checked: look[key], onchange: (e) => { look[key] = e.target.checked; update(); },
  }), name);
  parts.push(el("div", { class: "flags" }, flag("lines", "lines"), m.trays ? flag("trays", "trays") : null));
  const element = el("form", { class: "filters", "aria-label": "Filters", onsubmit: (e) => e.preventDefault() }, parts);
  return { element, update, want };
}

const swatch = (colour) => {
  const s = el("i", { class: "swatch" });
  s.style.background = colour;
  return s;
};

function picker(title, options, value, change) {
  return el("label", { class: "field" }, title, el("select", { onchange: (e) => change(e.target.value) },
    options.map(([v, name]) => el("option", { value: v, selected: v === value }, name))));
}

// choice is a list of classes to tick, with their colours where lines are coloured by them.
function choice(key, title, names, by, m, look, want, update, boxes) {
  const inputs = names.map((name, i) => el("input", {
    type: "checkbox", checked: true, value: i, name: key, onchange: () => tick(),
  }));
  const tick = () => {
    const on = inputs.map((b, i) => (b.checked ? i : -1)).filter((i) => i >= 0);
    want[key] = on.length === names.length ? null : new Set(on);
    update();
  };
  const only = (i) => {
    const alone = inputs.every((b, k) => b.checked === (k === i));
    inputs.forEach((b, k) => { b.checked = alone || k === i; });
    tick();
  };
  const marks = names.map(() => swatch("transparent"));
  const of = { fabrics: "fabric", media: "medium", levels: "level" }[key];
  const lists = names.map(() => []);
  m.cables[of].forEach((v, i) => lists[v].push(i));
  const counts = lists.map((list) => countCables(m, list));
  boxes.push(() => marks.forEach((s, i) => {
    s.style.background = look.colourBy === by ? look.classes[i].colour : "transparent";
  }));
  return el("fieldset", {}, el("legend", {}, title), names.map((name, i) => counts[i] > 0 && el("div", { class: "pick" },
    el("label", { class: "check" }, inputs[i], marks[i], el("span", { class: "name", title: name || "network" },
      name || "network"), el("small", {}, whole.format(counts[i]))),
    el("button", { type: "button", class: "only", "aria-label": `only ${name}`, onclick: () => only(i) }, "only"))));
}

// lengthFilter is a range of lengths.
function lengthFilter(m, want, update) {
  const most = Math.ceil(m.plan.length_m.max * 10) / 10;
  const field = (name, key, value, start) => el("label", {}, name, el("input", {
    type: "number", min: 0, max: most, step: 0.1, value, name: key,
    oninput: (e) => { want[key] = e.target.value === "" ? start : +e.target.value; update(); },
  }));
  return el("fieldset", { class: "range" }, el("legend", {}, "Length needed (m)"),
    field("from", "least", 0, 0), field("to", "most", most, Infinity));
}
