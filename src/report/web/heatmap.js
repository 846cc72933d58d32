// A distribution as a grid: a row for each slot (a child, an edge, an item), a column for each option (a parent, "chosen").
//
// The stronger the tint, the likelier the option. Small grids print the numbers; in a difference, what is less likely
// than in the other distribution is hatched. Pointer and arrow keys tell the figure of a cell.

const MOST_PRINTED = 8;
const MOST_LABELLED = 32;

const channels = (text) => text.match(/[\d.]+/g).slice(0, 3).map(Number);
const mixed = (from, to, share) => from.map((channel, index) => Math.round(channel + (to[index] - channel) * share));

function luminance(rgb) {
  const [red, green, blue] = rgb.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white, whichever can be read better. */
const readableOn = (rgb) => (luminance(rgb) > 0.179 ? "#000" : "#fff");

/** `ondwell(tail, head)` is told which pair of vertices the cell that is looked at is about; null when there is none. */
function heatmap(ondwell) {
  const readout = el("p", { class: "readout", role: "status" });
  const holder = el("div", { class: "scroll heatmap" });
  let shown = null;
  let cells = [];
  let current = [0, 0];

  const name = (row) => shown.names[row];
  const inFigures = (value) => (shown.isDifference ? signed(value, 3) : value.toFixed(3));
  const words = (row, column) => `${shown.role(row, column)}: ${inFigures(shown.rows[row][column])}`;
  const dwell = (child, parent) => {
    readout.textContent = words(child, parent);
    ondwell?.(...(shown.ends(child, parent) ?? [null]));
  };
  const rest = () => {
    readout.textContent = shown.rows.length ? "Point at a cell, or go to the grid and use the arrow keys." : "";
    ondwell?.(null);
  };
  // One cell at a time is a stop of the tab key; the arrow keys go on from there.
  const arrive = (child, parent) => {
    cells[current[0]][current[1]].tabIndex = -1;
    current = [child, parent];
    cells[child][parent].tabIndex = 0;
    dwell(child, parent);
  };
  const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const keyed = (event) => {
    const last = [shown.rows.length - 1, shown.heads.length - 1];
    const clamp = (place, axis) => Math.max(0, Math.min(last[axis], place));
    const next = moves[event.key]?.map((move, axis) => clamp(current[axis] + move, axis)) ?? { Home: [current[0], 0], End: [current[0], last[1]] }[event.key];
    if (!next) return;
    cells[next[0]][next[1]].focus();
    event.preventDefault();
  };

  const paint = () => {
    if (!shown) return;
    const [ground, more, less] = ["--surface", "--heat", "--less"].map((one) => channels(colour(one)));
    const most = shown.isDifference ? Math.max(0.05, ...shown.rows.flat().map(Math.abs)) : 1;
    shown.rows.forEach((row, child) => row.forEach((value, parent) => {
      const tint = mixed(ground, value < 0 ? less : more, Math.sqrt(Math.min(1, Math.abs(value) / most)));
      const cell = cells[child][parent];
      cell.style.backgroundColor = `rgb(${tint})`;
      cell.style.color = readableOn(tint);
      cell.classList.toggle("less", value < -0.0005);
    }));
  };

  const build = () => {
    // One column has room for its figures, however long it is.
    const printed = shown.rows.length <= MOST_PRINTED || shown.heads.length === 1;
    const figure = (value) => (Math.abs(value) < 0.0005 ? "" : inFigures(value));
    cells = shown.rows.map((row, child) => row.map((value, parent) => el("td", {
      role: "gridcell", tabindex: -1, "aria-label": words(child, parent),
      onpointerenter: () => dwell(child, parent),
      onfocus: () => arrive(child, parent),
    }, printed ? figure(value) : "")));
    current = [0, 0];
    if (cells.length) cells[0][0].tabIndex = 0;
    const size = printed ? "printed" : shown.names.length <= MOST_LABELLED ? "dense" : "tiny";
    const room = shown.heads.length === 1 ? 28 : printed ? 8 : 4;
    const label = (text, place) => (size === "tiny" && place % 8 ? el("span", { class: "unseen" }, text) : brief(text, room));
    const head = (kind, text, place) => el("th", { role: `${kind}header`, scope: kind === "column" ? "col" : "row", title: text }, label(text, place));
    const heads = el("tr", { role: "row" }, el("td", { role: "gridcell", class: "corner" }, size === "tiny" ? "" : shown.corner),
      shown.heads.map((text, place) => head("column", text, place)));
    const body = cells.map((row, place) => el("tr", { role: "row" }, head("row", name(place), place), row));
    const grid = el("table", { role: "grid", "aria-label": shown.title, class: size, onkeydown: keyed, onpointerleave: rest },
      el("thead", { role: "rowgroup" }, heads), el("tbody", { role: "rowgroup" }, body));
    holder.replaceChildren(grid);
    paint();
    rest();
  };
  whenThemeChanges.push(paint);
  return {
    view: el("div", {}, holder, readout),
    show(next) {
      shown = next;
      build();
    },
    /** Rings the cells that a candidate took: those for which `takes(row, column)` holds. */
    ring(takes) {
      cells.forEach((row, place) => row.forEach((cell, column) => cell.classList.toggle("taken", takes?.(place, column) ?? false)));
    },
  };
}

/** A name cut to a length at which it fits. */
const brief = (text, most) => ([...text].length > most ? `${[...text].slice(0, most - 1).join("")}…` : text);
