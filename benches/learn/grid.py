"""PyEPO's shortest-path benchmark, with PyEPO and `tiebreak learn` on the same data. Run by `run.py grid`, which makes the virtual environment.

A 5 x 5 grid, arcs right and down, one pair of ends; 40 costs that depend on five numbers of each instance by a polynomial of degree `deg`, times uniform noise of half width
`w`. Methods see the numbers of n training instances and the best route (PFY, ours) or the costs (least squares, SPO+). Normalised regret on 1,000 other instances; processor
seconds of training on one thread. PyEPO's solver is the dynamic program below, not a solver of linear programs, which would be slower.
"""

import argparse
import contextlib
import itertools
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import torch
from pyepo.data.shortestpath import genData
from pyepo.func import SPOPlus, perturbedFenchelYoung
from pyepo.model.opt import optModel

SIDE, FEATURES, TEST = 5, 5, 1000
PASSES = {100: 100, 1000: 30, 5000: 10}
PFY, OURS = "PFY", "ours, Fenchel-Young"


def grid_arcs():
    """In PyEPO's order: row by row, first those to the right, then those down."""
    for row in range(SIDE):
        first = row * SIDE
        yield from ((first + column, first + column + 1) for column in range(SIDE - 1))
        if row + 1 < SIDE:
            yield from ((first + column, first + column + SIDE) for column in range(SIDE))


ARCS = list(grid_arcs())
INTO = [[(arc, tail) for arc, (tail, head) in enumerate(ARCS) if head == vertex] for vertex in range(SIDE * SIDE)]


def best_route(costs):
    """The arcs of a cheapest route. Every arc leads to a larger number, so one pass does."""
    length, by = [0.0], [None]
    for into in INTO[1:]:
        least, arc, tail = min((length[tail] + costs[arc], arc, tail) for arc, tail in into)
        length.append(least)
        by.append((arc, tail))
    arcs, at = [], len(INTO) - 1
    while by[at]:
        arc, at = by[at]
        arcs.append(arc)
    return arcs[::-1]


class Grid(optModel):
    """The grid as PyEPO wants it."""

    def _getModel(self):
        return None, list(range(len(ARCS)))

    @property
    def num_cost(self):
        return len(ARCS)

    def setObj(self, c):
        self.costs = [float(cost) for cost in c]

    def solve(self):
        chosen = best_route(self.costs)
        solution = np.zeros(len(ARCS), dtype=np.float32)
        solution[chosen] = 1.0
        return solution, sum(self.costs[arc] for arc in chosen)


def regret(routes, costs):
    """What the routes cost too much, over what the best ones cost."""
    best = sum(sum(row[arc] for arc in best_route(row)) for row in costs.tolist())
    own = sum(sum(row[arc] for arc in route) for row, route in zip(costs.tolist(), routes))
    return 100 * (own / best - 1)


def least_squares(x, c, fresh):
    with_one = lambda rows: np.hstack([rows, np.ones((len(rows), 1))])
    weights, *_ = np.linalg.lstsq(with_one(x), c, rcond=None)
    return [best_route(row) for row in (with_one(fresh) @ weights).tolist()]


def by_pyepo(loss_of):
    def method(x, c, fresh):
        torch.manual_seed(0)
        model, linear = Grid(), torch.nn.Linear(FEATURES, len(ARCS))
        solved = [model.setObj(row) or model.solve() for row in c]
        tensors = [torch.tensor(np.array(part), dtype=torch.float32) for part in (x, c, [w for w, _ in solved], [[z] for _, z in solved])]
        loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(*tensors), batch_size=32, shuffle=True)
        loss, adam = loss_of(model), torch.optim.Adam(linear.parameters(), lr=1e-2)
        for _ in range(PASSES[len(x)]):
            for features, costs, solutions, values in loader:
                adam.zero_grad()
                loss(linear(features), costs, solutions, values).backward()
                adam.step()
        with torch.no_grad():
            predicted = linear(torch.tensor(fresh, dtype=torch.float32))
        return [best_route(row) for row in predicted.tolist()]

    return method


def spo_plus(model):
    loss = SPOPlus(model, processes=1)
    return lambda predicted, costs, solutions, values: loss(predicted, costs, solutions, values)


def pfy(model):
    loss = perturbedFenchelYoung(model, n_samples=10, sigma=1.0, processes=1)
    return lambda predicted, costs, solutions, values: loss(predicted, solutions)


def ours(tiebreak, options):
    """A column of zeros and one for each arc, so that every arc has a linear map of its own; the five numbers are the context."""

    def method(x, c, fresh):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            header = ["from", "to", *(f"arc{arc}" for arc in range(len(ARCS)))]
            rows = [[*ends, *(int(other == arc) for other in range(len(ARCS)))] for arc, ends in enumerate(ARCS)]
            (folder / "roads.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in [header, *rows]))
            context = lambda row: {f"x{place}": round(float(value), 6) for place, value in enumerate(row)}
            path = lambda route: [0, *(ARCS[arc][1] for arc in route)]
            observed = ({"path": path(best_route(costs)), **context(row)} for row, costs in zip(x, c.tolist()))
            queries = ({"from": 0, "to": SIDE * SIDE - 1, **context(row)} for row in fresh)
            for file, lines in ("trips.jsonl", observed), ("queries.jsonl", queries):
                (folder / file).write_text("".join(json.dumps(line) + "\n" for line in lines))
            keys = ",".join(f"x{place}" for place in range(FEATURES))
            run = lambda *words: subprocess.run([tiebreak, *words], cwd=folder, check=True, capture_output=True)
            run("learn", "roads.csv", "--observed", "trips.jsonl", "--context", keys, "--model", "linear", "--bootstrap", "0", "--threads", "1", "--out", "cost", *options)
            learnt = resource.getrusage(resource.RUSAGE_CHILDREN)
            run("solve", "roads.csv", "--cost", "cost", "--queries", "queries.jsonl", "-k", "1", "--jsonl", "routes.jsonl")
            arc_of = {ends: arc for arc, ends in enumerate(ARCS)}
            routes = []
            for line in (folder / "routes.jsonl").read_text().splitlines():
                path = [int(vertex) for vertex in json.loads(line)["routes"][0]["path"]]
                routes.append([arc_of[step] for step in zip(path, path[1:])])
            method.until = learnt.ru_utime + learnt.ru_stime
            return routes

    return method


def seconds_so_far():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time(), children.ru_utime + children.ru_stime


def measure(method, x, c, fresh, costs):
    """Regret and processor seconds; of ours those of `learn`."""
    own, children = seconds_so_far()
    routes = method(x, c, fresh)
    used = method.until - children if hasattr(method, "until") else seconds_so_far()[0] - own
    return regret(routes, costs), used


def results(methods, cells, seeds, kept):
    """Regret and seconds of each method in each cell with each seed, as they come; what `kept` has already is not measured again."""
    for seed in seeds:
        for n, degree, width in cells:
            missing = [name for name in methods if (n, degree, width, seed, name) not in kept]
            if not missing:
                continue
            x, c = genData(n + TEST, FEATURES, (SIDE, SIDE), deg=degree, noise_width=width, seed=seed)
            for name in missing:
                yield (n, degree, width, seed, name), measure(methods[name], x[:n], c[:n], x[n:], c[n:])


def error(values):
    """The standard error; nothing can be said from one."""
    return statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else float("nan")


def table(methods, cells, kept):
    """A row for each cell: mean regret, its standard error, seconds; then whether ours keeps up with PFY, and by how much it is faster."""
    names = list(methods)
    yield ["n", "deg", "w", "seeds", *names, "ours less PFY", "times as fast as PFY"]
    for cell in cells:
        seeds = [seed for seed in range(1000) if all((*cell, seed, name) in kept for name in names)]
        if not seeds:
            continue
        lost = {name: [kept[(*cell, seed, name)][0] for seed in seeds] for name in names}
        used = {name: statistics.mean(kept[(*cell, seed, name)][1] for seed in seeds) for name in names}
        texts = [f"{statistics.mean(lost[name]):.2f} ({error(lost[name]):.2f}), {used[name]:.2f} s" for name in names]
        apart = [ours - theirs for ours, theirs in zip(lost[OURS], lost[PFY])]
        yield [*map(str, cell), str(len(seeds)), *texts, f"{statistics.mean(apart):+.2f} ({error(apart):.2f})", f"{used[PFY] / used[OURS]:.0f}"]


def read_kept(path):
    if path is None or not path.exists():
        return {}
    lines = map(json.loads, path.read_text().splitlines())
    return {tuple(line["key"]): line["value"] for line in lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tiebreak", required=True)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(PASSES))
    parser.add_argument("--degrees", type=int, nargs="+", default=[1, 2, 4, 6])
    parser.add_argument("--widths", type=float, nargs="+", default=[0.0, 0.5])
    parser.add_argument("--methods", nargs="+", help="some of them only")
    parser.add_argument("--keep", type=pathlib.Path, help="a file to which results are added, and from which a stopped run goes on")
    settings = parser.parse_args()
    torch.set_num_threads(1)
    tiebreak = os.path.abspath(settings.tiebreak)
    methods = {
        "least squares": least_squares,
        "SPO+": by_pyepo(spo_plus),
        PFY: by_pyepo(pfy),
        OURS: ours(tiebreak, ["--fit-only", "--loss", "fenchel-young"]),
        "ours, likelihood": ours(tiebreak, ["--fit-only", "--loss", "likelihood"]),
    }
    wanted = {name: methods[name] for name in settings.methods or methods}
    cells = list(itertools.product(settings.sizes, settings.degrees, settings.widths))
    kept = read_kept(settings.keep)
    for key, value in results(wanted, cells, range(settings.seeds), kept):
        kept[key] = value
        print(*key, *value, file=sys.stderr, flush=True)
        if settings.keep:
            with settings.keep.open("a") as file:
                file.write(json.dumps({"key": key, "value": value}) + "\n")
    rows = list(table(methods, cells, kept))
    print("regret in % (standard error), processor seconds of training on one thread\n")
    for row in [rows[0], ["---"] * len(rows[0]), *rows[1:]]:
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
