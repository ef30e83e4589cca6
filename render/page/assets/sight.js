// What the view in three dimensions shows: which things, whose names, where it is cut, and views that are kept.

// newSight is what is shown before anything is set. Without a cut, axis is empty; at is a share of the room.
const newSight = () => ({ racks: true, trays: true, cables: true, doors: true, named: { rows: true, racks: true, doors: true, trays: false, cables: false },
  find: "", axis: "", at: 0.5, other: false, kept: [] });

// sightPanel are the controls of the view; changed is called after each change. It is made before the view itself, so
// that a link can set it.
function sightPanel(m, state, changed) {
  const sight = state.sight ||= newSight(), has = { racks: true, trays: !!m.trays && m.trays.count > 0, cables: !!m.cables || !!m.bundles, doors: !!m.room && m.room.doors.length > 0 };
  const check = (label, on, set) => {
    const box = el("input", { type: "checkbox", checked: on, onchange: (e) => { set(e.target.checked); changed(); } });
    return el("label", {}, box, ` ${label}`);
  };
  const fresh = newSight(), value = el("output", {});
  const range = el("input", { type: "range", min: 0, max: 1, step: 0.005, value: 0.5, "aria-label": "where it is cut", oninput: (e) => { sight.at = +e.target.value; tell(); changed(); } });
  const axes = [["", "nowhere"], ["z", "at a height"], ...(m.room ? [["x", "along the rows"], ["y", "across the rows"]] : [["x", "along x"], ["y", "along y"]])];
  const axis = el("select", { "aria-label": "cut", onchange: (e) => { sight.axis = e.target.value; tell(); changed(); } }, axes.map(([key, name]) => el("option", { value: key, selected: key === "" }, name)));
  const other = check("the other side", false, (on) => { sight.other = on; });
  const find = el("input", { type: "search", "aria-label": "only names with", placeholder: "only names with ...", oninput: (e) => { sight.find = e.target.value.trim().toLowerCase(); changed(); } });
  const tell = () => {
    const [from, to] = cutRange(m, sight.axis);
    range.disabled = !sight.axis;
    value.textContent = sight.axis ? `${sight.axis} ${short.format(from + sight.at * (to - from))} m` : "";
  };
  const kept = el("div", { class: "keptviews" }), name = el("input", { size: 9, "aria-label": "name of the view", placeholder: "name", autocomplete: "off" });
  const preset = (text, turn, rise) => el("button", { type: "button", onclick: () => state.space?.whole?.(turn, rise) }, text);
  const list = () => replace(kept, sight.kept.map((v, i) => [el("button", { type: "button", title: "show this view", onclick: () => show(v) }, v.name),
    el("button", { type: "button", "aria-label": `forget ${v.name}`, title: "forget this view", onclick: () => { sight.kept.splice(i, 1); list(); } }, "\u2715")]));
  const show = (v) => {
    Object.assign(sight, { axis: v.axis, at: v.at, other: v.other });
    axis.value = v.axis;
    range.value = v.at;
    other.firstChild.checked = v.other;
    tell();
    changed();
    state.space?.lookFrom?.(v.eye);
  };
  const keep = el("form", { class: "keepview", onsubmit: (e) => {
    e.preventDefault();
    if (!state.space?.eye) return;
    const { turn, rise, far, target: t } = state.space.eye;
    sight.kept.push({ name: name.value.trim().replaceAll("|", "/") || `view ${sight.kept.length + 1}`, eye: { turn, rise, far, target: { x: t.x, y: t.y, z: t.z } }, axis: sight.axis, at: sight.at, other: sight.other });
    name.value = "";
    list();
  } }, name, el("button", {}, "Keep this view"));
  const element = el("details", { class: "sight tools", open: window.innerWidth > 800 && !isPhone() }, el("summary", {}, "Show, names, cut"),
    el("fieldset", {}, el("legend", {}, "Show"), Object.keys(has).filter((k) => has[k]).map((k) => check(k, true, (on) => { sight[k] = on; }))),
    el("fieldset", {}, el("legend", {}, "Names of"), [m.room ? "rows" : null, ...Object.keys(has).filter((k) => has[k] && (k !== "cables" || m.cables))].filter(Boolean).map((k) => check(k, fresh.named[k], (on) => { sight.named[k] = on; })), find),
    el("fieldset", {}, el("legend", {}, "Cut"), axis, range, value, other),
    el("fieldset", {}, el("legend", {}, "Views"), el("div", { class: "presets" }, preset("all", -0.6, 0.65), preset("above", 0, 1.55), preset("front", 0, 0.05), preset("side", Math.PI / 2, 0.05)), kept, keep));
  tell();
  list();
  return { element, list };
}

// cutRange is from where to where a machine reaches along an axis, in metres.
function cutRange(m, axis) {
  const box = floorBox(m);
  return axis === "x" ? [box[0], box[2]] : axis === "y" ? [box[1], box[3]] : [0, m.room ? trayTop(m) + 0.2 : topOf(m)];
}

// cutOf reports which places a cut leaves, in metres; and the plane of it, for three.
function cutOf(THREE, m, sight, at) {
  if (!sight.axis) return { keeps: () => true, planes: [] };
  const [from, to] = cutRange(m, sight.axis), where = from + sight.at * (to - from), k = "xyz".indexOf(sight.axis);
  const sign = (sight.axis === "z" ? -1 : 1) * (sight.other ? -1 : 1); // what is in front of the first view is cut away
  const along = [[1, 0, 0], [0, 0, -1], [0, 1, 0]][k].map((v) => sign * v), point = [0, 0, 0];
  point[k] = where;
  const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(new THREE.Vector3(...along), new THREE.Vector3(...at(...point)));
  return { keeps: (...xyz) => sign * (xyz[k] - where) >= -1e-6, planes: [plane] };
}

// keptViews are kept views as texts of a link, and eyes likewise.
const eyeText = ({ turn, rise, far, target: t }) => [turn, rise, far, t.x, t.y, t.z].map((v) => +v.toFixed(3)).join(" ");
function eyeOf(text) {
  const [turn, rise, far, x, y, z, ...more] = text.split(" ").map(Number);
  return more.length === 0 && [turn, rise, far, x, y, z].every(Number.isFinite) && far > 0 ? { turn, rise, far, target: { x, y, z } } : null;
}
const viewText = (v) => [v.name, eyeText(v.eye), v.axis, v.at, v.other ? "other" : ""].join("|");
function viewOf(text) {
  const [name, eye, axis, at, other] = text.split("|"), from = eye ? eyeOf(eye) : null;
  return name && from && /^[xyz]?$/.test(axis || "") && +at >= 0 && +at <= 1 ? { name, eye: from, axis: axis || "", at: +at, other: other === "other" } : null;
}

// doorHeight is that of doors in three dimensions, whose height no file states.
const doorHeight = 2.1;

// doorMesh are doors in their walls.
function doorMesh(THREE, m, at) {
  if (!m.room || !m.room.doors.length) return null;
  const group = new THREE.Group(), material = new THREE.MeshLambertMaterial({ color: colourOf("--door"), transparent: true, opacity: 0.6 });
  for (const [x0, y0, x1, y1] of m.room.doors) {
    const box = new THREE.Mesh(new THREE.BoxGeometry(Math.max(0.1, Math.abs(x1 - x0)), doorHeight, Math.max(0.1, Math.abs(y1 - y0))), material);
    box.position.set(...at((x0 + x1) / 2, (y0 + y1) / 2, doorHeight / 2));
    group.add(box);
  }
  return group;
}

// columnHeight is that of columns in three dimensions, which reach a ceiling whose height no file states.
const columnHeight = 3;

// keptMesh are columns, and keep-outs whose height is stated.
function keptMesh(THREE, m, at) {
  const all = m.room ? m.room.keep_outs.filter((k) => k.why === "column" || (k.why === "keep-out" && k.height_m > 0)) : [];
  if (!all.length) return null;
  const group = new THREE.Group();
  for (const k of all) {
    const [x0, y0, x1, y1] = boundOf(k), high = k.height_m || columnHeight;
    const material = new THREE.MeshLambertMaterial({ color: colourOf(k.why === "column" ? "--column" : "--keep-out") });
    const box = new THREE.Mesh(new THREE.BoxGeometry(x1 - x0, high, y1 - y0), material);
    box.position.set(...at((x0 + x1) / 2, (y0 + y1) / 2, high / 2));
    group.add(box);
  }
  return group;
}

// wallMesh are the walls of a room and of its halls, as lines on the floor.
function wallMesh(THREE, m, at) {
  const boxes = m.room ? [...(m.room.walls ? [m.room.bound_m] : []), ...(m.room.halls_m || [])] : [];
  if (!boxes.length) return null;
  const points = boxes.flatMap(([x0, y0, x1, y1]) => [[x0, y0], [x1, y0], [x1, y0], [x1, y1], [x1, y1], [x0, y1], [x0, y1], [x0, y0]].flatMap(([x, y]) => at(x, y, 0.02)));
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: colourOf("--wall") }));
}
