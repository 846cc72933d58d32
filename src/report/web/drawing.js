// A graph, or a tree, as a drawing (cytoscape.js), and where its vertices stand.
//
// What an edge means shows in its line as well as in its colour: a candidate's edges are thick, broken ones dashed with a
// cross, selected ones dotted, and so are those that would improve a candidate, with a plus. The drawing itself does not scroll or zoom under the pointer, so that the page can.

const circlePlaces = (n, width, height) =>
  Array.from({ length: n }, (_, vertex) => {
    const angle = (2 * Math.PI * vertex) / Math.max(1, n) - Math.PI / 2;
    return { x: (width / 2) * Math.cos(angle), y: (height / 2) * Math.sin(angle) };
  });

/** Children of each vertex, the roots, and the vertices whose parents go round in a circle. */
function forestOf(parents) {
  const children = parents.map(() => []);
  const roots = [];
  parents.forEach((parent, child) => (parent == null || parent === child ? roots : children[parent] ?? []).push(child));
  const reached = new Set();
  const waiting = [...roots];
  while (waiting.length) {
    const vertex = waiting.pop();
    reached.add(vertex);
    waiting.push(...children[vertex]);
  }
  return { children, roots, circular: parents.map((_, vertex) => vertex).filter((vertex) => !reached.has(vertex)) };
}

/** A tidy forest: leaves side by side, a parent above the middle of its children, what is circular in a circle below. */
function treePlaces(parents, names = []) {
  const { children, roots, circular } = forestOf(parents);
  const places = parents.map(() => null);
  let [nextLeaf, deepest] = [0, 0];
  // No recursion: a path of many vertices is an ordinary tree.
  const waiting = roots.map((root) => ({ vertex: root, depth: 0, done: false })).reverse();
  while (waiting.length) {
    const { vertex, depth, done } = waiting.pop();
    const below = children[vertex];
    if (!done && below.length) {
      waiting.push({ vertex, depth, done: true });
      waiting.push(...below.map((child) => ({ vertex: child, depth: depth + 1, done: false })).reverse());
      continue;
    }
    deepest = Math.max(deepest, depth);
    const x = below.length ? (places[below[0]].x + places[below.at(-1)].x) / 2 : nextLeaf++;
    places[vertex] = { x, y: depth };
  }
  // A deep and narrow tree, as depth-first search likes to make them, is folded into columns.
  const folds = Math.max(1, Math.round(Math.sqrt((1.3 * (deepest + 1)) / (nextLeaf + 1))));
  const rows = Math.ceil((deepest + 1) / folds);
  for (const place of places) {
    if (!place) continue;
    place.x += Math.floor(place.y / rows) * (nextLeaf + 0.5);
    place.y %= rows;
  }
  const side = Math.max(1, circular.length / 2.5);
  circlePlaces(circular.length, side, side).forEach(({ x, y }, index) => (places[circular[index]] = { x: x + side / 2, y: y + rows + side / 2 }));
  // Room for the longest label beside its like.
  const longest = Math.max(0, ...names.map((name) => Math.min(16, [...name].length)));
  const room = Math.max(64, 12 + 6.8 * longest);
  return places.map(({ x, y }) => ({ x: x * room, y: y * 64 }));
}

const MOST_LABELS = 400;
const nodeSize = (n) => (n <= 12 ? 36 : n <= 32 ? 30 : n <= MOST_LABELS ? 24 : 4);

function drawingStyle(n) {
  const size = nodeSize(n);
  const text = colour("--text");
  const line = (selector, style) => ({ selector, style });
  return [
    line("node", {
      width: size, height: size, label: "data(label)", "font-size": n <= 32 ? 12 : 11, "text-wrap": "wrap", "text-valign": "center",
      "font-family": getComputedStyle(document.body).fontFamily, color: text, "background-color": colour("--surface"),
      "border-width": 1.5, "border-color": colour("--muted"), "text-outline-width": 0,
    }),
    line("node.long", {
      "text-valign": "bottom", "text-margin-y": 3, "text-background-color": colour("--surface"), "text-background-opacity": 0.8,
    }),
    ...(n > MOST_LABELS ? [line("node", { "border-width": 0.5 })] : []),
    line("node.root", { "border-width": 5, "border-style": "double", "border-color": text }),
    line("node.faint", { opacity: 0.35 }),
    ...(n > MOST_LABELS ? [line("node.root", { width: 14, height: 14, "border-width": 3, "font-size": 16, "z-index": 9 })] : []),
    line("node.passed", { "border-width": 3, "border-color": colour("--accent") }),
    ...Array.from({ length: 6 }, (_, state) => line(`node.state-${state}`, { "background-color": colour(`--state-${state}`) })),
    line("node.cover", { shape: "round-rectangle", "background-color": colour("--state-3") }),
    line("node.left.long", { "text-halign": "left", "text-valign": "center", "text-margin-x": -4, "text-margin-y": 0 }),
    line("node.right.long", { "text-halign": "right", "text-valign": "center", "text-margin-x": 4, "text-margin-y": 0 }),
    line("node.broken", { shape: "octagon", "border-width": 3, "border-style": "dashed", "border-color": colour("--bad"), color: colour("--bad"), "font-weight": "bold" }),
    line("edge", {
      width: 1, "line-color": colour("--edge"), "target-arrow-color": colour("--edge"), "curve-style": "straight", "arrow-scale": 0.8,
      "font-size": 11, color: colour("--muted"), "text-background-color": colour("--surface"), "text-background-opacity": 1, "text-background-padding": 1,
    }),
    line("edge.loop", { "curve-style": "bezier" }),
    line("edge.arrow", { "target-arrow-shape": "triangle" }),
    line("edge[label]", { label: "data(label)" }),
    line("edge.crowded", { opacity: 0.35 }),
    line("edge.swarm", { opacity: 0.15, "arrow-scale": 0.5 }),
    line("edge.street", { width: 1.6, opacity: 0.8, "arrow-scale": 0.4 }),
    ...Array.from({ length: 5 }, (_, fifth) => line(`edge.cost-${fifth}`, { width: 2.2, opacity: 0.9, "line-color": colour(`--cost-${fifth}`), "target-arrow-color": colour(`--cost-${fifth}`) })),
    line("edge.observed", { width: 11, "line-color": colour("--mark"), "line-opacity": 0.35, "line-cap": "round", "z-index": 2 }),
    line("edge.varying", { width: 9, "line-color": colour("--mark"), "line-opacity": 0.55, "line-cap": "round", "z-index": 3 }),
    line("edge.other", { width: 2.5, "line-color": colour("--accent"), "line-opacity": 0.6, "z-index": 3 }),
    line("edge.tree", {
      width: 4, "line-color": colour("--accent"), "target-arrow-color": colour("--accent"), "target-arrow-shape": "triangle",
      "arrow-scale": 1.1, "z-index": 5, color: text,
    }),
    ...(n > MOST_LABELS ? [line("edge.tree", { "arrow-scale": 0.5 })] : []),
    // Bent aside, so that what lies on the same line, or runs the other way, stays visible.
    line("edge.selected, edge.broken, edge.put", { "curve-style": "unbundled-bezier", "control-point-distances": 26, "control-point-weights": 0.5 }),
    line("edge.selected", {
      width: 4, "line-style": "dotted", "line-color": colour("--mark"), "target-arrow-color": colour("--mark"), "target-arrow-shape": "vee",
      "arrow-scale": 1.4, "z-index": 8, color: text,
    }),
    line("edge.broken", {
      width: 5, "line-style": "dashed", "line-dash-pattern": [8, 5], "line-color": colour("--bad"), "target-arrow-color": colour("--bad"),
      "target-arrow-shape": "triangle", "arrow-scale": 1.2, "z-index": 9, color: colour("--bad"), "font-size": 14, "font-weight": "bold",
    }),
    line("edge.put", { width: 5, "line-style": "dashed", "line-dash-pattern": [1, 8], "line-cap": "round", "line-color": colour("--good"), "z-index": 9, color: colour("--good"), "font-size": 14, "font-weight": "bold" }),
    // Without a direction nothing runs the other way.
    line("edge.blunt", { "target-arrow-shape": "none", "curve-style": "straight" }),
    line("edge.hint", { width: 6, "line-color": colour("--mark"), "line-opacity": 0.5, "target-arrow-color": colour("--mark"), "target-arrow-shape": "triangle", "z-index": 7 }),
  ];
}

const nodeLabel = (name, second) => (second ? `${brief(name, 16)}\n${second}` : brief(name, 16));

/**
 * A drawing of `nodes` ({label, second, classes}) and `edges` ({tail, head, label, classes}). `place` gives positions
 * for a width and a height, or the name of one of cytoscape's own ways to find them.
 */
function drawing(label) {
  const host = el("div", { class: "drawing", role: "img", "aria-label": label });
  const cy = cytoscape({
    container: host, elements: [], style: [], layout: { name: "preset" }, userZoomingEnabled: false, userPanningEnabled: false, boxSelectionEnabled: false,
    autounselectify: true, autoungrabify: matchMedia("(pointer: coarse)").matches,
  });
  let n = 0;
  // The vertices that are drawn, by their place in the drawing.
  let part = [];
  let isDrawn = new Set();

  const fit = () => {
    cy.resize();
    // Names below vertices at the rim need room, too.
    cy.fit(undefined, part.length > MOST_LABELS ? 30 : 14);
    // A handful of vertices need not fill the screen.
    if (cy.zoom() > 1.6) {
      cy.zoom(1.6);
      cy.center();
    }
  };
  const element = ({ tail, head, label, classes }) => ({
    group: "edges", data: { source: String(tail), target: String(head), ...(label ? { label } : {}) },
    classes: [classes, tail === head && "loop"].filter(Boolean).join(" "),
  });
  const place = (places) => {
    if (typeof places === "string") {
      const circle = circlePlaces(part.length, 400, 400);
      cy.nodes().positions((_, place) => circle[place]);
      cy.layout({ name: places, animate: false, randomize: false, fit: false, nodeRepulsion: () => 60000, idealEdgeLength: () => 70, numIter: n > 100 ? 200 : 800 }).run();
    } else {
      cy.nodes().positions((_, place) => places[part[place]] ?? { x: 0, y: 0 });
    }
    fit();
  };
  whenThemeChanges.push(() => cy.style(drawingStyle(part.length)));
  const drawnOnly = (edges) => edges.filter(({ tail, head }) => isDrawn.has(tail) && isDrawn.has(head));
  new ResizeObserver(() => host.clientWidth && fit()).observe(host);

  return {
    host,
    cy,
    /** Another graph: everything anew. */
    reset(count, edges, places, shown = Array.from({ length: count }, (_, vertex) => vertex)) {
      n = count;
      part = shown;
      isDrawn = new Set(part);
      cy.batch(() => {
        cy.elements().remove();
        cy.add(part.map((vertex) => ({ group: "nodes", data: { id: String(vertex), label: "" } })));
        cy.add(drawnOnly(edges).map(element));
      });
      cy.style(drawingStyle(part.length));
      place(places);
    },
    place,
    /** Another look at the same graph: labels and classes of vertices, edges laid over those of the graph. */
    look(nodes, overlay, describes) {
      cy.batch(() => {
        cy.edges(".over").remove();
        const all = cy.nodes();
        part.forEach((vertex, place) => {
          const { name, second, classes } = nodes[vertex];
          // Of many vertices only those that stand out are called by name.
          const isNamed = part.length <= MOST_LABELS || /root|broken/.test(classes);
          const long = part.length > MOST_LABELS || [...name].length > 3 || (second ?? "").length > 4;
          all[place].data("label", isNamed ? nodeLabel(name, second) : "").classes([classes, long && "long"].filter(Boolean).join(" "));
        });
        const labelled = part.length <= MOST_LABELS ? overlay : overlay.map((edge) => ({ ...edge, label: "" }));
        cy.add(drawnOnly(labelled).map((edge) => element({ ...edge, classes: `over ${edge.classes}` })));
      });
      host.setAttribute("aria-label", describes);
    },
    /** Points at one pair of vertices; null points at none. */
    hint(tail, head) {
      cy.batch(() => {
        cy.edges(".hint").remove();
        if (tail != null && tail !== head && isDrawn.has(tail) && isDrawn.has(head)) cy.add(element({ tail, head, classes: "hint" }));
      });
    },
  };
}
