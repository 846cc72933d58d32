"""A progress bar for people, and silence for scripts."""

from __future__ import annotations

import sys
import time
from types import TracebackType


def in_notebook() -> bool:
    """Whether somebody looks at the output of a notebook's cell."""
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    return running is not None and hasattr(running, "kernel")


class Progress:
    """One line on standard error that says how far something is. Shown on a terminal and in notebooks, unless told otherwise."""

    def __init__(self, what: str, total: int, shown: bool | None = None) -> None:
        self.what, self.total, self.done, self.note = what, total, 0, ""
        self.shown = (sys.stderr.isatty() or in_notebook()) if shown is None else shown
        self.began = self.told = time.monotonic()
        self.first: int | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown and self.first is not None:
            self._write()
            sys.stderr.write("\n")

    def update(self, done: int, note: str | None = None) -> None:
        """So much is done; a note stands at the end of the line."""
        self.done = done
        if self.first is None:
            # A resumed run starts in the middle.
            self.first, self.began = done, time.monotonic()
        if note is not None:
            self.note = note
        if self.shown and time.monotonic() - self.told >= 0.2:
            self.told = time.monotonic()
            self._write()

    def _write(self) -> None:
        share = self.done / self.total if self.total else 1.0
        bar = "█" * int(20 * share) + "·" * (20 - int(20 * share))
        speed = (self.done - (self.first or 0)) / max(time.monotonic() - self.began, 1e-9)
        left = f", {(self.total - self.done) / speed:.0f} s left" if speed > 0 and self.done < self.total else ""
        sys.stderr.write(f"\r{self.what} {bar} {self.done}/{self.total}{left} {self.note}\x1b[K")
        sys.stderr.flush()
