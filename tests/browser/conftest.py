"""One browser for all tests of a module, and a library in which everything that a page shows happens."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from browser import Browser, browsing


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A real browser."""
    with browsing(tmp_path_factory.mktemp("browser")) as started:
        yield started


@pytest.fixture(autouse=True)
def _nothing_kept(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let no test find what another one left in the browser."""
    yield
    if "browser" in request.fixturenames:
        found: Browser = request.getfixturevalue("browser")
        found.run("try { localStorage.clear() } catch {}")
