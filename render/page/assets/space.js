// The view in three dimensions, by three.js, which is unpacked when the view is first opened.

let threeModule = null;
function three() {
  threeModule ||= (async () => {
    const code = await inflate(bytesOf(document.getElementById("plenum-three").textContent));
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    try {
      return await import(url);
    } finally {
      URL.revokeObjectURL(url);
    }
  })();
  return threeModule;
}

// spaceView shows racks, trays and cables, or says why it cannot.
async function spaceView(m, look, signal, pick, sight) {
  const THREE = await three();
  const canvas = el("canvas", {
    class: "space", tabindex: "0", role: "img",
    "aria-label": `${m.room ? "The room" : "The machine"} in three dimensions. Drag or use the arrow keys to turn, Shift to move, wheel or plus and minus to zoom, 0 to show all, Escape to clear the selection.`,
  });
  let renderer;
  try {
    const context = canvas.getContext("webgl2", { antialias: true });
    if (!context) throw new Error("no WebGL");
    renderer = new THREE.WebGLRenderer({ canvas, context });
  } catch {
    return { element: el("p", { class: "loading" }, "This browser shows no graphics in three dimensions (WebGL 2)."), stop() {} };
  }
  const box = floorBox(m), scene = new THREE.Scene();
  const top = m.room ? 2 : topOf(m), size = Math.max(box[2] - box[0], box[3] - box[1], m.room ? 1 : top);
  const far = m.room ? size * 1.25 : 1.5 * Math.hypot(box[2] - box[0], box[3] - box[1], top);
  scene.add(new THREE.HemisphereLight(0xffffff, 0x8890a0, 2.4));
  const sun = new THREE.DirectionalLight(0xffffff, 1.2);
  sun.position.set(0.4, 1, 0.7);
  scene.add(sun);
  const at = (x, y, z) => [x - (box[0] + box[2]) / 2, z, -(y - (box[1] + box[3]) / 2)]; // three's y is up
  const parts = { racks: rackMesh(THREE, m, at), trays: trayMesh(THREE, m, at), lines: lineMesh(THREE, m, look, at),
    cords: cordMesh(THREE, m, at, size), nests: nestMesh(THREE, m, at), floor: floorMesh(THREE, m, at, box),
    edges: edgeMesh(THREE, m, at), doors: doorMesh(THREE, m, at), walls: wallMesh(THREE, m, at), kept: keptMesh(THREE, m, at) };
  canvas.setAttribute("data-kept", parts.kept ? parts.kept.children.length : 0);
  for (const p of Object.values(parts)) if (p) scene.add(p);
  const camera = new THREE.PerspectiveCamera(40, 1, size / 500, size * 20);
  const eye = { turn: -0.6, rise: 0.65, far, target: new THREE.Vector3(0, top / 2, 0) };
  const names = el("canvas", { class: "spacenames", "aria-hidden": "true" }), chosen = chosenMesh(THREE, m, at, parts);
  scene.add(chosen.group);
  let whole = true; // nobody has moved yet: all is in sight
  const colours = () => {
    scene.background = new THREE.Color(colourOf("--around"));
    if (parts.floor) parts.floor.material.color.set(colourOf("--floor"));
    const c = new THREE.Color(), light = new THREE.Color(1, 1, 1), lighter = isDark() ? 0.16 : 0; // lamps leave dark fills nearly black
    for (let i = 0; i < parts.racks.count; i++) parts.racks.setColorAt(i, c.set(look.rackColour(parts.racks.userData.of[i])).lerp(light, lighter));
    if (parts.edges) parts.edges.material.color.set(colourOf("--rack-line"));
    chosen.colours();
    if (parts.racks.instanceColor) parts.racks.instanceColor.needsUpdate = true;
    if (parts.lines) colourLines(THREE, m, look, parts.lines);
    if (parts.cords) {
      colourCords(THREE, m, look, parts.cords);
      canvas.setAttribute("data-cords", parts.cords.userData.shown);
    }
    draw();
  };
  let cut = cutOf(THREE, m, sight, at);
  // show applies what is to be shown, and where it is cut.
  const show = () => {
    const of = { racks: "racks", edges: "racks", nests: "racks", trays: "trays", lines: "cables", cords: "cables", doors: "doors" };
    for (const [part, what] of Object.entries(of)) if (parts[part]) parts[part].visible = sight[what];
    cut = cutOf(THREE, m, sight, at);
    renderer.clippingPlanes = cut.planes;
    parts.racks.material.side = cut.planes.length ? THREE.DoubleSide : THREE.FrontSide; // cut racks show their inside
    parts.racks.material.needsUpdate = true;
    draw();
  };
  let queued = false;
  const draw = () => {
    if (queued) return;
    queued = true;
    requestAnimationFrame(() => {
      queued = false;
      const b = canvas.parentElement && canvas.parentElement.getBoundingClientRect();
      if (!b || !b.width) return;
      renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
      renderer.setSize(b.width, b.height, false);
      camera.aspect = b.width / b.height;
      if (whole) eye.far = farFor(eye, camera, [box[2] - box[0], m.room ? trayTop(m) : top, box[3] - box[1]]);
      const flat = Math.cos(eye.rise) * eye.far;
      camera.position.set(eye.target.x + Math.sin(eye.turn) * flat, eye.target.y + Math.sin(eye.rise) * eye.far,
        eye.target.z + Math.cos(eye.turn) * flat);
      camera.lookAt(eye.target);
      camera.updateProjectionMatrix();
      renderer.render(scene, camera);
      nameParts(THREE, m, look, names, camera, at, b, sight, cut);
      const words = spaceHint(m);
      if (hint.textContent !== words) hint.textContent = words;
      canvas.setAttribute("data-drawn", renderer.info.render.triangles + renderer.info.render.lines);
    });
  };
  const turn = (dx, dy) => {
    whole = false;
    eye.turn -= dx * perPixel;
    eye.rise = Math.max(0.02, Math.min(1.55, eye.rise + dy * perPixel));
    draw();
  };
  const move = (dx, dy) => {
    whole = false;
    const s = 2 * eye.far * Math.tan(camera.fov * Math.PI / 360) / (canvas.clientHeight || 600), c = Math.cos(eye.turn), n = Math.sin(eye.turn);
    eye.target.x += (-dx * c - dy * n) * s;
    eye.target.z += (dx * n - dy * c) * s;
    draw();
  };
  const zoom = (f) => {
    whole = false;
    eye.far = Math.max(1, Math.min(size * 6, eye.far * f));
    draw();
  };
  const showAll = (turn, rise) => { // from a direction
    Object.assign(eye, { turn, rise });
    eye.target.set(0, top / 2, 0);
    whole = true;
    draw();
  };
  const reset = () => showAll(-0.6, 0.65);
  spaceMoves(canvas, { turn, move, zoom, reset, clear: () => pick(-1), hit: (x, y) => {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(x, y), camera);
    const hits = sight.racks ? ray.intersectObject(parts.racks).filter((h) => cut.planes.every((p) => p.distanceToPoint(h.point) >= 0)) : [];
    pick(hits.length ? parts.racks.userData.of[hits[0].instanceId] : -1);
  } }, signal);
  const watch = new ResizeObserver(draw), hint = el("p", { class: "hint over" });
  const element = el("div", { class: "spacebox" }, canvas, names, hint, el("div", { class: "zoom" },
    [["+", "zoom in", () => zoom(0.75)], ["\u2212", "zoom out", () => zoom(1 / 0.75)], ["\u2922", "show all", reset],
      ["\u21ba", "turn to the left", () => turn(-65, 0)], ["\u21bb", "turn to the right", () => turn(65, 0)]].map(([text, name, f]) =>
      el("button", { type: "button", "aria-label": name, title: name, onclick: f }, text))));
  watch.observe(element);
  show();
  colours();
  const lookFrom = (from) => {
    whole = false;
    Object.assign(eye, { turn: from.turn, rise: from.rise, far: from.far });
    eye.target.copy(from.target);
    draw();
  };
  return { element, colours, eye, lookFrom, show, moved: () => !whole, whole: showAll,
    // mark shows which rack and which cable are selected, -1 for none.
    mark(rack, cable) {
      if (!chosen.set(rack, cable)) return;
      canvas.setAttribute("data-selected", rack >= 0 ? m.racks.names[rack] : "");
      draw();
    },
    stop() { watch.disconnect(); renderer.dispose(); } };
}

// spaceHint says how the view is moved, by fingers or by mouse and keys.
const spaceHint = (m) => (isTouched()
  ? `${pageScrolls() ? "One finger scrolls the page" : "One finger turns"}, two move, zoom and turn. Tap a ${m.racks.level}.`
  : `Drag to turn, Shift and drag to move, wheel to zoom, click a ${m.racks.level}. Arrow keys, + and - do the same.`);

// isDark reports whether the page is dark: white is nearer to words than to the floor.
const isDark = () => /^#[0-5]/.test(colourOf("--floor"));

// trayTop is how high a room is in use: the top of its racks, or of its trays.
function trayTop(m) {
  let top = topOf(m);
  if (m.trays) for (let k = 2; k < m.trays.ends_m.length; k += 3) top = Math.max(top, m.trays.ends_m[k]);
  return top;
}

// farFor is how far away the eye has to be to see all of a box around the middle of the floor, size metres across.
function farFor(eye, camera, size) {
  const up = Math.tan(camera.fov * Math.PI / 360) * 0.96, across = up * camera.aspect;
  const ct = Math.cos(eye.turn), st = Math.sin(eye.turn), cr = Math.cos(eye.rise), sr = Math.sin(eye.rise);
  let far = 1;
  for (let k = 0; k < 8; k++) {
    const x = (k & 1 ? 0.5 : -0.5) * size[0] - eye.target.x, y = (k & 2 ? size[1] : 0) - eye.target.y;
    const z = (k & 4 ? 0.5 : -0.5) * size[2] - eye.target.z;
    const right = x * ct - z * st, nearer = (x * st + z * ct) * cr + y * sr, high = y * cr - (x * st + z * ct) * sr;
    far = Math.max(far, nearer + Math.abs(right) / across, nearer + Math.abs(high) / up);
  }
  return far;
}

// mostNames is how many names of cables are written at most.
const mostNames = 300;

// mostCrowded is how much wider than its rack, as it is seen, a name may be; names do not cover each other.
const mostCrowded = 1.6;

// nameParts writes the names that are asked for: of rows at their ends, of racks on their tops, of doors, trays and
// cables at their middles, where there is room for them and no other name.
function nameParts(THREE, m, look, canvas, camera, at, size, sight, cut) {
  const ratio = Math.min(2, window.devicePixelRatio || 1), ctx = canvas.getContext("2d"), p = new THREE.Vector3();
  canvas.width = Math.round(size.width * ratio);
  canvas.height = Math.round(size.height * ratio);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  const place = (...xyz) => {
    if (!cut.keeps(...xyz)) return null;
    p.set(...at(...xyz)).project(camera);
    return p.z > 1 ? null : [(p.x + 1) / 2 * size.width, (1 - p.y) / 2 * size.height];
  };
  const taken = [];
  const write = (text, [x, y], halo, ink) => {
    const half = ctx.measureText(text).width / 2 + 2, box = [x - half, y - 7, x + half, y + 7];
    if (taken.some((t) => box[0] < t[2] && box[2] > t[0] && box[1] < t[3] && box[3] > t[1])) return false;
    taken.push(box);
    ctx.lineWidth = 3;
    ctx.strokeStyle = look.colour(halo);
    ctx.strokeText(text, x, y);
    ctx.fillStyle = look.colour(ink);
    ctx.fillText(text, x, y);
    return true;
  };
  const wanted = (name) => !sight.find || name.toLowerCase().includes(sight.find);
  const written = { rows: 0, racks: 0, doors: 0, trays: 0, cables: 0 };
  if (m.room) {
    ctx.font = "600 13px system-ui, sans-serif";
    let last = null;
    for (const row of sight.named.rows && !sight.find ? m.room.rows : []) {
      const end = place(row.bound_m[0] - 0.5, (row.bound_m[1] + row.bound_m[3]) / 2, 0);
      if (!end || last && Math.hypot(end[0] - last[0], end[1] - last[1]) < 16) continue;
      last = end;
      written.rows += write(row.name, end, "--floor", "--muted");
    }
    ctx.font = "600 11px system-ui, sans-serif";
    m.room.doors.forEach(([x0, y0, x1, y1], i) => {
      const name = `door ${i + 1}`, on = sight.doors && sight.named.doors && wanted(name) ? place((x0 + x1) / 2, (y0 + y1) / 2, doorHeight) : null;
      if (on) written.doors += write(name, on, "--halo", "--rack-ink");
    });
  }
  ctx.font = "600 11px system-ui, sans-serif";
  const r = m.racks, few = sight.find !== "";
  for (let i = 0; sight.racks && sight.named.racks && (m.room || few) && i < r.count; i++) {
    if (!r.boxes[i] || !wanted(r.names[i])) continue;
    const z = r.z_m[i] + (r.height_m[i] || 2), y = r.y_m[i] + (m.room ? (r.turned[i] ? -1 : 1) * nameAt * r.depth_m[i] : 0);
    const on = place(r.x_m[i], y, z), w = r.width_m[i] / 2, d = r.depth_m[i] / 2;
    const corners = [[-w, -d], [w, -d], [-w, d], [w, d]].map(([dx, dy]) => place(r.x_m[i] + dx, r.y_m[i] + dy, z)); // of its top, however it is turned
    if (!on || corners.includes(null)) continue;
    const xs = corners.map((c) => c[0]), wide = Math.max(...xs) - Math.min(...xs);
    if (!few && wide * mostCrowded < ctx.measureText(r.names[i]).width) continue;
    ctx.globalAlpha = 0.85;
    written.racks += write(r.names[i], on, "--halo", "--rack-ink");
    ctx.globalAlpha = 1;
  }
  const t = m.trays;
  for (let i = 0; t && sight.trays && sight.named.trays && i < t.count; i++) {
    const name = `${t.levels[t.level[i]] || "tray"} ${i + 1}`, e = t.ends_m.subarray(6 * i, 6 * i + 6);
    const on = wanted(name) ? place((e[0] + e[3]) / 2, (e[1] + e[4]) / 2, (e[2] + e[5]) / 2) : null;
    if (on) written.trays += write(name, on, "--floor", "--muted");
  }
  const c = m.cables, b = m.bundles;
  for (let i = 0; c && m.boxes && sight.cables && sight.named.cables && i < c.count && written.cables < mostNames; i++) {
    if (!look.shown[i]) continue;
    const name = cableID(m, i);
    if (!wanted(name)) continue;
    const way = b && c.bundle[i] > 0 && b.way_starts.length ? b.way[c.bundle[i] - 1] : -1, { start, xy } = look.paths;
    const mid = Math.max(start[i], Math.floor((start[i] + start[i + 1] - 1) / 2)), x = m.boxes;
    const inside = c.rackA[i] === c.rackB[i];
    const on = inside ? place((x.x_m[c.a[i]] + x.x_m[c.b[i]]) / 2, (x.y_m[c.a[i]] + x.y_m[c.b[i]]) / 2, (x.z_m[c.a[i]] + x.z_m[c.b[i]]) / 2)
      : place((xy[2 * mid] + xy[2 * mid + 2]) / 2, (xy[2 * mid + 1] + xy[2 * mid + 3]) / 2, way >= 0 ? b.way_points_m[3 * b.way_starts[way] + 2] : r.z_m[c.rackA[i]] + r.height_m[c.rackA[i]] + 0.3);
    if (on) written.cables += write(name, on, "--halo", "--rack-ink");
  }
  canvas.dataset.names = JSON.stringify(written);
}

const perPixel = 0.006; // radians by which the view turns as the pointer moves

// spaceMoves lets pointer, wheel and keys turn, move and zoom the view, with fingers as on the floor.
function spaceMoves(canvas, { turn, move, zoom, reset, clear, hit }, signal) {
  const pointers = new Map(), pinch = newPinch();
  let far = 0;
  const on = (type, f, options = {}) => canvas.addEventListener(type, f, { signal, ...options });
  on("pointerdown", (e) => {
    pointers.set(e.pointerId, [e.clientX, e.clientY]);
    far = pointers.size > 1 ? 99 : 0; // two fingers do not click
    pinch.begin(pointers);
    canvas.setPointerCapture(e.pointerId);
  });
  on("pointermove", (e) => {
    const last = pointers.get(e.pointerId);
    if (!last) return;
    pointers.set(e.pointerId, [e.clientX, e.clientY]);
    if (pointers.size === 2) {
      pinch.step(pointers, (dx, dy, factor, x, y, turned) => {
        move(dx, dy);
        zoom(1 / factor);
        turn(-turned / perPixel, 0);
      });
      return;
    }
    const dx = e.clientX - last[0], dy = e.clientY - last[1];
    far += Math.abs(dx) + Math.abs(dy);
    if (e.pointerType === "touch" && pageScrolls()) return;
    if (e.shiftKey || e.buttons & 2) move(dx, dy);
    else turn(dx, dy);
  });
  on("pointercancel", (e) => pointers.delete(e.pointerId));
  takeTouches(on, () => false);
  on("pointerup", (e) => {
    if (!pointers.delete(e.pointerId) || far > 3) return;
    const b = canvas.getBoundingClientRect();
    hit((e.clientX - b.left) / b.width * 2 - 1, 1 - (e.clientY - b.top) / b.height * 2);
  });
  on("contextmenu", (e) => e.preventDefault());
  on("wheel", (e) => { e.preventDefault(); zoom(Math.exp(Math.max(-300, Math.min(300, e.deltaY)) * 0.001)); }, { passive: false });
  on("keydown", (e) => {
    const arrow = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
    if (arrow) (e.shiftKey ? move : turn)(arrow[0] * 24, arrow[1] * 24);
    else if (e.key === "+" || e.key === "=") zoom(0.85);
    else if (e.key === "-") zoom(1 / 0.85);
    else if (e.key === "0") reset();
    else if (e.key === "Escape") clear();
    else return;
    e.preventDefault();
  });
}

function rackMesh(THREE, m, at) {
  const r = m.racks, of = [];
  for (let i = 0; i < r.count; i++) if (r.boxes[i] > 0) of.push(i);
  const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(1, 1, 1), new THREE.MeshLambertMaterial(
    m.room ? {} : { transparent: true, opacity: 0.22, depthWrite: false }), of.length);
  const matrix = new THREE.Matrix4();
  of.forEach((i, k) => {
    const inset = m.room ? 0.985 : 0.8;
    const h = (r.height_m[i] || 2) * (m.room ? 1 : inset);
    const [x, y, z] = at(r.x_m[i], r.y_m[i], r.z_m[i] + (r.height_m[i] || 2) / 2);
    matrix.makeScale(r.width_m[i] * inset, h, r.depth_m[i] * inset).setPosition(x, y, z);
    mesh.setMatrixAt(k, matrix);
  });
  mesh.userData.of = of;
  mesh.computeBoundingSphere();
  return mesh;
}

// boxEdges are the twelve edges of a box around a rack, as pairs of ends.
function boxEdges(m, i, at, more = 0) {
  const r = m.racks, w = r.width_m[i] / 2 + more, d = r.depth_m[i] / 2 + more, high = r.height_m[i] || 2;
  const corner = (k) => at(r.x_m[i] + (k & 1 ? w : -w), r.y_m[i] + (k & 2 ? d : -d), r.z_m[i] + (k & 4 ? high + more : 0));
  return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [1, 2, 4].filter((bit) => !(k & bit)).flatMap((bit) => [...corner(k), ...corner(k | bit)]));
}

function linesOf(THREE, points, material) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial(material));
}

// edgeMesh are the edges of racks in a room, which set racks of one colour apart.
function edgeMesh(THREE, m, at) {
  if (!m.room) return null;
  const points = [];
  for (let i = 0; i < m.racks.count; i++) if (m.racks.boxes[i] > 0) points.push(...boxEdges(m, i, at));
  return points.length ? linesOf(THREE, points, {}) : null;
}

// chosenMesh shows the rack and the cable that are selected, in front of all else. set reports whether they have changed.
function chosenMesh(THREE, m, at, parts) {
  const group = new THREE.Group();
  let rack = -1, cable = -1;
  const add = (points, colour) => {
    const lines = linesOf(THREE, points, { color: colourOf(colour), depthTest: false });
    lines.renderOrder = 9;
    group.add(lines);
  };
  const colours = () => {
    group.children.forEach((c) => c.geometry.dispose());
    group.clear();
    if (rack >= 0) for (const more of [0.006, 0.014, 0.022]) add(boxEdges(m, rack, at, more), "--pick"); // lines are one pixel wide
    const lines = parts.lines, points = [];
    if (cable >= 0 && lines && !lines.userData.bundles) {
      const from = lines.userData.all || lines.geometry.attributes.position.array;
      lines.userData.of.forEach((k, i) => { if (k === cable) points.push(from[3 * i], from[3 * i + 1], from[3 * i + 2]); });
    }
    if (points.length) add(points, "--pick2");
  };
  return { group, colours, set(r, c) {
    if (r === rack && c === cable) return false;
    rack = r;
    cable = c;
    colours();
    return true;
  } };
}

function trayMesh(THREE, m, at) {
  if (!m.trays || !m.trays.count) return null;
  const t = m.trays;
  const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(1, 1, 1), new THREE.MeshLambertMaterial(
    { color: colourOf("--traybox"), transparent: true, opacity: 0.35, depthWrite: false }), t.count);
  const matrix = new THREE.Matrix4();
  for (let i = 0; i < t.count; i++) {
    const e = t.ends_m.subarray(6 * i, 6 * i + 6);
    const [x, y, z] = at((e[0] + e[3]) / 2, (e[1] + e[4]) / 2, (e[2] + e[5]) / 2);
    matrix.makeScale(Math.max(0.3, Math.abs(e[0] - e[3])), Math.max(0.06, Math.abs(e[2] - e[5])), Math.max(0.3, Math.abs(e[1] - e[4])))
      .setPosition(x, y, z);
    mesh.setMatrixAt(i, matrix);
  }
  return mesh;
}

// mostStrands is the most cables that are drawn one by one in three dimensions; their bundles stand for more.
const mostStrands = 30000;

// topOf is how high containers reach.
function topOf(m) {
  let top = 0.1;
  for (let i = 0; i < m.racks.count; i++) top = Math.max(top, m.racks.z_m[i] + m.racks.height_m[i]);
  return top;
}

// lineMesh draws cables or bundles along their ways, up from one rack and down to the other; cables inside the
// innermost containers straight from box to box.
function lineMesh(THREE, m, look, at) {
  const r = m.racks, points = [], of = [], single = m.cables && m.cables.count <= mostStrands;
  const stretch = (list, i) => {
    for (let k = 0; k + 1 < list.length; k++) points.push(...at(...list[k]), ...at(...list[k + 1]));
    for (let k = 0; k < 2 * (list.length - 1); k++) of.push(i);
  };
  if (m.bundles && single) {
    const c = m.cables, b = m.bundles, { start, xy } = look.paths;
    for (let i = 0; i < c.count; i++) {
      if (c.rackA[i] === c.rackB[i]) continue;
      const way = c.bundle[i] > 0 && b.way_starts.length ? b.way[c.bundle[i] - 1] : -1;
      const count = start[i + 1] - start[i], back = wayBack(m, i, way);
      const line = [];
      for (let k = 0; k < count; k++) {
        const p = way >= 0 ? b.way_starts[way] + (back ? count - 1 - k : k) : -1;
        const z = p >= 0 ? b.way_points_m[3 * p + 2] : r.z_m[c.rackA[i]] + r.height_m[c.rackA[i]] + 0.3;
        line.push([xy[2 * (start[i] + k)], xy[2 * (start[i] + k) + 1], z]);
      }
      const first = line[0], last = line[line.length - 1], x = m.boxes;
      stretch([[first[0], first[1], x.z_m[c.a[i]]], ...line, [last[0], last[1], x.z_m[c.b[i]]]], i);
    }
  } else if (m.bundles) {
    const b = m.bundles;
    for (let i = 0; i < b.count; i++) {
      const top = (k) => [r.x_m[k], r.y_m[k], r.z_m[k] + (r.height_m[k] || 2)];
      const line = [top(b.a[i])];
      const way = b.way_starts.length ? b.way[i] : -1;
      if (way >= 0) {
        for (let k = b.way_starts[way]; k < b.way_starts[way + 1]; k++) line.push([...b.way_points_m.subarray(3 * k, 3 * k + 3)]);
      }
      stretch([...line, top(b.b[i])], i);
    }
  } else if (m.cables && m.boxes) {
    const most = Math.min(m.cables.count, 200000), x = m.boxes;
    const end = (v) => [x.x_m[v], x.y_m[v], x.z_m[v]];
    for (let i = 0; i < most; i++) {
      if (m.cables.rackA[i] === m.cables.rackB[i]) stretch([end(m.cables.a[i]), end(m.cables.b[i])], i);
    }
  }
  if (!points.length) return null;
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  geometry.setAttribute("color", new THREE.Float32BufferAttribute(new Float32Array(points.length), 3));
  const mesh = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.75 }));
  mesh.userData = { of, bundles: !!m.bundles && !single };
  return mesh;
}

// colourLines gives lines the colours of the floor: a bundle that of its first cable that is shown.
function colourLines(THREE, m, look, mesh) {
  const n = mesh.userData.bundles ? m.bundles.count : m.cables.count;
  const of = new Int16Array(n).fill(-1);
  look.byClass.forEach((list, c) => {
    for (const i of list) {
      const k = mesh.userData.bundles && m.cables ? m.cables.bundle[i] - 1 : i;
      if (k >= 0 && of[k] < 0) of[k] = c;
    }
  });
  const colours = mesh.geometry.attributes.color, position = mesh.geometry.attributes.position;
  mesh.userData.all ||= position.array.slice();
  const c = look.classes.map((x) => new THREE.Color(x.colour));
  mesh.userData.of.forEach((k, i) => {
    const at = of[k], from = mesh.userData.all;
    if (at >= 0) colours.setXYZ(i, c[at].r, c[at].g, c[at].b);
    position.setXYZ(i, at < 0 ? 0 : from[3 * i], at < 0 ? -1e3 : from[3 * i + 1], at < 0 ? 0 : from[3 * i + 2]);
  });
  colours.needsUpdate = true;
  position.needsUpdate = true;
}

function floorMesh(THREE, m, at, box) {
  if (!m.room) return null;
  const mesh = new THREE.Mesh(new THREE.PlaneGeometry(box[2] - box[0], box[3] - box[1]), new THREE.MeshBasicMaterial());
  mesh.rotation.x = -Math.PI / 2;
  mesh.position.set(...at((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, -0.02));
  return mesh;
}
