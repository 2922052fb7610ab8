"""What `turnwise run` reads: files of test cases, and the options that say how they are read."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Suite
from turnwise.tui.cli.options import gathered
from turnwise.tui.cli.output import narrate

if TYPE_CHECKING:
    from turnwise.conversations.files import Folder
    from turnwise.conversations.formats.promptfoo import Network, PromptText
    from turnwise.engine.suites.code import SuiteCode

_F = TypeVar("_F", bound=Callable[..., Any])
_PROMPT_SUFFIXES = (".txt", ".md", ".j2", ".json", ".jsonl", ".yaml", ".yml", ".csv")
_SHEETS = (".xlsx", ".xls")


@dataclass(frozen=True, slots=True)
class SuiteFile:
    """A file to run. part: which function (:create) or sheet (#Sheet2) of it makes or holds the tests."""

    path: Path
    part: str = ""

    @classmethod
    def of(cls, name: Path) -> SuiteFile:
        """Return what a word of the command line means. Raises NotFoundError where links lead in a circle."""
        from turnwise.conversations.files import is_code

        for mark in ":#":
            head, found, tail = str(name).rpartition(mark)
            fits = is_code(head) if mark == ":" else head.lower().endswith(_SHEETS)
            if found and fits and tail and _is_file(Path(head)) and not _is_file(name):
                return cls(Path(head), f"{mark}{tail}")
        try:
            name.resolve()
        except (OSError, RuntimeError) as error:
            # Some versions of Python call a circle of links no error of the system.
            if isinstance(error, OSError) and error.errno != errno.ELOOP:
                raise
            raise NotFoundError(
                f"{name} leads to no file",
                detail="Its links lead round in a circle.",
                next_step="Check the path.",
            ) from None
        return cls(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The options that say how files are read, as they were typed.

    prompts: in the place of the files' own, each a text or the name of a file. format: the tool that the
    files are written for; None where what is in them tells. root: the folder that the files they name may not
    leave; None for the usual one.
    """

    prompts: tuple[str, ...] = ()
    format: Literal["promptfoo", "agentv"] | None = None
    root: Path | None = None

    def code(self, file: SuiteFile, *, trusted: bool) -> SuiteCode:
        """Return what runs a file's code, and say where that was trusted before.

        Raises SettingError where the file lies outside of the folder that was named for it.
        """
        from turnwise.engine.suites.code import SuiteCode, TrustMemory

        path = file.path
        if self.root is not None and not path.resolve().is_relative_to(self.root.resolve()):
            raise SettingError(
                f"{path} does not lie in {self.root}", next_step="Name a folder above it with --root."
            )
        code = SuiteCode(path, root=self.root, trusted=trusted, memory=TrustMemory.default())
        if code.trust.remembered and not trusted:
            narrate(f"{path.name} was trusted before: its code runs where it has not changed.")
        return code

    def suite(
        self, file: SuiteFile, code: SuiteCode, network: Network | None, *, compat: bool, target: str = ""
    ) -> Suite:
        """Read a file. target: who answers all of it.

        Raises NotFoundError, FormatError, and SettingError for a prompt that has no place.
        """
        from turnwise.conversations.formats import looks_like_agentv

        if self.format == "agentv" or (self.format is None and looks_like_agentv(file.path)):
            if self.prompts:
                raise SettingError(
                    f"{file.path.name} is an eval file of AgentV, whose cases say themselves what is asked",
                    next_step="Leave --prompt out, or say --format promptfoo if it is written for that.",
                )
            return self._of_agentv(file.path, code, network, compat=compat)
        # Templates, YAML and tables take a while to import.
        from turnwise.conversations.formats.promptfoo import load_suite

        return load_suite(
            file.path,
            compat=compat,
            environment=code.trust.environment,
            root=self.root,
            code=code,
            network=network,
            prompts=self._prompts(),
            part=file.part,
            target=target,
        )

    def _of_agentv(self, path: Path, code: SuiteCode, network: Network | None, *, compat: bool) -> Suite:
        from turnwise.conversations.formats.agentv import load_agentv

        return load_agentv(
            path,
            compat=compat,
            environment=code.trust.environment,
            root=self.root,
            network=network is not None,
        )

    def _prompts(self) -> list[PromptText]:
        """Return the prompts that were typed. Raises NotFoundError for a file that is not there."""
        if not self.prompts:
            return []
        from turnwise.conversations.files import SCHEME, Folder
        from turnwise.conversations.formats.promptfoo import read_prompts

        here = Path.cwd()
        # Who types a name may mean any file of theirs.
        anywhere = Folder(here, Path(here.anchor))
        named = []
        for text in self.prompts:
            path = Path(text.removeprefix(SCHEME)).expanduser()
            if _is_file(path):
                named.append(f"{SCHEME}{path.resolve()}")
            elif text.startswith(SCHEME) or not _reads_as_file(text):
                named.append(text)
            else:
                raise NotFoundError(
                    f"There is no file {text}", next_step="Check the path, or write the prompt as text."
                )
        return read_prompts(named, anywhere, "--prompt")


def reading_options(function: _F) -> _F:
    """Add the options that say how files are read; the command takes them together, as `reading`."""
    folder = click.Path(exists=True, file_okay=False, path_type=Path)
    return gathered(
        function,
        "reading",
        Reading,
        click.option(
            "--prompt",
            "prompts",
            multiple=True,
            metavar="TEXT|FILE",
            help="What is asked, in place of FILE's prompts: a text, or a file that holds it. May be given "
            "several times.",
        ),
        click.option(
            "--format",
            type=click.Choice(["promptfoo", "agentv"]),
            help="The tool that FILE is written for; by default what is in it tells.",
        ),
        click.option(
            "--root",
            type=folder,
            metavar="FOLDER",
            help="The folder whose files FILE may name; by default its repository, else its own folder.",
        ),
    )


def folder_of(suite: Suite) -> Folder:
    """Return the folder that the names of files in a suite start from."""
    from turnwise.conversations.files import Folder

    return Folder.of(suite.source, suite.root)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError, RuntimeError):
        return False


def _reads_as_file(text: str) -> bool:
    """Whether a prompt can hardly be anything but the name of a file."""
    return text.lower().endswith(_PROMPT_SUFFIXES) and not any(map(str.isspace, text)) and "{{" not in text
