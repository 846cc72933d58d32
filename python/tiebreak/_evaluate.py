"""Candidates drawn and verified on random graphs: the rows of ``tiebreak evaluate``."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Union, overload

from . import _native
from ._batch import Preset, Ties
from ._graph import canonical, seed_of
from ._progress import Progress
from ._show import frame, table

if TYPE_CHECKING:
    from ._models import Executor, Model


@dataclass(frozen=True, slots=True)
class Row:
    """Metrics of one size, distribution and extractor; each is a mean over graphs."""

    algorithm: str
    size: int
    p: float
    graphs: int
    draws: int
    distribution: str
    """Where candidates come from: ``"empirical"``, ``"exact"``, ``"predicted"`` or ``"executor"``."""
    extractor: str
    valid: float
    weak_valid: float | None
    unique: float
    unique_valid: float
    accuracy: float
    weak_accuracy: float | None
    coverage: float | None
    edge_reuse: float | None
    counted: int
    preset: str
    seed: int
    model: str | None = None
    """The file of the model, if it has one."""
    law_distance: float | None = None
    """The distance of the draws' marginals from the law of the runs, where it was asked for."""


class Rows(Sequence[Row]):
    """Rows of an evaluation, as a list, a DataFrame (:meth:`to_frame`) or a table."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = tuple(rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Rows: ...
    def __getitem__(self, index: int | slice) -> Row | Rows:
        return Rows(self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __add__(self, other: Rows) -> Rows:
        return Rows([*self, *other])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and self._rows == other._rows

    def __hash__(self) -> int:
        return hash(self._rows)

    def to_frame(self) -> Any:
        """The rows as a DataFrame of pandas."""
        names = [each.name for each in fields(Row)]
        return frame([tuple(asdict(row).values()) for row in self], names)

    _SHOWN = ("algorithm", "size", "distribution", "extractor", "valid", "unique_valid", "accuracy", "coverage")

    def _cells(self) -> list[list[str]]:
        def shown(value: object) -> str:
            return "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)

        return [[shown(getattr(row, name)) for name in self._SHOWN] for row in self]

    def __repr__(self) -> str:
        return f"Rows({len(self)} rows)"

    def __str__(self) -> str:
        lines = [list(self._SHOWN), *self._cells()]
        widths = [max(len(line[place]) for line in lines) for place in range(len(self._SHOWN))]
        padded = ("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
        return "\n".join(line.rstrip() for line in padded)

    def _repr_html_(self) -> str:
        how = {(row.graphs, row.draws, row.seed) for row in self}
        caption = "; ".join(f"{graphs} graphs a row, {draws} draws a graph, seed {seed}" for graphs, draws, seed in how)
        return table(self._SHOWN, self._cells(), caption)


def evaluate(
    algorithm: str,
    n: int | Sequence[int] = 16,
    *,
    model: Union[Model, Executor, str, os.PathLike[str], None] = None,
    graphs: int = 32,
    draws: int = 5,
    p: float | Sequence[float] = 0.5,
    extractors: str | Sequence[str] = (),
    exact: bool = False,
    runs: int = 20,
    ties: Ties = "one-order",
    preset: Preset = "text",
    seed: int = 0,
    threads: int | None = None,
    progress: bool | None = None,
) -> Rows:
    """Draws candidates on random graphs, verifies each and reports: ``tiebreak evaluate`` with the same seed, to the bit.

    :param model: a model, its file, or ``"network"`` or ``"executor"``, the built-in ones; without it the distributions of
        ``runs`` runs, or the exact ones.
    :param extractors: the names of some; without them all of the algorithm's.
    :param progress: whether to show a progress bar; without it on a terminal and in notebooks only.

    >>> rows = evaluate("dfs", [5, 16], extractors="AltUpwards")
    >>> print(rows)
    algorithm  size  distribution  extractor    valid  unique_valid  accuracy  coverage
    dfs        5     empirical     alt-upwards  0.525  0.338         0.594     0.471
    dfs        16    empirical     alt-upwards  0.000  0.000         0.000     –
    """
    from ._models import Executor, Model, load

    name = canonical(algorithm)
    if model == "network":
        model = load(name)
    elif model == "executor":
        model = Executor(name)
    elif isinstance(model, (str, os.PathLike)):
        model = load(model, algorithm=name)
    sizes = [n] if isinstance(n, int) else list(n)
    densities = [p] if isinstance(p, (int, float)) else list(p)
    names = [extractors] if isinstance(extractors, str) else list(extractors)
    network = model._handle if isinstance(model, Model) else None
    executor = model._handle if isinstance(model, Executor) else None
    rows: list[Row] = []
    with Progress("evaluating", len(sizes) * len(densities) * graphs, progress) as bar:
        for density in densities:
            for size in sizes:
                before = bar.done
                wanted: _native.WantedRows = {
                    "algorithm": name,
                    "n": _size(size),
                    "p": float(density),
                    "preset": preset,
                    "exact": exact,
                    "runs": runs,
                    "ties": ties,
                    "graphs": graphs,
                    "draws": draws,
                    "seed": seed_of(seed),
                    "extractors": names,
                    "threads": threads,
                }

                def tell(done: int, before: int = before) -> None:
                    bar.update(before + done)

                found = _native.evaluate_rows(wanted, network, executor, tell)
                rows += [Row(**{"model": getattr(model, "path", None), **json.loads(row)}) for row in found]
    return Rows(rows)


def _size(n: int) -> int:
    if not 1 <= n <= 20_000:
        raise ValueError(f"n is {n}: random graphs have 1 to 20000 vertices")
    return n
