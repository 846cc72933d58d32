"""Costs from observed routes: frames in and out, and the same bits as the command line."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import networkx as nx
import pandas as pd
import pytest

import tiebreak
from test_batches import tool

ROOT = Path(__file__).resolve().parents[2]
ROADS = ROOT / "docs" / "data" / "city-roads.csv"
TRIPS = ROOT / "docs" / "data" / "city-trips.jsonl"
FEATURES = ["length", "class", "oneway", "turn"]
QUICK: dict[str, Any] = {"loss": "likelihood", "model": "linear", "per_edge": False, "bootstrap": 0}


@pytest.fixture(scope="module")
def roads() -> pd.DataFrame:
    return pd.read_csv(ROADS)


@pytest.fixture(scope="module")
def trips() -> list[list[str]]:
    return [json.loads(line)["path"] for line in TRIPS.read_text().splitlines()][:60]


@pytest.fixture(scope="module")
def cost(roads: pd.DataFrame, trips: list[list[str]]) -> tiebreak.Cost:
    return tiebreak.learn(roads, FEATURES, trips, **QUICK)


def test_a_cost_has_frames_and_answers(cost: tiebreak.Cost, roads: pd.DataFrame, trips: list[list[str]]) -> None:
    costs = cost.costs
    assert list(costs.columns) == [*roads.columns, "cost"] and len(costs) == len(roads)
    assert (costs["cost"] > 0).all() and costs[["from", "to"]].equals(roads[["from", "to"]])
    by_ends = costs.set_index(["from", "to"])["cost"]
    pairs = pd.DataFrame([(trip[0], trip[-1]) for trip in trips[:10]])
    for (source, target), routes in zip(pairs.itertuples(index=False), cost.solve_all(pairs), strict=True):
        gaps = [route.gap for route in routes]
        assert len(routes) == 5 and gaps == sorted(gaps) and gaps[0] == 0
        for route in routes:
            assert (route.path[0], route.path[-1]) == (source, target)
            assert route.length == sum(by_ends[step] for step in zip(route.path, route.path[1:]))
        expected = nx.shortest_path_length(nx.from_pandas_edgelist(costs, "from", "to", "cost", nx.DiGraph), source, target, "cost")
        assert routes[0].length == expected
    assert list(routes.to_frame().columns) == ["path", "length", "gap"]
    assert cost.effects.set_index("column")["percent"].filter(like="length").iloc[0] > 0
    assert cost.tau is not None and cost.held_out is not None and "held out" in repr(cost)
    within = cost.solve(trips[0][0], trips[0][-1], 100, within="auto")
    assert all(route.gap <= cost.tau + 1e-4 for route in within)


def test_it_is_the_cost_of_the_command_line(cost: tiebreak.Cost, roads: pd.DataFrame, trips: list[list[str]], tmp_path: Path) -> None:
    observed = tmp_path / "trips.jsonl"
    observed.write_text("".join(json.dumps({"path": trip}) + "\n" for trip in trips))
    options = ["--loss", "likelihood", "--model", "linear", "--per-edge", "no", "--bootstrap", 0]
    tool("learn", ROADS, "--columns", "from,to", "--features", ",".join(FEATURES), "--observed", observed, *options, "--out", tmp_path / "tool")
    cost.save(tmp_path / "saved")
    assert (tmp_path / "tool" / "cost.safetensors").read_bytes() == (tmp_path / "saved" / "cost.safetensors").read_bytes()
    loaded = tiebreak.load_cost(tmp_path / "tool")
    assert loaded.account == cost.account
    assert loaded.costs_of(roads).equals(cost.costs)
    with pytest.raises(ValueError, match="give graph="):
        loaded.solve("L0", "L60")
    again = pickle.loads(pickle.dumps(cost))
    assert again.account == cost.account and again.solve("L0", "L60") == cost.solve("L0", "L60")
    with pytest.raises(FileExistsError):
        cost.save(tmp_path / "saved")


def test_graphs_come_in_every_form(roads: pd.DataFrame, trips: list[list[str]], cost: tiebreak.Cost) -> None:
    network = nx.from_pandas_edgelist(roads, "from", "to", True, nx.DiGraph)
    numbered = tiebreak.Graph.from_pandas(roads, source="from", target="to", weight=None)
    ends = [(numbered.nodes[tail], numbered.nodes[head]) for tail, head in numbered.edges.tolist()]
    columns = roads.set_index(["from", "to"]).loc[ends, FEATURES].reset_index(drop=True)
    frame = pd.DataFrame({"path": trips})
    expected = {(row[0], row[1]): row.cost for row in cost.costs.itertuples(index=False)}
    for graph, features, observed in ((network, FEATURES, frame), (numbered, columns, [{"path": trip} for trip in trips])):
        other = tiebreak.learn(graph, features, observed, **QUICK)
        assert {(row[0], row[1]): row.cost for row in other.costs.itertuples(index=False)} == expected
    assert tiebreak.count(cost.weighted(), "dijkstra", source="L0") >= 1


def test_trees_contexts_and_gaps() -> None:
    mesh = nx.Graph()
    mesh.add_edge(1, 2, price=1.5)
    mesh.add_edge(2, 3, price=2.5)
    mesh.add_edge(1, 3, price=9.5)
    cost = tiebreak.learn(mesh, ["price"], [{"chosen": [(1, 2), (2, 3)]}] * 12, **{**QUICK, "loss": "fenchel-young"})
    assert len(tiebreak.solve(cost.weighted(), "kruskal")) == 1
    roads = pd.DataFrame({"from": list("AABC"), "to": list("BCDD"), "kind": list("xyxy")})
    seen = [{"path": list("ABD"), "hour": 8.5}] * 20 + [{"path": ["A", "?", "D"], "hour": 8.5}] + [{"path": list("ACD"), "hour": 17.5}] * 20
    cost = tiebreak.learn(roads, None, seen, context=["hour"], **QUICK)
    assert cost.solve("A", "D", 1, context={"hour": 8.5})[0].path == ("A", "B", "D")
    assert cost.solve("A", "D", 1, context={"hour": 17.5})[0].path == ("A", "C", "D")
    assert any("gaps" in note for note in cost.account["notes"])
    with pytest.raises(ValueError, match="learnt with 'hour'"):
        cost.solve("A", "D", context={"day": 1})


def test_mistakes_have_clear_words(roads: pd.DataFrame, trips: list[list[str]]) -> None:
    for graph, features, observed, more, message in (
        (roads, ["lenght"], trips, {}, "no column `lenght`"),
        (roads, None, [["L0", "L40"]], {}, "line 1: the step 'L0' -> 'L40' is not in the graph"),
        (roads, None, [], {}, "no observation"),
        (roads, None, trips, {"columns": ("a", "b")}, "no column 'a'"),
        (roads, None, trips, {"loss": "hinge"}, "'likelihood', 'fenchel-young'"),
        (roads.assign(length=float("inf")), None, trips, {}, "finite"),
        ([1], None, trips, {}, "not a DataFrame"),
        (roads, None, None, {}, "observed is missing"),
    ):
        with pytest.raises(ValueError, match=message.replace("(", r"\(")):
            tiebreak.learn(graph, features, observed, **more)
    with pytest.raises(ValueError, match="not a vertex"):
        tiebreak.learn(roads, FEATURES, trips[:5], **QUICK).solve("L0", "nowhere")


def tasks() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "task": ["wash", "cook", "file", "call", "pack"],
            "deadline": [1, 1, 2, 2, 3],
            "gain": [3, 5, 2, 6, 4],
            "kind": ["home", "home", "work", "work", "home"],
        }
    )


DAYS = [["cook", "call", "pack"], ["wash", "call", "pack"]] * 6


def test_weights_of_items_are_learnt_as_by_the_command_line(tmp_path: Path) -> None:
    worth = tiebreak.learn(tasks(), None, DAYS, algorithm="task_scheduling")
    tasks().to_csv(tmp_path / "tasks.csv", index=False)
    lines = "".join(json.dumps({"selected": day}) + "\n" for day in DAYS)
    (tmp_path / "days.jsonl").write_text(lines)
    tool("learn", tmp_path / "tasks.csv", "--algorithm", "task-scheduling", "--observed", tmp_path / "days.jsonl", "--out", tmp_path / "cost")
    assert json.loads((tmp_path / "cost" / "account.json").read_text()) == worth.account
    again = tiebreak.learn(tasks().set_index("task"), None, tmp_path / "days.jsonl", algorithm="task-scheduling")
    assert worth.account == again.account and worth.costs["learnt_weight"].tolist() == again.costs["learnt_weight"].tolist()
    assert worth.costs.columns.tolist() == ["task", "deadline", "gain", "kind", "learnt_weight"]
    assert worth.account["form"] == "selected" and worth.tau is not None
    items = worth.weighted()
    assert isinstance(items, tiebreak.Items) and items.numbers["weight"] == worth.costs["learnt_weight"].tolist()
    best = tiebreak.solve(items, "task-scheduling", k=1)[0].selected
    assert set(best) in (set(DAYS[0]), set(DAYS[1]))
    assert pickle.loads(pickle.dumps(worth)).weighted().numbers == items.numbers
    worth.save(tmp_path / "worth")
    loaded = tiebreak.load_cost(tmp_path / "worth")
    assert loaded.costs_of(tasks(), algorithm="task-scheduling").equals(worth.costs)


def test_items_that_cannot_be_learnt_from_are_refused() -> None:
    with pytest.raises(ValueError, match="no routes between items"):
        tiebreak.learn(tasks(), ["gain"], DAYS, algorithm="task-scheduling").solve("wash", "cook")
    with pytest.raises(ValueError, match="'dance'"):
        tiebreak.learn(tasks(), ["gain"], [["dance"]], algorithm="task-scheduling")
    with pytest.raises(ValueError, match="does not go with the items before it"):
        tiebreak.learn(tasks(), ["gain"], [["wash", "cook"]], algorithm="task-scheduling")
    with pytest.raises(ValueError, match="activity-selection"):
        table = {"start": [1, 2], "finish": [2, 3]}
        tiebreak.learn(table, None, [[0]], algorithm="activity-selection")
    with pytest.raises(ValueError, match="DataFrame or a dictionary of columns"):
        tiebreak.learn([[1, 2]], None, [[0]], algorithm="task-scheduling")
    with pytest.raises(ValueError, match="no column 'deadline'"):
        tiebreak.learn({"gain": [1, 2]}, None, [[0]], algorithm="task-scheduling")


def test_regret_is_told_where_the_true_cost_is_known() -> None:
    roads = pd.read_csv(ROADS).assign(truth=lambda table: table["length"])
    cost = tiebreak.learn(roads, ["length"], TRIPS, **QUICK, true_cost="truth")
    assert cost.held_out is not None and 0 <= cost.held_out["regret"] < 0.2
    alone = next(baseline for baseline in cost.account["baselines"] if baseline["column"] == "length")
    assert alone["fit"]["regret"] < 1e-4
    with pytest.raises(ValueError, match="`truth` is the true cost"):
        tiebreak.learn(roads, ["truth"], TRIPS, true_cost="truth")
