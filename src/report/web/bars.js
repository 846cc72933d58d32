// Candidates that are sets of items: a row for each item, with its span of time or its deadline, and what is chosen as solid bars.
//
// Every mark is a sign as well as a colour: ✓ chosen, ✗ proves that a rule is broken, + is put in, − has to leave, ★ is in a larger set.

const MOST_BARS = 300;
const BAR_STEP = 24;
const BAR_ROOM = 340;

const itemKey = ({ items, varying }) => [
  ["chosen", "✓ chosen"], items.are_spans ? ["open", "not chosen"] : ["open", "may be done up to its deadline"],
  ...(varying.length ? [["varying", "in some solutions and not in others"]] : []),
  ["wrong", "✗ proves that a rule is broken; − has to leave"], ["better", items.are_spans ? "★ in a larger set" : "+ is put in, which is better"],
];

/** The sign and the class of each item. */
function itemMarks({ chosen, broken }) {
  const marks = new Map(chosen.map((item) => [item, ["✓", "chosen"]]));
  for (const item of broken?.better ?? []) marks.set(item, [marks.has(item) ? "✓★" : "★", marks.has(item) ? "chosen better" : "better"]);
  for (const item of broken?.items ?? []) marks.set(item, ["✗", "chosen wrong"]);
  if (broken?.exchange) marks.set(broken.exchange.in, ["+", "better"]);
  if (broken?.exchange?.out != null) marks.set(broken.exchange.out, ["−", "chosen wrong"]);
  return (item) => marks.get(item) ?? ["", ""];
}

/** The slot in which each chosen item is done, the most urgent first; items that come too late are those of an overfull deadline. */
function slotsOf({ columns, numbers }, chosen) {
  const deadline = numbers[columns.indexOf("deadline")];
  if (!deadline) return new Map();
  const urgent = [...chosen].sort((one, other) => deadline[one] - deadline[other] || one - other);
  return new Map(urgent.map((item, slot) => [item, slot + 1]));
}

const twoDigits = (number) => String(number).padStart(2, "0");

/** A point in time as it was written. */
function moment(number, secondsOf, isCoarse = false) {
  const seconds = Number(number);
  if (secondsOf == null || !Number.isFinite(seconds)) return String(number);
  if (secondsOf === "day") {
    const rest = seconds % 60 ? `:${twoDigits(Math.floor(seconds % 60))}` : "";
    return `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}${rest}`;
  }
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return String(number);
  const text = date.toISOString();
  return isCoarse || seconds % 86400 === 0 ? text.slice(0, 10) : text.slice(0, 16).replace("T", " ");
}

/** Round numbers, or round times, at which an axis is labelled. */
function roundTicks(least, most, secondsOf) {
  const rough = (most - least) / 5 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const decimal = [1, 2, 5, 10].map((factor) => factor * power);
  const times = [60, 300, 900, 1800, 3600, 10800, 21600, 43200, 86400, 172800, 604800, 1209600, 2592000, 7776000, 31536000];
  const step = (secondsOf ? times : decimal).find((step) => step >= rough) ?? rough;
  const first = Math.ceil(least / step);
  const count = Math.max(0, Math.floor(most / step) - first + 1);
  return { step, ticks: Array.from({ length: Math.min(count, 12) }, (_, at) => Number(((first + at) * step).toPrecision(12))) };
}

/** The items to draw: of too many those that are chosen or prove something, then the first others. */
function drawnItems({ vertices, items }, mark) {
  const all = vertices.map((_, item) => item);
  const worth = [...all.filter((item) => mark(item)[0]), ...all.filter((item) => !mark(item)[0])].slice(0, MOST_BARS);
  const [first, second] = items.are_spans ? [1, 0] : [0, 1];
  const key = (column, item) => Number(items.numbers[column]?.[item] ?? 0);
  return worth.sort((one, other) => key(first, one) - key(first, other) || (items.are_spans ? 1 : -1) * (key(second, one) - key(second, other)) || one - other);
}

function spanBars({ numbers: [starts, finishes], seconds_of: secondsOf }, rows, mark, broken) {
  const least = Math.min(...rows.map((item) => Number(starts[item])));
  const most = Math.max(...rows.map((item) => Number(finishes[item])));
  const x = (value) => ((Number(value) - least) / (most - least || 1)) * BAR_ROOM;
  const { step, ticks } = roundTicks(least, most, secondsOf);
  const pair = (broken?.items ?? []).length === 2 ? broken.items : null;
  const clash = pair && [Math.max(...pair.map((item) => Number(starts[item]))), Math.min(...pair.map((item) => Number(finishes[item])))];
  return {
    axis: ticks.map((at) => [x(at), moment(at, secondsOf, step >= 86400)]),
    bars: (item) => [{ from: x(starts[item]), to: x(finishes[item]), classes: mark(item)[1] || "open" }],
    note: (item) => `${moment(starts[item], secondsOf)} – ${moment(finishes[item], secondsOf)}`,
    band: clash && { from: x(clash[0]), to: x(clash[1]), text: "✗ overlap" },
  };
}

function slotBars(items, rows, mark, { chosen, broken }) {
  const deadlines = items.numbers[items.columns.indexOf("deadline")].map(Number);
  const weights = items.numbers[items.columns.indexOf("weight")];
  const slots = slotsOf(items, chosen);
  const last = Math.max(1, chosen.length, ...rows.map((item) => Math.min(deadlines[item], rows.length)));
  const x = (time) => (Math.min(time, last) / last) * BAR_ROOM;
  const full = broken?.items?.length ? Math.max(...broken.items.map((item) => deadlines[item])) : null;
  const { ticks } = last <= 20 ? { ticks: Array.from({ length: last + 1 }, (_, at) => at) } : roundTicks(0, last, null);
  return {
    axis: ticks.map((at) => [x(at), String(at)]),
    bars: (item) => [
      { from: 0, to: x(deadlines[item]), classes: `open window${mark(item)[1] === "better" ? " better" : ""}`, ends: deadlines[item] <= last },
      ...(slots.has(item) ? [{ from: x(slots.get(item) - 1), to: x(slots.get(item)), classes: `${mark(item)[1]}${slots.get(item) > deadlines[item] ? " wrong late" : ""}` }] : []),
    ],
    note: (item) => `due ${deadlines[item]}${weights ? `, weight ${weights[item]}` : ""}`,
    band: full == null ? null : { from: x(full), to: x(full), text: `✗ ${broken.items.length} due by ${full}` },
  };
}

function itemChart(exhibit, draw) {
  const { vertices, items } = exhibit;
  const mark = itemMarks(draw);
  const rows = drawnItems(exhibit, mark);
  const hasSlots = items.columns.includes("deadline");
  const kind = items.are_spans ? spanBars(items, rows, mark, draw.broken) : hasSlots ? slotBars(items, rows, mark, draw) : { axis: [], bars: () => [], note: () => "", band: null };
  const varies = new Set(exhibit.varying);
  const label = (item) => brief(vertices[item], 24);
  const left = 42 + 8 * Math.max(1, ...rows.map((item) => [...label(item)].length));
  const width = left + BAR_ROOM + 30 + 7 * Math.max(1, ...rows.map((item) => kind.note(item).length));
  const [top, bottom] = [34, 34 + BAR_STEP * rows.length];
  const bar = (at) => ({ from, to, classes, ends }) => [
    shape("rect", { class: `bar ${classes}`, x: left + from, y: top + BAR_STEP * at + (classes.includes("window") ? 9 : 4), width: Math.max(2, to - from), height: classes.includes("window") ? 6 : 16, rx: 2 }),
    ends && shape("line", { class: "deadline", x1: left + to, x2: left + to, y1: top + BAR_STEP * at + 3, y2: top + BAR_STEP * at + 21 }),
  ];
  const row = (item, at) => shape("g", { class: `row ${mark(item)[1]}` },
    varies.has(item) && shape("rect", { class: "varies", x: 0, y: top + BAR_STEP * at + 2, width: 5, height: BAR_STEP - 4 }),
    shape("text", { class: "sign", x: 10, y: top + BAR_STEP * at + 16 }, mark(item)[0]),
    shape("text", { x: 34, y: top + BAR_STEP * at + 16 }, label(item)), kind.bars(item).map(bar(at)),
    shape("text", { class: "note", x: left + BAR_ROOM + 12, y: top + BAR_STEP * at + 16 }, kind.note(item)));
  const ticks = kind.axis.map(([at, text]) => shape("g", { class: "tick" }, shape("line", { x1: left + at, x2: left + at, y1: top - 6, y2: bottom }),
    shape("text", { x: left + at, y: top - 10, "text-anchor": "middle" }, text)));
  const band = kind.band && shape("g", { class: "band" }, shape("rect", { x: left + kind.band.from - 1, y: top - 6, width: Math.max(3, kind.band.to - kind.band.from), height: bottom - top + 6 }),
    shape("text", { x: left + kind.band.from + 4, y: bottom + 16, "text-anchor": kind.band.from > BAR_ROOM / 2 ? "end" : "start" }, kind.band.text));
  const height = bottom + 24;
  const words = `${draw.chosen.length} of ${counted(vertices.length, "item")} chosen: ${draw.chosen.slice(0, 20).map((item) => vertices[item]).join(", ") || "none"}${draw.chosen.length > 20 ? " …" : ""}. The table below says the same.`;
  const rest = rows.length < vertices.length && el("p", { class: "hint-text" }, `Drawn: ${rows.length} of ${vertices.length}, chosen ones first among them.`);
  return [shape("svg", { class: "chart items", role: "img", "aria-label": words, width, height, viewBox: `0 0 ${width} ${height}` }, ticks, rows.map(row), band), rest].filter(Boolean);
}

function itemTable(exhibit, draw) {
  const { vertices, items, varying } = exhibit;
  const isChosen = new Set(draw.chosen);
  const varies = new Set(varying);
  const mark = itemMarks(draw);
  const slots = slotsOf(items, draw.chosen);
  const said = { "✗": "✗ proves that a rule is broken", "+": "+ is put in", "−": "− has to leave", "★": "★ in a larger set", "✓★": "★ in a larger set, too" };
  const all = vertices.map((_, item) => item);
  const rows = [...all.filter((item) => isChosen.has(item)), ...all.filter((item) => !isChosen.has(item))].map((item) => [
    vertices[item], isChosen.has(item) ? "chosen" : "–", ...items.numbers.map((column) => moment(column[item], items.seconds_of)),
    ...(slots.size ? [slots.has(item) ? `${slots.get(item)}` : "–"] : []), said[mark(item)[0]] ?? (varies.has(item) ? "in some solutions only" : ""),
  ]);
  return plainTable("The candidate, item by item, chosen ones first", [items.name, "chosen", ...items.columns, ...(slots.size ? ["slot"] : []), "remark"], rows);
}

const itemGrid = ({ vertices, items }) => ({
  title: `How often each of the ${items.name} is chosen`, hint: "A row for each. Ringed: what the candidate that is shown has chosen.",
  corner: items.name, names: vertices, heads: ["chosen"], values: (row) => [row[1]],
  role: (item) => `${vertices[item]} chosen`, ends: () => null, takes: (draw) => (item) => draw.chosen.includes(item),
});
