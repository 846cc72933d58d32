// Answers that are no trees: sets of edges on the graph and between two columns, orders as a line, items on a line of time. Every law is
// read off the data that the page carries; each proof of a rejection is drawn, told and in the table.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DESKTOP, FORMS, PHONE, SCREENSHOTS, accessible, drawn, exhibitsOf, fitsItsWidth, instance, open, sorted } from "./helpers.mjs";

const both = ([one, other]) => (one < other ? [one, other] : [other, one]);
const undirected = (edges, name) => sorted(edges.filter(({ classes }) => classes.includes(name)).map(({ ends }) => both(ends)));
const steps = (path = []) => path.slice(1).map((head, place) => [path[place], head]);

/** Calls `law(draw)` with each candidate of an instance while it is shown. */
async function eachCandidate(page, data, algorithm, law) {
  const index = exhibitsOf(data).findIndex((one) => one.algorithm === algorithm);
  const exhibit = exhibitsOf(data)[index];
  await instance(page, index);
  assert.ok(exhibit.draws.some(({ broken }) => broken) && exhibit.draws.some(({ broken }) => !broken));
  for (const [place, draw] of exhibit.draws.entries()) {
    await law({ chosen: [], order: [], ...draw, broken: draw.broken && { path: [], items: [], better: [], ...draw.broken } }, exhibit);
    const said = await page.locator(".verdict").innerText();
    assert.match(said, draw.broken ? /Not a solution/ : /A solution/);
    if (draw.broken) await page.locator("#instances").screenshot({ path: `${SCREENSHOTS}/${algorithm}-${draw.broken.rule}.png` });
    if (place + 1 < exhibit.draws.length) await page.getByRole("button", { name: "Next candidate" }).press("Enter");
  }
}

/** The rows of the table that says everything in words. */
const inWords = (page) => page.locator("#instances > details tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));

for (const algorithm of ["kruskal", "matching"]) {
  test(`the chosen edges of ${algorithm} and what proves a rejection stand on the graph`, async () => {
    await open(FORMS, {}, async (page, data) => {
      await eachCandidate(page, data, algorithm, async ({ chosen, broken }, { vertices, edges }) => {
        const { graph, over } = await drawn(page, "graph");
        assert.equal(graph.length, edges.length);
        const ends = chosen.map((slot) => [edges[slot].tail, edges[slot].head]);
        const isChosen = new Set(ends.map((edge) => String(both(edge))));
        const path = steps(broken?.path);
        const leaves = [...(broken?.exchange ? [broken.exchange.out] : []), ...path.filter((edge) => isChosen.has(String(both(edge))))];
        const enters = [...(broken?.exchange ? [broken.exchange.in] : []), ...path.filter((edge) => !isChosen.has(String(both(edge))))];
        const wrong = [...(broken?.edges ?? []), ...leaves];
        assert.deepEqual(undirected(over, "broken"), sorted(wrong.map(both)));
        assert.deepEqual(undirected(over, "put"), sorted(enters.map(both)));
        const isWrong = new Set(wrong.map((edge) => String(both(edge))));
        assert.deepEqual(undirected(over, "tree"), sorted(ends.map(both).filter((edge) => !isWrong.has(String(edge)))));
        if (broken) assert.ok(wrong.length + enters.length > 0, "there is something to see");
        const rows = await inWords(page);
        assert.deepEqual(rows.filter((cells) => cells[1] === "chosen").length, chosen.length);
        assert.equal(rows.filter((cells) => cells.at(-1).startsWith("+")).length, enters.length);
        const said = await page.locator(".verdict").innerText();
        for (const vertex of [...wrong, ...enters].flat()) assert.ok(said.includes(vertices[vertex]), said);
      });
    });
  });
}

test("a matching stands in two columns, and a cover proves that none is larger", async () => {
  await open(FORMS, {}, async (page, data) => {
    const index = exhibitsOf(data).findIndex(({ is_left: left }) => left);
    const exhibit = exhibitsOf(data)[index];
    await instance(page, index);
    const spots = await page.evaluate(() => document.querySelector('[data-part="graph"] .drawing')._cyreg.cy.nodes().map((node) => node.position().x));
    const [left, right] = [true, false].map((side) => spots.filter((_, vertex) => exhibit.is_left[vertex] === side));
    assert.ok(Math.max(...left) < Math.min(...right) && new Set(left).size === 1 && new Set(right).size === 1);
    const { nodes } = await drawn(page, "graph");
    const cover = nodes.flatMap(({ classes }, vertex) => (classes.includes("cover") ? [vertex] : []));
    assert.deepEqual(cover, [...exhibit.optimality.vertices].sort((one, other) => one - other));
    assert.ok(exhibit.edges.every(({ tail, head }) => cover.includes(tail) || cover.includes(head)));
    assert.equal(cover.length, exhibit.draws[0].chosen.length, "the first candidate is as large as the cover");
    const said = await page.locator(".proof").innerText();
    assert.ok(cover.every((vertex) => said.includes(exhibit.vertices[vertex])), said);
  });
});

test("an order is a line, its edges are arcs, and backward ones are red", async () => {
  await open(FORMS, {}, async (page, data) => {
    await eachCandidate(page, data, "topological-sort", async ({ order, broken }, { vertices, edges }) => {
      const names = await page.locator(".chart .stop text").allTextContents();
      const missing = vertices.filter((_, vertex) => !order.includes(vertex));
      assert.deepEqual(names, [...order.map((vertex, at) => `${at + 1}. ${vertices[vertex]}`), ...missing.map((name) => `✗ ${name}`)]);
      const heights = await page.locator(".chart .stop circle").evaluateAll((dots) => dots.map((dot) => Number(dot.getAttribute("cy"))));
      assert.ok(heights.every((height, at) => at === 0 || height > heights[at - 1]));
      const known = edges.filter(({ tail, head }) => order.includes(tail) && order.includes(head));
      const backward = known.filter(({ tail, head }) => order.indexOf(tail) > order.indexOf(head));
      assert.equal(await page.locator(".chart > .arc").count(), known.length - backward.length);
      assert.equal(await page.locator(".chart .backward").count(), backward.length);
      assert.equal(await page.locator(".chart .backward.proof").count(), broken?.edges.length ?? 0);
      if (backward.length) {
        const [red, other] = await page.evaluate(() => [".backward .arc", ".stop circle"].map((one) => getComputedStyle(document.querySelector(`.chart ${one}`)).stroke));
        assert.notEqual(red, other);
      }
      const rows = await inWords(page);
      assert.deepEqual(rows.map((cells) => cells[1]), [...order.map((vertex) => vertices[vertex]), ...missing]);
      for (const { tail, head } of backward) {
        assert.ok(rows[order.indexOf(tail)].at(-1).includes(vertices[head]));
      }
    });
    // The graph itself is a choice away, with each vertex's place.
    await page.getByLabel("Layout", { exact: true }).selectOption("circle");
    assert.ok(await page.locator('[data-part="graph"] .drawing').isVisible() && !(await page.locator(".chart").isVisible()));
  });
});

for (const algorithm of ["task-scheduling", "activity-selection"]) {
  test(`the items of ${algorithm} are bars, chosen ones solid, and a rejection is marked`, async () => {
    await open(FORMS, {}, async (page, data) => {
      await eachCandidate(page, data, algorithm, async ({ chosen, broken }, { vertices, items }) => {
        const rows = await page.locator(".chart .row").evaluateAll((rows) => rows.map((row) => ({
          sign: row.querySelector(".sign").textContent, name: row.querySelectorAll("text")[1].textContent,
          bars: [...row.querySelectorAll("rect.bar")].map((bar) => ({ classes: bar.getAttribute("class"), x: Number(bar.getAttribute("x")), width: Number(bar.getAttribute("width")) })),
        })));
        assert.deepEqual(rows.map(({ name }) => name).sort(), [...vertices].sort());
        const of = (item) => rows.find(({ name }) => name === vertices[item]);
        const solid = rows.filter(({ bars }) => bars.some(({ classes }) => /chosen|wrong/.test(classes)));
        assert.deepEqual(solid.map(({ name }) => name).sort(), chosen.map((item) => vertices[item]).sort());
        for (const item of broken?.items ?? []) assert.equal(of(item).sign, "✗");
        for (const item of broken?.better ?? []) assert.match(of(item).sign, /★/);
        if (broken?.exchange) assert.equal(of(broken.exchange.in).sign, "+");
        if (broken?.exchange?.out != null) assert.equal(of(broken.exchange.out).sign, "−");
        assert.equal(await page.locator(".chart .band").count(), broken?.items.length ? 1 : 0);
        const inItems = (await inWords(page)).filter((cells) => cells[1] === "chosen").map((cells) => cells[0]);
        assert.deepEqual(inItems, chosen.map((item) => vertices[item]));
        if (items.are_spans) {
          const numbers = items.numbers.map((column) => column.map(Number));
          const scale = vertices.map((_, item) => of(item).bars[0].width / (numbers[1][item] - numbers[0][item]));
          assert.ok(scale.every((one) => Math.abs(one - scale[0]) < 1e-6), "bars are as long as their times");
          assert.ok((await page.locator(".chart .note").allTextContents()).includes("09:00 – 09:30"));
        } else if (!broken) {
          const slots = solid.map(({ bars }) => bars.at(-1)).sort((one, other) => one.x - other.x);
          assert.ok(slots.every(({ x }, at) => at === 0 || Math.abs(x - slots[at - 1].x - slots[at - 1].width) < 1e-6), "one task in each slot");
          assert.equal(await page.locator(".chart .bar.late").count(), 0);
        }
      });
    });
  });
}

for (const colorScheme of ["light", "dark"]) {
  for (const [device, viewport] of [["desktop", DESKTOP], ["phone", PHONE]]) {
    test(`other forms: axe-core finds nothing, the keyboard reaches all, ${colorScheme}, ${device}`, async () => {
      await open(FORMS, { viewport, colorScheme }, async (page, data) => {
        for (const index of exhibitsOf(data).keys()) {
          await instance(page, index);
          await page.getByLabel("Show", { exact: true }).selectOption("broken");
          await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
          await fitsItsWidth(page);
          await accessible(page, exhibitsOf(data)[index].algorithm);
          const reached = await page.evaluate(() => [...document.querySelectorAll("#instances :is(select, button, input, summary, .scroll:has(.chart))")]
            .filter((one) => one.checkVisibility() && !one.disabled && one.tabIndex < 0).length);
          assert.equal(reached, 0);
          await page.locator("#instances").screenshot({ path: `${SCREENSHOTS}/${exhibitsOf(data)[index].algorithm}-${device}-${colorScheme}.png` });
        }
      });
    });
  }
}
