// What a reader has set, kept when new data are shown: filters, searches, sorted columns, what is open and selected,
// and how the floor is moved and zoomed.

// keyOf names a control: its view, what stands above it, and what it is called.
function keyOf(e) {
  const view = e.closest(".view"), set = e.closest("fieldset"), label = e.closest("label");
  const name = label && label.querySelector(".name");
  return [view ? view.id : "", set ? set.querySelector("legend").textContent : "", e.tagName, e.type || "",
    e.getAttribute("aria-label") || (name ? name.textContent : label ? label.firstChild.textContent || label.textContent : e.name)].join("\n");
}

const keptControls = (within) => [...within.querySelectorAll(".filters input, .filters select, .tools input, .tools select, .search input")];

// changedControl reports whether a control is not as it was made.
function changedControl(e) {
  if (e.type === "checkbox") return e.checked !== e.defaultChecked;
  if (e.tagName === "SELECT") return [...e.options].some((o) => o.selected !== o.defaultSelected);
  return e.value !== e.defaultValue;
}

// remember is what the page is set to.
function remember(state, views) {
  const app = document.getElementById("app"), { floor, model: m, selected } = state;
  const kept = { controls: new Map(), sorted: [], open: new Map(), scrolled: [], view: null, made: views.made(), focus: null };
  for (const e of keptControls(app)) if (changedControl(e)) kept.controls.set(keyOf(e), e.type === "checkbox" ? e.checked : e.value);
  for (const h of app.querySelectorAll("th[aria-sort]")) {
    const sort = h.getAttribute("aria-sort");
    if (sort !== "none") kept.sorted.push([h.closest(".scroll").getAttribute("aria-label"), h.textContent, sort]);
  }
  for (const d of app.querySelectorAll("details")) kept.open.set(detailsKey(d), d.open);
  for (const e of app.querySelectorAll(".view, .view .page, .view .scroll, .filters, .longbody")) {
    if (e.scrollTop) kept.scrolled.push([scrollKey(e), e.scrollTop]);
  }
  if (floor.view.width > 1 && floor.element.isConnected) {
    if (movedView(floor)) kept.view = { ...floor.view };
  }
  kept.rack = selected.rack >= 0 ? m.racks.names[selected.rack] : null;
  kept.cable = selected.cable >= 0 ? cableID(m, selected.cable) : null;
  const active = document.activeElement;
  if (app.contains(active)) {
    if (active === floor.element) kept.focus = "floor";
    else if (keptControls(app).includes(active)) kept.focus = keyOf(active);
    else if (active.getAttribute("role") === "tab") kept.focus = "tab";
  }
  return kept;
}

// movedView reports whether a floor shows something else than all of it.
function movedView(floor) {
  const all = floor.whole();
  return ["x", "y", "scale"].some((k) => Math.abs(floor.view[k] - all[k]) > 1e-9);
}

// linkOf is the fragment of an address that leads to what the page shows: the view, what is selected, the filters, and
// where the floor is moved to. It is empty for the page as it opens.
function linkOf(state) {
  const { floor, model: m, selected } = state, q = new URLSearchParams(), view = document.body.dataset.view || "floor";
  if (view !== "floor") q.set("view", view);
  if (selected.rack >= 0) q.set("rack", m.racks.names[selected.rack]);
  if (selected.cable >= 0) q.set("cable", cableID(m, selected.cable));
  if (floor.view.width > 1 && movedView(floor)) q.set("at", [floor.view.x, floor.view.y, floor.view.scale].map((v) => +v.toFixed(2)).join(" "));
  const eye = selected.space && selected.space.moved && selected.space.moved() ? selected.space.eye : null;
  if (eye) q.set("eye", eyeText(eye));
  for (const v of selected.sight ? selected.sight.kept : []) q.append("kept", viewText(v));
  for (const e of keptControls(document.getElementById("app"))) {
    if (changedControl(e)) q.append("set", `${keyOf(e).replaceAll("\n", "/")}=${e.type === "checkbox" ? (e.checked ? "on" : "off") : e.value}`);
  }
  if (window.plenum.linked) window.plenum.linked(q); // what the editor beside the page is set to
  return q.toString();
}

// followLink sets a page to what the fragment of its address says, as far as the machine has it, and says what it does not
// have. Where the fragment is the whole of a page, as a step of the history is, what it does not name is as the page opens.
function followLink(fragment, state, views, go, whole = false) {
  const q = new URLSearchParams(fragment.replace(/^#/, "")), m = state.model;
  if ([...q.keys()].length === 0 && !whole) return;
  const set = new Map(q.getAll("set").map((s) => [s.slice(0, s.lastIndexOf("=")), s.slice(s.lastIndexOf("=") + 1)]));
  const view = q.get("view") ?? (whole ? "floor" : null), eye = eyeOf(q.get("eye") || ""), kept = q.getAll("kept").map(viewOf).filter(Boolean);
  if (eye) state.selected.eye = eye;
  if (eye && state.selected.space && state.selected.space.lookFrom) state.selected.space.lookFrom(eye);
  if (kept.length) (state.selected.sight ||= newSight()).kept = kept;
  if (state.selected.sightPanel) state.selected.sightPanel.list();
  if (view !== null && views.names.includes(view)) views.open(view);
  const controls = new Map();
  for (const e of keptControls(document.getElementById("app"))) {
    const value = set.get(keyOf(e).replaceAll("\n", "/"));
    if (value !== undefined) controls.set(keyOf(e), e.type === "checkbox" ? value === "on" : value);
    else if (whole && changedControl(e)) controls.set(keyOf(e), firstOf(e));
  }
  const rack = q.get("rack"), cable = q.get("cable");
  if (whole && (rack === null || cable !== null)) go.clear();
  recall({ made: [], controls, sorted: [], open: new Map(), scrolled: [], view: null, rack, cable, focus: null }, state, views, go);
  const at = (q.get("at") || "").split(" ").map(Number);
  if (at.length === 3 && at.every(Number.isFinite) && at[2] > 0) state.floor.lookAt(...at);
  else if (whole && state.floor.view.width > 1 && movedView(state.floor)) state.floor.fit();
  const gone = missingOf(m, views, { view, rack, cable });
  if (gone.length) go.missing(gone);
}

// firstOf is the value that a control was made with.
function firstOf(e) {
  if (e.type === "checkbox") return e.defaultChecked;
  if (e.tagName === "SELECT") return ([...e.options].find((o) => o.defaultSelected) || e.options[0]).value;
  return e.defaultValue;
}

// missingOf says what a link names that the page does not have.
function missingOf(m, views, { view, rack, cable }) {
  const out = [], found = rack === null ? -1 : m.racks.names.indexOf(rack);
  if (view !== null && !views.names.includes(view)) out.push(`The link leads to a view "${view}", which this page does not have.`);
  if (rack !== null && found < 0) out.push(`The link leads to ${m.racks.level} "${rack}", which this plan does not have.`);
  else if (rack !== null && m.racks.boxes[found] === 0) out.push(`The link leads to position ${rack}, which is free in this plan.`);
  if (cable !== null && !m.cables) out.push(`The link leads to cable "${cable}"; this page does not list cables.`);
  else if (cable !== null && cableNamed(m, cable) < 0) out.push(`The link leads to cable "${cable}", which this plan does not have.`);
  return out;
}

const detailsKey = (d) => `${d.closest(".view") ? d.closest(".view").id : ""}\n${d.firstChild.firstChild ? d.firstChild.firstChild.textContent : ""}`;
const scrollKey = (e) => {
  const view = e.closest(".view") || document.getElementById("app");
  return `${view.id}\n${e.className}\n${[...view.querySelectorAll(`.${e.className.split(" ")[0]}`)].indexOf(e)}`;
};

// recall sets a page to what it was set to, as far as it has what that was about.
function recall(kept, state, views, go) {
  const app = document.getElementById("app"), { floor, model: m } = state;
  for (const key of kept.made) views.make(key);
  if (kept.view) Object.assign(floor.view, kept.view);
  for (const e of keptControls(app)) {
    const value = kept.controls.get(keyOf(e));
    if (value === undefined) continue;
    if (e.type === "checkbox") e.checked = value;
    else if (e.tagName === "SELECT" && ![...e.options].some((o) => o.value === value)) continue;
    else e.value = value;
    if (!e.closest(".search")) e.dispatchEvent(new Event(e.tagName === "SELECT" || e.type === "checkbox" ? "change" : "input"));
  }
  for (const h of app.querySelectorAll("th[aria-sort]")) {
    for (const [table, column, sort] of kept.sorted) {
      if (h.closest(".scroll").getAttribute("aria-label") !== table || h.textContent !== column) continue;
      for (let i = 0; i < 2 && h.getAttribute("aria-sort") !== sort; i++) h.querySelector("button").click();
    }
  }
  for (const d of app.querySelectorAll("details")) {
    const open = kept.open.get(detailsKey(d));
    if (open !== undefined) d.open = open;
  }
  const rack = kept.rack === null ? -1 : m.racks.names.indexOf(kept.rack);
  if (rack >= 0 && m.racks.boxes[rack] > 0) go.pickRack(rack);
  const cable = kept.cable === null ? -1 : cableNamed(m, kept.cable);
  if (cable >= 0) go.pickCable(cable);
  for (const [key, at] of kept.scrolled) {
    for (const e of app.querySelectorAll(".view, .view .page, .view .scroll, .filters, .longbody")) if (scrollKey(e) === key) e.scrollTop = at;
  }
  if (document.activeElement !== document.body) return;
  if (kept.focus === "floor") floor.element.focus({ preventScroll: true });
  else if (kept.focus === "tab") app.querySelector('[role="tab"][aria-selected="true"]').focus();
  else if (kept.focus) keptControls(app).find((e) => keyOf(e) === kept.focus)?.focus({ preventScroll: true });
}
