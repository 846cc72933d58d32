// What an answer looks like decides how it is drawn, told and counted; the viewer asks here.

const FORMS = {
  parents: { key: ({ varying }) => TREE_KEY.filter(([kind]) => kind !== "varying" || varying.length), look: treeLook, table: treeTable, grid: treeGrid },
  edges: { key: edgeSetKey, look: edgeSetLook, table: edgeSetTable, grid: edgeSetGrid },
  order: { key: () => ORDER_KEY, look: orderLook, chart: orderChart, table: orderTable, grid: orderGrid },
  items: { key: itemKey, chart: itemChart, table: itemTable, grid: itemGrid },
};

const listed = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

/** What proves that a candidate is wrong, a sentence each. */
function proofInWords({ vertices, form, items, directed }, { chosen }, { edges, path = [], items: together = [], exchange, better = [] }) {
  const name = (vertex) => vertices[vertex] ?? String(vertex);
  const line = directed || form === "parents" ? "→" : "–";
  const part = (part) => (Array.isArray(part) ? part.map(name).join(` ${line} `) : name(part));
  const told = [];
  if (edges.length) told.push(`What proves it (dashed red, marked ✗): ${edges.map(part).join(", ")}.`);
  if (path.length) told.push(`Along ${path.map(name).join(" – ")} chosen edges (−) and others (+) change places, and there is one more.`);
  if (together.length && items?.are_spans) told.push(`${listed(together.map(name))} overlap.`);
  else if (together.length) told.push(`${listed(together.map(name))} cannot be done together: ${together.length} of them, ${counted(together.length - 1, "place")} in time.`);
  if (exchange) told.push(exchange.out == null ? `With ${part(exchange.in)} (+) it is better.` : `${part(exchange.in)} (+) instead of ${part(exchange.out)} (−) is better.`);
  if (better.length) told.push(`Better (★): ${listed(better.slice(0, 20).map(name))}${better.length > 20 ? " …" : ""}; ${better.length} instead of ${chosen.length}.`);
  return told;
}
