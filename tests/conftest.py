"""What tests of several folders share."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Tests are no package (importlib mode), so that shared modules are found by their folder.
sys.path.insert(0, str(Path(__file__).parent / "support"))

from databases_made_once import an_empty_database, copy_new_databases
from judge_server import JudgeServer, apart
from shared_data import SHARED

from turnwise.conversations.store import Store
from turnwise.engine.models.embedded.folder import models_folder

# Programs begun in the background by a shell ignore these, and so would all that the tests begin.
for one in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(one) == signal.SIG_IGN:
        signal.signal(one, signal.default_int_handler if one == signal.SIGINT else signal.SIG_DFL)

WHOLE_APP = Path(__file__).parent / "tui"
"""Here stand the tests that walk through many screens; those of one screen stand in folders below."""

# The same examples every time, however slow the machine.
settings.register_profile("turnwise", deadline=None, derandomize=True)
settings.load_profile("turnwise")


def pytest_configure(config: pytest.Config) -> None:
    """Import turnwise as it is: pytest would rewrite the asserts of all of it, as of any plugin.

    For that it reads each module into a tree, which Python 3.11 cannot do in two threads at once: one of them
    may fail with "AST constructor recursion depth mismatch". The app loads in threads what it needs later.
    """
    rewriting = config.pluginmanager.rewrite_hook
    getattr(rewriting, "_must_rewrite", set()).discard("turnwise")


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Know the limit of a test also where pytest-timeout, which holds to it, is not installed yet."""
    if not pluginmanager.hasplugin("timeout"):
        parser.addini("timeout", "seconds that a test may take")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two processes a core, because tests of the app and of servers wait for most of their time."""
    return 2 * (os.cpu_count() or 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a real model in one process, so that the model is started once, and begin with the
    walks through the whole app, which take longest: no process is left alone with one of them at the end.
    Skip what reads real data where there is none.
    """
    absent = pytest.mark.skip(reason="the folder ../shared is not here")
    for item in items:
        if item.get_closest_marker("fixtures") and not SHARED.is_dir():
            item.add_marker(absent)
        if item.get_closest_marker("model"):
            item.add_marker(pytest.mark.xdist_group("model"))
    items.sort(key=lambda item: item.path.parent != WHOLE_APP)


def pytest_sessionstart() -> None:
    """Look for no garbage while tests are collected, which are all kept."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Leave the tests out of what is looked through for garbage: thousands of them stay to the end."""
    gc.freeze()
    gc.enable()


@pytest.fixture
async def judge_server() -> AsyncIterator[JudgeServer]:
    """A scripted OpenAI-compatible server; see judge_server.py."""
    server = await JudgeServer().start()
    yield server
    await server.close()


@pytest.fixture
def judge_server_apart() -> Iterator[JudgeServer]:
    """The same server in a thread of its own, for callers that block or run in another process."""
    with apart(JudgeServer()) as server:
        yield server


@pytest.fixture(scope="session", autouse=True)
def data_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no test, nor a program that one begins, write into the data of whoever runs it, as on a crash.

    The models that were pulled there stay where tests of a real model find them.
    """
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("TURNWISE_MODELS", str(models_folder()))
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(autouse=True)
def database_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let nothing that a test does reach the database and settings of whoever runs it, nor hang on them."""
    monkeypatch.setenv("TURNWISE_DB", str(tmp_path / "turnwise.db"))
    monkeypatch.setenv("TURNWISE_CONFIG", str(tmp_path / "config"))
    for name in ("TURNWISE_THEME", "TURNWISE_JUDGE", "NO_COLOR", "TURNWISE_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def write_database(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], None]:
    """What writes an empty database to a new file."""
    return an_empty_database(tmp_path_factory.mktemp("empty"))


@pytest.fixture(autouse=True)
def new_databases(monkeypatch: pytest.MonkeyPatch, write_database: Callable[[Path], None]) -> None:
    """Copy new databases from one that was made once; tests of how they are made replace this."""
    copy_new_databases(monkeypatch, write_database)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new database."""
    with Store.open(tmp_path / "turnwise.db") as opened:
        yield opened
