"""Tables of items, such as tasks or activities, from DataFrames, dictionaries, arrays and lists of rows."""

from __future__ import annotations

import decimal
import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, Union

import numpy as np
import numpy.typing as npt

from . import _native
from ._graph import ALGORITHM_FACTS, Graph, canonical, is_networkx, is_sparse

ItemsLike: TypeAlias = Union["Items", Mapping[str, Any], npt.ArrayLike, Sequence[Sequence[Any]], Any]
"""An :class:`Items`, or what it can be made of: a DataFrame, a dictionary of columns, rows of numbers or of a name and numbers."""

_NAMES = ("name", "id", "title", "label", "description", "what")
"""Words over a column of names, beside the kind itself."""


class Items(Graph):
    """Items with exact numbers, for algorithms that have no graph: tasks with deadlines and weights, activities with start and finish.

    Every function takes one of these as it is; make ``Items`` of it when it is used many times.

    *DataFrame* or dictionary of columns: numbers are found by their names (``deadline``, ``weight``; ``start``, ``finish``; and other words
    that people use for them, such as ``due``), items by a column called after them (``task``), ``name``, ``id`` or ``title``, or by the frame's index.

    *Rows* (a list of them, or an array [n, columns]): the numbers, or a name and then the numbers.

    Numbers are exact decimals, as weights are. Where they are points in time, dates and times work as well (``datetime``, pandas' and numpy's, and texts
    such as ``"09:30"`` or ``"2026-03-01T09:30"``).

    >>> Items([("paint", 1, 5), ("sand", 1, 5), ("varnish", 2, 3)], "task-scheduling")
    Items(3, 'task-scheduling')
    >>> Items({"deadline": [1, 1, 2], "weight": [5, 5, 3]}, "task-scheduling").numbers["weight"]
    [Decimal('5'), Decimal('5'), Decimal('3')]
    """

    __slots__ = ("algorithm",)

    algorithm: str
    """The algorithm that they are for."""

    def __init__(self, data: ItemsLike, algorithm: str, *, names: Iterable[Any] | None = None) -> None:
        self.algorithm = canonical(algorithm)
        if isinstance(data, Items):
            self._set(data._handle, data.nodes, data._index)
            return
        one, wanted = kind_of(self.algorithm)
        if isinstance(data, Graph) or is_networkx(data) or is_sparse(data):
            raise ValueError(f"{algorithm} is about items, not about a graph")
        found, columns = _from_columns(data, one, wanted) if hasattr(data, "keys") else _from_rows(data, wanted)
        given = found if names is None else list(names)
        texts = [[_text(value) for value in column] for column in columns]
        if given is not None and len(given) != len(texts[0]):
            raise ValueError(f"there are {len(given)} names for {len(texts[0])} items")
        self._name(_native.NativeGraph.from_items(self.algorithm, texts, given), given)

    def _name(self, native: _native.NativeGraph, names: list[Any] | None) -> None:
        index = None if names is None else {name: place for place, name in enumerate(names)}
        if names is not None and index is not None and len(index) < len(names):
            twice = next(name for place, name in enumerate(names) if index[name] != place)
            raise ValueError(f"{twice!r} is the name of two items")
        self._set(native, range(native.n) if names is None else names, index)

    @property
    def numbers(self) -> dict[str, list[decimal.Decimal]]:
        """The exact numbers of all items, column by column; points in time are seconds."""
        return {name: [decimal.Decimal(text) for text in texts] for name, texts in self._handle.columns() or []}

    def to_networkx(self) -> Any:
        """Items have no edges."""
        raise ValueError("items are not a graph")

    def __reduce__(self) -> tuple[Any, ...]:
        names = None if self._index is None else list(self.nodes)
        return _unpickled, (self.algorithm, [texts for _, texts in self._handle.columns() or []], names)

    def __repr__(self) -> str:
        return f"Items({self.n}, {self.algorithm!r})"


ABOUT_ITEMS: tuple[str, ...] = tuple(name for name, facts in ALGORITHM_FACTS.items() if facts["items"] is not None)
"""The algorithms that are about items."""


def kind_of(algorithm: str) -> tuple[str, list[tuple[str, list[str]]]]:
    """What one of the items of an algorithm is called, and its numbers, with other words for each."""
    kind = ALGORITHM_FACTS[algorithm]["items"] if algorithm in ALGORITHM_FACTS else None
    if kind is None:
        raise ValueError(f"{algorithm!r} is not an algorithm about items; there are {', '.join(ABOUT_ITEMS)}")
    return kind


def _unpickled(algorithm: str, texts: list[list[str]], names: list[Any] | None) -> Items:
    items = Items.__new__(Items)
    items.algorithm = algorithm
    items._name(_native.NativeGraph.from_items(algorithm, texts, names), names)
    return items


def are_several(data: Any) -> bool:
    """Whether it is several tables: an array [batch, n, columns], or a list of tables."""
    if isinstance(data, np.ndarray):
        return data.ndim == 3
    if isinstance(data, Graph) or hasattr(data, "keys") or is_networkx(data) or is_sparse(data):
        return False
    if not isinstance(data, (list, tuple)):
        return True
    first = data[0] if data else None
    is_row = isinstance(first, (list, tuple)) and not any(isinstance(one, (list, tuple, np.ndarray)) for one in first)
    return not (is_row or isinstance(first, np.ndarray) and first.ndim == 1)


def _plain(word: object) -> str:
    return str(word).strip().lower().replace(" ", "_").replace("-", "_")


def column_of_names(data: Any, one: str) -> Any:
    """The column of a DataFrame or a dictionary that says what the items are called; ``None`` if there is none."""
    there = {_plain(key): key for key in data.keys()}
    return next((there[word] for word in (one, *_NAMES, f"{one}_name") if word in there), None)


def with_weights(data: Any, algorithm: str) -> Any:
    """Columns of items, with weights that are all one where there are none: what items are worth is to be learnt."""
    one, numbers = kind_of(algorithm)
    words = {word for name, also in numbers if name == "weight" for base in (name, *also) for word in (base, f"{one}_{base}")}
    if not words or any(_plain(key) in words for key in data.keys()):
        return data
    if hasattr(data, "assign"):
        return data.assign(weight=1)
    return {**data, "weight": [1] * max((len(data[key]) for key in data.keys()), default=0)}


def _from_columns(
    data: Any, one: str, wanted: list[tuple[str, list[str]]]
) -> tuple[list[Any] | None, list[list[Any]]]:
    """Names and numbers of a DataFrame or a dictionary of columns."""
    there = {_plain(key): key for key in data.keys()}
    columns = []
    for name, also in wanted:
        words = [word for base in (name, *also) for word in (base, f"{one}_{base}")]
        key = next((there[word] for word in words if word in there), None)
        if key is None:
            raise ValueError(f"there is no column {name!r}; there are {', '.join(map(repr, data.keys()))}")
        columns.append(list(data[key]))
    if len({len(column) for column in columns}) > 1:
        raise ValueError(f"the columns have {', '.join(str(len(column)) for column in columns)} numbers")
    named = column_of_names(data, one)
    if named is not None:
        return list(data[named]), columns
    index = getattr(data, "index", None)
    # pandas numbers the rows of a frame that has no names for them.
    return (None if index is None or type(index).__name__ == "RangeIndex" else list(index)), columns


def _from_rows(data: Any, wanted: list[tuple[str, list[str]]]) -> tuple[list[Any] | None, list[list[Any]]]:
    """Names and numbers of rows: the numbers, or a name and then the numbers."""
    rows, count = [list(row) for row in data], len(wanted)
    widths = {len(row) for row in rows}
    columns = ", ".join(name for name, _ in wanted)
    if not widths <= {count} and not widths <= {count + 1}:
        shown = next(place for place, row in enumerate(rows) if len(row) not in (count, count + 1) or len(row) != len(rows[0]))
        raise ValueError(f"row {shown} has {len(rows[shown])} entries; {columns} are needed, or a name and {columns}")
    names = [row[0] for row in rows] if widths == {count + 1} else None
    return names, [[row[place - count] for row in rows] for place in range(count)]


def _text(value: object) -> str:
    """A number or a point in time as a text that reads back exactly."""
    if isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{value!r} is not a number")
    if isinstance(value, (numbers.Integral, np.integer)):
        return str(int(value))
    if isinstance(value, float):
        return repr(float(value))
    isoformat = getattr(value, "isoformat", None)
    return str(isoformat()) if isoformat is not None else str(value)
