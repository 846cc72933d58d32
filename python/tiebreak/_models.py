"""Trained models: networks that predict marginals, executors that run an algorithm, and their training."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, Union

import numpy as np
import numpy.typing as npt

from . import _native
from ._batch import Graphs, cases_of
from ._evaluate import Rows, evaluate
from ._graph import ALGORITHM_FACTS, canonical, number_of, seed_of
from ._progress import Progress
from ._show import frame

PathLike = Union[str, "os.PathLike[str]"]


class Model:
    """A network with its parameters, for one algorithm: :func:`load` or :func:`train` give one."""

    __slots__ = ("_bytes", "_handle", "path")

    _handle: _native.NativeModel
    path: str | None
    """Its file; ``None`` for a built-in one."""

    def __init__(self, handle: _native.NativeModel, content: bytes | None, path: str | None) -> None:
        self._handle, self._bytes, self.path = handle, content, path

    @property
    def algorithm(self) -> str:
        """The algorithm that it is for."""
        return self._handle.algorithm

    @property
    def card(self) -> dict[str, Any] | None:
        """What its file says of its training: settings, the step at which it was best, its validation score there."""
        text = self._handle.card
        return None if text is None else json.loads(text)

    def predict(self, graphs: Graphs, *, source: Any = None, weight: str | None = "weight") -> Any:
        """The marginals that it predicts: [n, n] for a graph, [batch, n, n] for a batch, a list where sizes differ.

        Weights of a :class:`Batch` are shown to the network as in training, those of a graph of one's own as multiples of the largest.

        >>> import tiebreak
        >>> model = tiebreak.load("dfs")
        >>> batch = tiebreak.generate("dfs", 8, 4)
        >>> model.predict(batch).shape, model.predict(batch.adjacency[0]).shape
        ((4, 8, 8), (8, 8))
        """
        cases = cases_of(graphs, self.algorithm, source, weight)
        found = self._handle.predict(cases.native)
        return found[0] if cases.single else found

    def evaluate(self, n: int | Sequence[int] = 16, **settings: Any) -> Rows:
        """What its predictions are worth on random graphs: :func:`evaluate` with this model.

        >>> import tiebreak
        >>> rows = tiebreak.load("dfs").evaluate(n=8, graphs=16, draws=5)
        >>> [row.extractor for row in rows]
        ['argmax', 'random', 'upwards', 'alt-upwards', 'walk']
        """
        return evaluate(self.algorithm, n, model=self, **settings)

    def __reduce__(self) -> tuple[Any, ...]:
        return _model, (self.algorithm, self._bytes, self.path)

    def __repr__(self) -> str:
        whose = "built-in" if self.path is None else repr(self.path)
        return f"Model({self.algorithm!r}, hidden={self._handle.hidden}, {whose})"


def _model(algorithm: str, content: bytes | None, path: str | None) -> Model:
    if content is None:
        return Model(_native.NativeModel.built_in(algorithm), None, None)
    return Model(_native.NativeModel.from_bytes(content, path or algorithm, algorithm), content, path)


class Executor:
    """A learnt execution of an algorithm that is given its ties as random priorities; each of its draws is valid on every graph.

    ``Executor("dfs")`` is the built-in one; :func:`load` and :func:`train` give others.

    >>> executor = Executor("dfs")
    >>> executor
    Executor('dfs', built-in)
    >>> executor.draw([[0, 1, 1], [1, 0, 1], [1, 1, 0]], 2).shape
    (2, 3)
    >>> executor.certificate.startswith("valid for every graph")
    True
    """

    __slots__ = ("_handle", "path")

    _handle: _native.NativeExecutor
    path: str | None

    def __init__(self, algorithm: str) -> None:
        self._handle, self.path = _native.NativeExecutor.built_in(canonical(algorithm)), None

    @classmethod
    def _of(cls, handle: _native.NativeExecutor, path: str | None) -> Executor:
        executor = cls.__new__(cls)
        executor._handle, executor.path = handle, path
        return executor

    @property
    def algorithm(self) -> str:
        """The algorithm that it executes."""
        return self._handle.algorithm

    @property
    def certificate(self) -> str:
        """What was checked of it, without exception, and what follows for every graph."""
        return self._handle.certificate

    @property
    def log(self) -> Log:
        """The log of its training."""
        return Log(json.loads(self._handle.log or "[]"))

    def draw(
        self, graphs: Graphs, k: int = 1, *, seed: int = 0, source: Any = None, weight: str | None = "weight"
    ) -> Any:
        """Solutions, as an array [k, n] of parents; of a batch [batch, k, n]."""
        cases = cases_of(graphs, self.algorithm, source, weight)
        found = self._handle.draw(cases.native, number_of("k", k, cases.n), seed_of(seed))
        return found[0] if cases.single else found

    def evaluate(self, n: int | Sequence[int] = 16, **settings: Any) -> Rows:
        """What its draws are worth on random graphs: :func:`evaluate` with this model."""
        return evaluate(self.algorithm, n, model=self, **settings)

    def __reduce__(self) -> tuple[Any, ...]:
        return _executor, (self.algorithm, self._handle.to_bytes(), self.path)

    def __repr__(self) -> str:
        return f"Executor({self.algorithm!r}, {'built-in' if self.path is None else repr(self.path)})"


def _executor(algorithm: str, content: bytes, path: str | None) -> Executor:
    return Executor._of(_native.NativeExecutor.from_bytes(content, algorithm), path)


def load(model: PathLike, *, algorithm: str | None = None) -> Any:
    """A trained model: the built-in network of an algorithm, or what is in a file or a run's directory.

    :param model: the name of an algorithm; a run's directory; a directory that ``tiebreak export --hf`` wrote; a file, ours or
        dm-clrs' parameters as safetensors.
    :param algorithm: the algorithm, for files that do not say so.

    >>> load("bellman-ford")
    Model('bellman-ford', hidden=128, built-in)
    """
    name, path = os.fspath(model), Path(model)
    if not path.exists():
        known = [canonical(name)] if canonical(name) in ALGORITHM_FACTS else []
        if known:
            return _model(known[0], None, None)
        raise FileNotFoundError(f"there is no file or directory {name!r}, and no algorithm of that name")
    file = path
    if path.is_dir():
        found = [path / each for each in ("best.safetensors", "model.safetensors") if (path / each).exists()]
        if not found:
            raise FileNotFoundError(f"{name} has neither best.safetensors nor model.safetensors")
        file = found[0]
    trained = _native.NativeExecutor.algorithm_of(file)
    content = file.read_bytes()
    if trained is not None:
        return Executor._of(_native.NativeExecutor.from_bytes(content, trained), str(path))
    wanted = None if algorithm is None else canonical(algorithm)
    return Model(_native.NativeModel.from_bytes(content, str(file), wanted), content, str(path))


class Log:
    """The log of a training: a column (an array of numpy) for each of its figures.

    >>> log = Log([{"step": 50, "loss": 0.5}, {"step": 100, "loss": 0.25}])
    >>> log.columns, log["loss"]
    (('step', 'loss'), array([0.5 , 0.25]))
    """

    def __init__(self, lines: list[dict[str, Any]]) -> None:
        self.columns: tuple[str, ...] = tuple(lines[0]) if lines else ()
        self._columns = {name: np.array([line[name] for line in lines]) for name in self.columns}

    def __getitem__(self, column: str) -> npt.NDArray[Any]:
        return self._columns[column]

    def __len__(self) -> int:
        return len(self._columns[self.columns[0]]) if self.columns else 0

    def to_frame(self) -> Any:
        """The log as a DataFrame of pandas."""
        return frame(list(zip(*self._columns.values(), strict=True)), self.columns)

    def __repr__(self) -> str:
        return f"Log({len(self)} {'line' if len(self) == 1 else 'lines'}: {', '.join(self.columns)})"


def read_log(run: PathLike) -> Log:
    """The log of a run's directory, made here or by the command line.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = train("dfs", f"{folder}/run", steps=4, hidden=8, batch=2, sizes=[4], validate_every=2, validation_graphs=2)
    ...     read_log(f"{folder}/run")
    Log(2 lines: step, loss, validation, difference, best, graphs_per_second)
    """
    return Log(json.loads(_native.read_log(os.fspath(run))))


_OF_THE_NETWORK = ("processor", "hidden", "triplet_features", "steps_per_round")


def train(
    algorithm: str | None = None,
    out: PathLike | None = None,
    *,
    model: Literal["network", "executor"] = "network",
    resume: bool = False,
    config: PathLike | None = None,
    data: PathLike | None = None,
    tensorboard: PathLike | None = None,
    threads: int | None = None,
    progress: bool | None = None,
    **settings: Any,
) -> Any:
    """Trains a network (or an executor) in a run's directory and returns the best model: ``tiebreak train``, to the bit.

    A run's directory of Python and of the command line are the same thing. Ctrl-C saves what there is within half a second; ``train(out=…,
    resume=True)`` goes on, and ends where an uninterrupted training ends.

    :param out: the run's directory; without it ``runs/ALGORITHM-SEED``.
    :param config: a file with settings in TOML.
    :param data: a file of ``tiebreak generate`` to learn from instead of fresh graphs.
    :param tensorboard: a directory into which the log is written as event files of TensorBoard, too.
    :param settings: any key of ``settings.toml``: ``steps``, ``batch``, ``sizes``, ``p``, ``seed``, ``learning_rate``, … and of the network
        ``hidden``, ``processor``, ``triplet_features``, ``steps_per_round``.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model = train("dfs", f"{folder}/run", steps=4, hidden=8, batch=2, sizes=[4], validate_every=2, validation_graphs=2)
    ...     model.algorithm, read_log(f"{folder}/run")["step"]
    ('dfs', array([2, 4]))
    """
    changes = [f"{_key(name, model)}={_toml(value)}" for name, value in settings.items()]
    if resume:
        if out is None or changes or algorithm is not None or config is not None or data is not None:
            raise ValueError("resume=True needs out=, the run's directory, and nothing else: its settings are there")
    elif algorithm is not None:
        changes.append(f"algorithm={_toml(canonical(algorithm))}")
    elif config is None:
        raise ValueError("train needs an algorithm (or a config that names one)")
    wanted: _native.WantedTraining = {
        "executor": model == "executor",
        "config": "" if config is None else Path(config).read_text(encoding="utf-8"),
        "changes": changes,
        "data": None if data is None else os.fspath(data),
        "out": None if out is None else os.fspath(out),
        "resume": resume,
        "tensorboard": None if tensorboard is None else os.fspath(tensorboard),
        "threads": threads,
    }
    with Progress("training", 0, progress) as bar:

        def tell(step: int, steps: int, line: str | None) -> None:
            bar.total = steps
            loss = None if line is None else json.loads(line).get("loss")
            bar.update(step, None if loss is None else f"loss {loss:.4f}")

        path, _, _ = _native.train_run(wanted, tell)
    return load(path)


def _key(name: str, model: str) -> str:
    return f"model.{name}" if name in _OF_THE_NETWORK and model == "network" else name


def _toml(value: Any) -> str:
    """A value as TOML has it; numbers, texts and lists look as in JSON."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Iterable) and not isinstance(value, str):
        return f"[{', '.join(_toml(one) for one in value)}]"
    return json.dumps(value)
