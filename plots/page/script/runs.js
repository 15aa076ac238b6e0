// The runs of the page, as package page has written them: differences become times, numbers go back into their sentences.

const data = JSON.parse(document.getElementById("data").textContent);

// spansOf turns gaps and lengths into [from, to].
function spansOf(list) {
  const spans = [];
  let at = 0;
  for (let i = 0; i < list.length; i += 2) {
    const from = at + list[i];
    at = from + list[i + 1];
    spans.push([from, at]);
  }
  return spans;
}

function holdsOf(list) {
  const holds = [];
  let at = 0;
  for (let i = 0; i < list.length; i += 5) {
    at += list[i + 1];
    holds.push({ worker: list[i], from: at, to: at + list[i + 2], lease: at + list[i + 3], expired: list[i + 4] === 1 });
  }
  return holds;
}

function flightsOf(list) {
  const flights = [];
  let sent = 0;
  for (let i = 0; i < list.length; i += 6) {
    sent += list[i + 3];
    const executed = sent + list[i + 4];
    flights.push({
      worker: list[i], store: list[i + 1], command: data.commands[list[i + 2]],
      sent, executed, replied: list[i + 5] < 0 ? -1 : executed + list[i + 5],
    });
  }
  return flights;
}

// stepsOf are the events with their sentences.
function stepsOf(s) {
  const numbers = s.numbers.split(" ");
  let at = 0, next = 0;
  return s.after.map((after, i) => {
    at += after;
    return {
      at, worker: s.worker[i], truth: s.truth[i] === "1", mark: s.marks[i],
      text: data.sentences[s.sentence[i]].replace(/#/g, () => numbers[next++]),
    };
  });
}

const [waiting, believing, inside, working, stopped, asleep] = [0, 1, 2, 3, 4, 5]; // history.Activity

// countsOf says from when on how many are inside: [[time, count], ...].
function countsOf(workers) {
  const changes = [];
  for (const w of workers) {
    for (const [from, to] of w[inside]) changes.push([from, 1], [to, -1]);
  }
  changes.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let count = 0;
  return changes.map(([at, change]) => [at, (count += change)]);
}

// unpacked runs are kept: only few are looked at.
const unpacked = new Map();

function runAt(index) {
  if (!unpacked.has(index)) {
    const r = data.runs[index];
    const spans = r.spans.map(w => w.map(spansOf));
    unpacked.set(index, {
      ...r, spans, mistaken: r.mistaken.map(spansOf), holds: holdsOf(r.holds), crowd: spansOf(r.crowd),
      flights: flightsOf(r.flights), steps: stepsOf(r.steps), counts: countsOf(spans),
    });
  }
  return unpacked.get(index);
}
