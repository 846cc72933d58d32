"""PyEPO's perturbed Fenchel-Young loss on roads where every trip has its own ends. Run by `run.py city --pfy`, which makes the virtual environment.

PyEPO knows one graph with one pair of ends, so each trip gets a model of its own, and all share one linear map of the columns of roads. Reads `roads.csv` and `trips.jsonl` of
a folder, writes `pfy.csv` with the column `cost`, and prints the seconds of training. The solver is scipy's compiled Dijkstra.
"""

import csv
import json
import pathlib
import sys
import time

import numpy as np
import torch
from pyepo.func import perturbedFenchelYoung
from pyepo.model.opt import optModel
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

PASSES, BATCH, LEAST = 3, 32, 1e-3
RATE = 5e-2  # that of the grid would hardly move in so few steps


class Roads:
    """The graph, with its columns as numbers: standardised, or one for each word but the first."""

    def __init__(self, path):
        rows = list(csv.DictReader(path.open()))
        names = sorted({row[end] for row in rows for end in ("from", "to")})
        self.place = {name: place for place, name in enumerate(names)}
        ends = [(self.place[row["from"]], self.place[row["to"]]) for row in rows]
        self.arc = {pair: arc for arc, pair in enumerate(ends)}
        length = np.array([float(row["length"]) for row in rows])
        columns = [(length - length.mean()) / length.std()]
        for name in ("class", "oneway", "turn"):
            words = sorted({row[name] for row in rows})
            columns += [np.array([row[name] == word for row in rows], float) for word in words[1:]]
        self.rows, self.columns = rows, torch.tensor(np.stack(columns, 1), dtype=torch.float32)
        tails, heads = np.array(ends).T
        order = np.lexsort((heads, tails))
        self.order, self.heads = order, heads[order]
        self.first = np.searchsorted(tails[order], np.arange(len(names) + 1))

    def route(self, costs, origin, destination):
        n = len(self.place)
        graph = csr_array((np.maximum(costs, LEAST)[self.order], self.heads, self.first), shape=(n, n))
        _, before = dijkstra(graph, indices=origin, return_predecessors=True)
        arcs, at = [], destination
        while at != origin:
            arcs.append(self.arc[before[at], at])
            at = before[at]
        return arcs


class Trip(optModel):
    """The route between two ends, as PyEPO wants it."""

    def __init__(self, roads, origin, destination):
        self.roads, self.ends = roads, (origin, destination)
        super().__init__()

    def _getModel(self):
        return None, list(range(len(self.roads.rows)))

    @property
    def num_cost(self):
        return len(self.roads.rows)

    def setObj(self, c):
        self.costs = np.asarray(c, float)

    def solve(self):
        arcs = self.roads.route(self.costs, *self.ends)
        solution = np.zeros(len(self.costs), np.float32)
        solution[arcs] = 1.0
        return solution, float(self.costs[arcs].sum())


def main(folder):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    roads = Roads(folder / "roads.csv")
    trips = [json.loads(line)["path"] for line in (folder / "trips.jsonl").read_text().splitlines()]
    trips = [[roads.place[vertex] for vertex in trip] for trip in trips]
    linear = torch.nn.Linear(roads.columns.shape[1], 1)
    with torch.no_grad():
        linear.bias.fill_(3.0)
    adam = torch.optim.Adam(linear.parameters(), lr=RATE)
    begin = time.process_time()
    for _ in range(PASSES):
        order = torch.randperm(len(trips)).tolist()
        for start in range(0, len(order), BATCH):
            costs = torch.nn.functional.softplus(linear(roads.columns)).reshape(1, -1)
            adam.zero_grad()
            losses = []
            for place in order[start : start + BATCH]:
                trip = trips[place]
                used = torch.zeros(1, len(roads.rows))
                used[0, [roads.arc[step] for step in zip(trip, trip[1:])]] = 1.0
                loss = perturbedFenchelYoung(Trip(roads, trip[0], trip[-1]), n_samples=10, sigma=1.0, processes=1)
                losses.append(loss(costs, used).mean())
            torch.stack(losses).mean().backward()
            adam.step()
    print(time.process_time() - begin)
    with torch.no_grad():
        costs = torch.nn.functional.softplus(linear(roads.columns)).reshape(-1).tolist()
    with (folder / "pfy.csv").open("w") as file:
        file.write("from,to,cost\n")
        file.writelines(f"{row['from']},{row['to']},{cost:.6f}\n" for row, cost in zip(roads.rows, costs))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
