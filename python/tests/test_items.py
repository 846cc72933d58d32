"""Tasks and activities: the forms in which they come, and their answers against every subset."""

from __future__ import annotations

import datetime
import itertools
import pickle
import random
from collections.abc import Sequence
from decimal import Decimal

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import tiebreak

TASKS, ACTIVITIES = "task-scheduling", "activity-selection"
Rows = Sequence[tuple[int, int]]


def subsets(n: int) -> list[tuple[int, ...]]:
    return [chosen for size in range(n + 1) for chosen in itertools.combinations(range(n), size)]


def best_tasks(tasks: Rows) -> set[tuple[int, ...]]:
    """Every heaviest set of which at most t are due by t, for each t."""

    def in_time(chosen: tuple[int, ...]) -> bool:
        return all(sum(tasks[task][0] <= t for task in chosen) <= t for t in range(1, len(tasks) + 1))

    early = [chosen for chosen in subsets(len(tasks)) if in_time(chosen)]
    weight = {chosen: sum(tasks[task][1] for task in chosen) for chosen in early}
    return {chosen for chosen in early if weight[chosen] == max(weight.values())}


def best_activities(activities: Rows) -> set[tuple[int, ...]]:
    """Every largest set without an overlap; one may begin when another ends."""

    def apart(chosen: tuple[int, ...]) -> bool:
        spans = [activities[one] for one in chosen]
        return all(a[1] <= b[0] or b[1] <= a[0] for a, b in itertools.combinations(spans, 2))

    fine = [chosen for chosen in subsets(len(activities)) if apart(chosen)]
    most = max(map(len, fine))
    return {chosen for chosen in fine if len(chosen) == most}


def some_tasks(coins: random.Random, n: int) -> list[tuple[int, int]]:
    return [(coins.randint(1, n), coins.randint(1, 3)) for _ in range(n)]


def some_activities(coins: random.Random, n: int) -> list[tuple[int, int]]:
    starts = [coins.randint(0, 8) for _ in range(n)]
    return [(start, start + coins.randint(1, 4)) for start in starts]


@pytest.mark.parametrize(
    ("algorithm", "make", "best"), [(TASKS, some_tasks, best_tasks), (ACTIVITIES, some_activities, best_activities)]
)
def test_answers_are_those_that_no_subset_beats(algorithm, make, best) -> None:  # type: ignore[no-untyped-def]
    coins = random.Random(7)
    tables = [make(coins, n) for n in (1, 2, 3, 4, 5, 6, 7) for _ in range(12)]
    counts = tiebreak.count(tables, algorithm)
    for table, count in zip(tables, counts, strict=True):
        expected, n = best(table), len(table)
        assert count == len(expected) == tiebreak.count(table, algorithm), table
        solved = tiebreak.solve(table, algorithm, 1000, exact=True)
        assert {tuple(solution.selected) for solution in solved} == expected, table
        masks = np.array([[int(item in chosen) for item in range(n)] for chosen in subsets(n)])
        verdicts = tiebreak.verify_all(table, masks, algorithm)
        accepted = {chosen for chosen, verdict in zip(subsets(n), verdicts, strict=True) if verdict}
        assert accepted == expected, table
        assert set(solved.shared_items) == set.intersection(*map(set, expected)), table
        some = set.union(*map(set, expected))
        assert set(solved.varying_items) == some - set(solved.shared_items), table


def test_a_table_may_come_in_any_form() -> None:
    rows = [("paint", 1, 5), ("sand", 1, 5), ("varnish", 2, 3)]
    frame = pd.DataFrame(rows, columns=["Task", "due", "priority"])
    forms = [
        rows,
        frame,
        frame.set_index("Task"),
        frame.assign(owner="me")[["owner", "priority", "due", "Task"]],
        {"task": ["paint", "sand", "varnish"], "deadline": np.array([1, 1, 2]), "weight": ["5", Decimal(5), 3.0]},
        tiebreak.Items([row[1:] for row in rows], TASKS, names=["paint", "sand", "varnish"]),
    ]
    for form in forms:
        days = tiebreak.solve(form, TASKS, exact=True)
        assert sorted(day.selected for day in days) == [["paint", "varnish"], ["sand", "varnish"]]
        assert days.shared_items == ("varnish",) and set(days.varying_items) == {"paint", "sand"}
        assert tiebreak.verify(form, ["varnish", "sand"], TASKS)
    numbers = np.array([row[1:] for row in rows])
    for unnamed in (numbers, numbers.astype(np.float32), numbers.tolist(), pd.DataFrame(numbers, columns=["d", "w"])):
        assert [day.selected for day in tiebreak.solve(unnamed, TASKS, avoid=[0])] == [[1, 2]]
    assert tiebreak.count(np.stack([numbers, numbers]), TASKS) == tiebreak.count([frame, rows], TASKS) == [2, 2]
    assert tiebreak.count([], TASKS) == []
    items = tiebreak.Items(frame, "task_scheduling")
    again = pickle.loads(pickle.dumps(items))
    assert again.numbers == items.numbers == {"deadline": [1, 1, 2], "weight": [5, 5, 3]}
    assert list(again.nodes) == ["paint", "sand", "varnish"] and repr(again) == "Items(3, 'task-scheduling')"


def test_times_may_be_written_as_people_do() -> None:
    spans = [("09:00", "10:00"), ("09:30", "11:00"), ("10:00", "11:30"), ("11:00", "12:00")]
    day = datetime.date(2026, 3, 1)

    def at(text: str) -> datetime.datetime:
        return datetime.datetime.combine(day, datetime.time.fromisoformat(text))

    frame = pd.DataFrame([(at(start), at(finish)) for start, finish in spans], columns=["start", "end"])
    forms = [
        spans,
        [(at(start), at(finish)) for start, finish in spans],
        [(at(start).time(), at(finish).time()) for start, finish in spans],
        frame,
        frame.assign(start=frame["start"].dt.tz_localize("Europe/Berlin"), end=frame["end"].dt.tz_localize("Europe/Berlin")),
        frame.to_numpy(),
        [(float(start.replace(":", ".")), float(finish.replace(":", "."))) for start, finish in spans],
    ]
    for form in forms:
        assert sorted(best.selected for best in tiebreak.solve(form, ACTIVITIES, exact=True)) == [[0, 2], [0, 3], [1, 3]]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([("a", 1, 5), ("b", 0, 5)], "task 'b'.*deadline"),
        ([("a", 1, 5), ("b", 2, -5)], "'b'.*weight"),
        ([("a", 1, 5), ("b", 2, "many")], "task 'b': the weight 'many' is not a number"),
        ([("a", 1, 5), ("b", 2, float("nan"))], "task 'b': the weight 'nan' is not a number"),
        ([("a", 1, 5), ("b", 2, None)], "task 'b': the weight 'None' is not a number"),
        ([("a", 1, 5), ("a", 2, 5)], "'a' is the name of two items"),
        ([(1, 5), (1, 5, 5, 5)], "row 1 has 4 entries; deadline, weight are needed"),
        ([(1, 5), (1, 5, 5)], "row 1 has 3 entries"),
        ({"deadline": [1, 2]}, "there is no column 'weight'; there are 'deadline'"),
        ({"deadline": [1, 2], "weight": [1]}, "the columns have 2, 1 numbers"),
        ([(1, True)], "True is not a number"),
        (nx.path_graph(3), "task-scheduling is about items, not about a graph"),
    ],
)
def test_wrong_tables_are_refused_by_name(table: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tiebreak.count(table, TASKS)  # type: ignore[call-overload]


def test_times_of_two_kinds_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="activity 1: the start '9:00' is a time of day, but for activity 0 there is a number"):
        tiebreak.count([(1, 2), ("9:00", "10:00")], ACTIVITIES)
    with pytest.raises(ValueError, match="dfs takes graphs; these are items for activity-selection"):
        tiebreak.count(tiebreak.Items([(1, 2)], ACTIVITIES), "dfs")
    with pytest.raises(ValueError, match="'dfs' is not an algorithm about items; there are task-scheduling"):
        tiebreak.Items([(1, 2)], "dfs")


def test_a_verdict_names_items_and_demands_are_met_or_refuted() -> None:
    table = [("paint", 1, 5), ("sand", 1, 4), ("varnish", 2, 3)]
    verdict = tiebreak.verify(table, ["sand", "varnish"], TASKS)
    assert (verdict.rule, verdict.exchange) == ("greatest-weight", ("paint", "sand"))
    verdict = tiebreak.verify(table, ["paint", "sand"], TASKS)
    assert verdict.rule == "in-time" and set(verdict.items) == {"paint", "sand"}
    verdict = tiebreak.verify(table, ["paint", "paint"], TASKS)
    assert (verdict.rule, verdict.items) == ("chosen-once", ("paint",))
    impossible = tiebreak.solve(table, TASKS, require=["sand"])
    assert len(impossible) == 0 and impossible.impossible == "no solution has 'sand'"
    verdict = tiebreak.verify([(0, 2), (1, 3), (2, 4)], np.array([False, True, False]), ACTIVITIES)
    assert verdict.rule == "most-activities" and verdict.better == (0, 2)
    with pytest.raises(ValueError, match="before: only orders"):
        tiebreak.solve(table, TASKS, before=[("sand", "paint")])


@pytest.mark.parametrize("algorithm", [TASKS, ACTIVITIES])
def test_batches_of_items_go_through_everything(algorithm: str) -> None:
    batch = tiebreak.generate(algorithm, 7, 20, seed=3)
    assert batch.items is not None
    tables = [batch.graph(index) for index in range(len(batch))]
    for name, column in batch.items.items():
        assert column.shape == (20, 7)
        assert [[float(number) for number in table.numbers[name]] for table in tables] == column.tolist()  # type: ignore[attr-defined]
    best = best_tasks if algorithm == TASKS else best_activities
    rows = [[tuple(map(float, row)) for row in zip(*table.numbers.values())] for table in tables]  # type: ignore[attr-defined]
    expected = [best(table) for table in rows]  # type: ignore[arg-type]
    assert tiebreak.count(batch) == tiebreak.count(tables, algorithm) == list(map(len, expected))
    runs = tiebreak.runs(batch, k=4)
    assert tiebreak.verify_all(batch, runs).valid.all() and tiebreak.verify_all(tables, runs, algorithm).valid.all()
    assert all(tuple(np.flatnonzero(run)) in of for each, of in zip(runs, expected, strict=True) for run in each)
    np.testing.assert_allclose(
        tiebreak.distribution(tables, algorithm, runs=200, seed=1).mean(axis=0), batch.marginals.mean(axis=0), atol=0.15
    )
    for extractor in tiebreak.EXTRACTORS[algorithm]:
        drawn = tiebreak.extract(batch, probabilities=batch.marginals, extractor=extractor, draws=3)
        assert drawn.shape == (20, 3, 7) and set(np.unique(drawn)) <= {0, 1}
        score = tiebreak.score(batch, probabilities=batch.marginals, extractor=extractor, draws=3)
        assert score.valid == tiebreak.verify_all(batch, drawn).valid.mean()
        likely = batch.marginals.clip(1e-9, 1 - 1e-9)
        logits = np.log(likely) - np.log1p(-likely)
        again = tiebreak.extract(tables, algorithm=algorithm, logits=logits, extractor=extractor, draws=3)
        assert again.shape == drawn.shape
    solved = tiebreak.solve(tables[0], algorithm, 100, exact=True)
    shown = solved.to_frame()
    assert shown.shape == (len(expected[0]), 7) and shown.to_numpy().dtype == bool
    assert "<table>" in solved[0]._repr_html_() and "✓" in solved._repr_html_()
    assert pickle.loads(pickle.dumps(solved))[0].selected == solved[0].selected
