// The picture of a run: its lanes over a window of time, as the text of an SVG. Only numbers of the run and words of this
// file get into it.

const lane = { axis: 24, count: 30, worker: 98, store: 60, oneStore: 32 }; // heights; a store of several is lower

const tag = (name, attributes, content = "") =>
  `<${name} ${Object.entries(attributes).map(([k, v]) => `${k}="${typeof v === "number" ? Math.round(v * 10) / 10 : v}"`).join(" ")}>${content}</${name}>`;
const rect = (cls, x, y, width, height) => tag("rect", { class: cls, x, y, width: Math.max(width, 1), height });
const line = (cls, x1, y1, x2, y2) => tag("line", { class: cls, x1, y1, x2, y2 });
const words = (cls, x, y, text, anchor = "start") => tag("text", { class: cls, x, y, "text-anchor": anchor }, text);
const wide = text => text.length * 7; // about how many pixels a text takes

// layoutOf shares out the height: the store is between the workers, so that commands have a short way.
function layoutOf(run) {
  const rows = [{ kind: "count", height: lane.count }];
  const above = Math.ceil(run.workers / 2);
  for (let w = 0; w < run.workers; w++) {
    if (w === above) addStores();
    rows.push({ kind: "worker", worker: w, height: lane.worker });
  }
  if (run.workers <= above) addStores();
  function addStores() {
    for (let s = 0; s < run.stores; s++) rows.push({ kind: "store", store: s, height: run.stores > 1 ? lane.oneStore : lane.store });
  }
  let top = lane.axis;
  for (const row of rows) {
    row.top = top;
    top += row.height;
  }
  return { rows, height: top, of: (kind, number) => rows.find(r => r.kind === kind && r[kind] === number) };
}

// A Picture draws one run.
class Picture {
  constructor(run, scale, width, id) {
    Object.assign(this, { run, scale, width, id, layout: layoutOf(run), narrow: scale.left < 20 });
  }

  svg() {
    const parts = [this.hatch(), this.axis()];
    for (const row of this.layout.rows) parts.push(this.ground(row));
    parts.push(this.crowd(), this.flights());
    for (const row of this.layout.rows) parts.push(this[row.kind + "Row"](row));
    parts.push(this.ends());
    for (const row of this.layout.rows) if (row.kind === "worker") parts.push(this.marks(row));
    return parts.join("");
  }

  hatch() {
    return `<defs><pattern id="${this.id}-hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="8"></line></pattern></defs>`;
  }

  axis() {
    const { scale } = this, step = roundStep(scale.length, (scale.right - scale.left) / 95);
    let out = "";
    for (let at = Math.ceil(scale.from / step) * step; at <= scale.to; at += step) {
      const x = scale.x(at);
      out += line("rule", x, lane.axis - 5, x, this.layout.height);
      out += words("small", Math.min(Math.max(x, scale.left + 14), scale.right - 20), lane.axis - 9, inWords(at, step), "middle");
    }
    return out;
  }

  ground(row) {
    const { scale, narrow } = this, middle = row.top + row.height / 2;
    let out = row.kind === "worker" ? rect("ground", 0, row.top + 1, this.width, row.height - 2) : "";
    const name = { count: "inside", store: this.run.stores > 1 ? `store ${row.store}` : "store", worker: `worker ${row.worker}` }[row.kind];
    if (narrow) return out + words("small strong halo", scale.left + 2, row.top + 14, name);
    out += words("strong", 6, row.kind === "worker" ? row.top + 22 : middle + 4, name);
    if (row.kind === "worker") {
      out += words("small", 6, row.top + 46, "believes");
      out += words("small", 6, row.top + 73, this.run.holds.length ? "holds, in truth" : this.run.bound ? "lease, at most" : "");
    }
    return out;
  }

  spans(list, draw) {
    let out = "";
    for (const [from, to] of list) {
      if (this.scale.sees(from, to)) out += draw(this.scale.x(from), this.scale.x(to), from, to);
    }
    return out;
  }

  crowd() {
    const first = this.layout.rows[0];
    return this.spans(this.run.crowd, (a, b) => rect("crowd", a, first.top, b - a, this.layout.height - first.top));
  }

  // countRow is the referee's count.
  countRow(row) {
    const { scale, run } = this, bottom = row.top + row.height - 4;
    let out = line("rule", scale.left, bottom, scale.right, bottom);
    run.counts.forEach(([at, count], i) => {
      const end = i + 1 < run.counts.length ? run.counts[i + 1][0] : run.end;
      if (!count || end <= at || !scale.sees(at, end)) return;
      const a = scale.x(at), b = scale.x(end), height = Math.min(count, 3) * 7;
      out += rect("count" + (count > 1 ? " many" : ""), a, bottom - height, b - a, height);
      if (b - a > 12) out += words("small strong" + (count > 1 ? " on" : " on"), (a + b) / 2, bottom - height / 2 + 4, count > 1 ? count : "", "middle");
    });
    return out;
  }

  workerRow(row) {
    const c = "c" + row.worker % 6, w = this.run.spans[row.worker], top = row.top + 30, height = 24, truth = row.top + 62;
    let out = this.spans(w[stopped], (a, b) => this.pause(row, a, b)) + this.spans(w[asleep], (a, b) => this.pause(row, a, b));
    out += this.spans(this.run.mistaken[row.worker], (a, b) => rect("mistaken", a, row.top + 4, b - a, row.height - 8));
    out += this.spans(w[waiting], (a, b) => line(`waiting ${c}`, a, top + height / 2, b, top + height / 2));
    out += this.spans(w[believing], (a, b) => rect(`believing ${c}`, a, top + 2, b - a, height - 4));
    out += this.spans(w[inside], (a, b) => rect(`inside ${c}`, a, top, b - a, height));
    out += this.spans(w[working], (a, b) => rect("work", a, top + height - 6, b - a, 4));
    out += this.spans(w[inside], (a, b) => b - a > 50 ? words("on strong", (a + b) / 2, top + 16, "inside", "middle") : "");
    out += this.spans(w[stopped], (a, b, from, to) => this.pauseName(row, a, b, `stopped for ${inWords(to - from, 1000)}`, "stopped"));
    out += this.spans(w[asleep], (a, b, from, to) => this.pauseName(row, a, b, `its thread sleeps ${inWords(to - from, 1000)}`, "sleeps"));
    this.run.holds.forEach((h, i) => {
      const next = this.run.holds[i + 1], rest = Math.min(h.lease, next ? next.from : h.lease);
      if (h.worker !== row.worker || !this.scale.sees(h.from, Math.max(h.to, rest))) return;
      const a = this.scale.x(h.from), b = this.scale.x(h.to);
      out += rect(`hold ${c}`, a, truth, b - a, 13);
      if (rest > h.to) out += rect(`rest ${c}`, b, truth + 2, this.scale.x(rest) - b, 9);
    });
    if (this.run.bound) out += this.spans(w[believing], (a, b, from, to) => this.boundOf(row, from, to, truth, c));
    out += this.spans(this.run.mistaken[row.worker], (a, b) => this.mistakenName(row, a, b));
    return out;
  }

  // boundOf is the life of a lease of which only is known that it has ended at its end.
  boundOf(row, from, to, truth, c) {
    const wrong = this.run.mistaken[row.worker].find(m => m[0] >= from && m[1] <= to);
    return rect(`rest ${c}`, this.scale.x(from), truth + 2, this.scale.x(wrong ? wrong[0] : to) - this.scale.x(from), 9);
  }

  pause(row, a, b) {
    return tag("rect", { class: "paused", fill: `url(#${this.id}-hatch)`, x: a, y: row.top + 26, width: Math.max(b - a, 1), height: 32 });
  }

  pauseName(row, a, b, whole, short) {
    return this.named("strong halo", a, b, row.top + 46, [whole, short]);
  }

  mistakenName(row, a, b) {
    return this.named("alarm halo", a, b, row.top + row.height - 9, ["believes it holds, and does not", "does not hold it", "mistaken"]);
  }

  // named writes the first of some texts that fits between two places, or none.
  named(cls, a, b, y, texts) {
    const text = texts.find(t => wide(t) + 8 <= b - a);
    return text ? words(cls, (a + b) / 2, y, text, "middle") : "";
  }

  storeRow(row) {
    const { scale, run } = this, middle = row.top + row.height / 2;
    let out = line("store", scale.left, middle, scale.right, middle);
    if (run.stores > 1) return out; // who has the lock is what a majority says
    for (const h of run.holds) {
      if (!scale.sees(h.from, h.to)) continue;
      const a = scale.x(h.from), b = scale.x(h.to);
      out += rect(`inside c${h.worker % 6}`, a, middle - 9, b - a, 18);
      out += this.named("on", a, b, middle + 4, [`leased to worker ${h.worker}`, `worker ${h.worker}`, `${h.worker}`]);
    }
    return out;
  }

  // ends are the ends of leases that no release came before.
  ends() {
    const top = this.layout.rows[0].top, bottom = this.layout.height;
    let out = "", free = -1;
    for (const h of this.run.holds) {
      if (!h.expired || !this.scale.sees(h.to, h.to)) continue;
      const x = this.scale.x(h.to), half = wide("lease ends") / 2;
      out += line("ends", x, top, x, bottom);
      if (x - half > free) {
        out += words("small strong halo", Math.min(Math.max(x, this.scale.left + half), this.scale.right - half), top + 11, "lease ends", "middle");
        free = x + half + 6;
      }
    }
    return out;
  }

  // flights are commands on their way to the store, and replies on their way back.
  flights() {
    let out = "";
    for (const f of this.run.flights) {
      if (!this.scale.sees(f.sent, Math.max(f.replied, f.executed))) continue;
      const worker = this.layout.of("worker", f.worker), store = this.layout.of("store", f.store);
      const above = worker.top < store.top, own = above ? worker.top + worker.height - 14 : worker.top + 8;
      const theirs = store.top + store.height / 2 + (above ? -9 : 9);
      const near = Math.abs(worker.top - store.top) < 2 * lane.worker; // else it crosses other lanes
      const cls = `flight c${f.worker % 6}` + (near ? "" : " far") + (f.command === "acquire" ? " faint" : "");
      const sent = this.scale.x(f.sent), executed = this.scale.x(f.executed);
      out += line(cls, sent, own, executed, theirs);
      if (f.replied >= 0) out += line(cls + " faint", executed, theirs, this.scale.x(f.replied), own);
      if (executed - sent > 26) out += words("small halo", (sent + executed) / 2, (own + theirs) / 2, f.command, "middle");
    }
    return out;
  }

  // marks stand side by side where they are close together, and are named beside them.
  marks(row) {
    let out = "", free = -1;
    for (const group of this.groups(row)) {
      const x = this.scale.x(group[0].at), width = 12 * (group.length - 1);
      group.forEach((s, i) => (out += markAt(s.mark, x + 12 * i, row.top + 24)));
      const names = [...new Set(group.filter(s => s.mark !== "a").map(s => data.marks[s.mark]))];
      if (!names.length || x - 7 < free) continue;
      const right = this.scale.right - x - width - 10, left = x - 10 - Math.max(free, this.scale.left);
      const text = [names.join(", "), `${names[0]} and ${names.length - 1} more`, names[0]].find(t => wide(t) <= Math.max(right, left));
      if (!text) continue;
      const after = wide(text) <= right;
      out += words("alarm halo", after ? x + width + 10 : x - 10, row.top + 22, text, after ? "start" : "end");
      free = after ? x + width + 10 + wide(text) : x + width + 7;
    }
    return out;
  }

  // groups are a worker's marked steps, those together that would lie over each other.
  groups(row) {
    const groups = [];
    let end = -Infinity;
    for (const s of this.run.steps) {
      if (s.worker !== row.worker || s.mark === "." || !this.scale.sees(s.at, s.at)) continue;
      const x = this.scale.x(s.at), last = groups[groups.length - 1];
      if (last && x < end) {
        if (!last.some(o => o.mark === s.mark)) last.push(s);
      } else {
        groups.push([s]);
      }
      end = this.scale.x(groups[groups.length - 1][0].at) + 12 * groups[groups.length - 1].length;
    }
    return groups;
  }
}

// markAt draws a mark whose lower end is at a place.
function markAt(mark, x, y) {
  switch (mark) {
    case "c": return tag("path", { class: "mark", d: `M${x - 7} ${y - 8}h14l-7 11z` });
    case "r": case "x": return tag("path", { class: "cross", d: `M${x - 5} ${y - 9}l10 10m0-10l-10 10` });
    case "a": return tag("circle", { class: "mark calm", cx: x, cy: y, r: 3.5 });
    case "o": return tag("path", { class: "mark", d: `M${x - 6} ${y - 9}h12v10h-12z` });
    default: return tag("path", { class: "mark", d: `M${x} ${y - 11}l7 7l-7 7l-7-7z` });
  }
}
