// What the laws of the page have in common: a browser, a page that is held to silence, what stands in a drawing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const { PAGE, INSTANCES, ROUTES, FORMS, EMPTY, CHROMIUM, SCREENSHOTS } = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 360, height: 780 };

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
});
after(() => browser.close());

/** Opens a page, hands it to `law`, and holds it to silence: no error, no warning, no request, no dialog. */
export async function open(file, { viewport = DESKTOP, colorScheme = "light" }, law) {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
  // Long enough for any machine: only what never comes is a failure.
  context.setDefaultTimeout(300_000);
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => (complaints.push(`dialog ${dialog.message()}`), dialog.dismiss()));
  const address = pathToFileURL(file).href;
  page.on("request", (request) => {
    const url = request.url().split("#")[0];
    if (url !== address && !/^(data|blob):/.test(url)) complaints.push(`request ${url}`);
  });
  await page.goto(address);
  await page.waitForFunction(() => document.querySelectorAll("main > *").length > 0);
  const data = JSON.parse(await page.locator("#data").textContent());
  await law(page, data);
  assert.deepEqual(complaints, []);
  await context.close();
}

export const exhibitsOf = (data) => data.results.flatMap(({ exhibits }) => exhibits);
export const choose = async (page, label, option) => page.getByLabel(label, { exact: true }).selectOption(option);
export const instance = (page, index) => choose(page, "Instance", { value: String(index) });

/** What stands in the drawing of a card: labels and classes of vertices, ends and looks of edges laid over the graph. */
export const drawn = (page, part) => page.evaluate((part) => {
  const { cy } = document.querySelector(`[data-part="${part}"] .drawing`)._cyreg;
  return {
    nodes: cy.nodes().map((node) => ({ label: node.data("label"), classes: node.classes(), shape: node.style("shape"), border: node.style("border-style") })),
    graph: cy.edges().not(".over").map((edge) => [edge.source().id(), edge.target().id()].map(Number)),
    over: cy.edges(".over").map((edge) => ({
      ends: [edge.source().id(), edge.target().id()].map(Number), classes: edge.classes(), label: edge.data("label") ?? "",
      colour: edge.style("line-color"), line: edge.style("line-style"), width: Number.parseFloat(edge.style("width")),
    })),
  };
}, part);

export const sorted = (pairs) => pairs.map(String).sort();
export const ofClass = (edges, name) => sorted(edges.filter(({ classes }) => classes.includes(name)).map(({ ends }) => ends));

export async function accessible(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"],
  }));
  const told = violations.map(({ id, help, nodes }) => `${where}: ${id}: ${help}: ${nodes.slice(0, 3).map(({ html }) => html).join(" | ")}`);
  assert.deepEqual(told, []);
}

export const fitsItsWidth = async (page) => {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(content <= window, `the page is ${content} wide in a window of ${window}`);
};
