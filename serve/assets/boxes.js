// Boxes and fabrics by forms: kinds of boxes that the file describes itself, with height, power and ports, and further
// fabrics, from the ports that boxes have and the switches of the catalog that fit them.
window.plenumBoxes = (editor) => {
  "use strict";
  const { make, act, text, field, button, section, row, naming } = editor;
  let all = []; // parts of the file and of the catalog
  const kept = {}; // what is filled in, while the panel is made anew

  const partOf = (id) => all.find((p) => p.id === id);
  const portsOf = (p) => ((p && p.ports) || []).filter((g) => g.count > 0);
  const rateOf = (g) => (typeof g.rate === "number" ? g.rate : parseFloat(g.rate)); // Gb/s
  const groupInWords = (g) => `${g.count} x ${rateOf(g)}G ${g.connector}`;
  const total = (groups) => groups.reduce((n, g) => n + g.count, 0);

  // plugs are the rates and connectors of ports of switches, each with how it is said.
  const plugs = () => {
    const out = new Map();
    for (const p of all) if (p.kind === "switch") for (const g of portsOf(p)) out.set(`${rateOf(g)} ${g.connector}`, `${rateOf(g)}G ${g.connector}`);
    return [...out].sort((a, b) => parseFloat(a[0]) - parseFloat(b[0]) || (a[0] < b[0] ? -1 : 1));
  };
  const labelled = (name, control) => make("label", {}, make("span", {}, name), control);
  const select = (name, options, value, onchange = null) => {
    const e = make("select", { name, onchange }, options.map(([v, n]) => make("option", { value: v, selected: v === value }, n)));
    return e;
  };
  // keeping has a form keep what is filled in until it is sent.
  const keeping = (form, key) => {
    for (const e of form.elements) if (e.name && kept[key] && kept[key][e.name] !== undefined) e.value = kept[key][e.name];
    form.addEventListener("input", () => { kept[key] = Object.fromEntries([...form.elements].filter((e) => e.name).map((e) => [e.name, e.value])); });
    return form;
  };
  const get = (form, name) => form.elements.namedItem(name).value.trim();
  const portsField = (value) => [labelled("ports", make("input", { name: "count", type: "number", min: 1, max: 1024, required: true, value: 2 })), labelled("of", select("plug", plugs(), value))];
  const groupOf = (form) => {
    const [rate, connector] = get(form, "plug").split(" "), name = get(form, "group");
    return `{${name ? `name: ${text(name)}, ` : ""}count: ${get(form, "count")}, connector: ${text(connector)}, rate: ${rate}G}`;
  };

  // described are the boxes that the file describes itself, and a form for another one.
  const described = (says) => {
    const own = says.parts || [], rows = own.map((p, i) => (p.kind && p.kind !== "node" && p.kind !== "switch" ? null : make("div", { class: "fabric" },
      row(make("b", { class: "name" }, p.id), field("height U", `parts.${i}.units`, p.units, { number: true, label: `height of ${p.id} in rack units` }),
        field("power", `parts.${i}.power`, p.power, { size: 7, usual: "800 W", label: `power of ${p.id}` }),
        field("weight", `parts.${i}.weight`, p.weight, { size: 6, usual: "not stated", label: `weight of ${p.id}` })),
      (p.ports || []).map((g, k) => row(make("span", {}, `Ports ${g.name || k + 1}`), field("count", `parts.${i}.ports.${k}.count`, g.count, { number: true, label: `number of ports ${g.name || k + 1} of ${p.id}` }),
        field("rate", `parts.${i}.ports.${k}.rate`, g.rate, { size: 5, label: `rate of ports ${g.name || k + 1} of ${p.id}` }), make("code", {}, g.connector),
        p.ports.length > 1 ? button("Remove", () => act(`Ports ${g.name || k + 1} of ${p.id} removed`, [[`parts.${i}.ports.${k}`, ""]]), { "aria-label": `Remove ports ${g.name || k + 1} of ${p.id}` }) : null)),
      keeping(make("form", { class: "buildrow", "aria-label": `More ports of ${p.id}`, onsubmit: (e) => {
        e.preventDefault();
        const name = get(e.target, "group");
        delete kept[`ports ${p.id}`];
        act(`Ports ${name} of ${p.id} added`, [[`parts.${i}.ports.+`, `${groupOf(e.target).slice(0, -1)}, by_name: true}`]]);
      } }, labelled("more ports", make("input", { name: "group", size: 8, required: true, placeholder: "storage", autocomplete: "off", ...naming })), ...portsField(), make("button", {}, "Add ports")),
      `ports ${p.id}`))));
    const boxes = says.boxes || [], fresh = boxes.length > 0 || (says.fabrics || []).length > 0;
    const uses = [...(fresh ? [["", "a new kind of box"]] : []), ...boxes.map((b, i) => [`boxes.${i}.part`, `${b.name}, in place of ${b.part}`]),
      ...(fresh ? [] : [["packaging.node.part", `node, in place of ${((says.packaging || {}).node || {}).part || "its default"}`]])];
    const form = keeping(make("form", { class: "buildrow", "aria-label": "Describe a box", onsubmit: (e) => {
      e.preventDefault();
      const f = e.target, name = get(f, "name"), use = get(f, "use"), id = fresh && use === "" ? `my-${name}` : name;
      const changes = [["parts.+", `{id: ${text(id)}, kind: node, units: ${get(f, "units")}, power: ${get(f, "power")} W, ports: [${groupOf(f)}]}`]];
      if (use) changes.push([use, text(id)]);
      else changes.push(["boxes.+", `{name: ${text(name)}, count: ${get(f, "boxes")}, part: ${text(id)}}`]);
      delete kept.box;
      act(`Box ${name} described`, changes);
    } }, labelled("Describe a box", make("input", { name: "name", size: 10, required: true, placeholder: "name", autocomplete: "off", ...naming })),
    labelled("as", select("use", uses, uses.length ? uses[0][0] : "")), fresh ? labelled("number", make("input", { name: "boxes", type: "number", min: 1, value: 1, required: true })) : null,
    labelled("height U", make("input", { name: "units", type: "number", min: 1, max: 60, value: 1, required: true })),
    labelled("power W", make("input", { name: "power", type: "number", min: 0, max: 1000000, required: true, placeholder: "800" })),
    labelled("ports called", make("input", { name: "group", size: 8, placeholder: "compute", autocomplete: "off", ...naming })), ...portsField("400 osfp"), make("button", {}, "Add box")), "box");
    return section("Boxes that the file describes", rows, form);
  };

  // families are the shapes of a further fabric: name, whether a number of boxes goes to a switch, and what is written.
  const families = {
    access: { name: "a switch for every few boxes", each: true, topology: (f, n) => `{family: access, down: ${n}}`, switches: (part) => `{leaf: {part: ${part}}}` },
    "fat-tree": { name: "leaves and spines", topology: (f, n, rails) => `{family: fat-tree, radix: ${n}${rails > 1 ? `, rails: ${rails}` : ""}}`, switches: (part) => `{leaf: {part: ${part}}, spine: {part: ${part}}}` },
    "folded-clos": { name: "one switch for all", topology: (f, n) => `{family: folded-clos, radix: ${n}}`, switches: (part) => `{switch: {part: ${part}}}` },
    "leaf-pair": { name: "pairs of leaves", topology: () => "{family: leaf-pair}", switches: (part) => `{leaf: {part: ${part}}}` },
  };

  // fabricForm is a form for a further fabric: its choices are the ports of the boxes, and the switches that fit them.
  const fabricForm = (says) => {
    const boxes = says.boxes || [], used = (name, ports) => (says.fabrics || []).filter((f) => (f.ends || []).some((e) => e.boxes === name && (!ports || e.ports === ports))).map((f) => f.name);
    if (!boxes.length) return null;
    const groups = (name) => portsOf(partOf((boxes.find((b) => b.name === name) || {}).part));
    const hint = make("p", { class: "hint" }, ""), ports = select("ports", []), part = select("part", []), each = make("input", { name: "each", type: "number", min: 1, max: 1024, required: true });
    const eachLabel = labelled("boxes a switch", each), add = make("button", {}, "Add fabric");
    const chosen = () => groups(form.elements.namedItem("boxes").value).find((g, i) => String(i) === ports.value);
    const fitting = (p, g) => portsOf(p).filter((s) => rateOf(s) === rateOf(g));
    const options = (list) => list.map(([v, n]) => make("option", { value: v }, n));
    const fill = () => {
      const name = form.elements.namedItem("boxes").value, list = groups(name);
      const free = list.findIndex((g) => !used(name, g.name).length);
      ports.replaceChildren(...options(list.map((g, i) => [String(i), `${g.name || "all ports"}: ${groupInWords(g)}${used(name, g.name).length ? `, used by ${used(name, g.name).join(", ")}` : ""}`])));
      if (list.length) ports.value = String(Math.max(0, free));
      switches();
    };
    const switches = () => {
      const g = chosen(), fit = g ? all.filter((p) => p.kind === "switch" && fitting(p, g).length) : [];
      const plug = (p) => fitting(p, g).some((s) => s.connector === g.connector);
      const word = (p) => `${p.id}: ${total(fitting(p, g))} x ${rateOf(g)}G ${fitting(p, g)[0].connector}`;
      const group = (label, some) => (some.length ? [make("optgroup", { label }, options(some.map((p) => [p.id, word(p)])))] : []);
      part.replaceChildren(...(g ? [...group(`ports of ${rateOf(g)}G, ${g.connector} as the boxes`, fit.filter(plug)), ...group(`ports of ${rateOf(g)}G, another connector`, fit.filter((p) => !plug(p)))] : []));
      add.disabled = !fit.length;
      hint.textContent = !g ? "The part of these boxes states no ports." : !fit.length ? `No switch of the catalog has ports of ${rateOf(g)}G.`
        : used(form.elements.namedItem("boxes").value, g.name).length ? "These ports are used already. Boxes that the file describes get more by Add ports, above." : "";
      down();
    };
    const down = () => {
      const g = chosen(), p = partOf(part.value);
      eachLabel.hidden = each.disabled = !families[form.elements.namedItem("family").value].each;
      if (g && p) each.value = String(Math.max(1, Math.floor(total(fitting(p, g)) * 5 / 6 / g.count)));
    };
    const form = make("form", { class: "buildrow", "aria-label": "New fabric", onsubmit: (e) => {
      e.preventDefault();
      const name = get(form, "name"), shape = families[get(form, "family")], g = chosen(), p = partOf(part.value);
      const n = shape.each ? Number(each.value) * g.count : total(fitting(p, g));
      delete kept.fabric;
      act(`Fabric ${name} added`, [["fabrics.+", `{name: ${text(name)}, topology: ${shape.topology(form, n, g.count)}, ends: [{boxes: ${text(get(form, "boxes"))}${g.name ? `, ports: ${text(g.name)}` : ""}}], ` +
        `switches: ${shape.switches(text(p.id))}}`]]);
    } }, labelled("New fabric", make("input", { name: "name", size: 9, required: true, placeholder: "storage", autocomplete: "off", ...naming })),
    labelled("boxes", select("boxes", boxes.map((b) => [b.name, b.name]), "", () => fill())), labelled("ports", ports),
    labelled("shape", select("family", Object.entries(families).map(([v, f]) => [v, f.name]), "access", () => down())), labelled("switch", part), eachLabel, add, hint);
    ports.addEventListener("change", switches);
    part.addEventListener("change", down);
    fill();
    keeping(form, "fabric");
    if (kept.fabric) { // choices depend on each other
      fill();
      keeping(form, "fabric");
      switches();
      keeping(form, "fabric");
    }
    return form;
  };

  return {
    // load reads the catalog, before the forms are made.
    async load() {
      all = await editor.catalog();
    },
    described, fabricForm,
  };
};
