// The viewer of instances: the graph or the items, the distributions, the candidates drawn from them, executions step by step.

const MOST_IN_A_HEATMAP = 400;
const MOST_IN_A_TREE = 400;
const MOST_WEIGHTS = 60;
const MOST_IN_WORDS = 12;

const arrow = (names, [tail, head]) => `${names[tail] ?? tail} → ${names[head] ?? head}`;

/** What there is to look at: the distributions themselves, and each against the one before it. */
function distributionViews(exhibit, { values }) {
  const plain = exhibit.distributions.map(({ name, rows }) => ({ title: name, rows: rows.map(values), isDifference: false }));
  const pairs = plain.flatMap((one, index) => plain.slice(0, index).map((other) => [one, other]));
  const differences = pairs.map(([one, other]) => ({
    title: `difference: ${one.title} − ${other.title}`,
    rows: one.rows.map((row, child) => row.map((value, parent) => value - other.rows[child][parent])),
    isDifference: true,
  }));
  return [...plain, ...differences];
}

function distributionCard(ondwell) {
  const grid = heatmap(ondwell);
  let views = [];
  let layout = null;
  let takes = null;
  const heading = el("h3");
  const hint = el("p", { class: "hint-text" });
  const which = choice("Distribution", [], (value) => show(Number(value)));
  const show = (index) => {
    which.select.value = index;
    grid.show({ ...layout, ...views[index] });
    grid.ring(takes);
  };
  const card = el("div", { class: "card", "data-part": "distribution" }, heading, el("div", { class: "controls" }, which.field), grid.view, hint);
  return {
    card,
    open(exhibit) {
      layout = FORMS[exhibit.form].grid(exhibit);
      views = distributionViews(exhibit, layout);
      takes = null;
      heading.textContent = layout.title;
      hint.textContent = layout.hint;
      card.hidden = !views.length || layout.names.length > MOST_IN_A_HEATMAP;
      which.fill(views.map(({ title }, index) => [String(index), title]));
      if (!card.hidden) show(0);
    },
    /** Rings what a candidate took, and shows the distribution that it was drawn from. */
    ring(draw) {
      takes = draw && layout.takes(draw);
      if (card.hidden) return;
      const from = draw?.from;
      const index = views.findIndex(({ title }) => title === from);
      if (index >= 0 && !views[Number(which.select.value)].isDifference && String(index) !== which.select.value) show(index);
      grid.ring(takes);
    },
  };
}

const unique = (values) => [...new Set(values)];

/** Chooses and steps through the candidates of an exhibit; `onshow` is told which one is shown. */
function candidateCard(onshow) {
  let exhibit = null;
  let chosen = [];
  const verdict = el("div", { class: "verdict", role: "status" });
  const summary = el("p", { class: "count" });
  const from = choice("Drawn from", [], () => select());
  const extractor = choice("Extractor", [], () => select());
  const only = choice("Show", [["all", "all candidates"], ["valid", "solutions only"], ["broken", "broken ones only"]], () => select());
  const steps = stepper("candidate", (place) => show(place));

  const fits = (draw) =>
    (from.select.value === "" || draw.from === from.select.value) &&
    (extractor.select.value === "" || (draw.extractor ?? "none") === extractor.select.value) &&
    (only.select.value === "all" || (only.select.value === "broken") === (draw.broken != null));
  const select = () => {
    chosen = exhibit.draws.filter(fits);
    steps.setCount(chosen.length);
    const valid = chosen.filter(({ broken }) => !broken);
    const distinct = new Set(valid.map(({ parents, chosen, order }) => [...parents, ...chosen, ...order].join())).size;
    summary.textContent = `Solutions: ${valid.length} of ${counted(chosen.length, "candidate")}; distinct: ${distinct}.`;
    steps.move(0);
  };
  const show = (place) => {
    const draw = chosen[place] ?? null;
    steps.readout.textContent = draw ? `${place + 1} of ${chosen.length}` : "none";
    verdict.className = `verdict ${draw ? (draw.broken ? "bad" : "good") : ""}`;
    verdict.replaceChildren(...(draw ? verdictOf(exhibit, draw) : ["No candidate fits the choice."]));
    onshow(draw);
  };
  const card = el("div", { "data-part": "candidates" },
    el("div", { class: "controls" }, from.field, extractor.field, only.field), steps.field, verdict, summary);
  return {
    card,
    open(next) {
      exhibit = next;
      const options = (values) => [["", "all"], ...values.map((value) => [value, value])];
      from.fill(options(unique(exhibit.draws.map((draw) => draw.from))));
      extractor.fill(options(unique(exhibit.draws.map((draw) => draw.extractor ?? "none"))));
      for (const { field, select } of [from, extractor]) field.hidden = select.options.length < 3;
      only.field.hidden = unique(exhibit.draws.map(({ broken }) => broken == null)).length < 2;
      [from, extractor].forEach(({ select }) => (select.value = ""));
      only.select.value = "all";
      select();
    },
    again: () => show(steps.at()),
  };
}

function verdictOf(exhibit, draw) {
  const { from, extractor, broken } = draw;
  const origin = el("p", { class: "origin" }, `From: ${from}${extractor ? `, by ${extractor}` : ""}.`);
  if (!broken) return [el("p", {}, el("strong", {}, "✓ A solution"), ", by the exact verifier."), origin];
  const who = broken.vertex == null ? "It" : `Vertex ${exhibit.vertices[broken.vertex] ?? broken.vertex}`;
  return [
    el("p", {}, el("strong", {}, "✗ Not a solution. "), `${who} breaks the rule “${broken.rule}”: `, el("q", {}, broken.words), "."),
    ...proofInWords(exhibit, draw, broken).map((sentence) => el("p", {}, sentence)),
    origin,
  ];
}

function legendView(entries) {
  return el("ul", { class: "key" }, entries.map(([kind, text]) => el("li", {}, el("span", { class: `sample ${kind}`, "aria-hidden": "true" }), text)));
}

function viewerView(groups) {
  const exhibits = groups.flatMap(({ exhibits }) => exhibits);
  // What is empty does not stand in the data.
  for (const draw of exhibits.flatMap(({ draws }) => draws)) Object.assign(draw, { parents: [], chosen: [], order: [], ...draw });
  let exhibit = exhibits[0];
  let draw = null;
  let route = null;
  let part = [];
  let mode = null;

  const graph = drawing("The graph");
  const chart = scrollable("The candidate as a drawing", []);
  const tree = drawing("The tree");
  const facts = el("p", { class: "facts" });
  const inWords = el("div");
  const graphHeading = el("h3", {}, "The graph");
  const treeHeading = el("h3", {}, "The candidate as a tree");
  const distribution = distributionCard((parent, child) => graph.hint(parent, child));
  const candidates = candidateCard((next) => {
    draw = next;
    if (mode === "candidates") lookAtCandidate();
  });
  const routes = routeCard((next) => {
    route = next;
    if (mode === "routes") lookAtRoute();
  });
  const executions = executionCard((view) => mode === "execution" && lookAtExecution(view));

  const form = () => FORMS[exhibit.form];
  const ways = () => [
    form().chart && ["line", "as a line"], exhibit.is_left && ["columns", "two columns"], exhibit.positions && ["map", "as in the file"], ["circle", "circle"],
    part.length <= MOST_WITH_SPRINGS && ["cose", "springs"], ["spread", "by distance"],
    exhibit.form === "parents" && exhibit.vertices.length <= MOST_IN_A_TREE && ["tree", "as the tree"],
  ].filter(Boolean);
  const way = choice("Layout", [], () => place());
  /** A chart stands in for the graph, where there is no graph or the answer is a line. */
  const showsChart = () => exhibit.items != null || way.select.value === "line";
  const place = () => {
    const n = exhibit.vertices.length;
    [graph.host.hidden, chart.hidden] = [showsChart(), !showsChart()];
    if (showsChart()) return;
    const ratio = Math.max(1, Math.min(1.6, graph.host.clientWidth / Math.max(1, graph.host.clientHeight)));
    // As small as neighbours on the circle allow, so that vertices are as large as they can be.
    const side = Math.max(300, (n * nodeSize(n) * 1.25) / (Math.PI * (ratio + 1) / 2));
    if (way.select.value === "tree") graph.place(treePlaces(shownParents(), exhibit.vertices));
    else if (way.select.value === "columns") graph.place(columnPlaces(exhibit));
    else if (way.select.value === "map") graph.place(mapPlaces(exhibit.positions));
    else if (way.select.value === "spread") graph.place(pivotPlaces(exhibit));
    else graph.place(way.select.value === "cose" ? "cose" : circlePlaces(n, side * ratio, side));
  };
  const shownParents = () => (mode === "execution" ? executions.finalParents() : draw?.parents) ?? exhibit.vertices.map((_, vertex) => vertex);

  const describe = (words) => `Drawing of ${facts.textContent} ${words}. The table below says the same.`;
  const lookAtCandidate = () => {
    distribution.ring(draw);
    inWords.replaceChildren(draw ? form().table(exhibit, draw) : el("p", {}, "No candidate is shown."));
    chart.replaceChildren(...[draw && form().chart?.(exhibit, draw)].flat().filter(Boolean));
    if (exhibit.items) return;
    const { nodes, overlay, words } = form().look(exhibit, draw);
    graph.look(nodes, overlay, describe(words));
    if (way.select.value === "tree") place();
    showTree(draw?.parents, nodes, overlay.filter(({ classes }) => !classes.startsWith("varying")), words);
  };
  const lookAtRoute = () => {
    distribution.ring(null);
    inWords.replaceChildren(routeTable(exhibit, route));
    const { nodes, overlay, words } = routeLook(exhibit, route);
    graph.look(nodes, overlay, describe(words));
    treeCard.hidden = true;
  };
  const lookAtExecution = ({ nodes, overlay, words, parents, finalParents, table }) => {
    distribution.ring(null);
    inWords.replaceChildren(table);
    graph.look(nodes, overlay, describe(words));
    const inTree = (vertex) => parents[vertex] != null || parents.includes(vertex);
    const faint = nodes.map((node, vertex) => (inTree(vertex) ? node : { ...node, classes: `${node.classes} faint` }));
    showTree(finalParents, faint, overlay.filter(({ classes }) => classes === "tree"), words);
  };
  const showTree = (parents, nodes, overlay, words) => {
    treeCard.hidden = exhibit.form !== "parents" || !parents || parents.length !== exhibit.vertices.length || parents.length > MOST_IN_A_TREE;
    if (treeCard.hidden) return;
    const places = treePlaces(parents, exhibit.vertices);
    const reach = (axis) => 60 + Math.max(...places.map((place) => place[axis])) - Math.min(...places.map((place) => place[axis]));
    tree.host.style.height = `${Math.max(160, Math.min(640, reach("y") * Math.min(1, tree.host.clientWidth / reach("x"))))}px`;
    const key = places.map(({ x, y }) => `${x},${y}`).join();
    if (tree.key !== key) tree.reset(parents.length, [], places);
    tree.key = key;
    tree.look(nodes, overlay, `The same as a tree: ${words}.`);
  };

  const setMode = (next) => {
    mode = next;
    modes.forEach(([name, entry]) => entry.setAttribute("aria-pressed", String(name === mode)));
    candidates.card.hidden = mode !== "candidates";
    routes.card.hidden = mode !== "routes";
    executions.card.hidden = mode !== "execution";
    key.replaceChildren(legendView(mode === "candidates" ? form().key(exhibit) : mode === "routes" ? routeKey(exhibit) : executions.key()));
    treeHeading.textContent = mode === "candidates" ? "The candidate as a tree" : "The growing tree";
    if (mode !== "execution") executions.stop();
    ({ candidates, routes, execution: executions })[mode].again();
    if (way.select.value === "tree") place();
  };
  const modes = [["routes", "Routes"], ["candidates", "Candidates"], ["execution", "Execution, step by step"]].map(([name, text]) => [name, button(text, () => setMode(name))]);
  const key = el("div");
  const proof = el("p", { class: "proof" });
  const modeSwitch = el("div", { class: "switch", role: "group", "aria-label": "What is shown on the graph" }, modes.map(([, entry]) => entry));
  const graphCard = el("div", { class: "card", "data-part": "graph" }, graphHeading,
    modeSwitch, routes.card, candidates.card, executions.card, el("div", { class: "controls" }, way.field), graph.host, chart, key, proof);
  const treeCard = el("div", { class: "card", "data-part": "tree" }, treeHeading, tree.host);

  const wordsCard = el("details", { class: "card" }, el("summary", {}, el("h3", {}, "In words, one by one")), inWords);

  const open = (index) => {
    // Nothing is looked at until the drawing is that of the new instance.
    mode = null;
    exhibit = exhibits[index];
    which.select.value = index;
    const n = exhibit.vertices.length;
    facts.textContent = factsOf(exhibit);
    executions.open(exhibit);
    routes.open(exhibit);
    const has = { routes: exhibit.routes.length, candidates: exhibit.draws.length, execution: exhibit.executions.length };
    modes.forEach(([name, entry]) => (entry.hidden = !has[name]));
    modeSwitch.hidden = Object.values(has).filter(Boolean).length < 2;
    part = partWorthSeeing(exhibit);
    if (part.length < n) facts.textContent += ` Drawn: ${part.length} of ${n} vertices, those nearest to ${has.routes ? "the routes" : "what varies and the source"}.`;
    way.fill(ways());
    way.field.hidden = exhibit.items != null;
    graphHeading.textContent = exhibit.items ? `The ${exhibit.items.name}` : "The graph";
    proof.textContent = exhibit.optimality ? optimalityInWords(exhibit) : "";
    proof.hidden = !exhibit.optimality;
    treeCard.hidden = true;
    tree.key = null;
    wordsCard.open = n <= MOST_IN_WORDS;
    const springs = part.length <= MOST_WITH_SPRINGS ? "cose" : "spread";
    way.select.value = form().chart ? "line" : exhibit.is_left ? "columns" : exhibit.positions ? "map" : exhibit.edges.length <= 3 * n && n > 8 ? springs : n > MOST_WITH_SPRINGS ? "spread" : "circle";
    if (!exhibit.items) graph.reset(n, graphEdges(exhibit), circlePlaces(n, 400, 400), part);
    place();
    distribution.open(exhibit);
    candidates.open(exhibit);
    setMode(has.routes ? "routes" : has.candidates || !has.execution ? "candidates" : "execution");
  };
  const options = groups.map(({ name, exhibits: own }) => [name, own.map((one) => [String(exhibits.indexOf(one)), `${one.name} (${one.algorithm})`])]);
  const which = choice("Instance", groups.length > 1 ? options : options[0][1], (index) => open(Number(index)));
  const turn = (by) => open((Number(which.select.value) + by + exhibits.length) % exhibits.length);
  const turns = exhibits.length > 1 && [button("Previous instance", () => turn(-1)), button("Next instance", () => turn(1))];

  const section = el("section", { id: "instances", "aria-labelledby": "instances-title" },
    el("h2", { id: "instances-title" }, exhibits.length > 1 ? "Instances" : "The instance"),
    el("div", { class: "controls" }, which.field, turns), facts,
    el("div", { class: "columns" }, el("div", { class: "column" }, graphCard), el("div", { class: "column" }, distribution.card, treeCard)),
    wordsCard);
  return { section, start: () => open(0) };
}

function optimalityInWords({ vertices, optimality: { statement, vertices: these } }) {
  const names = these.slice(0, 30).map((vertex) => vertices[vertex]);
  return `${statement[0].toUpperCase()}${statement.slice(1)}${names.length ? `: ${listed(names)}${these.length > 30 ? " …" : ""}` : ""}.`;
}

function factsOf({ algorithm, vertices, edges, directed, items, source, solutions }) {
  const graph = () => `${counted(vertices.length, "vertex", "vertices")}, ${counted(edges.length, directed ? "arrow" : "edge")}`;
  const parts = [`${algorithm}, ${items ? `${vertices.length} ${items.name}` : graph()}`];
  if (source != null) parts.push(`source ${vertices[source]}`);
  if (solutions != null) parts.push(solutions === "1" ? "1 solution" : `${solutions} solutions`);
  return `${parts.join(", ")}.`;
}

/** The graph's own edges. Two arrows between the same vertices lie on one line with two heads. */
function graphEdges(exhibit) {
  const { vertices, edges, directed } = exhibit;
  const costClass = costClasses(exhibit);
  const isSparse = vertices.length > MOST_LABELS && edges.length <= 4 * vertices.length;
  const crowd = isSparse ? "street" : edges.length > 800 ? "swarm" : edges.length > 150 ? "crowded" : "";
  return edges.map((edge) => ({
    tail: edge.tail, head: edge.head, label: edge.weight != null && edges.length <= MOST_WEIGHTS ? edge.weight : "",
    classes: [directed && "arrow", crowd, costClass(edge)].filter(Boolean).join(" "),
  }));
}
