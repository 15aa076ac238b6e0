// What moves the player: buttons, keys, printing; and the begin of it all.

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
    state.kept = [state.at, state.step, state.from, state.length];
    if (first >= 0) {
      [state.from, state.length] = [upper().window[0], state.wide];
      goToStep(first);
    }
  });
  addEventListener("afterprint", () => {
    if (!state.kept) return;
    [state.at, state.step, state.from, state.length] = state.kept;
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
    [rect("mistaken", 1, 1, 32, 14), "believes it holds, and does not"],
    [`<rect class="paused" fill="url(#picture-0-hatch)" x="1" y="1" width="32" height="14"></rect>`, "its process is stopped, or its thread sleeps"],
    [rect("crowd", 1, 1, 32, 14), "two inside"],
    [line("flight c0", 6, 1, 14, 15) + line("flight c0 faint", 14, 15, 26, 1), "a command on its way to the store, and the reply"],
    [markAt("c", 17, 12), "conflict"],
    [markAt("r", 17, 12), "write rejected, or a worker dies"],
    [markAt("o", 17, 12), "finds the lock lost"],
    [markAt("l", 17, 12), "another fault, named beside it"],
    [markAt("a", 17, 8), "write accepted"],
  ].map(([drawn, text]) => `<li>${sample(drawn)}${text}</li>`).join("");
}

if (data.runs.length > 0) {
  $("player").hidden = false;
  listen();
  legend();
  open();
}
