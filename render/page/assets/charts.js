// Charts, drawn as SVG; narrower on a phone, whose letters would be too small else.
const chartClass = () => (isPhone() ? "chart narrow" : "chart");

// barChart shows values as bars that begin on one line: rows are {name, value, label, colour}.
function barChart({ title, rows, note }) {
  const longest = isPhone() ? 20 : 34, letter = 6.7, all = isPhone() ? 336 : 508; // letters of a name; the width of a letter and of the chart
  const half = longest / 2, cut = (s) => (s.length > longest ? `${s.slice(0, half - 1)}…${s.slice(-half)}` : s); // the length of a cable stands last
  const lettersOf = (texts) => Math.max(...texts.map((t) => t.length), 1);
  const most = Math.max(...rows.map((r) => r.value), 1e-9), rowTall = 20;
  const left = 12 + letter * lettersOf(rows.map((r) => cut(r.name))), right = 12 + letter * lettersOf(rows.map((r) => r.label));
  const wide = Math.max(60, all - left - right);
  return figure(title, note, svg("svg", {
    viewBox: `0 0 ${left + wide + right} ${rows.length * rowTall + 4}`, role: "img", class: chartClass(),
    "aria-label": `${title}: ` + rows.map((r) => `${r.name} ${r.label}`).join(", "),
  }, rows.map((r, i) => [
    svg("text", { x: left - 6, y: i * rowTall + 15, class: "end" }, cut(r.name), svg("title", {}, r.name)),
    svg("rect", { x: left, y: i * rowTall + 4, width: Math.max(0.5, r.value / most * wide), height: rowTall - 6,
      fill: r.colour || palette[0] }, svg("title", {}, `${r.name}: ${r.label}`)),
    svg("text", { x: left + r.value / most * wide + 5, y: i * rowTall + 15, class: "value" }, r.label),
  ])));
}

// columnChart shows counts in bins, stacked by series: {name, colour, values}. The edges of bin i are at(i) and at(i + 1);
// what is the name of the figure below the axis.
function columnChart({ title, series, bins, at, what, unit, count, note }) {
  const wide = isPhone() ? 326 : 480, tall = 170, bottom = 34, top = 8;
  const sums = Array.from({ length: bins }, (_, i) => series.reduce((s, x) => s + (x.values[i] || 0), 0));
  const most = niceAbove(Math.max(...sums, 1)), left = 28 + 6.3 * whole.format(most).length, w = (wide - left - 4) / Math.max(1, bins);
  const y = (v) => top + (tall - top) * (1 - v / most);
  const shapes = [];
  for (let k = 0; k <= 4; k++) {
    const v = most * k / 4;
    if (most < 4 && v % 1) continue;
    shapes.push(svg("line", { class: "grid", x1: left, x2: wide, y1: y(v), y2: y(v) }),
      svg("text", { class: "end", x: left - 5, y: y(v) + 4 }, whole.format(v)));
  }
  for (let i = 0; i < bins; i++) {
    let base = 0;
    for (const s of series) {
      const v = s.values[i] || 0;
      if (!v) continue;
      shapes.push(svg("rect", { x: left + i * w + 0.5, width: Math.max(0.7, w - 1), y: y(base + v), height: y(base) - y(base + v),
        fill: s.colour }, svg("title", {}, `${at(i)} to ${at(i + 1)} ${unit}, ${s.name}: ${whole.format(v)} ${count}`)));
      base += v;
    }
  }
  const end = at(bins), x = (v) => left + v / end * bins * w, step = roundStep(end / (isPhone() ? 5 : 8));
  for (let k = 0; k * step <= end * (1 + 1e-9); k++) {
    shapes.push(svg("line", { class: "grid", x1: x(k * step), x2: x(k * step), y1: tall, y2: tall + 4 }),
      svg("text", { class: "mid", x: x(k * step), y: tall + 14 }, short.format(k * step)));
  }
  shapes.push(svg("text", { class: "mid muted", x: (left + wide) / 2, y: tall + 30 }, `${what} (${unit})`),
    svg("text", { class: "mid muted", x: 0, y: 0, transform: `translate(13 ${(top + tall) / 2}) rotate(-90)` }, count));
  return figure(title, note, svg("svg", { viewBox: `0 0 ${wide + 10} ${tall + bottom}`, role: "img", class: chartClass(),
    "aria-label": `${title}, ${count} by ${unit}: ` + sums.map((v, i) => `${at(i)}: ${v}`).join(", ") }, shapes),
  series.length > 1 ? el("ul", { class: "legend across" }, series.map((s) => el("li", {}, swatch(s.colour), s.name))) : null);
}

const figure = (title, note, ...inside) => el("figure", { class: "chartbox", tabindex: "0" }, el("figcaption", {}, title), ...inside,
  note ? el("p", { class: "hint" }, note) : null);

// roundStep is the least of 1, 2 and 5 times a power of ten that is no less.
function roundStep(v) {
  const power = 10 ** Math.floor(Math.log10(v));
  return [1, 2, 5, 10].map((f) => f * power).find((f) => f >= v * (1 - 1e-9));
}

// niceAbove is the least round number that is no less, four parts of which are round too.
function niceAbove(v) {
  if (v >= 1 && v <= 40 && Number.isInteger(v)) return Math.ceil(v / 4) * 4;
  const power = 10 ** Math.floor(Math.log10(v));
  for (const f of [1, 1.2, 1.6, 2, 2.4, 2.8, 3.2, 4, 4.8, 6, 8, 10]) if (f * power >= v) return f * power;
  return 10 * power;
}

// planCharts are the charts of a plan.
function planCharts(m) {
  const out = [costChart(m), lengthChart(m), productChart(m), powerChart(m), delayChart(m)];
  return out.filter(Boolean);
}

// costKinds are the kinds of a cost, with what they are called.
const costKinds = [["nodes", "nodes"], ["services", "service boxes"], ["switches", "switches"], ["adapters", "adapters"],
  ["cables", "cables"], ["optics", "optics"], ["panels", "panels"], ["midplanes", "midplanes"],
  ["racks", "racks, chassis and trays"], ["hoses", "hoses"], ["labour", "labour"], ["freight", "freight"], ["contingency", "contingency"]];

// costShares lists the kinds of a cost that cost anything with their shares of the total, the largest first.
function costShares(c) {
  return costKinds.filter(([k]) => c[k] > 0).map(([k, name]) => [k, name, c[k] / (c.total || 1)]).sort((a, b) => b[2] - a[2]);
}

function costChart(m) {
  const c = m.plan.cost;
  const rows = costShares(c).map(([k, name, share]) => ({
    name, value: c[k], label: `${bigMoney(c[k])} (${percent(100 * share)})`, colour: kindColours[k],
  }));
  if (!rows.length) return null;
  return barChart({ title: `Cost by share, ${m.plan.currency}`, rows, note: m.omitted.sentences.join(" ") || null });
}

function lengthChart(m) {
  const all = (m.plan.lengths || []).filter((l) => l.cables > 0);
  if (!all.length) return null;
  // One width, the narrowest that holds whole bins of each medium; the bins of each are round.
  const widest = Math.max(...all.map((l) => l.bin_m)), holds = (w) => all.every((l) => Math.abs(w / l.bin_m - Math.round(w / l.bin_m)) < 1e-6);
  const width = widest * ([1, 2, 3, 4, 5, 10].find((k) => holds(widest * k)) || 1);
  const bins = Math.max(...all.map((l) => Math.ceil((l.bins || []).length * l.bin_m / width)));
  const series = all.map((l) => {
    const values = new Array(bins).fill(0);
    (l.bins || []).forEach((v, i) => { values[Math.floor(i * l.bin_m / width + 1e-6)] += v; });
    return { name: l.medium, colour: mediumColour(l.medium), values };
  });
  return columnChart({ title: "Lengths that cables need", series, bins, at: (i) => +(i * width).toFixed(3), what: "length needed",
    unit: "m", count: "cables" });
}

function productChart(m) {
  const rows = (m.plan.media || []).map((p) => ({ name: p.product, value: p.qty, label: whole.format(p.qty),
    colour: mediumColour(p.medium) })).sort((a, b) => b.value - a.value);
  if (!rows.length) return null;
  const most = 16, rest = rows.slice(most).reduce((s, r) => s + r.value, 0);
  const shown = rows.slice(0, most);
  if (rest) shown.push({ name: plural(rows.length - most, "other"), value: rest, label: whole.format(rest), colour: mediumColour("") });
  return barChart({ title: "Cables by product, pieces", rows: shown });
}

function powerChart(m) {
  const r = m.racks;
  if (!m.room) return null;
  const some = [];
  for (let i = 0; i < r.count; i++) if (r.boxes[i] > 0) some.push(i);
  if (!some.length || !some.some((i) => r.power_w[i] > 0)) return null;
  const limits = [...new Set(some.map((i) => r.limit_w[i]))];
  const notes = m.power_note ? [`All figures: ${m.power_note}.`] : [];
  if (limits.length === 1 && limits[0] > 0) notes.push(`Limit of a rack: ${watts(limits[0])}.`);
  const note = notes.join(" ") || null;
  if (some.length <= 24) {
    return barChart({ title: "Power by rack", note, rows: some.map((i) => ({
      name: r.names[i], value: r.power_w[i], label: watts(r.power_w[i]),
      colour: r.limit_w[i] && r.power_w[i] > r.limit_w[i] ? palette[1] : palette[0],
    })) });
  }
  const most = Math.max(...some.map((i) => r.power_w[i])) / 1e3;
  const width = roundStep(most / 20), bins = Math.floor(most / width) + 1;
  const values = new Array(bins).fill(0);
  for (const i of some) values[Math.min(bins - 1, Math.floor(r.power_w[i] / 1e3 / width))]++;
  return columnChart({ title: "Power by rack", note, bins, at: (i) => +(i * width).toFixed(3), what: "power", unit: "kW", count: "racks",
    series: [{ name: "racks", colour: palette[0], values }] });
}

function delayChart(m) {
  const all = m.plan.delay ? [["paths", m.plan.delay]] : (m.plan.fabrics || []).filter((f) => f.delay).map((f) => [f.name, f.delay]);
  const rows = all.map(([name, d], i) => ({ name, value: d.delay_mean_ns,
    label: `${whole.format(d.delay_mean_ns)} ns, at most ${whole.format(d.delay_max_ns)}`, colour: palette[i % palette.length] }));
  if (all.length === 1) {
    const h = all[0][1].histogram;
    if (h && h.pairs && h.pairs.length) {
      return columnChart({ title: "Delay of paths between nodes", bins: h.pairs.length, at: (i) => +(i * h.bin_ns).toFixed(1),
        what: "delay", unit: "ns", count: "pairs", series: [{ name: "pairs of nodes", colour: palette[0], values: h.pairs }] });
    }
  }
  return rows.length ? barChart({ title: "Mean delay between boxes, by fabric", rows }) : null;
}
