// Places on the floor that have names and are not racks with boxes: halls, rows, free positions, and containers around
// others; and the search by the names that the floor shows.

// plainName is a name as it is searched: commas and slashes are spaces, and numbers have no zeros before them.
const plainName = (text) => text.toLowerCase().replace(/[,/\s]+/g, " ").replace(/(^|[^0-9.])0+(?=[0-9])/g, "$1").trim();

// placesOf lists the places with their names: {name, short, what, box}, short is the name without the words for levels;
// rack is the one that a place stands for, where it does.
function placesOf(m) {
  if (m.places) return m.places;
  m.places = m.room ? roomPlaces(m) : m.nests ? nestPlaces(m) : [];
  for (const p of m.places) p.plain ??= [p.name, ...p.shorts].map(plainName);
  return m.places;
}

// rackBox is the rectangle of a rack on the floor.
const rackBox = ({ x_m: x, y_m: y, width_m: w, depth_m: d }, i) => [x[i] - w[i] / 2, y[i] - d[i] / 2, x[i] + w[i] / 2, y[i] + d[i] / 2];

function roomPlaces(m) {
  const out = [], r = m.racks;
  for (const h of m.room.hall_names || []) out.push({ name: named("hall", h.name), shorts: [h.name], what: "hall", box: h.bound_m });
  for (const row of m.room.rows) out.push({ name: named("row", row.name), shorts: [row.name], what: plural(row.positions, "position"), box: row.bound_m });
  for (let i = 0; i < r.count; i++) {
    const row = m.room.rows.find(({ bound_m: [x0, y0, x1, y1] }) => r.x_m[i] >= x0 && r.x_m[i] <= x1 && r.y_m[i] >= y0 && r.y_m[i] <= y1);
    const free = r.boxes[i] === 0, number = numberOf(r.names[i]);
    out.push({ name: r.names[i], shorts: row ? [`${named("row", row.name)} rack ${number}`, `${row.name} ${number}`] : [], what: contentOf(m, i)[0],
      ...(free ? { box: rackBox(r, i) } : { rack: i }) });
  }
  return out;
}

// named is a name with the word for its level before it, where the name does not have it.
const named = (level, name) => (name.toLowerCase().startsWith(level) ? name : `${level} ${name}`);

// nestPlaces are containers by the numbers that the floor shows, with those of the containers that they are in.
function nestPlaces(m) {
  const out = [], r = m.racks, corners = nestBoxes(m);
  let above = { holds: r.count, places: [] }; // the level above that has several
  for (const [level, nest] of m.nests.entries()) {
    const n = Math.floor(r.count / nest.holds), names = nestNames(m, level), c = corners[level], places = [], what = plural(nest.holds, r.level);
    if (n <= 1) continue;
    for (let g = 0; g < n; g++) {
      const first = g * nest.holds, around = above.places[Math.floor(first / above.holds)], path = r.names[first].split("/", level + 1).join(" ");
      const name = names[g] ? `${nest.name} ${names[g]}` : nest.name;
      const place = { name: around ? `${around.name} ${name}` : name, shorts: [around ? `${around.shorts[0]} ${names[g]}` : names[g], path] };
      place.plain = [place.name.toLowerCase(), ...place.shorts.map((s) => s.toLowerCase())]; // without zeros before them
      if (nest.holds === 1) Object.assign(place, { rack: g, what: contentOf(m, g)[0] });
      else Object.assign(place, { what, box: [c[6 * g], c[6 * g + 1], c[6 * g + 3], c[6 * g + 4]], racks: [first, first + nest.holds] });
      places.push(place);
    }
    above = { holds: nest.holds, places };
    for (const p of places) out.push(p);
  }
  return out;
}

// racksIn are the racks with boxes in a place.
function racksIn(m, place) {
  const [x0, y0, x1, y1] = place.box, [from, to] = place.racks || [0, m.racks.count], out = [], r = m.racks;
  for (let i = from; i < to; i++) {
    if (r.boxes[i] > 0 && (place.racks || (r.x_m[i] >= x0 && r.x_m[i] <= x1 && r.y_m[i] >= y0 && r.y_m[i] <= y1))) out.push(i);
  }
  return out;
}

// placeDetails shows a place and what stands in it.
function placeDetails(m, place, pickRack) {
  const racks = racksIn(m, place), r = m.racks, sum = (of) => racks.reduce((s, i) => s + of[i], 0);
  const power = sum(r.power_w), [x0, y0] = place.box;
  return el("div", {}, el("h3", {}, place.name[0].toUpperCase() + place.name.slice(1)),
    figures([["what", place.what], racks.length ? [`${m.racks.level}s with boxes`, whole.format(racks.length)] : null, racks.length ? ["boxes", whole.format(sum(r.boxes))] : null,
      power ? ["power", watts(power) + basisOf(m)] : null, ["size", sizeOf(place.box)], ["from", `x ${x0.toFixed(2)} m, y ${y0.toFixed(2)} m`]], { class: "facts tight" }),
    m.room && racks.length && racks.length <= 100 ? [el("h4", {}, "Racks"), el("ul", { class: "racklinks" }, racks.map((i) =>
      el("li", {}, el("button", { type: "button", class: "link", onclick: () => pickRack(i) }, r.names[i]))))] : null);
}

const mostFound = 12; // hits that are listed

// searchAll finds halls, rows, racks, boxes and cables: those that have the text for a name, then those that begin with it,
// then those that have it inside; each time places before boxes before cables. more is how many further ones there are.
function searchAll(m, text) {
  const found = [[], [], []];
  let more = 0;
  if (!text) return { hits: [], more };
  const add = (at, hit) => {
    if (at >= 0 && found[at].length < mostFound) found[at].push(hit());
    else if (at >= 0) more++;
  };
  const rank = (name, wanted) => (name === wanted ? 0 : name.startsWith(wanted) ? 1 : name.includes(wanted) ? 2 : -1);
  const plain = plainName(text);
  for (const p of plain ? placesOf(m) : []) {
    let at = -1;
    for (const name of p.plain) {
      const inside = rank(name, plain), now = inside === 2 && !name.endsWith(` ${plain}`) ? 2 : Math.min(inside, 1); // rack 1 before rack 10
      if (now >= 0 && (at < 0 || now < at)) at = Math.abs(now);
    }
    if (at === 0 && p.name.toLowerCase() !== text && !p.shorts.some((s) => s.toLowerCase() === text)) at = 1; // without its zeros
    add(at, () => ({ name: p.name, what: p.what, ...(p.rack >= 0 ? { rack: p.rack } : { place: p }) }));
  }
  for (let v = 0; m.boxes && v < m.boxes.count; v++) {
    add(rank(m.boxes.names[v].toLowerCase(), text), () => ({ name: m.boxes.names[v], rack: m.boxes.rack[v], what: `${m.kinds[m.kind[v]].name} in ${placeOf(m, v)}` }));
  }
  const c = m.cables;
  const cable = (i) => () => ({ name: cableID(m, i), cable: i, what: "cable" });
  if (c && c.ids.length) for (let i = 0; i < c.count; i++) if (!i || c.ids[i] !== c.ids[i - 1]) add(rank(c.ids[i].toLowerCase(), text), cable(i));
  const match = /^c?0*([1-9][0-9]*)$/.exec(text);
  if (c && !c.ids.length && match) { // ids are C and a number, which may be written without C and zeros
    const i = c.cable.indexOf(+match[1]);
    if (i >= 0) add(cableID(m, i).toLowerCase() === text ? 0 : 1, cable(i));
  }
  const all = found.flat();
  return { hits: all.slice(0, mostFound), more: more + Math.max(0, all.length - mostFound) };
}

// foundNothing says that a search has no hits, and what the page does not list.
function foundNothing(m, text) {
  const out = ["boxes", "cables"].filter((what) => !m[what]);
  return `Nothing is named "${text}".${out.length ? ` This page does not list ${out.join(" and ")}.` : ""}`;
}
