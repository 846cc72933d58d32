// Small tools of the page: elements made without any markup from data, labelled controls, colours, numbers as text.

const data = JSON.parse(document.getElementById("data").textContent);

/** An element. Children that are strings become text, so a name can never become markup. */
const el = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);

/** The same, of a drawing. */
const shape = (tag, attributes = {}, ...children) => filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat(3).filter((child) => child != null && child !== false));
  return element;
}

let identities = 0;
const freshId = (prefix) => `${prefix}-${++identities}`;

const button = (label, onclick, attributes = {}) => el("button", { type: "button", onclick, ...attributes }, label);

/** A labelled choice; `options` are [value, text] pairs or [group, [[value, text], …]]. */
function choice(label, options, onchange, attributes = {}) {
  const select = el("select", { id: freshId("choice"), onchange: () => onchange(select.value), ...attributes });
  const fill = (options) => {
    const before = select.value;
    const option = ([value, text]) => el("option", { value }, text);
    const item = ([value, content]) =>
      Array.isArray(content) ? el("optgroup", { label: value }, content.map(option)) : option([value, content]);
    select.replaceChildren(...options.map(item));
    if ([...select.options].some((option) => option.value === before)) select.value = before;
  };
  fill(options);
  return { field: el("div", { class: "field" }, el("label", { for: select.id }, label), select), select, fill };
}

/** A labelled box to tick. */
function tick(label, checked, onchange) {
  const input = el("input", { type: "checkbox", checked, onchange: () => onchange(input.checked) });
  return { field: el("label", { class: "tick" }, input, label), input };
}

/** First, back, a slider, forward, last: for draws and for the steps of an execution. */
function stepper(what, onmove) {
  const slider = el("input", { type: "range", min: 0, max: 0, value: 0, step: 1, "aria-label": what });
  const readout = el("output", { class: "number" });
  const move = (to) => {
    const place = Math.max(0, Math.min(Number(slider.max), to));
    slider.value = place;
    onmove(place);
  };
  slider.addEventListener("input", () => onmove(Number(slider.value)));
  const at = () => Number(slider.value);
  const arrows = [
    button("«", () => move(0), { "aria-label": `First ${what}` }),
    button("‹", () => move(at() - 1), { "aria-label": `Previous ${what}` }),
    button("›", () => move(at() + 1), { "aria-label": `Next ${what}` }),
    button("»", () => move(Number(slider.max)), { "aria-label": `Last ${what}` }),
  ];
  const field = el("div", { class: "stepper" }, arrows.slice(0, 2), slider, arrows.slice(2), readout);
  const setCount = (count) => {
    slider.max = Math.max(0, count - 1);
    for (const control of [slider, ...arrows]) control.disabled = count < 2;
  };
  return { field, slider, readout, move, at, setCount };
}

const MOST_ROWS = 2000;

/** A table of plain texts, for whoever cannot or does not want to look at a drawing. */
function plainTable(caption, heads, allRows) {
  const rows = allRows.slice(0, MOST_ROWS);
  const rest = allRows.length > rows.length && el("p", {}, `and ${allRows.length - rows.length} more`);
  const head = el("tr", {}, heads.map((text) => el("th", { scope: "col" }, text)));
  const body = rows.map((cells) =>
    el("tr", {}, cells.map((cell, place) => (place ? el("td", {}, cell) : el("th", { scope: "row" }, cell)))));
  const table = el("table", {}, el("caption", { class: "unseen" }, caption), el("thead", {}, head), el("tbody", {}, body));
  return scrollable(caption, [table, rest]);
}

/** A box that scrolls sideways by itself, so that the page never does, and that the keyboard reaches. */
const scrollable = (label, content) => el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": label }, content);

const probe = document.body.appendChild(el("span", { hidden: true }));

/** A colour of the current theme, as a canvas wants it. */
function colour(name) {
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

const whenThemeChanges = [];

/** A number as a person would write it: fixed decimals for ordinary ones, powers of ten for tiny ones. */
function short(value) {
  if (value == null || !Number.isFinite(value)) return "–";
  if (value === 0 || Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  return size < 1e-3 || size >= 1e6 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

const signed = (value, decimals) => {
  const size = Math.abs(value).toFixed(decimals);
  return `${value < 0 && Number(size) > 0 ? "−" : "+"}${size}`; // no minus before a zero
};
const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
