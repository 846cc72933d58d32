// Candidates that are orders: a line from top to bottom, the graph's edges as arcs beside it. Forward edges lead down; a backward one is red and dashed.

const ORDER_KEY = [["arc", "edge that goes forward: down"], ["broken", "✗ edge that goes backward"], ["faint", "✗ not in the order"]];
const LINE_STEP = 30;
const WIDEST_ARC = 220;
const MOST_ARCS = 4000;

/** The vertices in the candidate's order, then those that it leaves out. */
function linedUp({ vertices }, order) {
  const placed = new Set(order);
  return { placed, missing: vertices.map((_, vertex) => vertex).filter((vertex) => !placed.has(vertex)) };
}

const backwardEdges = ({ edges }, order) => {
  const place = new Map(order.map((vertex, at) => [vertex, at]));
  return edges.filter(({ tail, head }) => place.get(tail) > place.get(head));
};

function orderChart(exhibit, draw) {
  const { vertices, edges } = exhibit;
  const order = draw.order;
  const { placed, missing } = linedUp(exhibit, order);
  const listed = [...order, ...missing];
  const y = new Map(listed.map((vertex, at) => [vertex, 20 + LINE_STEP * (at + (placed.has(vertex) ? 0 : 0.6))]));
  const span = ({ tail, head }) => Math.abs(y.get(tail) - y.get(head));
  const longest = Math.max(LINE_STEP, ...edges.map(span));
  const room = Math.min(WIDEST_ARC, 90 + 6 * listed.length);
  const x = room + 14;
  const arc = (edge) => {
    const bend = (room * Math.sqrt(span(edge) / longest)) / 0.75;
    const [from, to] = [y.get(edge.tail), y.get(edge.head)];
    return { path: `M${x},${from} C${x - bend},${from} ${x - bend},${to} ${x},${to}`, top: x - 0.75 * bend, middle: (from + to) / 2 };
  };
  const proof = new Set((draw.broken?.edges ?? []).map(String));
  const backward = new Set(backwardEdges(exhibit, order));
  const drawnEdges = edges.filter(({ tail, head }) => placed.has(tail) && placed.has(head)).slice(0, MOST_ARCS);
  const crowd = drawnEdges.length > 150 ? " crowded" : "";
  const forward = drawnEdges.filter((edge) => !backward.has(edge)).map((edge) => shape("path", { class: `arc${crowd}`, d: arc(edge).path }));
  const wrong = [...backward].map((edge) => {
    const { path, top, middle } = arc(edge);
    const isProof = proof.has(`${edge.tail},${edge.head}`);
    const tip = y.get(edge.head);
    return shape("g", { class: isProof ? "backward proof" : "backward" }, shape("path", { class: "arc", d: path }),
      shape("path", { class: "tip", d: `M${x - 6},${tip} l-9,-4 l0,8 z` }), isProof && shape("text", { x: top - 4, y: middle + 4, "text-anchor": "end" }, "✗"));
  });
  const label = (vertex) => brief(`${placed.has(vertex) ? `${order.indexOf(vertex) + 1}. ` : "✗ "}${vertices[vertex]}`, 48);
  const dots = listed.map((vertex) => {
    const classes = ["stop", !placed.has(vertex) && "missing", draw.broken?.vertex === vertex && "wrong"].filter(Boolean).join(" ");
    return shape("g", { class: classes }, shape("circle", { cx: x, cy: y.get(vertex), r: 6 }), shape("text", { x: x + 14, y: y.get(vertex) + 4 }, label(vertex)));
  });
  const last = order.length ? y.get(order.at(-1)) : 20;
  const width = x + 24 + 8 * Math.max(...listed.map((vertex) => [...label(vertex)].length), 1);
  const height = 30 + Math.max(0, ...y.values());
  const words = `The order from top to bottom: ${order.slice(0, 20).map((vertex) => vertices[vertex]).join(", ")}${order.length > 20 ? " …" : ""}. `
    + (backward.size ? `${counted(backward.size, "edge")} backward, in red.` : "All edges go down.");
  return shape("svg", { class: "chart order", role: "img", "aria-label": words, width, height, viewBox: `0 0 ${width} ${height}` },
    shape("line", { class: "spine", x1: x, x2: x, y1: 20, y2: last }), forward, wrong, dots);
}

/** The same on the graph itself: each vertex with its place. */
function orderLook(exhibit, draw) {
  const { vertices } = exhibit;
  const place = new Map((draw?.order ?? []).map((vertex, at) => [vertex, at + 1]));
  const nodes = vertices.map((name, vertex) => {
    const wrong = draw?.broken?.vertex === vertex;
    return { name: wrong ? `✗ ${name}` : name, second: place.has(vertex) ? `${place.get(vertex)}.` : "", classes: [wrong && "broken", draw && !place.has(vertex) && "faint"].filter(Boolean).join(" ") };
  });
  const backward = draw ? backwardEdges(exhibit, draw.order) : [];
  const overlay = backward.map(({ tail, head }) => ({ tail, head, label: "✗", classes: "broken" }));
  const words = draw ? `numbers are places in the order; ${backward.length ? `${counted(backward.length, "edge")} backward, dashed` : "all edges go forward"}` : "no candidate is shown";
  return { nodes, overlay, words };
}

function orderTable(exhibit, draw) {
  const { vertices, edges } = exhibit;
  const { missing } = linedUp(exhibit, draw.order);
  const backward = backwardEdges(exhibit, draw.order);
  const remark = (vertex) => {
    const against = backward.filter(({ tail }) => tail === vertex).map(({ head }) => vertices[head]);
    return against.length ? `✗ has to come before ${against.join(", ")}` : "";
  };
  const after = (vertex) => edges.filter(({ head }) => head === vertex).map(({ tail }) => vertices[tail]).slice(0, 12).join(", ") || "–";
  const rows = [
    ...draw.order.map((vertex, at) => [String(at + 1), vertices[vertex], after(vertex), remark(vertex)]),
    ...missing.map((vertex) => ["–", vertices[vertex], after(vertex), "✗ not in the order"]),
  ];
  return plainTable("The candidate, place by place", ["place", "vertex", "has to come after", "remark"], rows);
}

const orderGrid = ({ vertices }) => {
  const names = [...vertices, "(first)"];
  const isHead = (slot) => slot === vertices.length;
  return {
    title: "Which vertex comes next", hint: "A row for each vertex, a column for the one that comes next; the diagonal says how often a vertex is the last one, the row below which one comes first. Ringed: the candidate that is shown.",
    corner: "vertex \\ next", names, heads: vertices, values: (row) => row,
    role: (slot, next) => (isHead(slot) ? `${vertices[next]} first` : slot === next ? `${vertices[slot]} last` : `${vertices[next]} right after ${vertices[slot]}`),
    ends: (slot, next) => (isHead(slot) ? null : [slot, next]),
    takes: ({ order }) => {
      const next = new Map(order.map((vertex, at) => [vertex, order[at + 1] ?? (order.length === vertices.length ? vertex : undefined)]));
      return (slot, option) => (isHead(slot) ? order[0] === option : next.get(slot) === option);
    },
  };
};
