// The editor beside the page of a plan: text, mistakes, sliders, and what changes against the saved file.
(() => {
"use strict";
const served = window.plenumServed, opened = location.hash;
const pause = 500; // milliseconds without typing after which a text is planned
const me = Math.random().toString(36).slice(2);

function make(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children.flat().filter((c) => c !== null && c !== undefined));
  return e;
}

let asked = 0; // requests, which may overtake each other on their way to the server

// ask sends a text or a form to the server; what is refused becomes an error with the server's words.
async function ask(path, text, headers = {}, signal = undefined) {
  let r;
  try {
    const type = typeof text === "string" ? { "Content-Type": "text/plain; charset=utf-8" } : {}; // a form states its own
    r = await fetch(path, { method: "POST", body: text, signal,
      headers: { ...type, "Plenum-Token": served.token, "Plenum-Page": me, "Plenum-Order": asked++, ...headers } });
  } catch (err) {
    if (err.name === "AbortError") throw err;
    throw new Error("plenum serve does not answer: it may have been ended");
  }
  const out = await r.json();
  if (!r.ok) throw Object.assign(new Error(out.error), { messages: out.messages, status: r.status });
  return out;
}

// read asks the server for a document.
async function read(path) {
  const r = await fetch(path, { headers: { "Plenum-Token": served.token } }).catch(() => { throw new Error("plenum serve does not answer: it may have been ended"); });
  const out = await r.json();
  if (!r.ok) throw new Error(out.error);
  return out;
}

const first = JSON.parse(document.getElementById("plenum-data").textContent);
const state = {
  text: served.text, base: served.base, // the text as it was last saved, and the server's name for it
  before: first && first.plan, now: first && first.plan, // the plans of the saved text and of the newest one that has one
  planned: served.text, messages: served.messages, wrong: false, job: null, timer: 0, shown: Promise.resolve(),
  variant: "", others: new Map(), // the variant that is open, empty for the machine file, and what was left of others
};

const area = make("textarea", { spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
  "aria-label": "Machine file", "aria-describedby": "plenum-status" });
area.value = served.text;
state.text = state.planned = area.value; // with line feeds only, as browsers keep them
const gutter = make("div", { class: "gutter", "aria-hidden": "true" });
const marks = make("div", { class: "linemarks", "aria-hidden": "true" });
const status = make("p", { class: "served", id: "plenum-status", role: "status" });
const notice = make("p", { class: "notice", role: "alert", hidden: true });
const list = make("ul", { class: "mistakes", "aria-label": "Mistakes" });
const undoButton = make("button", { type: "button", class: "undo", "aria-label": "undo", onclick: () => step(-1) }, "\u21b6");
const redoButton = make("button", { type: "button", class: "redo", "aria-label": "redo", onclick: () => step(1) }, "\u21b7");
const violations = make("ul", { class: "mistakes violations", "aria-label": "Violations of design rules" });
const planButton = make("button", { type: "button", title: "Ctrl+Enter", onclick: () => plan() }, "Plan");
const saveButton = make("button", { type: "button", class: "save", title: served.savable ? "Ctrl+S" : "an example has no file", onclick: () => save() }, "Save");
const title = make("h2", { title: served.name }, served.name);
const changes = make("div", { class: "changes" });
const sliders = make("div", { class: "sliders" });
const text = make("div", { class: "text" }, gutter, make("div", { class: "lines" }, marks, area));
const buildPanel = make("div", { class: "build", role: "tabpanel", "aria-label": "Build" });
const partsPanel = make("div", { class: "parts", role: "tabpanel", "aria-label": "Parts" });
const variantsPanel = make("div", { class: "build variants", role: "tabpanel", "aria-label": "Variants" });
const tabs = make("div", { class: "edittabs", role: "tablist", "aria-label": "Ways to edit" }, [["text", "Text"], ["build", "Build"], ["parts", "Parts"], ["variants", "Variants"]].map(([key, name]) =>
  make("button", { type: "button", role: "tab", "data-tab": key, onclick: () => openTab(onPhone() && editor.dataset.tab === key ? "" : key) }, name)));
const delta = make("p", { class: "delta", role: "status", "aria-label": "Changes since the last save" });
const hide = make("button", { type: "button", class: "fold", title: "hide the editor", "aria-label": "hide the editor", onclick: () => fold(true) }, "\u2039");
const unfold = make("button", { type: "button", class: "unfold", title: "show the editor", "aria-label": "show the editor", hidden: true, onclick: () => fold(false) }, "\u203a");
const onPhone = () => matchMedia("(max-width: 800px), (max-height: 500px)").matches; // where the floor is below the editor
const editor = make("aside", { class: "editor", "aria-label": "Editor" },
  make("div", { class: "editbar" }, title, undoButton, redoButton, planButton, saveButton, hide), tabs, status, notice, list, violations, text, buildPanel, partsPanel, variantsPanel,
  make("details", { open: !onPhone(), class: "slidersbox" }, make("summary", {}, "Sliders"), sliders),
  make("details", { open: !onPhone(), class: "comparison" }, make("summary", {}, "Against the saved file"), changes));
const main = make("div", { class: "servedmain" }, delta); // its main is that of the page
document.body.prepend(editor, unfold, main);
main.append(document.getElementById("app"));
document.body.classList.add("served");

// openTab shows one way to edit: the text, the controls of the machine, the parts or the variants; "" for none, so that
// the floor is in sight on a phone.
function openTab(key) {
  editor.dataset.tab = key;
  for (const b of tabs.children) {
    b.setAttribute("aria-selected", String(b.dataset.tab === key));
    b.tabIndex = b.dataset.tab === (key || "text") ? 0 : -1;
  }
  text.hidden = key !== "text";
  buildPanel.hidden = key !== "build";
  partsPanel.hidden = key !== "parts";
  variantsPanel.hidden = key !== "variants";
  if (key === "build" && !state.built) editor.querySelector(".slidersbox").open = false; // once, for the room that the forms need
  state.built ||= key === "build";
  if (key === "build") build.update();
  if (key === "parts") parts.update();
  if (key === "variants") variants.update();
}
tabs.addEventListener("keydown", (e) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key], all = [...tabs.children];
  if (!by) return;
  const next = all[(all.findIndex((b) => b.dataset.tab === editor.dataset.tab) + by + all.length) % all.length];
  openTab(next.dataset.tab);
  next.focus();
});

// The texts so far, each with the act that made it.
let history = { all: [{ text: "", act: "" }], at: 0, typing: 0 };
const mostHistory = 300, mostKept = 1 << 26; // texts; characters of all of them

// record keeps the text as the newest one; what was undone is gone. Typing, or moving a slider, without a pause is one act.
function record(act) {
  const now = performance.now(), typed = act === "typing" || turning !== null, h = history;
  if (h.all[h.at].text === area.value) return;
  if (typed && h.at > 0 && h.all[h.at].act === act && now - h.typing < 1500) h.all[h.at].text = area.value;
  else {
    h.all.splice(++h.at);
    h.all.push({ text: area.value, act });
    while (h.all.length > mostHistory || (h.all.length > 2 && h.all.length * area.value.length > mostKept)) {
      h.all.shift();
      h.at--;
    }
  }
  h.typing = typed ? now : 0;
  buttons();
}

// step undoes or redoes an act, and plans the text that it leads to.
async function step(by) {
  const h = history, act = h.all[by < 0 ? h.at : h.at + 1];
  if (h.at + by < 0 || h.at + by >= h.all.length) return;
  h.at += by;
  h.typing = 0;
  put(h.all[h.at].text, null);
  await plan();
  const bad = status.classList.contains("bad");
  if (!state.job) say(`${by < 0 ? "Undone" : "Done again"}: ${act.act}. ${status.textContent}`, bad ? "bad" : "good");
}

// act changes values of the text, plans it, and says what was done; false where it was refused. Acts follow each other,
// and none waits for the plan of the one before: a function in place of a name gives name and changes when its turn
// comes, from the values that the text has then, or nothing to do.
let acts = Promise.resolve();
async function act(name, changes) {
  const turn = acts.then(() => (typeof name === "function" ? name() : [name, changes])).then((one) => one && change(...one));
  acts = turn.catch(() => {});
  const what = await turn;
  if (!what) return false;
  await plan();
  if (!state.job) done(what);
  return true;
}

// change has values of the text be others; it returns what was done, empty where it was refused.
async function change(name, changes) {
  const before = area.value;
  say(`${name} ...`);
  try {
    const q = new URLSearchParams();
    for (const [path, value] of changes) {
      q.append("path", path);
      q.append("value", value);
    }
    const out = await ask(`/api/edit?${q}`, before);
    if (area.value !== before) throw new Error("the text was changed meanwhile");
    put(out.text, name);
    await build.update(); // which the next act goes by
    return name;
  } catch (err) {
    say(`Not changed: ${err.message}`, "bad");
    return "";
  }
}

// done says what an act has done to the text, after its plan, and how it is taken back.
function done(name) {
  const bad = status.classList.contains("bad");
  say(`${name}. ${status.textContent.replace(/\.$/, "")}. ${matchMedia("(pointer: coarse)").matches ? "Undo" : "Ctrl+Z"} takes it back.`, bad ? "bad" : "good");
}

function fold(away) {
  editor.hidden = away;
  unfold.hidden = !away;
  (away ? unfold : hide).focus();
}

const dirty = () => area.value !== state.text;

// say shows what has become of the text.
function say(words, tone = "") {
  status.textContent = words;
  status.className = `served ${tone}`;
}

function buttons() {
  const file = state.variant ? served.name.replace(/(\.[^.]*)?$/, `.${state.variant}$1`) : served.name;
  title.textContent = (dirty() ? "\u25cf " : "") + file;
  title.title = dirty() ? `${file}: changed since it was saved` : file;
  saveButton.disabled = !served.savable || !dirty();
  const h = history, next = h.all[h.at + 1];
  undoButton.disabled = h.at === 0;
  redoButton.disabled = !next;
  undoButton.title = h.at > 0 ? `undo: ${h.all[h.at].act} (Ctrl+Z)` : "nothing to undo";
  redoButton.title = next ? `redo: ${next.act} (Ctrl+Y)` : "nothing to redo";
}

// lines draws the numbers of lines, with a mark where a mistake is.
function lines() {
  const count = area.value.split("\n").length, at = new Map();
  for (const m of state.messages) if (m.line && !m.file && !at.has(m.line)) at.set(m.line, m);
  const numbers = [], bands = [];
  for (let i = 1; i <= count; i++) {
    const m = at.get(i);
    numbers.push(make("div", m ? { class: m.severity, title: m.message } : {}, String(i)));
    bands.push(make("div", m ? { class: m.severity } : {}, "\u200b"));
  }
  gutter.replaceChildren(...numbers);
  marks.replaceChildren(...bands);
  follow();
}

function follow() {
  gutter.style.transform = marks.style.transform = `translateY(${-area.scrollTop}px)`;
}

function mistakes() {
  list.replaceChildren(...state.messages.map((m) => {
    const where = m.line ? `${m.file ? `${m.file}:` : ""}${m.line}:${m.column} ` : m.file ? `${m.file} ` : "";
    return make("li", { class: m.severity }, make("button", { type: "button", disabled: !m.line || !!m.file, onclick: () => { openTab("text"); go(m); } },
      make("b", {}, where), `${m.path ? `${m.path}: ` : ""}${m.message}`, m.suggestion ? make("small", {}, m.suggestion) : null));
  }));
  list.hidden = state.messages.length === 0;
  lines();
}

// The keys of a machine file that a violation of a rule is mended by, the first that the text has is shown.
const keysOfRule = { reach: ["media", "cabling"], ports: ["packaging", "boxes"], optics: ["media", "packaging", "boxes"], "insertion-loss": ["panels", "media"], breakout: ["breakout", "packaging"],
  "bend-radius": ["trays", "room"], "cross-hall-copper": ["media", "halls"], "tray-fill": ["trays", "room"], "gap-fill": ["fill", "gap", "containers"], "tray-separation": ["separation", "trays"],
  redundancy: ["trays", "rails"], labels: ["names"], "rack-units": ["per_rack", "rack"], "rack-power": ["per_rack", "rack"], "rack-busbar": ["per_rack", "rack"], "rack-weight": ["per_rack", "rack"],
  "row-power": ["row_power", "feeds"], outlets: ["feeds", "boxes"], breaker: ["breaker", "feeds"], "feed-loss": ["feeds"], cooling: ["loops", "row_air", "racks"], "row-weight": ["row_weight", "room"], "floor-load": ["floor_load", "room"], aisle: ["aisle_clear", "columns", "keep_outs", "room"],
  polarity: ["panels", "media"], price: ["prices"] };
const mostViolations = 40; // that are listed

// lineOfRule is the line of the key that mends a rule, 0 where the text has none.
function lineOfRule(rule) {
  const all = area.value.split("\n");
  for (const key of keysOfRule[rule] || []) {
    const at = all.findIndex((l) => new RegExp(`(^|[\\s{,])${key}:`).test(l.replace(/(^|\s)#.*$/, "")));
    if (at >= 0) return at + 1;
  }
  return 0;
}

// findPlace shows the rack, box or cable that a violation names on the floor; it reports whether it knows one.
function findPlace(where) {
  const p = window.plenum.state, m = p.model;
  for (const word of [where, ...where.split(/[\s,]+/), ...where.split(/[\s,-]+/)]) {
    let rack = m.racks.names.indexOf(word);
    const box = rack < 0 && m.boxes ? m.boxes.names.indexOf(word) : -1;
    if (box >= 0) rack = m.boxes.rack[box];
    const row = rack < 0 && m.room && /^row /.test(where) ? m.room.rows.find((r) => r.name === word) : null;
    if (row) rack = m.racks.names.findIndex((_, i) => m.racks.boxes[i] > 0 && m.racks.y_m[i] > row.bound_m[1] && m.racks.y_m[i] < row.bound_m[3]);
    if (rack >= 0) { p.go.rack(rack); return true; }
    if (m.cables && /\d/.test(word)) {
      const cable = p.cableNamed(word);
      if (cable >= 0) { p.go.cable(cable); return true; }
    }
  }
  return false;
}

// listViolations lists the violations of design rules, each with the place on the floor and the line in the text.
function listViolations() {
  const found = state.now ? state.now.violations.filter((v) => !v.suppressed) : [];
  violations.replaceChildren(...found.slice(0, mostViolations).map((v) => {
    const line = lineOfRule(v.rule);
    return make("li", { class: v.severity }, make("button", { type: "button", title: "show it on the floor", onclick: () => { if (!findPlace(v.where)) say(`${v.where || v.rule}: see Rules`); } },
      make("b", {}, `${v.rule} `), `${v.where}${v.where ? ": " : ""}${v.message}`),
    line ? make("button", { type: "button", class: "toline", title: "show the line that decides it", onclick: () => { openTab("text"); go({ line, column: 1, length: 1000 }); } }, `line ${line}`) : null);
  }), ...(found.length > mostViolations ? [make("li", {}, make("small", {}, `and ${found.length - mostViolations} more: see Rules`))] : []));
  violations.hidden = found.length === 0;
}

// go puts the cursor where a mistake is.
function go(m) {
  const all = area.value.split("\n");
  let from = 0;
  for (let i = 0; i < m.line - 1 && i < all.length; i++) from += all[i].length + 1;
  const line = [...(all[m.line - 1] || "")]; // columns count characters, positions in a text area UTF-16 units
  const start = from + line.slice(0, m.column - 1).join("").length;
  const length = line.slice(m.column - 1, m.column - 1 + Math.max(1, m.length)).join("").length;
  area.focus();
  area.setSelectionRange(start, start + length);
  const wide = columnWidth(); // lines may be long: the beginning has to be in sight, and the end as far as it can be
  area.scrollLeft = Math.max(0, Math.min(wide * (m.column - 5), wide * (m.column + length + 4) - area.clientWidth));
  area.scrollTop = Math.max(0, (m.line - 4) * parseFloat(getComputedStyle(area).lineHeight));
  follow();
}

// plan plans the text as it is; an older plan under way is ended.
async function plan() {
  clearTimeout(state.timer);
  if (state.job) state.job.abort();
  const job = state.job = new AbortController(), source = area.value, start = performance.now();
  age("planning the text");
  say("Planning ...");
  try {
    const out = await ask("/api/plan", source, {}, job.signal);
    if (state.job !== job) return;
    state.messages = out.messages;
    mistakes();
    if (!out.data) {
      build.update();
      say(`${state.messages.length === 1 ? "A mistake" : `${state.messages.length} mistakes`}: the page shows the plan before`, "bad");
      return;
    }
    state.now = out.data.plan;
    state.planned = source;
    await show(out.data);
    state.cables = cablesOf(window.plenum.state.model);
    if (source === state.text) Object.assign(state, { before: state.now, cablesBefore: state.cables });
    compare();
    tune();
    build.update();
    variants.update();
    if (state.job === job) say(`Planned in ${Math.round(out.took_ms)} ms, shown after ${Math.round(performance.now() - start)} ms`, "good");
  } catch (err) {
    if (err.name === "AbortError" || state.job !== job) return;
    say(`Not planned: ${err.message}`, "bad");
  } finally {
    if (state.job === job) state.job = null;
    age();
    document.body.dataset.planned = String(1 + Number(document.body.dataset.planned || 0));
  }
}

// show puts data into the page, which keeps what its reader has set.
function show(data) {
  state.shown = state.shown.catch(() => {}).then(() => window.plenum.show(data));
  return state.shown;
}

async function save() {
  if (!served.savable) return;
  clearTimeout(state.timer); // a plan would say something else of the text than whether it is saved
  const source = area.value;
  state.saving = true;
  try {
    const out = await ask(`/api/save?${new URLSearchParams({ variant: state.variant })}`, source, { "Plenum-Base": state.base });
    state.base = out.base;
    state.text = source;
    state.saved = state.planned === source ? changesInWords() : "";
    if (state.planned === source) Object.assign(state, { before: state.now, cablesBefore: state.cables });
    else if (!state.job) plan();
    compare();
    buttons();
    say("Saved", "good");
  } catch (err) {
    if (err.messages && err.messages.length) {
      state.messages = err.messages;
      mistakes();
    }
    say(`Not saved: ${err.message}`, "bad");
  } finally {
    state.saving = false;
    lookAtDisk();
  }
}

const group = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const tenth = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

// figures are what is compared: a name, a unit, and the number in a plan.
function figures(p) {
  const delay = p.delay ? [["delay", p.delay]] : (p.fabrics || []).filter((f) => f.delay).map((f) => [`delay of ${f.name}`, f.delay]);
  return [["nodes and switches", "", p.nodes + p.switches, group], ["racks", "", p.racks, group], ["cables", "", p.cables, group],
    ["cable", "m", p.length_m.total, group], ["longest", "m", p.length_m.max, tenth], ["cost", p.currency, p.cost.total, group],
    ["power", "kW", p.power_w / 1e3, tenth], ...delay.map(([name, d]) => [name, "ns", d.delay_mean_ns, tenth]),
    ["errors", "", violationsOf(p, "error"), group], ["warnings", "", violationsOf(p, "warning"), group]];
}

// violationsOf counts the violations of one severity that the machine file does not accept, as the page, the report and
// the terminal count them.
function violationsOf(p, severity) {
  return p.violations.reduce((n, v) => n + (v.severity === severity && !v.suppressed ? +(/^and (\d+) more$/.exec(v.message) || [0, 1])[1] : 0), 0);
}

// compare lists the figures of the saved file and of the text.
function compare() {
  if (!state.now) return changes.replaceChildren(make("p", { class: "hint" }, "There is no plan yet."));
  const before = new Map((state.before ? figures(state.before) : []).map((f) => [f[0], f[2]]));
  const rows = figures(state.now).map(([name, unit, value, format]) => {
    const was = before.get(name), by = was === undefined ? 0 : value - was, same = +format.format(Math.abs(by)).replaceAll(",", "") === 0;
    return make("tr", { class: was === undefined || same ? null : "changed" }, make("th", { scope: "row" }, name, unit ? make("small", {}, ` ${unit}`) : null),
      make("td", {}, was === undefined ? "\u2013" : format.format(was)), make("td", {}, format.format(value)),
      make("td", {}, was === undefined ? "" : same ? "=" : `${by > 0 ? "+" : "\u2212"}${format.format(Math.abs(by))}`));
  });
  tellDelta();
  listViolations();
  changes.replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ["figure", "saved", state.wrong ? "last good text" : "now", "difference"].map((h) => make("th", { scope: "col" }, h)))),
    make("tbody", {}, rows)));
}

// cablesOf are the cables of a plan by their two ends, with the number of each product there; null where the page does
// not have them.
function cablesOf(m) {
  if (!m.cables) return null;
  const c = m.cables, out = new Map();
  for (let i = 0; i < c.count; i++) {
    if (c.leg && c.leg.length && c.leg[i] > 1) continue;
    const ends = [m.boxes.names[c.a[i]], m.boxes.names[c.b[i]]].sort().join("\n"), product = c.product[i] < 0 ? "" : m.products[c.product[i]].name;
    if (!out.has(ends)) out.set(ends, new Map());
    const at = out.get(ends);
    at.set(product, (at.get(product) || 0) + 1);
  }
  return out;
}

// cableChanges counts the cables that are new, gone, and of another product or length between the same boxes.
function cableChanges(before, now) {
  let added = 0, gone = 0, other = 0;
  for (const ends of new Set([...before.keys(), ...now.keys()])) {
    const old = before.get(ends) || new Map(), next = now.get(ends) || new Map();
    let had = 0, has = 0, same = 0;
    for (const n of old.values()) had += n;
    for (const [product, n] of next) {
      has += n;
      same += Math.min(n, old.get(product) || 0);
    }
    added += Math.max(0, has - had);
    gone += Math.max(0, had - has);
    other += Math.min(had, has) - same;
  }
  return { added, gone, other };
}

// changesInWords says what the newest plan changes of that of the saved file; empty where nothing differs.
function changesInWords() {
  if (!state.now || !state.before) return "";
  const words = [], before = new Map(figures(state.before).map((f) => [f[0], f[2]]));
  if (state.cables && state.cablesBefore) {
    const { added, gone, other } = cableChanges(state.cablesBefore, state.cables);
    if (added || gone) words.push(`cables +${group.format(added)} \u2212${group.format(gone)}`);
    if (other) words.push(`${group.format(other)} of another product`);
  }
  for (const [name, unit, value, format] of figures(state.now)) {
    const by = value - (before.get(name) ?? value), size = format.format(Math.abs(by));
    if (+size.replaceAll(",", "") === 0 || (name === "cables" && words.length)) continue;
    words.push(`${name} ${by > 0 ? "+" : "\u2212"}${size}${unit ? ` ${unit}` : ""}`);
  }
  return words.join(", ");
}

// tellDelta writes the line above the page: what differs from the saved file, or what the last save changed.
function tellDelta() {
  const words = changesInWords();
  delta.title = words;
  delta.classList.toggle("old", state.wrong);
  if (state.wrong) delta.replaceChildren(make("b", {}, "Not of this text: "), "floor, figures, bill and cables are those of the last text without mistakes");
  else if (words || dirty()) delta.replaceChildren(make("b", {}, "Not saved: "), area.value !== state.planned ? "not planned yet" : words || "no figure differs");
  else if (state.saved) delta.replaceChildren(make("b", {}, "Saved: "), state.saved);
  else delta.replaceChildren(served.savable ? "As saved" : "The example as it is");
}

// age marks the picture as old, with the reason, while it is that of another text than the editor has.
function age(why = "") {
  const old = area.value !== state.planned, wrong = old && !why && state.messages.some((m) => m.severity === "error");
  const reason = !old ? "" : why || (wrong ? "the text has mistakes" : "the text has changed");
  if (reason) {
    document.body.dataset.old = wrong ? "mistakes" : "changed";
    main.dataset.old = `Old picture and figures: ${reason}`;
  } else {
    delete document.body.dataset.old;
    delete main.dataset.old;
  }
  if (state.wrong !== wrong) {
    state.wrong = wrong;
    compare();
  }
}

// knobs are the sliders of a machine: name, path in the file, value (null: no limit), least, most, step, unit.
function knobs(s) {
  const far = Math.max(10, Math.ceil(1.5 * state.now.length_m.max));
  const c = s.cabling || {}, slack = c.slack || {}, room = s.room || {}, out = [];
  const knob = (name, path, value, most, step, unit, least = 0) => out.push({ name, path, value, least, most, step, unit });
  knob("slack of a cable", "cabling.slack.fixed", slack.fixed ?? 0, 10, 0.1, "m");
  knob("slack within a rack", "cabling.slack.in_rack", slack.in_rack ?? 0, 3, 0.1, "m");
  knob("slack by length", "cabling.slack.percent", slack.percent ?? 0, 30, 1, "");
  if (!room.containers) {
    const t = room.trays || {};
    if (!t.levels && !t.paths) knob("tray height", "room.trays.height", t.height ?? 2.6, 5, 0.05, "m", 2);
    if (!room.rack_list) {
      knob("cold aisle", "room.cold_aisle", room.cold_aisle ?? 1.2, 4, 0.02, "m", 0.6);
      knob("hot aisle", "room.hot_aisle", room.hot_aisle ?? 0.9, 4, 0.02, "m", 0.6);
    }
  }
  (room.containers || []).forEach((box, i) => {
    const pitch = box.pitch || [], axes = pitch.length > 1 ? [", x", ", y", ", z"] : [""];
    pitch.forEach((p, a) => knob(`pitch in a ${box.name}${axes[a]}`, `room.containers.${i}.pitch${pitch.length > 1 ? `.${a}` : ""}`,
      p, Math.max(0.5, Math.ceil(4 * p)), p < 0.5 ? 0.005 : 0.05, "m", p < 0.5 ? 0.005 : 0.05));
  });
  const media = (rules, at, of) => (rules || []).forEach((r, i) => knob(`${of}${(r.use || []).join(", ")}`, `${at}.${i}.longest`,
    r.longest || null, far, 0.5, "m", 0.5));
  media(c.media, "cabling.media", "");
  (s.fabrics || []).forEach((f, i) => media(f.media, `fabrics.${i}.media`, `${f.name}: `));
  return out;
}

let turning = null; // the slider that is being moved, and the value it is to have

// tune makes the sliders, or brings them to the values of the newest plan.
function tune() {
  if (!state.now || !state.now.spec) return;
  if (turning) return;
  const list = knobs(state.now.spec), focused = document.activeElement && document.activeElement.dataset.path;
  const rows = list.map((k) => {
    const show = (v) => `${v.toFixed(k.step < 0.1 ? 2 : k.step < 1 ? 1 : 0)}${k.unit ? ` ${k.unit}` : k.path.endsWith("percent") ? " %" : ""}`;
    const value = make("output", {}, k.value === null ? "no limit" : show(k.value));
    const input = make("input", { type: "range", min: Math.min(k.least, k.value ?? k.least), max: Math.max(k.most, k.value ?? 0), step: k.step,
      "aria-label": k.name, "data-path": k.path, oninput: (e) => {
        value.textContent = show(+e.target.value);
        turn(k, +(+e.target.value).toFixed(3));
      } });
    input.value = k.value ?? k.most;
    return make("label", { title: `${k.name} (${k.path})` }, make("span", {}, k.name), input, value);
  });
  const limits = list.findIndex((k) => k.path.endsWith(".longest"));
  if (limits >= 0) rows.splice(limits, 0, make("h4", { title: "the longest cable that a media rule is for; links that need more go to the rules after it" }, "Media rules: no longer than"));
  sliders.replaceChildren(...rows);
  if (focused) {
    const again = sliders.querySelector(`[data-path="${focused}"]`);
    if (again) again.focus();
  }
}

// turn changes the text to the value of a slider and plans it; of values that come faster than plans, the newest counts.
async function turn(k, value) {
  if (turning) {
    Object.assign(turning, { k, value, more: true });
    return;
  }
  turning = { k, value, more: true };
  try {
    while (turning.more) {
      turning.more = false;
      const q = new URLSearchParams({ path: turning.k.path, value: turning.k.unit ? `${turning.value} ${turning.k.unit}` : String(turning.value) });
      const before = area.value;
      const out = await ask(`/api/edit?${q}`, before);
      if (area.value !== before) throw new Error("the text was changed while the slider moved");
      put(out.text, turning.k.name);
      await plan();
    }
  } catch (err) {
    say(`Not changed: ${err.message}`, "bad");
  } finally {
    turning = null;
    tune();
  }
}

// columnWidth is the width of a character of the text, in pixels.
function columnWidth() {
  const context = document.createElement("canvas").getContext("2d");
  context.font = getComputedStyle(area).font;
  return context.measureText("0").width;
}

// put makes the text another one; the part that changes is brought into sight. name is the act that is recorded, null
// for none.
function put(next, name) {
  const old = area.value;
  let from = 0, oldEnd = old.length, nextEnd = next.length;
  while (from < oldEnd && from < nextEnd && old[from] === next[from]) from++;
  while (oldEnd > from && nextEnd > from && old[oldEnd - 1] === next[nextEnd - 1]) { oldEnd--; nextEnd--; }
  area.setRangeText(next.slice(from, nextEnd), from, oldEnd, "start"); // a caret at the end of a long line would hide the others
  area.scrollLeft = 0;
  const line = area.value.slice(0, from).split("\n").length, high = parseFloat(getComputedStyle(area).lineHeight);
  if (line * high < area.scrollTop + high || line * high > area.scrollTop + area.clientHeight - high) area.scrollTop = Math.max(0, (line - 4) * high);
  if (name !== null) record(name);
  state.messages = []; // whose places may have moved
  mistakes();
  changed();
}

// take has a rack stand at another position, or a copy of it: the text says so, is planned, and the rack is selected
// where it stands. known is what was shown before it was dropped, if that is still true.
async function take(from, to, known, copy = false) {
  const before = area.value, done = copy ? "copied" : "moved";
  try {
    say(`${copy ? "Copying" : "Moving"} ${from} to ${to} ...`);
    if (known && known.error) throw new Error(known.error);
    const out = known && known.of === before ? known : await moved(from, to, undefined, copy);
    if (area.value !== before) throw new Error("the text was changed meanwhile");
    put(out.text, `${from} ${done} to ${to}`);
    await plan();
    const p = window.plenum.state, at = p.model.racks.names.indexOf(to);
    if (at >= 0 && p.model.racks.boxes[at] > 0) p.pickRack(at);
    if (!status.classList.contains("bad")) say(`${from} ${done} to ${to}: ${status.textContent}. Ctrl+Z takes it back.`, "good");
  } catch (err) {
    say(`Not ${done}: ${err.message}`, "bad");
  }
}

// stateRows writes the rows of the plan into the text as a list that gives the same plan.
async function stateRows() {
  const before = area.value;
  try {
    say("Stating the rows one by one ...");
    const out = await ask("/api/rows", before);
    if (out.error) throw new Error(out.error);
    if (area.value !== before) throw new Error("the text was changed meanwhile");
    put(out.text, "Rows stated one by one");
    await plan();
    done("Rows stated one by one");
  } catch (err) {
    say(`Not changed: ${err.message}`, "bad");
  }
}

// moved is the text in which a rack stands elsewhere, or a copy of it, and the plan of it.
async function moved(from, to, signal, copy = false) {
  const of = area.value;
  const out = await ask(`/api/${copy ? "copy" : "move"}?${new URLSearchParams({ from, to })}`, of, { "Plenum-Page": `${me} move` }, signal);
  if (out.error) throw new Error(out.error);
  return { of, ...out };
}

// copyBox has the text state one more box like a named one, at a unit of a rack where these are given, plans it and
// selects the rack. own is the rack of the box. It throws what is refused.
async function copyBox(box, rack, unit, own) {
  const before = area.value, had = state.now.nodes;
  const out = await ask(`/api/copybox?${new URLSearchParams({ from: box, to: rack, unit })}`, before, { "Plenum-Page": `${me} move` });
  if (out.error) throw new Error(out.error);
  if (area.value !== before) throw new Error("the text was changed meanwhile");
  put(out.text, `${box} copied`);
  await plan();
  const p = window.plenum.state, at = p.model.racks.names.indexOf(rack || own), more = state.now.nodes - had;
  if (at >= 0 && p.model.racks.boxes[at] > 0) p.pickRack(at);
  if (!status.classList.contains("bad")) say(`${box} copied: ${more === 1 ? "a box" : `${more} boxes`} more${more > 1 ? ", as every rack of the template has one" : ""}. Ctrl+Z takes it back.`, "good");
}

function changed() {
  buttons();
  lines();
  age();
  tellDelta();
  clearTimeout(state.drafting);
  state.drafting = setTimeout(keepDraft, 300);
}

// notify shows a notice of what happened to the file, with buttons for what to do; without words it goes away.
function notify(words, ...acts) {
  notice.hidden = !words;
  notice.replaceChildren(words, ...acts.map(([name, does]) => make("button", { type: "button", onclick: () => { notify(""); does(); } }, name)));
}

// A draft is what is not saved, kept by the browser, so that the end of a page or of the server does not lose it.
const draftKey = () => `plenum draft ${served.name} ${state.variant}`;
function keepDraft() {
  try {
    if (dirty()) localStorage.setItem(draftKey(), JSON.stringify({ text: area.value, at: new Date().toLocaleString() }));
    else localStorage.removeItem(draftKey());
  } catch { /* no room, or the browser keeps nothing: the page still asks before it closes */ }
}
function offerDraft() {
  let draft = null;
  try { draft = JSON.parse(localStorage.getItem(draftKey())); } catch { /* nothing is kept */ }
  if (!draft || draft.text === area.value) return;
  notify(`A text that was not saved is kept here, of ${draft.at}. `, ["Open it", async () => {
    put(draft.text, "Text of an earlier page opened");
    await plan();
  }], ["Drop it", keepDraft]);
}

// lookAtDisk tells of a file that others changed since it was opened here.
async function lookAtDisk() {
  const { base, variant } = state;
  if (!served.savable || document.hidden || state.saving || state.asking) return;
  state.asking = true;
  try {
    const disk = await read(`/api/variant?${new URLSearchParams({ name: variant })}`);
    if (state.base !== base || state.variant !== variant || state.saving || disk.base === base || disk.base === state.told) return;
    state.told = disk.base;
    const text = disk.text.replaceAll("\r\n", "\n");
    notify("The file was changed by others since it was opened here. ", ["Load it", async () => {
      Object.assign(state, { text, base: disk.base, saved: "" });
      put(text, "Loaded from the file");
      await plan();
    }], ["Keep this text", () => {
      Object.assign(state, { text, base: disk.base, before: null, cablesBefore: null, saved: "" });
      changed();
      compare();
      say("Save writes this text over that of the others.");
    }]);
  } catch { /* the next request says so */
  } finally {
    state.asking = false;
  }
}
setInterval(lookAtDisk, 5000);
window.addEventListener("focus", lookAtDisk);

area.addEventListener("input", () => {
  record("typing");
  state.messages = []; // whose places may have moved
  mistakes();
  changed();
  clearTimeout(state.timer);
  state.timer = setTimeout(plan, pause);
});
area.addEventListener("scroll", follow);
document.addEventListener("keydown", (e) => {
  if (!(e.ctrlKey || e.metaKey)) return;
  if (e.key === "Enter") { e.preventDefault(); plan(); }
  const own = document.activeElement, elsewhere = own !== area && /^(INPUT|TEXTAREA)$/.test(own.tagName) && !/^(checkbox|range|radio)$/.test(own.type) && own.value !== own.defaultValue;
  const key = e.key.toLowerCase(), by = key === "y" || (key === "z" && e.shiftKey) ? 1 : key === "z" ? -1 : 0;
  if (by && !elsewhere) { e.preventDefault(); step(by); } // a field that is being filled in undoes its own typing
  if (e.key === "s") { e.preventDefault(); if (served.savable && dirty()) save(); }
});
window.addEventListener("beforeunload", (e) => { if (dirty() || [...state.others.keys()].some(variantDirty)) e.preventDefault(); });

// Every variant has a text, its undo, and the text, sum and plan that were last saved. Those of the one that is open are
// the editor's own, those of others are kept meanwhile.
const variantDirty = (name) => (name === state.variant ? dirty() : state.others.has(name) && state.others.get(name).area !== state.others.get(name).text);

// variantText is the text of a variant as it is here, or else in its file.
async function variantText(name) {
  if (name === state.variant) return area.value;
  if (state.others.has(name)) return state.others.get(name).area;
  return (await read(`/api/variant?${new URLSearchParams({ name })}`)).text.replaceAll("\r\n", "\n");
}

// openVariant puts the text of a variant into the editor and plans it, in the place of the one that is open.
async function openVariant(name) {
  let next = state.others.get(name);
  if (!next) {
    const out = await read(`/api/variant?${new URLSearchParams({ name })}`), text = out.text.replaceAll("\r\n", "\n");
    next = { area: text, text, base: out.base, before: null, cablesBefore: null, saved: "", history: { all: [{ text, act: "" }], at: 0, typing: 0 } };
  }
  const { text, base, before, cablesBefore, saved } = state;
  state.others.set(state.variant, { area: area.value, text, base, before, cablesBefore, saved, history });
  state.others.delete(name);
  state.variant = name;
  history = next.history;
  Object.assign(state, { text: next.text, base: next.base, before: next.before, cablesBefore: next.cablesBefore, saved: next.saved });
  put(next.area, null);
  await plan();
  if (!state.before && area.value !== state.text) tellDelta();
}

// createVariant writes the text as a new variant.
async function createVariant(name) {
  await ask(`/api/duplicate?${new URLSearchParams({ name })}`, area.value);
}

// renameVariant gives the file of the variant that is open another name; its text and undo stay.
async function renameVariant(to) {
  await ask(`/api/rename?${new URLSearchParams({ name: state.variant, to })}`, "", { "Plenum-Base": state.base });
  state.variant = to;
  buttons();
}

// deleteVariant removes the file of the variant that is open, and opens another one.
async function deleteVariant(next) {
  const gone = state.variant;
  await ask(`/api/delete?${new URLSearchParams({ name: gone })}`, "", { "Plenum-Base": state.base });
  await openVariant(next);
  state.others.delete(gone);
}

// The link to the page has the variant that is open, and the way to edit where it is not the first one.
window.plenum.linked = (q) => {
  if (state.variant) q.set("variant", state.variant);
  if (editor.dataset.tab && editor.dataset.tab !== "text") q.set("tab", editor.dataset.tab);
};

// openLinked opens the variant and the way to edit that a link names, and follows the rest of the link in the variant.
async function openLinked(fragment) {
  const q = new URLSearchParams(fragment.replace(/^#/, "")), name = q.get("variant") ?? "", tab = q.get("tab");
  if ([...q.keys()].length === 0 && !state.variant) return;
  if ([...tabs.children].some((b) => b.dataset.tab === tab)) openTab(tab);
  if (name === state.variant) return;
  try {
    await openVariant(name);
    window.plenum.state.follow(fragment);
  } catch (err) {
    say(`The variant ${name} of the link is not opened: ${err.message}`, "bad");
  }
}
window.addEventListener("hashchange", () => openLinked(location.hash));

history.all[0].text = area.value;
const mover = window.plenumMover({ preview: moved, take, figures, now: () => state.now, say });
const file = async (name) => {
  const r = await fetch(`/api/file?${new URLSearchParams({ name })}`, { method: "POST", body: area.value, headers: { "Content-Type": "text/plain; charset=utf-8", "Plenum-Token": served.token } });
  if (!r.ok) throw new Error((await r.json()).error);
  return r.blob();
};
// sendQuote copies a quote beside the machine file, if all of its parts are known.
const sendQuote = async (chosen) => {
  const form = new FormData();
  form.append("text", area.value);
  form.append("file", chosen, chosen.name);
  return ask("/api/quote", form);
};
const values = async () => (await ask("/api/values", area.value)).values;
const build = window.plenumBuild({ host: buildPanel, make, act, stateRows, say, values, file, quote: sendQuote, served, state, openParts: (kind) => { parts.ask(kind); openTab("parts"); parts.focus(); },
  hidden: () => buildPanel.hidden, catalog: () => parts.catalog() });
const parts = window.plenumParts({ host: partsPanel, make, act, say, values, token: served.token, state, hidden: () => partsPanel.hidden });
const variants = window.plenumVariants({ host: variantsPanel, make, ask, read, say, savable: served.savable, hidden: () => variantsPanel.hidden,
  current: () => state.variant, open: openVariant, texts: { of: variantText, dirty: variantDirty, create: createVariant, rename: renameVariant, remove: deleteVariant } });
const copier = window.plenumBoxCopier({ make, copyBox, say });
window.plenum.mover = { ...mover, control: (m, rack) => make("div", {}, mover.control(m, rack), copier.control(m, rack)), grab: (page, at, e) => build.grab(page, at) || mover.grab(page, at, e), pick: build.pick, about: build.about,
  key: (page, e) => build.key(page, e) || mover.key(page, e) };
window.plenumComplete(area, text, served.token);
const begun = sessionStorage.getItem("plenum-begun") !== null; // on the start page, a moment ago
sessionStorage.removeItem("plenum-begun");
window.history.scrollRestoration = begun ? "manual" : "auto"; // what the start page was scrolled to is not the planner's
openTab(onPhone() && !state.messages.length ? "" : begun ? "build" : "text");
if (begun) tabs.querySelector('[data-tab="build"]').focus({ preventScroll: true });
buttons();
mistakes();
compare();
tune();
offerDraft();
if (state.messages.length) say(`${state.messages.length === 1 ? "A mistake" : `${state.messages.length} mistakes`} in the file: there is no plan yet`, "bad");
if (first && window.plenum.first) {
  window.plenum.first.then(() => {
    const { selected, pickRack, model } = window.plenum.state;
    if (!state.cables) state.cables = state.cablesBefore = cablesOf(model);
    if (selected.rack >= 0 && selected.cable < 0) pickRack(selected.rack); // now with the ways to move and copy it
    openLinked(opened);
  }, () => {});
}
if (!state.messages.length) say(served.savable ? `As saved.${matchMedia("(pointer: coarse)").matches ? "" : " Ctrl+Enter plans, Ctrl+S saves, Ctrl+Space completes."}` : "An example: try what you like; it cannot be saved.");
})();
