// What is known of one cable (the pieces of its length, the product and its price) and of one figure of the plan.

// piecesOf lists what the length of a cable is made of, as plenum explain prints it: [name, tenths of a millimetre].
function piecesOf(m, i) {
  const c = m.cables;
  const [rise, run, drop, manager, crossing, slack, loop, rounding, middleA, middleB] = c.parts_tenth_mm.map((p) => p[i]);
  const out = [];
  const add = (name, v) => { if (v) out.push([name, v]); };
  const inRack = c.rackA[i] === c.rackB[i];
  const bundle = c.bundle[i] - 1;
  const way = bundle >= 0 && m.bundles && m.bundles.way_starts.length ? m.bundles.way[bundle] : -1;
  if (way >= 0) {
    add("rise", rise);
    const names = runsOf(m, way, m.bundles.a[bundle] !== c.rackA[i]);
    let along = 0, given = 0;
    for (const [name, l] of names) {
      along += l;
      const v = Math.round(along * 1e4) - given;
      given += v;
      add(`tray ${name}`, v);
    }
    add("beyond the room", Math.abs(run - given) > 1 ? run - given : 0);
    add("drop", drop);
    add("to the sides of the racks", manager);
    add("through the rack, front to rear", crossing);
  } else {
    const axes = c.axes_tenth_mm.map((a) => a[i]), along = axes[0] + axes[1] + axes[2];
    if (along) axes.forEach((v, k) => add(`along ${"xyz"[k]}`, v));
    else add("straight line", run);
    add("to the side of the rack and back", manager);
    if (along) add("beyond the room", rise + run + drop - along);
  }
  const route = rise + run + drop + manager + crossing;
  const share = Math.round(route * m.slack.percent / 100);
  add("slack in proportion", share);
  add("port to the middle of the rack, end A", middleA);
  add("port to the middle of the rack, end B", middleB);
  add(inRack ? "slack in the rack" : "slack", slack - share - middleA - middleB);
  add("service loops", loop);
  add("rounding", rounding);
  return out;
}

// runsOf lists the trays of a way with the metres on each.
function runsOf(m, way, back) {
  const b = m.bundles, out = [];
  if (!b.way_runs.length) return out;
  for (let k = b.way_runs[way]; k < b.way_runs[way + 1]; k++) out.push([b.tray_names[b.run_names[k]], b.run_length_m[k]]);
  return back ? out.reverse() : out;
}

// rowOf finds the line of the bill of a part.
const rowOf = (m, part) => m.plan.bom.find((r) => r.part === part);

// explainCable shows a cable. go is what happens when a rack is selected.
function explainCable(m, i, go) {
  const c = m.cables, p = c.product[i] >= 0 ? m.products[c.product[i]] : null;
  const id = cableID(m, i);
  const end = (box, port) => el("span", {}, `${m.boxes.names[box]} `, el("b", {}, portName(m, box, port)), " in ",
    el("button", { type: "button", class: "link", onclick: () => go(m.boxes.rack[box]) }, placeOf(m, box)));
  const level = m.levels[c.level[i]];
  const legs = [];
  for (let k = Math.max(0, i - 600); k < Math.min(c.count, i + 600); k++) if (c.cable[k] === c.cable[i]) legs.push(k);
  const pieces = piecesOf(m, i);
  const need = pieces.reduce((sum, x) => sum + x[1], 0);
  return el("div", { class: "cable" },
    el("h3", {}, `Cable ${id}`),
    figures([
      ["from", end(c.a[i], c.port_a[i])], ["to", end(c.b[i], c.port_b[i])],
      level.fabric ? ["fabric", level.fabric] : null, ["level", level.name], ["within one", m.layout_levels[c.within[i]]],
      legs.length > 1 ? ["link", `${c.leg[i]} of ${legs.length} that the cable carries`] : null,
      c.colour[i] ? ["colour", m.cable_colours[c.colour[i]]] : null,
      c.bundle[i] ? ["bundle", `${c.bundle[i]}, of ${plural(m.bundles.cables[c.bundle[i] - 1], "cable")}`] : null,
    ], { class: "facts tight" }),
    pieceChart(pieces),
    el("table", { class: "pieces" }, el("caption", {}, "Length"), el("tbody", {},
      pieces.map(([name, v]) => el("tr", {}, el("td", { class: "number" }, exact(v / 1e4)), el("td", {}, name))),
      el("tr", { class: "sum" }, el("td", { class: "number" }, exact(need / 1e4)), el("td", {}, "needed")),
      p ? [el("tr", {}, el("td", { class: "number" }, exact(p.length_m)), el("td", {}, "bought, ", el("b", {},
        `${exact(p.length_m - need / 1e4)} more`)))] : null)),
    p ? productOf(m, p) : el("p", { class: "bad" }, "No product can make this cable: see the rule reach."),
    el("p", { class: "hint" }, "The media rule that decided and every product that was considered: ",
      el("code", {}, `plenum explain plan-out ${id}`)));
}

function productOf(m, p) {
  const parts = [...new Set([p.name, p.optic_a, p.optic_b].filter(Boolean))];
  return el("table", { class: "prices" }, el("caption", {}, `Product: ${p.medium}${p.from_stock ? ", from the store" : ""}`),
    el("tbody", {}, parts.map((part) => {
      const row = rowOf(m, part);
      return el("tr", {}, el("td", {}, el("b", {}, part), row && row.description ? el("small", {}, row.description) : null,
        row && row.price_source ? el("small", {}, `price: ${row.price_from} (${row.price_confidence}): ${row.price_source}`) : null,
        part === p.name && p.source ? el("small", {}, `figures: ${p.source}`) : null),
      el("td", { class: "number" }, row ? money(row.unit_cost, m.plan.currency) : ""));
    })));
}

// pieceChart shows the pieces one after the other.
function pieceChart(pieces) {
  const all = pieces.reduce((sum, p) => sum + p[1], 0) || 1;
  const tone = (name) => (/^rise|^drop/.test(name) ? 5 : /tray|line|along|run|within/.test(name) ? 0 : /slack|loops/.test(name) ? 4
    : 3);
  let x = 0;
  return svg("svg", { class: "piecechart", viewBox: "0 0 400 14", role: "img", preserveAspectRatio: "none",
    "aria-label": pieces.map(([name, v]) => `${name} ${exact(v / 1e4)}`).join(", ") },
  pieces.map(([name, v]) => {
    const w = Math.max(0, v) / all * 400;
    const r = svg("rect", { x, y: 0, width: Math.max(0.5, w - 1), height: 14, fill: palette[tone(name)] },
      svg("title", {}, `${name}: ${exact(v / 1e4)}`));
    x += w;
    return r;
  }));
}

// explainFigure shows how a figure of the plan is computed, what it is made of and what it leaves out.
function explainFigure(f) {
  return el("div", {}, el("h3", {}, f.figure[0].toUpperCase() + f.figure.slice(1)), el("p", {}, el("b", {}, f.value)), el("p", {}, f.meaning),
    figures(f.terms.map((t) => [t.name, t.value, t.note])),
    f.left_out.map((s) => el("p", { class: "note" }, `Not counted: ${s}`)), el("p", { class: "note" }, `See ${f.page}.`));
}
