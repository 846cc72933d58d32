// Curves and bars on one pair of axes (uPlot), with a legend that also tells the values under the pointer.
//
// Series differ in colour and in dash and marker (curves) or hatching (bars), so none is known by its colour alone.

const SERIES_COLOURS = 8;
const DASHES = [[], [8, 4], [2, 3], [9, 3, 2, 3]];
const MARKERS = [
  "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0",
  "M-3.5,-3.5h7v7h-7z",
  "M0,-4.8L4.4,3.2H-4.4z",
  "M0,-5L4.5,0L0,5L-4.5,0z",
  "M0,4.8L4.4,-3.2H-4.4z",
].map((path) => new Path2D(path));
const MOST_MARKERS = 60;

const seriesColour = (index) => colour(`--series-${index % SERIES_COLOURS}`);
const seriesDash = (index) => DASHES[(index + Math.floor(index / SERIES_COLOURS)) % DASHES.length];
const seriesMarker = (index) => MARKERS[(index + Math.floor(index / SERIES_COLOURS)) % MARKERS.length];

/** A fill for bars: solid, then hatched one way, the other way, dotted, striped. */
function hatching(context, index) {
  const size = 8 * devicePixelRatio;
  const tile = el("canvas", { width: size, height: size });
  const draw = tile.getContext("2d");
  draw.scale(devicePixelRatio, devicePixelRatio);
  draw.strokeStyle = draw.fillStyle = seriesColour(index);
  draw.lineWidth = 1.5;
  const lines = [
    () => draw.fillRect(0, 0, 8, 8),
    () => draw.stroke(new Path2D("M-2,2L2,-2M0,8L8,0M6,10L10,6")),
    () => draw.stroke(new Path2D("M-2,6L2,10M0,0L8,8M6,-2L10,2")),
    () => draw.fill(new Path2D("M2,2h3v3h-3z")),
    () => draw.stroke(new Path2D("M0,4H8")),
    () => draw.stroke(new Path2D("M4,0V8")),
  ];
  lines[index % lines.length]();
  return context.createPattern(tile, "repeat");
}

function marker(context, index, x, y) {
  context.save();
  context.translate(x, y);
  context.scale(devicePixelRatio, devicePixelRatio);
  context.fillStyle = seriesColour(index);
  context.fill(seriesMarker(index));
  context.restore();
}

/** What the legend shows of a series: a piece of its curve, or of its bars. */
function swatch(index, bars) {
  const [width, height] = [30, 14];
  const canvas = el("canvas", { width: width * devicePixelRatio, height: height * devicePixelRatio, class: "swatch", "aria-hidden": "true" });
  const draw = canvas.getContext("2d");
  const middle = (height / 2) * devicePixelRatio;
  draw.strokeStyle = seriesColour(index);
  draw.lineWidth = 2 * devicePixelRatio;
  if (bars) {
    draw.fillStyle = hatching(draw, index);
    draw.fillRect(0, 0, canvas.width, canvas.height);
    draw.strokeRect(0, 0, canvas.width, canvas.height);
  } else {
    draw.setLineDash(seriesDash(index).map((length) => length * devicePixelRatio));
    draw.stroke(new Path2D(`M0,${middle}H${canvas.width}`));
    marker(draw, index, canvas.width / 2, middle);
  }
  return canvas;
}

/** The series on common horizontal places, as uPlot wants them: [places, values of the first, …]. */
function aligned(series, logarithmic) {
  const places = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((one, other) => one - other);
  const usable = (value) => (logarithmic && !(value > 0) ? null : value);
  const columns = series.map(({ points }) => {
    const at = new Map(points.map(({ x, y }) => [x, usable(y)]));
    return places.map((place) => at.get(place) ?? null);
  });
  return [places, ...columns];
}

/** Where the line through a point begins and ends; null without one. */
const endsOf = ({ y, deviation, interval }) => interval ?? (deviation > 0 ? [y - deviation, y + deviation] : null);

/** The vertical extent that every point with its deviation needs; null leaves it to uPlot. */
function extent(series, logarithmic) {
  const ends = series.flatMap(({ points }) => points.flatMap((point) => [point.y, ...(endsOf(point) ?? [])]));
  const numbers = ends.filter((end) => Number.isFinite(end) && (!logarithmic || end > 0));
  return numbers.length ? [Math.min(...numbers), Math.max(...numbers)] : null;
}

function deviations(plot, series, hidden) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.globalAlpha = 0.15;
  series.forEach(({ points }, index) => {
    const known = points.filter(({ y, deviation }) => y != null && deviation > 0);
    if (hidden.has(index) || known.length < 2) return;
    const corner = ({ x, y, deviation }, sign) => [plot.valToPos(x, "x", true), plot.valToPos(y + sign * deviation, "y", true)];
    const outline = [...known.map((point) => corner(point, 1)), ...known.toReversed().map((point) => corner(point, -1))];
    ctx.beginPath();
    outline.forEach(([x, y]) => ctx.lineTo(x, y));
    ctx.fillStyle = seriesColour(index);
    ctx.fill();
  });
  ctx.restore();
}

function markers(plot, series, hidden) {
  series.forEach(({ points }, index) => {
    if (hidden.has(index) || points.length > MOST_MARKERS) return;
    for (const { x, y } of points) {
      if (y != null) marker(plot.ctx, index, plot.valToPos(x, "x", true), plot.valToPos(y, "y", true));
    }
  });
}

function bars(plot, series, hidden) {
  const { ctx } = plot;
  const visible = series.map((one, index) => ({ ...one, index })).filter(({ index }) => !hidden.has(index));
  const width = 0.8 / Math.max(1, visible.length);
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  visible.forEach(({ points, index }, place) => {
    ctx.strokeStyle = seriesColour(index);
    ctx.fillStyle = hatching(ctx, index);
    for (const point of points) {
      const { x, y } = point;
      if (y == null) continue;
      const from = x - 0.4 + place * width;
      const [left, right] = [from + 0.08 * width, from + 0.92 * width].map((at) => plot.valToPos(at, "x", true));
      const [low, high] = [0, y].map((at) => plot.valToPos(at, "y", true));
      ctx.fillRect(left, high, right - left, low - high);
      ctx.strokeRect(left, high, right - left, low - high);
      if (endsOf(point)) {
        const middle = (left + right) / 2;
        const ends = endsOf(point).map((at) => plot.valToPos(at, "y", true));
        ctx.save();
        ctx.strokeStyle = colour("--text");
        ctx.stroke(new Path2D(`M${middle},${ends[0]}V${ends[1]}`));
        ctx.restore();
      }
    }
  });
  ctx.restore();
}

/** Letters of the longest label, where labels have no room side by side and are slanted; otherwise 0. */
function slantedLength(categories) {
  const longest = Math.max(0, ...categories.map((name) => name.length));
  return longest * categories.length > 60 ? Math.min(longest, 18) : 0;
}

function axes(spec) {
  const font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const common = { stroke: colour("--muted"), font, labelFont: font, grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line"), width: 1 } };
  const horizontal = { ...common, label: spec.x || undefined, labelSize: 22, size: 34 };
  if (spec.categories.length) {
    const slanted = slantedLength(spec.categories);
    horizontal.splits = () => spec.categories.map((_, place) => place);
    horizontal.values = () => spec.categories;
    horizontal.grid = { show: false };
    if (slanted) Object.assign(horizontal, { rotate: -40, size: 24 + 5 * slanted });
  } else {
    horizontal.values = (_, places) => places.map((place) => (place == null ? "" : short(place)));
  }
  const vertical = { ...common, label: spec.y || undefined, labelSize: 22, size: 62, values: (_, places) => places.map((place) => (place == null ? "" : short(place))) };
  return [horizontal, vertical];
}

function plotOptions(spec, hidden, width, oncursor) {
  const isBars = spec.categories.length > 0;
  const bounds = extent(spec.series, spec.logarithmic);
  const padded = (_, low, high) => {
    const [least, most] = bounds ?? [low ?? 0, high ?? 1];
    if (isBars) return [Math.min(0, least), most > 0 ? most * 1.05 : 1];
    const room = (most - least) * 0.05 || Math.abs(most) * 0.05 || 1;
    return [least >= 0 && least - room < 0 ? 0 : least - room, most + room];
  };
  const y = spec.logarithmic ? { distr: 3 } : { range: padded };
  const x = isBars ? { time: false, range: [-0.5, spec.categories.length - 0.5] } : { time: false };
  const line = (_, index) => ({
    stroke: seriesColour(index), width: 2, dash: seriesDash(index), spanGaps: true, show: !hidden.has(index),
    points: { show: false }, ...(isBars ? { paths: () => null } : {}),
  });
  return {
    // The last of slanted labels goes beyond the last bar.
    width, height: 280, padding: [null, Math.round(3.6 * slantedLength(spec.categories)) || null, null, null], legend: { show: false }, axes: axes(spec), scales: { x, y },
    cursor: { drag: { x: false, y: false }, points: { show: !isBars }, y: false },
    series: [{}, ...spec.series.map(line)],
    hooks: {
      drawAxes: [(plot) => !isBars && deviations(plot, spec.series, hidden)],
      draw: [(plot) => (isBars ? bars(plot, spec.series, hidden) : markers(plot, spec.series, hidden))],
      setCursor: [(plot) => oncursor(plot.cursor.idx)],
    },
  };
}

/** Draws `spec` ({title, x, y, categories, series, logarithmic}); draws anew when the theme or the width changes. */
function chart(spec) {
  const hidden = new Set();
  const host = el("div", { class: "plot", role: "img", "aria-label": describeChart(spec) });
  const legend = el("ul", { class: "legend" });
  const place = el("p", { class: "place", "aria-hidden": "true" });
  let plot = null;
  let columns = [];
  let wanted = false;

  const values = [];
  const tell = (index) => {
    const known = index != null && columns[0]?.[index] != null;
    const at = known && (spec.categories[columns[0][index]] ?? short(columns[0][index]));
    place.textContent = known ? `${spec.x || "at"}: ${at}` : "";
    spec.series.forEach((_, series) => (values[series].textContent = known ? short(columns[series + 1][index]) : ""));
  };
  const draw = () => {
    const width = host.clientWidth;
    if (!width || !wanted) return;
    plot?.destroy();
    columns = aligned(spec.series, spec.logarithmic);
    plot = new uPlot(plotOptions(spec, hidden, width, tell), columns, host);
  };
  const fillLegend = () => {
    legend.replaceChildren(...spec.series.map(({ name }, index) => {
      values[index] = el("span", { class: "value", "aria-hidden": "true" });
      const toggle = () => {
        if (!hidden.delete(index)) hidden.add(index);
        entry.setAttribute("aria-pressed", String(!hidden.has(index)));
        draw();
      };
      const entry = button([swatch(index, spec.categories.length > 0), el("span", {}, name)], toggle, { "aria-pressed": String(!hidden.has(index)) });
      return el("li", {}, entry, values[index]);
    }));
  };
  const update = (changes = {}) => {
    if (changes.series && changes.series.length !== spec.series.length) hidden.clear();
    Object.assign(spec, changes);
    host.setAttribute("aria-label", describeChart(spec));
    fillLegend();
    draw();
  };
  whenThemeChanges.push(() => update());
  // A page may have dozens of charts; each is drawn when a reader comes near it, or prints.
  const want = () => {
    if (wanted) return;
    wanted = true;
    draw();
  };
  new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && want(), { rootMargin: "800px" }).observe(host);
  addEventListener("beforeprint", want);
  let width = 0;
  new ResizeObserver(() => {
    if (host.clientWidth !== width) {
      width = host.clientWidth;
      draw();
    }
  }).observe(host);
  fillLegend();
  return { view: el("div", { class: "chart" }, host, place, legend), update };
}

const describeChart = ({ title, x, y, series }) =>
  `${title || y}: ${y || "values"} against ${x || "place"} for ${counted(series.length, "series", "series")}; the values are in the table below`;

function chartValues({ title, x, categories, series }) {
  const heads = [x || "place", ...series.map(({ name }) => name)];
  const [places, ...columns] = aligned(series, false);
  const spread = (index, place) => {
    const { deviation, interval } = series[index].points.find((point) => point.x === place) ?? {};
    if (interval) return ` (${interval.map(short).join(" to ")})`;
    return deviation == null ? "" : ` ± ${short(deviation)}`;
  };
  const text = (index, row) => short(columns[index][row]) + spread(index, places[row]);
  const rows = places.map((place, row) => [categories[place] ?? short(place), ...columns.map((_, index) => text(index, row))]);
  return el("details", {}, el("summary", {}, "Values"), plainTable(`Values of ${title}`, heads, rows));
}

function figureView(figure) {
  const heading = freshId("figure");
  const panels = figure.panels.map((panel) => {
    const spec = { ...panel, title: panel.title || figure.title, logarithmic: false };
    const drawn = chart(spec);
    const positive = !panel.categories.length && panel.series.some(({ points }) => points.some(({ y }) => y > 0));
    const log = positive && tick("logarithmic", false, (logarithmic) => drawn.update({ logarithmic })).field;
    return el("div", { class: "panel" }, panel.title && el("h4", {}, panel.title), drawn.view, log, chartValues(spec));
  });
  return el("section", { class: "block", "data-figure": figure.name, "aria-labelledby": heading },
    el("h3", { id: heading }, figure.title || figure.name), paperLabel(figure),
    el("div", { class: "panels" }, panels), notesView(figure.notes));
}
