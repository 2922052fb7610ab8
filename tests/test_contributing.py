"""CONTRIBUTING: its recipes name files that are there, and each is true: a module, and one line in one list.

Every recipe is tried here as its reader would: a module is put where it says, a line into the list that it
names, and the thing is used through its door, the command line or the app.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import click
import pytest
from stored import keep
from tui_driver import settled, shown

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.check_types import CHECK_TYPES, CheckType
from turnwise.conversations.errors import SettingError
from turnwise.conversations.exports.export import Export
from turnwise.conversations.exports.registry import EXPORTS
from turnwise.conversations.formats import registry as formats
from turnwise.conversations.formats.format import Format, Loaded, Place
from turnwise.conversations.store.filter_fields import FILTER_FIELDS, Condition, FilterField
from turnwise.engine.checks.findings import yes_or_no
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.catalogue import METRICS
from turnwise.engine.metrics.entries import JudgedItem
from turnwise.engine.metrics.metric import Finding, Metric
from turnwise.engine.metrics.verdicts import Narrow, VerdictWords, ask_numbered, share_finding
from turnwise.engine.models.providers import PROVIDERS, ProviderEntry
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.cli.command_names import COMMANDS, GROUPS
from turnwise.tui.cli.main import run
from turnwise.tui.session_lists.session_columns import COLUMNS, ColumnKind

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPES = (
    "An import format",
    "An export format",
    "A judge metric",
    "A deterministic check",
    "A promptfoo assertion type",
    "A provider",
    "A filter of the query language",
    "A key on a screen",
    "A column of the library",
    "A command",
)


def recipe(title: str) -> str:
    """Return the text of a recipe."""
    return PAGE.split(f"### {title}\n", 1)[1].split("\n### ", 1)[0]


def paths(text: str) -> list[str]:
    """Return the files and folders that a text names, as far as their names are not to be chosen."""
    named = re.findall(r"`((?:conversations|engine|tui|tests|docs)/[^`\s]*)`", text)
    return [re.split(r"[^/]*(?:NAME|ROOM|MODULE)", path)[0] for path in named]


class TestPage:
    def test_there_are_ten_recipes(self):
        told = re.findall(r"^### (.*)$", PAGE.split("## Recipes", 1)[1], re.M)
        assert told == list(RECIPES)

    @pytest.mark.parametrize("title", RECIPES)
    def test_the_files_that_a_recipe_names_are_there(self, title):
        named = paths(recipe(title))
        assert named
        assert [path for path in named if not (ROOT / path).exists()] == []

    def test_the_map_names_rooms_that_are_there_and_leaves_none_out(self):
        told = paths(PAGE.split("## Recipes", 1)[0])
        assert [path for path in told if not (ROOT / path).exists()] == []
        rooms = [
            f"{path.parent.relative_to(ROOT)}/"
            for top in ("conversations", "engine", "tui")
            for path in (ROOT / top).glob("*/__init__.py")
        ]
        assert sorted(set(rooms) - set(told) - {"conversations/samples/"}) == []


@pytest.fixture
def add_module(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Put a module of ours among those of the program: its dotted name, and what it holds."""

    def add(name: str, **held: object) -> None:
        module = ModuleType(f"turnwise.{name}")
        vars(module).update(held)
        monkeypatch.setitem(sys.modules, module.__name__, module)

    return add


@dataclass(frozen=True)
class Ran:
    """What a command line did."""

    code: int
    out: str
    err: str


@pytest.fixture
def turnwise(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run a command line in this process, without the servers of this machine."""
    monkeypatch.setattr("turnwise.engine.models.served.LOCAL_SERVERS", {})

    def command(*arguments: object) -> Ran:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        return Ran(code, *capsys.readouterr())

    return command


def test_an_import_format(turnwise, monkeypatch, tmp_path):
    def read(source, options):
        for number, line in enumerate(source.lines(), start=1):
            asked, answered = line.rstrip().split(" => ")
            turns = [{"role": "user", "content": asked}, {"role": "assistant", "content": answered}]
            yield Loaded(ConversationalTestCase(turns=turns), Place(source.name, line=number))

    arrows = Format("arrows", "lines with an arrow", lambda source: float(" => " in source.head), read)
    monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, arrows))
    path = tmp_path / "chats.arrows"
    path.write_text("Where is it? => In Oslo.\nAnd now? => In Rome.\n")
    ran = turnwise("import", path, "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["imported"] == 2
    assert "Where is it?" in turnwise("sessions").out


def test_an_export_format(turnwise, monkeypatch, add_module, store):
    def write(sessions, out, options):
        out.writelines(f"{session.name}\n" for session in sessions)

    keep(store, name="Lost bag")
    add_module("conversations.exports.names", write=write)
    monkeypatch.setitem(EXPORTS, "names", Export("names", ".names", "a name a line", "names:write"))
    assert turnwise("export", "--all", "--to", "names", "-o", store.path.parent / "x.names").code == 0
    assert (store.path.parent / "x.names").read_text() == "Lost bag\n"


class BrevityMetric(Metric):
    """Whether the chatbot's replies are brief."""

    account: ClassVar[Account] = Account(
        formula="brief replies among all", source="our own", empty="1", calls="one"
    )
    key: ClassVar[str] = "brevity"
    scope: ClassVar[str] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)

    async def assess(self, subject, asking):
        found = await ask_numbered(
            asking,
            subject=subject,
            ask="Is each reply brief?",
            noun="turn",
            items=[JudgedItem(number, number) for number in subject.reply_numbers()],
            words=VerdictWords({"yes": True, "no": False}),
            narrow=Narrow("Is the reply brief?", 1, ()),
        )
        return share_finding(found.verdicts, found.details, good="are brief", bad="are long")


class LoudnessMetric(Metric):
    """Whether the last reply keeps its voice down."""

    account: ClassVar[Account] = Account(
        formula="1 over 1 more than its exclamation marks", source="our own", empty="1", calls="none"
    )
    key: ClassVar[str] = "loudness"
    scope: ClassVar[str] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("actual_output",)
    uses_judge: ClassVar[bool] = False

    async def assess(self, subject, asking):
        loud = subject.value("actual_output").count("!")
        return Finding(score=1 / (1 + loud), reason=f"{loud} marks.")


def test_a_judge_metric(turnwise, monkeypatch, add_module, store, judge_server_apart):
    keep(store, "Where is my bag?", "In Oslo.")
    add_module("engine.metrics.conversation.brevity", BrevityMetric=BrevityMetric)
    monkeypatch.setitem(METRICS, "brevity", "conversation.brevity:BrevityMetric")
    ran = turnwise(
        "score", "--all", "--metric", "brevity", "--judge", f"{judge_server_apart.url}#m", "--json"
    )
    assert json.loads(ran.out.splitlines()[0])["score"] == 1
    assert "Is each reply brief?" in judge_server_apart.requests[0].text
    assert "brevity" in turnwise("metrics").out
    assert "replies are brief" in turnwise("metrics", "brevity").out


def test_a_deterministic_check(turnwise, monkeypatch, add_module, store):
    keep(store, "Where is my bag?", "In Oslo!")
    add_module("engine.metrics.deterministic.loudness", LoudnessMetric=LoudnessMetric)
    monkeypatch.setitem(METRICS, "loudness", "deterministic.loudness:LoudnessMetric")
    ran = turnwise("score", "--all", "--metric", "loudness", "--judge", "none", "--json")
    assert json.loads(ran.out.splitlines()[0])["score"] == 0.5


SUITE = """
prompts: ["{{city}}"]
providers: [echo]
tests:
  - vars: {city: Oslo}
    assert: [{type: shorter-than, value: 9}, {type: not-shorter-than, value: "2"}]
"""


def test_a_promptfoo_assertion_type(turnwise, monkeypatch, add_module, tmp_path):
    def shorter_than(check, answer, asker):
        try:
            most = int(str(check.value))  # A cell of a table gives a number as text.
        except ValueError:
            raise SettingError(
                "shorter-than needs a number", next_step="Give one, as in `value: 9`."
            ) from None
        return yes_or_no(check, len(answer.text) < most, expected=f"be shorter than {most}")

    add_module("engine.checks.lengths", shorter_than=shorter_than)
    monkeypatch.setitem(CHECK_TYPES, "shorter-than", CheckType("lengths:shorter_than"))
    path = tmp_path / "promptfooconfig.yaml"
    path.write_text(SUITE)
    ran = turnwise("run", path, "--json")
    assert ran.code == 0, ran.err
    checks = json.loads(ran.out.splitlines()[0])["checks"]
    assert [(check["type"], check["passed"]) for check in checks] == [
        ("shorter-than", True),
        ("not-shorter-than", True),
    ]


def test_a_provider(turnwise, monkeypatch, store):
    keep(store, "Where is my bag?", "In Oslo.")
    monkeypatch.setitem(PROVIDERS, "parrot", ProviderEntry("parrot_provider", key="PARROT_API_KEY"))
    monkeypatch.setenv("PARROT_API_KEY", "seed")
    ran = turnwise("score", "--all", "--metric", "geval:It is kind.", "--judge", "parrot:polly", "--json")
    assert "parrot" not in ran.err
    assert json.loads(ran.out.splitlines()[0])["outcome"] in ("score", "failure")


def test_a_filter_of_the_query_language(turnwise, monkeypatch, store):
    def long_name(text, known):
        return Condition("length(s.name) > ?", (int(text),))

    keep(store, name="A rather long name")
    keep(store, name="Bag")
    monkeypatch.setitem(FILTER_FIELDS, "longer", FilterField("longer", "longer:N", long_name))
    ran = turnwise("sessions", "longer:5", "--json")
    assert [json.loads(line)["name"] for line in ran.out.splitlines()] == ["A rather long name"]
    assert "Known: " in turnwise("sessions", "nonsense:1").err


KEY = """
import asyncio, sys
from pathlib import Path
from turnwise.tui.actions import ACTIONS, Action
ACTIONS["library"] += (Action("shout", ("X",), "shout", "Write it in capitals.", rank=2),)

from tui_driver import press, settled, shown
from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.library.library_screen import LibraryScreen
pressed = []
LibraryScreen.action_shout = lambda screen: pressed.append("X")

async def main():
    with Store.open(Path(sys.argv[1])) as store:
        app = TurnwiseApp(store)
        async with app.run_test(size=(160, 50)) as pilot:
            await settled(pilot)
            assert "X shout" in shown(app), shown(app)
            await press(pilot, "X")
            assert pressed == ["X"]
            await press(pilot, "question_mark")
            assert "Write it in capitals." in shown(app), shown(app)

asyncio.run(main())
"""


def test_a_key_on_a_screen(store):
    # Screens take their keys when they are imported, so that the line stands there first.
    keep(store, name="Bag")
    done = subprocess.run(
        [sys.executable, "-c", KEY, store.path],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests" / "support")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


async def test_a_column_of_the_library(monkeypatch, store):
    keep(store, name="Bag", source="from-the-archive")
    source = ColumnKind("source", 16, lambda row, now: row.source, gives_way=1, from_width=100)
    monkeypatch.setitem(COLUMNS, "source", source)
    app = TurnwiseApp(store)
    async with app.run_test(size=(200, 50)) as pilot:
        await settled(pilot)
        assert "source" in shown(app)
        assert "from-the-archive" in shown(app)


def test_a_command(turnwise, monkeypatch, add_module):
    @click.command()
    def command():
        """Say hello."""
        click.echo("hello")

    add_module("tui.cli.hello", command=command)
    monkeypatch.setitem(COMMANDS, "hello", ("hello", "Say hello."))
    monkeypatch.setitem(GROUPS, "keep", (*GROUPS["keep"], "hello"))
    assert turnwise("hello").out == "hello\n"
    assert "hello" in turnwise("--help").out
    assert "Say hello." in turnwise("--commands").out
