"""Types of the extension module. What a person calls is in the package `tiebreak`."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypedDict, final, type_check_only

import numpy as np
import numpy.typing as npt

__all__ = [
    "Intractable",
    "NativeBatch",
    "NativeCost",
    "NativeExecutor",
    "NativeGraph",
    "NativeModel",
    "algorithms",
    "count",
    "distribution",
    "draw",
    "evaluate_rows",
    "extract",
    "generate",
    "learn",
    "read_log",
    "runs",
    "score",
    "solve",
    "train_run",
    "verify",
    "verify_written",
    "version",
]

version: Final[str]

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
    by_graph: dict[str, npt.NDArray[np.float64]]

@final
class NativeGraph:
    @staticmethod
    def from_edges(
        n: int,
        tails: npt.NDArray[np.int64],
        heads: npt.NDArray[np.int64],
        weights: npt.NDArray[np.int64] | npt.NDArray[np.float64] | list[str] | None,
        directed: bool,
        names: list[Any] | None,
    ) -> NativeGraph: ...
    @staticmethod
    def from_adjacency(matrix: npt.NDArray[Any], weighted: bool) -> NativeGraph: ...
    @staticmethod
    def from_items(algorithm: str, columns: list[list[str]], names: list[Any] | None) -> NativeGraph: ...
    def undirected(self, algorithm: str) -> NativeGraph: ...
    def columns(self) -> list[tuple[str, list[str]]] | None: ...
    @property
    def n(self) -> int: ...
    @property
    def edge_count(self) -> int: ...
    @property
    def is_weighted(self) -> bool: ...
    @property
    def is_directed(self) -> bool: ...
    def edges(self) -> tuple[npt.NDArray[np.int64], list[str] | None]: ...

@type_check_only
class WantedBatch(TypedDict):
    algorithm: str
    n: int
    p: float
    preset: str
    exact: bool
    runs: int
    ties: str
    seed: int
    start: int
    batch: int
    threads: int | None

@type_check_only
class BatchArrays(TypedDict):
    adjacency: npt.NDArray[np.bool_]
    weights: npt.NDArray[np.float64] | None
    source: npt.NDArray[np.int64] | None
    items: dict[str, npt.NDArray[np.float64]] | None
    marginals: npt.NDArray[np.float64]

@final
class NativeBatch:
    def __new__(cls, graphs: list[NativeGraph], sources: list[int | None], single: bool) -> NativeBatch: ...
    @staticmethod
    def random(wanted: WantedBatch) -> NativeBatch: ...
    def rounds(self, algorithm: str) -> list[int]: ...
    def __len__(self) -> int: ...

@final
class NativeModel:
    @staticmethod
    def built_in(algorithm: str) -> NativeModel: ...
    @staticmethod
    def from_bytes(bytes: bytes, path: str, algorithm: str | None) -> NativeModel: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def card(self) -> str | None: ...
    @property
    def hidden(self) -> int: ...
    def predict(self, batch: NativeBatch) -> Any: ...

@final
class NativeExecutor:
    @staticmethod
    def built_in(algorithm: str) -> NativeExecutor: ...
    @staticmethod
    def from_bytes(bytes: bytes, algorithm: str) -> NativeExecutor: ...
    @staticmethod
    def algorithm_of(path: Any) -> str | None: ...
    def to_bytes(self) -> bytes: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def certificate(self) -> str: ...
    @property
    def log(self) -> str | None: ...
    def draw(self, batch: NativeBatch, k: int, seed: int) -> Any: ...

@type_check_only
class WantedRows(TypedDict):
    algorithm: str
    n: int
    p: float
    preset: str
    exact: bool
    runs: int
    ties: str
    graphs: int
    draws: int
    seed: int
    extractors: list[str]
    threads: int | None

@type_check_only
class WantedTraining(TypedDict):
    executor: bool
    config: str
    changes: list[str]
    data: str | None
    out: str | None
    resume: bool
    tensorboard: str | None
    threads: int | None

@type_check_only
class Facts(TypedDict):
    name: str
    others: list[str]
    needs_source: bool
    uses_weights: bool
    undirected: bool
    extractors: list[str]
    form: str
    items: tuple[str, list[tuple[str, list[str]]]] | None

@type_check_only
class Broken(TypedDict):
    vertex: int | None
    rule: str
    words: str
    edges: list[tuple[int, int]]
    path: list[int]
    path_words: str
    items: list[int]
    exchange: tuple[list[int], list[int] | None] | None
    better: list[int]

def algorithms() -> list[Facts]: ...
def generate(wanted: WantedBatch) -> tuple[NativeBatch, BatchArrays]: ...
def verify(
    batch: NativeBatch,
    algorithm: str,
    candidates: list[npt.NDArray[np.int64]],
    weakly: bool,
) -> list[list[Broken | None]]: ...
def verify_written(
    graph: NativeGraph, algorithm: str, source: int | None, answer: list[list[int]]
) -> Broken | None: ...
def extract(
    batch: NativeBatch,
    algorithm: str,
    arrays: list[npt.NDArray[np.floating[Any]]],
    logits: bool,
    extractor: str,
    draws: int,
    seed: int,
    index: int,
) -> Any: ...
def distribution(batch: NativeBatch, algorithm: str, exact: bool, runs: int, ties: str, seed: int) -> Any: ...
def runs(batch: NativeBatch, algorithm: str, k: int, ties: str, seed: int) -> Any: ...
def draw(batch: NativeBatch, algorithm: str, k: int, seed: int) -> Any: ...
def count(batch: NativeBatch, algorithm: str) -> list[tuple[bytes | None, str]]: ...
def score(
    batch: NativeBatch,
    algorithm: str,
    arrays: list[npt.NDArray[np.floating[Any]]],
    logits: bool,
    extractor: str,
    draws: int,
    seed: int,
    coverage: bool,
) -> Figures: ...
def evaluate_rows(
    wanted: WantedRows,
    network: NativeModel | None,
    executor: NativeExecutor | None,
    tell: Callable[[int], None],
) -> list[str]: ...
def train_run(
    wanted: WantedTraining, tell: Callable[[int, int, str | None], None]
) -> tuple[Any, bool, int]: ...
def read_log(path: str) -> str: ...

@type_check_only
class Wanted(TypedDict):
    k: int
    seed: int
    model: str
    only_model: bool
    exact: bool
    diverse: bool
    avoid: list[list[int]]
    require: list[list[int]]
    before: list[tuple[int, int]]

@type_check_only
class Solved(TypedDict):
    answers: list[npt.NDArray[np.int64]]
    sources: list[str]
    impossible: str | None
    count: bytes | None
    at_least: bytes | None
    count_words: str
    shared: list[list[int]]
    varying: list[list[int]]
    about_every: bool
    tallies: list[tuple[str, int, int, int, list[tuple[str, str, int]]]]
    diversity: tuple[float, float, int] | None
    notes: list[str]

def solve(graph: NativeGraph, algorithm: str, source: int | None, wanted: Wanted) -> Solved: ...

@type_check_only
class EdgeTable(TypedDict):
    names: list[str]
    ends: list[tuple[int, int]]
    columns: list[_NamedColumn]
    directed: bool
    items: tuple[str, list[list[str]]] | None

_NamedColumn: TypeAlias = tuple[str, list[float | str | None]]

@type_check_only
class LearnOptions(TypedDict):
    features: list[str]
    contexts: list[str]
    gaps: bool
    likelihood: bool | None
    perceptron: bool | None
    per_edge: bool | None
    true_cost: str | None
    bootstrap: int
    seed: int
    threads: int | None
    table_columns: list[str]

@final
class NativeCost:
    @staticmethod
    def from_bytes(bytes: bytes) -> NativeCost: ...
    def to_bytes(self) -> bytes: ...
    @property
    def tau(self) -> float | None: ...
    @property
    def scale(self) -> float: ...
    @property
    def contexts(self) -> list[str]: ...
    def costs(self, table: EdgeTable, context: list[_NamedColumn]) -> tuple[list[int], list[str]]: ...
    def routes(
        self,
        table: EdgeTable,
        context: list[_NamedColumn],
        pairs: list[tuple[int, int]],
        k: int,
        within: str | None,
    ) -> list[list[tuple[list[int], int, float]]]: ...

def learn(table: EdgeTable, observed: str, options: LearnOptions) -> tuple[NativeCost, str]: ...
