// The player: which runs are shown, which moment of them, and what moves it.

const $ = id => document.getElementById(id);
const speeds = [[0.001, "1/1000"], [0.01, "1/100"], [0.05, "1/20"], [0.1, "1/10"], [0.25, "1/4"], [0.5, "1/2"], [1, "real time"], [2, "2 ×"], [5, "5 ×"]];
const lengths = [5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 2e7, 6e7]; // µs in sight, beside the first window's
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const state = { run: 0, below: -1, at: 0, step: -1, from: 0, length: 1e6, playing: false, speed: 0.25 };

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
  const another = run !== state.run || !state.length0;
  Object.assign(state, { run, below });
  choose();
  panels();
  if (another || at !== undefined) {
    const [from, to] = upper().window;
    state.length0 = to - from;
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

// panels makes a panel for each run that is shown.
function panels() {
  $("panels").replaceChildren(...shown().map((run, i) => {
    const panel = document.createElement("div"), title = document.createElement("h3"), said = document.createElement("p");
    panel.className = "panel";
    title.textContent = (data.runs.length > 1 || run.scenario ? run.scenario + " · " : "") + run.name;
    said.className = "said";
    if (i === 0) said.setAttribute("aria-live", "polite");
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    picture.setAttribute("class", "picture");
    picture.setAttribute("role", "img");
    picture.addEventListener("pointerdown", drag);
    panel.append(title, said, picture);
    return panel;
  }));
}

// paint draws what does not change while the window stays.
function paint() {
  const width = Math.max(300, $("panels").clientWidth), narrow = width < 640;
  const scale = state.scale = new Scale(state.from, state.length, narrow ? 4 : 122, width - 6);
  document.querySelectorAll("#panels .picture").forEach((svg, i) => {
    const run = shown()[i], picture = new Picture(run, scale, width, "picture-" + i), height = picture.layout.height;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("aria-label", `Timeline of ${run.name}, from ${clock(scale.from)} to ${clock(scale.to)}. The steps below say the same in words.`);
    svg.innerHTML = picture.svg() + `<rect class="veil"></rect><line class="now" y1="14" y2="${height}"></line><rect class="flag" y="0" width="104" height="17" rx="3"></rect><text class="flag-text" y="13" text-anchor="middle"></text>`;
  });
  $("zoomed").textContent = inWords(state.length, roundStep(state.length, 100)) + " in sight";
  paintOverview(width);
}

// paintOverview draws the whole run in a strip: its conflicts, and the part in sight.
function paintOverview(width) {
  const all = new Scale(0, end(), 8, width - 8), a = all.x(state.from), b = all.x(state.from + state.length);
  $("overview").setAttribute("viewBox", `0 0 ${width} 22`);
  $("overview").innerHTML = line("base", 8, 11, width - 8, 11) +
    upper().steps.filter(s => s.mark === "c").map(s => line("conflict", all.x(s.at), 3, all.x(s.at), 19)).join("") +
    rect("frame", a, 1, Math.max(b - a, 4), 20);
}

// tell shows the moment.
function tell() {
  const { scale, at } = state, x = scale.x(at);
  document.querySelectorAll(".panel").forEach((panel, i) => {
    const run = shown()[i], step = run.steps[i === 0 ? state.step : stepAt(run, at)];
    say(panel.querySelector(".said"), step);
    const flag = Math.min(Math.max(x, scale.left + 52), scale.right - 52);
    set(panel.querySelector(".now"), { x1: x, x2: x });
    set(panel.querySelector(".veil"), { x, y: lane.axis, width: Math.max(0, scale.right - x), height: 2000 });
    set(panel.querySelector(".flag"), { x: flag - 52 });
    set(panel.querySelector(".flag-text"), { x: flag });
    panel.querySelector(".flag-text").textContent = clock(at);
  });
  $("moment").max = end();
  $("moment").value = at;
  $("moment").setAttribute("aria-valuetext", clock(at));
  $("step-back").disabled = state.step <= 0;
  $("step-on").disabled = state.step >= upper().steps.length - 1;
  $("conflict-before").disabled = nextConflict(-1) < 0;
  $("conflict-after").disabled = nextConflict(1) < 0;
  if (!state.playing || state.step !== state.listed) list();
}

const set = (element, attributes) => Object.entries(attributes).forEach(([k, v]) => element.setAttribute(k, v));

// isWrong reports whether a step is one that should not be.
const isWrong = step => !".ag".includes(step.mark) || / does(?: not know)/.test(step.text);

function say(to, step) {
  if (to.step === step && to.firstChild) return;
  to.step = step;
  to.classList.toggle("wrong", !!step && isWrong(step));
  if (!step) {
    to.replaceChildren(sentence("Nothing has happened yet."));
    return;
  }
  const when = document.createElement("small");
  when.textContent = clock(step.at) + (step.truth ? " · nobody in the run sees this" : "");
  to.replaceChildren(sentence(step.text), document.createElement("br"), when);
}

// sentence is a sentence with its words in capitals emphasized.
function sentence(text) {
  const whole = document.createElement("span");
  whole.className = "sentence";
  text.split(/(\b[A-Z]{2,}(?: [A-Z]{2,})*\b)/).forEach((part, i) => {
    const strong = document.createElement("b");
    strong.textContent = part;
    whole.append(i % 2 ? strong : part);
  });
  return whole;
}

// list shows the steps around the moment.
function list() {
  const steps = upper().steps, first = Math.max(0, Math.min(state.step - 5, steps.length - 14));
  state.listed = state.step;
  const had = document.activeElement && document.activeElement.closest("#steps") ? document.activeElement.step : undefined;
  $("steps").replaceChildren(...steps.slice(first, first + 14).map((step, k) => {
    const item = document.createElement("li"), button = document.createElement("button"), time = document.createElement("time"), text = document.createElement("span");
    button.type = "button";
    button.step = first + k;
    time.textContent = clock(step.at);
    text.textContent = step.text;
    button.className = (step.truth ? "truth" : "") + (isWrong(step) ? " wrong" : "");
    if (button.step === state.step) button.setAttribute("aria-current", "step");
    button.append(time, text);
    button.addEventListener("click", () => goToStep(button.step));
    item.append(button);
    return item;
  }));
  if (had !== undefined) [...$("steps").querySelectorAll("button")].find(b => b.step === had)?.focus();
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
  const all = [...lengths, state.length0].sort((a, b) => a - b);
  const next = direction > 0 ? all.filter(l => l < state.length * 0.99).pop() : all.find(l => l > state.length * 1.01);
  if (next) see(state.at - (state.at - state.from) * Math.min(next, end() * 1.02) / state.length, next);
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

const keys = {
  ",": () => goToStep(state.step - 1), ".": () => goToStep(state.step + 1), " ": () => $("play").click(),
  n: () => $("conflict-after").click(), p: () => $("conflict-before").click(), "+": () => zoom(1), "-": () => zoom(-1),
};
const sliderKeys = { ArrowLeft: -0.01, ArrowRight: 0.01, ArrowDown: -0.01, ArrowUp: 0.01, PageDown: -0.25, PageUp: 0.25 };

function listen() {
  $("scenario").addEventListener("change", () => {
    const name = $("scenario").selectedOptions[0].text, run = data.runs.findIndex(r => r.scenario === name);
    show(run, partner(run));
  });
  $("run").addEventListener("change", () => show(Number($("run").value), Number($("run").value) === state.below ? -1 : state.below));
  $("below").addEventListener("change", () => show(state.run, Number($("below").value)));
  $("play").addEventListener("click", () => (state.playing ? (pause(), tell()) : play()));
  $("step-back").addEventListener("click", () => goToStep(state.step - 1));
  $("step-on").addEventListener("click", () => goToStep(state.step + 1));
  $("conflict-before").addEventListener("click", () => goToStep(nextConflict(-1)));
  $("conflict-after").addEventListener("click", () => goToStep(nextConflict(1)));
  $("zoom-in").addEventListener("click", () => zoom(1));
  $("zoom-out").addEventListener("click", () => zoom(-1));
  $("link").addEventListener("click", link);
  options($("speed"), speeds, state.speed);
  $("speed").addEventListener("change", () => (state.speed = Number($("speed").value)));
  $("moment").addEventListener("input", () => (pause(), goTo(Number($("moment").value))));
  $("moment").addEventListener("keydown", e => {
    if (!(e.key in sliderKeys)) return;
    e.preventDefault();
    pause();
    goTo(state.at + sliderKeys[e.key] * state.length);
  });
  $("player").addEventListener("keydown", e => {
    const typing = e.target.matches("select, button, summary") && (e.key === " " || e.target.matches("select"));
    if (typing || e.ctrlKey || e.altKey || e.metaKey || !(e.key in keys)) return;
    e.preventDefault();
    keys[e.key]();
  });
  addEventListener("hashchange", open);
  new ResizeObserver(() => state.scale && see(state.from, state.length)).observe($("panels"));
  addEventListener("beforeprint", () => {
    const first = upper().steps.findIndex(s => s.mark === "c");
    pause();
    state.printed = [state.at, state.step, state.from, state.length];
    if (first >= 0) {
      [state.from, state.length] = [upper().window[0], state.length0];
      goToStep(first);
    }
  });
  addEventListener("afterprint", () => {
    if (!state.printed) return;
    [state.at, state.step, state.from, state.length] = state.printed;
    see(state.from, state.length);
  });
}

// legend explains the marks, in the colours of worker 0.
function legend() {
  const sample = content => `<svg viewBox="0 0 34 16" class="picture" aria-hidden="true">${content}</svg>`;
  $("legend").innerHTML = [
    [line("waiting c0", 1, 8, 33, 8), "waits for the lock"],
    [rect("believing c0", 2, 3, 30, 10), "believes it holds the lock"],
    [rect("inside c0", 1, 2, 32, 12) + rect("work", 1, 9, 32, 4), "inside; light: works"],
    [rect("hold c0", 1, 3, 18, 10) + rect("rest c0", 19, 4, 14, 8), "holds it in truth; dashed: what was left of the lease"],
    [rect("mistaken", 1, 1, 32, 14), "believes, but its lease has ended"],
    [`<rect class="paused" fill="url(#picture-0-hatch)" x="1" y="1" width="32" height="14"></rect>`, "its process is stopped"],
    [rect("crowd", 1, 1, 32, 14), "two inside"],
    [line("flight c0", 6, 1, 14, 15) + line("flight c0 faint", 14, 15, 26, 1), "a command on its way to the store, and the reply"],
    [markAt("c", 17, 12), "conflict"],
    [markAt("r", 17, 12), "write rejected, or a worker dies"],
    [markAt("o", 17, 12), "finds the lock lost"],
    [markAt("l", 17, 12), "late or stale write"],
    [markAt("a", 17, 8), "write accepted"],
  ].map(([drawn, text]) => `<li>${sample(drawn)}${text}</li>`).join("");
}

if (data.runs.length > 0) {
  $("player").hidden = false;
  listen();
  legend();
  open();
}
