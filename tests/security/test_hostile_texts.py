"""A hostile reply of 200 KB holds up no check and no metric; tests/bench/hostile_bench.py tries far more."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

_BENCH = Path(__file__).parents[1] / "bench" / "hostile_bench.py"
SECONDS = 25
"""Five times what the slowest takes, and a fraction of what these texts once took."""
TEXTS = [
    "'<a'",
    "'<!--'",
    "'{\"a\":'",
    "'{'",
    "'#'",
    "'<'",
    "tokens of base 64",
    "'<div>'",
    "'```sql\\nx y\\n```\\n'",
]


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hostile_bench", _BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["hostile_bench"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", TEXTS)
def test_no_check_or_metric_is_held_up(bench: ModuleType, name: str) -> None:
    found, megabytes = bench.found_of(name, 200_000)
    slowest = max(found, key=lambda one: one[1])
    assert slowest[1] < SECONDS, slowest
    assert megabytes < bench.MEGABYTES
