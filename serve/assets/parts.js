// The parts drawer: the catalog with a search, filters and details, and what a part is used for.
window.plenumParts = (editor) => {
  "use strict";
  const { host, make, act, say, values, token, state, hidden } = editor;
  const most = 200; // parts that are listed at once
  let all = null, prices = {}, chosen = null, uses = [], wanted = null;
  const inputs = {};
  const option = (v, name = v) => make("option", { value: v }, name);
  const input = (name, attributes = {}) => {
    inputs[name] = make("input", { autocomplete: "off", oninput: () => list(), ...attributes });
    return inputs[name];
  };
  const select = (name, label, options) => {
    inputs[name] = make("select", { "aria-label": label, onchange: () => list() }, options.map(([v, n]) => option(v, n)));
    return inputs[name];
  };
  const kinds = ["node", "switch", "adapter", "cable", "optic", "panel", "rack", "tray", "hose"];
  const count = make("p", { class: "hint", role: "status" });
  // The list takes the focus as a whole; arrows go through it.
  const rows = make("ul", { class: "partlist", "aria-label": "Parts", onkeydown: (e) => {
    const each = [...rows.querySelectorAll("button")], at = each.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: each.length - 1 }[e.key];
    if (to === undefined || at < 0 || !each[to]) return;
    e.preventDefault();
    stopAt(each[to]);
    each[to].focus();
  } });
  const stopAt = (button) => { for (const b of rows.querySelectorAll("button")) b.tabIndex = b === button ? 0 : -1; };
  const rowOf = (p) => [...rows.querySelectorAll("button")].find((b) => b.dataset.part === p.id);
  const details = make("div", { class: "partdetails", "aria-live": "polite" });
  host.append(make("div", { class: "partfilters" },
    input("search", { type: "search", placeholder: "Search parts", "aria-label": "Search parts", onkeydown: (e) => {
      const first = rows.querySelector('button[tabindex="0"]');
      if (e.key !== "ArrowDown" || !first) return;
      e.preventDefault();
      first.focus();
    } }),
    select("kind", "Kind of part", [["", "all kinds"], ...kinds.map((k) => [k, k])]),
    select("source", "Source of its figures", [["", "any source"], ["datasheet", "datasheet"], ["paper", "paper"], ["derived", "derived"], ["estimate", "estimate"], ["user", "this file"]]),
    make("label", {}, "Gb/s at least ", input("rate", { type: "number", min: 0, "aria-label": "Gb/s of a port at least" })),
    make("label", {}, "ports at least ", input("ports", { type: "number", min: 0, "aria-label": "ports at least" })),
    make("label", {}, "W at most ", input("power", { type: "number", min: 0, "aria-label": "watts at most" })),
    make("label", {}, "price at most ", input("price", { type: "number", min: 0, "aria-label": "price at most" }))), count, rows, details);

  const portsOf = (p) => (p.ports || []).reduce((n, g) => n + (g.by_name && p.ports.length > 1 ? 0 : g.count), 0) || (p.panel ? p.panel.ports : 0);
  const rateOf = (p) => Math.max(0, ...(p.ports || []).map((g) => g.rate), p.cable ? p.cable.rate || 0 : 0, p.optic ? p.optic.rate || 0 : 0);
  // priceOf is the price of a part in the plan, which may be that of a quote, or else that of the price set.
  const priceOf = (p) => {
    const bought = state.now && (state.now.bom || []).find((l) => l.part === p.id && l.unit_cost);
    if (bought) return { unit: bought.unit_cost, currency: state.now.currency, source: bought.price_source };
    return (prices[state.now && state.now.price_set] || {})[p.id] || null;
  };
  const plugs = (p) => (p.ports || []).map((g) => `${g.count} x ${g.rate}G ${g.connector}`).join(", ") ||
    (p.cable ? `${p.cable.medium}, ${p.cable.connector || ""}` : p.optic ? `${p.optic.form}, ${p.optic.standard || ""}` : "");
  const money = (q) => (q ? `${new Intl.NumberFormat("en", { maximumFractionDigits: 0 }).format(q.unit)} ${q.currency}` : "no price");

  // matches reports whether a part passes all filters. A part that does not state a figure does not pass a filter of it.
  const matches = (p) => {
    const v = (k) => inputs[k].value.trim(), price = priceOf(p);
    const words = v("search").toLowerCase().split(/\s+/).filter(Boolean), full = `${p.id} ${p.description || ""} ${p.maker || ""}`.toLowerCase();
    return (!v("kind") || p.kind === v("kind")) && words.every((w) => full.includes(w)) && (!v("source") || p.confidence === v("source")) &&
      (!v("rate") || rateOf(p) >= +v("rate")) && (!v("ports") || portsOf(p) >= +v("ports")) && (!v("power") || (p.power > 0 && p.power <= +v("power"))) &&
      (!v("price") || (price && price.unit <= +v("price")));
  };
  // likeness is how the ports of a part go with those of the part in whose place it is looked for: 0 where it has ports of
  // the rate and connector of the fastest ones, 1 of their rate, 2 of neither; -1 where nothing is looked for.
  const likeness = (p) => {
    const now = wanted && all.find((o) => o.id === (uses.find(isWanted) || {}).part), rate = now ? rateOf(now) : 0;
    if (!rate || !now.ports) return -1;
    const plugsOf = now.ports.filter((g) => g.rate === rate).map((g) => g.connector), same = (p.ports || []).filter((g) => g.rate === rate);
    return same.some((g) => plugsOf.includes(g.connector)) ? 0 : same.length ? 1 : 2;
  };
  const likenessInWords = (p) => ["", ", its fastest ports as now", ", ports of the rate as now, another connector", ", other ports than now: cables may not fit"][1 + likeness(p)];
  const list = () => {
    if (!all) return;
    const found = all.filter(matches).map((p, i) => [likeness(p), i, p]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , p]) => p);
    count.textContent = `${found.length} of ${all.length} parts${found.length > most ? `, the first ${most} are listed` : ""}${wanted ? `; for ${wanted.kind}` : ""}`;
    rows.replaceChildren(...found.slice(0, most).map((p) => make("li", {}, make("button", { type: "button", "data-part": p.id, "aria-pressed": String(p === chosen), onclick: () => { choose(p); goOn(p); } },
      make("b", {}, p.id), make("span", {}, plugs(p)), make("small", {}, `${p.kind}, ${p.power ? `${p.power} W` : "power not stated"}, ${p.cable || p.hose ? "priced by length" : money(priceOf(p))}, ${p.confidence || "no source"}${likenessInWords(p)}`)))));
    stopAt((chosen && rowOf(chosen)) || rows.querySelector("button"));
  };
  const isWanted = (u) => Number(!!wanted && u.name === wanted.kind);
  const choose = (p) => {
    chosen = p;
    list();
    const price = priceOf(p), fit = uses.filter((u) => u.kind === p.kind || (u.kind === "node" && p.kind === "switch" && u.any))
      .sort((a, b) => isWanted(b) - isWanted(a));
    const facts = [["maker", p.maker], ["description", p.description], ["ports", plugs(p)], ["units", p.units], ["width", p.width && `${p.width} m`], ["depth", p.depth && `${p.depth} m`],
      ["power", p.power && `${p.power} W${(p.estimated || []).includes("power") ? " (estimate)" : ""}`], ["weight", p.weight && `${p.weight} kg`], ["hop delay", p.hop && `${p.hop} ns`],
      ["price", price ? `${money(price)}: ${price.source}` : p.cable || p.hose ? "by length, in the bill" : "no price in this set"],
      ["source", `${p.source || "none"} (${p.confidence || "no confidence stated"})`], ["estimated", (p.estimated || []).join(", ")]];
    details.replaceChildren(make("h3", {}, p.id),
      fit.length ? make("div", { class: "buildrow" }, fit.map((u) => make("button", { type: "button", disabled: u.part === p.id, "data-use": u.name, onclick: () => use(u, p) },
        u.part === p.id ? `${u.name} uses it` : `Use for ${u.name}`))) : make("p", { class: "hint" }, "No box of this machine is of this kind."),
      make("dl", {}, facts.filter(([, v]) => v).map(([k, v]) => make("div", {}, make("dt", {}, k), make("dd", {}, String(v))))));
    details.scrollTop = 0;
  };
  // goOn leads to the button that uses a part for the boxes that it was looked for, or else leaves the focus at the part.
  const goOn = (p) => {
    const next = wanted && [...details.querySelectorAll("[data-use]")].find((b) => b.dataset.use === wanted.kind && !b.disabled);
    (next || rowOf(p) || inputs.search).focus({ preventScroll: !next });
  };
  details.addEventListener("keydown", (e) => { if (e.key === "Escape" && chosen && rowOf(chosen)) rowOf(chosen).focus(); });
  const use = async (u, p) => {
    if (await act(`${p.id} for ${u.name}`, [[u.path, /^[A-Za-z][A-Za-z0-9_.-]*$/.test(p.id) ? p.id : JSON.stringify(p.id)]])) {
      u.part = p.id;
      choose(p);
      if (!hidden()) (rowOf(p) || inputs.search).focus({ preventScroll: true });
    }
  };
  // usesOf are the kinds of boxes of a file, with the path of the part of each.
  const usesOf = (says) => {
    const out = [];
    for (const [kind, b] of Object.entries(says.packaging || {})) if (b && typeof b.part === "string") out.push({ name: kind, kind: kind === "node" ? "node" : "switch", any: kind === "node", part: b.part, path: `packaging.${kind}.part` });
    for (const [i, b] of (says.boxes || []).entries()) out.push({ name: b.name, kind: "node", part: b.part, path: `boxes.${i}.part` });
    for (const [i, f] of (says.fabrics || []).entries()) {
      for (const [kind, b] of Object.entries(f.switches || {})) if (b && b.part) out.push({ name: `${f.name}/${kind}`, kind: "switch", part: b.part, path: `fabrics.${i}.switches.${kind}.part` });
    }
    const room = says.room || {};
    if (!room.containers && !room.rack_list) out.push({ name: "racks of the room", kind: "rack", part: room.rack, path: "room.rack" });
    return out;
  };
  const update = async () => {
    if (hidden()) return;
    try {
      const says = (await values()) || {};
      uses = usesOf(says);
      await load();
    } catch (err) {
      say(`Parts are not shown: ${err.message}`, "bad");
      return;
    }
    list();
  };
  // load reads the catalog once, and the parts of the file each time.
  const load = async () => {
    if (!all) {
      const r = await fetch("/api/parts", { headers: { "Plenum-Token": token } });
      if (!r.ok) throw new Error("the catalog was not sent");
      const out = await r.json();
      prices = out.prices;
      all = out.parts;
    }
    const own = ((state.now && state.now.spec && state.now.spec.parts) || []).map((p) => ({ confidence: "user", ...p }));
    all = [...own, ...all.filter((p) => !p.own && !own.some((o) => o.id === p.id))];
    for (const p of own) p.own = true;
  };
  return {
    update,
    // catalog are the parts of the file and of the catalog.
    async catalog() {
      await load();
      return all;
    },
    focus() { inputs.search.focus({ preventScroll: true }); },
    // ask narrows the list to parts for a kind of box.
    ask(what) {
      wanted = what;
      inputs.kind.value = what.role;
      inputs.search.value = "";
      details.replaceChildren();
      chosen = null;
    },
  };
};
