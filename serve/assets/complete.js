// Completion of keys and words from the JSON schema of machine files: Ctrl+Space in the editor.
window.plenumComplete = (area, host, token) => {
  "use strict";
  let schema = null, found = [], at = 0, from = 0;
  const list = document.createElement("ul");
  list.className = "completions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Completions");
  list.hidden = true;
  host.append(list);

  // shapes are the objects and words that a schema may stand for.
  const shapes = (s) => {
    if (!s || typeof s !== "object") return [];
    if (s.$ref) return shapes(schema.$defs[s.$ref.replace("#/$defs/", "")]);
    return [s, ...(s.items ? shapes(s.items) : []), ...[...(s.anyOf || []), ...(s.oneOf || [])].flatMap(shapes)];
  };
  const below = (all, key) => all.flatMap((s) => shapes((s.properties || {})[key] ||
    (typeof s.additionalProperties === "object" ? s.additionalProperties : null)));

  // keysBefore are the keys, outermost first, in whose values a position stands.
  const keysBefore = (text) => {
    const lines = text.split("\n"), keys = [];
    let indent = Infinity;
    const current = lines[lines.length - 1];
    const start = /^(\s*(?:- +)*)/.exec(current)[1].length;
    indent = start;
    for (let i = lines.length - 2; i >= 0 && indent > 0; i--) {
      const m = /^(\s*(?:- +)*)([a-z_0-9]+):\s*(#.*)?$/.exec(lines[i]);
      if (m && m[1].length < indent) {
        keys.unshift(m[2]);
        indent = /^\s*/.exec(lines[i])[0].length === m[1].length ? m[1].length : m[1].indexOf("-") + 1;
      }
    }
    let key = "";
    for (const [token] of current.replace(/#.*$/, "").matchAll(/[a-z_0-9]+:|[{}[\],]|[^\s{}[\],]+/g)) {
      if (/^[a-z_0-9]+:$/.test(token)) key = token.slice(0, -1);
      else if (token === "{" || token === "[") { keys.push(key); key = ""; }
      else if (token === "}" || token === "]") keys.pop();
      else if (token === ",") key = "";
    }
    return { keys: keys.filter(Boolean), key };
  };

  const show = () => {
    list.replaceChildren(...found.map(([word, why], i) => {
      const li = document.createElement("li"), name = document.createElement("b"), text = document.createElement("small");
      li.setAttribute("role", "option");
      li.setAttribute("aria-selected", String(i === at));
      name.textContent = word;
      text.textContent = why;
      li.append(name, text);
      li.addEventListener("pointerdown", (e) => { e.preventDefault(); at = i; take(); });
      return li;
    }));
    list.hidden = found.length === 0;
    if (found.length) list.children[at].scrollIntoView({ block: "nearest" });
  };
  const close = () => { found = []; show(); };
  const take = () => {
    const word = found[at][0];
    area.focus();
    area.setSelectionRange(from, area.selectionStart);
    document.execCommand("insertText", false, word);
    close();
  };
  const look = async () => {
    if (!schema) {
      const r = await fetch("/api/schema", { headers: { "Plenum-Token": token } });
      if (!r.ok) return;
      schema = await r.json();
    }
    const before = area.value.slice(0, area.selectionStart), begun = /[a-z_0-9-]*$/.exec(before)[0];
    from = before.length - begun.length;
    const { keys, key } = keysBefore(before.slice(0, from));
    let all = shapes(schema);
    for (const k of keys) all = below(all, k);
    const words = new Map();
    if (key) for (const s of below(all, key)) for (const w of s.enum || []) words.set(String(w), s.description || "");
    else for (const s of all) {
      for (const [name, p] of Object.entries(s.properties || {})) words.set(`${name}: `, p.description || "");
      for (const w of s.enum || []) words.set(String(w), "");
    }
    found = [...words].filter(([w]) => w.startsWith(begun));
    at = 0;
    show();
  };
  area.addEventListener("keydown", (e) => {
    if (e.ctrlKey && e.key === " ") { e.preventDefault(); look(); return; }
    if (list.hidden) return;
    if (e.key === "ArrowDown" || e.key === "ArrowUp") at = (at + (e.key === "ArrowDown" ? 1 : -1) + found.length) % found.length;
    else if ((e.key === "Enter" && !e.ctrlKey) || e.key === "Tab") { e.preventDefault(); return take(); }
    else if (e.key === "Escape") { e.preventDefault(); return close(); }
    else return;
    e.preventDefault();
    show();
  });
  area.addEventListener("input", () => { if (!list.hidden) look(); });
  area.addEventListener("blur", close);
};
