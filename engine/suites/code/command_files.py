"""What a command is made of: every file that its words name, through the words for a shell too.

Where a command runs more than its words name (a module by its name, what is piped into a shell, whatever a
runner of packages finds), that cannot be remembered: it is asked for each time.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path, PurePath

from turnwise.engine.suites.code.script_modules import (
    NODE_SUFFIXES,
    PYTHON_SUFFIXES,
    take_modules,
    take_node_modules,
    take_python_modules,
)
from turnwise.engine.suites.code.seen import Seen

# fmt: off
_SHELLS = frozenset((
    "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "csh", "tcsh", "busybox", "cmd", "powershell", "pwsh",
))
_INTERPRETERS = re.compile(r"(?:python|pypy|node|nodejs|perl|ruby|php|lua|rscript|tclsh|osascript)[\d.]*w?\Z")
_RUNNERS = frozenset((
    "npm", "npx", "pnpm", "yarn", "bun", "bunx", "deno", "make", "gmake", "just",
    "task", "cargo", "go", "gradle", "mvn", "uv", "uvx", "pip", "pipx", "poetry",
    "pdm", "hatch", "tox", "nox", "pytest", "docker", "podman", "ssh", "xargs", "find",
    "parallel", "eval", "git", "awk", "gawk", "sed", "vim", "emacs", "java", "dotnet",
    "cd", "pushd", "trap", "alias",
))
# fmt: on
_MODULE = re.compile(r"-[bBdEiIOqsSuvxPR]*m")
_INLINE = re.compile(r"-[bBdEiIOqsSuvxPR]*[ce]|-p|-pe|--eval|--print")
_PRELOADED = ("-r", "--require", "--import", "--loader", "--experimental-loader")
_BETWEEN = re.compile(r"[\s;|&<>(){}'\"`=,:$\[\]]+")
_MADE_BY_A_SHELL = re.compile(r"[$`*?\[{~]")
_OF_A_SHELL = re.compile(rb"#![^\n]*\b(?:ba|da|z|k|a)?sh\b")
_LARGEST_SCRIPT = 1_000_000
_NAMED_OFTEN = 5_000


def seen_of_command(words: Sequence[str], folder: Path) -> Seen:
    """Return what a command is made of. words: those that no shell reads. folder: where it runs."""
    seen = Seen()
    _look(seen, words, folder, piped=False)
    for word in words:
        _take_named(seen, word, folder)
    return seen


def _look(seen: Seen, words: Sequence[str], folder: Path, *, piped: bool) -> None:
    """Note where a command runs what its words do not name. piped: another command writes what it reads."""
    for place, word in enumerate(words):
        name = PurePath(word.replace("\\", "/")).name.lower().removesuffix(".exe")
        given = words[place + 1 :]
        if name in _RUNNERS:
            seen.hide(f"{name} runs more than its words name")
        elif name in _SHELLS:
            _look_at_shell(seen, name, given, folder)
        elif _INTERPRETERS.match(name):
            _look_at_interpreter(seen, name, given, folder)
        elif place == 0 and piped and (folder / word).is_file():
            seen.hide("it may run what is piped into it")


def _look_at_shell(seen: Seen, name: str, given: Sequence[str], folder: Path) -> None:
    for place, word in enumerate(given):
        if re.fullmatch(r"-\w*c|/[ck]", word, re.IGNORECASE) and place + 1 < len(given):
            _look_at_line(seen, given[place + 1], folder)
            return
    operands = [word for word in given if not word.startswith("-")]
    if not operands or "-s" in given:
        seen.hide(f"{name} runs what is piped into it")
    elif _MADE_BY_A_SHELL.search(operands[0]):
        seen.hide(f"{name} runs a file that the shell names")


def _look_at_line(seen: Seen, line: str, folder: Path) -> None:
    """Look at what a shell is given to run."""
    if "`" in line:
        seen.hide("the shell makes commands while it runs")
    try:
        lexer = shlex.shlex(line.replace("\n", " ; "), posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        tokens = list(lexer)
    except ValueError:
        seen.hide("its quotes do not end")
        return
    piped = False
    for is_mark, group in groupby(tokens, key=lambda token: set(token) <= set("();<>|&")):
        part = list(group)
        if is_mark:
            piped = any(mark.strip("&") == "|" for mark in part)
            continue
        if _MADE_BY_A_SHELL.search(part[0]) or (
            part[0] in (".", "source") and _MADE_BY_A_SHELL.search(" ".join(part))
        ):
            seen.hide("the shell makes commands while it runs")
        _look(seen, part, folder, piped=piped)


def _look_at_interpreter(seen: Seen, name: str, given: Sequence[str], folder: Path) -> None:
    for place, word in enumerate(given):
        if _MODULE.match(word):
            seen.hide(f"{name} {word} runs a module that is found by its name")
            return
        if word.partition("=")[0] in _PRELOADED:
            seen.hide(f"{name} {word} loads what is found by its name")
        elif _INLINE.fullmatch(word) and place + 1 < len(given):
            _look_at_code(seen, name, given[place + 1], folder)
            return
    operands = [word for word in given if not word.startswith("-")]
    if not operands:
        seen.hide(f"{name} runs what is piped into it")
    elif _MADE_BY_A_SHELL.search(operands[0]):
        seen.hide(f"{name} runs a file that the shell names")
    elif (folder / operands[0]).is_dir():
        seen.hide(f"{name} runs a folder")


def _look_at_code(seen: Seen, name: str, code: str, folder: Path) -> None:
    """Look at code that stands among the words of a command."""
    if name.startswith("node"):
        take_node_modules(seen, folder, code)
    elif name.startswith(("python", "pypy")):
        take_python_modules(seen, folder, code, folder)
    else:
        seen.hide(f"what {name} is given to run is not looked at")


def _take_named(seen: Seen, text: str, folder: Path) -> None:
    """Take in every file that a text names, and those that the scripts among them name."""
    for name in _names(text):
        path = folder / name
        content = seen.take(path)
        if content is None:
            continue
        suffix = path.suffix.lower()
        if suffix in (*PYTHON_SUFFIXES, *NODE_SUFFIXES):
            take_modules(seen, path.resolve(), content.decode("utf-8", "replace"))
        elif (suffix in (".sh", ".bash") or _OF_A_SHELL.match(content)) and len(content) <= _LARGEST_SCRIPT:
            _take_named(seen, content.decode("utf-8", "replace"), folder)


def _names(text: str) -> Iterator[str]:
    """Yield what may be the name of a file in a text: all of it, and its pieces."""
    pieces = [piece for piece in _BETWEEN.split(text) if piece]
    with_marks = re.split(r"[\s;|&<>()'\"`]+", text)
    yield from list(dict.fromkeys((text, *with_marks, *pieces)))[:_NAMED_OFTEN]
