// Building by hand: counts, rows, fabrics, columns and keep-outs by fields and buttons, and on the floor by clicking and
// dragging. Every act changes values of the machine file.
window.plenumBuild = (editor) => {
  "use strict";
  const { host, make, act, say, values, state, openParts, hidden } = editor;
  const text = (v) => (/^[A-Za-z][A-Za-z0-9_.-]*$/.test(v) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(v) ? v : JSON.stringify(v));
  const metres = (v) => `${+v.toFixed(3)} m`;
  let says = {}, placing = null, carried = null;

  const button = (name, does, attributes = {}) => make("button", { type: "button", onclick: does, ...attributes }, name);
  const field = (name, path, value, more = {}) => {
    const input = make("input", { "data-path": path, "aria-label": more.label || name, size: more.size || 7, autocomplete: "off", placeholder: more.usual ?? null,
      type: more.number ? "number" : "text", min: more.number ? more.least ?? 1 : null, onchange: (e) => {
        const next = e.target.value.trim();
        if (next === String(value ?? "")) return;
        act(`${more.label || name}: ${value ?? "not set"} to ${next || "not set"}`, [[path, next && (more.quoted ? text(next) : next)]])
          .then((done) => { if (!done) e.target.value = value ?? ""; });
      } });
    input.value = value ?? "";
    input.defaultValue = input.value;
    return make("label", {}, make("span", {}, name), input);
  };
  const section = (title, ...rows) => make("section", {}, make("h3", {}, title), ...rows);
  const row = (...parts) => make("div", { class: "buildrow" }, ...parts);

  // topology are fields for the numbers of a topology, as far as the file has them.
  const topology = (t, path, of) => Object.entries(t || {}).filter(([, v]) => typeof v === "number").map(([key, v]) =>
    field(key.replaceAll("_", " "), `${path}.${key}`, v, { number: true, label: `${key.replaceAll("_", " ")}${of}` }));
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
    if (!list.length) return null;
    const rows = list.map((f, i) => make("div", { class: "fabric" },
      row(make("b", {}, f.name), make("span", {}, f.topology ? f.topology.family : ""), ...topology(f.topology, `fabrics.${i}.topology`, ` of ${f.name}`),
        list.length > 1 ? button("Remove", () => act(`Fabric ${f.name} removed`, [[`fabrics.${i}`, ""]]), { "aria-label": `Remove fabric ${f.name}` }) : null),
      ...Object.entries(f.switches || {}).filter(([, b]) => b && b.part).map(([kind, b]) => partButton(`${f.name}/${kind}`, `fabrics.${i}.switches.${kind}.part`, b.part, "switch"))));
    const boxes = (says.boxes || []).filter((b) => b.role !== "service");
    const form = make("form", { class: "buildrow", onsubmit: (e) => {
      e.preventDefault();
      const get = (n) => e.target.elements[n].value.trim(), name = get("name");
      const t = get("family") === "access" ? "{family: access, down: 40}" : `{family: ${get("family")}}`;
      act(`Fabric ${name} added`, [["fabrics.+", `{name: ${text(name)}, topology: ${t}, ends: [{boxes: ${text(get("boxes"))}, ports: ${text(get("ports"))}}], ` +
        `switches: {leaf: {part: ${text(get("part"))}}}}`]]);
    } }, make("label", {}, make("span", {}, "New fabric"), make("input", { name: "name", size: 9, required: true, placeholder: "name" })),
    make("label", {}, make("span", {}, "family"), make("select", { name: "family" }, ["access", "leaf-pair"].map((v) => make("option", {}, v)))),
    make("label", {}, make("span", {}, "boxes"), make("select", { name: "boxes" }, boxes.map((b) => make("option", {}, b.name)))),
    make("label", {}, make("span", {}, "ports"), make("input", { name: "ports", size: 8, required: true, placeholder: "bmc" })),
    make("label", {}, make("span", {}, "switch"), make("input", { name: "part", size: 14, value: "nvidia-sn2201", required: true })),
    make("button", {}, "Add fabric"));
    return section("Fabrics", rows, boxes.length ? form : null);
  };

  const more = (by, what, changes, disabled = false) => button(by > 0 ? "+" : "\u2212", changes, { "aria-label": `${by > 0 ? "Add" : "Remove"} ${what}`, disabled });
  const room = () => {
    const r = says.room || {}, shown = window.plenum.state && window.plenum.state.model.room;
    if (r.containers || r.rack_list) return null;
    const list = Array.isArray(r.rows) ? r.rows : null, n = list ? list.length : r.rows ?? (shown ? shown.rows.length : 1);
    const per = r.racks_per_row ?? (shown && shown.rows.length ? Math.round(window.plenum.state.model.racks.count / shown.rows.length) : 1);
    const rowBy = (by) => {
      if (!list) return act(`${n + by} rows`, [["room.rows", String(n + by)]]);
      if (by < 0) return act("Last row removed", [[`room.rows.${n - 1}`, ""]]);
      return act("Row added", [["room.rows.+", `{racks: ${list[n - 1].racks || per}}`]]);
    };
    const perBy = (by) => act(`${per + by} racks per row`, [["room.racks_per_row", String(per + by)]]);
    return section("Room", row(field("width", "room.width", r.width, { usual: "as needed", label: "width of the room" }), field("depth", "room.depth", r.depth, { usual: "as needed", label: "depth of the room" })),
      row(make("span", {}, "Rows"), more(-1, "a row", () => rowBy(-1), n < 2), make("output", {}, String(n)), more(1, "a row", () => rowBy(1)),
        r.rows && !list ? button("as many as needed", () => act("As many rows as needed", [["room.rows", ""]])) : null),
      list ? null : row(make("span", {}, "Racks per row"), more(-1, "a rack position of every row", () => perBy(-1), per < 2), make("output", {}, String(per)), more(1, "a rack position of every row", () => perBy(1)),
        r.racks_per_row ? button("as many as fit", () => act("As many racks per row as fit", [["room.racks_per_row", ""]])) : null),
      (list || []).map((one, i) => row(field(`row ${one.name || i + 1}, racks`, `room.rows.${i}.racks`, one.racks, { number: true }))));
  };

  const place = (what) => {
    placing = placing && placing.what === what ? null : { what };
    say(placing ? (what === "column" ? "Click the floor where the middle of the column is. Escape ends it." : "Click two opposite corners of the keep-out on the floor. Escape ends it.") : "Nothing is placed.");
    if (placing) document.querySelector(".plan").focus({ preventScroll: true });
    show();
  };
  const obstacles = () => {
    const r = says.room || {};
    if (r.containers) return null;
    const columns = (r.columns || []).map((c, i) => row(make("span", {}, `Column ${i + 1}`),
      ...["x", "y", "width", "depth"].map((k) => field(k, `room.columns.${i}.${k}`, c[k], { size: 5, label: `${k} of column ${i + 1}` })),
      button("Remove", () => act(`Column ${i + 1} removed`, [[`room.columns.${i}`, ""]]), { "aria-label": `Remove column ${i + 1}` })));
    const keeps = (r.keep_outs || []).map((k, i) => row(field(`Keep-out ${i + 1}`, `room.keep_outs.${i}.name`, k.name, { size: 12, quoted: true, label: `name of keep-out ${i + 1}` }),
      button("Remove", () => act(`Keep-out ${k.name || i + 1} removed`, [[`room.keep_outs.${i}`, ""]]), { "aria-label": `Remove keep-out ${i + 1}` })));
    const pressed = (what) => ({ "aria-pressed": String(!!placing && placing.what === what) });
    return section("Columns and keep-outs", columns, keeps,
      row(button("Add a column", () => place("column"), pressed("column")), button("Add a keep-out", () => place("keep-out"), pressed("keep-out"))),
      make("p", { class: "hint" }, "Drag a column or a keep-out on the floor to move it."));
  };

  // files are what is saved for others: each is that of the text as it is.
  const fileNames = ["orders.csv", "bom.csv", "bom.xlsx", "floor.pdf"];
  const prices = () => {
    const p = says.prices || {};
    return section("Prices, quote and order", row(field("price set", "prices.set", p.set, { size: 14, quoted: true, usual: "estimate-2025" }),
      field("quote", "prices.quote", p.quote, { size: 16, quoted: true, usual: "none: FILE.csv", label: "file of a supplier's quote" })),
    row(fileNames.map((name) => button(name, () => download(name), { "aria-label": `Download ${name}` }))),
    make("p", { class: "hint" }, "The files are of the text as it is, saved or not. orders.csv has a line for every product of a supplier."));
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
    const had = host.contains(document.activeElement) ? document.activeElement : null, key = had && (had.dataset.path || had.getAttribute("aria-label"));
    host.replaceChildren(...[machine(), fabrics(), room(), obstacles(), prices()].filter(Boolean));
    if (!key) return;
    const again = [...host.querySelectorAll("input, button")].find((e) => (e.dataset.path || e.getAttribute("aria-label")) === key);
    if (again) again.focus({ preventScroll: true });
  };
  const update = async () => {
    if (hidden()) return;
    try {
      says = (await values()) || {};
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
      })];
  };
  const columnSide = 0.4; // of a column that is placed, until its fields say otherwise
  const outline = (page, box) => page.floor.outline(box);

  return {
    update,
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
      if (placing.what === "column") {
        placing = null;
        act("Column added", [["room.columns.+", `{x: ${metres(x - columnSide / 2)}, y: ${metres(y - columnSide / 2)}, width: ${metres(columnSide)}, depth: ${metres(columnSide)}}`]]);
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
      if (!a) return null;
      carried = { dx: 0, dy: 0 };
      const end = () => { carried = null; outline(page, null); };
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
    },
    key(page, e) {
      if (!placing || e.key !== "Escape") return false;
      this.pick(page, null);
      return true;
    },
  };
};
