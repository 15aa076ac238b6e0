// Times and places: from microseconds of the run to pixels, and to words.

// roundStep is the smallest of 1, 2 and 5 times a power of ten that cuts a length into at most so many parts.
function roundStep(length, parts) {
  const least = Math.max(1, length / parts), power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map(f => f * power).find(step => step >= least * (1 - 1e-9));
}

// inWords is a length of time with the digits that the step of an axis makes worth reading.
function inWords(us, step) {
  if (step >= 1e5) return (us / 1e6).toFixed(Math.max(0, 6 - Math.floor(Math.log10(step)))) + " s";
  return (us / 1e3).toFixed(Math.max(0, 3 - Math.floor(Math.log10(step)))) + " ms";
}

// clock is a moment of the run.
const clock = us => (us / 1e3).toFixed(3) + " ms";

// A Scale says where times are drawn.
class Scale {
  constructor(from, length, left, right) {
    Object.assign(this, { from, length, left, right, to: from + length });
  }
  x(at) { return this.left + (Math.min(Math.max(at, this.from), this.to) - this.from) / this.length * (this.right - this.left); }
  time(x) { return this.from + (Math.min(Math.max(x, this.left), this.right) - this.left) / (this.right - this.left) * this.length; }
  sees(from, to) { return to >= this.from && from <= this.to; }
}
