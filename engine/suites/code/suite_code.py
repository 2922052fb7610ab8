"""SuiteCode: all the code of one suite, each script in a process of its own, and only with trust.

with closing(SuiteCode(path, trusted=True)) as code:
    suite = load_suite(path, code=code)
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import FormatError, NotFoundError, SettingError, TurnwiseError
from turnwise.conversations.files import JAVASCRIPT, TYPESCRIPT, Folder, is_python, read_text, script_of
from turnwise.engine.javascript import run_module, run_transform
from turnwise.engine.models.timing import note_time
from turnwise.engine.suites.code.command_files import seen_of_command
from turnwise.engine.suites.code.commands import Command
from turnwise.engine.suites.code.node import node_words
from turnwise.engine.suites.code.script_modules import take_script
from turnwise.engine.suites.code.seen import Seen
from turnwise.engine.suites.code.trust import Trust, TrustMemory
from turnwise.engine.worker import SECONDS, Returned, Worker

_HERE = Path(__file__).parent
_PYTHON = (sys.executable, "-P", str(_HERE / "python_child.py"))
_NODE = _HERE / "node_child.mjs"
_OUTSIDE = re.compile(
    r"\brequire\s*\(\s*['\"](?P<required>[^'\"]+)"
    r"|^\s*import\b[^;\n]*?['\"](?P<imported>[^'\"]+)['\"]"
    r"|\b(?P<named>process|Buffer|fetch|setTimeout|setInterval|crypto)\b\s*[.(]",
    re.MULTILINE,
)
_NOT_RUN = {".rb": "Ruby", ".go": "Go"}


class SuiteCode:
    """Runs the code that a suite names, where the user trusts it. Close it when the suite is done.

    suite: its file. root: the folder that it may name files in; else its repository, else its own folder.
    trusted: the user says so now. memory: what was trusted before; None for nothing. seconds: for one call.
    A script is read once: one that is changed meanwhile goes on as it was.
    """

    def __init__(
        self,
        suite: Path,
        *,
        root: Path | None = None,
        trusted: bool = False,
        memory: TrustMemory | None = None,
        seconds: float = SECONDS,
    ) -> None:
        self.folder = Folder.of(suite, root)
        self.name = suite.name
        self.trust = Trust.of(suite, given=trusted, memory=memory)
        self._seconds = seconds
        self._sources: dict[Path, str] = {}
        self._workers: dict[str, Worker] = {}

    # What reading a suite needs: CodeRunner.

    def may_run(self, script: Path, place: str) -> bool:
        """Whether the user trusts a script, and it is one that runs here."""
        try:
            self._source(script, place)
        except NotFoundError:
            return False
        return True

    def call(
        self,
        script: Path,
        function: str,
        defaults: Sequence[str],
        arguments: Sequence[Any],
        place: str,
        *,
        kept: int | None = None,
    ) -> Any:
        """Return what a function of a script gives. Raises FormatError where it may not run, or fails."""
        with _as_format_error():
            source = self._source(script, place)
            worker, call = self._worker(script, source, function, defaults, arguments, kept=kept)
            if worker is not None:
                return _value(worker.ask(call), script.name)
            return _value(run_module(source, function, arguments, kept=kept), script.name)

    def program(self, words: Sequence[str], given: Sequence[str], place: str) -> str:
        """Return what a program writes. given: data, as further arguments of it.

        Raises FormatError where it may not run, or fails.
        """
        with _as_format_error():
            command = self._command(words, self.folder.path, self._seconds, place, given)
            return command.output_now(b"").decode("utf-8", "replace").rstrip("\r\n")

    def evaluate(self, code: str, names: Mapping[str, Any], place: str) -> Any:
        """Return what a transform in the suite gives. It reaches nothing, so it needs no trust."""
        with _as_format_error():
            return _value(run_transform(code, names), place)

    # What running a suite needs.

    async def run_script(
        self,
        name: str,
        defaults: Sequence[str],
        arguments: Sequence[Any],
        place: str,
        *,
        provider: Mapping[str, Any] | None = None,
        plain: bool = False,
        kept: int | None = None,
    ) -> Returned:
        """Return what a function of a script gives, as a name like file://x.py:function means it.

        provider: the options of a provider, where the script is one. plain: a callable of Python that takes
        of prompt, messages, options and context what its parameters ask for. kept: the place of the argument
        that JavaScript may change where it gives nothing back; such a script keeps what it holds between
        calls, where node is installed.

        Raises FormatError where the file is not there, NotFoundError where it may not run or what runs it is
        missing, SettingError where it does not end.
        """
        script, function = script_of(name, self.folder, place)
        source = self._source(script, place)
        worker, call = self._worker(script, source, function, defaults, arguments, provider, kept=kept)
        if worker is None:
            returned = await asyncio.to_thread(
                run_module, source, function, arguments, provider=provider, kept=kept
            )
            note_time(returned.seconds)
            return returned
        return await worker.ask_soon({**call, "fit": plain, "only": plain})

    async def run_python(self, code: str, names: Mapping[str, Any], place: str) -> Returned:
        """Return what Python in the suite gives: the value of an expression, or what several lines return."""
        shown = code if len(code) <= 60 else f"{code[:60]}…"
        self.trust.require(f"{' '.join(shown.split())!r} (Python)", place, b"python", code.encode())
        worker = self._started("", _PYTHON, self.folder.path, "The Python of a check")
        return await worker.ask_soon({"body": code, "names": names})

    async def run_code(
        self,
        command: Sequence[str] | Path,
        given: Any,
        *,
        folder: Path,
        seconds: float = SECONDS,
        place: str = "",
    ) -> Any:
        """Return the JSON document that a command writes, given plain data as JSON on its standard input.

        command: its words, which no shell reads, or a script (.py for this Python, .js for node).
        Raises NotFoundError where the user does not trust it, SettingError where it cannot start, fails,
        takes too long, or writes no JSON.
        """
        words = _words(command) if isinstance(command, Path) else list(command)
        place = f"{self.name}, {place}" if place and not place.startswith(self.name) else place or self.name
        running = self._command(words, folder, seconds, place)
        written = await running.output(json.dumps(given, default=str).encode())
        try:
            return json.loads(written)
        except (ValueError, RecursionError):
            shown = written[:200].decode("utf-8", "replace")
            raise SettingError(
                f"{_shown(words)} wrote no JSON", detail=f"{place}: {shown}", next_step="Mend the script."
            ) from None

    async def run_program(
        self,
        words: Sequence[str],
        given: Sequence[str],
        place: str,
        *,
        folder: Path | None = None,
        seconds: float | None = None,
    ) -> str:
        """Return what a program writes, as `program` does, while others run. Raises as run_code does."""
        running = self._command(words, folder or self.folder.path, seconds or self._seconds, place, given)
        return (await running.output(b"")).decode("utf-8", "replace").rstrip("\r\n")

    def close(self) -> None:
        """End what runs, and remember what was trusted."""
        for worker in self._workers.values():
            worker.close()
        self._workers.clear()
        self.trust.keep()

    def _source(self, script: Path, place: str) -> str:
        """Return a script's text, once the user is known to trust it."""
        if script not in self._sources:
            suffix = script.suffix.lower()
            if suffix in _NOT_RUN:
                raise NotFoundError(
                    f"{script.name} is {_NOT_RUN[suffix]}, which turnwise does not run",
                    next_step="Write it in Python or JavaScript.",
                )
            if not is_python(script) and suffix not in (*JAVASCRIPT, *TYPESCRIPT):
                raise NotFoundError(
                    f"{script.name} is a program, which is not run as a script",
                    next_step="Write it in Python or JavaScript.",
                )
            source = read_text(script, place)
            kind = "TypeScript" if suffix in TYPESCRIPT else "JavaScript"
            kind = "Python" if is_python(script) else kind
            seen = Seen()
            take_script(seen, script, source=source.encode())
            self.trust.require(f"{script.name} ({kind})", place, *seen.contents(), hidden=seen.hidden)
            self._sources[script] = source
        return self._sources[script]

    def _worker(
        self,
        script: Path,
        source: str,
        function: str,
        defaults: Sequence[str],
        arguments: Sequence[Any],
        provider: Mapping[str, Any] | None = None,
        *,
        kept: int | None = None,
    ) -> tuple[Worker | None, dict[str, Any]]:
        """Return the process that runs a script, and the call; no process where the engine here will do."""
        call = {"path": str(script), "function": function, "arguments": list(arguments)}
        if is_python(script):
            worker = self._started(str(script), _PYTHON, self.folder.path, script.name)
            return worker, {**call, "source": source, "defaults": list(defaults)}
        needed = _OUTSIDE.search(source)
        holds = kept is not None and shutil.which("node") is not None
        if not (needed or holds) and script.suffix.lower() not in TYPESCRIPT:
            return None, {}
        what = next(filter(None, needed.groups()), "") if needed else ""
        command = (*node_words(script, what), str(_NODE))
        worker = self._started(str(script), command, self.folder.path, script.name)
        return worker, {**call, "provider": provider, "kept": kept}

    def _started(self, key: str, command: Sequence[str], folder: Path, name: str) -> Worker:
        if key not in self._workers:
            self._workers[key] = Worker(command, folder, name, seconds=self._seconds)
        return self._workers[key]

    def _command(
        self, words: Sequence[str], folder: Path, seconds: float, place: str, given: Sequence[str] = ()
    ) -> Command:
        if not words or not all(isinstance(word, str) and "\0" not in word for word in words):
            raise SettingError("A command is a list of words", detail=place, next_step="Correct the file.")
        contents = [str(folder.resolve()).encode(), *(word.encode() for word in words)]
        seen = seen_of_command(words, folder)
        what = f"{_shown(words)} (a command)"
        self.trust.require(what, place, *contents, *seen.contents(), hidden=seen.hidden)
        return Command([*words, *given], folder, _shown(words), seconds=seconds)


class _as_format_error:  # noqa: N801 - reads as what it does in a with statement
    """Let what ends code end the reading of the place that named it."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, TurnwiseError) and not isinstance(error, FormatError):
            raise FormatError(error.title, detail=error.detail, next_step=error.next_step) from None


def _value(found: Returned, name: str) -> Any:
    if found.error:
        raise SettingError(f"{name} failed", detail=found.error, next_step="Mend the script.")
    return found.value


def _words(script: Path) -> list[str]:
    if is_python(script):
        return [sys.executable, str(script)]
    if script.suffix.lower() in TYPESCRIPT:
        return [*node_words(script), str(script)]
    return ["node", str(script)] if script.suffix.lower() in JAVASCRIPT else [str(script)]


def _shown(words: Sequence[str]) -> str:
    name = " ".join(Path(word).name if "/" in word else word for word in words)
    return name if len(name) <= 80 else f"{name[:79]}…"
