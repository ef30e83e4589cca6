// The page of a server without a machine file: a dialog for a new machine, and examples to copy.
(() => {
"use strict";
const { token, file, rates, examples } = window.plenumStart;
const form = document.getElementById("answers"), told = document.getElementById("told"), list = document.getElementById("examples");
const search = document.getElementById("search"), name = form.elements.namedItem("name");
document.getElementById("where").textContent = file ? `It is written to ${file}.` : "It is written to a file of its name in the directory in which plenum serve was started.";
form.elements.namedItem("rate").append(...rates.map((r) => new Option(r, r, false, r === "400G")));
const storage = form.elements.namedItem("storage");
storage.append(...rates.map((r) => new Option(r, r)));
storage.addEventListener("change", () => { document.getElementById("servers").hidden = !storage.value; });
if (file) name.value = file.replace(/^.*[/\\]/, "").replace(/\.ya?ml$/, "");

// openPlanner opens the page of the file that was written, with the forms of Build in front.
function openPlanner() {
  sessionStorage.setItem("plenum-begun", "yes");
  window.history.scrollRestoration = "manual"; // the planner begins at its top
  location.reload();
}

// begin has the server write the file, and opens the planner.
async function begin(answers) {
  const buttons = document.querySelectorAll("button"); // of all ways to begin
  buttons.forEach((b) => { b.disabled = true; });
  told.className = "";
  told.textContent = "Planning ...";
  try {
    const r = await fetch("/api/start", { method: "POST", body: JSON.stringify(answers),
      headers: { "Content-Type": "application/json", "Plenum-Token": token } }).catch(() => { throw new Error("plenum serve does not answer: it may have been ended"); });
    const out = await r.json();
    if (!r.ok) throw new Error(out.error);
    openPlanner();
  } catch (err) {
    told.className = "bad";
    told.textContent = err.message;
    buttons.forEach((b) => { b.disabled = false; });
  }
}

form.addEventListener("submit", (e) => {
  e.preventDefault();
  const get = (n) => form.elements.namedItem(n).value;
  begin({ name: get("name"), nodes: get("nodes"), ports: get("ports"), rate: get("rate"), room: get("room"), management: form.elements.namedItem("management").checked,
    storage: get("storage"), servers: get("servers") });
});

function show() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = examples.filter((e) => words.every((w) => `${e.name} ${e.machine} ${e.description}`.toLowerCase().includes(w)));
  list.replaceChildren(...found.map((e) => {
    const li = document.createElement("li"), b = document.createElement("button"), title = document.createElement("b"), text = document.createElement("span");
    b.type = "button";
    title.textContent = e.machine || e.name;
    text.textContent = e.description;
    b.append(title, text);
    b.addEventListener("click", () => begin({ example: e.name }));
    li.append(b);
    return li;
  }));
}
// The import: files are sent and read, what they make is shown, and it is written when that is confirmed.
const from = document.getElementById("import"), importTold = document.getElementById("importtold"), wrong = document.getElementById("importwrong");
const preview = document.getElementById("preview"), layers = document.getElementById("layers"), kind = from.elements.namedItem("kind");
const most = 16 * 2 ** 20; // bytes of all files, as the server takes them
function showKind() {
  layers.hidden = kind.value !== "drawing";
  from.elements.namedItem("file").multiple = kind.value === "wiring";
  document.getElementById("formats").textContent = `Formats: ${kind.selectedOptions[0].dataset.formats}`;
}
kind.addEventListener("change", () => { showKind(); listLayers(); });
from.elements.namedItem("file").addEventListener("change", () => listLayers());
function made(tag, text, attributes = {}) {
  const e = document.createElement(tag);
  if (text) e.textContent = text;
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  return e;
}
function tellImport(text, bad = false) {
  importTold.className = bad ? "bad" : "";
  importTold.textContent = text;
}
async function post(path, body) {
  const r = await fetch(path, { method: "POST", body, headers: { "Plenum-Token": token } }).catch(() => { throw new Error("plenum serve does not answer: it may have been ended"); });
  const out = await r.json();
  if (!r.ok) throw Object.assign(new Error(out.error), { messages: out.messages });
  return out;
}

// listLayers lists the layers of the drawing that is chosen; a click adds one to the field that was filled in last.
const drawn = document.getElementById("drawnlayers"), roles = [...layers.querySelectorAll("input")].filter((e) => e.name !== "unit");
let role = roles[0];
for (const e of roles) e.addEventListener("focus", () => { role = e; });
async function listLayers() {
  const [file] = from.elements.namedItem("file").files;
  drawn.replaceChildren();
  if (kind.value !== "drawing" || !file || file.size > most) return;
  const body = new FormData();
  body.append("unit", from.elements.namedItem("unit").value);
  body.append("file", file, file.name);
  try {
    const { layers: found } = await post("/api/layers", body);
    drawn.replaceChildren(made("span", found.length ? `${file.name} has these layers; choose a field, then a layer for it: ` : `${file.name} has no layer with anything on it.`),
      ...found.map((l) => {
        const b = made("button", l.name, { type: "button", class: "second", title: `${l.shapes} lines and areas` });
        b.addEventListener("click", () => {
          const has = role.value.split(",").map((w) => w.trim()).filter(Boolean);
          role.value = [...has.filter((w) => w !== l.name), ...(has.includes(l.name) ? [] : [l.name])].join(", ");
        });
        return b;
      }));
  } catch (err) {
    tellImport(err.message, true);
  }
}

from.addEventListener("submit", async (e) => {
  e.preventDefault();
  preview.hidden = wrong.hidden = true;
  const files = [...from.elements.namedItem("file").files], bytes = files.reduce((n, f) => n + f.size, 0);
  if (bytes > most) return tellImport(`The files have ${Math.ceil(bytes / 2 ** 20)} MiB; at most 16 MiB are read.`, true);
  const body = new FormData();
  for (const n of ["name", "nodes", "ports", "rate", "storage", "servers"]) body.append(n, form.elements.namedItem(n).value);
  body.append("management", form.elements.namedItem("management").checked);
  body.append("kind", kind.value);
  for (const n of ["outline", "walls", "columns", "keep_outs", "doors", "unit"]) body.append(n, from.elements.namedItem(n).value);
  for (const f of files) body.append("file", f, f.name);
  tellImport("Reading and planning ...");
  try {
    showImport(await post("/api/import", body));
  } catch (err) {
    const list = err.messages || [];
    const placed = list.some((m) => m.file);
    tellImport(!placed ? err.message : list.length === 1 ? "A mistake in the files:" : `${list.length} mistakes in the files:`, true);
    wrong.replaceChildren(...list.map((m) => {
      const where = m.line ? `${m.file || "machine file"}:${m.line}:${m.column}: ` : m.file ? `${m.file}: ` : "", li = made("li", "");
      li.append(made("b", where), `${m.path ? `${m.path}: ` : ""}${m.message}`, m.suggestion ? made("small", m.suggestion) : "");
      return li;
    }));
    wrong.hidden = !placed;
    (placed ? wrong : importTold).scrollIntoView({ block: "nearest" });
  }
  return undefined;
});

// showImport shows what files make, with the buttons that write it and drop it.
function showImport(out) {
  const list = (items) => {
    const ul = made("ul", "");
    ul.append(...items.map((t) => made("li", t)));
    return ul;
  };
  const write = made("button", "Write these files and open them", { type: "button" }), drop = made("button", "Drop it", { type: "button", class: "second" });
  write.addEventListener("click", async () => {
    write.disabled = true;
    try {
      await post(`/api/imported?${new URLSearchParams({ id: out.id })}`, "");
      openPlanner();
    } catch (err) {
      write.disabled = false;
      tellImport(err.message, true);
    }
  });
  drop.addEventListener("click", () => {
    preview.hidden = true;
    tellImport("Nothing is written.");
  });
  const text = made("details", ""), notes = made("details", "");
  notes.open = true; // before it is written: they may say that nothing of the file is used
  text.append(made("summary", "The machine file"), made("pre", out.text, { tabindex: "0", "aria-label": "The machine file" }));
  notes.append(made("summary", `What was assumed and left out (${out.notes.length})`), list(out.notes));
  preview.replaceChildren(made("h3", "What the files make"), list(out.facts), made("p", "To be written, never over other files:"),
    list(out.files.map((f) => `${f.name}, ${f.bytes.toLocaleString("en")} bytes`)), ...(out.notes.length ? [notes] : []), text, write, " ", drop);
  preview.hidden = false;
  tellImport("Read. Nothing is written yet.");
  preview.focus();
}
search.addEventListener("input", show);
showKind();
show();
})();
