// Containers in three dimensions: their outlines, and the cables between them.

// nestBoxes are the corners of the containers of each level, x0 y0 z0 x1 y1 z1, as wide as the innermost in them.
function nestBoxes(m) {
  const r = m.racks;
  return m.nests.map((nest) => {
    const out = new Float32Array(6 * Math.ceil(r.count / nest.holds));
    for (let k = 0; k < out.length; k += 6) out.set([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity], k);
    for (let i = 0; i < r.count; i++) {
      const k = 6 * Math.floor(i / nest.holds), w = r.width_m[i] / 2, d = r.depth_m[i] / 2;
      const least = [r.x_m[i] - w, r.y_m[i] - d, r.z_m[i]], most = [r.x_m[i] + w, r.y_m[i] + d, r.z_m[i] + r.height_m[i]];
      for (let a = 0; a < 3; a++) {
        out[k + a] = Math.min(out[k + a], least[a]);
        out[k + 3 + a] = Math.max(out[k + 3 + a], most[a]);
      }
    }
    return out;
  });
}

// mostOutlines is the most containers of a level whose edges are drawn.
const mostOutlines = 5000;

// nestMesh is the edges of the containers that hold others.
function nestMesh(THREE, m, at) {
  if (!m.nests) return null;
  const points = [];
  nestBoxes(m).slice(0, -1).forEach((boxes) => {
    if (boxes.length > 6 * mostOutlines) return;
    for (let k = 0; k < boxes.length; k += 6) {
      const corner = (bits) => at(...[0, 1, 2].map((a) => boxes[k + a + (bits >> a & 1 ? 3 : 0)]));
      for (let bits = 0; bits < 8; bits++) {
        for (let a = 0; a < 3; a++) if (!(bits >> a & 1)) points.push(...corner(bits), ...corner(bits | 1 << a));
      }
    }
  });
  if (!points.length) return null;
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: 0x8a94a3 }));
}

// cordOf finds the cord of every cable, -1 for cables inside one of the innermost containers and for those without.
function cordOf(m) {
  const { cords, cables, nests } = m, of = new Int32Array(cables.count).fill(-1), known = new Map();
  const key = (level, a, b) => (level * m.racks.count + a) * m.racks.count + b;
  for (let i = 0; i < cords.count; i++) known.set(key(cords.level[i], cords.a[i], cords.b[i]), i);
  for (let i = 0; i < cables.count; i++) {
    for (let level = 0; level < nests.length; level++) {
      const p = Math.floor(cables.rackA[i] / nests[level].holds), q = Math.floor(cables.rackB[i] / nests[level].holds);
      if (p === q) continue;
      of[i] = known.get(key(level, Math.min(p, q), Math.max(p, q))) ?? -1;
      break;
    }
  }
  return of;
}

// cordMesh draws the cables between two containers as one body along their way, as thick as all of them, but no thinner
// than can be seen.
function cordMesh(THREE, m, at, size) {
  const c = m.cords;
  if (!c) return null;
  const of = [], matrices = [], up = new THREE.Vector3(0, 1, 0), p = c.points_m;
  for (let i = 0; i < c.count; i++) {
    const thick = Math.max(c.diameter_m[i], size / 1500);
    for (let k = c.starts[i]; k + 1 < c.starts[i + 1]; k++) {
      const from = new THREE.Vector3(...at(...p.subarray(3 * k, 3 * k + 3))), to = new THREE.Vector3(...at(...p.subarray(3 * k + 3, 3 * k + 6)));
      const along = to.clone().sub(from), length = along.length() || thick;
      const turn = new THREE.Quaternion().setFromUnitVectors(up, along.normalize());
      of.push(i); // to the middle of each bend, which is as thick
      matrices.push(new THREE.Matrix4().compose(from.add(to).multiplyScalar(0.5), turn, new THREE.Vector3(thick, length + thick, thick)));
    }
  }
  const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(1, 1, 1), new THREE.MeshLambertMaterial(), of.length);
  mesh.userData = { of, matrices, cord: m.cables ? cordOf(m) : null };
  return mesh;
}

// colourCords gives every cord the colour that most of its cables that are shown have on the floor; one without any is
// not drawn. Where cables are not listed, its colour says copper, fibre or both.
function colourCords(THREE, m, look, mesh) {
  const { of, matrices, cord } = mesh.userData, c = m.cords, shown = new Int16Array(c.count).fill(-1);
  if (cord) {
    const most = new Int32Array(c.count);
    look.byClass.forEach((list, k) => {
      const has = new Int32Array(c.count);
      for (const i of list) if (cord[i] >= 0) has[cord[i]]++;
      for (let i = 0; i < c.count; i++) {
        if (has[i] <= most[i]) continue;
        most[i] = has[i];
        shown[i] = k;
      }
    });
  } else {
    const kind = classesOf({ bundles: c }).of;
    for (let i = 0; i < c.count; i++) shown[i] = kind(i);
  }
  const colour = look.classes.map((x) => new THREE.Color(x.colour)), none = new THREE.Matrix4().makeScale(0, 0, 0);
  of.forEach((i, k) => {
    mesh.setMatrixAt(k, shown[i] < 0 ? none : matrices[k]);
    if (shown[i] >= 0) mesh.setColorAt(k, colour[shown[i]]);
  });
  mesh.instanceMatrix.needsUpdate = true;
  if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  mesh.userData.shown = shown.reduce((n, k) => n + (k >= 0 ? 1 : 0), 0);
  mesh.computeBoundingSphere();
}
