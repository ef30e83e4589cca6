// The editor beside the page of a plan: text, mistakes, sliders, and what changes against the saved file.
(() => {
"use strict";
const served = window.plenumServed;
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

// ask sends a text to the server; what is refused becomes an error with the server's words.
async function ask(path, text, headers = {}, signal = undefined) {
  let r;
  try {
    r = await fetch(path, { method: "POST", body: text, signal,
      headers: { "Content-Type": "text/plain; charset=utf-8", "Plenum-Token": served.token, "Plenum-Page": me, ...headers } });
  } catch (err) {
    if (err.name === "AbortError") throw err;
    throw new Error("plenum serve does not answer: it may have been ended");
  }
  const out = await r.json();
  if (!r.ok) throw Object.assign(new Error(out.error), { messages: out.messages, status: r.status });
  return out;
}

const first = JSON.parse(document.getElementById("plenum-data").textContent);
const state = {
  text: served.text, base: served.base, // the text as it was last saved, and the server's name for it
  before: first && first.plan, now: first && first.plan, // the plans of the saved text and of the newest one that has one
  planned: served.text, messages: served.messages, job: null, timer: 0, shown: Promise.resolve(),
};

const area = make("textarea", { spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
  "aria-label": "Machine file", "aria-describedby": "plenum-status" });
area.value = served.text;
state.text = state.planned = area.value; // with line feeds only, as browsers keep them
const gutter = make("div", { class: "gutter", "aria-hidden": "true" });
const marks = make("div", { class: "linemarks", "aria-hidden": "true" });
const status = make("p", { class: "served", id: "plenum-status", role: "status" });
const list = make("ul", { class: "mistakes", "aria-label": "Mistakes" });
const planButton = make("button", { type: "button", title: "Ctrl+Enter", onclick: () => plan() }, "Plan");
const saveButton = make("button", { type: "button", class: "save", title: served.savable ? "Ctrl+S" : "an example has no file", onclick: () => save() }, "Save");
const title = make("h2", { title: served.name }, served.name);
const changes = make("div", { class: "changes" });
const sliders = make("div", { class: "sliders" });
const text = make("div", { class: "text" }, gutter, make("div", { class: "lines" }, marks, area));
const hide = make("button", { type: "button", class: "fold", title: "hide the editor", "aria-label": "hide the editor", onclick: () => fold(true) }, "\u2039");
const unfold = make("button", { type: "button", class: "unfold", title: "show the editor", "aria-label": "show the editor", hidden: true, onclick: () => fold(false) }, "\u203a");
const editor = make("aside", { class: "editor", "aria-label": "Editor" },
  make("div", { class: "editbar" }, title, planButton, saveButton, hide), status, list, text,
  make("details", { open: true }, make("summary", {}, "Sliders"), sliders),
  make("details", { open: true, class: "comparison" }, make("summary", {}, "Against the saved file"), changes));
document.body.prepend(editor, unfold);
document.body.classList.add("served");

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
  title.textContent = (dirty() ? "\u25cf " : "") + served.name;
  title.title = dirty() ? `${served.name}: changed since it was saved` : served.name;
  saveButton.disabled = !served.savable || !dirty();
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
    return make("li", { class: m.severity }, make("button", { type: "button", disabled: !m.line || !!m.file, onclick: () => go(m) },
      make("b", {}, where), `${m.path ? `${m.path}: ` : ""}${m.message}`, m.suggestion ? make("small", {}, m.suggestion) : null));
  }));
  list.hidden = state.messages.length === 0;
  lines();
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
  area.scrollTop = Math.max(0, (m.line - 4) * parseFloat(getComputedStyle(area).lineHeight));
  follow();
}

// plan plans the text as it is; an older plan under way is ended.
async function plan() {
  clearTimeout(state.timer);
  if (state.job) state.job.abort();
  const job = state.job = new AbortController(), source = area.value, start = performance.now();
  say("Planning ...");
  try {
    const out = await ask("/api/plan", source, {}, job.signal);
    if (state.job !== job) return;
    state.messages = out.messages;
    mistakes();
    if (!out.data) {
      say(`${state.messages.length === 1 ? "A mistake" : `${state.messages.length} mistakes`}: the page shows the plan before`, "bad");
      return;
    }
    state.now = out.data.plan;
    state.planned = source;
    if (source === state.text) state.before = state.now;
    await show(out.data);
    compare();
    tune();
    if (state.job === job) say(`Planned in ${Math.round(out.took_ms)} ms, shown after ${Math.round(performance.now() - start)} ms`, "good");
  } catch (err) {
    if (err.name === "AbortError" || state.job !== job) return;
    say(`Not planned: ${err.message}`, "bad");
  } finally {
    if (state.job === job) state.job = null;
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
  const source = area.value;
  try {
    const out = await ask("/api/save", source, { "Plenum-Base": state.base });
    state.base = out.base;
    state.text = source;
    if (state.planned === source) state.before = state.now;
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
  }
}

const group = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const tenth = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

// figures are what is compared: a name, a unit, and the number in a plan.
function figures(p) {
  const delay = p.delay ? [["delay", p.delay]] : (p.fabrics || []).filter((f) => f.delay).map((f) => [`delay, ${f.name}`, f.delay]);
  return [["nodes and switches", "", p.nodes + p.switches, group], ["racks", "", p.racks, group], ["cables", "", p.cables, group],
    ["cable", "m", p.length_m.total, group], ["longest", "m", p.length_m.max, tenth], ["cost", p.currency, p.cost.total, group],
    ["power", "kW", p.power_w / 1e3, tenth], ...delay.map(([name, d]) => [name, "ns", d.delay_mean_ns, tenth]),
    ["breaches", "", p.violations.filter((v) => v.severity === "error" && !v.suppressed).length, group]];
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
  changes.replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ["", "saved", "now", "difference"].map((h) => make("th", { scope: "col" }, h)))),
    make("tbody", {}, rows)));
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
      put(out.text);
      await plan();
    }
  } catch (err) {
    say(`Not changed: ${err.message}`, "bad");
  } finally {
    turning = null;
    tune();
  }
}

// put makes the text another one; the part that changes is brought into sight.
function put(next) {
  const old = area.value;
  let from = 0, oldEnd = old.length, nextEnd = next.length;
  while (from < oldEnd && from < nextEnd && old[from] === next[from]) from++;
  while (oldEnd > from && nextEnd > from && old[oldEnd - 1] === next[nextEnd - 1]) { oldEnd--; nextEnd--; }
  const had = document.activeElement;
  area.focus({ preventScroll: true });
  area.setSelectionRange(from, oldEnd);
  const by = next.slice(from, nextEnd);
  state.putting = true; // as if it had been typed, so that the browser can undo it
  const typed = document.activeElement === area && document.execCommand(by ? "insertText" : "delete", false, by);
  state.putting = false;
  if (!typed || area.value !== next) area.value = next;
  if (had && had !== area && had.isConnected) had.focus({ preventScroll: true });
  const line = area.value.slice(0, from).split("\n").length, high = parseFloat(getComputedStyle(area).lineHeight);
  if (line * high < area.scrollTop + high || line * high > area.scrollTop + area.clientHeight - high) area.scrollTop = Math.max(0, (line - 4) * high);
  changed();
}

// undo takes the last change of the text back, be it typed or made by a slider or a move.
function undo() {
  const had = document.activeElement;
  area.focus({ preventScroll: true });
  document.execCommand("undo");
  if (had && had !== document.body) had.focus({ preventScroll: true });
}

// take has a rack stand at another position: the text says so, is planned, and the rack is selected again where it
// stands. known is what was shown before it was dropped, if that is still true.
async function take(from, to, known) {
  const before = area.value;
  try {
    say(`Moving ${from} to ${to} ...`);
    if (known && known.error) throw new Error(known.error);
    const out = known && known.of === before ? known : await moved(from, to);
    if (area.value !== before) throw new Error("the text was changed meanwhile");
    put(out.text);
    await plan();
    const p = window.plenum.state, at = p.model.racks.names.indexOf(to);
    if (at >= 0 && p.model.racks.boxes[at] > 0) p.pickRack(at);
    if (!status.classList.contains("bad")) say(`${from} moved to ${to}: ${status.textContent}. Ctrl+Z takes it back.`, "good");
  } catch (err) {
    say(`Not moved: ${err.message}`, "bad");
  }
}

// moved is the text in which a rack stands elsewhere, and the plan of it.
async function moved(from, to, signal) {
  const of = area.value;
  const out = await ask(`/api/move?${new URLSearchParams({ from, to })}`, of, { "Plenum-Page": `${me} move` }, signal);
  if (out.error) throw new Error(out.error);
  return { of, ...out };
}

function changed() {
  buttons();
  lines();
}

area.addEventListener("input", () => {
  if (state.putting) return;
  state.messages = []; // whose places may have moved
  changed();
  clearTimeout(state.timer);
  state.timer = setTimeout(plan, pause);
});
area.addEventListener("scroll", follow);
document.addEventListener("keydown", (e) => {
  if (!(e.ctrlKey || e.metaKey)) return;
  if (e.key === "Enter") { e.preventDefault(); plan(); }
  if (e.key === "z" && !e.shiftKey && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) { e.preventDefault(); undo(); }
  if (e.key === "s") { e.preventDefault(); if (served.savable && dirty()) save(); }
});
window.addEventListener("beforeunload", (e) => { if (dirty()) e.preventDefault(); });

window.plenum.mover = window.plenumMover({ preview: moved, take, figures, now: () => state.now, say });
window.plenumComplete(area, text, served.token);
buttons();
mistakes();
compare();
tune();
if (state.messages.length) say(`${state.messages.length === 1 ? "A mistake" : `${state.messages.length} mistakes`} in the file: there is no plan yet`, "bad");
else say(served.savable ? "As saved. Ctrl+Enter plans, Ctrl+S saves, Ctrl+Space completes." : "An example: try what you like; it cannot be saved.");
})();
