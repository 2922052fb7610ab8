"""One reviewer's work from import to compare: what she reads and writes, and what the database holds after.

The same script is gone through by keys alone and by mouse alone, so that both have to leave the same behind.
"""

from __future__ import annotations

import json
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Collection
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from judge_server import JudgeServer, Request, Step, says
from judged import asked_about, gives
from textual.pilot import Pilot
from tui_driver import shown, type_text, until

from turnwise.conversations.store import Store
from turnwise.engine.criteria.criteria_files import find_criteria
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.failure_modes.failure_modes_screen import FailureModesScreen
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.settings.settings import load_settings

ME = "mia"
CONVERSATIONS = 40
QUEUED, LABELLED = 36, 30
FILE = "bookings.jsonl"
QUEUE = "friday"
CRITERION = "Stays polite"
SAVED = Path("criteria", "stays-polite.yaml")
LENIENT, STRICT = "Be lenient.", "Be strict."
FIRST_FAILURE = 2
"""Every bad conversation goes wrong at this turn."""

APPEND_ONLY = ("labels", "mode_changes", "mode_states", "mode_assignments", "scores", "criterion_versions")

NOT_BLIND = 9
"""Before this one is labelled its scores are looked at."""
LOOKED_AT = 1
"""On this one the cursor of the library is while its marks appear; it may or may not come into the queue."""
UNDONE = 4
"""This one is passed by a slip, undone, done again, and failed at last."""
MOVED = 6
"""This one is failed at a later turn of the user first, then at the turn where it goes wrong."""
LATER, LATER_REPLY = 3, 4


@dataclass(frozen=True)
class Mode:
    """A way to go wrong. reply: what the chatbot says then. note: what the reviewer writes, if anything.

    definition: empty where the mode is named while one reads.
    """

    name: str
    definition: str
    reply: str
    note: str = ""


ASKS = Mode("Repeats", "", "May I have your booking number, please?")
ROLE = Mode("Off role", "", "I am a language model and cannot book.")
RUDE = Mode("Rude", "It insults.", "You are a nuisance, stop writing to me.", note="rude!")
FEE = Mode("Made up", "", "There is a secret fee of ninety crowns.", note="what?")
QUITS = Mode("Gives up", "No try.", "There is nothing that can be done here.", note="lazy")
REFUSES = Mode("Refuses", "Says no.", "")
MODES = (ASKS, ROLE, RUDE, FEE, QUITS)
NOTED = (RUDE, FEE, QUITS)
SEEN_BY_JUDGE = (ASKS, ROLE, RUDE, FEE)
"""The strict criterion misses those who give up, and takes an apology for a fault."""
_APOLOGY = "Regrettably that is all for today."


def mode_of(number: int) -> Mode | None:
    """How conversation `number` goes wrong; None where it does not."""
    return None if number % 2 else MODES[number // 2 % len(MODES)]


def said_of(number: int) -> str:
    """What the reviewer says of a conversation in the end."""
    if mode_of(number):
        return "fail"
    return "defer" if number % 10 == 7 else "pass"


def strict_passes(number: int) -> bool:
    """What the strict criterion says of a conversation."""
    return mode_of(number) not in SEEN_BY_JUDGE and number % 10 != 5


def name_of(number: int) -> str:
    return f"Booking {number:02}"


def number_of(name: str) -> int:
    return int(name.split()[-1])


def _conversation(number: int) -> dict[str, object]:
    mode = mode_of(number)
    replies = [
        f"Gladly. I have found your booking of room {number} at once.",
        f"Breakfast is from seven, and the garden of house {number} is open.",
        _APOLOGY if number % 10 == 5 else f"The taxi comes at {number % 12 + 1} and waits at the gate.",
    ]
    if mode is ASKS:
        replies = [mode.reply] * 3
    elif mode is not None:
        replies = [mode.reply, replies[1], replies[2]]
        if mode is ROLE:
            replies[2] = f"{mode.reply} Ask a person."
    questions = [f"I have booked room {number}.", "When is breakfast?", "And the taxi?"]
    turns = [
        {"role": role, "content": text}
        for pair in zip(questions, replies, strict=True)
        for role, text in zip(("user", "assistant"), pair, strict=True)
    ]
    return {"name": name_of(number), "chatbot_role": "The front desk of a small hotel", "turns": turns}


def write_conversations(folder: Path) -> None:
    """Write the file that is imported."""
    lines = [json.dumps(_conversation(number)) for number in range(1, CONVERSATIONS + 1)]
    (folder / FILE).write_text("\n".join(lines), encoding="utf-8")


def judge_reply(request: Request) -> Step:
    """Judge as the script wants it: roles turn by turn, and the criterion by its steps."""
    if numbers := asked_about(request):
        out_of_role = ROLE.reply in request.text
        return gives("turn", {n: "no" if out_of_role and n != 4 else "yes" for n in numbers})
    bad = any(mode.reply in request.text for mode in SEEN_BY_JUDGE) or _APOLOGY in request.text
    fails = bad and LENIENT not in request.text
    reason = "Something is wrong." if fails else "All is well."
    return says({"reason": reason, "turns": [], "score": 2 if fails else 9})


def prepare(folder: Path, server: JudgeServer) -> None:
    """Lay out what is there before the reviewer comes: a file, a judge, her name in the settings."""
    write_conversations(folder)
    server.default = judge_reply
    settings = folder / "config"
    settings.mkdir(exist_ok=True)
    (settings / "settings.toml").write_text(f'author = "{ME}"\n', encoding="utf-8")


def opened(store: Store) -> TurnwiseApp:
    """The app as `turnwise` opens it."""
    return TurnwiseApp(store, settings=load_settings())


@dataclass(frozen=True)
class Figures:
    """How the strict criterion does against the labels, counted by hand."""

    both_pass: int
    false_pass: int
    false_fail: int
    both_fail: int

    @property
    def words(self) -> tuple[str, str]:
        """What the agreement screen has to say then."""
        passed, failed = self.both_pass + self.false_fail, self.false_pass + self.both_fail
        return (
            f"passed {self.both_pass} of {passed} that you passed",
            f"caught {self.both_fail} of {failed} that you failed",
        )


def figures(numbers: list[int]) -> Figures:
    """Count the figures over the labelled conversations, those put off left out."""
    pairs = [(strict_passes(n), said_of(n) == "pass") for n in numbers if said_of(n) != "defer"]
    return Figures(
        both_pass=pairs.count((True, True)),
        false_pass=pairs.count((True, False)),
        false_fail=pairs.count((False, True)),
        both_fail=pairs.count((False, False)),
    )


def labelled_numbers(store: Store) -> list[int]:
    """The conversations that the reviewer has read, in the order of the queue."""
    names = {row.id: row.name for row in store.sessions.page("", 0, CONVERSATIONS)}
    items = store.queues.items(store.queues.get(QUEUE).id)
    return [number_of(names[item.session_id]) for item in items if item.done or item.put_off]


def how_far(store: Store) -> str:
    """How far the queue is, as the screens say it."""
    queue = store.queues.get(QUEUE)
    return f"{queue.done} of {QUEUED} done" + (f", {queue.put_off} put off" if queue.put_off else "")


# What the database holds afterwards


def check_database(store: Store, folder: Path, seen: Collection[int]) -> None:
    """Assert from the database alone that all of it was kept, with its history.

    seen: the sessions whose marks stood in the library before the queue was made.
    """
    rows = store.sessions.page("", 0, CONVERSATIONS + 1)
    assert sorted(row.name for row in rows) == [name_of(n) for n in range(1, CONVERSATIONS + 1)]
    ids = {number_of(row.name): row.id for row in rows}
    numbers = labelled_numbers(store)
    assert len(numbers) == LABELLED
    _check_labels(store, ids, numbers, seen)
    _check_modes(store, ids, numbers)
    _check_criteria(store, folder)
    _check_runs(store)
    _check_queue(store)
    _check_append_only(store)


def _check_labels(store: Store, ids: dict[int, int], numbers: list[int], seen: Collection[int]) -> None:
    assert 0 < len(seen) < len(ids)
    for number, session in ids.items():
        labels = store.labels.of(session)
        assert bool(labels) == (number in numbers)
        if not labels:
            continue
        newest, mode = labels[-1], mode_of(number)
        assert newest.label == said_of(number)
        assert newest.turn == (FIRST_FAILURE if mode else None)
        assert newest.note == (mode.note if mode else "")
        assert {label.author for label in labels} == {ME}
        assert [label.created_at for label in labels] == sorted(label.created_at for label in labels)
        assert newest.created_at > 0
        if number == NOT_BLIND:
            assert not newest.blind
        elif number not in (UNDONE, MOVED, LOOKED_AT):
            assert {label.blind for label in labels} == {session not in seen}
    history = [(label.label, label.turn) for label in store.labels.of(ids[UNDONE])]
    assert history[:3] == [("pass", None), (None, None), ("pass", None)]
    assert ("fail", FIRST_FAILURE) in history[3:]
    assert [(label.label, label.turn) for label in store.labels.of(ids[MOVED])][:2] == [
        ("fail", LATER_REPLY),
        ("fail", FIRST_FAILURE),
    ]
    # The first one was blind; a change of mind once the scores were seen is not.
    slip = store.labels.of(ids[UNDONE])
    assert slip[0].blind is (ids[UNDONE] not in seen)
    assert not slip[-1].blind


def _check_modes(store: Store, ids: dict[int, int], numbers: list[int]) -> None:
    everything = {mode.name: mode for mode in store.modes.all(inactive=True)}
    assert set(everything) == {mode.name for mode in (*MODES, REFUSES)}
    assert {mode.name for mode in store.modes.all()} == {mode.name for mode in MODES}
    assert all(everything[mode.name].definition == mode.definition for mode in (*MODES, REFUSES))
    assert all(one.author == ME for one in everything.values())
    assert everything[REFUSES.name].merged_into == everything[QUITS.name].id
    for number in numbers:
        mode = mode_of(number)
        given = store.modes.of(ids[number])
        assert [(one.name, one.turn, one.author) for one in given] == (
            [(mode.name, FIRST_FAILURE, ME)] if mode else []
        )
    counts = {rate.name: (rate.sessions, rate.reviewed) for rate in store.modes.rates()}
    wrong = [mode_of(number) for number in numbers]
    judged = sum(said_of(number) != "defer" for number in numbers)
    assert counts == {mode.name: (wrong.count(mode), judged) for mode in MODES}
    told = [event.what for event in store.modes.history(everything[REFUSES.name].id)]
    assert told == ["added", "assigned", "merged"]


def _check_criteria(store: Store, folder: Path) -> None:
    lenient, strict = store.criteria.versions(CRITERION)
    assert LENIENT in lenient.text
    assert STRICT in strict.text
    assert LENIENT not in strict.text
    assert (lenient.author, strict.author) == (ME, ME)
    names = {row.id: row.name for row in store.sessions.page("", 0, CONVERSATIONS)}
    tried = store.criteria.outcomes("Stays polite", lenient.metric_fingerprint)
    assert tried
    assert {one.score for one in tried} == {0.9}
    found = store.criteria.outcomes("Stays polite", strict.metric_fingerprint)
    assert len(found) == CONVERSATIONS
    assert all((one.score == 0.9) == strict_passes(number_of(names[one.session_id])) for one in found)
    [file] = find_criteria(folder).files
    assert file.path == folder / SAVED
    assert file.criterion.fingerprint == strict.fingerprint
    assert file.criterion.steps == [STRICT]
    splits = store.splits.members()
    assert {one.session_id for one in tried} <= {one for one, split in splits.items() if split == "dev"}
    assert store.splits.uses("test") == []


def _check_runs(store: Store) -> None:
    last, strict, lenient, first = store.runs.all()
    assert (first.sessions, first.scores) == (CONVERSATIONS, 2 * CONVERSATIONS)
    assert (lenient.name, strict.name) == (f"{CRITERION} v1", f"{CRITERION} v2")
    assert lenient.sessions == strict.sessions > 0
    assert lenient.passed == lenient.scores
    assert strict.passed < strict.scores
    assert (last.sessions, last.scores) == (CONVERSATIONS, CONVERSATIONS)
    assert last.passed == sum(strict_passes(n) for n in range(1, CONVERSATIONS + 1))
    assert all(run.finished_at is not None and run.failures == 0 for run in (last, strict, lenient, first))


def _check_queue(store: Store) -> None:
    queue = store.queues.get(QUEUE)
    put_off = sum(said_of(number) == "defer" for number in labelled_numbers(store))
    assert (queue.sampler, queue.count) == ("failures", QUEUED)
    assert (queue.done, queue.put_off) == (LABELLED - put_off, put_off)
    coming = store.queues.next(queue.id)
    assert coming is not None
    assert coming.place == LABELLED + 1


def _check_append_only(store: Store) -> None:
    """No row of people's judgements was ever written over: numbers go up without a gap."""
    with closing(sqlite3.connect(store.path)) as connection:
        for table in APPEND_ONLY:
            numbers = [row[0] for row in connection.execute(f"SELECT id FROM {table} ORDER BY id")]  # noqa: S608
            assert numbers == list(range(1, len(numbers) + 1)), table


# The reviewer


class Reviewer(ABC):
    """Does one step after another, each once the screen shows that the last one is done.

    What a step takes, keys or clicks, is for who inherits. Screens are named by their classes.
    """

    def __init__(self, pilot: Pilot[int], app: TurnwiseApp, store: Store) -> None:
        self.pilot, self.app, self.store = pilot, app, store
        self.named: set[str] = set()
        """The failure modes that were named while reading."""
        self.seen: Collection[int] = ()
        """The sessions whose marks stood in the library before the queue was made."""

    async def sees(self, *texts: str) -> None:
        try:
            await until(self.pilot, lambda: all(text in shown(self.app) for text in texts))
        except AssertionError:
            raise AssertionError(f"{texts} never stood in:\n{shown(self.app)}") from None

    async def sees_no(self, text: str) -> None:
        try:
            await until(self.pilot, lambda: text not in shown(self.app))
        except AssertionError:
            raise AssertionError(f"{text!r} still stands in:\n{shown(self.app)}") from None

    async def is_at(self, screen: str) -> None:
        try:
            await until(self.pilot, lambda: type(self.app.screen).__name__ == screen)
        except AssertionError:
            raise AssertionError(f"not at {screen} but at:\n{shown(self.app)}") from None

    async def write(self, text: str) -> None:
        await type_text(self.pilot, text)

    async def run_is_over(self, runs: int) -> None:
        await until(self.pilot, lambda: len(self.store.runs.all()) == runs and not self.app.runs.under_way)
        assert self.store.runs.all()[0].finished_at is not None

    async def does_it_all(self, judge_url: str) -> None:
        """Go from an empty library to the end."""
        await self.imports()
        await self.chooses_judge(judge_url)
        await self.scores("role adherence", "repetition", runs=1)
        self.seen = self.app.sights.among(self.store.sessions.ids())
        await self.makes_queue()
        put_off = 0
        for place in range(1, LABELLED + 1):
            await self.sees(f"no. {place} · {place - 1 - put_off} of {QUEUED} done")
            number = number_of(self.app.screen.query_one(TitleBar).title)
            await self.sees(f"room {number}")
            await self.labels(number)
            put_off += said_of(number) == "defer"
            await self.sees(f"{place - put_off} of {QUEUED} done")
            if (mode := mode_of(number)) is not None:
                await self.sees(f"First failure at turn {FIRST_FAILURE}")
                await (self.notes(number, mode) if mode.note else self.gives_mode(mode))
                await self.goes_on()
        await self.sees(f"no. {LABELLED + 1} · {LABELLED - put_off} of {QUEUED} done, {put_off} put off")
        await self.goes_back("LibraryScreen")
        await self.names_modes()
        await self.tries_criterion(runs=1)
        await self.scores(CRITERION, runs=4)
        await self.looks_at_agreement()
        await self.compares()
        await self.leaves()
        await until(self.pilot, lambda: self.app._exit)

    @abstractmethod
    async def imports(self) -> None: ...
    @abstractmethod
    async def chooses_judge(self, url: str) -> None: ...
    @abstractmethod
    async def scores(self, *names: str, runs: int) -> None: ...
    @abstractmethod
    async def makes_queue(self) -> None: ...
    @abstractmethod
    async def takes_queue_up(self) -> None: ...
    @abstractmethod
    async def labels(self, number: int) -> None: ...
    @abstractmethod
    async def notes(self, number: int, mode: Mode) -> None: ...
    @abstractmethod
    async def gives_mode(self, mode: Mode) -> None: ...
    @abstractmethod
    async def goes_on(self) -> None: ...
    @abstractmethod
    async def goes_back(self, screen: str) -> None: ...
    @abstractmethod
    async def names_modes(self) -> None: ...
    @abstractmethod
    async def tries_criterion(self, runs: int) -> None: ...
    @abstractmethod
    async def looks_at_agreement(self) -> None: ...
    @abstractmethod
    async def compares(self) -> None: ...
    @abstractmethod
    async def leaves(self) -> None: ...

    @property
    def title(self) -> str:
        """The line under that of the places."""
        return shown(self.app).splitlines()[1]

    @property
    def modes_screen(self) -> FailureModesScreen:
        assert isinstance(self.app.screen, FailureModesScreen)
        return self.app.screen

    async def notes_are_given(self) -> None:
        """Wait until the notes that were given a mode are gone from the open ones."""
        await self.is_at("FailureModesScreen")
        await self.sees_no("ticked")
        left = len(self.store.modes.notes(uncoded=True))
        await until(self.pilot, lambda: len(self.modes_screen.tables.notes.rows) == left)


async def review_all(
    kind: type[Reviewer], folder: Path, store: Store, server: JudgeServer, size: tuple[int, int]
) -> None:
    """Let a reviewer of this kind do it all; then look at the database, and open the app on it again."""
    prepare(folder, server)
    app = opened(store)
    async with app.run_test(size=size) as pilot:
        reviewer = kind(pilot, app, store)
        await reviewer.does_it_all(server.url)
        seen = reviewer.seen
    with Store.open(store.path) as kept:
        check_database(kept, folder, seen)
        app = opened(kept)
        async with app.run_test(size=size) as pilot:
            reviewer = kind(pilot, app, kept)
            await reviewer.takes_queue_up()
            await reviewer.sees(f"no. {LABELLED + 1} · {how_far(kept)}")
