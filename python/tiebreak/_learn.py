"""Costs that nobody wrote down: learnt from what people did, then answered under, exactly."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from . import _native
from ._graph import Graph, canonical, is_networkx, named, number_of, seed_of
from ._items import ABOUT_ITEMS, Items, column_of_names, kind_of, with_weights
from ._show import frame, table as html_table

_FORMS = ("path", "parents", "chosen", "selected")


@dataclass(frozen=True, slots=True)
class Route:
    """A route between two vertices, checked by the exact verifier."""

    path: tuple[Any, ...]
    length: int
    """Its cost in whole-number units, of which :attr:`Cost.scale` are a cost of one."""
    gap: float
    """How much dearer than the cheapest route it is, under the learnt cost: 0.05 for 5 %."""


@dataclass(frozen=True, slots=True)
class Routes:
    """Routes between two vertices, the cheapest first."""

    source: Any
    target: Any
    routes: tuple[Route, ...]

    def __getitem__(self, index: int) -> Route:
        return self.routes[index]

    def __len__(self) -> int:
        return len(self.routes)

    def __iter__(self) -> Iterator[Route]:
        return iter(self.routes)

    def to_frame(self) -> Any:
        """One row a route: a DataFrame of pandas."""
        return frame([(route.path, route.length, route.gap) for route in self], ["path", "length", "gap"])

    def _repr_html_(self) -> str:
        rows = [(" → ".join(map(str, route.path)), route.length, f"{100 * route.gap:.1f} %") for route in self]
        return html_table(["route", "cost", "dearer by"], rows, f"from {self.source} to {self.target}")


@dataclass(frozen=True, eq=False, repr=False)
class Cost:
    """A learnt cost: what it says of itself, and answers under it.

    "Cheapest" and every gap are exact *under the learnt cost*, and promise nothing else. What is known of people is in
    :attr:`held_out` and :attr:`tau`.
    """

    account: dict[str, Any]
    """Everything that is known of it, as ``account.json`` of ``tiebreak learn`` has it."""
    _handle: _native.NativeCost
    _roads: _Roads | None

    @property
    def tau(self) -> float | None:
        """An observed route is within this share of the cheapest with probability .9; ``None`` where too few were held out."""
        return self._handle.tau

    @property
    def scale(self) -> float:
        """Whole-number units for a cost of one."""
        return self._handle.scale

    @property
    def held_out(self) -> dict[str, float] | None:
        """How well observations that were held out are explained: ``exact``, ``recall`` (among five), ``distance``."""
        return self.account["held_out"]  # type: ignore[no-any-return]

    @property
    def effects(self) -> Any:
        """What each column does, in percent of the mean cost, with the middle 90 % over bootstrap samples: a DataFrame."""
        rows = [(effect["name"], effect["percent"], *(effect["interval"] or (math.nan, math.nan))) for effect in self.account["effects"]]
        return frame(rows, ["column", "percent", "low", "high"])

    @cached_property
    def costs(self) -> Any:
        """The table that was learnt from with the column ``cost`` (``learnt_weight`` for items), in whole numbers: a DataFrame."""
        return self.costs_of()

    def costs_of(self, graph: Any = None, *, context: Mapping[str, object] | None = None, **reading: Any) -> Any:
        """The same of another graph, or in a context."""
        roads = self._on(graph, reading)
        values, _ = self._handle.costs(roads.table, self._context(context))
        ends = zip(*roads.table["ends"], strict=True)
        columns: dict[str, Any] = {name: [roads.nodes[end] for end in part] for name, part in zip(roads.columns, ends)}
        columns.update(roads.table["columns"])
        rows = list(zip(*columns.values(), values, strict=True))
        return frame(rows, [*columns, "learnt_weight" if roads.are_items else "cost"])

    def weighted(self, graph: Any = None, *, context: Mapping[str, object] | None = None, **reading: Any) -> Graph:
        """The graph with learnt costs as its weights, or the items with theirs, for every other function:
        ``tiebreak.solve(cost.weighted(), "prim", …)``."""
        roads = self._on(graph, reading)
        values, _ = self._handle.costs(roads.table, self._context(context))
        if roads.table["items"] is not None:
            algorithm, texts = roads.table["items"]
            names = [name for name, _ in kind_of(algorithm)[1]]
            numbers = {**dict(zip(names, texts, strict=True)), "weight": values}
            return Items(numbers, algorithm, names=roads.nodes)
        ends = np.array(roads.table["ends"], np.int64).reshape(-1, 2)
        return named(roads.nodes, ends, [str(value) for value in values], roads.table["directed"])

    def solve(
        self,
        source: Hashable,
        target: Hashable,
        k: int = 5,
        *,
        within: float | str | None = None,
        context: Mapping[str, object] | None = None,
        graph: Any = None,
        **reading: Any,
    ) -> Routes:
        """Up to ``k`` cheapest routes between two vertices.

        :param within: none that is dearer than the cheapest by more than this share (``0.05`` or ``"5%"``); ``"auto"`` takes
            :attr:`tau`.
        :param context: such as ``{"hour": 17}``, where the cost was learnt with one.
        :param graph: another graph than the one that was learnt from, read with the other arguments as :func:`learn` does.
        """
        return self.solve_all([(source, target)], k, within=within, context=context, graph=graph, **reading)[0]

    def solve_all(
        self,
        pairs: Any,
        k: int = 5,
        *,
        within: float | str | None = None,
        context: Mapping[str, object] | None = None,
        graph: Any = None,
        **reading: Any,
    ) -> list[Routes]:
        """The routes of many pairs at once, on all cores; ``pairs`` may be a DataFrame with two columns."""
        roads = self._on(graph, reading)
        if roads.table["items"] is not None:
            algorithm, _ = roads.table["items"]
            raise ValueError(f"there are no routes between items; tiebreak.solve(cost.weighted(), {algorithm!r}) selects among them")
        pairs = pairs.itertuples(index=False, name=None) if _is_frame(pairs) else pairs
        asked = [(source, target) for source, target in pairs]
        places = [(roads.place(source), roads.place(target)) for source, target in asked]
        share = self._share(within)
        found = self._handle.routes(
            roads.table, self._context(context), places, number_of("k", k, len(roads.nodes)), share
        )
        name = roads.nodes.__getitem__
        return [
            Routes(*ends, tuple(Route(tuple(map(name, path)), length, gap) for path, length, gap in routes))
            for ends, routes in zip(asked, found, strict=True)
        ]

    def save(self, directory: str | os.PathLike[str]) -> None:
        """Writes a directory that ``tiebreak solve --cost`` and :func:`load_cost` read."""
        folder = Path(directory)
        folder.mkdir(parents=True, exist_ok=False)
        (folder / "account.json").write_text(json.dumps(self.account, indent=2) + "\n")
        (folder / "cost.safetensors").write_bytes(self._handle.to_bytes())

    def _share(self, within: float | str | None) -> str | None:
        if within != "auto":
            return None if within is None else str(within)
        if self.tau is None:
            raise ValueError("within='auto': too few observations were held out; give a share, such as '5%'")
        # Rounded up, so that the statement still holds.
        return f"{math.ceil(self.tau * 1e4) / 1e4:.4f}"

    def _context(self, context: Mapping[str, object] | None) -> list[_native._NamedColumn]:
        known = self._handle.contexts
        for name in context or {}:
            if name not in known:
                learnt = ", ".join(map(repr, known)) or "no context"
                raise ValueError(f"context {name!r}: the cost was learnt with {learnt}")
        return [(name, [_cell(value, name)]) for name, value in (context or {}).items()]

    def _on(self, graph: Any, reading: dict[str, Any]) -> _Roads:
        if graph is not None:
            return _read(graph, None, **reading)
        if self._roads is None:
            raise ValueError("a cost from a file does not know its graph: give graph=…")
        return self._roads

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.account, self._handle.to_bytes(), self._roads)

    def __repr__(self) -> str:
        fit = self.held_out
        held_out = "" if fit is None else f", held out: exact {fit['exact']:.3f}, among five {fit['recall']:.3f}"
        return f"<Cost from {self.account['observations']} observations{held_out}>"

    def _repr_html_(self) -> str:
        rows = [(effect["name"], f"{effect['percent']:+.1f}") for effect in self.account["effects"]]
        return html_table(["column", "% of the mean cost"], rows, repr(self)[1:-1])


def learn(
    graph: Any,
    features: Sequence[str] | Any = None,
    observed: Any = None,
    *,
    algorithm: str | None = None,
    columns: tuple[str, str] = ("from", "to"),
    directed: bool = True,
    context: Sequence[str] = (),
    gaps: bool = False,
    loss: str | None = None,
    model: str | None = None,
    per_edge: bool | None = None,
    true_cost: str | None = None,
    bootstrap: int = 40,
    seed: int = 0,
    threads: int | None = None,
) -> Cost:
    """Positive costs of edges under which what people did is likely; ``tiebreak learn`` as a function.

    :param graph: a DataFrame with an edge in each row (``columns`` says where it starts and ends), a networkx graph with attributes
        of edges, or a :class:`Graph`.
    :param features: names of the columns that the cost may depend on; ``None`` for all that do not tell edges apart. For a
        :class:`Graph`, a DataFrame or a mapping of columns, with a row for each of :attr:`Graph.edges`.
    :param observed: what was seen: paths as lists of vertices, dictionaries such as ``{"path": [...], "hour": 17}`` (or ``"parents"``
        of a shortest-path tree, ``"chosen"`` edges of a spanning tree), a DataFrame with such columns, or a file of JSON Lines. ``"?"`` in a path is a gap.
    :param algorithm: where items are selected and no edges, the algorithm that selects them, ``"task-scheduling"``: ``graph`` is then a DataFrame or a
        dictionary of columns with a row for each item, an observation the list of items that were selected, and what is learnt is a weight, of which
        much is good.
    :param context: keys of the observations that interact with the columns.
    :param gaps: fill steps that are no edges with the cheapest way.
    :param loss: ``"likelihood"`` or ``"fenchel-young"``, ``model``: ``"linear"`` or ``"mlp"``, ``per_edge``: whether vertices and edges have
        terms of their own; ``None`` takes what explains held-out observations best.
    :param true_cost: a column of what edges truly cost, where somebody knows: nothing is learnt from it, but :attr:`Cost.held_out` then has ``regret``.

    >>> import pandas as pd
    >>> roads = pd.DataFrame({"from": list("AABC"), "to": list("BCDD"), "length": [1.5, 1.25, 1.5, 2.5], "kind": list("xyxy")})
    >>> cost = learn(roads, ["length"], [["A", "B", "D"]] * 12 + [["A", "C", "D"]] * 4)
    >>> [(route.path, route.gap == 0) for route in cost.solve("A", "D")]
    [(('A', 'B', 'D'), True), (('A', 'C', 'D'), False)]
    >>> tasks = pd.DataFrame({"task": ["wash", "cook", "call"], "deadline": [1, 1, 2], "kind": ["home", "home", "work"], "gain": [3, 5, 6]})
    >>> worth = learn(tasks, ["gain"], [["cook", "call"]] * 12, algorithm="task-scheduling")
    >>> import tiebreak
    >>> tiebreak.solve(worth.weighted(), "task-scheduling")[0].selected
    ['cook', 'call']
    """
    for name, value, known in (("loss", loss, ("likelihood", "fenchel-young")), ("model", model, ("linear", "mlp"))):
        if value not in (None, *known):
            raise ValueError(f"{name}={value!r}: it is one of {', '.join(map(repr, known))}")
    if observed is None:
        raise ValueError("what was observed is missing")
    roads = _read(graph, features, algorithm=algorithm, columns=columns, directed=directed)
    native, account = _native.learn(
        roads.table,
        _lines(observed, "selected" if roads.are_items else "path"),
        {
            "features": [] if features is None else list(features),
            "contexts": list(context),
            "gaps": gaps,
            "likelihood": None if loss is None else loss == "likelihood",
            "perceptron": None if model is None else model == "mlp",
            "per_edge": per_edge,
            "true_cost": true_cost,
            "bootstrap": number_of("bootstrap", bootstrap, 1),
            "seed": seed_of(seed),
            "threads": threads,
            "table_columns": [] if roads.are_items else list(roads.columns),
        },
    )
    return Cost(json.loads(account), native, roads)


def load_cost(directory: str | os.PathLike[str]) -> Cost:
    """The cost that ``tiebreak learn --out`` or :meth:`Cost.save` wrote. It does not know its graph: give ``graph=`` to its functions.

    >>> load_cost("no such directory")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'no such directory/cost.safetensors'
    """
    folder = Path(directory)
    native = _native.NativeCost.from_bytes((folder / "cost.safetensors").read_bytes())
    return Cost(json.loads((folder / "account.json").read_text()), native, None)


def _unpickled(account: dict[str, Any], cost: bytes, roads: _Roads | None) -> Cost:
    return Cost(account, _native.NativeCost.from_bytes(cost), roads)


@dataclass(frozen=True, slots=True)
class _Roads:
    """A graph or items with columns, as the extension module takes them, and what their owner calls the vertices or items."""

    table: _native.EdgeTable
    nodes: list[Any]
    index: dict[Any, int]
    columns: tuple[str, ...]
    """What tells an edge from another: its two ends; or the name of an item."""

    @property
    def are_items(self) -> bool:
        return self.table["items"] is not None

    def place(self, node: object) -> int:
        try:
            return self.index[node]
        except (KeyError, TypeError):
            raise ValueError(f"{node!r} is not a vertex of the graph") from None


def _read(graph: Any, features: Any, *, algorithm: str | None = None, **reading: Any) -> _Roads:
    name = None if algorithm is None else canonical(algorithm)
    return _item_table(graph, name) if name in ABOUT_ITEMS else _roads(graph, features, **reading)


def _item_table(data: Any, algorithm: str) -> _Roads:
    if isinstance(data, Graph) or not hasattr(data, "keys"):
        raise ValueError(f"items to learn from are a DataFrame or a dictionary of columns, not a {type(data).__name__}")
    items, (one, _) = Items(with_weights(data, algorithm), algorithm), kind_of(algorithm)
    named = column_of_names(data, one)
    cells = [(str(key), [_cell(value, str(key)) for value in data[key]]) for key in data.keys() if key != named]
    nodes = list(items.nodes)
    table: _native.EdgeTable = {
        "names": _texts(nodes, "items"),
        "ends": [(place, place) for place in range(len(nodes))],
        "columns": cells,
        "directed": True,
        "items": (algorithm, [[str(number) for number in column] for column in items.numbers.values()]),
    }
    return _Roads(table, nodes, {node: place for place, node in enumerate(nodes)}, (one if named is None else str(named),))


def _texts(nodes: list[Any], what: str) -> list[str]:
    texts = [str(node) for node in nodes]
    if len(set(texts)) < len(texts):
        raise ValueError(f"two {what} have the same name as text, such as 1 and '1'")
    return texts


def _roads(graph: Any, features: Any, *, columns: tuple[str, str] = ("from", "to"), directed: bool = True) -> _Roads:
    if _is_frame(graph):
        for name in columns:
            if name not in graph.columns:
                there = ", ".join(map(repr, graph.columns))
                raise ValueError(f"there is no column {name!r}; there are {there}")
        ends = list(zip(graph[columns[0]].tolist(), graph[columns[1]].tolist(), strict=True))
        values = {str(name): graph[name].tolist() for name in graph.columns if name not in columns}
        nodes = list(dict.fromkeys(end for pair in ends for end in pair))
    elif is_networkx(graph):
        directed, nodes = bool(graph.is_directed()), list(graph.nodes)
        edges = list(graph.edges(data=True))
        ends = [(tail, head) for tail, head, _ in edges]
        names = dict.fromkeys(name for *_, attributes in edges for name in attributes)
        values = {str(name): [attributes.get(name) for *_, attributes in edges] for name in names}
    elif isinstance(graph, Graph):
        directed, nodes = graph.is_directed, list(graph.nodes)
        ends = [(nodes[tail], nodes[head]) for tail, head in graph.edges.tolist()]
        values = {str(name): list(features[name]) for name in features} if hasattr(features, "keys") else {}
    else:
        raise ValueError(f"a {type(graph).__name__} is not a DataFrame, a networkx graph or a Graph")
    for name, column in values.items():
        if len(column) != len(ends):
            raise ValueError(f"column {name!r} has {len(column)} values for {len(ends)} edges")
    index = {node: place for place, node in enumerate(nodes)}
    cells = [(name, [_cell(value, name) for value in column]) for name, column in values.items()]
    places = [(index[tail], index[head]) for tail, head in ends]
    texts = _texts(nodes, "vertices")
    table: _native.EdgeTable = {"names": texts, "ends": places, "columns": cells, "directed": directed, "items": None}
    return _Roads(table, nodes, index, columns)


def _cell(value: object, name: str) -> float | str | None:
    """A number, a word, or ``None`` where there is nothing."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value)).lower()
    if value is None or value is getattr(value, "NA", 0) or value != value:
        return None
    if isinstance(value, (int, float, np.integer, np.floating)):
        if not math.isfinite(value):
            raise ValueError(f"{name!r} is {value!r}: it must be finite")
        return float(value)
    return str(value)


def _lines(observed: Any, form: str) -> str:
    """Observations as JSON Lines; a plain list is of this form."""
    if isinstance(observed, (str, os.PathLike)):
        return Path(observed).read_text()
    if _is_frame(observed):
        if not any(known in observed.columns for known in _FORMS):
            raise ValueError("a DataFrame of observations has one of the columns 'path', 'parents', 'chosen', 'selected'")
        observed = observed.to_dict("records")
    return "".join(_line(observation, form) + "\n" for observation in observed)


def _line(observation: Mapping[str, Any] | Iterable[object], form: str) -> str:
    if not isinstance(observation, Mapping):
        observation = {form: observation}
    plain = {key: _cell(value, str(key)) for key, value in observation.items() if key not in _FORMS}
    answers = {key: _names(value) for key, value in observation.items() if key in _FORMS}
    return json.dumps({**answers, **plain})


def _names(value: Any) -> Any:
    """Vertices as the texts that they are known by; pairs of them stay pairs."""
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist"):
        return [_names(part) for part in (value.tolist() if hasattr(value, "tolist") else value)]
    return None if value is None else str(value)


def _is_frame(data: object) -> bool:
    return hasattr(data, "columns") and hasattr(data, "itertuples")
