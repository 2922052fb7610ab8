"""Packages that only some checks need, imported when such a check is met."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from turnwise.conversations.errors import NotFoundError


def package(name: str, *, extra: str) -> Any:
    """Import a module of an extra. Raises NotFoundError that says how to install it."""
    try:
        return import_module(name)
    except ImportError as error:
        home = name.partition(".")[0]
        raise NotFoundError(
            f"This check needs the package {home}, which is not installed",
            next_step=f"pip install 'turnwise[{extra}]'",
        ) from error
