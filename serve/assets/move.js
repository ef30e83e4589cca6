// Racks that are dragged on the floor, or carried with the keyboard, or copies of them: what it would change is shown
// before they are dropped.
window.plenumMover = (editor) => {
  "use strict";
  const { preview, take, figures, now, say } = editor;
  const pause = 60; // milliseconds over one position before what it would change is asked
  const sign = (by, text) => `${by > 0 ? "+" : "\u2212"}${text}`;

  // changes lists the figures that a plan changes: cost always, then what else differs.
  const changes = (plan) => {
    const before = new Map(figures(now()).map(([name, , value]) => [name, value]));
    const out = [];
    for (const [name, unit, value, format] of figures(plan)) {
      const by = value - (before.get(name) ?? value), text = format.format(Math.abs(by));
      const same = +text.replaceAll(",", "") === 0;
      if (name === "cost" || name === "cable" || name.startsWith("delay") || !same) {
        out.push([name.startsWith("delay") ? name.replace("delay", "mean delay") : name, same ? "unchanged" : `${sign(by, text)} ${unit}`.trim()]);
      }
    }
    return out;
  };

  const line = (...parts) => {
    const div = document.createElement("div");
    div.append(...parts);
    return div;
  };
  const bold = (text) => {
    const b = document.createElement("b");
    b.textContent = text;
    return b;
  };

  // begin picks a rack up, or a copy of it. page is the floor: m, state, find, tip, marked, floor.
  const begin = (page, copy, from = page.state.rack) => {
    const { m, state, tip } = page, r = m.racks, name = (i) => r.names[i];
    const carry = { copy, rack: from, to: from, at: [r.x_m[from], r.y_m[from]], good: null };
    let timer = 0, job = null, found = null, over = null;
    state.carried = carry;
    const words = () => {
      if (carry.to < 0 || carry.to === from) return [bold(`${copy ? "Copy of " : ""}${name(from)}: `), `carry it to ${copy ? "a free" : "another"} position`];
      const head = line(bold(`${copy ? "Copy of " : ""}${name(from)} to ${name(carry.to)}`), !copy && r.boxes[carry.to] ? ", in exchange" : "");
      if (!found) return [head, line("planning ...")];
      if (found.error) return [head, line(`Refused: ${found.error}`)];
      return [head, ...changes(found.plan).map(([what, by]) => line(`${what} `, bold(by)))];
    };
    const tell = () => {
      tip.replaceChildren(...words());
      tip.hidden = false;
      tip.classList.toggle("bad", carry.good === false);
      const box = tip.parentElement.getBoundingClientRect(), v = page.floor.view;
      const x = over ? over.clientX - box.left : (carry.at[0] - v.x) * v.scale + v.width / 2;
      const y = over ? over.clientY - box.top : v.height / 2 - (carry.at[1] - v.y) * v.scale;
      tip.style.left = `${Math.max(4, Math.min(x + 18, box.width - tip.offsetWidth - 4))}px`;
      tip.style.top = `${y + 22 + tip.offsetHeight > box.height ? Math.max(4, y - tip.offsetHeight - 14) : y + 22}px`;
      page.marked();
    };
    const ask = async () => {
      const mine = job = new AbortController(), to = carry.to;
      try {
        const out = await preview(name(from), name(to), mine.signal, copy);
        if (job !== mine) return;
        found = out;
        carry.good = true;
      } catch (err) {
        if (err.name === "AbortError" || job !== mine) return;
        found = { error: err.message };
        carry.good = false;
      }
      tell();
      say(words().map((w) => (w.textContent ?? w)).join("; "));
    };
    const target = (to, at, wait) => {
      carry.at = at;
      if (to !== carry.to) {
        carry.to = to;
        found = carry.good = null;
        clearTimeout(timer);
        if (job) job.abort();
        job = null;
        if (to >= 0 && to !== from) timer = setTimeout(ask, wait);
      }
      tell();
    };
    const end = () => {
      clearTimeout(timer);
      if (job) job.abort();
      job = null;
      delete state.carried;
      carrying = null;
      tip.hidden = true;
      tip.classList.remove("bad");
      page.marked();
    };
    return {
      carry,
      to(at, e) { over = e; target(page.find(...at), at, pause); },
      step(dx, dy) {
        const i = page.neighbour(carry.to < 0 ? from : carry.to, dx, dy);
        target(i, [r.x_m[i], r.y_m[i]], 0);
        if (i !== from) say(`At ${name(i)}, ${r.boxes[i] ? `where ${r.boxes[i] === 1 ? "a box stands" : `${r.boxes[i]} boxes stand`}` : "which is free"}.`);
      },
      async drop() {
        const to = carry.to, known = found;
        end();
        if (to >= 0 && to !== from) await take(name(from), name(to), known, copy);
      },
      cancel() { end(); say(copy ? "Not copied." : "Not moved."); },
    };
  };
  let carrying = null; // with the keyboard

  return {
    // grab is what a pointer drags: the rack under it, or a copy of it with Ctrl or Alt. A finger drags the selected rack
    // only, since it also moves the floor. Nothing is carried before the pointer moves.
    grab(page, at, e) {
      const rack = page.find(...at), touch = !!e && e.pointerType === "touch";
      if (rack < 0 || (rack !== page.state.rack && (touch || page.m.racks.boxes[rack] === 0))) return null;
      let held = null;
      return {
        to(to, now) {
          if (!held) {
            held = begin(page, !!e && (e.ctrlKey || e.altKey), rack);
            say(`Carrying ${held.carry.copy ? "a copy of " : ""}${page.m.racks.names[rack]}: it is put down where the pointer is released, Escape cancels.`);
          }
          held.to(to, now);
        },
        async drop() { if (held) await held.drop(); },
        cancel() { if (held) held.cancel(); },
      };
    },
    // key reports whether a key on the floor is one for carrying.
    key(page, e) {
      if (!carrying) {
        if (!/^[mc]$/.test(e.key) || e.ctrlKey || e.metaKey || page.state.rack < 0) return false;
        carrying = begin(page, e.key === "c");
        carrying.step(0, 0);
        say(`Carrying ${e.key === "c" ? "a copy of " : ""}${page.m.racks.names[page.state.rack]}: arrows move it, Enter puts it down, Escape cancels.`);
        return true;
      }
      const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
      if (arrow) carrying.step(...arrow);
      else if (e.key === "Enter") carrying.drop();
      else if (/^(Escape|m|c)$/.test(e.key)) carrying.cancel();
      else return false;
      return true;
    },
    // control is a form beside the figures of a rack that moves it, or copies it.
    control(m, rack) {
      const form = document.createElement("form"), label = document.createElement("label"), input = document.createElement("input");
      const button = document.createElement("button"), list = document.createElement("datalist");
      form.className = "moveto";
      list.id = "plenum-positions";
      if (m.racks.count <= 5000) {
        list.append(...m.racks.names.map((n) => Object.assign(document.createElement("option"), { value: n })));
      }
      input.setAttribute("list", list.id);
      input.required = true;
      input.autocomplete = "off";
      input.size = 10;
      label.append("To ", input);
      button.textContent = "Move";
      const hint = document.createElement("small"), copy = document.createElement("button");
      copy.textContent = copy.value = "Copy";
      hint.textContent = matchMedia("(pointer: coarse)").matches ? "or drag it on the floor" : m.room ? "or drag it on the floor, with Ctrl or Alt to copy it; there, M carries it with the arrow keys, and C a copy"
        : "or drag it on the floor; there, M carries it with the arrow keys";
      form.append(label, button, ...(m.room ? [copy] : []), list, hint);
      form.addEventListener("submit", (e) => {
        e.preventDefault();
        take(m.racks.names[rack], input.value.trim(), null, e.submitter === copy);
      });
      return form;
    },
  };
};
