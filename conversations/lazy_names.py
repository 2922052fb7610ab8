"""Names of a package that load on first use, so that importing one costs no more than that one."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazy_names(package: str, **modules: tuple[str, ...]) -> Callable[[str], Any]:
    """Return what a package calls `__getattr__`: it loads a name from the module that holds it.

    package: the dotted name of the package. modules: the names that it offers, by the module below it.
    The function returned raises AttributeError for every other name.
    """
    homes = {name: module for module, names in modules.items() for name in names}

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return load
