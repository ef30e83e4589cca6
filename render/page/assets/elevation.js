// A rack as it is seen from its front.

const unitHeight = () => (isPhone() ? 20 : 13); // as high as fingers need on a phone

// elevationOf draws a rack: units from the bottom, boxes by kind, cells of a chassis beside each other.
function elevationOf(m, rack, mark) {
  const units = Math.max(1, m.racks.units[rack] || 1), wide = 250, left = 24, high = unitHeight();
  const height = units * high;
  const y = (unit, tall) => height - (unit - 1 + tall) * high + 1;
  const shapes = [svg("rect", { class: "frame", x: left, y: 1, width: wide, height })];
  for (let u = 1; u <= units; u++) {
    if (u % 2 === 1 || units < 12) shapes.push(svg("text", { class: "unit", x: left - 4, y: y(u, 0.5) + 3.5 }, String(u)));
    if (u > 1) shapes.push(svg("line", { class: "rule", x1: left, x2: left + wide, y1: y(u, 0), y2: y(u, 0) }));
  }
  const beside = [], cells = new Map();
  for (const v of m.boxesIn.of(rack)) {
    const k = m.kinds[m.kind[v]], unit = m.boxes.unit[v];
    if (unit === 0 || k.units === 0) {
      beside.push(v);
      continue;
    }
    if (m.boxes.cell[v] < 0) {
      shapes.push(boxShape(m, v, left, y(unit, k.units), wide, k.units * high, mark));
      continue;
    }
    const key = `${unit}/${k.chassis_units}`;
    if (!cells.has(key)) cells.set(key, []);
    cells.get(key).push(v);
  }
  for (const list of cells.values()) {
    const tall = Math.max(1, m.kinds[m.kind[list[0]]].chassis_units);
    const down = Math.max(1, Math.min(tall, Math.ceil(list.length / 8))), across = Math.ceil(list.length / down);
    list.forEach((v, i) => shapes.push(boxShape(m, v, left + (i % across) * wide / across,
      y(m.boxes.unit[v], tall) + Math.floor(i / across) * tall * high / down, wide / across,
      tall * high / down, mark)));
  }
  const name = m.racks.names[rack];
  const list = [...m.boxesIn.of(rack)].map((v) => m.boxes.names[v]).join(", ");
  return el("figure", { class: "elevation", tabindex: "0" },
    svg("svg", { viewBox: `0 0 ${left + wide + 2} ${height + 2}`, role: "img", "aria-label": `Rack ${name} from its front: ${list}` },
      svg("title", {}, `Rack ${name}, ${units} units`), shapes),
    beside.length ? el("figcaption", {}, `Beside the units: ${beside.map((v) => m.boxes.names[v]).join(", ")}`) : null);
}

function boxShape(m, v, x, y, wide, tall, mark) {
  const k = m.kinds[m.kind[v]], name = m.boxes.names[v];
  const shown = name.length * 6 <= wide - 6 && tall >= 10;
  const used = mark && mark.has(v);
  const rear = m.boxes.rear[v] ? ", front at the rear" : "";
  const part = k.part.length * 5 <= wide - name.length * 6 - 24 && shown;
  return svg("g", { class: `box ${k.role}${used ? " marked" : ""}${rear ? " rear" : ""}`, "data-box": v },
    svg("title", {}, `${name}: ${k.part}, unit ${m.boxes.unit[v]}${rear}`),
    svg("rect", { x: x + 0.5, y: y + 0.5, width: Math.max(1, wide - 1), height: tall - 1 }),
    shown ? svg("text", { x: x + 5, y: y + tall / 2 + 3.5 }, name) : null,
    part ? svg("text", { class: "part", x: x + wide - 5, y: y + tall / 2 + 3.5 }, k.part) : null);
}
