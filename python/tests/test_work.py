"""What the functions promise beside their answers: reasons, seeds, and an interpreter that goes on."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import reference

import tiebreak


def test_what_is_out_of_reach_says_why() -> None:
    large = nx.gnp_random_graph(70, 0.5, seed=0, directed=True)
    with pytest.raises(tiebreak.Intractable, match="exact counts stop at 64"):
        tiebreak.count(large, "dfs")
    with pytest.raises(tiebreak.Intractable, match="stops at n = 8"):
        tiebreak.distribution(large, "dfs", exact=True)
    with pytest.raises(tiebreak.Intractable, match="for parents that is n = 16384"):
        tiebreak.distribution(nx.empty_graph(16_385), "dfs")
    assert issubclass(tiebreak.Intractable, RuntimeError)


def test_a_count_may_have_a_thousand_digits() -> None:
    """More than 64 bits, more than a float, more than Python turns into text by default."""
    ladder = nx.grid_2d_graph(130, 130)
    assert tiebreak.count(ladder, "bellman-ford", source=(0, 0)) == 2 ** (129 * 129)


@pytest.mark.parametrize("algorithm", reference.PARENTS)
def test_a_seed_is_a_result(algorithm: str) -> None:
    graph = tiebreak.Graph(reference.fitting(nx.grid_2d_graph(4, 4), algorithm))
    start = reference.start(algorithm, (0, 0))
    for function in (tiebreak.runs, tiebreak.draw) if algorithm in reference.EXECUTED else (tiebreak.runs,):
        once, again, other = (function(graph, algorithm, 20, seed=seed, **start) for seed in (1, 1, 2))
        assert np.array_equal(once, again) and not np.array_equal(once, other)
    matrix = tiebreak.distribution(graph, algorithm, runs=20, seed=1, **start)
    runs = tiebreak.runs(graph, algorithm, 20, seed=1, **start)
    expected = (runs[:, :, np.newaxis] == np.arange(16)).mean(axis=0)
    np.testing.assert_allclose(matrix, expected, atol=1e-15)


def test_other_threads_go_on_during_work() -> None:
    graph = tiebreak.Graph(nx.gnp_random_graph(60, 0.5, seed=0, directed=True))
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = time.perf_counter()
    tiebreak.draw(graph, "dfs", 400)
    after = time.perf_counter()
    done.set()
    thread.join()
    quarter = (after - before) / 4
    assert any(before + quarter < tick < after - quarter for tick in ticks)


def test_solutions_are_distinct_and_valid_and_told_where_they_come_from() -> None:
    graph = nx.gnp_random_graph(30, 0.3, seed=1, directed=True)
    solved = tiebreak.solve(graph, "dfs", 25)
    assert len(solved) == 25 == len({tuple(solution.parents.tolist()) for solution in solved})
    assert all(tiebreak.verify_all(graph, solved.parents, "dfs"))
    assert {solution.source for solution in solved} == {"executor"}
    assert [tally.kept for tally in solved.tallies] == [25] and not solved.tallies[0].rejected
    assert all(tiebreak.verify(graph, solution.by_node, "dfs") for solution in solved[:3])
    classical = tiebreak.solve(graph, "dfs", 5, model="classical")
    assert all("executor" not in solution.source for solution in classical)


@pytest.mark.parametrize("algorithm", reference.NETWORKED)
def test_only_the_network_finds_only_what_it_draws(algorithm: str) -> None:
    graph = reference.fitting(nx.gnp_random_graph(5, 0.5, seed=1), algorithm)
    start = reference.start(algorithm, 0)
    solved = tiebreak.solve(graph, algorithm, 5, model="network", only_model=True, **start)
    assert all("network" in solution.source for solution in solved)
    assert sum(tally.kept for tally in solved.tallies) == len(solved)
    assert all(tally.draws == tally.kept + tally.repeated + sum(tally.rejected.values()) for tally in solved.tallies)


@pytest.mark.parametrize("algorithm", reference.PARENTS)
def test_every_algorithm_is_solved_with_a_model_or_without(algorithm: str) -> None:
    graph = reference.fitting(nx.grid_2d_graph(3, 3), algorithm)
    start = reference.start(algorithm, (0, 0))
    solved = tiebreak.solve(graph, algorithm, 1000, **start)
    assert len(solved) == solved.count == tiebreak.count(graph, algorithm, **start)
    assert all(tiebreak.verify_all(graph, solved.parents, algorithm, **start))
    missing = any(note.startswith(f"there is no executor of {algorithm}: ") for note in solved.notes)
    assert missing == (algorithm not in reference.EXECUTED)


@pytest.mark.parametrize("algorithm", reference.PARENTS)
def test_every_algorithm_is_scored_by_every_extractor(algorithm: str) -> None:
    graph = reference.fitting(nx.grid_2d_graph(3, 3), algorithm)
    start = reference.start(algorithm, (0, 0))
    matrix = tiebreak.distribution(graph, algorithm, **start)
    runs = tiebreak.runs(graph, algorithm, 3, **start)
    try:
        assert all(tiebreak.verify_all(graph, runs, algorithm, weakly=True, **start))
        has_weak_check = True
    except ValueError as error:
        assert str(error) == f"the paper has no weaker check of {algorithm}"
        has_weak_check = False
    assert has_weak_check == (algorithm in ("dfs", "dfs-any-restart", "bellman-ford"))
    for extractor in tiebreak.EXTRACTORS[algorithm]:
        figures = tiebreak.score(
            graph, probabilities=matrix, algorithm=algorithm, extractor=extractor, sources=start.get("source")
        )
        assert (figures.weak_valid is not None) == has_weak_check and 0 <= figures.valid <= 1


def test_solve_knows_how_many_there_are() -> None:
    few = tiebreak.solve(nx.cycle_graph(5), "dfs", 10)
    assert (len(few), few.count, str(few)) == (2, 2, "2 of 2 solutions")
    grid = nx.grid_2d_graph(5, 5)
    many = tiebreak.solve(grid, "bellman-ford", 10, source=(0, 0), diverse=True)
    assert many.count == 2**16 == tiebreak.count(grid, "bellman-ford", source=(0, 0))
    assert many.diversity is not None and many.diversity.shared <= many.diversity.as_drawn
    assert many.edges_about_every and len(many.shared_edges) == 8 and len(many.varying_edges) == 32


def test_demands_are_met_or_refuted() -> None:
    for seed in range(30):
        graph = nx.gnp_random_graph(6, 0.4, seed=seed, directed=True)
        every = [set(solution.by_node.items()) for solution in tiebreak.solve(graph, "dfs", 10_000, exact=True)]
        for tail, head in graph.edges:
            has = [tree for tree in every if (head, tail) in tree]
            for demand, expected in (("require", len(has)), ("avoid", len(every) - len(has))):
                solved = tiebreak.solve(graph, "dfs", 10_000, **{demand: [(tail, head)]})
                assert (len(solved), solved.count) == (expected, expected), (graph.edges, demand, tail, head)
                assert (solved.impossible is None) == (expected > 0)


@pytest.mark.parametrize(
    ("graph", "demands", "why"),
    [
        (nx.cycle_graph("abc"), {"avoid": ["cb"]}, "no solution meets all demands together"),
        (nx.path_graph("abc"), {"avoid": ["ab"]}, "no solution avoids 'a' -> 'b': every solution has it"),
        (nx.path_graph("abc", create_using=nx.DiGraph), {"require": ["ba"]}, "no solution has 'b' -> 'a': it is not"),
    ],
)
def test_an_impossible_demand_is_refuted_in_words(graph: nx.Graph, demands: dict[str, list[str]], why: str) -> None:
    solved = tiebreak.solve(graph, "dfs", **demands)  # type: ignore[arg-type]
    assert not solved and len(solved) == solved.count == 0
    assert str(solved.impossible).startswith(why) and str(solved) == solved.impossible


def test_a_model_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing.safetensors"):
        tiebreak.solve([[0]], "dfs", model=tmp_path / "missing.safetensors")
    (tmp_path / "broken.safetensors").write_bytes(b"no model")
    with pytest.raises(ValueError, match="broken.safetensors"):
        tiebreak.solve([[0]], "dfs", model=str(tmp_path / "broken.safetensors"))
