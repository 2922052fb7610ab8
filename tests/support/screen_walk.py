"""A walk through every screen and dialog of the app in a terminal, and the database that it goes through."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from compared_runs import two_targets
from criterion_sessions import by_words, labelled
from judge_server import Request, Step, says, streams
from scored_sessions import add_call, add_outcomes, add_talk, failure, retention, skipped
from terminal import Terminal
from terminal_screen import TerminalScreen

from turnwise.conversations import ConversationalTestCase, MLLMImage, MLLMTestCase
from turnwise.conversations.images import as_conversation
from turnwise.conversations.store import PairedSessions, Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_versions import keep_version
from turnwise.tui.actions import Place

_RUN = """
import os, sys
from turnwise.tui.cli.main import main
os.chdir({folder!r})
sys.argv = ["turnwise"]
main()
"""
ME = "ann"
NAME = "Refund 退款"
NOTE = "asks again " * 20
CRITERION = (
    "name: Polite\ncriteria: The assistant stays polite.\nsteps:\n  - Judge its tone.\nthreshold: 0.7\n"
)
MODES = [
    {"name": "Asks again", "definition": "It asks for what it was told.", "notes": [1]},
    {"name": "Made up", "definition": "It states what nobody gave it.", "notes": [1]},
]
"""What the judge proposes."""
ESCAPE = "\x1b"


@dataclass(frozen=True, slots=True)
class Look:
    """A screen or dialog: the keys that lead there from the one before, and a text that it alone shows.

    leave: the keys that go back; none where the walk goes on from there. gone: a text of the one before.
    """

    place: Place
    keys: str
    shows: str
    leave: str = ESCAPE
    gone: str = ""


WALK = (
    Look("library", "", "14 sessions", ""),
    Look("help", "?", "esc close"),
    Look("settings", "\x1b[20~", "high-contrast"),
    Look("menu", "\x1b[<2;30;9M\x1b[<2;30;9m", "all commands …"),
    Look("jump", "'", "letter go there"),
    Look("palette", "\x10", "Search for commands"),
    Look("palette", "\x10talk", " · talk"),
    Look("filter", "/label:", "deferred"),
    Look("filter", "/zeppelin", "Nothing matches"),
    Look("filter", "/rol:x", "does not know"),
    Look("library", "  ", "2 selected", ""),
    Look("tags", "t", "type to find a tag"),
    Look("mode_pick", "m", "Give a failure mode"),
    Look("export", "e", "everything, to keep"),
    Look("library", ESCAPE, "14 sessions", "", gone="2 selected"),
    Look("sort", "o", "Sort by"),
    Look("columns", "W", "What gets a column"),
    Look("frequency", "\x06", "most sessions first", ""),
    Look("column_choice", "\x07", "What to count"),
    Look("library", ESCAPE, "14 sessions", "", gone="most sessions first"),
    Look("library", "/talk\r", "6 of 14", ""),
    Look("filters", "F", "to review", ""),
    Look("naming", "\x13", "esc cancel"),
    Look("library", ESCAPE, "6 of 14", "", gone="to review"),
    Look("library", ESCAPE, "14 sessions", "", gone="6 of 14"),
    Look("queue", "Q", "ten by chance"),
    Look("queues", "3", "2 queues", ""),
    Look("review", "\r", "0 of 1 done", ""),
    Look("queue_end", "p", "The queue “the lamp” is done"),
    Look("queues", "", "9 to label", "", gone="is done"),
    Look("pairs", "=", "Compare sessions in pairs", ""),
    Look("preferring", "\r", "pair 1 of 1", ""),
    Look("preferences", "=", "You compared all pairs", ""),
    Look("queues", ESCAPE, "9 to label", gone="You compared all pairs"),
    Look("runs", "7", "3 runs", ""),
    Look("naming", "E", "Name of run 3"),
    Look("runs", "", "3 runs"),
    Look("tour", "\x10tour\r", "tour 1 of 9", ""),
    Look("overview", "2", "What passes least is first", ""),
    Look("overview", "\x10tour: l\r", "worst first", ESCAPE, gone="What passes least is first"),
    Look("judge", "L", "checks only", ""),
    Look("trial", "T", "What sways the judge"),
    Look("judge", "", "checks only"),
    Look("score", "r", "role adherence"),
    Look("import", "b", "mixed.jsonl", ""),
    Look("mapping", "desk.json\r", "The first turns", ""),
    Look("import", ESCAPE, "desk.json", gone="The first turns"),
    Look("import", "b", "mixed.jsonl", ""),
    Look("speakers", "people.json\r", "Who is the chatbot", ""),
    Look("import", ESCAPE, "people.json", gone="Who is the chatbot"),
    Look("import", "b", "mixed.jsonl", ""),
    Look("rejections", "mixed.jsonl\r", "1 not readable"),
    Look("talk", "\x0e", "scripted-1  http", ""),
    Look("record", "\r", "write your message", "", gone="system prompt"),
    Look("record", "At what time?\r", "at noon.", ""),
    Look("library", ESCAPE, "16 sessions", "", gone="write your message"),
    Look("simulate", "\x1bOQ", "Let simulated users talk", ""),
    Look("simulation", "scripts.yaml\r", "1 ended.", ""),
    Look("library", ESCAPE, "17 sessions", "", gone="1 ended."),
    Look("replay", "R", "■ at end"),
    Look("agreement", "6", "TPR", ""),
    Look("learn", "Y", "Too few labels to learn from"),
    Look("agreement", "", "TPR"),
    Look("compare", "C", "in both", ""),
    Look("choose_run", "A", "run 3"),
    Look("pair", "\r", "case 0, question 0", ""),
    Look("why", "w", "needs 0.50 to pass"),
    Look("compare", ESCAPE, "in both", gone="j k turn"),
    Look("criteria", "5", "Judge its tone.", ""),
    Look("question", "T", "Use the test split?"),
    Look("criteria", "r", "Tried on", ""),
    Look("improve", "I", "nearer to your labels?"),
    Look("locate", "@", "From which turn on does it fail"),
    Look("versions", "V", "1 Judge its tone."),
    Look("criteria", "\x0e", "esc leave the text", ""),
    Look("criteria", ESCAPE, "In plain words", gone="esc leave the text"),
    Look("overview", "2", "worst first", ""),
    Look("heat_map", "H", "not judged"),
    Look("failure_modes", "4", "asks again", ""),
    Look("proposals", "r", "It asks for what it was told."),
    Look("failure_modes", "l", "named by ann", ""),
    Look("mode_edit", "\x0e", "A new failure mode"),
    Look("mode_pick", "M", "type to"),
    Look("failure_modes", "%", "share (interval)", gone="definition"),
    Look("library", "/refund\r", "1 of 17", ""),
    Look("review", "\r", "scores hidden", ""),
    Look("review", "/said\r", "matches · n N", ESCAPE),
    Look("review", "c", "What did you see?"),
    Look("review", "f", "at turn 2", ""),
    Look("review", "s", "knowledge retention", "", gone="scores hidden"),
    Look("review", "i", "kept since", "i"),
    Look("label_history", "h", "Labels of “"),
    Look("score_history", "C", ", now and before"),
    Look("mode_choice", "m", "type to filter"),
    Look("why", "w", "1.50 s"),
    Look("review", "\t", "j k score", "\t"),
    Look("library", ESCAPE, "1 of 17", "", gone="j k turn"),
    Look("library", ESCAPE, "17 sessions", "", gone="1 of 17"),
    Look("library", "/lamp\r", "1 of 17", ""),
    Look("review", "\r", "What is this?", ""),
    Look("pictures", "I", "96 x 64 pixels"),
    Look("everywhere", "\x03", "Press again", ""),
)


def fill(folder: Path) -> None:
    """Make the database, a criterion, a file to import, and the settings, in a folder."""
    with Store.open(folder / "turnwise.db") as store:
        two_targets(store, [(0.9, 0.2), (0.4, 0.8), (0.7, 0.7)])
        labelled(store, 6, author=ME)
        lamp = store.sessions.add(_with_image(), source="test", format="test").session_id
        session = add_talk(store, name=NAME, words="Hello, 請退款 👋🏽. " * 12)
        add_call(store, "k1")
        add_outcomes(store, session, retention(), judge="judge-0", run=1)
        add_outcomes(store, session, retention(4, calls=("k1",)), skipped(), failure())
        store.labels.add(session, "fail", author="ben", blind=True, note=NOTE, turn=4)
        store.modes.add("Gives up", "It ends before the user has what they came for.", ME)
        mode = store.modes.add("Invents policies", "It speaks of rules that nobody gave it.", ME)
        store.modes.assign([session], mode, ME)
        store.filters.add("to review", "label:none")
        store.queues.add("ten by chance", store.sessions.ids()[:10], sampler="random")
        store.queues.add("the lamp", [lamp], sampler="random")
        first, second, *_ = store.sessions.ids()
        store.pairs.add("targets", [PairedSessions(1, first, second, "one", "other")], {"by": "model"})
        polite = Criterion(name="Polite", criteria="The assistant stays polite.", threshold=0.7)
        keep_version(store, polite, author=ME)
    (folder / "polite.yaml").write_text(CRITERION)
    good = {"turns": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello to you"}]}
    (folder / "mixed.jsonl").write_text(f"{json.dumps(good)}\n{json.dumps({'turns': 'none'})}\n")
    desk = [{"who": who, "what": {"text": f"Where is {who}'s bag?"}} for who in ("customer", "bot")]
    (folder / "desk.json").write_text(json.dumps([{"log": desk}]))
    people = [
        {
            "id": n,
            "type": "message",
            "date": "2026-01-01T10:00:00",
            "from": who,
            "from_id": who,
            "text": "Hi.",
        }
        for n, who in enumerate(("Ann", "Zed"))
    ]
    chat = {"name": "Ann", "type": "personal_chat", "id": 1, "messages": people}
    (folder / "people.json").write_text(json.dumps(chat))
    (folder / "scripts.yaml").write_text("scenarios:\n  - {name: Hours, script: [When do you open?]}\n")
    (folder / "settings.toml").write_text(f'author = "{ME}"\n')


def _with_image() -> ConversationalTestCase:
    from PIL import Image

    held = io.BytesIO()
    Image.linear_gradient("L").resize((96, 64)).save(held, "PNG")
    url = "data:image/png;base64," + base64.b64encode(held.getvalue()).decode()
    case = MLLMTestCase(input=["What is this?", MLLMImage(url=url)], actual_output=["A lamp."], name="A lamp")
    return as_conversation(case)


def answers(request: Request) -> Step:
    """Chat, propose failure modes, or judge by words."""
    if request.body.get("stream"):
        return streams("Gladly, ", "at noon.")
    if '"modes"' in json.dumps(request.body):
        return says({"modes": MODES})
    return by_words(request)


class Seen:
    """The app in a terminal, and what is on its screen."""

    def __init__(self, terminal: Terminal, size: tuple[int, int]) -> None:
        self._terminal = terminal
        self._screen = TerminalScreen(size)
        self._read = 0

    def go(self, look: Look) -> None:
        """Press what leads to a screen, wait until it is there, and check what is drawn."""
        self.press(look.keys, look.shows, gone=look.gone)

    def leave(self, look: Look) -> None:
        """Go back from it."""
        if look.leave:
            self.press(look.leave, gone=look.shows)

    def press(self, keys: str, *texts: str, gone: str = "") -> None:
        """Press keys, wait until these texts are there and another one is gone; check what is drawn."""
        if keys:
            self._terminal.press(keys)
        self._wait(texts, gone, f"{keys!r} never brought {texts}")
        assert self._screen.overflowing == []
        assert "Traceback" not in self.text

    def resize(self, size: tuple[int, int], *texts: str) -> None:
        """Give the terminal another size, and wait until these texts are there."""
        assert self.text
        self._screen.resize(size)
        self._terminal.resize(size)
        self._wait(texts, "", f"{size} never brought {texts}")

    def _wait(self, texts: Sequence[str], gone: str, otherwise: str) -> None:
        def there() -> bool:
            text = self.text
            return all(one in text for one in texts) and not (gone and gone in text)

        def stays() -> bool:
            # A key that comes while escape is still being read is another key to the app (escape, then c, is
            # alt+c), and a text may be away for a moment while a line gives way to another.
            return there() and not (gone and self._terminal.read()) and there()

        self._terminal.wait_until(stays, otherwise)

    @property
    def text(self) -> str:
        """What the screen shows of what was read so far."""
        written = self._terminal.written
        self._screen.feed(written[self._read :])
        self._read = len(written)
        return "\n".join(self._screen.lines)


@contextmanager
def opened(
    folder: Path, judge: str, size: tuple[int, int], environment: Mapping[str, str] = MappingProxyType({})
) -> Iterator[tuple[Terminal, Seen]]:
    """The app on what `fill` made, in a terminal of a size."""
    variables = {
        "TURNWISE_DB": str(folder / "turnwise.db"),
        "TURNWISE_CONFIG": str(folder),
        "TURNWISE_MODELS": str(folder / "models"),
        "XDG_DATA_HOME": str(folder / "data"),
        "OPENAI_BASE_URL": judge,
        "OPENAI_MODEL": "scripted-1",
        "TEXTUAL_ANIMATIONS": "none",
        **environment,
    }
    with Terminal(_RUN.format(folder=str(folder)), variables, size=size) as terminal:
        yield terminal, Seen(terminal, size)
