// Candidates that are sets of edges: on the graph, or between two columns where all edges join two sides.
//
// What would improve a rejected candidate is drawn as well: + for what is put in, − for what has to leave.

const edgeSetKey = ({ varying, optimality }) => [
  ["tree", "chosen edge"], ...(varying.length ? [["varying", "edge that some solutions have and others have not"]] : []), ["plain", "other edge of the graph"],
  ["broken", "✗ proves that a rule is broken; − has to leave"], ["put", "+ is put in, which is better"],
  ...(optimality ? [["cover", "cover: every edge has an end in it"]] : []),
];

/** An edge in words; where edges join two sides, the left one stands first. */
const edgeName = ({ vertices, is_left: isLeft }, { tail, head }) => (isLeft && !isLeft[tail] ? [head, tail] : [tail, head]).map((end) => vertices[end]).join(" – ");

/** The edges of a path, from one vertex to the next. */
const stepsOf = (path) => path.slice(1).map((head, place) => [path[place], head]);

function edgeSetLook(exhibit, draw) {
  const { vertices, edges, varying, is_left: isLeft } = exhibit;
  const weights = weightsOf(exhibit);
  const chosen = (draw?.chosen ?? []).map((slot) => [edges[slot].tail, edges[slot].head]);
  const isChosen = new Set(chosen.flatMap(([one, other]) => [`${one},${other}`, `${other},${one}`]));
  const { edges: proof, path, exchange, vertex: wrong } = { edges: [], path: [], ...draw?.broken };
  const steps = stepsOf(path);
  const leaves = [...(exchange?.out ? [exchange.out] : []), ...steps.filter((step) => isChosen.has(String(step)))];
  const enters = [...(exchange ? [exchange.in] : []), ...steps.filter((step) => !isChosen.has(String(step)))];
  const shownElsewhere = new Set([...proof, ...leaves].flatMap(([one, other]) => [`${one},${other}`, `${other},${one}`]));
  const kept = chosen.filter((edge) => !shownElsewhere.has(String(edge)));
  const cover = new Set(exhibit.optimality?.vertices ?? []);
  const free = [path[0], path.at(-1)];
  const nodes = vertices.map((name, vertex) => {
    const mark = wrong === vertex ? "✗ " : free.includes(vertex) ? "○ " : "";
    const classes = [isLeft && (isLeft[vertex] ? "left" : "right"), cover.has(vertex) && "cover", wrong === vertex && "broken", free.includes(vertex) && "passed"];
    return { name: mark + name, second: "", classes: classes.filter(Boolean).join(" ") };
  });
  const signed = (sign, [tail, head]) => [sign, weights(tail, head)].filter(Boolean).join(" ");
  const lay = (pairs, classes, label) => pairs.map(([tail, head]) => ({ tail, head, classes: `${classes} blunt`, label: label([tail, head]) }));
  const overlay = [
    ...lay(varying, "varying", () => ""),
    ...lay(kept, "tree", ([tail, head]) => weights(tail, head)),
    ...lay(proof, "broken", (edge) => signed(isChosen.has(String(edge)) ? "✗" : "✗ not chosen", edge)),
    ...lay(leaves, "broken", (edge) => signed("−", edge)),
    ...lay(enters, "put", (edge) => signed("+", edge)),
  ];
  const words = draw ? `${counted(chosen.length, "edge")} of the candidate are thick${proof.length + leaves.length + enters.length ? ", what proves that it is wrong is dashed or dotted" : ""}` : "no candidate is shown";
  return { nodes, overlay, words };
}

function edgeSetTable(exhibit, { chosen, broken }) {
  const { edges, varying } = exhibit;
  const isChosen = new Set(chosen);
  const varies = new Set(varying.flatMap(([one, other]) => [`${one},${other}`, `${other},${one}`]));
  const both = ([one, other]) => [`${one},${other}`, `${other},${one}`];
  const proof = new Set((broken?.edges ?? []).flatMap(both));
  const enters = new Set([...(broken?.exchange ? [broken.exchange.in] : []), ...stepsOf(broken?.path ?? [])].flatMap(both));
  const leaves = new Set((broken?.exchange?.out ? [broken.exchange.out] : []).flatMap(both));
  const weighted = edges.some(({ weight }) => weight != null);
  const remark = (ends, slot) => {
    if (proof.has(ends)) return "✗ proves that a rule is broken";
    if (leaves.has(ends) || (enters.has(ends) && isChosen.has(slot))) return "− has to leave";
    return enters.has(ends) ? "+ is put in" : varies.has(ends) ? "in some solutions only" : "";
  };
  const rows = edges.map(({ tail, head, weight }, slot) => ({
    isIn: isChosen.has(slot),
    cells: [edgeName(exhibit, { tail, head }), isChosen.has(slot) ? "chosen" : "–", ...(weighted ? [weight ?? ""] : []), remark(`${tail},${head}`, slot)],
  }));
  const inOrder = [...rows.filter(({ isIn }) => isIn), ...rows.filter(({ isIn }) => !isIn)].map(({ cells }) => cells);
  return plainTable("The candidate, edge by edge, chosen ones first", ["edge", "chosen", ...(weighted ? ["weight"] : []), "remark"], inOrder);
}

const edgeSetGrid = (exhibit) => {
  const { edges } = exhibit;
  const names = edges.map((edge) => edgeName(exhibit, edge));
  return {
    title: "How often each edge is chosen", hint: "A row for each edge. Ringed: the edges of the candidate that is shown.",
    corner: "edge", names, heads: ["chosen"], values: (row) => [row[1]],
    role: (slot) => `${names[slot]} chosen`, ends: (slot) => [edges[slot].tail, edges[slot].head],
    takes: (draw) => (slot) => draw.chosen.includes(slot),
  };
};

/** Two columns; on the right each vertex stands near its neighbours. */
function columnPlaces({ vertices, is_left: isLeft, edges }) {
  const neighbours = neighboursOf({ vertices, edges });
  const all = vertices.map((_, vertex) => vertex);
  const left = all.filter((vertex) => isLeft[vertex]);
  const place = new Map(left.map((vertex, at) => [vertex, at]));
  const middle = (vertex) => neighbours[vertex].reduce((sum, other) => sum + place.get(other), 0) / Math.max(1, neighbours[vertex].length);
  const right = all.filter((vertex) => !isLeft[vertex]).sort((one, other) => middle(one) - middle(other) || one - other);
  const height = 52 * Math.max(left.length, right.length, 2);
  const places = [];
  for (const [column, x] of [[left, 0], [right, Math.max(260, height / 2)]]) {
    column.forEach((vertex, at) => (places[vertex] = { x, y: ((at + 0.5) * height) / column.length }));
  }
  return places;
}
