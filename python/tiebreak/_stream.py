"""An endless stream of batches for training loops."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from ._batch import Batch, Preset, Ties, generate
from ._graph import canonical, seed_of


class Stream:
    """Batches without end, generated ahead by threads.

    Batch number ``k`` has the size ``sizes[k % len(sizes)]``; where there are several densities, each is kept for one round of sizes. A
    batch depends on its number alone: ``stream[k]`` is what the ``k``-th ``next(stream)`` gives, in any process and with any
    number of threads, and all of them together are the instances of :func:`generate` (and of the command line) with the same seed.

    :param start: the number of the first batch, to go on where a training was stopped (``stream.index``).
    :param step: only every so many batches, for workers that share the work: ``Stream(..., start=worker, step=workers)``.
    :param prefetch: how many batches are kept ready; 0 generates each when it is asked for, on all cores.
    :param threads: how many threads work ahead.

    >>> stream = Stream("dfs", sizes=[4, 7, 11], batch=8, seed=3)
    >>> [next(stream).n for _ in range(4)]
    [4, 7, 11, 4]
    >>> stream.index
    4
    >>> bool((stream[0].marginals == generate("dfs", 4, 8, seed=3).marginals).all())
    True
    """

    def __init__(
        self,
        algorithm: str,
        sizes: int | Sequence[int] = (4, 7, 11, 13, 16),
        batch: int = 32,
        *,
        p: float | Sequence[float] = 0.5,
        seed: int = 0,
        start: int = 0,
        step: int = 1,
        runs: int = 20,
        exact: bool = False,
        ties: Ties = "one-order",
        preset: Preset = "text",
        prefetch: int = 4,
        threads: int = 2,
    ) -> None:
        self.algorithm = canonical(algorithm)
        self.sizes = (int(sizes),) if isinstance(sizes, int) else tuple(int(size) for size in sizes)
        self.p = (float(p),) if isinstance(p, (int, float)) else tuple(float(one) for one in p)
        self.batch, self.seed, self.index, self.step = int(batch), seed_of(seed), int(start), int(step)
        self.runs, self.exact, self.ties, self.preset = int(runs), bool(exact), ties, preset
        self.prefetch, self.threads = int(prefetch), int(threads)
        if not self.sizes or not self.p:
            raise ValueError("a stream needs at least one size and one density")
        if self.index < 0 or self.step < 1 or self.prefetch < 0 or self.threads < 1:
            raise ValueError("start and prefetch cannot be negative, step and threads are at least 1")
        self._ahead: _Ahead | None = None
        # Wrong arguments are an error here, not in some thread.
        generate(self.algorithm, 1, 1, p=self.p[0], runs=self.runs, ties=ties, preset=preset)

    def __getitem__(self, index: int) -> Batch:
        return self._generate(index, None)

    def _generate(self, index: int, threads: int | None) -> Batch:
        if index < 0:
            raise IndexError("a stream has no end to count from")
        turn, place = divmod(index, len(self.sizes))
        again, density = divmod(turn, len(self.p))
        return generate(
            self.algorithm,
            self.sizes[place],
            self.batch,
            p=self.p[density],
            seed=self.seed,
            start=again * self.batch,
            runs=self.runs,
            exact=self.exact,
            ties=self.ties,
            preset=self.preset,
            threads=threads,
        )

    def __iter__(self) -> Iterator[Batch]:
        return self

    def __next__(self) -> Batch:
        if self.prefetch == 0:
            found = self._generate(self.index, None)
        else:
            ahead = self._ahead
            # After a fork the threads are the parent's; after index was set the batches are others.
            if ahead is None or ahead.process != os.getpid() or ahead.next != self.index:
                self.close()
                ahead = self._ahead = _Ahead(self, self.index)
            found = ahead.take()
        self.index += self.step
        return found

    def close(self) -> None:
        """Ends the threads; the stream can still be used."""
        if self._ahead is not None and self._ahead.process == os.getpid():
            self._ahead.stop()
        self._ahead = None

    def __del__(self) -> None:
        if getattr(self, "_ahead", None) is not None:
            self.close()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_ahead": None}

    def __repr__(self) -> str:
        sizes = self.sizes[0] if len(self.sizes) == 1 else list(self.sizes)
        return f"Stream({self.algorithm!r}, {sizes}, batch={self.batch}, seed={self.seed}, index={self.index})"


class _Ahead:
    """Threads that work ahead of a stream. They hold no reference to it, so that it can end them when nobody needs it any more."""

    def __init__(self, stream: Stream, first: int) -> None:
        self.process, self.next, self.step = os.getpid(), first, stream.step
        self.wanted: queue.SimpleQueue[tuple[int, queue.SimpleQueue[Any]] | None] = queue.SimpleQueue()
        self.ready: list[queue.SimpleQueue[Any]] = []
        self.number = stream.threads
        recipe = Stream.__new__(Stream)
        recipe.__dict__.update(stream.__getstate__())
        for place in range(stream.prefetch):
            self.ask(first + place * stream.step)
        for _ in range(stream.threads):
            threading.Thread(target=_work, args=(recipe, self.wanted), name="tiebreak stream", daemon=True).start()

    def ask(self, index: int) -> None:
        place: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.ready.append(place)
        self.wanted.put((index, place))

    def take(self) -> Batch:
        found = self.ready[0].get()
        if isinstance(found, BaseException):
            raise found
        self.ready.pop(0)
        self.ask(self.next + (len(self.ready) + 1) * self.step)
        self.next += self.step
        assert isinstance(found, Batch)
        return found

    def stop(self) -> None:
        while not self.wanted.empty():
            try:
                self.wanted.get_nowait()
            except queue.Empty:
                break
        for _ in range(self.number):
            self.wanted.put(None)


def _work(recipe: Stream, wanted: queue.SimpleQueue[tuple[int, queue.SimpleQueue[Any]] | None]) -> None:
    while (one := wanted.get()) is not None:
        index, place = one
        try:
            place.put(recipe._generate(index, 1))
        except Exception as error:
            place.put(error)
