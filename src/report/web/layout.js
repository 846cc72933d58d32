// Where the vertices of a larger graph stand, and which of them are drawn when all would be too many.

const MOST_DRAWN = 3000;
const MOST_OF_A_PART = 1200;
const MOST_WITH_SPRINGS = 400;

/** The neighbours of each vertex, whatever the direction. */
function neighboursOf({ vertices, edges }) {
  const neighbours = vertices.map(() => []);
  for (const { tail, head } of edges) {
    neighbours[tail].push(head);
    neighbours[head].push(tail);
  }
  return neighbours;
}

/** The number of edges from some vertices to all others; -1 where there is no way. `visit` sees each as it is met. */
function stepsFrom(starts, neighbours, visit = () => true) {
  const steps = neighbours.map(() => -1);
  starts.forEach((start) => (steps[start] = 0));
  const queue = [...starts];
  for (let next = 0; next < queue.length; next++) {
    if (!visit(queue[next])) break;
    for (const vertex of neighbours[queue[next]]) {
      if (steps[vertex] >= 0) continue;
      steps[vertex] = steps[queue[next]] + 1;
      queue.push(vertex);
    }
  }
  return steps;
}

/** Moves places so that they are centred, and each vertex has some room: less where there are many, so that lines stay visible. */
function spread(places, room = places.length > MOST_LABELS ? 16 : 60) {
  const span = (axis) => {
    const values = places.map((place) => place[axis]);
    return [Math.min(...values), Math.max(...values)];
  };
  const [[left, right], [top, bottom]] = [span("x"), span("y")];
  const side = Math.max(right - left, bottom - top) || 1;
  const scale = (room * Math.sqrt(places.length)) / side;
  return places.map(({ x, y }) => ({ x: (x - (left + right) / 2) * scale, y: (y - (top + bottom) / 2) * scale }));
}

/** The places that the file gives: x to the right, y up. Degrees of latitude and longitude become a map. */
function mapPlaces(positions) {
  const isDegrees = positions.every(([x, y]) => Math.abs(x) <= 180 && Math.abs(y) <= 90);
  const middle = positions.reduce((sum, [, y]) => sum + y, 0) / positions.length;
  const narrow = isDegrees ? Math.cos((middle * Math.PI) / 180) : 1;
  return spread(positions.map(([x, y]) => ({ x: x * narrow, y: -y })));
}

/**
 * Pivot MDS (Brandes and Pich): distances to a few vertices far from each other, and the two directions in which these vary most.
 * A moment for thousands of vertices; parts that are not joined stand side by side.
 */
function pivotPlaces(exhibit) {
  const neighbours = neighboursOf(exhibit);
  const n = neighbours.length;
  const [pivots, columns] = [[], []];
  let farthest = neighbours.map(() => Infinity);
  for (let next = 0; pivots.length < Math.min(40, n); next = farthest.indexOf(Math.max(...farthest))) {
    const steps = stepsFrom([next], neighbours);
    const reach = Math.max(...steps) + 3;
    columns.push(steps.map((count) => (count < 0 ? reach : count) ** 2));
    farthest = farthest.map((known, vertex) => Math.min(known, columns.at(-1)[vertex]));
    pivots.push(next);
  }
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const ofColumns = columns.map(mean);
  const ofRows = neighbours.map((_, vertex) => mean(columns.map((column) => column[vertex])));
  const all = mean(ofColumns);
  const centred = columns.map((column, pivot) => column.map((value, vertex) => -(value - ofColumns[pivot] - ofRows[vertex] + all) / 2));
  const dot = (one, two) => one.reduce((sum, value, index) => sum + value * two[index], 0);
  const products = centred.map((one) => centred.map((two) => dot(one, two)));
  const found = [];
  for (let axis = 0; axis < 2; axis++) {
    let vector = pivots.map((_, index) => Math.sin(1 + 7 * index + axis));
    for (let round = 0; round < 100; round++) {
      for (const other of found) {
        const along = dot(vector, other);
        vector = vector.map((value, index) => value - along * other[index]);
      }
      vector = products.map((row) => dot(row, vector));
      const length = Math.sqrt(dot(vector, vector)) || 1;
      vector = vector.map((value) => value / length);
    }
    found.push(vector);
  }
  const along = (vector, vertex) => centred.reduce((sum, column, pivot) => sum + column[vertex] * vector[pivot], 0);
  // Vertices that hang on the same ones would lie on each other.
  const apart = (vertex, by) => Math.sin(vertex * by) * 0.15;
  const size = (vector) => Math.max(...neighbours.map((_, vertex) => Math.abs(along(vector, vertex)))) || 1;
  const [width, height] = found.map(size);
  const step = 2 / Math.sqrt(n);
  return spread(neighbours.map((_, vertex) => ({
    x: along(found[0], vertex) / width + step * apart(vertex, 12.9898),
    y: (along(found[1], vertex) / width) + step * apart(vertex, 78.233) * (height ? 1 : 0),
  })));
}

/** The vertices to draw: all, or of too many those nearest to the routes, the edges that vary, and the source. */
function partWorthSeeing(exhibit) {
  const all = exhibit.vertices.map((_, vertex) => vertex);
  if (all.length <= MOST_DRAWN) return all;
  const onRoutes = exhibit.routes.flatMap(({ path }) => path);
  const starts = unique([...onRoutes, ...(onRoutes.length ? [] : exhibit.varying.flat()), exhibit.source ?? 0]);
  const part = [];
  stepsFrom(starts.slice(0, MOST_OF_A_PART), neighboursOf(exhibit), (vertex) => part.push(vertex) < MOST_OF_A_PART);
  return part.sort((one, two) => one - two);
}
