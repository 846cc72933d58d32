// Candidates that are parents: a tree or a forest on the graph.

const TREE_KEY = [["tree", "edge of the candidate"], ["varying", "edge that some solutions have and others have not"], ["plain", "other edge of the graph"], ["broken", "✗ proves that a rule is broken"], ["ring", "root or source"]];

/** What is laid over the graph for a candidate. */
function treeLook(exhibit, draw) {
  const names = exhibit.vertices;
  const known = knownEdges(exhibit);
  const broken = draw?.broken?.edges ?? [];
  const isBroken = new Set(broken.map(String));
  const tree = (draw?.parents ?? []).map((parent, child) => [parent, child]).filter(([parent, child]) => parent !== child && !isBroken.has(`${parent},${child}`));
  const nodes = names.map((name, vertex) => {
    const isRoot = draw ? draw.parents[vertex] === vertex : exhibit.source === vertex;
    const wrong = draw?.broken?.vertex === vertex;
    return { name: wrong ? `✗ ${name}` : name, second: draw?.distances?.[vertex] ?? "", classes: [isRoot && "root", wrong && "broken"].filter(Boolean).join(" ") };
  });
  const weights = weightsOf(exhibit);
  const inTree = new Set(tree.map(String));
  const varying = exhibit.varying.filter((edge) => known.has(String(edge)));
  const overlay = [
    ...varying.map(([tail, head]) => ({ tail, head, classes: inTree.has(`${tail},${head}`) ? "varying chosen" : "varying" })),
    ...tree.map(([tail, head]) => ({ tail, head, label: weights(tail, head), classes: "tree" })),
    ...broken.map(([tail, head]) => ({ tail, head, label: known.has(`${tail},${head}`) ? "✗" : "✗ no edge", classes: "broken" })),
  ];
  const words = draw ? `${tree.length} edges of the candidate are thick${broken.length ? `, ${broken.length} broken ones dashed` : ""}` : "no candidate is shown";
  return { nodes, overlay, words };
}

/** The graph's edges as texts, in both directions where they have none. */
const knownEdges = ({ edges, directed }) =>
  new Set(edges.flatMap(({ tail, head }) => (directed ? [`${tail},${head}`] : [`${tail},${head}`, `${head},${tail}`])));

function weightsOf(exhibit) {
  const weights = new Map();
  for (const { tail, head, weight } of exhibit.edges) {
    if (weight == null) continue;
    weights.set(`${tail},${head}`, weight);
    if (!exhibit.directed) weights.set(`${head},${tail}`, weight);
  }
  return (tail, head) => weights.get(`${tail},${head}`) ?? "";
}

/** The candidate as a table, which says everything that the drawings say. */
function treeTable(exhibit, draw) {
  const name = (vertex) => exhibit.vertices[vertex] ?? String(vertex);
  const weights = weightsOf(exhibit);
  const weighted = exhibit.edges.some(({ weight }) => weight != null);
  const heads = ["vertex", "parent", weighted && "weight", draw.distances && "distance", "remark"].filter(Boolean);
  const rows = draw.parents.map((parent, child) => {
    const remark = draw.broken?.vertex === child ? "✗ breaks the rule" : parent === child ? (exhibit.source === child ? "source" : "root") : "";
    return [
      name(child), parent === child ? "–" : name(parent), ...(weighted ? [parent === child ? "" : weights(parent, child) || "✗ no edge"] : []),
      ...(draw.distances ? [draw.distances[child] ?? "–"] : []), remark,
    ];
  });
  return plainTable("The candidate, vertex by vertex", heads, rows);
}

const treeGrid = ({ vertices }) => ({
  title: "Parent distribution",
  hint: "A row for each child, a column for each parent; the diagonal says how often a vertex is a root. The tint grows with the square root of the figure. Ringed: the parents of the candidate that is shown.",
  corner: "child \\ parent", names: vertices, heads: vertices,
  values: (row) => row,
  role: (child, parent) => (child === parent ? `${vertices[child]} as a root` : `${vertices[parent]} as parent of ${vertices[child]}`),
  ends: (child, parent) => [parent, child],
  takes: (draw) => (child, parent) => draw.parents[child] === parent,
});
