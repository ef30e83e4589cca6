// Tables: a small one that is sorted and searched, and a long one of which only the rows in sight exist.

// sortTable shows rows under columns {name, get, text, number, wide}; a heading sorts, a search keeps what has the text.
function sortTable({ caption, columns, rows, search, pick, of }) {
  let by = -1, down = false, wanted = "";
  const body = el("tbody");
  const heads = columns.map((c, i) => el("th", { scope: "col", class: c.number ? "number" : null, "aria-sort": "none" },
    el("button", { type: "button", class: "sort", onclick: () => sort(i) }, c.name)));
  const count = el("span", { class: "count", role: "status" });
  const text = (c, row) => (c.text ? c.text(row) : String(c.get(row) ?? ""));
  const sort = (i) => {
    down = by === i ? !down : !!columns[i].number;
    by = i;
    show();
  };
  const show = () => {
    let some = rows;
    if (wanted) some = rows.filter((r) => columns.some((c) => text(c, r).toLowerCase().includes(wanted)));
    if (by >= 0) {
      const get = columns[by].get;
      const order = (x, y) => {
        const a = get(x) ?? (columns[by].number ? -Infinity : ""), b = get(y) ?? (columns[by].number ? -Infinity : "");
        return a < b ? -1 : a > b ? 1 : 0;
      };
      some = [...some].sort((x, y) => (down ? -order(x, y) : order(x, y)));
    }
    heads.forEach((h, i) => h.setAttribute("aria-sort", i !== by ? "none" : down ? "descending" : "ascending"));
    replace(body, some.map((r) => {
      const row = el("tr", { "data-of": of ? of(r) : null }, columns.map((c) => {
        const name = c.number ? "number" : c.wide ? "wide" : null;
        return el("td", { class: name }, c.show ? c.show(r) : text(c, r));
      }));
      if (pick) row.addEventListener("click", () => pick(r));
      return row;
    }));
    count.textContent = some.length === rows.length ? `${whole.format(rows.length)} rows`
      : `${whole.format(some.length)} of ${whole.format(rows.length)} rows`;
  };
  show();
  const input = search ? el("input", {
    type: "search", placeholder: search, "aria-label": search,
    oninput: (e) => { wanted = e.target.value.trim().toLowerCase(); show(); },
  }) : null;
  return el("div", { class: "sorttable" }, search ? el("div", { class: "tools" }, input, count) : null,
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      el("table", {}, el("caption", { class: "away" }, caption), el("thead", {}, el("tr", {}, heads)), body)));
}

const rowHeight = 24;
const mostPixels = 8e6; // browsers do not lay out elements of any height

// longTable shows rows 0 to n-1, whose cells are cell(column, row); only those in sight exist. An arrow key moves the
// row in focus, Enter picks it.
function longTable({ label, columns, pick }) {
  let n = 0, cell = () => "", focus = -1, first = -1, last = -1;
  const spacer = el("div", { class: "spacer" });
  const rows = el("div", { class: "rows", role: "rowgroup" });
  const box = el("div", { class: "longbody", tabindex: "0", role: "grid", "aria-label": label });
  const width = columns.map((c) => c.width).join(" ");
  const head = el("div", { class: "longrow head", "aria-hidden": "true" }, columns.map((c) =>
    el("span", { class: c.number ? "number" : null }, c.name)));
  head.style.gridTemplateColumns = width;
  box.append(head, spacer, rows);
  const seen = () => Math.max(1, box.clientHeight / rowHeight - 1);
  const height = () => Math.min(n * rowHeight, mostPixels);
  const top = () => {
    const room = height() + rowHeight - box.clientHeight;
    return room <= 0 ? 0 : Math.round(box.scrollTop / room * Math.max(0, n - seen()));
  };
  const show = (force) => {
    const from = top(), to = Math.min(n, from + Math.ceil(Math.max(box.clientHeight, 200) / rowHeight) + 1);
    if (!force && from === first && to === last) return;
    first = from;
    last = to;
    rows.style.transform = `translateY(${n * rowHeight > mostPixels ? box.scrollTop : from * rowHeight}px)`;
    const out = [];
    for (let r = from; r < to; r++) {
      const row = el("div", {
        class: "longrow" + (r === focus ? " focus" : ""), role: "row", "aria-rowindex": r + 1,
        onclick: () => { focus = r; pick(r); show(true); },
      }, columns.map((c, i) => el("span", { role: "gridcell", class: c.number ? "number" : null }, cell(i, r))));
      row.style.gridTemplateColumns = width;
      out.push(row);
    }
    replace(rows, out);
  };
  box.addEventListener("scroll", () => show());
  box.addEventListener("keydown", (e) => {
    const page = Math.max(1, Math.floor(seen()) - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -n, End: n }[e.key];
    if (step) {
      focus = Math.max(0, Math.min(n - 1, focus + step));
      const room = height() + rowHeight - box.clientHeight, whole = Math.floor(seen());
      if (room > 0 && (focus < top() || focus >= top() + whole)) {
        const start = step < 0 ? focus : focus - whole + 1;
        box.scrollTop = start / Math.max(1, n - seen()) * room;
      }
      show(true);
      e.preventDefault();
    } else if (e.key === "Enter" && focus >= 0) pick(focus);
  });
  new ResizeObserver(() => show(true)).observe(box);
  return {
    element: el("div", { class: "longtable" }, box),
    set(count, get) {
      n = count;
      cell = get;
      focus = -1;
      spacer.style.height = `${height()}px`;
      box.setAttribute("aria-rowcount", n);
      box.scrollTop = 0;
      show(true);
    },
  };
}
