// An execution step by step: states by colour and letter, the selected pair, the growing tree.

const PACE = 700;

/** One letter a state: its first, or the first that no other state has. */
function lettersOf(states) {
  const taken = new Set();
  return states.map((state, index) => {
    const free = [...state.toUpperCase()].find((letter) => /\p{L}/u.test(letter) && !taken.has(letter)) ?? String(index);
    taken.add(free);
    return free;
  });
}

function executionView(exhibit, execution, index) {
  const names = exhibit.vertices;
  const letters = lettersOf(execution.states);
  const step = execution.steps[index];
  const last = execution.steps.length - 1;
  const nodes = names.map((name, vertex) => {
    const state = step.states[vertex];
    const register = step.registers?.[vertex];
    return { name, second: register ? `${letters[state]} ${register}` : letters[state], classes: `state-${Math.min(5, state)}${exhibit.source === vertex ? " root" : ""}` };
  });
  const tree = step.parents.map((parent, child) => [parent, child]).filter(([parent]) => parent != null);
  const moving = step.selected.filter(([sender, receiver]) => sender !== receiver);
  const overlay = [
    ...tree.map(([tail, head]) => ({ tail, head, classes: "tree" })),
    ...moving.map(([tail, head]) => ({ tail, head, classes: "selected" })),
  ];
  const listed = step.selected.slice(0, 6).map(([sender, receiver]) =>
    sender === receiver ? `${names[sender]} with itself` : arrow(names, [sender, receiver])).join(", ");
  const more = step.selected.length > 6 ? ` and ${step.selected.length - 6} more` : "";
  const selects = index === last ? "the end" : listed ? `selects ${listed}${more}` : "selects nothing";
  const words = `step ${index + 1} of ${last + 1}: ${selects}; ${counted(tree.length, "edge")} in the tree`;
  const final = execution.steps[last].parents.map((parent, vertex) => parent ?? vertex);
  return { nodes, overlay, words, selects, parents: step.parents, finalParents: final, table: executionTable(exhibit, execution, step, letters) };
}

function executionTable({ vertices }, { states, ranks, ranks_are_of_edges: ofEdges }, step, letters) {
  const heads = ["vertex", "state", "parent", step.registers && "carries", !ofEdges && "priority (1 goes first)"].filter(Boolean);
  const rows = vertices.map((name, vertex) => [
    name, `${letters[step.states[vertex]]}: ${states[step.states[vertex]]}`, step.parents[vertex] == null ? "–" : vertices[step.parents[vertex]],
    ...(step.registers ? [step.registers[vertex] || "–"] : []), ...(ofEdges ? [] : [String(ranks[vertex] + 1)]),
  ]);
  return plainTable("The execution at this step, vertex by vertex", heads, rows);
}

function executionCard(onshow) {
  let exhibit = null;
  let timer = null;
  const which = choice("Execution", [], () => { stop(); restart(); });
  const words = el("p", { class: "readout", role: "status" });
  const steps = stepper("step", (place) => show(place));
  const play = button("Play", () => (timer ? stop() : start()), { class: "play", "aria-pressed": "false" });
  const execution = () => exhibit.executions[Number(which.select.value)];

  const show = (place) => {
    const view = executionView(exhibit, execution(), place);
    steps.readout.textContent = `${place + 1} of ${execution().steps.length}`;
    words.textContent = `${view.selects[0].toUpperCase()}${view.selects.slice(1)}.`;
    if (place === execution().steps.length - 1) stop();
    onshow(view);
  };
  const start = () => {
    if (steps.at() === execution().steps.length - 1) steps.move(0);
    // A reader of the screen would never get to the end of a sentence.
    words.setAttribute("aria-live", "off");
    timer = setInterval(() => steps.move(steps.at() + 1), PACE);
    play.textContent = "Pause";
    play.setAttribute("aria-pressed", "true");
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    words.removeAttribute("aria-live");
    play.textContent = "Play";
    play.setAttribute("aria-pressed", "false");
  };
  const restart = () => {
    steps.setCount(execution().steps.length);
    steps.move(0);
  };
  const card = el("div", { "data-part": "execution" }, el("div", { class: "controls" }, which.field, play), steps.field, words);
  return {
    card,
    stop,
    open(next) {
      stop();
      exhibit = next;
      which.fill(exhibit.executions.map((_, index) => [String(index), String(index + 1)]));
      which.select.value = "0";
      which.field.hidden = exhibit.executions.length < 2;
      if (exhibit.executions.length) restart();
    },
    again: () => exhibit.executions.length && show(steps.at()),
    finalParents: () => execution()?.steps.at(-1).parents.map((parent, vertex) => parent ?? vertex),
    key: () => [
      ...execution().states.map((state, index) => [`state-${Math.min(5, index)}`, `${lettersOf(execution().states)[index]}: ${state}`]),
      ["tree", "edge of the tree so far"], ["selected", "selected in this step"], ["plain", "other edge of the graph"],
    ],
  };
}
