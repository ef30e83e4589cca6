// Fingers on the floor and on the view in three dimensions.

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
// and their middle.
function newPinch() {
  let apart = 0, middle = null;
  return {
    begin() { apart = 0; middle = null; },
    step(pointers, f) {
      const [p, q] = [...pointers.values()];
      const now = Math.hypot(p[0] - q[0], p[1] - q[1]), at = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
      if (apart) f(at[0] - middle[0], at[1] - middle[1], now / apart, ...at);
      apart = now;
      middle = at;
    },
  };
}
