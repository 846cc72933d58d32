"""How long after Ctrl-C a call ends, for each call that can be long.

    pip install ./python                 # release mode
    python benches/python_interrupts.py [TRIES]

Each call gets more work than it can do, is interrupted at a random moment of its first seconds, and is timed from the signal to the exception.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import numpy as np

import tiebreak


def seconds_to_end(work: Callable[[], object], after: float) -> float:
    """The time from the signal to the exception. Work that ends before begins again."""
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, interrupt)
    timer.start()
    try:
        while True:
            work()
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]


def calls(folder: Path) -> dict[str, Callable[[], object]]:
    """Long work of every kind."""
    dense = nx.gnp_random_graph(60, 0.5, seed=0, directed=True)
    large = tiebreak.Graph(nx.gnp_random_graph(2000, 0.05, seed=0, directed=True))
    batch = tiebreak.generate("dfs", 64, 32)
    wide = np.random.default_rng(0).random((400, 400))
    stream = tiebreak.Stream("dfs", 300, batch=2000, runs=100)
    city = nx.convert_node_labels_to_integers(nx.grid_2d_graph(60, 60, create_using=nx.DiGraph))
    nx.set_edge_attributes(city, {edge: 1.0 + (7 * place) % 5 for place, edge in enumerate(city.edges)}, "length")
    trips = [nx.shortest_path(city, place % 60, 3599 - place % 50, weight="length") for place in range(400)]
    cost = tiebreak.learn(city, ["length"], trips[:20], loss="likelihood", model="linear", per_edge=False, bootstrap=0)
    pairs = [(place % 60, 3599 - place % 50) for place in range(100_000)]
    names = iter(range(10**9))

    def train(**settings: object) -> object:
        return tiebreak.train("dfs", folder / str(next(names)), steps=10**6, progress=False, **settings)  # type: ignore[arg-type]

    return {
        "generate, n = 64": lambda: tiebreak.generate("dfs", 64, 10_000, runs=1000),
        "generate, exact, n = 8": lambda: tiebreak.generate("dfs", 8, 100_000, exact=True),
        "Stream, n = 300": lambda: next(stream),
        "train, n = 32, batch 32": lambda: train(sizes=[32], batch=32),
        "train, n = 128, batch 8": lambda: train(sizes=[128], batch=8),
        "train, executor": lambda: tiebreak.train("dfs", folder / f"e{next(names)}", model="executor", steps=10**7, progress=False),
        "evaluate, n = 64": lambda: tiebreak.evaluate("dfs", 64, model="network", graphs=10_000, progress=False),
        "predict, n = 400": lambda: tiebreak.load("dfs").predict([wide] * 50),
        "count, n = 60": lambda: [tiebreak.count([dense] * 50, "dfs") for _ in range(1000)],
        "solve, n = 2000": lambda: tiebreak.solve(large, "dfs", 50_000),
        "solve, exact, n = 60": lambda: tiebreak.solve(dense, "dfs", 10**6, exact=True),
        "score, with coverage": lambda: tiebreak.score(
            batch, probabilities=batch.marginals, extractor="upwards", draws=2000, coverage=True
        ),
        "distribution, n = 64": lambda: tiebreak.distribution(batch, runs=10**6),
        "extract, n = 64": lambda: tiebreak.extract(batch, probabilities=batch.marginals, extractor="random", draws=10**6),
        "draw, n = 60": lambda: tiebreak.draw(dense, "dfs", 10**6),
        "runs, n = 60": lambda: tiebreak.runs(dense, "dfs", 10**6),
        "learn, 3,600 vertices": lambda: tiebreak.learn(city, ["length"], trips, bootstrap=1000),
        "Cost.solve_all, 3,600 vertices": lambda: cost.solve_all(pairs),
        "verify_all, n = 2000": lambda: tiebreak.verify_all(large, np.zeros((100_000, 2000), np.int64), "dfs"),
    }


def main(tries: int = 5) -> None:
    """Prints a table."""
    coins = random.Random(0)
    print("| call | longest of", tries, "tries (s) | mean |")
    print("|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, work in calls(Path(folder)).items():
            times = [seconds_to_end(work, coins.uniform(0.3, 2.0)) for _ in range(tries)]
            print(f"| {name} | {max(times):.2f} | {sum(times) / len(times):.2f} |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
