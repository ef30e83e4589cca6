// Copies of single boxes: a box is selected in the elevation of a rack, by a click or with arrow keys, and a dialog copies
// it, to a unit of a rack or where the plan places it.
window.plenumBoxCopier = (editor) => {
  "use strict";
  const { make, copyBox, say } = editor;
  let selected = -1; // among the boxes of the page

  const page = () => window.plenum.state;
  const boxesOf = (rack) => {
    const m = page().model;
    return [...m.boxesIn.of(rack)].sort((a, b) => m.boxes.unit[b] - m.boxes.unit[a] || a - b); // from the top, as they are drawn
  };
  const mayCopy = (v) => page().model.kinds[page().model.kind[v]].role !== "switch" && page().model.kinds[page().model.kind[v]].role !== "panel";

  // select marks a box in the elevation that has it.
  const select = (v) => {
    selected = v;
    for (const e of document.querySelectorAll(".elevation .box")) e.classList.toggle("chosen", e.dataset.box === String(v));
    if (v < 0) return;
    const m = page().model, unit = m.boxes.unit[v];
    say(`${m.boxes.names[v]}${unit ? ` at unit ${unit}` : ""}: ${matchMedia("(pointer: coarse)").matches ? "Copy a box" : "C"} copies it.`);
  };

  // open shows the dialog for a box of a rack, by default the selected one.
  const open = (rack) => {
    const m = page().model, list = boxesOf(rack).filter(mayCopy);
    if (selected >= 0 && !mayCopy(selected)) {
      say(`Not copied: ${m.boxes.names[selected]} is a switch or a panel, whose number follows from the plan.`, "bad");
      return;
    }
    const box = make("select", { name: "box" }, list.map((v) => make("option", { value: m.boxes.names[v], selected: v === selected }, m.boxes.names[v])));
    const to = make("input", { name: "rack", list: "plenum-positions", size: 10, autocomplete: "off", placeholder: "its own, or as planned" });
    const unit = make("input", { name: "unit", type: "number", min: 1, max: 256, placeholder: "lowest free" });
    const wrong = make("p", { class: "wrong", role: "alert" }), send = make("button", {}, "Copy");
    const dialog = make("dialog", { class: "copybox", "aria-labelledby": "plenum-copybox", onclose: () => {
      dialog.remove();
      document.querySelector(".copyabox")?.focus({ preventScroll: true });
    } }, make("h2", { id: "plenum-copybox" }, `Copy a box of rack ${m.racks.names[rack]}`),
    make("form", { onsubmit: async (e) => {
      e.preventDefault();
      send.disabled = true;
      wrong.textContent = "";
      try {
        await copyBox(box.value, to.value.trim(), unit.value.trim(), m.racks.names[rack]);
        dialog.close();
      } catch (err) {
        wrong.textContent = `Not copied: ${err.message}`;
      }
      send.disabled = false;
    } }, make("label", {}, make("span", {}, "Box"), box), make("label", {}, make("span", {}, "To rack"), to), make("label", {}, make("span", {}, "Lowest unit"), unit),
    make("p", { class: "hint" }, "In a rack of a template, every rack of the template has one more. Of other boxes, the number in the file grows by one; the copy is refused if the plan places it elsewhere."),
    wrong, make("div", { class: "buttons" }, send, make("button", { type: "button", onclick: () => dialog.close() }, "Cancel"))));
    document.body.append(dialog);
    dialog.showModal();
    unit.focus();
  };

  document.addEventListener("click", (e) => {
    const box = e.target.closest(".elevation .box[data-box]");
    if (box) select(+box.dataset.box);
  });
  document.addEventListener("keydown", (e) => {
    const figure = e.target.closest(".elevation"), rack = page() ? page().selected.rack : -1;
    if (!figure || rack < 0 || e.ctrlKey || e.metaKey || e.altKey) return;
    const by = { ArrowUp: -1, ArrowDown: 1 }[e.key], list = boxesOf(rack), at = list.indexOf(selected);
    if (by) select(list[at < 0 ? 0 : Math.max(0, Math.min(list.length - 1, at + by))]);
    else if (e.key === "c" && list.some(mayCopy)) open(rack);
    else return;
    e.preventDefault();
  });

  return {
    // control is a button beside the figures of a rack; null where no box of the rack can be copied.
    control(m, rack) {
      selected = -1;
      if (!m.room || !m.boxes || ![...m.boxesIn.of(rack)].some((v) => !/^(switch|panel)$/.test(m.kinds[m.kind[v]].role))) return null;
      return make("div", { class: "moveto" }, make("button", { type: "button", class: "copyabox", onclick: () => open(rack) }, "Copy a box ..."),
        make("small", {}, matchMedia("(pointer: coarse)").matches ? "of the box that is tapped in the front view, or of another one" : "or select one in the front view, by a click or the arrow keys, and press C there"));
    },
  };
};
