// Machines side by side: a chart of any two figures, and tables in which what is clicked is marked.

const all = JSON.parse(document.getElementById("plenum-alternatives").textContent);
takeColours(all.colours);
let selected = -1, x = all.x, y = all.y;
const host = document.getElementById("alternatives");
const hint = el("span", { class: "count" });
const chartHost = el("div", { class: "frontbox" });

// front lists the points that no other is better than in both figures, or as good in one and better in the other.
function front(points) {
  const order = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const out = [];
  let least = Infinity;
  for (const p of order) {
    if (p.y < least) {
      out.push(p);
      least = p.y;
    }
  }
  return out;
}

// ticks are round numbers from a range, about five.
function ticks(from, to) {
  const rough = (to - from) / 5 || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((f) => f * power).find((s) => s >= rough);
  const out = [];
  for (let v = Math.ceil(from / step) * step; v <= to + step * 1e-9; v += step) out.push(v);
  return out;
}

const named = (f) => (f.unit ? `${f.name}, ${f.unit}` : f.name);

function drawChart() {
  const fx = all.figures[x], fy = all.figures[y];
  const points = all.names.map((name, i) => ({ name, i, x: fx.values[i], y: fy.values[i] })).filter((p) => p.x !== null && p.y !== null);
  if (!points.length) return replace(chartHost, el("p", { class: "hint" }, "No machine has both figures."));
  const range = (values) => {
    const a = Math.min(...values), b = Math.max(...values), pad = (b - a || Math.abs(b) || 1) * 0.07;
    return [a >= 0 ? Math.max(0, a - pad) : a - pad, b + pad];
  };
  const [x0, x1] = range(points.map((p) => p.x)), [y0, y1] = range(points.map((p) => p.y));
  const w = Math.max(320, Math.min(760, window.innerWidth - 60)), h = 380, left = 84, bottom = 44, top = 10, right = 14;
  const sx = (v) => left + (v - x0) / (x1 - x0) * (w - left - right), sy = (v) => h - bottom - (v - y0) / (y1 - y0) * (h - bottom - top);
  const shapes = [];
  for (const v of ticks(x0, x1)) {
    shapes.push(svg("line", { class: "grid", x1: sx(v), x2: sx(v), y1: top, y2: h - bottom }),
      svg("text", { class: "mid", x: sx(v), y: h - bottom + 15 }, short.format(v)));
  }
  for (const v of ticks(y0, y1)) {
    shapes.push(svg("line", { class: "grid", x1: left, x2: w - right, y1: sy(v), y2: sy(v) }),
      svg("text", { class: "end", x: left - 6, y: sy(v) + 4 }, short.format(v)));
  }
  shapes.push(svg("text", { class: "mid muted", x: (left + w) / 2, y: h - 8 }, named(fx)),
    svg("text", { class: "mid muted", x: 0, y: 0, transform: `translate(13 ${(h - bottom) / 2}) rotate(-90)` }, named(fy)));
  const lower = fx.lower_is_better && fy.lower_is_better, best = lower ? front(points) : [], steps = [];
  hint.textContent = (lower ? "The line connects the Pareto front (lower is better on both axes). " : "") + "Click a point, or a machine below.";
  best.forEach((p, k) => steps.push(k ? `H${sx(p.x)}V${sy(p.y)}` : `M${sx(p.x)} ${sy(p.y)}`));
  if (best.length) shapes.push(svg("path", { class: "front", d: steps.join("") }));
  const said = (p) => `${p.name}: ${named(fx)} ${short.format(p.x)}, ${named(fy)} ${short.format(p.y)}`;
  for (const p of points) {
    shapes.push(svg("circle", { class: "point" + (best.includes(p) ? " best" : "") + (p.i === selected ? " chosen" : ""), cx: sx(p.x), cy: sy(p.y),
      r: p.i === selected ? 8 : 5.5, tabindex: 0, role: "button", "aria-label": said(p), "data-point": p.i,
      onclick: () => pick(p.i, true), onkeydown: (e) => { if (e.key === "Enter" || e.key === " ") { pick(p.i, true); e.preventDefault(); } } },
    svg("title", {}, said(p))));
  }
  const taken = []; // names that would stand on others are left to their tips
  const named1 = points.filter((p) => p.i === selected || points.length <= 12).sort((a, b) => (b.i === selected) - (a.i === selected));
  for (const p of named1) {
    const far = sx(p.x) > w * 0.7, most = Math.floor((far ? sx(p.x) - left - 10 : w - right - sx(p.x) - 10) / 6.2);
    const name = p.name.length > most ? `${p.name.slice(0, most - 1)}…` : p.name, long = name.length * 6.2;
    const x = sx(p.x) + (far ? -10 : 10), y = sy(p.y) - 7 < top + 8 ? sy(p.y) + 15 : sy(p.y) - 7;
    const [from, to] = far ? [x - long, x] : [x, x + long];
    if (taken.some((t) => from < t.to && to > t.from && Math.abs(y - t.y) < 11)) continue;
    taken.push({ from, to, y });
    shapes.push(svg("text", { class: far ? "end label" : "label", x, y }, name));
  }
  replace(chartHost, svg("svg", { viewBox: `0 0 ${w} ${h}`, class: "chart front", role: "group",
    "aria-label": `${named(fy)} over ${named(fx)} of ${all.names.length} machines` }, shapes));
}

// pick marks a machine wherever it is.
function pick(i, scroll) {
  selected = selected === i && !scroll ? -1 : i;
  drawChart();
  let first = null;
  for (const e of document.querySelectorAll("[data-of]")) {
    const on = +e.dataset.of === selected;
    e.classList.toggle("chosen", on);
    first ||= on ? e : null;
  }
  if (scroll && first) first.scrollIntoView({ block: "nearest", inline: "center" });
}

const select = (title, value, change) => el("label", { class: "field" }, title, el("select", { onchange: (e) => { change(+e.target.value); drawChart(); } },
  all.figures.map((f, i) => el("option", { value: i, selected: i === value }, named(f)))));

if (all.figures.length > 1) {
  host.append(el("div", { class: "tools" }, select("across", x, (v) => { x = v; }), select("upwards", y, (v) => { y = v; }),
    hint),
  chartHost);
  drawChart();
}
(all.tables || []).forEach((t, n) => {
  const isNumber = (c) => t.rows.some((r) => typeof r[c] === "number");
  const rows = t.rows.map((cells, i) => ({ cells, i }));
  host.append(el("h2", {}, t.title), sortTable({ caption: t.title, search: `Search: ${t.title}`, rows, of: n === 0 ? (r) => r.i : null,
    columns: t.columns.map((name, c) => ({ name, number: isNumber(c), get: (r) => r.cells[c],
      text: (r) => (r.cells[c] === null ? "-" : typeof r.cells[c] === "number" ? short.format(r.cells[c]) : String(r.cells[c])) })),
    pick: n === 0 ? (r) => pick(r.i) : null }));
  for (const note of t.notes || []) host.append(el("p", { class: "hint" }, note));
});
for (const e of document.querySelectorAll("th[data-of]")) e.addEventListener("click", () => pick(+e.dataset.of));
