// Fingers on the floor and on the view in three dimensions.

// isTouched reports whether fingers point, in place of a mouse, so that hints speak of them.
const isTouched = () => matchMedia("(pointer: coarse)").matches;

// isPhone reports whether the window is as narrow or as low as that of a phone: the page is one column then, as the
// stylesheet has it.
const isPhone = () => matchMedia("(max-width: 560px), (max-height: 500px)").matches;

// pageScrolls reports whether the page is scrolled as a whole, as on a phone: there one finger on a picture scrolls the
// page past it, and two move the picture.
const pageScrolls = () => document.documentElement.scrollHeight > window.innerHeight + 1;

// takeTouches keeps the page from scrolling under touches that a picture takes: those of two fingers, of one where the
// page does not scroll, and of what is dragged. on adds a listener to the picture.
function takeTouches(on, dragged) {
  for (const type of ["touchstart", "touchmove"]) {
    on(type, (e) => { if (e.cancelable && (e.touches.length > 1 || dragged() || !pageScrolls())) e.preventDefault(); }, { passive: false });
  }
}

// newPinch follows two fingers. step calls f with how far their middle has moved, the factor by which they have parted,
// their middle, and the angle by which they have turned clockwise, in radians.
function newPinch() {
  let apart = 0, middle = null, slope = 0;
  const look = ([p, q]) => {
    apart = Math.hypot(p[0] - q[0], p[1] - q[1]);
    middle = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
    slope = Math.atan2(q[1] - p[1], q[0] - p[0]);
  };
  return {
    begin(pointers) { if (pointers.size === 2) look([...pointers.values()]); },
    step(pointers, f) {
      const before = { apart, middle, slope };
      look([...pointers.values()]);
      const turned = slope - before.slope;
      if (before.apart) f(middle[0] - before.middle[0], middle[1] - before.middle[1], apart / before.apart, ...middle, Math.atan2(Math.sin(turned), Math.cos(turned)));
    },
  };
}
