"""What becomes of every real file under ../shared/fixtures: loaded by import or by run, or told why not.

python tests/support/real_files.py    writes docs/reference/real-files.md
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.formats import Loaded, Rejected, load
from turnwise.conversations.formats.agentv import load_agentv, looks_like_agentv
from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.conversations.suites import Suite

REPOSITORY = Path(__file__).parents[2]
FIXTURES = REPOSITORY.parent / "shared" / "fixtures"
PAGE = REPOSITORY / "docs" / "reference" / "real-files.md"

_KINDS = [
    ".eval",
    "dataset",
    "targets",
    "workspace",
    "chatml",
    "trace",
    "EVAL",
    "eval",
    "case",
    "cases",
    "tests",
    "prompts",
    "output",
]
_OPENING = """<!-- Made by tests/support/real_files.py from others' files; edit that, not this page. -->
# Real files

What becomes of files as other projects publish them: the examples of promptfoo and AgentV, goldens of
deepeval, people's ratings of MT-RAG, logs of tau-bench and what tools write out; {count} files.
`turnwise import` takes conversations, `turnwise run` takes test suites. A file that is neither (a prompt, a
tool's schema, a page of prose) is refused by both, with an error that names the file, the place and the next
step; none ends in a traceback.
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one way in made of a file.

    word: the format it was read in, or "refused". count: conversations or cases. errors: what was said.
    """

    word: str
    count: int
    errors: tuple[TurnwiseError, ...] = ()


@dataclass(frozen=True, slots=True)
class Walked:
    """A file, and what each way in made of it."""

    path: Path
    imported: Outcome
    run: Outcome

    @property
    def loads(self) -> bool:
        """Whether some way in takes it."""
        return self.imported.word != "refused" or self.run.word != "refused"


def imported(path: Path) -> Outcome:
    """Read a file as `turnwise import` does."""
    try:
        records = list(load(path))
    except TurnwiseError as error:
        return Outcome("refused", 0, (error,))
    read = [record for record in records if isinstance(record, Loaded)]
    told = tuple(record.error for record in records if isinstance(record, Rejected))
    return Outcome(read[0].format if read else "refused", len(read), told)


def suite_loaders(root: Path) -> dict[str, Callable[[Path], Suite]]:
    """Return the loaders of suites by the name of their tool. root: what their files may not leave."""
    return {"promptfoo": partial(load_suite, root=root), "agentv": partial(load_agentv, root=root)}


def run(path: Path) -> Outcome:
    """Read a file as `turnwise run` does: by the loader of the tool that it is meant for."""
    name = "agentv" if looks_like_agentv(path) else "promptfoo"
    try:
        return Outcome(name, len(suite_loaders(FIXTURES)[name](path).cases))
    except TurnwiseError as error:
        return Outcome("refused", 0, (error,))


def walk() -> Iterator[Walked]:
    """Yield every file with what becomes of it."""
    for path in sorted(path for path in FIXTURES.rglob("*") if path.is_file()):
        yield Walked(path, imported(path), run(path))


def pattern(path: Path) -> str:
    """Return the kind of file that a name says: files of one pattern share a row."""
    if path.parent.parent == FIXTURES / "exports" and path.parent.name in ("rows", "shapes"):
        return path.name
    if path.stem.startswith("promptfooconfig"):
        return f"promptfooconfig*{path.suffix}"
    kind = next((kind for kind in _KINDS if path.stem.endswith(kind)), "")
    return f"*{kind}{path.suffix}" if path.suffix else path.name


def page(walked: list[Walked]) -> str:
    """Return the page: a table for each project, a row for each kind of file and what became of it."""
    parts = [_OPENING.format(count=len(walked))]

    def project(one: Walked) -> str:
        return "/".join(one.path.relative_to(FIXTURES).parts[:-1][:2])

    for folder, files in groupby(sorted(walked, key=project), key=project):
        parts.append(f"\n## {folder}\n")
        parts.append("| files | how many | `turnwise import` | `turnwise run` | said of one of them |")
        parts.append("|---|---|---|---|---|")
        kinds: dict[tuple[str, str, str], list[Walked]] = {}
        for one in files:
            kinds.setdefault((pattern(one.path), one.imported.word, one.run.word), []).append(one)
        parts += [_row(name, ones) for (name, _, _), ones in sorted(kinds.items())]
    return "\n".join(parts) + "\n"


def _row(name: str, files: list[Walked]) -> str:
    cells = [
        f"`{name}`",
        str(len(files)),
        _cell([one.imported for one in files], "conversation"),
        _cell([one.run for one in files], "case"),
        _example(files),
    ]
    return f"| {' | '.join(cells)} |"


def _cell(outcomes: list[Outcome], unit: str) -> str:
    if outcomes[0].word == "refused":
        return "refused"
    count = sum(outcome.count for outcome in outcomes)
    rejected = sum(len(outcome.errors) for outcome in outcomes)
    more = f", {rejected:,} refused" if rejected else ""
    return f"{outcomes[0].word}: {count:,} {unit}{'' if count == 1 else 's'}{more}"


def _example(files: list[Walked]) -> str:
    if files[0].loads:
        return ""
    first = files[0]
    is_export = first.path.is_relative_to(FIXTURES / "exports")
    is_suite = first.path.suffix in (".yaml", ".yml", ".json") and not is_export
    way_in = first.run if is_suite else first.imported
    error = (way_in.errors or first.run.errors)[0]
    # The import lists all formats in further lines.
    detail = (error.detail or error.title).partition("\n")[0].rstrip(".")
    told = f"{detail}. {error.next_step}".replace(f"{FIXTURES}/", "")
    return told.replace("|", "\\|").replace("<", "\\<")


if __name__ == "__main__":
    PAGE.write_text(page(list(walk())))
