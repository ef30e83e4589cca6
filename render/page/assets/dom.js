// Elements of the page. Texts of the plan only ever become text nodes and attributes of plain text.

// el makes an element: attributes, then children, which are elements or texts.
function el(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  return fill(e, attributes, children);
}

// svg makes an element of a drawing.
function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(e, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else e.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) e.append(child);
  }
  return e;
}

// replace puts children in the place of all that an element has.
function replace(e, ...children) {
  e.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
}

// colourOf reads a colour of the stylesheet.
function colourOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// figures is a list of names and values.
function figures(pairs, attributes = {}) {
  return el("dl", { class: "facts", ...attributes }, pairs.filter(Boolean).map(([name, value, note]) =>
    el("div", {}, el("dt", {}, name), el("dd", {}, value, note ? el("small", {}, note) : null))));
}

// The colours of classes, of shares and of media: those of all of Plenum's drawings, which come with the data.
let palette = [], heat = [], mediumColours = {}, kindColours = {}, traySteps = [];
function takeColours(c) {
  palette = c.series;
  heat = c.heat;
  mediumColours = c.media;
  kindColours = c.kinds;
  traySteps = c.tray_steps;
}
const mediumColour = (name) => mediumColours[name] || mediumColours[""];
