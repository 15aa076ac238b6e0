// The player: which runs are shown, which moment of them, and what moves it.

const $ = id => document.getElementById(id);
const speeds = [[0.001, "1/1000"], [0.01, "1/100"], [0.05, "1/20"], [0.1, "1/10"], [0.25, "1/4"], [0.5, "1/2"], [1, "real time"], [2, "2 ×"], [5, "5 ×"]];
const lengths = [5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 2e7, 6e7]; // µs in sight, beside the first window's
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// run and below are numbers of runs, -1 for none; at, from and length are times: the moment, and the window in sight. wide is the length of
// the window that is seen first; listed is the step around which steps are listed; kept is what printing changes.
const state = { run: 0, below: -1, at: 0, step: -1, from: 0, length: 1e6, wide: 0, playing: false, speed: 0.25, listed: -1, kept: null, scale: null };

const upper = () => runAt(state.run);
const shown = () => (state.below < 0 ? [upper()] : [upper(), runAt(state.below)]);
const end = () => Math.max(...shown().map(r => r.end));

// stepAt is the last step at or before a time; -1 before the first.
function stepAt(run, at) {
  let low = 0, high = run.steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (run.steps[middle].at <= at) low = middle + 1; else high = middle;
  }
  return low - 1;
}

// goTo moves to a time, or to a step.
function goTo(at, step) {
  state.at = Math.min(Math.max(at, 0), end());
  state.step = step === undefined ? stepAt(upper(), state.at) : step;
  look();
}

function goToStep(i) {
  const steps = upper().steps;
  if (i < 0 || i >= steps.length) return;
  pause();
  goTo(steps[i].at, i);
}

// nextConflict is the next step that is a conflict, or the one before; -1 if there is none.
function nextConflict(direction) {
  const steps = upper().steps;
  for (let i = state.step + direction; i >= 0 && i < steps.length; i += direction) {
    if (steps[i].mark === "c") return i;
  }
  return -1;
}

// look brings the moment into sight, and shows it.
function look() {
  const { from, length, at } = state;
  if (at < from + 0.02 * length || at > from + 0.88 * length) see(at - 0.25 * length, length);
  else tell();
}

// see shows a window of time.
function see(from, length) {
  state.length = Math.min(Math.max(length, 200), Math.max(end() * 1.02, 1000));
  state.from = Math.max(0, Math.min(from, end() * 1.02 - state.length));
  paint();
  tell();
}

// show chooses runs, and goes to where the first of them is most worth seeing.
function show(run, below, at) {
  pause();
  const another = run !== state.run || !state.wide;
  Object.assign(state, { run, below });
  choose();
  panels();
  if (another || at !== undefined) {
    const [from, to] = upper().window;
    state.wide = to - from;
    state.length = to - from;
    state.from = from;
    state.at = Math.min(at === undefined ? upper().steps.find(s => s.at >= from)?.at ?? from : at, end());
    state.step = stepAt(upper(), state.at);
    if (state.at < from || state.at > to) state.from = state.at - 0.25 * state.length;
  }
  see(state.from, state.length);
}

// choose fills the choices.
function choose() {
  const names = [...new Set(data.runs.map(r => r.scenario))], mine = data.runs[state.run].scenario;
  const runs = data.runs.map((r, i) => [i, r]).filter(([, r]) => r.scenario === mine);
  options($("scenario"), names.map((n, i) => [i, n]), names.indexOf(mine));
  options($("run"), runs.map(([i, r]) => [i, r.name]), state.run);
  options($("below"), [[-1, "nothing"], ...runs.filter(([i]) => i !== state.run).map(([i, r]) => [i, r.name])], state.below);
  $("scenario").parentElement.hidden = names.length < 2;
  $("run").parentElement.hidden = $("below").parentElement.hidden = runs.length < 2;
  $("scenario-title").textContent = upper().title;
}

function options(select, list, chosen) {
  select.replaceChildren(...list.map(([value, text]) => new Option(text, value, false, value === chosen)));
}

// drag moves the moment along with the pointer.
function drag(down) {
  pause();
  const svg = down.currentTarget, box = svg.getBoundingClientRect();
  const follow = e => {
    state.at = Math.round(state.scale.time((e.clientX - box.left) * svg.viewBox.baseVal.width / box.width));
    state.step = stepAt(upper(), state.at);
    tell();
  };
  svg.setPointerCapture(down.pointerId);
  follow(down);
  svg.addEventListener("pointermove", follow);
  svg.addEventListener("pointerup", () => svg.removeEventListener("pointermove", follow), { once: true });
}

function play() {
  if (state.at >= end()) goTo(0);
  state.playing = true;
  $("play").textContent = "❚❚ pause";
  document.querySelector(".said").setAttribute("aria-live", "off"); // else a screen reader would be told more than it can say
  let last = performance.now();
  const frame = now => {
    if (!state.playing) return;
    const passed = (now - last) * 1000 * state.speed;
    const next = upper().steps[state.step + 1];
    if (!calm.matches) {
      goTo(state.at + passed);
      last = now;
    } else if (!next || passed >= next.at - state.at) { // without motion, from step to step
      goTo(next ? next.at : end(), next ? state.step + 1 : undefined);
      last = now;
    }
    if (state.at >= end() && (!calm.matches || !next)) pause(); else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function pause() {
  state.playing = false;
  $("play").textContent = "▶ play";
  document.querySelector(".said")?.setAttribute("aria-live", "polite");
}

function zoom(direction) {
  const all = [...lengths, state.wide].sort((a, b) => a - b);
  const next = direction > 0 ? all.filter(l => l < state.length * 0.99).pop() : all.find(l => l > state.length * 1.01);
  if (!next) return;
  const share = Math.min(Math.max((state.at - state.from) / state.length, 0.1), 0.7); // where the moment stands in the window
  see(state.at - share * Math.min(next, end() * 1.02), next);
}

// address is a link to the moment.
const address = () => "#" + new URLSearchParams({ run: upper().id, ...(state.below < 0 ? {} : { below: data.runs[state.below].id }), t: (state.at / 1000).toFixed(3) });

function link() {
  const to = location.href.replace(/#.*/, "") + address();
  history.replaceState(null, "", address());
  navigator.clipboard?.writeText(to).catch(() => {});
  $("link").textContent = "it is in the address bar";
  setTimeout(() => ($("link").textContent = "link to this moment"), 2000);
}

// open shows what the address asks for, else the first run.
function open() {
  const asked = new URLSearchParams(location.hash.slice(1)), find = id => data.runs.findIndex(r => r.id === id);
  const run = find(asked.get("run"));
  if (run < 0) {
    const most = data.runs.reduce((best, r, i) => (r.telling > data.runs[best].telling ? i : best), 0);
    show(most, partner(most));
    return;
  }
  const t = Number(asked.get("t"));
  show(run, find(asked.get("below")), asked.has("t") && Number.isFinite(t) ? Math.round(t * 1000) : undefined);
}

// partner is the run of the same scenario in the other world, -1 if there is none.
function partner(run) {
  const r = data.runs[run];
  return data.runs.findIndex(o => o.scenario === r.scenario && o.world !== r.world);
}
