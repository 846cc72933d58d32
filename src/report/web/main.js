// The page: its head, its sections, the theme. A part without data is not there.

const THEME_KEY = "tiebreak-theme";

/** Pages opened from a disk may have no storage. */
function remembered(value) {
  try {
    if (value !== undefined) localStorage.setItem(THEME_KEY, value);
    return localStorage.getItem(THEME_KEY) ?? "auto";
  } catch {
    return value ?? "auto";
  }
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  whenThemeChanges.forEach((redraw) => redraw());
}

function themeChoice() {
  const options = [["auto", "as the system"], ["light", "light"], ["dark", "dark"]];
  const theme = choice("Theme", options, (value) => setTheme(remembered(value)));
  theme.select.value = remembered();
  document.documentElement.dataset.theme = theme.select.value;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => whenThemeChanges.forEach((redraw) => redraw()));
  return theme.field;
}

function resultsView(results) {
  const heading = freshId("results");
  const tables = results.tables.map(tableView);
  return el("section", { id: `experiment-${results.name}`, "aria-labelledby": heading },
    el("h2", { id: heading }, results.name), results.found && el("p", { class: "found" }, results.found),
    results.about && el("p", { class: results.found && "label" }, results.about), results.figures.map(figureView),
    results.figures.length && tables.length ? folded(results.tables, tables) : tables,
    results.command && el("p", {}, el("code", { class: "command" }, results.command)));
}

/** Tables that wait below a figure until somebody wants the numbers. */
const folded = (tables, views) => el("details", { class: "tables" },
  el("summary", {}, `${counted(tables.length, "table")}: ${tables.map(({ title, name }) => title || name).join("; ")}`), views);

function navigation(sections) {
  if (sections.length < 2) return null;
  const link = (section) => el("li", {}, el("a", { href: `#${encodeURIComponent(section.id)}` }, section.querySelector("h2").textContent));
  return el("nav", { "aria-label": "Sections" }, el("ul", {}, sections.map(link)));
}

const leftOut = (count) => `Not shown: ${counted(count, "instance")} that would have made this page too large.`;

function start() {
  const theme = themeChoice();
  const experiments = data.results.filter(({ tables, figures }) => tables.length || figures.length);
  const groups = data.results.filter(({ exhibits }) => exhibits.length);
  const sections = experiments.map(resultsView);
  if (data.runs.length) sections.push(trainingView(data.runs));
  const viewer = groups.length ? viewerView(groups) : null;
  if (viewer) sections.push(viewer.section);
  document.getElementById("top").append(el("div", { class: "head" }, el("h1", {}, data.title || "tiebreak"), theme), navigation(sections) ?? "");
  document.getElementById("main").append(
    data.about ? el("p", { class: "about" }, data.about) : "", data.left_out > 0 ? el("p", { class: "about" }, leftOut(data.left_out)) : "",
    ...sections, sections.length || data.left_out ? "" : el("p", {}, "There is nothing to show."));
  viewer?.start();
}

start();
