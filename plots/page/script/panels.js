// What is seen of the state: a panel for each run, the strip of the whole run, the sentence, and the steps.

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
const isWrong = step => !".agk".includes(step.mark) || / does(?: not know)/.test(step.text);

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
