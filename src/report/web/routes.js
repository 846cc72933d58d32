// The routes between two vertices, one after the other, laid over the graph.

/** Steps through the routes of an exhibit; `onshow` is told which one is shown. */
function routeCard(onshow) {
  let exhibit = null;
  const facts = el("div", { class: "route-facts", role: "status" });
  const steps = stepper("route", (place) => show(place));
  const show = (place) => {
    const route = exhibit?.routes[place] ?? null;
    steps.readout.textContent = route ? `${place + 1} of ${exhibit.routes.length}` : "none";
    facts.replaceChildren(...(route ? routeFacts(exhibit, route) : []));
    onshow(route);
  };
  return {
    card: el("div", { "data-part": "routes" }, steps.field, facts),
    open(next) {
      exhibit = next;
      steps.setCount(exhibit.routes.length);
    },
    again: () => show(steps.at()),
  };
}

const gapInWords = (gap) => (gap == null ? "" : gap === 0 ? ", as short as any" : `, ${(100 * gap).toFixed(2)} % longer than the shortest`);

const MOST_IN_A_LINE = 24;

/** The names at both ends of a long route; the table below has them all. */
const briefly = (names) => (names.length <= MOST_IN_A_LINE ? names : [...names.slice(0, 10), `… ${names.length - 20} more …`, ...names.slice(-10)]);

function routeFacts({ vertices }, { path, length, gap, label }) {
  return [
    el("p", {}, label && `${label}: `, el("strong", {}, `Length ${length}`), `${gapInWords(gap)}; ${counted(path.length - 1, "edge")}.`),
    el("p", { class: "origin" }, briefly(path.map((vertex) => vertices[vertex])).join(" → ")),
  ];
}

/** What is laid over the graph for a route: it is thick, the others are thin lines of the same colour. */
function routeLook(exhibit, route) {
  const onRoute = new Set(route?.path ?? []);
  const ends = [route?.path[0], route?.path.at(-1)];
  const nodes = exhibit.vertices.map((name, vertex) => ({
    name, second: "", classes: ends.includes(vertex) ? "root" : onRoute.has(vertex) ? "passed" : onRoute.size ? "faint" : "",
  }));
  const pairs = ({ path }) => path.slice(1).map((head, place) => [path[place], head]);
  const pairsOf = (routes) => new Map(routes.flatMap(pairs).map((pair) => [String(pair), pair])).values();
  const others = exhibit.routes.filter((other) => other !== route);
  const weights = weightsOf(exhibit);
  const overlay = [
    ...[...pairsOf(exhibit.routes.filter(({ observed }) => observed))].map(([tail, head]) => ({ tail, head, classes: "observed" })),
    ...[...pairsOf(others)].map(([tail, head]) => ({ tail, head, classes: "other" })),
    ...(route ? pairs(route) : []).map(([tail, head]) => ({ tail, head, label: weights(tail, head), classes: "tree" })),
  ];
  return { nodes, overlay, words: route ? `the route shown has ${counted(route.path.length - 1, "edge")}, drawn thick; other routes are thin` : "no route is shown" };
}

function routeTable(exhibit, route) {
  if (!route) return el("p", {}, "No route is shown.");
  const weights = weightsOf(exhibit);
  const rows = route.path.map((vertex, place) => [exhibit.vertices[vertex], place ? weights(route.path[place - 1], vertex) || "1" : "–"]);
  return plainTable("The route, vertex by vertex", ["vertex", "from the one before"], rows);
}

/** What the lines mean, and the colours of a learnt cost. */
const routeKey = ({ learnt, routes }) => [
  ["tree", "edge of the route"], ["other", "edge of another route"],
  ...(routes.some(({ observed }) => observed) ? [["observed", "edge of an observed route"]] : []),
  ...(learnt ? COST_WORDS.map((words, fifth) => [`cost-${fifth}`, words]) : [["plain", "other edge of the graph"]]),
  ["ring", "where it starts and ends"],
];

const COST_WORDS = ["cheapest fifth of the edges, under the learnt cost", "second fifth", "third fifth", "fourth fifth", "dearest fifth"];

/** Which fifth of all edges each one belongs to by its cost, as a class; nothing where the weights are no learnt cost. */
function costClasses({ edges, learnt }) {
  if (!learnt) return () => "";
  const sorted = edges.map(({ weight }) => Number(weight)).sort((one, two) => one - two);
  const bounds = [1, 2, 3, 4].map((fifth) => sorted[Math.floor((fifth * sorted.length) / 5)]);
  return ({ weight }) => `cost-${bounds.filter((bound) => Number(weight) >= bound).length}`;
}
