// The views: floor, figures, three dimensions, cables, bill, rules and assumptions; and the head of the page.

// viewsOf makes the views. Each is made when it is first opened, and all for print.
function viewsOf(m, app) {
  const list = [
    ["floor", "Floor", () => floorPanel(m, app)], ["figures", "Figures", () => figuresView(m)],
    ["space", "3-D", () => {
      app.state.sightPanel = sightPanel(m, app.state, () => { if (app.state.space && app.state.space.show) app.state.space.show(); });
      return el("div", { class: "spacepart" }, el("div", { class: "spacehost" }), app.state.sightPanel.element, el("div", { class: "side" }));
    }],
    m.cables ? ["cables", "Cables", () => cablesView(m, app)] : null,
    ["bill", "Bill", () => billView(m)], ["rules", "Rules", () => rulesView(m)], ["basis", "Assumptions", () => basisView(m)],
  ].filter(Boolean);
  const sections = {}, buttons = {}, made = {};
  for (const [key, name] of list) {
    sections[key] = el("section", { id: `view-${key}`, class: `view ${key}`, role: "tabpanel", "aria-label": name, hidden: true });
    buttons[key] = el("button", { type: "button", role: "tab", "aria-controls": `view-${key}`, "aria-selected": "false",
      tabindex: "-1", onclick: () => open(key) }, name);
  }
  const make = (key) => {
    if (made[key]) return;
    made[key] = true;
    const inside = list.find((l) => l[0] === key)[2]();
    sections[key].append(...[inside].flat());
  };
  const open = async (key) => {
    make(key);
    document.body.dataset.view = key;
    for (const [other] of list) {
      sections[other].hidden = other !== key;
      buttons[other].setAttribute("aria-selected", String(other === key));
      buttons[other].tabIndex = other === key ? 0 : -1;
    }
    // The panel of details is beside the view that is open, where it has room for it.
    const place = sections[key].querySelector(".side") || sections.floor.querySelector(".floorview");
    if (place && app.details.parentElement !== place) place.append(app.details);
    if (key === "space" && !app.state.space) await openSpace(m, app, sections.space.querySelector(".spacehost"));
  };
  const tabs = el("div", { class: "tabs", role: "tablist", "aria-label": "Views" }, Object.values(buttons));
  tabs.addEventListener("keydown", (e) => {
    const keys = list.map((l) => l[0]), i = keys.indexOf(document.body.dataset.view);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!step) return;
    const next = keys[(i + step + keys.length) % keys.length];
    open(next);
    buttons[next].focus();
  });
  window.addEventListener("beforeprint", () => { for (const [key] of list) if (key !== "space" && key !== "cables") make(key); }, { signal: app.signal });
  return { elements: Object.values(sections), tabs, open, names: list.map((l) => l[0]), make: (key) => sections[key] && make(key),
    made: () => Object.keys(made) };
}

async function openSpace(m, app, host) {
  app.state.space = { colours() {}, stop() {} };
  replace(host, el("p", { class: "loading" }, "Unpacking the view ..."));
  try {
    app.state.space = await spaceView(m, app.look, app.signal, (r) => (r >= 0 ? app.pickRack(r) : app.clear()), app.state.sight);
    replace(host, app.state.space.element);
    app.state.space.mark?.(app.state.rack, app.state.cable);
    if (app.state.eye && app.state.space.lookFrom) app.state.space.lookFrom(app.state.eye);
    app.signal.addEventListener("abort", () => app.state.space.stop());
  } catch (err) {
    replace(host, el("p", { class: "loading bad" }, `The view in three dimensions cannot be opened: ${err.message}`));
  }
}

function floorPanel(m, app) {
  return el("div", { class: "floorview" }, el("h2", { class: "away" }, "Floor"), app.panel.element,
    el("div", { class: "floorbox" }, app.floor.element, app.tip,
      el("div", { class: "zoom" }, [["+", "zoom in", () => app.floor.zoom(1.4)], ["\u2212", "zoom out", () => app.floor.zoom(1 / 1.4)],
        ["\u2922", "show all", () => app.floor.fit()]].map(([text, name, f]) =>
        el("button", { type: "button", "aria-label": name, title: name, onclick: f }, text)))),
    app.details);
}

// header is the name of the machine, the views, the search and the key figures.
function header(m, views, go) {
  const theme = el("button", { type: "button", class: "theme", title: "light or dark", "aria-label": "light or dark", onclick: () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    window.plenum.recolour();
  } }, "\u25d0");
  return el("header", { class: "top" },
    el("div", { class: "bar" }, el("h1", { title: m.plan.machine }, m.plan.machine), views.tabs, searchBox(m, go), linkButton(go.link), theme),
    keyFigures(m, views, go));
}

// linkButton copies the address of what the page shows; link returns its fragment.
function linkButton(link) {
  const told = el("output"), name = "copy a link to this view";
  const icon = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M10 14a5 5 0 0 0 7 0l3-3a5 5 0 0 0-7-7l-1 1M14 10a5 5 0 0 0-7 0l-3 3a5 5 0 0 0 7 7l1-1" }));
  return el("span", { class: "copylink" }, el("button", { type: "button", class: "copylink", "aria-label": name, title: name, onclick: async () => {
    const fragment = link();
    told.textContent = await copyText(location.href.replace(/#.*$/, "") + (fragment ? `#${fragment}` : "")) ? "Link copied" : "Not copied: take it from the address bar";
    setTimeout(() => { told.textContent = ""; }, 2500);
  } }, icon), told);
}

// copyText puts a text on the clipboard, and reports whether the browser allows it.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { /* not on this page, or not yet: as older browsers do it */ }
  const area = el("textarea", { class: "away", "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

// longestCable is the cable that needs the most, -1 where cables are not listed.
function longestCable(m) {
  let found = -1;
  for (let i = 0; m.cables && i < m.cables.count; i++) if (found < 0 || m.cables.length_m[i] > m.cables.length_m[found]) found = i;
  return found;
}

function keyFigures(m, views, go) {
  const p = m.plan, cost = p.cost, kinds = p.power_by_kind_w || {};
  const errors = m.rules.filter((r) => r.severity === "error").reduce((s, r) => s + r.breaches - r.suppressed, 0);
  const warnings = m.rules.filter((r) => r.severity === "warning").reduce((s, r) => s + r.breaches - r.suppressed, 0);
  const d = p.delay, measured = (p.fabrics || []).filter((f) => f.delay), main = measured.find((f) => f.name === p.main_fabric) || measured[0];
  const shares = costShares(cost).slice(0, 3).map(([, name, share]) => `${name} ${percent(100 * share)}`).join(", ");
  const accepted = m.rules.reduce((s, r) => s + r.suppressed, 0);
  const mean = d ? [`${whole.format(d.delay_mean_ns)} ns`, `mean, at most ${whole.format(d.delay_max_ns)} ns`]
    : main ? [`${whole.format(main.delay.delay_mean_ns)} ns`, `mean, fabric ${main.name}`] : null;
  const cells = [
    boxFigure(m),
    p.racks ? ["Racks", whole.format(p.racks), p.floor ? plural(p.floor.positions || p.racks, "position") : ""] : null,
    ["Cables", whole.format(p.cables), plural(p.links, "link")],
    ["Length", distance(p.length_m.total), `mean ${metres(p.length_m.mean)}, longest ${metres(p.length_m.max)}`],
    ["Cost", `${bigMoney(cost.total)} ${p.currency}`,
      m.omitted.cost || shares, m.omitted.cost ? "part" : null, m.omitted.cost ? shares : null, m.omitted.sentences.join(" ")],
    ["Power", !p.power_w && m.power_note ? "unknown" : watts(p.power_w), [
      m.power_note || (kinds.nodes ? `nodes ${watts(kinds.nodes)}, network ${watts(p.power_w - kinds.nodes)}` : ""),
      p.power_delivered_w ? `${watts(p.power_delivered_w)} with supply losses` : "",
    ].filter(Boolean).join("; "),
      p.power_unstated ? "part" : null, null, m.power_note || null],
    mean ? ["Delay", ...mean] : null,
    ["Rules", errors ? plural(errors, "error") : warnings ? plural(warnings, "warning")
      : accepted ? plural(accepted, "accepted violation") : "no violations",
    [errors ? `and ${plural(warnings, "warning")}` : warnings ? "no error" : accepted ? "no other" : rulesChecked(m),
      accepted && (errors || warnings) ? `${whole.format(accepted)} accepted` : ""].filter(Boolean).join(", "),
    errors ? "bad" : warnings || accepted ? "warn" : "good"],
  ].filter(Boolean);
  const view = (key, what) => [`show ${what}`, () => views.open(key)], figure = (name) => [`explain the ${name}`, () => go.pickFigure(name)];
  const opens = { Boxes: view("floor", "where they stand"), Racks: view("floor", "where they stand"), Cables: view("cables", "the list of cables"),
    Length: figure("length"), Cost: figure("cost"), Power: figure("power"), Delay: figure("delay"), Rules: view("rules", "the design rules") };
  const shown = (name, value) => (opens[name] ? el("button", { type: "button", "aria-label": `${name}: ${value}`, title: opens[name][0], onclick: opens[name][1] }, value) : value);
  const list = el("dl", { class: "key", id: "key" }, cells.map(([name, value, note, tone, more, title]) =>
    el("div", { class: tone || null }, el("dt", {}, name), el("dd", {}, shown(name, value)),
      [note, more].filter(Boolean).map((text) => el("dd", { class: "note", title: title || text }, text)))));
  // On a phone the figures are one line, which opens.
  const box = el("div", { class: "keybox" }, list, el("button", { type: "button", class: "keymore", "aria-controls": "key", "aria-expanded": "false",
    "aria-label": "all about the figures", onclick: (e) => {
      const open = box.classList.toggle("open");
      e.currentTarget.setAttribute("aria-expanded", String(open));
      e.currentTarget.textContent = open ? "\u25b4" : "\u25be";
    } }, "\u25be"));
  return box;
}

// boxFigure counts the boxes as all documents do: patch panels are not boxes.
function boxFigure(m) {
  const p = m.plan, services = m.kinds.reduce((s, k) => s + (k.role === "service" ? k.count : 0), 0);
  return ["Boxes", whole.format(p.nodes + p.switches + services), [plural(p.nodes, "node"), plural(p.switches, "switch", "switches"),
    services ? plural(services, "service box", "service boxes") : ""].filter(Boolean).join(", ")];
}

// searchBox finds halls, rows, racks, boxes and cables by name.
function searchBox(m, go) {
  const told = el("p", { class: "found told", role: "status", hidden: true });
  const list = el("ul", { class: "found", id: "found", role: "listbox", hidden: true });
  let hits = [], at = 0, words = "";
  const input = el("input", { type: "search", placeholder: "Search racks, boxes, cables", "aria-label": "Search racks, boxes, cables", role: "combobox",
    "aria-expanded": "false", "aria-controls": "found", autocomplete: "off" });
  const show = () => {
    replace(list, hits.map((h, i) => el("li", { role: "option", id: `found-${i}`, "aria-selected": String(i === at),
      onpointerdown: (e) => { e.preventDefault(); take(i); } }, el("b", {}, h.name), el("small", {}, h.what))));
    list.hidden = hits.length === 0;
    told.hidden = !words;
    told.textContent = words;
    input.setAttribute("aria-expanded", String(!list.hidden));
    if (hits.length) input.setAttribute("aria-activedescendant", `found-${at}`);
  };
  const close = () => {
    hits = [];
    words = "";
    show();
  };
  const take = (i) => {
    const h = hits[i];
    close();
    if (!h) return;
    input.value = "";
    if (h.cable >= 0) go.pickCable(h.cable);
    else if (h.place) go.pickPlace(h.place);
    else go.pickRack(h.rack);
  };
  input.addEventListener("input", () => {
    const text = input.value.trim(), found = searchAll(m, text.toLowerCase());
    hits = found.hits;
    words = !text ? "" : !hits.length ? foundNothing(m, text) : found.more ? `and ${whole.format(found.more)} more` : "";
    at = 0;
    show();
  });
  input.addEventListener("blur", () => close());
  input.addEventListener("keydown", (e) => {
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      at = (at + (e.key === "ArrowDown" ? 1 : -1) + hits.length) % Math.max(1, hits.length);
      show();
      e.preventDefault();
    } else if (e.key === "/" && !input.value) e.preventDefault(); // the key that leads here
    else if (e.key === "Enter") take(at);
    else if (e.key === "Escape") { input.value = ""; close(); }
  });
  document.addEventListener("keydown", (e) => {
    if (e.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      input.focus();
      e.preventDefault();
    }
  }, { signal: running.signal });
  return el("div", { class: "search" }, input, el("div", { class: "foundbox" }, list, told));
}

function gapTable(gaps) {
  const number = (name, get, text) => ({ name, get, number: true, text });
  const fill = (l, percent) => (percent === null ? "no gap" : `${l.unmeasured_cables ? "at least " : ""}${short.format(percent)}`);
  return sortTable({ caption: "Gaps between containers", rows: gaps.levels, columns: [
    { name: "between cells of", get: (l) => l.level }, number("gaps", (l) => l.gaps, (l) => whole.format(l.gaps)),
    { name: "gap m", get: (l) => l.gap_m.join(" x ") },
    number("mean fill %", (l) => l.fill_mean_percent, (l) => fill(l, l.fill_mean_percent)),
    number("greatest %", (l) => l.fill_max_percent, (l) => fill(l, l.fill_max_percent)),
    number("limit %", (l) => l.limit_percent, (l) => short.format(l.limit_percent)),
    number("too full", (l) => l.overfull_gaps, (l) => whole.format(l.overfull_gaps)),
    { name: "fullest between", get: (l) => l.fullest }] });
}

// feedTable shows what each feed gives, and what it gives and what goes dark when a feed is lost.
function feedTable(feeds) {
  const number = (name, get, text) => ({ name, get, number: true, text });
  return sortTable({ caption: "Feeds", rows: feeds, columns: [
    { name: "feed", get: (f) => f.name }, number("PDUs and shelves", (f) => f.supplies, (f) => whole.format(f.supplies)),
    number("gives", (f) => f.power_w, (f) => watts(f.power_w)),
    number("at most, a feed lost", (f) => f.worst_power_w || f.power_w, (f) => (f.worst_lost ? `${watts(f.worst_power_w)} without ${f.worst_lost}` : "the same")),
    number("dark without it", (f) => f.dark, (f) => plural(f.dark, "box", "boxes"))] });
}

// supplyTable shows what the loss of as many power shelves as may fail does to each rack.
function supplyTable(losses) {
  const number = (name, get, text) => ({ name, get, number: true, text });
  return sortTable({ caption: "Losses of supplies", search: "Search the losses", rows: losses, columns: [
    { name: "rack", get: (l) => l.rack }, { name: "redundancy", get: (l) => l.redundancy }, { name: "lost", get: (l) => l.lost.join(", "), wide: true },
    { name: "then gives most", get: (l) => l.most }, number("gives", (l) => l.power_w, (l) => watts(l.power_w)),
    number("at most", (l) => l.power_max_w || 0, (l) => (l.power_max_w ? watts(l.power_max_w) : "not stated")),
    number("dark", (l) => l.dark, (l) => plural(l.dark, "box", "boxes"))] });
}

// coolingTables show the loops of coolant, the racks that they serve, and the heat of racks and rows to liquid and air.
function coolingTables(m) {
  const { cooling, heat } = m.plan;
  if (!cooling) return null;
  const number = (name, get, text) => ({ name, get, number: true, text });
  const flow = (v) => (v ? `${short.format(v)} l/min` : "not stated");
  const heats = [number("to liquid", (h) => h.liquid_w, (h) => watts(h.liquid_w)), number("to air", (h) => h.air_w, (h) => watts(h.air_w)),
    number("not stated", (h) => h.unstated_w, (h) => watts(h.unstated_w))];
  const loops = sortTable({ caption: "Loops of coolant", rows: cooling.loops, columns: [
    { name: "loop", get: (l) => l.name },
    { name: "CDUs", get: (l) => l.cdus.join(", ") + (l.spare ? `, of which ${whole.format(l.spare)} spare` : ""), wide: true },
    number("racks", (l) => l.racks.length, (l) => whole.format(l.racks.length)),
    number("heat", (l) => l.heat_w, (l) => watts(l.heat_w)), number("at most", (l) => l.capacity_w, (l) => watts(l.capacity_w)),
    number("used", (l) => l.heat_w / l.capacity_w, (l) => percent(100 * l.heat_w / l.capacity_w)),
    number("flow", (l) => l.flow_lpm || 0, (l) => flow(l.flow_lpm)), number("at most", (l) => l.flow_max_lpm || 0, (l) => flow(l.flow_max_lpm)),
    number("hoses", (l) => l.hoses_m, (l) => metres(l.hoses_m))] });
  const split = new Map(((heat || {}).racks || []).map((h) => [h.rack, h]));
  const served = cooling.loops.flatMap((l) => l.racks.map((r) => ({ ...split.get(r.rack), ...r, loop: l.name })));
  for (const name of cooling.unserved_racks) served.push({ ...split.get(name), rack: name, loop: "none", cdu: "", hose_m: 0 });
  const racks = sortTable({ caption: "Racks cooled by liquid", search: "Search the racks", rows: served, columns: [
    { name: "rack", get: (r) => r.rack }, { name: "loop", get: (r) => r.loop }, { name: "nearest CDU", get: (r) => r.cdu }, ...heats,
    number("flow", (r) => r.flow_lpm || 0, (r) => flow(r.flow_lpm)),
    number("each of 2 hoses", (r) => r.hose_m, (r) => (r.loop === "none" || r.other_hall ? "" : metres(r.hose_m)))] });
  const rows = heat && heat.rows.length ? sortTable({ caption: "Heat of rows", rows: heat.rows, columns: [
    { name: "row", get: (h) => h.row }, ...heats,
    number("most to air", (h) => h.air_limit_w || 0, (h) => (h.air_limit_w ? watts(h.air_limit_w) : "not stated"))] }) : null;
  return [el("h2", {}, "Cooling"), loops,
    el("p", { class: "hint" }, "Hoses run over the floor, without rises and slack. Air takes the heat of parts that do not state where it goes as well."),
    served.length ? [el("h2", {}, "Racks cooled by liquid"), racks] : null, rows ? [el("h2", {}, "Heat of rows"), rows] : null];
}

function figuresView(m) {
  const p = m.plan, currency = p.currency;
  const number = (name, get, text) => ({ name, get, number: true, text });
  const levels = (title, rows, first) => sortTable({ caption: title, rows, columns: [
    { name: first, get: (l) => l.level }, number("links", (l) => l.links, (l) => whole.format(l.links)),
    number("cables", (l) => l.cables, (l) => whole.format(l.cables)),
    number("mean m", (l) => l.length_m.mean, (l) => short.format(l.length_m.mean)),
    number("longest m", (l) => l.length_m.max, (l) => short.format(l.length_m.max)),
    number("mean ns", (l) => l.delay_ns.mean, (l) => short.format(l.delay_ns.mean)),
    number(`cost ${currency}`, (l) => l.cost,
      (l) => (l.cables_without_product === l.cables && l.cables > 0 ? "-" : cents.format(l.cost)))] });
  const fabrics = p.fabrics ? sortTable({ caption: "Fabrics", rows: p.fabrics, columns: [
    { name: "fabric", get: (f) => f.name }, { name: "family", get: (f) => (f.topology || {}).family || "" },
    number("nodes", (f) => f.nodes, (f) => whole.format(f.nodes)), number("switches", (f) => f.switches, (f) => whole.format(f.switches)),
    number("links", (f) => f.links, (f) => whole.format(f.links)), number("cables", (f) => f.cables, (f) => whole.format(f.cables)),
    number("mean hops", (f) => (f.delay ? f.delay.hops_mean : null), (f) => (f.delay ? short.format(f.delay.hops_mean) : "")),
    number("mean ns", (f) => (f.delay ? f.delay.delay_mean_ns : null), (f) => (f.delay ? short.format(f.delay.delay_mean_ns) : "")),
    number(`cost ${currency}`, (f) => f.cost.total, (f) => cents.format(f.cost.total))] }) : null;
  return el("div", { class: "page" }, el("div", { class: "charts" }, planCharts(m)),
    fabrics ? [el("h2", {}, "Fabrics"), fabrics] : null,
    el("h2", {}, "Links by level of the topology"), levels("Links by level of the topology", p.levels || [], "level"),
    el("h2", {}, "Links by level of the layout"), levels("Links by level of the layout", p.layout_levels || [], "within one"),
    m.omitted.links ? el("p", { class: "hint" }, `Costs of levels and fabrics are ${m.omitted.links}.`) : null,
    p.gaps ? [el("h2", {}, "Gaps between containers"), gapTable(p.gaps)] : null,
    (p.feeds || []).length ? [el("h2", {}, "Feeds"), feedTable(p.feeds)] : null,
    (p.supply_losses || []).length ? [el("h2", {}, "Losses of supplies"), supplyTable(p.supply_losses)] : null,
    coolingTables(m));
}

function cablesView(m, app) {
  const c = m.cables;
  let rows = [];
  const table = longTable({ label: "Cables", pick: (r) => { app.state.rack = -1; app.pickCable(rows[r]); },
    narrow: { lines: 4, columns: "64px minmax(0, 1fr) max-content" }, columns: [
      { name: "cable", width: "80px", at: "1 / 1" }, { name: "level", width: "1.1fr", at: "1 / 2" },
      { name: "from", width: "1.5fr", at: "2 / 1 / 3 / 3" }, { name: "place", width: "0.8fr", at: "2 / 3" },
      { name: "to", width: "1.5fr", at: "3 / 1 / 4 / 3" }, { name: "place", width: "0.8fr", at: "3 / 3" },
      { name: "product", width: "1.7fr", at: "4 / 1 / 5 / 3" }, { name: "medium", width: "0.9fr" },
      { name: "needs m", width: "70px", number: true, at: "1 / 3", unit: "m needed" }, { name: "bought m", width: "70px", number: true, at: "4 / 3", unit: "m bought" }] });
  const count = el("span", { class: "count", role: "status" });
  let by = "order", wanted = "";
  const level = m.levels.map((l) => (l.fabric ? `${l.fabric}/${l.name}` : l.name));
  const show = () => {
    rows = [];
    for (let i = 0; i < c.count; i++) {
      if (!app.look.shown[i]) continue;
      if (wanted && !(cableID(m, i).toLowerCase().includes(wanted) || m.boxes.names[c.a[i]].toLowerCase().includes(wanted) ||
        m.boxes.names[c.b[i]].toLowerCase().includes(wanted) || placeOf(m, c.a[i]).toLowerCase().startsWith(wanted) ||
        placeOf(m, c.b[i]).toLowerCase().startsWith(wanted))) continue;
      rows.push(i);
    }
    if (by === "longest") rows.sort((x, y) => c.length_m[y] - c.length_m[x] || x - y);
    if (by === "shortest") rows.sort((x, y) => c.length_m[x] - c.length_m[y] || x - y);
    if (by === "product") rows.sort((x, y) => c.product[x] - c.product[y] || x - y);
    table.set(rows.length, (col, r) => {
      const i = rows[r], p = c.product[i] >= 0 ? m.products[c.product[i]] : null;
      switch (col) {
        case 0: return cableID(m, i);
        case 1: return level[c.level[i]];
        case 2: return portAt(m, c.a[i], c.port_a[i]);
        case 3: return placeOf(m, c.a[i]);
        case 4: return portAt(m, c.b[i], c.port_b[i]);
        case 5: return placeOf(m, c.b[i]);
        case 6: return p ? p.name : "no product";
        case 7: return p ? p.medium : "";
        case 8: return c.length_m[i].toFixed(2);
      }
      return p ? short.format(p.length_m) : "";
    });
    count.textContent = `${linesInWords(m, rows)}; the filters of the floor hold here too`;
    app.state.markRow();
  };
  app.state.markRow = () => table.mark(app.state.cable < 0 ? -1 : rows.indexOf(app.state.cable));
  const inner = el("div", { class: "cablesview" }, el("h2", { class: "away" }, "Cables"), el("div", { class: "main" },
    el("div", { class: "tools" }, el("input", { type: "search", placeholder: "Cable, box, rack or place", "aria-label": "Cable, box, rack or place",
      oninput: (e) => { wanted = e.target.value.trim().toLowerCase(); show(); } }),
    picker("in order of", [["order", "number"], ["longest", "longest first"], ["shortest", "shortest first"], ["product", "product"]], "order",
      (v) => { by = v; show(); }), count), table.element), el("div", { class: "side" }));
  const watch = new MutationObserver(() => { if (document.body.dataset.view === "cables") show(); });
  watch.observe(document.body, { attributes: true, attributeFilter: ["data-view"] });
  app.signal.addEventListener("abort", () => watch.disconnect());
  show();
  return inner;
}

function billView(m) {
  const p = m.plan, c = p.cost;
  const price = (name, get) => ({ name, get, number: true, text: (r) => (get(r) === null || get(r) === undefined ? "no price" : cents.format(get(r))) });
  const count = (name, get) => ({ name, get, number: true, text: (r) => whole.format(get(r) || 0) });
  return el("div", { class: "page" },
    figures([["total", money(c.total, p.currency), m.omitted.cost], ["network", money(c.network, p.currency), m.omitted.network],
      ...costKinds.filter(([k]) => c[k] > 0).map(([k, name]) => [name, `${cents.format(c[k])}`])], { class: "facts wide" }),
    m.omitted.sentences.map((s) => el("p", { class: "warn" }, s)),
    p.operation ? el("p", {}, "What the power costs over the years is in plan.json under operation and on the Summary sheet of bom.xlsx.") : null,
    sortTable({ caption: "Bill of materials", search: "Search the bill", rows: p.bom || [], columns: [
      { name: "part", get: (r) => r.part, wide: true, show: (r) => [el("b", {}, r.part), r.description ? el("small", {}, r.description) : null].filter(Boolean).reduce((f, x) => (f.append(x), f), document.createDocumentFragment()) },
      { name: "kind", get: (r) => r.kind }, count("qty", (r) => r.qty), count("spares", (r) => r.spares), count("to buy", (r) => r.to_buy),
      ...((p.bom || []).some((r) => r.colours) ? [{ name: "colours to buy", get: (r) => (r.colours || []).map((c) => `${c.colour || "no colour"} ${whole.format(c.to_buy)}`).join(", "), wide: true }] : []),
      price(`each ${p.currency}`, (r) => r.unit_cost), price(`cost ${p.currency}`, (r) => r.cost),
      { name: "price from", get: (r) => r.price_from || "" }, { name: "confidence", get: (r) => r.price_confidence || "" },
      { name: "source", get: (r) => r.price_source || "" }] }));
}

// rulesChecked says how many rules were checked, the others having nothing to check, and how many in part.
function rulesChecked(m) {
  const idle = m.rules.filter((r) => r.unchecked).length;
  const partly = m.rules.filter((r) => r.partly).length;
  return `${m.rules.length - idle} of ${m.rules.length} checked${partly ? `, ${partly} in part` : ""}`;
}

function rulesView(m) {
  const found = m.plan.violations || [];
  const kept = m.rules.filter((r) => r.breaches === 0 && !r.unchecked), idle = m.rules.filter((r) => r.breaches === 0 && r.unchecked), broken = m.rules.filter((r) => r.breaches > 0);
  const rule = (r) => el("details", { class: `rule ${r.breaches > r.suppressed ? r.severity : r.breaches ? "warning" : r.unchecked ? "idle" : r.partly ? "partly" : "kept"}`,
    open: r.breaches > 0 },
    el("summary", {}, el("b", {}, r.rule), el("span", { class: "badge" }, [
      r.breaches > r.suppressed ? plural(r.breaches - r.suppressed, r.severity) : r.breaches ? "" : r.unchecked ? "nothing to check" : r.partly ? "checked in part" : "no violation",
      r.suppressed ? `${whole.format(r.suppressed)} accepted` : ""].filter(Boolean).join(", ")),
      el("span", { class: "text" }, r.text)),
    r.unchecked ? el("p", {}, `Nothing to check: ${r.unchecked}.`) : r.partly ? el("p", {}, `Checked in part: ${r.partly}.`) : null, el("p", {}, r.why), el("p", {}, el("b", {}, "What helps: "), r.mend),
    r.suppressed ? el("p", { class: "hint" }, `The machine file accepts ${plural(r.suppressed, "violation")}.`) : null,
    el("ul", { class: "breaches" }, found.filter((v) => v.rule === r.rule).map((v) =>
      el("li", {}, v.where ? el("b", {}, `${v.where}: `) : null, v.message, v.suppressed ? el("small", {}, `accepted: ${v.suppressed}`) : null))));
  return el("div", { class: "page rulespage" },
    el("p", {}, rulesInWords(m).replace("; see Rules", ""), broken.length ? ` ${plural(kept.length, "rule has", "rules have")} no violation.` : ""),
    broken.map(rule), kept.length ? el("h2", {}, "Without violations") : null, kept.map(rule),
    idle.length ? el("h2", {}, "Nothing to check") : null, idle.map(rule));
}

function basisView(m) {
  const p = m.plan, s = p.spec || {};
  const block = (v) => el("pre", { tabindex: "0" }, JSON.stringify(v, null, 2));
  const by = [...new Set((p.bom || []).map((r) => r.price_from).filter(Boolean))];
  const parts = ["topology", "fabrics", "packaging", "room", "cabling", "delay", "prices", "rules", "embedding"].filter((k) => s[k]);
  return el("div", { class: "page" },
    el("h2", {}, "What the figures assume and leave out"),
    (p.notes || []).length ? el("ul", { class: "notes" }, p.notes.map((n) => el("li", {}, n))) : el("p", {}, "Nothing is noted."),
    (m.left_out || []).length ? [el("h2", {}, "What this page leaves out"), el("ul", { class: "notes" }, m.left_out.map((l) => el("li", {}, l.why)))] : null,
    el("h2", {}, "Prices"), el("p", {}, `Price set ${p.price_set}, dated ${p.price_date}; prices from ${by.join(", ") || "nowhere"}; all money in ${p.currency}.`),
    el("h2", {}, "Parts whose delay is not stated"),
    (p.hop_unstated || []).length ? el("p", {}, `${p.hop_unstated.map((u) => u.part || JSON.stringify(u)).join(", ")}: delays are lower bounds.`) : el("p", {}, "None."),
    el("h2", {}, "The machine file, with its defaults filled in"),
    parts.map((k) => el("details", {}, el("summary", {}, k), block(s[k]))),
    el("p", { class: "hint" }, `Planned by Plenum ${p.version}.`));
}

// printFloor is the floor as paper has it: drawn when the page is about to be printed.
function printFloor(m, paths, look, signal) {
  const image = el("img", { alt: "Floor plan with all cables that the filters show" });
  const box = el("figure", { class: "printfloor", "aria-hidden": "true" }, image,
    el("figcaption", {}, `${m.plan.machine}: floor with ${m.cables ? plural(look.cables, "cable") : "bundles"}.`),
    el("ul", { class: "legend across" }));
  window.addEventListener("beforeprint", () => {
    const root = document.documentElement, theme = root.dataset.theme;
    root.dataset.theme = "light";
    look.cache.clear();
    const b = floorBox(m), across = b[2] - b[0] || 1, up = b[3] - b[1] || 1, most = 2600, edge = 70;
    const scale = Math.min((most - 2 * edge) / across, (most - 2 * edge) / up);
    const wide = Math.round(across * scale) + 2 * edge, tall = Math.round(up * scale) + 2 * edge;
    const canvas = el("canvas", { width: wide, height: tall });
    const view = { x: (b[0] + b[2]) / 2, y: (b[1] + b[3]) / 2, scale, width: wide, height: tall };
    const steps = paintFloor(canvas.getContext("2d", { alpha: false, willReadFrequently: true }), m, paths,
      { ...look, lineWidth: 1.3, letter: 3 }, view);
    while (!steps.next().done);
    image.src = canvas.toDataURL("image/png");
    box.lastChild.replaceChildren(...look.classes.map((c) => el("li", {}, swatch(c.colour), c.name)));
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    look.cache.clear();
  }, { signal });
  return box;
}
