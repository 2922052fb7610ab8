"""Scripts of a suite for tests: written beside it by a fixture, and run."""

from __future__ import annotations

from collections.abc import Callable

from turnwise.engine.suites.code import SuiteCode

Write = Callable[..., SuiteCode]
"""Write files by their names (`x__py` is x.py, `lib_of_x__py` is lib/x.py); see the fixture of this type."""


async def run(code: SuiteCode, name: str, *arguments: object) -> object:
    """Return what the function of a script gives, which must not fail."""
    returned = await code.run_script(name, ("get_assert",), arguments, "suite.yaml, here")
    assert not returned.error, returned.error
    return returned.value
