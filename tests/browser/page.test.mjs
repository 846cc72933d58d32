// The page in a real browser. `tests/browser.rs` writes the pages, says where they are, and runs this file:
//   PAGE       everything: tables, figures, training runs, instances (some candidates broken, some names hostile)
//   INSTANCES  instances only        EMPTY  nothing       ROUTES  thousands of vertices with places, and routes
//   FORMS      answers that are no trees (forms.test.mjs)
//   CHROMIUM   the browser           SCREENSHOTS  a directory
// Every law is read off the data that the page carries.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { DESKTOP, EMPTY, FORMS, INSTANCES, PAGE, PHONE, ROUTES, SCREENSHOTS, accessible, choose, drawn, exhibitsOf, fitsItsWidth, instance, ofClass, open, sorted } from "./helpers.mjs";

const openTables = async (page) => page.locator("details.tables > summary").first().click();

test("every page is silent and small, and asks for nothing", async () => {
  for (const file of [PAGE, INSTANCES, ROUTES, FORMS, EMPTY]) {
    assert.ok(statSync(file).size < 5_000_000, `${file} has ${statSync(file).size} bytes`);
    await open(file, {}, async (page, data) => {
      assert.equal(await page.title(), data.title);
      assert.equal(await page.locator("h1").count(), 1);
    });
  }
});

test("parts without data are not there", async () => {
  await open(INSTANCES, {}, async (page) => {
    assert.equal(await page.locator("#training, [data-table], [data-figure], nav").count(), 0);
    assert.equal(await page.locator("#instances").count(), 1);
  });
  await open(EMPTY, {}, async (page) => {
    assert.equal(await page.locator("main section").count(), 0);
    assert.match(await page.locator("main").innerText(), /nothing to show/);
  });
});

test("routes stand out on thousands of vertices, which lie where the file puts them", async () => {
  await open(ROUTES, {}, async (page, data) => {
    const [exhibit] = exhibitsOf(data);
    const pairs = ({ path }) => path.slice(1).map((head, place) => [path[place], head]);
    assert.ok(exhibit.vertices.length > 2000 && exhibit.routes.length === 3);
    for (const [place, route] of exhibit.routes.entries()) {
      const { nodes, graph, over } = await drawn(page, "graph");
      assert.deepEqual([nodes.length, graph.length], [exhibit.vertices.length, exhibit.edges.length]);
      assert.deepEqual(ofClass(over, "tree"), sorted(pairs(route)));
      const thin = over.filter(({ classes }) => classes.includes("other"));
      assert.ok(thin.length > 0 && thin.every(({ width }) => width < Math.min(...over.filter(({ classes }) => classes.includes("tree")).map(({ width }) => width))));
      const said = await page.locator('[data-part="routes"] [role="status"]').innerText();
      assert.ok(said.includes(`Length ${route.length}`) && said.includes(exhibit.vertices[route.path[1]]), said);
      if (place + 1 < exhibit.routes.length) await page.getByRole("button", { name: "Next route" }).click();
    }
    const spots = await page.evaluate(() => document.querySelector('[data-part="graph"] .drawing')._cyreg.cy.nodes().map((node) => node.position()));
    const [first, right, below] = [0, 1, Math.sqrt(exhibit.vertices.length)].map((vertex) => spots[vertex]);
    assert.ok(right.x > first.x && Math.abs(right.y - first.y) < 1e-6 && below.y > first.y && Math.abs(below.x - first.x) < 1e-6);
    await page.locator("#instances").screenshot({ path: `${SCREENSHOTS}/routes.png` });
    await choose(page, "Layout", "spread");
    const apart = await page.evaluate(() => document.querySelector('[data-part="graph"] .drawing')._cyreg.cy.nodes().map((node) => node.position()));
    assert.ok(apart.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)));
    assert.equal(new Set(apart.map(({ x, y }) => `${x.toFixed(3)},${y.toFixed(3)}`)).size, apart.length, "no two on one spot");
    await page.locator("#instances").screenshot({ path: `${SCREENSHOTS}/routes-spread.png` });
    await page.getByRole("button", { name: "Candidates" }).click();
    const { over } = await drawn(page, "graph");
    assert.deepEqual(ofClass(over, "varying"), sorted(exhibit.varying));
    await page.locator("#instances").screenshot({ path: `${SCREENSHOTS}/varying.png` });
  });
});

test("of too many vertices a part is drawn, the routes among it, and that is said", async () => {
  await open(ROUTES, {}, async (page, data) => {
    await instance(page, 1);
    const exhibit = exhibitsOf(data)[1];
    const { nodes, over } = await drawn(page, "graph");
    assert.ok(exhibit.vertices.length > 4000 && nodes.length < 2000);
    assert.equal(ofClass(over, "tree").length, exhibit.routes[0].path.length - 1);
    assert.match(await page.locator(".facts").innerText(), new RegExp(`Drawn: ${nodes.length} of ${exhibit.vertices.length} vertices`));
    await page.locator("#instances").screenshot({ path: `${SCREENSHOTS}/part.png` });
  });
});

test("an experiment begins with what was found and its figures; tables are there for whoever wants numbers", async () => {
  await open(PAGE, {}, async (page, data) => {
    const { name, found, tables, figures } = data.results[0];
    const section = page.locator(`#experiment-${name}`);
    assert.equal(await section.locator("h2 + p").innerText(), found);
    const order = await section.evaluate((section) => [...section.querySelectorAll("[data-figure], [data-table]")].map(({ dataset }) => dataset.figure ?? dataset.table));
    assert.deepEqual(order, [...figures, ...tables].map(({ name }) => name));
    const table = section.locator("[data-table]").first();
    assert.equal(await table.isVisible(), false);
    await openTables(page);
    assert.equal(await table.isVisible(), true);
  });
});

test("a table has every figure, the paper's and the difference", async () => {
  await open(PAGE, {}, async (page, data) => {
    const table = data.results[0].tables[0];
    await openTables(page);
    const shown = await page.locator(`[data-table="${table.name}"] tbody tr`).evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText.replace(/\s+/g, " ").trim())));
    const wanted = table.rows.map((row) => row.map((cell) => {
      if (typeof cell === "string") return cell;
      const { ours, deviation, paper, decimals } = cell;
      const text = ours == null ? "–" : ours.toFixed(decimals) + (deviation == null ? "" : ` ± ${deviation.toFixed(decimals)}`);
      if (paper == null) return text;
      const difference = ours == null ? "" : ` (${ours < paper ? "−" : "+"}${Math.abs(ours - paper).toFixed(decimals)})`;
      return `${text} paper ${paper.toFixed(decimals)}${difference}`;
    }));
    assert.deepEqual(shown, wanted);
  });
});

test("tables are filtered by text and by a column's value, and sorted", async () => {
  await open(PAGE, {}, async (page, data) => {
    const table = data.results[0].tables[0];
    const block = page.locator(`[data-table="${table.name}"]`);
    await openTables(page);
    const names = () => block.locator("tbody tr").evaluateAll((rows) => rows.map((row) => row.cells[0].innerText));
    const of = (rows) => rows.map((row) => row[0]);
    await block.getByLabel("Filter").fill("beam");
    assert.deepEqual(await names(), of(table.rows.filter((row) => row.join(" ").includes("beam"))));
    assert.equal(await block.getByRole("status").textContent(), `${(await names()).length} of ${table.rows.length} rows`);
    await block.getByLabel("Filter").fill("");
    await block.getByLabel("algorithm").selectOption("=dfs");
    const dfs = table.rows.filter((row) => row[1] === "dfs");
    assert.ok(dfs.length > 0 && dfs.length < table.rows.length);
    assert.deepEqual(await names(), of(dfs));
    await block.getByRole("button", { name: "valid" }).click();
    const ascending = [...dfs].sort((one, other) => one[3].ours - other[3].ours);
    assert.deepEqual(await names(), of(ascending));
    assert.equal(await block.locator("th[aria-sort]").getAttribute("aria-sort"), "ascending");
    await block.getByRole("button", { name: "valid" }).click();
    assert.deepEqual(await names(), of([...ascending].reverse()));
    await block.getByLabel("Filter").fill("no such row");
    assert.deepEqual(await names(), []);
    await block.getByLabel("the paper's values").uncheck();
    await block.getByLabel("Filter").fill("");
    assert.doesNotMatch(await block.locator("tbody").innerText(), /paper/);
  });
});

test("figures and curves are drawn, hide a series, and have their values in a table", async () => {
  await open(PAGE, {}, async (page, data) => {
    const inked = (locator) => locator.locator(".u-wrap canvas").evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, place) => place % 4 === 3 && value > 0).length;
    });
    for (const figure of data.results[0].figures) {
      const block = page.locator(`[data-figure="${figure.name}"]`);
      await block.scrollIntoViewIfNeeded();
      const before = await inked(block.locator(".chart").first());
      const entry = block.getByRole("button", { name: figure.panels[0].series[0].name, exact: true }).first();
      await entry.click();
      assert.equal(await entry.getAttribute("aria-pressed"), "false");
      assert.ok((await inked(block.locator(".chart").first())) < before, figure.name);
      await block.locator("summary").first().click();
      const values = await block.locator("details tbody tr").first().innerText();
      assert.ok(values.includes(String(figure.panels[0].series[0].points[0].y)), values);
    }
    const training = page.locator("#training");
    await training.scrollIntoViewIfNeeded();
    const logarithmic = training.getByLabel("logarithmic");
    const before = await training.locator(".u-wrap canvas").evaluate((canvas) => canvas.toDataURL());
    await logarithmic.uncheck();
    assert.notEqual(await training.locator(".u-wrap canvas").evaluate((canvas) => canvas.toDataURL()), before);
    for (const run of data.runs) assert.equal(await training.locator(".legend").getByText(run.name, { exact: true }).count(), 1);
    await choose(page, "Curve", "graphs_per_second");
    assert.match(await training.locator(".plot").getAttribute("aria-label"), /graphs a second/);
  });
});

test("runs are compared: what differs is marked", async () => {
  await open(PAGE, {}, async (page, data) => {
    const keys = () => page.locator("table.runs tbody th").allInnerTexts();
    const shown = () => page.locator("table.runs thead th").allInnerTexts();
    const settings = data.runs.map(({ settings }) => settings);
    const [one] = settings;
    const differing = Object.keys(one).filter((key) => settings.some((other) => one[key] !== other[key]));
    assert.ok(differing.length > 0);
    for (const key of differing) assert.ok((await keys()).includes(`${key} ≠`), key);
    await page.getByLabel("only what differs (≠)").uncheck();
    assert.equal((await keys()).length, Object.keys(one).length + 4);
    await page.getByLabel("Filter the runs").fill("dfs- learning_rate=0.001");
    assert.deepEqual(await shown(), ["setting", "dfs-0", "dfs-2"]);
    assert.deepEqual(await page.locator("#training .legend button").allInnerTexts(), ["dfs-0", "dfs-2"]);
    await page.getByLabel("Filter the runs").fill("no such run");
    assert.equal(await page.locator("table.runs").count(), 0);
    await page.getByLabel("Filter the runs").fill("");
    assert.equal((await shown()).length, 1 + data.runs.length);
  });
});

test("stepping goes through every candidate: its edges, its verdict, and what breaks a rule", async () => {
  await open(PAGE, {}, async (page, data) => {
    const red = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = "var(--bad)";
      return getComputedStyle(probe).color;
    });
    let broken = 0;
    for (const [index, exhibit] of exhibitsOf(data).entries()) {
      await instance(page, index);
      if (!exhibit.draws.length) continue;
      for (const [place, draw] of exhibit.draws.slice(0, 12).entries()) {
        if (place) await page.getByLabel("Next candidate").click();
        assert.equal(await page.locator('[data-part="candidates"] output').textContent(), `${place + 1} of ${exhibit.draws.length}`);
        const { over, nodes, graph } = await drawn(page, "graph");
        assert.equal(graph.length, exhibit.edges.length);
        const tree = draw.parents.map((parent, child) => [parent, child]).filter(([parent, child]) => parent !== child);
        const proof = draw.broken?.edges ?? [];
        assert.deepEqual(ofClass(over, "tree"), sorted(tree.filter((edge) => !proof.some((one) => String(one) === String(edge)))));
        assert.deepEqual(ofClass(over, "broken"), sorted(proof));
        const verdict = await page.locator(".verdict").innerText();
        if (!draw.broken) {
          assert.match(verdict, /✓ A solution/);
          continue;
        }
        broken += 1;
        assert.ok(verdict.includes(draw.broken.words) && verdict.includes("✗"), verdict);
        for (const edge of over.filter(({ classes }) => classes.includes("broken"))) {
          assert.equal(edge.colour.replaceAll(" ", ""), red.replaceAll(" ", ""));
          assert.equal(edge.line, "dashed");
          assert.ok(edge.width >= 4 && edge.label.startsWith("✗"));
        }
        const wrong = nodes[draw.broken.vertex];
        assert.ok(wrong.label.startsWith("✗") && wrong.border === "dashed" && wrong.shape === "octagon");
      }
    }
    assert.ok(broken >= 3, "the page has broken candidates to show");
  });
});

test("candidates are chosen by origin, extractor and verdict, with pointer and keyboard", async () => {
  await open(PAGE, {}, async (page, data) => {
    await instance(page, 0);
    const exhibit = exhibitsOf(data)[0];
    const count = async () => (await page.locator('[data-part="candidates"] output').textContent()).split(" of ").at(-1);
    await choose(page, "Drawn from", "predicted");
    assert.equal(await count(), String(exhibit.draws.filter(({ from }) => from === "predicted").length));
    await choose(page, "Extractor", "argmax");
    assert.equal(await count(), String(exhibit.draws.filter(({ from, extractor }) => from === "predicted" && extractor === "argmax").length));
    await choose(page, "Drawn from", "");
    await choose(page, "Extractor", "");
    await choose(page, "Show", "broken");
    const broken = exhibit.draws.filter((draw) => draw.broken);
    assert.equal(await count(), String(broken.length));
    await choose(page, "Show", "all");
    await page.getByRole("slider", { name: "candidate" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator('[data-part="candidates"] output').textContent(), `3 of ${exhibit.draws.length}`);
    await page.keyboard.press("End");
    assert.equal(await page.locator('[data-part="candidates"] output').textContent(), `${exhibit.draws.length} of ${exhibit.draws.length}`);
    await page.getByLabel("Previous candidate").focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator('[data-part="candidates"] output').textContent(), `${exhibit.draws.length - 1} of ${exhibit.draws.length}`);
  });
});

test("a candidate is also drawn as a tree, with distances where there is a source, and told in words", async () => {
  await open(PAGE, {}, async (page, data) => {
    for (const [index, exhibit] of exhibitsOf(data).entries()) {
      if (!exhibit.draws.length) continue;
      await instance(page, index);
      const [draw] = exhibit.draws;
      const { nodes, over } = await drawn(page, "tree");
      const proof = sorted(draw.broken?.edges ?? []);
      const tree = sorted(draw.parents.map((parent, child) => [parent, child]).filter(([parent, child]) => parent !== child));
      assert.deepEqual(sorted(over.map(({ ends }) => ends)), [...new Set([...tree, ...proof])].sort());
      draw.distances?.forEach((distance, vertex) => distance && assert.equal(nodes[vertex].label.split("\n")[1], distance));
      const rows = await page.locator("#instances > details tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
      assert.deepEqual(rows.map(([name, parent]) => [name, parent]), draw.parents.map((parent, child) => [exhibit.vertices[child], parent === child ? "–" : exhibit.vertices[parent]]));
    }
  });
});

test("the heat map has every probability, for the pointer and for the keyboard, and the differences", async () => {
  await open(PAGE, {}, async (page, data) => {
    const cells = () => page.locator(".heatmap [role=gridcell][aria-label]").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")));
    const values = (texts) => texts.map((text) => Number(text.split(": ").at(-1).replace("−", "-")));
    const near = (shown, rows) => shown.forEach((value, place) => assert.ok(Math.abs(value - rows.flat()[place]) < 0.00051, `${value} for ${rows.flat()[place]}`));
    for (const [index, { distributions, vertices }] of exhibitsOf(data).entries()) {
      if (!distributions.length) continue;
      await instance(page, index);
      for (const [place, { rows }] of distributions.entries()) {
        await choose(page, "Distribution", String(place));
        const shown = values(await cells());
        assert.equal(shown.length, vertices.length ** 2);
        near(shown, rows);
      }
      if (distributions.length < 2) continue;
      const [one, other] = distributions;
      await page.getByLabel("Distribution", { exact: true }).selectOption({ label: `difference: ${other.name} − ${one.name}` });
      near(values(await cells()), other.rows.map((row, child) => row.map((value, parent) => value - one.rows[child][parent])));
    }
    await instance(page, 0);
    const [{ distributions: [{ rows }], vertices }] = exhibitsOf(data);
    await choose(page, "Distribution", "0");
    const readout = page.locator('[data-part="distribution"] .readout');
    const cell = (child, parent) => page.locator(".heatmap tbody tr").nth(child).locator("td").nth(parent);
    const figure = (child, parent) => `${vertices[parent]} as parent of ${vertices[child]}: ${rows[child][parent].toFixed(3)}`;
    await cell(2, 1).hover();
    assert.equal(await readout.textContent(), figure(2, 1));
    await cell(0, 0).focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    assert.equal(await readout.textContent(), figure(3, 1));
    await page.keyboard.press("End");
    assert.equal(await readout.textContent(), figure(3, vertices.length - 1));
  });
});

test("an execution is stepped through: states by letter, the selected pair, the growing tree", async () => {
  await open(PAGE, {}, async (page, data) => {
    let seen = 0;
    for (const [index, exhibit] of exhibitsOf(data).entries()) {
      if (!exhibit.executions.length || exhibit.vertices.length > 10) continue;
      await instance(page, index);
      await page.getByRole("button", { name: "Execution, step by step" }).click();
      const { states, steps } = exhibit.executions[0];
      const key = await page.locator('[data-part="graph"] .key').innerText();
      for (const state of states) assert.ok(key.includes(`${state[0].toUpperCase()}: ${state}`), key);
      for (const [place, step] of steps.entries()) {
        if (place) await page.getByLabel("Next step").click();
        assert.equal(await page.locator('[data-part="execution"] output').textContent(), `${place + 1} of ${steps.length}`);
        const { nodes, over } = await drawn(page, "graph");
        nodes.forEach(({ label, classes }, vertex) => {
          assert.ok(label.split("\n").at(-1).startsWith(states[step.states[vertex]][0].toUpperCase()), label);
          assert.ok(classes.includes(`state-${step.states[vertex]}`));
          if (step.registers?.[vertex]) assert.ok(label.endsWith(` ${step.registers[vertex]}`), label);
        });
        const tree = sorted(step.parents.map((parent, child) => [parent, child]).filter(([parent]) => parent != null));
        assert.deepEqual(ofClass(over, "tree"), tree);
        assert.deepEqual(ofClass((await drawn(page, "tree")).over, "tree"), tree);
        assert.deepEqual(ofClass(over, "selected"), sorted(step.selected.filter(([sender, receiver]) => sender !== receiver)));
        seen += 1;
      }
      await page.getByLabel("First step").click();
      await page.getByRole("button", { name: "Play" }).click();
      await page.waitForFunction(() => !document.querySelector('[data-part="execution"] output').textContent.startsWith("1 of"));
      await page.getByRole("button", { name: "Pause" }).click();
    }
    assert.ok(seen > 10);
  });
});

test("names are text, whatever they contain", async () => {
  await open(PAGE, {}, async (page, data) => {
    const hostile = exhibitsOf(data).findIndex(({ vertices }) => vertices.some((name) => name.includes("<img")));
    assert.ok(hostile >= 0);
    await instance(page, hostile);
    if (await page.getByRole("button", { name: "Execution, step by step" }).isVisible()) {
      await page.getByRole("button", { name: "Execution, step by step" }).click();
    }
    assert.equal(await page.evaluate(() => window.harmed), undefined);
    assert.equal(await page.locator("main img, main script, main iframe").count(), 0);
    assert.ok((await page.locator("#instances > details").textContent()).includes("<img"));
  });
});

test("on a phone nothing makes the page scroll sideways, whatever is shown", async () => {
  await open(PAGE, { viewport: PHONE }, async (page, data) => {
    await fitsItsWidth(page);
    for (const index of exhibitsOf(data).keys()) {
      await instance(page, index);
      await fitsItsWidth(page);
      const execution = page.getByRole("button", { name: "Execution, step by step" });
      if (await execution.isVisible()) {
        await execution.click();
        await fitsItsWidth(page);
        await page.getByRole("button", { name: "Candidates", exact: true }).click();
      }
    }
  });
});

test("dark and light follow the system, and the switch overrules it", async () => {
  const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number)[0]);
  await open(PAGE, { colorScheme: "dark" }, async (page) => {
    assert.ok((await ground(page)) < 60);
    const before = (await drawn(page, "graph")).over.map(({ colour }) => colour);
    await choose(page, "Theme", "light");
    assert.ok((await ground(page)) > 200);
    assert.notDeepEqual((await drawn(page, "graph")).over.map(({ colour }) => colour), before);
    await page.reload();
    assert.ok((await ground(page)) > 200, "the choice is remembered");
  });
  await open(PAGE, { colorScheme: "light" }, async (page) => assert.ok((await ground(page)) > 200));
});

for (const colorScheme of ["light", "dark"]) {
  for (const [device, viewport] of [["desktop", DESKTOP], ["phone", PHONE]]) {
    test(`axe-core finds nothing, ${colorScheme}, ${device}`, async () => {
      await open(PAGE, { viewport, colorScheme }, async (page) => {
        await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
        await choose(page, "Show", "broken");
        await accessible(page, "candidates");
        await page.screenshot({ path: `${SCREENSHOTS}/${device}-${colorScheme}.png`, fullPage: true });
        await choose(page, "Distribution", { index: 2 });
        await page.getByRole("button", { name: "Execution, step by step" }).click();
        for (let step = 0; step < 4; step += 1) await page.getByLabel("Next step").click();
        await accessible(page, "execution");
        await page.locator("#instances").screenshot({ path: `${SCREENSHOTS}/${device}-${colorScheme}-execution.png` });
      });
      await open(INSTANCES, { viewport, colorScheme }, (page) => accessible(page, "instances only"));
      // Two of the four will do: axe-core takes its time over thousands of cells.
      if ((device === "desktop") !== (colorScheme === "light")) return;
      await open(PAGE, { viewport, colorScheme }, async (page, data) => {
        await instance(page, exhibitsOf(data).length - 1);
        await accessible(page, "the largest instance");
        await page.locator("#instances").screenshot({ path: `${SCREENSHOTS}/${device}-${colorScheme}-largest.png` });
      });
    });
  }
}
