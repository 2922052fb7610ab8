"""The metrics, each loaded when it is first named; `__init__.pyi` tells type checkers the same names."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from turnwise.engine.metrics.catalogue import public_names

_HOMES = public_names()

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
