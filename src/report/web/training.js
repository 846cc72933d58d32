// Training runs beside each other: their curves on one pair of axes, their settings and best metrics in one table.

const CURVES = [
  ["validation", "validation loss"],
  ["loss", "training loss"],
  ["difference", "mean difference of probabilities (validation)"],
  ["graphs_per_second", "graphs a second"],
];

function curves(runs, column) {
  return runs.map(({ name, columns }) => ({
    name,
    points: columns.step.map((x, row) => ({ x, y: columns[column][row] })),
  }));
}

function curvesView(runs) {
  const title = (column) => CURVES.find(([name]) => name === column)[1];
  let shown = runs;
  const spec = (column) => ({ title: `Training curves: ${title(column)}`, x: "step", y: title(column), categories: [], series: curves(shown, column) });
  const drawn = chart({ ...spec("validation"), logarithmic: true });
  const which = choice("Curve", CURVES, (column) => drawn.update(spec(column)));
  const log = tick("logarithmic", true, (logarithmic) => drawn.update({ logarithmic }));
  const view = el("div", { class: "block" }, el("h3", {}, "Curves"), el("div", { class: "controls" }, which.field, log.field), drawn.view);
  const show = (next) => {
    shown = next;
    drawn.update(spec(which.select.value));
  };
  return { view, show };
}

function runRows(runs) {
  const best = (value) => runs.map((run) => (run.best ? value(run.best) : "–"));
  const last = runs.map(({ columns }) => short(columns.step.at(-1)));
  const keys = [...new Set(runs.flatMap(({ settings }) => Object.keys(settings)))];
  return [
    ["steps done", last],
    ["best at step", best(({ step }) => short(step))],
    ["best validation loss", best(({ validation }) => short(validation))],
    ["difference there", best(({ difference }) => short(difference))],
    ...keys.map((key) => [key, runs.map(({ settings }) => settings[key] ?? "–")]),
  ];
}

function runsTable(runs) {
  const rows = runRows(runs).map(([key, values]) => {
    const differs = new Set(values).size > 1;
    const mark = differs && el("span", { class: "differs", title: "The runs differ here" }, " ≠");
    return { differs, view: el("tr", { class: differs && "differing" }, el("th", { scope: "row" }, key, mark), values.map((value) => el("td", {}, value))) };
  });
  const body = el("tbody");
  const show = (onlyDifferences) => body.replaceChildren(...rows.filter(({ differs }) => differs || !onlyDifferences).map(({ view }) => view));
  show(runs.length > 1);
  const head = el("tr", {}, el("th", { scope: "col" }, "setting"), runs.map(({ name }) => el("th", { scope: "col" }, name)));
  const only = runs.length > 1 && el("div", { class: "controls" }, tick("only what differs (≠)", true, show).field);
  const table = el("table", { class: "runs" }, el("caption", { class: "unseen" }, "Training runs"), el("thead", {}, head), body);
  const heading = el("h3", {}, "Settings and best metrics");
  const shown = [only, scrollable("Training runs, table", table)];
  return runs.length > 1 ? el("div", { class: "block" }, heading, shown) : el("details", { class: "block" }, el("summary", {}, heading), shown);
}

const MANY_RUNS = 4;

/** A box that keeps the runs whose name or settings have all the words. */
function runFilter(runs, onchoice) {
  const text = ({ name, settings }) => `${name} ${Object.entries(settings).map(([key, value]) => `${key}=${value}`).join(" ")}`.toLowerCase();
  const status = el("p", { class: "count", role: "status" });
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = runs.filter((run) => words.every((word) => text(run).includes(word)));
    status.textContent = `${kept.length} of ${counted(runs.length, "run")}`;
    onchoice(kept);
  };
  const search = el("input", { type: "search", id: freshId("search"), oninput: apply });
  return el("div", { class: "controls" }, el("div", { class: "field" }, el("label", { for: search.id }, "Filter the runs"), search), status);
}

function trainingView(runs) {
  const curves = curvesView(runs);
  const table = el("div", {}, runsTable(runs));
  const show = (kept) => {
    curves.show(kept);
    table.replaceChildren(kept.length ? runsTable(kept) : "");
  };
  return el("section", { id: "training", "aria-labelledby": "training-title" },
    el("h2", { id: "training-title" }, runs.length > 1 ? `Training: ${runs.length} runs` : `Training: ${runs[0].name}`),
    runs.length >= MANY_RUNS && runFilter(runs, show), curves.view, table);
}
