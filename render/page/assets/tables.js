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
    count.textContent = some.length === rows.length ? plural(rows.length, "row")
      : `${whole.format(some.length)} of ${plural(rows.length, "row")}`;
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

// cutName is a text that loses letters in its middle where there is no room, not the end, by which names differ: head is
// what may be cut.
const cutName = ([head, tail]) => el("span", { class: "cut" }, el("span", {}, head), el("span", {}, tail));

// longTable shows rows 0 to n-1, whose cells are cell(column, row): a text, or its head and its tail as for cutName; only
// rows in sight exist. An arrow key moves the row in focus, Enter picks it. narrow is how a row is laid out on a phone:
// the lines that it has and the template of its columns; each column then has the place at, line /
// column, or is left out, and the unit of its figures.
function longTable({ label, columns, pick, narrow }) {
  let n = 0, cell = () => "", focus = -1, first = -1, last = -1, sought = -1, tall = rowHeight;
  const id = `rows-${longTable.made = (longTable.made || 0) + 1}`;
  const spacer = el("div", { class: "spacer" });
  const rows = el("div", { class: "rows", role: "rowgroup" });
  const box = el("div", { class: "longbody", tabindex: "0", role: "grid", "aria-label": label });
  const width = columns.map((c) => c.width).join(" ");
  const head = el("div", { class: "longrow head", role: "row", "aria-rowindex": 1 }, columns.map((c) =>
    el("span", { role: "columnheader", class: c.number ? "number" : null }, c.name)));
  head.style.gridTemplateColumns = width;
  box.append(head, spacer, rows);
  const headTall = () => (tall === rowHeight ? rowHeight : 0);
  const seen = () => Math.max(1, (box.clientHeight - headTall()) / tall);
  const height = () => Math.min(n * tall, mostPixels);
  const room = () => height() + headTall() - box.clientHeight; // that is scrolled through
  const top = () => (room() <= 0 ? 0 : Math.round(box.scrollTop / room() * Math.max(0, n - seen())));
  const show = (force) => {
    const from = top(), to = Math.min(n, from + Math.ceil(Math.max(box.clientHeight, 200) / tall) + 1);
    if (!force && from === first && to === last) return;
    first = from;
    last = to;
    rows.style.transform = `translateY(${n * tall > mostPixels ? box.scrollTop : from * tall}px)`;
    const out = [], phone = tall !== rowHeight;
    for (let r = from; r < to; r++) {
      const row = el("div", {
        class: "longrow" + (phone ? " tall" : "") + (r === focus ? " focus" : ""), role: "row", id: `${id}-${r}`, "aria-rowindex": r + 2,
        "aria-selected": String(r === focus), onclick: () => { focus = r; pick(r); show(true); },
      }, columns.map((c, i) => {
        if (phone && !c.at) return null;
        const text = cell(i, r), span = el("span", { role: "gridcell", class: c.number ? "number" : null }, Array.isArray(text) ? cutName(text) : text);
        if (phone) {
          span.style.gridArea = c.at;
          if (c.unit && text) span.append(` ${c.unit}`);
        }
        return span;
      }));
      row.style.gridTemplateColumns = phone ? narrow.columns : width;
      row.style.height = `${tall}px`;
      out.push(row);
    }
    replace(rows, out);
    if (focus >= from && focus < to) box.setAttribute("aria-activedescendant", `${id}-${focus}`);
    else box.removeAttribute("aria-activedescendant");
  };
  // seek scrolls to a row as little as brings it into sight: the last one in sight where it lay below, else the first.
  const seek = (r, below) => {
    const whole = Math.floor(seen());
    if (room() > 0 && (r < top() || r >= top() + whole)) box.scrollTop = (below ? r - whole + 1 : r) / Math.max(1, n - seen()) * room();
  };
  const fit = () => {
    const now = narrow && isPhone() ? narrow.lines * 20 + 8 : rowHeight;
    if (now !== tall) {
      tall = now;
      head.classList.toggle("away", tall !== rowHeight);
      box.classList.toggle("tall", tall !== rowHeight);
      spacer.style.height = `${height()}px`;
    }
    if (box.clientHeight > 0 && sought >= 0) {
      seek(sought, false);
      sought = -1;
    }
    show(true);
  };
  box.addEventListener("scroll", () => show());
  box.addEventListener("keydown", (e) => {
    const page = Math.max(1, Math.floor(seen()) - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -n, End: n }[e.key];
    if (step) {
      focus = Math.max(0, Math.min(n - 1, focus + step));
      seek(focus, step > 0);
      show(true);
      e.preventDefault();
    } else if (e.key === "Enter" && focus >= 0) pick(focus);
  });
  new ResizeObserver(fit).observe(box);
  return {
    element: el("div", { class: "longtable" }, box),
    // mark has a row marked, -1 for none, and scrolls to it, now or when the table is in sight.
    mark(r) {
      focus = sought = r;
      fit();
    },
    set(count, get) {
      n = count;
      cell = get;
      focus = sought = -1;
      spacer.style.height = `${height()}px`;
      box.setAttribute("aria-rowcount", n + 1);
      box.scrollTop = 0;
      show(true);
    },
  };
}
