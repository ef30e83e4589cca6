// The page of a server without a machine file: a dialog for a new machine, and examples to copy.
(() => {
"use strict";
const { token, file, rates, examples } = window.plenumStart;
const form = document.getElementById("answers"), told = document.getElementById("told"), list = document.getElementById("examples");
const search = document.getElementById("search"), name = form.elements.namedItem("name");
document.getElementById("where").textContent = file ? `It is written to ${file}.` : "It is written to a file of its name in the directory in which plenum serve was started.";
form.elements.namedItem("rate").append(...rates.map((r) => new Option(r, r, false, r === "400G")));
if (file) name.value = file.replace(/^.*[/\\]/, "").replace(/\.ya?ml$/, "");

// begin has the server write the file, and opens the planner.
async function begin(answers) {
  const buttons = document.querySelectorAll("button");
  buttons.forEach((b) => { b.disabled = true; });
  told.className = "";
  told.textContent = "Planning ...";
  try {
    const r = await fetch("/api/start", { method: "POST", body: JSON.stringify(answers),
      headers: { "Content-Type": "application/json", "Plenum-Token": token } }).catch(() => { throw new Error("plenum serve does not answer: it may have been ended"); });
    const out = await r.json();
    if (!r.ok) throw new Error(out.error);
    location.reload();
  } catch (err) {
    told.className = "bad";
    told.textContent = err.message;
    buttons.forEach((b) => { b.disabled = false; });
  }
}

form.addEventListener("submit", (e) => {
  e.preventDefault();
  const get = (n) => form.elements.namedItem(n).value;
  begin({ name: get("name"), nodes: get("nodes"), ports: get("ports"), rate: get("rate"), room: get("room"), management: form.elements.namedItem("management").checked });
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
search.addEventListener("input", show);
show();
})();
