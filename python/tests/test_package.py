"""The package as it is installed: its types, its documentation, its sample program."""

from __future__ import annotations

import importlib.resources
import inspect

import typed_sample

import tiebreak


def test_types_come_with_the_package() -> None:
    files = {file.name for file in importlib.resources.files("tiebreak").iterdir()}
    assert {"py.typed", "_native.pyi"} <= files


def test_everything_public_is_documented() -> None:
    for name in tiebreak.__all__:
        thing = getattr(tiebreak, name)
        if inspect.isfunction(thing) or inspect.isclass(thing):
            assert thing.__doc__, name
        if inspect.isfunction(thing):
            assert ">>>" in str(thing.__doc__), f"{name} has no example"


def test_the_typed_sample_runs() -> None:
    assert set(typed_sample.main()) == {"valid", "coverage"}
