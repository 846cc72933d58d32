// Tables with ours, the paper's figure and the difference; they can be filtered and sorted.

const MOST_CHOICES = 12;

const isNumber = (cell) => typeof cell !== "string";

function numberTexts({ ours, deviation, paper, decimals }) {
  const shown = ours == null ? "–" : ours.toFixed(decimals);
  return {
    ours: deviation == null ? shown : `${shown} ± ${deviation.toFixed(decimals)}`,
    paper: paper == null ? "" : paper.toFixed(decimals),
    difference: ours == null || paper == null ? "" : signed(ours - paper, decimals),
  };
}

const cellText = (cell) => (isNumber(cell) ? Object.values(numberTexts(cell)).join(" ") : cell);

function cellView(cell, tag) {
  if (!isNumber(cell)) return el(tag, tag === "th" ? { scope: "row" } : {}, cell);
  const { ours, paper, difference } = numberTexts(cell);
  const beside = paper && el("span", { class: "paper" }, `paper ${paper}`, difference && ` (${difference})`);
  return el("td", { class: "number" }, el("span", { class: "ours" }, ours), beside);
}

/** Text columns with a handful of values get a choice of their own. */
function columnChoices(table, apply) {
  return table.columns.flatMap((name, column) => {
    const cells = table.rows.map((row) => row[column]);
    const values = [...new Set(cells)];
    if (cells.some(isNumber) || values.length < 2 || values.length > MOST_CHOICES || values.length === cells.length) return [];
    const options = [["", "all"], ...values.map((value) => [`=${value}`, value || "(empty)"])];
    return [{ column, ...choice(name || "rows", options, apply) }];
  });
}

function comparedCells(one, other) {
  if (isNumber(one) && isNumber(other)) return (one.ours ?? Infinity) - (other.ours ?? Infinity);
  if (isNumber(one) !== isNumber(other)) return isNumber(one) ? 1 : -1;
  return one.localeCompare(other, undefined, { numeric: true });
}

function tableView(table) {
  const heading = freshId("table");
  const rows = table.rows.map((row) => ({
    cells: row,
    text: row.map(cellText).join(" ").toLowerCase(),
    view: el("tr", {}, row.map((cell, place) => cellView(cell, place ? "td" : "th"))),
  }));
  const body = el("tbody");
  const status = el("p", { class: "count", role: "status" });
  let order = null;

  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = ({ cells, text }) =>
      words.every((word) => text.includes(word)) &&
      choices.every(({ column, select }) => !select.value || select.value === `=${cells[column]}`);
    const shown = rows.filter(fits);
    if (order) shown.sort((one, other) => order.sign * comparedCells(one.cells[order.column], other.cells[order.column]));
    body.replaceChildren(...shown.map(({ view }) => view));
    status.textContent = `${shown.length} of ${counted(rows.length, "row")}`;
  };
  const search = el("input", { type: "search", id: freshId("search"), oninput: apply });
  const choices = columnChoices(table, apply);

  const heads = table.columns.map((name, column) => {
    const sort = () => {
      order = { column, sign: order?.column === column ? -order.sign : 1 };
      heads.forEach((head) => head.removeAttribute("aria-sort"));
      heads[column].setAttribute("aria-sort", order.sign > 0 ? "ascending" : "descending");
      apply();
    };
    const numeric = table.rows.some((row) => isNumber(row[column]));
    return el("th", { scope: "col", class: numeric && "number" }, button(name || "row", sort, { class: "sort", title: "Sort" }));
  });

  const caption = el("h3", { id: heading }, table.title || table.name);
  const grid = el("table", { class: "results", "aria-labelledby": heading }, el("thead", {}, el("tr", {}, heads)), body);
  const hasPaper = table.rows.some((row) => row.some((cell) => isNumber(cell) && cell.paper != null));
  const paper = hasPaper && tick("the paper's values", true, (on) => grid.classList.toggle("without-paper", !on)).field;
  const filters = rows.length > 3 && el("div", { class: "controls" },
    el("div", { class: "field" }, el("label", { for: search.id }, "Filter"), search),
    choices.map(({ field }) => field), paper, status);
  apply();
  return el("section", { class: "block", "data-table": table.name, "aria-labelledby": heading },
    caption, paperLabel(table), filters || paper, scrollable(`${table.title || table.name}, table`, grid), notesView(table.notes));
}

const paperLabel = ({ paper_label: label }) => label && el("p", { class: "label" }, `In the paper: ${label}`);

const notesView = (notes) => notes.length > 0 && el("ul", { class: "notes" }, notes.map((note) => el("li", {}, note)));
