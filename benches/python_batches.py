"""Batches of training data beside fair plain implementations: the same runs with one random order each, for the same graphs.

    pip install ./python                 # release mode
    python benches/python_batches.py

- Shortest paths, numpy, one graph at a time: what a person writes first. Bellman-Ford's distances by relaxing all pairs of a graph at once until nothing changes;
  then for each of the 20 runs an order of the vertices, and for each vertex the first tight parent in it, all pairs at once.
- Shortest paths, numpy, all graphs at once: the same with a further axis for the 32 graphs of the batch, which leaves Python a few hundred calls for all of them.
- Depth-first search, plain Python: lists of neighbours, recursion without recursion limits at these sizes, one shuffled order a run.

All give parents of 20 runs and their shares, as ours. In each turn the plain one is called once and ours several times; a table's figure is the median of all calls
of all turns, by the clock and by processor time (of all threads of the process), which says the same where others use the machine as well. One process, all cores for ours.
"""

from __future__ import annotations

import platform
import random
import statistics
import time
from collections.abc import Callable

import numpy as np

import tiebreak

RUNS, BATCH, TURNS, OURS_A_TURN = 20, 32, 9, 20


Times = list[tuple[float, float]]


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """The time of a call: by the clock, and of all processors together."""
    began, processors_began = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - began, time.process_time() - processors_began


def in_turns(plain: Callable[[], object], ours: Callable[[], object]) -> list[tuple[float, float]]:
    """The median times of both, by the clock and by processor time, after a turn that does not count."""
    theirs_times: Times = []
    our_times: Times = []
    for turn in range(TURNS + 1):
        theirs, own = [timed(plain)], [timed(ours) for _ in range(OURS_A_TURN)]
        if turn > 0:
            theirs_times += theirs
            our_times += own
    return [(statistics.median(column(theirs_times, by)), statistics.median(column(our_times, by))) for by in range(2)]


def column(times: Times, by: int) -> list[float]:
    """The times by the clock (0) or of all processors (1)."""
    return [time[by] for time in times]


def numpy_all_at_once(n: int, rng: np.random.Generator) -> np.ndarray:
    """Random graphs of the paper's text, and the shares of 20 runs, all graphs at once."""
    upper = np.triu(rng.random((BATCH, n, n)) < 0.5, 1)
    edges = upper | upper.transpose(0, 2, 1)
    drawn = np.triu(rng.integers(1, 4, (BATCH, n, n)), 1)
    weights = np.where(edges, drawn + drawn.transpose(0, 2, 1), 10**6)
    source = rng.integers(0, n, BATCH)
    distance = np.full((BATCH, n), 10**6)
    distance[np.arange(BATCH), source] = 0
    while True:
        shorter = np.minimum(distance, (distance[:, :, None] + weights).min(axis=1))
        if np.array_equal(shorter, distance):
            break
        distance = shorter
    tight = (distance[:, :, None] + weights == distance[:, None, :]) & edges  # [b, parent, child]
    alone = ~tight.any(axis=1)
    shares = np.zeros((BATCH, n, n))
    graphs, children = np.arange(BATCH)[:, None], np.arange(n)[None, :]
    for _ in range(RUNS):
        order = rng.random((BATCH, n)).argsort(axis=1)
        rank = order.argsort(axis=1)
        parents = np.where(tight, rank[:, :, None], n).argmin(axis=1)
        parents = np.where(alone, children, parents)
        shares[graphs, children, parents] += 1
    return shares / RUNS


def numpy_one_by_one(n: int, rng: np.random.Generator) -> np.ndarray:
    """The same, a graph at a time."""
    found = np.zeros((BATCH, n, n))
    children = np.arange(n)
    for shares in found:
        upper = np.triu(rng.random((n, n)) < 0.5, 1)
        edges = upper | upper.T
        drawn = np.triu(rng.integers(1, 4, (n, n)), 1)
        weights = np.where(edges, drawn + drawn.T, 10**6)
        distance = np.full(n, 10**6)
        distance[rng.integers(0, n)] = 0
        while True:
            shorter = np.minimum(distance, (distance[:, None] + weights).min(axis=0))
            if np.array_equal(shorter, distance):
                break
            distance = shorter
        tight = (distance[:, None] + weights == distance[None, :]) & edges  # [parent, child]
        alone = ~tight.any(axis=0)
        for _ in range(RUNS):
            rank = rng.permutation(n)
            parents = np.where(tight, rank[:, None], n).argmin(axis=0)
            shares[children, np.where(alone, children, parents)] += 1
    return found / RUNS


def python_depth_first_search(n: int, coins: random.Random) -> list[list[list[float]]]:
    """Random directed graphs, and the shares of 20 searches each."""
    found = []
    for _ in range(BATCH):
        heads = [[head for head in range(n) if head != tail and coins.random() < 0.5] for tail in range(n)]
        shares = [[0.0] * n for _ in range(n)]
        for _ in range(RUNS):
            rank = list(range(n))
            coins.shuffle(rank)
            ordered = [sorted(of, key=rank.__getitem__) for of in heads]
            parent = [-1] * n
            for root in range(n):
                if parent[root] >= 0:
                    continue
                parent[root] = root
                stack = [iter(ordered[root])]
                path = [root]
                while stack:
                    for head in stack[-1]:
                        if parent[head] < 0:
                            parent[head] = path[-1]
                            path.append(head)
                            stack.append(iter(ordered[head]))
                            break
                    else:
                        stack.pop()
                        path.pop()
            for child in range(n):
                shares[child][parent[child]] += 1 / RUNS
        found.append(shares)
    return found


def main() -> None:
    """Prints a table in Markdown."""
    print(f"{platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}, tiebreak {tiebreak.__version__}; "
          f"batch {BATCH}, {RUNS} runs, seed 0, medians of {TURNS} turns\n")  # fmt: skip
    print("| | n | plain | ours | times | processor time, plain | ours | times |\n|---|---|---|---|---|---|---|---|")
    for n in (16, 64):
        rng, coins = np.random.default_rng(0), random.Random(0)
        rows: list[tuple[str, str, Callable[[], object]]] = [
            ("shortest paths, numpy, one graph at a time", "bellman-ford", lambda n=n, rng=rng: numpy_one_by_one(n, rng)),
            ("shortest paths, numpy, all graphs at once", "bellman-ford", lambda n=n, rng=rng: numpy_all_at_once(n, rng)),
            ("depth-first search, plain Python", "dfs", lambda n=n, coins=coins: python_depth_first_search(n, coins)),
        ]
        for name, algorithm, plain in rows:
            both = in_turns(plain, lambda algorithm=algorithm, n=n: tiebreak.generate(algorithm, n, BATCH))
            cells = [f"{1e3 * theirs:.2f} ms | {1e3 * ours:.3f} ms | {theirs / ours:.1f}" for theirs, ours in both]
            print(f"| {name} | {n} | {' | '.join(cells)} |", flush=True)
    for algorithm in ("dfs", "bellman-ford"):
        began = time.perf_counter()
        tiebreak.generate(algorithm, 16, 100_000)
        print(f"\n100,000 graphs of {algorithm} at n = 16: {time.perf_counter() - began:.1f} s", end="")
    print()


if __name__ == "__main__":
    main()
