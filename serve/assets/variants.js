// Variants of the machine file: each is a file beside it, with its own text, undo and saved state. Two of them are
// switched, and their figures compared.
window.plenumVariants = (editor) => {
  "use strict";
  const { host, make, ask, read, say, current, open, texts, hidden, savable } = editor;
  let list = [], against = null, figures = null, notes = [], all = false, job = null, deleting = false;
  const named = (name) => name || "machine file";
  const shownAs = (name) => (name ? name : "the machine file");

  const nameForm = "[A-Za-z0-9][A-Za-z0-9_\\-]{0,39}", nameHint = "1 to 40 letters, digits, hyphens and underscores";
  const focusOn = (key) => host.querySelector(`[data-key="${key}"]`)?.focus();

  const row = (...parts) => make("div", { class: "buildrow" }, ...parts);
  const result = make("div", { class: "variantfigures", "aria-live": "polite" }), wide = make("div", { class: "variantfigures" });
  const status = make("p", { class: "hint", role: "status" });

  // table lists the figures that differ, and the main ones; all of them where that is asked for.
  const table = () => {
    if (!figures) return [];
    const line = (f) => make("tr", { class: f.differs ? "changed" : null }, make("th", { scope: "row" }, f.name, f.unit ? make("small", {}, ` ${f.unit}`) : null),
      make("td", {}, f.a), make("td", {}, f.b), make("td", {}, f.differs ? f.difference || "differs" : "=", ...(f.share ? [" ", make("small", {}, f.share)] : [])));
    const rows = figures.filter((f) => f.main).map(line);
    let heading = null;
    for (const f of figures) {
      if (f.heading) heading = f.name;
      if (f.heading || f.main || (!all && !f.differs)) continue;
      if (heading) rows.push(make("tr", { class: "heading" }, make("th", { colspan: 4, scope: "rowgroup" }, heading)));
      heading = null;
      rows.push(line(f));
    }
    const box = make("input", { type: "checkbox", onchange: (e) => { all = e.target.checked; show(); } });
    box.checked = all;
    return [make("div", { class: "variantscroll", tabindex: "0", role: "region", "aria-label": "Differences of two variants" },
      make("table", {}, make("caption", {}, `A: ${shownAs(against)}; B: ${shownAs(current())}, as in the editor`),
        make("thead", {}, make("tr", {}, ["figure", "A", "B", "B \u2212 A"].map((h) => make("th", { scope: "col" }, h)))), make("tbody", {}, rows))),
    make("label", { class: "check" }, box, " also figures that do not differ"),
    notes.length ? make("details", {}, make("summary", {}, `What the figures leave out (${notes.length})`), make("ul", {}, notes.map((n) => make("li", {}, n)))) : null];
  };

  const show = () => {
    const had = host.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    if (!savable) {
      host.replaceChildren(make("p", { class: "hint" }, "An example has no file beside which variants are kept. Write one with plenum init, and open it."));
      return;
    }
    const now = current();
    const others = list.filter((v) => v.name !== now);
    if (against === null || !others.some((v) => v.name === against)) against = others.length ? others[0].name : null;
    const form = make("form", { class: "buildrow", onsubmit: (e) => { e.preventDefault(); duplicate(e.target.elements.variant.value.trim()); } },
      make("label", {}, make("span", {}, "New variant"), make("input", { name: "variant", size: 12, required: true, autocomplete: "off", placeholder: "name", pattern: nameForm,
        title: nameHint, "data-key": "name" })), make("button", { "data-key": "duplicate" }, "Duplicate"));
    const change = now === "" ? [] : deleting
      ? [row(make("span", {}, `Delete the file of ${now}? It cannot be brought back.`),
        make("button", { type: "button", "data-key": "sure", onclick: () => remove() }, "Delete the file"),
        make("button", { type: "button", "data-key": "keep", onclick: () => { deleting = false; show(); focusOn("delete"); } }, "Keep it"))]
      : [make("form", { class: "buildrow", onsubmit: (e) => { e.preventDefault(); rename(e.target.elements.renamed.value.trim()); } },
        make("label", {}, make("span", {}, `Name of ${now}`), make("input", { name: "renamed", size: 12, required: true, autocomplete: "off", value: now, pattern: nameForm,
          title: nameHint, "data-key": "renamed" })), make("button", { "data-key": "rename" }, "Rename"),
        make("button", { type: "button", "data-key": "delete", onclick: () => { deleting = true; show(); focusOn("keep"); } }, "Delete"))];
    const choice = make("select", { "aria-label": "Variant A, to compare with", "data-key": "against", onchange: (e) => { against = e.target.value; figures = null; show(); compare(); } },
      others.map((v) => make("option", { value: v.name, selected: v.name === against }, named(v.name))));
    host.replaceChildren(
      make("section", {}, make("h3", {}, "Variants"), row(list.map((v) => make("button", { type: "button", "data-variant": v.name, "data-key": `open ${v.name}`,
        "aria-pressed": String(v.name === now), title: v.file, onclick: () => turn(v.name) }, `${texts.dirty(v.name) ? "\u25cf " : ""}${named(v.name)}`))), form, ...change,
      make("p", { class: "hint" }, "A variant is a copy of the text, in a file beside the machine file. Each has its own undo and its own save.")),
      ...(others.length ? [make("section", {}, make("h3", {}, "Differences"),
        row(make("label", {}, make("span", {}, "A"), choice), make("span", {}, `B: ${shownAs(now)}`),
          make("button", { type: "button", "data-key": "switch", onclick: () => turn(against, now) }, "Switch A and B"),
          make("button", { type: "button", "data-key": "compare", onclick: () => compare() }, "Compare"),
          make("button", { type: "button", "data-key": "floors", onclick: () => sideBySide() }, "Floors side by side")), status, result)] : []));
    for (const place of [result, wide]) place.replaceChildren(...table().filter(Boolean));
    const again = had && [...host.querySelectorAll("[data-key]")].find((e) => e.dataset.key === had);
    if (again) again.focus({ preventScroll: true });
  };

  const duplicate = async (name) => {
    try {
      await texts.create(name);
      against = current();
      await refresh();
      await turn(name, against);
      say(`${named(name)} is written as a copy, and open.`, "good");
    } catch (err) {
      say(`No variant: ${err.message}`, "bad");
    }
  };

  // rename gives the variant that is open another name.
  const rename = async (name) => {
    const was = current();
    if (name === was) return;
    try {
      await texts.rename(name);
      await refresh();
      say(`${was} is now ${name}.`, "good");
    } catch (err) {
      say(`Not renamed: ${err.message}`, "bad");
    }
  };

  // remove deletes the file of the variant that is open, and opens the one that it was compared with.
  const remove = async () => {
    const was = current();
    deleting = false;
    try {
      await texts.remove(against ?? "");
      against = figures = null;
      await refresh();
      await compare();
      say(`The file of ${was} is deleted; ${shownAs(current())} is open.`, "good");
    } catch (err) {
      show();
      say(`Not deleted: ${err.message}`, "bad");
    }
    host.querySelector(`[data-variant="${current()}"]`)?.focus();
  };

  // sideBySide shows both floors beside each other over the page, with the table below.
  const sideBySide = async () => {
    const floors = await compare(true);
    if (!floors) return;
    const names = [`A: ${shownAs(against)}`, `B: ${shownAs(current())}, as in the editor`];
    const close = make("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close");
    const zoom = (by) => { // of both, which are scrolled together
      share = Math.max(1, Math.min(8, share * by));
      for (const img of dialog.querySelectorAll("img")) img.style.width = `${100 * share}%`;
      dialog.classList.toggle("zoomed", share > 1);
      for (const [name, button] of Object.entries(buttons)) button.disabled = name === "zoom in" ? share >= 8 : share <= 1;
    };
    const buttons = Object.fromEntries([["zoom in", "+", 1.6], ["zoom out", "\u2212", 1 / 1.6], ["show all", "\u2922", 0]].map(([name, text, by]) =>
      [name, make("button", { type: "button", class: "close", "aria-label": name, title: name, onclick: () => zoom(by) }, text)]));
    const follow = (e) => {
      for (const other of dialog.querySelectorAll(".floorscroll")) {
        if (other !== e.target) Object.assign(other, { scrollLeft: e.target.scrollLeft, scrollTop: e.target.scrollTop });
      }
    };
    let share = 1;
    const dialog = make("dialog", { class: "sidebyside", "aria-labelledby": "plenum-sidebyside", onclose: () => { dialog.remove(); focusOn("floors"); } },
      make("div", { class: "sidebar" }, make("h2", { id: "plenum-sidebyside" }, "Floors of two variants"), make("div", { class: "zoomer" }, ...Object.values(buttons), close)),
      make("p", { class: "hint" }, "Each has its own scale, which its bar gives; colours are those of the report."),
      make("div", { class: "floors" }, floors.map((png, i) => make("figure", {}, make("figcaption", {}, names[i]),
        make("div", { class: "floorscroll", tabindex: "0", role: "region", "aria-label": names[i], onscroll: follow }, make("img", { src: `data:image/png;base64,${png}`, alt: `Floor of ${names[i]}` }))))),
      wide);
    document.body.append(dialog);
    zoom(1);
    dialog.showModal();
  };

  // turn opens a variant; the one that was open becomes the one that it is compared with.
  const turn = async (name, other = current()) => {
    if (name === current()) return;
    deleting = false;
    try {
      await open(name);
      against = other;
      figures = null;
      show();
      await compare();
    } catch (err) {
      say(`Not opened: ${err.message}`, "bad");
    }
  };

  // compare asks for the table of differences between the text of A, saved or not, and that of the editor. It returns
  // the pictures of both floors, if they are asked for.
  const compare = async (withFloors = false) => {
    let pictures = null;
    if (against === null) return pictures;
    if (job) job.abort();
    const mine = job = new AbortController();
    status.textContent = "Comparing ...";
    try {
      const [a, b] = [await texts.of(against), await texts.of(current())];
      const out = await ask("/api/compare", JSON.stringify({ a, b, floors: withFloors }), {}, mine.signal);
      if (job !== mine) return pictures;
      pictures = out.floors.length ? out.floors : null;
      ({ figures, notes } = out);
      const n = figures.filter((f) => f.differs).length;
      status.textContent = n ? `${n} figures differ.` : "No figure differs.";
      show();
    } catch (err) {
      if (err.name === "AbortError" || job !== mine) return pictures;
      figures = null;
      status.textContent = `Not compared: ${err.message}`;
      show();
    }
    document.body.dataset.compared = String(1 + Number(document.body.dataset.compared || 0));
    return pictures;
  };

  const refresh = async () => {
    if (savable) ({ variants: list } = await read("/api/variants"));
    show();
  };

  return {
    // update lists the variants, and compares the text as it is.
    async update() {
      if (hidden()) return;
      try {
        await refresh();
        await compare();
      } catch (err) {
        host.replaceChildren(make("p", { class: "hint" }, err.message));
      }
    },
  };
};
