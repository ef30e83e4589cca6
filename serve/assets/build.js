// Building by hand: counts, rows, fabrics, columns and keep-outs by fields and buttons, and on the floor by clicking and
// dragging. Every act changes values of the machine file.
window.plenumBuild = (editor) => {
  "use strict";
  const { host, make, act, say, values, state, openParts, hidden } = editor;
  const text = (v) => (/^[A-Za-z][A-Za-z0-9_.-]*$/.test(v) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(v) ? v : JSON.stringify(v));
  const counted = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;
  const metres = (v) => `${+v.toFixed(3)} m`;
  let says = {}, placing = null, carried = null;

  const button = (name, does, attributes = {}) => make("button", { type: "button", onclick: does, ...attributes }, name);
  const field = (name, path, value, more = {}) => {
    const input = make("input", { "data-path": path, "aria-label": more.label || name, size: more.size || 7, autocomplete: "off", placeholder: more.usual ?? null,
      type: more.number ? "number" : "text", min: more.number ? more.least ?? 1 : null, onchange: (e) => {
        const next = e.target.value.trim();
        if (next === String(value ?? "")) return;
        if (!next && more.needed) {
          e.target.value = value;
          say(`Not changed: ${more.label || name} has to be a number`, "bad");
          return;
        }
        act(`${more.label || name}: ${value ?? "not set"} to ${next || "not set"}`, [[path, next && (more.quoted ? text(next) : next)]])
          .then((done) => { if (!done) e.target.value = value ?? ""; });
      } });
    input.value = value ?? "";
    input.defaultValue = input.value;
    return make("label", {}, make("span", {}, name), input);
  };
  const naming = { pattern: "[A-Za-z][A-Za-z0-9_\\-]*", maxlength: 64, title: "a letter, then letters, digits, hyphens and underscores, 64 at most" };
  const section = (title, ...rows) => make("section", {}, make("h3", {}, title), ...rows);
  const row = (...parts) => make("div", { class: "buildrow" }, ...parts);

  const boxes = window.plenumBoxes({ make, act, text, field, button, section, row, naming, catalog: editor.catalog });

  // topology are fields for the numbers of a topology, as far as the file has them.
  const topology = (t, path, of) => Object.entries(t || {}).filter(([, v]) => typeof v === "number").map(([key, v]) =>
    field(key.replaceAll("_", " "), `${path}.${key}`, v, { number: true, needed: true, label: `${key.replaceAll("_", " ")}${of}` }));
  const partButton = (kind, path, part, role) => row(make("span", { class: "name", title: kind }, kind), make("code", { title: part }, part),
    button("Change part", () => openParts({ kind, path, role }), { "aria-label": `Change the part of ${kind}` }));

  const machine = () => {
    const rows = [];
    if (says.topology) rows.push(row(...topology(says.topology, "topology", "")));
    for (const [i, b] of (says.boxes || []).entries()) {
      rows.push(row(field(b.name, `boxes.${i}.count`, b.count, { number: true, label: `number of ${b.name}`, usual: "derived" }),
        field("per rack", `boxes.${i}.per_rack`, b.per_rack, { number: true, label: `${b.name} per rack` }), make("code", { title: b.part }, b.part),
        button("Change part", () => openParts({ kind: b.name, path: `boxes.${i}.part`, role: "node" }), { "aria-label": `Change the part of ${b.name}` })));
    }
    for (const [kind, b] of Object.entries(says.packaging || {}).sort(([a], [b]) => (b === "node") - (a === "node"))) {
      if (!b || typeof b.part !== "string") continue;
      rows.push(partButton(kind, `packaging.${kind}.part`, b.part, kind === "node" ? "node" : "switch"));
      if (b.per_rack) rows.push(row(field(`${kind} per rack`, `packaging.${kind}.per_rack`, b.per_rack, { number: true })));
    }
    return section("Boxes", rows);
  };

  // fabrics are the fabrics, each with its numbers and the parts of its switches, and a form for another one.
  const fabrics = () => {
    const list = says.fabrics || [];
    if (!list.length && !(says.boxes || []).length) return null;
    const rows = list.map((f, i) => make("div", { class: "fabric" },
      row(make("b", {}, f.name), make("span", {}, f.topology ? f.topology.family : ""), ...topology(f.topology, `fabrics.${i}.topology`, ` of ${f.name}`),
        list.length > 1 ? button("Remove", () => act(`Fabric ${f.name} removed`, [[`fabrics.${i}`, ""]]), { "aria-label": `Remove fabric ${f.name}` }) : null),
      ...Object.entries(f.switches || {}).filter(([, b]) => b && b.part).map(([kind, b]) => partButton(`${f.name}/${kind}`, `fabrics.${i}.switches.${kind}.part`, b.part, "switch"))));
    return section("Fabrics", rows, boxes.fabricForm(says));
  };

  const more = (by, what, changes, disabled = false) => button(by > 0 ? "+" : "\u2212", changes, { "aria-label": `${by > 0 ? "Add" : "Remove"} ${what}`, disabled });
  const room = () => {
    // rowsNow are the rows as the text says them by now, or else as they are shown.
    const rowsNow = () => {
      const r = says.room || {}, shown = window.plenum.state && window.plenum.state.model.room, list = Array.isArray(r.rows) ? r.rows : null;
      return { r, shown, list, n: list ? list.length : r.rows ?? (shown ? shown.rows.length : 1),
        per: r.racks_per_row ?? (shown && shown.rows.length ? Math.round(window.plenum.state.model.racks.count / shown.rows.length) : 1) };
    };
    const { r, shown, list, n, per } = rowsNow();
    if (r.containers || r.rack_list) return null;
    const rowBy = (by) => act(() => {
      const { list, n, per } = rowsNow();
      if (n + by < 1) return null;
      if (!list) return [counted(n + by, "row"), [["room.rows", String(n + by)]]];
      if (by < 0) return ["Last row removed", [[`room.rows.${n - 1}`, ""]]];
      return ["Row added", [["room.rows.+", `{racks: ${list[n - 1].racks || per}${list[n - 1].spare ? ", spare: true" : ""}}`]]];
    });
    const perBy = (by) => act(() => {
      const { per } = rowsNow();
      return per + by < 1 ? null : [`${counted(per + by, "rack")} per row`, [["room.racks_per_row", String(per + by)]]];
    });
    return section("Room", row(field("width", "room.width", r.width, { usual: "as needed", label: "width of the room" }), field("depth", "room.depth", r.depth, { usual: "as needed", label: "depth of the room" })),
      rackPower(r), row(make("span", {}, "Rows"), more(-1, "a row", () => rowBy(-1), n < 2), make("output", {}, String(n)), more(1, "a row", () => rowBy(1)),
        r.rows && !list ? button("as many as needed", () => act("As many rows as needed", [["room.rows", ""]])) : null),
      list ? null : row(make("span", {}, "Racks per row"), more(-1, "a rack position of every row", () => perBy(-1), per < 2), make("output", {}, String(per)), more(1, "a rack position of every row", () => perBy(1)),
        r.racks_per_row ? button("as many as fit", () => act("As many racks per row as fit", [["room.racks_per_row", ""]])) : null),
      list ? list.map((one, i) => rowActs(one, i, list.length)) : shown ? row(button("State rows one by one", () => editor.stateRows()),
        make("small", {}, "to turn, copy and move single rows")) : null);
  };

  // racksOf are the racks of a row of the shown plan: their number, and whether their fronts face north.
  const racksOf = (box) => {
    const k = window.plenum.state.model.racks, of = [];
    for (let i = 0; i < k.count; i++) if (k.y_m[i] > box[1] && k.y_m[i] < box[3] && k.x_m[i] > box[0] && k.x_m[i] < box[2]) of.push(i);
    return { count: of.length, north: of.length > 0 && !!k.turned[of[0]] };
  };
  // rackPower is a field for the power that a rack can be supplied with, which rule rack-power checks. The part of the
  // racks states it: where that is one of the catalog, the file gets a copy of it.
  const rackPower = (r) => {
    const id = r.rack || ((state.now && state.now.spec.room) || {}).rack || "rack-42u", i = (says.parts || []).findIndex((p) => p.id === id);
    if (i >= 0) return row(field("power of a rack", `parts.${i}.rack.power`, (says.parts[i].rack || {}).power, { usual: "not stated", label: "power that a rack may draw" }));
    const input = make("input", { "aria-label": "power that a rack may draw", size: 7, autocomplete: "off", placeholder: "such as 40 kW", onchange: async (e) => {
      const power = e.target.value.trim(), part = (await editor.catalog()).find((p) => p.id === id);
      if (!power || !part) return;
      const own = `my-${id}`, facts = ["units", "width", "depth", "height", "weight"].filter((k) => part[k]).map((k) => `${k}: ${part[k]}`);
      const rack = Object.entries({ ...part.rack, power }).map(([k, v]) => `${k}: ${typeof v === "string" ? v : JSON.stringify(v)}`);
      if (!await act(`Power that a rack may draw: ${power}`, [["parts.+", `{id: ${own}, kind: rack, ${facts.join(", ")}, rack: {${rack.join(", ")}}}`], ["room.rack", own]])) e.target.value = "";
    } });
    return row(make("label", {}, make("span", {}, "power of a rack"), input));
  };

  // rowActs are the fields and acts of a row that the file states.
  const rowActs = (one, i, n) => {
    const shown = window.plenum.state && window.plenum.state.model.room, name = shown && shown.rows[i] ? shown.rows[i].name : String(i + 1);
    const copy = Object.entries(one).filter(([k]) => !["name", "y", "reserved", "reserved_for", "spare"].includes(k)).map(([k, v]) => `${k}: ${JSON.stringify(v)}`);
    const north = one.turned ?? (shown && shown.rows[i] ? racksOf(shown.rows[i].bound_m).north : false);
    return row(make("b", { class: "name" }, `Row ${name}`), field("racks", `room.rows.${i}.racks`, one.racks, { number: true, label: `racks of row ${name}` }),
      field("y", `room.rows.${i}.y`, one.y, { size: 4, usual: "next", label: `y of row ${name}` }),
      button("Turn", () => act(`Row ${name} turned: fronts face ${north ? "south" : "north"}`, [[`room.rows.${i}.turned`, String(!north)]]), { "aria-label": `Turn row ${name}` }),
      button("Copy", () => act(`Row ${name} copied behind the last row`, [["room.rows.+", `{${copy.join(", ") || `racks: ${racksOf(shown.rows[i].bound_m).count}`}${says.room.rows[n - 1].spare ? ", spare: true" : ""}}`]]), { "aria-label": `Copy row ${name}` }),
      n > 1 ? button("Remove", () => act(`Row ${name} removed`, [...(i === 0 && says.room.rows[1].spare ? [["room.rows.1.spare", ""]] : []), [`room.rows.${i}`, ""]]), { "aria-label": `Remove row ${name}` }) : null);
  };

  // templates are the racks that are designed once, and a form for another one.
  const templates = () => {
    const list = says.racks || [], boxes = (says.boxes || []).map((b) => b.name), switches = (says.fabrics || []).map((f) => f.name);
    if (!list.length && !boxes.length) return null;
    const countBy = (i, by) => act(() => {
      const r = (says.racks || [])[i];
      return !r || !(r.count + by > 0) ? null : [`${counted(r.count + by, "rack")} ${r.name}`, [[`racks.${i}.count`, String(r.count + by)]]];
    });
    const held = (h) => `${h.boxes || `${h.switch}, own switch`}${h.units !== undefined ? ` at ${[].concat(h.units).join(", ")}` : ` x ${h.count || 1}`}`;
    const rows = list.map((r, i) => make("div", { class: "fabric" },
      row(make("b", { class: "name" }, r.name), more(-1, `a rack ${r.name}`, () => countBy(i, -1), !r.count || r.count < 2 || !!r.at),
        r.count ? make("output", {}, String(r.count)) : field("count", `racks.${i}.count`, null, { number: true, usual: "as needed", label: `number of racks ${r.name}` }), more(1, `a rack ${r.name}`, () => countBy(i, 1), !r.count || !!r.at),
        button(r.at ? "Place one more" : "Place on the floor", () => place("rack", { i }), { "aria-label": `Place racks ${r.name} on the floor`, disabled: !r.count,
          title: r.count ? null : "state how many racks there are first", "aria-pressed": String(!!placing && placing.what === "rack" && placing.i === i) }),
        r.at ? button("Place by itself", () => act(`Racks ${r.name} are placed by themselves`, [[`racks.${i}.at`, ""]]), { "aria-label": `Forget the places of racks ${r.name}` }) : null,
        button("Remove", () => act(`Racks ${r.name} removed`, [[`racks.${i}`, ""]]), { "aria-label": `Remove racks ${r.name}` })),
      make("p", { class: "hint" }, `${r.holds.map(held).join("; ")}${r.at ? `; at ${[].concat(r.at).join(", ")}` : ""}`)));
    const form = boxes.length ? make("form", { class: "buildrow", onsubmit: (e) => {
      e.preventDefault();
      const get = (n) => e.target.elements[n].value.trim(), name = get("name"), holds = [`{boxes: ${text(get("boxes"))}, units: [${get("units")}]}`];
      if (get("switch") && get("at")) holds.push(`{switch: ${text(get("switch"))}, units: [${get("at")}]}`);
      const i = (says.boxes || []).findIndex((b) => b.name === get("boxes")), loose = i >= 0 && says.boxes[i].per_rack; // a template says how many
      act(`Racks ${name} added`, [...(loose ? [[`boxes.${i}.per_rack`, ""]] : []), ["racks.+", `{name: ${text(name)}, ${get("count") ? `count: ${get("count")}, ` : ""}holds: [${holds.join(", ")}]}`]]);
    } }, make("label", {}, make("span", {}, "New rack"), make("input", { name: "name", size: 8, required: true, placeholder: "name", autocomplete: "off", ...naming })),
    make("label", {}, make("span", {}, "holds"), make("select", { name: "boxes" }, boxes.map((b) => make("option", {}, b)))),
    make("label", {}, make("span", {}, "at units"), make("input", { name: "units", size: 8, required: true, placeholder: "1-20", pattern: "[0-9, \\-]+", title: "units of the rack from 1, such as 1-20 or 1, 5-8" })),
    make("label", {}, make("span", {}, "switch of"), make("select", { name: "switch" }, ["", ...switches].map((b) => make("option", { value: b }, b || "none")))),
    make("label", {}, make("span", {}, "at unit"), make("input", { name: "at", size: 4, placeholder: "42", pattern: "[0-9, \\-]+" })),
    make("label", {}, make("span", {}, "racks"), make("input", { name: "count", type: "number", min: 1, placeholder: "as needed" })), make("button", {}, "Add rack")) : null;
    return section("Racks that are designed once", rows, form);
  };

  // trays are the cable trays: what they hold, their levels, and where cross trays join the rows.
  const trays = () => {
    const t = (says.room || {}).trays || {}, r = says.room || {};
    if (r.containers) return null;
    const levels = (t.levels || []).map((l, i) => row(make("b", { class: "name" }, l.name), field("height", `room.trays.levels.${i}.height`, l.height, { size: 5, usual: "above", label: `height of trays ${l.name}` }),
      field("count", `room.trays.levels.${i}.count`, l.count, { number: true, label: `trays side by side of ${l.name}` }), field("fill %", `room.trays.levels.${i}.fill`, l.fill, { number: true, label: `fill of trays ${l.name} in per cent` }),
      button("Remove", () => act(`Trays ${l.name} removed`, [[`room.trays.levels.${i}`, ""]]), { "aria-label": `Remove trays ${l.name}` })));
    const free = ["copper", "fibre", "upper", "lower", "third", "fourth"].find((n) => !(t.levels || []).some((l) => l.name === n));
    return section("Trays", row(field("side by side", "room.trays.count", t.count, { number: true, label: "trays side by side", usual: "as needed" }),
      field("height", "room.trays.height", t.height, { size: 5, usual: "default", label: "height of the trays" }), field("fill %", "room.trays.fill", t.fill, { number: true, label: "fill of the trays in per cent", usual: "50" })),
    levels, row(free ? button("Add a level", () => act(`Level of trays ${free} added`, [["room.trays.levels.+", `{name: ${free}}`]]), { "aria-label": "Add a level of trays" }) : null,
      button("Add a cross tray", () => place("cross tray"), { "aria-pressed": String(!!placing && placing.what === "cross tray") }),
      t.cross ? button("Cross trays by themselves", () => act("Cross trays are laid by themselves", [["room.trays.cross", ""]])) : null));
  };

  // crossings are the rack positions after which cross trays run: of the file, or else those of the shown plan.
  const crossings = () => {
    const said = ((says.room || {}).trays || {}).cross;
    if (said) return [].concat(said);
    const m = window.plenum.state.model, t = m.trays, out = new Set(), line = longestRow();
    for (let i = 0; t && i < t.level.length; i++) {
      const [x0, y0, , x1, y1] = t.ends_m.slice(6 * i, 6 * i + 6);
      if (Math.abs(x0 - x1) < 0.01 && Math.abs(y0 - y1) > 0.01) out.add(line.filter((x) => x < x0).length);
    }
    return [...out].sort((a, b) => a - b);
  };
  // longestRow are the middles of the racks of the longest row, along it.
  const longestRow = () => {
    const m = window.plenum.state.model, k = m.racks, rows = m.room.rows.map((r) => {
      const xs = [];
      for (let i = 0; i < k.count; i++) if (k.y_m[i] > r.bound_m[1] && k.y_m[i] < r.bound_m[3]) xs.push(k.x_m[i]);
      return xs.sort((a, b) => a - b);
    });
    return rows.reduce((a, b) => (b.length > a.length ? b : a), []);
  };

  const hints = { column: "Click the floor where the middle of the column is.", "keep-out": "Click two opposite corners of the keep-out on the floor.", door: "Click the floor near a wall, where the middle of the door is.",
    "cross tray": "Click the floor between two racks, where the tray crosses the rows.", rack: "Click a rack position where one of them stands." };
  const place = (what, more = {}) => {
    placing = placing && placing.what === what && placing.i === more.i ? null : { what, ...more };
    say(placing ? `${hints[what]} With the keyboard, arrows go there, with Shift by a metre, and Enter is a click. Escape ends it.` : "Nothing is placed.");
    if (placing) {
      document.querySelector(".plan").focus({ preventScroll: true });
      document.querySelector(".plan").scrollIntoView({ block: "nearest" }); // on a phone it is below
    }
    show();
  };
  const obstacles = () => {
    const r = says.room || {};
    if (r.containers) return null;
    const columns = (r.columns || []).map((c, i) => row(make("span", {}, `Column ${i + 1}`),
      ...["x", "y", "width", "depth"].map((k) => field(k, `room.columns.${i}.${k}`, c[k], { size: 5, label: `${k} of column ${i + 1}` })),
      button("Move", () => lift("column", i), { "aria-label": `Move column ${i + 1}` }),
      button("Remove", () => act(`Column ${i + 1} removed`, [[`room.columns.${i}`, ""]]), { "aria-label": `Remove column ${i + 1}` })));
    const keeps = (r.keep_outs || []).map((k, i) => row(field(`Keep-out ${i + 1}`, `room.keep_outs.${i}.name`, k.name, { size: 12, quoted: true, label: `name of keep-out ${i + 1}` }),
      button("Move", () => lift("keep-out", i), { "aria-label": `Move keep-out ${i + 1}` }),
      button("Remove", () => act(`Keep-out ${k.name || i + 1} removed`, [[`room.keep_outs.${i}`, ""]]), { "aria-label": `Remove keep-out ${i + 1}` })));
    const doors = (r.doors || []).map((d, i) => row(field(`Door ${i + 1}`, `room.doors.${i}.wall`, d.wall, { size: 6, label: `wall of door ${i + 1}` }),
      ...["at", "width"].map((k) => field(k, `room.doors.${i}.${k}`, d[k], { size: 5, label: `${k} of door ${i + 1}` })),
      button("Move", () => lift("door", i), { "aria-label": `Move door ${i + 1}` }),
      button("Remove", () => act(`Door ${i + 1} removed`, [[`room.doors.${i}`, ""]]), { "aria-label": `Remove door ${i + 1}` })));
    const walls = window.plenum.state && window.plenum.state.model.room && window.plenum.state.model.room.walls;
    const pressed = (what) => ({ "aria-pressed": String(!!placing && placing.what === what) });
    return section("Columns, keep-outs and doors", columns, keeps, doors,
      row(button("Add a column", () => place("column"), pressed("column")), button("Add a keep-out", () => place("keep-out"), pressed("keep-out")),
        button("Add a door", () => place("door"), { ...pressed("door"), disabled: !walls, title: walls ? null : "a room without width and depth has no walls" })),
      make("p", { class: "hint" }, "Drag a column, a keep-out or a door on the floor to move it; or press Move, and the arrow keys."));
  };

  // lift picks up a column, a keep-out or a door, which arrow keys move then.
  let lifted = null;
  const lift = (what, i) => {
    const a = areas().find((one) => one.what === what && one.i === i), floor = window.plenum.state.floor;
    if (!a) return;
    const from = [(a.box[0] + a.box[2]) / 2, (a.box[1] + a.box[3]) / 2];
    lifted = { at: from, held: hold({ floor }, from, a) };
    say(`The ${what} is lifted: arrows move it by 0.1 m, with Shift by a metre; Enter puts it down, Escape cancels.`);
    floor.element.focus({ preventScroll: true });
    floor.element.scrollIntoView({ block: "nearest" });
    floor.outline(a.box);
  };
  // stepOf is how far an arrow key goes on the floor, in metres; null for other keys.
  const stepOf = (e) => {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key], far = e.shiftKey ? 1 : 0.1;
    return by && [by[0] * far, by[1] * far];
  };
  // aim moves the mark at which the keyboard places something, and says where it is.
  const aim = (page, e) => {
    const by = stepOf(e), v = page.floor.view, k = page.m.racks;
    if (placing.what === "rack") {
      placing.over = placing.over === undefined ? Math.max(0, page.find(v.x, v.y)) : page.neighbour(placing.over, Math.sign(by[0]), Math.sign(by[1]));
      placing.mark = [k.x_m[placing.over], k.y_m[placing.over]];
      outline(page, [placing.mark[0] - k.width_m[placing.over] / 2, placing.mark[1] - k.depth_m[placing.over] / 2, placing.mark[0] + k.width_m[placing.over] / 2, placing.mark[1] + k.depth_m[placing.over] / 2]);
      say(`At ${k.names[placing.over]}, ${k.boxes[placing.over] ? `where ${k.boxes[placing.over]} boxes stand` : "which is free"}.`);
      return;
    }
    const [x, y] = placing.mark || [v.x, v.y].map((c) => Math.round(10 * c) / 10), b = page.m.room.bound_m;
    placing.mark = [Math.max(b[0], Math.min(b[2], x + by[0])), Math.max(b[1], Math.min(b[3], y + by[1]))];
    const [mx, my] = placing.mark, [fx, fy] = placing.from || [mx, my], wide = placing.what === "keep-out" ? 0.05 : columnSide / 2;
    outline(page, [Math.min(mx, fx) - wide, Math.min(my, fy) - wide, Math.max(mx, fx) + wide, Math.max(my, fy) + wide]);
    say(`x ${mx.toFixed(2)} m, y ${my.toFixed(2)} m.`);
  };

  // files are what is saved for others: each is that of the text as it is.
  const fileNames = ["orders.csv", "bom.csv", "bom.xlsx", "floor.pdf"];
  const prices = () => {
    const p = says.prices || {};
    return section("Prices, quote and order", row(field("price set", "prices.set", p.set, { size: 14, quoted: true, usual: "estimate-2025" }),
      field("quote", "prices.quote", p.quote, { size: 16, quoted: true, usual: "none: FILE.csv", label: "file of a supplier's quote" }),
      editor.served.savable ? make("label", { class: "choose" }, make("span", {}, "or choose one"), make("input", { type: "file", accept: ".csv,.tsv,.xlsx", "aria-label": "Choose a supplier's quote",
        onchange: (e) => { if (e.target.files.length) takeQuote(e.target.files[0]).finally(() => { e.target.value = ""; }); } })) : null),
    quoteWrong.length ? make("ul", { class: "mistakes quotewrong", "aria-label": "Mistakes in the quote" }, quoteWrong.map((m) =>
      make("li", { class: m.severity }, make("b", {}, m.line ? `${m.file}:${m.line}:${m.column} ` : ""), m.message, m.suggestion ? make("small", {}, m.suggestion) : null))) : null,
    row(fileNames.map((name) => button(name, () => download(name), { "aria-label": `Download ${name}` }))),
    make("p", { class: "hint" }, "A quote is a table with the columns part (an id of the list of parts or of this file), supplier, unit price, currency and date. Without the column supplier, the lines of orders.csv name none. The file that you choose is copied beside the machine file."),
    make("p", { class: "hint" }, "The buttons save files of the text as it is, saved or not. orders.csv has a line for every product of a supplier."));
  };
  // takeQuote copies a supplier's quote beside the machine file, and prices the machine by it; mistakes in it are listed.
  let quoteWrong = [];
  const takeQuote = async (chosen) => {
    quoteWrong = [];
    try {
      const { file, note } = await editor.quote(chosen);
      await act(`Priced by ${file}${note ? `: ${note}` : ""}`, [["prices.quote", text(file)]]);
    } catch (err) {
      quoteWrong = err.messages || [];
      show();
      say(`No quote, and nothing is written: ${err.message}`, "bad");
    }
  };
  const download = async (name) => {
    say(`Writing ${name} ...`);
    try {
      const data = await editor.file(name), link = make("a", { href: URL.createObjectURL(data), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
      say(`${name}: ${data.size.toLocaleString("en")} bytes`, "good");
    } catch (err) {
      say(`No ${name}: ${err.message}`, "bad");
    }
  };

  const show = () => {
    const keyOf = (e) => e.dataset.path || e.getAttribute("aria-label") || e.name || e.textContent, all = () => [...host.querySelectorAll("input, select, button, summary")];
    const had = host.contains(document.activeElement) ? document.activeElement : null, key = had && keyOf(had), at = had && all().indexOf(had), form = had && had.form && had.form.getAttribute("aria-label");
    const typed = had && had.tagName === "INPUT" && had.type !== "file" && had.value !== had.defaultValue ? had.value : null; // and not sent yet
    host.replaceChildren(...[machine(), boxes.described(says), templates(), fabrics(), room(), obstacles(), trays(), prices()].filter(Boolean));
    if (!had) return;
    // What is gone leaves the focus to what has taken its place.
    const now = all(), again = now.find((e) => keyOf(e) === key && (e.form ? e.form.getAttribute("aria-label") : null) === form) || now[Math.min(at, now.length - 1)];
    if (!again) return;
    if (typed !== null && keyOf(again) === key) again.value = typed;
    (again.disabled ? now.find((e, i) => i > now.indexOf(again) && !e.disabled) || host : again).focus({ preventScroll: true });
  };
  const update = async () => {
    if (hidden()) return;
    try {
      says = (await values()) || {};
      await boxes.load();
    } catch (err) {
      host.replaceChildren(make("p", { class: "hint" }, err.message));
      return;
    }
    show();
  };

  // What a file says of obstacles, as boxes on the floor.
  const areas = () => {
    const r = state.now && state.now.spec && state.now.spec.room ? state.now.spec.room : {};
    return [...(r.columns || []).map((c, i) => ({ what: "column", i, box: [c.x, c.y, c.x + c.width, c.y + c.depth] })),
      ...(r.keep_outs || []).map((k, i) => {
        const xs = k.points.map((p) => p[0]), ys = k.points.map((p) => p[1]);
        return { what: "keep-out", i, box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)], points: k.points };
      }), ...(r.doors || []).map((d, i) => {
        const [x0, y0, x1, y1] = (window.plenum.state.model.room.doors[i] || [0, 0, 0, 0]);
        return { what: "door", i, door: d, box: [Math.min(x0, x1) - doorReach, Math.min(y0, y1) - doorReach, Math.max(x0, x1) + doorReach, Math.max(y0, y1) + doorReach] };
      })];
  };
  const doorWidth = 1.2, doorReach = 0.25; // of a door that is placed, and how far from its wall it is grabbed, in metres
  const along = (wall) => (wall === "south" || wall === "north" ? 0 : 1); // the axis that a wall runs along

  // doorAt is the wall that a place is nearest to, and where a door of some width begins there.
  const doorAt = ([x, y], width) => {
    const [x0, y0, x1, y1] = window.plenum.state.model.room.bound_m;
    const [wall] = [["south", y - y0], ["north", y1 - y], ["west", x - x0], ["east", x1 - x]].reduce((a, b) => (b[1] < a[1] ? b : a));
    const a = along(wall), length = a ? y1 - y0 : x1 - x0;
    return { wall, at: Math.max(0, Math.min(length - width, (a ? y - y0 : x - x0) - width / 2)) };
  };
  // outside reports whether a place is beyond the walls, where a room has them; a door is clicked near its wall.
  const outside = (page, [x, y]) => {
    const b = page.m.room && page.m.room.walls ? page.m.room.bound_m : null, near = placing.what === "door" ? 0.3 : 0;
    return !!b && (x < b[0] - near || x > b[2] + near || y < b[1] - near || y > b[3] + near);
  };
  // within is the corner of a box that is moved between the walls, where a room has them.
  const within = (page, [x0, y0, x1, y1]) => {
    const b = page.m.room && page.m.room.walls ? page.m.room.bound_m : null;
    return b ? [Math.max(b[0], Math.min(x0, b[2] - (x1 - x0))), Math.max(b[1], Math.min(y0, b[3] - (y1 - y0)))] : [x0, y0];
  };
  const columnSide = 0.4; // of a column that is placed, until its fields say otherwise
  const outline = (page, box) => page.floor.outline(box);

  // hold is what a pointer or the keyboard moves, from a place on it: a column, a keep-out or a door of the file.
  const hold = (page, at, a) => {
    carried = { dx: 0, dy: 0 };
    const end = () => { carried = null; outline(page, null); };
    if (a.what === "door") {
      const axis = along(a.door.wall), [x0, y0, x1, y1] = window.plenum.state.model.room.bound_m;
      let begins = a.door.at;
      return {
        to(p) {
          begins = Math.max(0, Math.min((axis ? y1 - y0 : x1 - x0) - a.door.width, a.door.at + p[axis] - at[axis]));
          const by = begins - a.door.at;
          outline(page, axis ? [a.box[0], a.box[1] + by, a.box[2], a.box[3] + by] : [a.box[0] + by, a.box[1], a.box[2] + by, a.box[3]]);
          say(`The door begins at ${begins.toFixed(2)} m of the ${a.door.wall} wall.`);
        },
        async drop() {
          end();
          await act(`Door ${a.i + 1} moved`, [[`room.doors.${a.i}.at`, metres(begins)]]);
        },
        cancel() { if (begins !== a.door.at) say("Not moved."); end(); },
      };
    }
    return {
      to([x, y]) {
        carried = { dx: x - at[0], dy: y - at[1] };
        outline(page, [a.box[0] + carried.dx, a.box[1] + carried.dy, a.box[2] + carried.dx, a.box[3] + carried.dy]);
        say(`The ${a.what} is moved by ${carried.dx.toFixed(2)} m along the rows and ${carried.dy.toFixed(2)} m across them.`);
      },
      async drop() {
        const { dx, dy } = carried;
        end();
        const path = a.what === "column" ? `room.columns.${a.i}` : `room.keep_outs.${a.i}`;
        await act(`${a.what === "column" ? "Column" : "Keep-out"} ${a.i + 1} moved`, a.what === "column" ? [[`${path}.x`, metres(a.box[0] + dx)], [`${path}.y`, metres(a.box[1] + dy)]]
          : [[`${path}.points`, `[${a.points.map((p) => `[${metres(p[0] + dx)}, ${metres(p[1] + dy)}]`).join(", ")}]`]]);
      },
      cancel() { if (carried && (carried.dx || carried.dy)) say("Not moved."); end(); },
    };
  };

  // about are the acts on a column or a keep-out of the file that a box on the floor is.
  const about = (page, box) => {
    const near = (a) => a.what !== "door" && a.box.every((v, i) => Math.abs(v - box[i]) < 1e-6), a = areas().find(near);
    if (!a) return make("p", { class: "hint" }, "It is drawn in the drawing of the room, and is moved there.");
    const path = a.what === "column" ? "columns" : "keep_outs", name = a.what === "column" ? "Column" : "Keep-out", c = ((state.now.spec.room || {})[path] || [])[a.i];
    const copy = a.what === "column" ? () => act("Column copied", [["room.columns.+", `{x: ${metres(c.x + 2 * c.width)}, y: ${metres(c.y)}, width: ${metres(c.width)}, depth: ${metres(c.depth)}}`]]) : null;
    return make("div", { class: "buildrow" }, button("Move", () => lift(a.what, a.i), { "aria-label": `Move this ${a.what}` }),
      copy ? button("Copy", copy, { "aria-label": "Copy this column", title: "beside it, from where it is moved" }) : null,
      button("Remove", () => act(`${name} ${a.i + 1} removed`, [[`room.${path}.${a.i}`, ""]]), { "aria-label": `Remove this ${a.what}` }));
  };

  return {
    update, about,
    // pick places what is being placed, and reports whether it took the click.
    pick(page, at) {
      if (!placing) return false;
      if (!at) {
        placing = null;
        outline(page, null);
        say("Nothing is placed.");
        show();
        return true;
      }
      const [x, y] = at;
      if (placing.what !== "rack" && outside(page, at)) {
        say(`That is outside the room: click inside the room. ${hints[placing.what]}`, "bad");
        return true;
      }
      if (placing.what === "column") {
        placing = null;
        const [left, below] = within(page, [x - columnSide / 2, y - columnSide / 2, x + columnSide / 2, y + columnSide / 2]);
        act("Column added", [["room.columns.+", `{x: ${metres(left)}, y: ${metres(below)}, width: ${metres(columnSide)}, depth: ${metres(columnSide)}}`]]);
      } else if (placing.what === "door") {
        placing = null;
        const d = doorAt(at, doorWidth);
        act(`Door in the ${d.wall} wall added`, [["room.doors.+", `{wall: ${d.wall}, at: ${metres(d.at)}, width: ${metres(doorWidth)}}`]]);
      } else if (placing.what === "cross tray") {
        placing = null;
        const after = longestRow().filter((mid) => mid < x).length, all = crossings();
        if (all.includes(after)) {
          say(`There is a cross tray after position ${after}.`);
          show();
        } else act(`Cross tray after position ${after} added`, [["room.trays.cross", `[${[...all, after].sort((a, b) => a - b).join(", ")}]`]]);
      } else if (placing.what === "rack") {
        const found = page.find(x, y), { i } = placing, template = says.racks[i]; // as it is by now
        if (found < 0) {
          say("There is no rack position. Click one, or press Escape.", "bad");
          return true;
        }
        const name = page.m.racks.names[found], quoted = (list) => `[${list.map((p) => text(String(p))).join(", ")}]`;
        if (template.at) { // which has a position for every rack: one more
          placing = null;
          act(`Rack ${template.name} added at ${name}`, [[`racks.${i}.at`, quoted([...[].concat(template.at), name])], [`racks.${i}.count`, String(template.count + 1)]]);
          return true;
        }
        const list = placing.list = [...(placing.list || []).filter((p) => p !== name), name], k = page.m.racks;
        outline(page, [k.x_m[found] - k.width_m[found] / 2, k.y_m[found] - k.depth_m[found] / 2, k.x_m[found] + k.width_m[found] / 2, k.y_m[found] + k.depth_m[found] / 2]);
        say(`${list.length} of ${template.count} racks ${template.name}: ${list.join(", ")}. ${hints.rack}`);
        if (list.length < template.count) return true;
        placing = null;
        outline(page, null);
        act(`Racks ${template.name} placed at ${list.join(", ")}`, [[`racks.${i}.at`, quoted(list)]]);
      } else if (!placing.from) {
        placing.from = at;
        outline(page, [x - 0.05, y - 0.05, x + 0.05, y + 0.05]);
        say("Click the opposite corner of the keep-out.");
      } else {
        const [x0, y0] = placing.from;
        placing = null;
        outline(page, null);
        const corner = (a, b) => `[${metres(a)}, ${metres(b)}]`;
        act("Keep-out added", [["room.keep_outs.+", `{name: keep-out, points: [${[corner(x0, y0), corner(x, y0), corner(x, y), corner(x0, y)].join(", ")}]}`]]);
      }
      return true;
    },
    // grab is what a pointer drags: a column or a keep-out of the file under it.
    grab(page, at) {
      if (placing || state.now === null) return null;
      const a = areas().find(({ box }) => at[0] >= box[0] && at[0] <= box[2] && at[1] >= box[1] && at[1] <= box[3]);
      return a ? hold(page, at, a) : null;
    },
    key(page, e) {
      if (lifted) {
        const by = stepOf(e), { held } = lifted;
        if (by) {
          lifted.at = [lifted.at[0] + by[0], lifted.at[1] + by[1]];
          held.to(lifted.at);
        } else if (e.key === "Enter" || e.key === "Escape") {
          lifted = null;
          if (e.key === "Enter") held.drop();
          else held.cancel();
        } else return false;
        return true;
      }
      if (!placing) return false;
      if (e.key === "Escape") this.pick(page, null);
      else if (stepOf(e)) aim(page, e);
      else if (e.key === "Enter" && placing.mark) {
        outline(page, null);
        this.pick(page, placing.mark);
      } else return false;
      return true;
    },
  };
};
