"""Types of the extension module. What a person calls is in the package `tiebreak`."""

from typing import Any, TypedDict, final, type_check_only

import numpy as np
import numpy.typing as npt

__all__ = [
    "Intractable",
    "NativeGraph",
    "algorithms",
    "count",
    "distribution",
    "draw",
    "extract",
    "runs",
    "score",
    "solve",
    "verify",
]

class Intractable(RuntimeError): ...

@type_check_only
class Figures(TypedDict):
    extractor: str
    graphs: int
    valid: float
    weak_valid: float | None
    unique: float
    unique_valid: float
    accuracy: float
    coverage: float | None
    edge_reuse: float | None
    counted: int

@final
class NativeGraph:
    @staticmethod
    def from_edges(
        n: int,
        tails: npt.NDArray[np.int64],
        heads: npt.NDArray[np.int64],
        weights: list[str] | None,
        directed: bool,
        names: list[Any] | None,
    ) -> NativeGraph: ...
    @staticmethod
    def from_adjacency(matrix: npt.NDArray[Any], weighted: bool) -> NativeGraph: ...
    @property
    def n(self) -> int: ...
    @property
    def edge_count(self) -> int: ...
    @property
    def is_weighted(self) -> bool: ...

def algorithms() -> list[tuple[str, list[str], bool, bool, list[str]]]: ...
def verify(
    graph: NativeGraph,
    algorithm: str,
    source: int | None,
    parents: npt.NDArray[np.int64],
    weakly: bool,
) -> list[tuple[int, str, str, list[tuple[int, int]], list[int]] | None]: ...
def extract(
    graph: NativeGraph,
    algorithm: str,
    source: int | None,
    matrix: npt.NDArray[np.floating[Any]],
    logits: bool,
    extractor: str,
    draws: int,
    seed: int,
    index: int,
) -> npt.NDArray[np.int64]: ...
def distribution(
    graph: NativeGraph,
    algorithm: str,
    source: int | None,
    exact: bool,
    runs: int,
    ties: str,
    seed: int,
) -> npt.NDArray[np.float64]: ...
def runs(
    graph: NativeGraph, algorithm: str, source: int | None, k: int, ties: str, seed: int
) -> npt.NDArray[np.int64]: ...
def draw(graph: NativeGraph, algorithm: str, source: int | None, k: int, seed: int) -> npt.NDArray[np.int64]: ...
def count(graph: NativeGraph, algorithm: str, source: int | None) -> bytes: ...
def score(
    cases: list[tuple[NativeGraph, int | None, npt.NDArray[np.floating[Any]]]],
    algorithm: str,
    logits: bool,
    extractor: str,
    draws: int,
    seed: int,
    coverage: bool,
) -> Figures: ...

@type_check_only
class Wanted(TypedDict):
    k: int
    seed: int
    model: str
    only_model: bool
    exact: bool
    diverse: bool
    avoid: list[tuple[int, int]]
    require: list[tuple[int, int]]

@type_check_only
class Solved(TypedDict):
    parents: npt.NDArray[np.int64]
    sources: list[str]
    impossible: str | None
    count: bytes | None
    at_least: bytes | None
    count_words: str
    shared: list[tuple[int, int]]
    varying: list[tuple[int, int]]
    about_every: bool
    tallies: list[tuple[str, int, int, int, list[tuple[str, str, int]]]]
    diversity: tuple[float, float, int] | None
    notes: list[str]

def solve(graph: NativeGraph, algorithm: str, source: int | None, wanted: Wanted) -> Solved: ...
