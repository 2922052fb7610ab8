"""What the databases of the pictures hold: samples with recorded outcomes, and what people make of them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnwise.conversations.results import Score, Skipped
    from turnwise.conversations.store import Store
    from turnwise.conversations.store.scores import Identity

RECORDED = Path(__file__).parent / "pictures" / "recorded.jsonl"
AUTHOR = "Mia"
JUDGE = "qwen2.5-coder-1.5b"
INVENTED = "example-judge"
"""Who judges where nothing was recorded."""
THRESHOLD = 0.75
"""What scores pass at in the pictures: a strict reviewer's."""
MODES = {
    "Leaves its role": ("role", "It speaks of what its role has nothing to do with."),
    "Asks again": ("memory", "It asks for what the user had told it before."),
    "Answers something else": ("relevancy", "Its reply is about another matter than the question."),
    "Leaves it open": ("unfinished", "The conversation ends before the user has what they came for."),
}
"""Failure modes -> the flaw that samples are tagged with, and a definition."""
NOTES = {
    "Appointment moved to Thursday": "Gives stock tips in the middle of a booking.",
    "Average of a CSV column": "Talks about a chair when asked how to write a file.",
    "Noor in the Roman rooms": "Falls out of the museum into football.",
    "A carpenter at the Drowned Lantern": "The pirate knows about smartphones.",
    "Leaking kettle": "Asks for the order number twice, and no refund in the end.",
    "Flight moved to 12 June": "Says it is rebooked, but never calls the tool.",
}
CASES = (
    ("Move an appointment", "Can you move Tuesday's check-up to Thursday?"),
    ("Opening hours", "Are you open on Saturday?"),
    ("Two people at once", "I need slots for my son and for me, one after the other."),
    ("Fasting", "May I drink coffee before the blood test?"),
    ("Wrong clinic", "Do you also treat dogs?"),
    ("Complaint", "I waited for an hour last time. That is not right."),
)
"""Cases of a suite that two chatbots answer: name, and what the user asks."""
ANSWERS = {
    "short": (
        ("Yes. Thursday at 9:20 or at 14:00?", 0.9),
        ("Yes, from 9:00 to 12:00.", 0.8),
        ("Thursday at 14:00 for your son, then 14:20 for you.", 1.0),
        ("Please drink plain water only, for 10 hours before.", 1.0),
        ("We treat people only. I can look up a vet near you.", 0.8),
        ("I'm sorry that you had to wait. May I offer you our first slot?", 0.9),
    ),
    "chatty": (
        ("Of course! Thursday at 9:20 or at 14:00? And have you thought about our newsletter?", 0.6),
        ("Yes, from 9:00 to 12:00. A lovely day for a walk, too!", 0.8),
        ("Thursday at 14:00 for your son, then 14:20 for you. Such a nice family!", 1.0),
        ("A coffee is fine, I love coffee! Please drink plain water otherwise.", 0.2),
        ("Dogs are wonderful! We treat people only. I can look up a vet near you.", 0.9),
        ("Waiting is a gift: one can read. May I offer you our first slot?", 0.3),
    ),
}
"""What each chatbot replies to the cases, and how its replies are scored."""
POLITE = "The chatbot stays polite and patient throughout. It never mocks, blames or hurries the user."
DRAFTED = ("Find what the chatbot says when something went wrong.", "Look for blame, mockery and haste.")
BETTER = (*DRAFTED, "Playful speech is fine where the role asks for it.")


def fill(store: Store, *, scored: bool = True) -> None:
    """Put the samples into a store, with their recorded outcomes, judge calls and some labels."""
    from turnwise.conversations.results import Score, Skipped, Verdict
    from turnwise.conversations.samples import load_samples
    from turnwise.conversations.store.rows import CallRow
    from turnwise.conversations.store.scores import Identity

    cases = load_samples()
    ids = {}
    for case in cases:
        added = store.sessions.add(case, source="samples", format="sample", created_at=time.time())
        ids[case.name] = added.session_id
    if not scored:
        return
    lines = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]
    calls = [CallRow(**line["call"], created_at=time.time()) for line in lines if "call" in line]
    store.calls.add_all([(call, True) for call in calls])
    found: dict[str, list[tuple[Identity, Any]]] = {}
    for line in lines:
        if not (told := line.get("outcome")):
            continue
        shared = {
            "metric": told["metric"],
            "reason": told["reason"],
            "exchange": told["exchange"],
            "calls": tuple(told.get("calls", ())),
            "seconds": told["seconds"],
        }
        outcome: Score | Skipped = Skipped(**shared)
        if told["outcome"] == "score":
            verdicts = tuple(Verdict(**verdict) for verdict in told["verdicts"])
            outcome = Score(**shared, score=told["score"], threshold=THRESHOLD, verdicts=verdicts)
        judge = told["judge"] and JUDGE
        identity = Identity(
            ids[told["session"]], told["exchange"], told["metric"], 1, told["metric"], "case", judge, judge
        )
        found.setdefault(judge, []).append((identity, outcome))
    for judge, outcomes in found.items():
        run = store.runs.begin(judge=judge or "none", metrics=sorted({one.metric for one, _ in outcomes}))
        store.scores.add_all(run, outcomes)
        store.runs.finish(run)
    for case in cases[::2]:
        word = "pass" if "good" in (case.tags or ()) else "fail"
        note = "" if word == "pass" else "Not what the role asks for."
        store.labels.add(ids[case.name or ""], word, author=AUTHOR, blind=True, note=note)


def label_all(store: Store) -> None:
    """Label every session, with notes at those that fail."""
    for session_id, name, tags in _sessions(store):
        if "good" in tags:
            store.labels.add(session_id, "pass", author=AUTHOR, blind=True)
        else:
            note = NOTES.get(name, "Not what the role asks for.")
            store.labels.add(session_id, "fail", author=AUTHOR, blind=True, turn=6, note=note)


def name_modes(store: Store) -> None:
    """Label every session, name failure modes, and give them to the sessions with such a flaw."""
    label_all(store)
    for name, (flaw, definition) in MODES.items():
        mode = store.modes.add(name, definition, AUTHOR)
        store.modes.assign([one for one, _, tags in _sessions(store) if f"flaw:{flaw}" in tags], mode, AUTHOR)


def add_targets(store: Store) -> None:
    """Keep what two chatbots replied to the cases of a suite, as one scored run each."""
    from turnwise.conversations.cases import ConversationalTestCase

    for target, answers in ANSWERS.items():
        outcomes = []
        for place, ((name, question), (answer, score)) in enumerate(zip(CASES, answers, strict=True)):
            about = {"suite": "clinic", "case": place, "vars": {}, "prompt": "p", "target": target}
            turns = [
                {"role": "user", "content": "Good morning!"},
                {"role": "assistant", "content": "Good morning, this is Quillmoor Family Clinic."},
                {"role": "user", "content": question},
                {"role": "assistant", "content": answer},
            ]
            case = ConversationalTestCase.model_validate({"turns": turns, "name": name, "metadata": about})
            added = store.sessions.add(case, source="clinic.yaml", format="test", created_at=time.time())
            for metric, value in (("role_adherence", score), ("turn_relevancy", (1 + score) / 2)):
                outcomes.append(_judged(added.session_id, metric, metric, value, turn=4))
        run = store.runs.begin(judge=INVENTED, metrics=["role_adherence", "turn_relevancy"], name="clinic")
        store.scores.add_all(run, outcomes)
        store.runs.finish(run)


def try_criterion(store: Store) -> None:
    """Keep two versions of a criterion, the second in a file, each tried on the sessions for that."""
    from turnwise.engine.criteria.criteria import Criterion
    from turnwise.engine.criteria.criteria_files import save_criterion
    from turnwise.engine.criteria.criterion_sample import draw_sample
    from turnwise.engine.criteria.criterion_versions import keep_version

    label_all(store)
    tags = {session: held for session, _, held in _sessions(store)}
    for steps, mistakes in ((DRAFTED, 3), (BETTER, 1)):
        criterion = Criterion(name="Politeness", criteria=POLITE, steps=list(steps), threshold=0.7)
        metric = criterion.metric()
        sample = draw_sample(store, criterion.name)
        outcomes = []
        for place, session in enumerate(sample.session_ids):
            good = ("good" in tags[session]) != (place % 3 == 1 and place // 3 < mistakes)
            score = 0.9 if good else 0.4
            outcomes.append(_judged(session, criterion.name, metric.fingerprint, score, threshold=0.7))
        version = keep_version(store, criterion, author=AUTHOR)
        run = store.runs.begin(
            judge=INVENTED,
            metrics=[criterion.name],
            name=f"{criterion.name} v{version.number}",
            parameters={
                "criterion": criterion.name,
                "criterion_version": version.fingerprint,
                "split": "dev",
                "query": "",
            },
        )
        store.scores.add_all(run, outcomes)
        store.runs.finish(run)
    save_criterion(criterion, folder=Path.cwd())


def make_queues(store: Store) -> None:
    """Keep two queues, one of them begun."""
    sessions = store.sessions.ids()
    store.queues.add("worst of May", sessions[:9], sampler="worst")
    store.queues.add("ten by chance", sessions[4:], sampler="random")
    store.labels.add(sessions[0], "pass", author=AUTHOR, blind=True)


def make_last_queue(store: Store) -> None:
    """Keep a queue that one label more completes."""
    sessions = store.sessions.ids()
    store.queues.add("ten by chance", sessions[4:], sampler="random")
    made = add_kettle(store)
    store.queues.add("worst of May", [*sessions[:8], made], sampler="worst")
    # Labels from before a queue was made do not count as its own.
    for session in sessions[:8]:
        word = store.labels.of(session)[-1].label
        store.labels.add(session, word, author=AUTHOR, blind=True)


def add_kettle(store: Store) -> int:
    """Keep one session that nobody has labelled, and return its number."""
    from turnwise.conversations.cases import ConversationalTestCase

    turns = [
        {"role": "user", "content": "My kettle hums."},
        {"role": "assistant", "content": "May I have its number?"},
    ]
    case = ConversationalTestCase.model_validate({"turns": turns, "name": "Humming kettle"})
    return store.sessions.add(case, source="shop.json", format="deepeval", created_at=time.time()).session_id


def save_filters(store: Store) -> None:
    """Keep some filters."""
    store.filters.add("to review", "label:none")
    store.filters.add("leaves its role", "role_adherence<0.75")
    store.filters.add("long and failed", "turns>10 label:fail")


def tell_history(store: Store) -> None:
    """Let two people label a session, and one of them change it."""
    session = next(one for one, name, _ in _sessions(store) if name == "Leaking kettle")
    store.labels.add(session, "defer", author=AUTHOR, blind=True)
    store.labels.add(session, "fail", author=AUTHOR, blind=True, turn=2, note=NOTES["Leaking kettle"])
    store.labels.add(session, "pass", author="Ben", blind=False, note="Rude, but he gets his kettle.")


def add_images(store: Store) -> None:
    """Keep a session with images, one of them at hand."""
    import base64
    import io

    from PIL import Image

    from turnwise.conversations import MLLMImage, MLLMTestCase
    from turnwise.conversations.images import as_conversation

    held = io.BytesIO()
    Image.linear_gradient("L").resize((96, 64)).save(held, "PNG")
    url = "data:image/png;base64," + base64.b64encode(held.getvalue()).decode()
    case = MLLMTestCase(
        input=["What is wrong with this lamp?", MLLMImage(url=url)],
        actual_output=["The shade is cracked.", MLLMImage(url="https://shop.example/lamps/shade.png")],
        name="A lamp in a picture",
    )
    store.sessions.add(as_conversation(case), source="python", format="python", created_at=time.time() + 60)


def add_learnable(store: Store) -> None:
    """Keep forty labelled sessions more, of which those that pass end with thanks."""
    from turnwise.conversations.cases import ConversationalTestCase

    for number in range(40):
        passes = number % 2 == 0
        said = (
            ("user", f"Where is parcel {number}?"),
            ("assistant", "It is in Oslo." if passes else "I am unable to say."),
            ("user", "Thanks, bye." if passes else "This is useless!"),
            ("assistant", "Gladly."),
        )
        turns = [{"role": role, "content": content} for role, content in said]
        case = ConversationalTestCase.model_validate({"turns": turns, "name": f"Parcel {number}"})
        added = store.sessions.add(case, source="shop.json", format="deepeval", created_at=time.time())
        store.labels.add(added.session_id, "pass" if passes else "fail", author=AUTHOR, blind=True)


DRESSINGS: Mapping[str, Callable[[Store], object]] = {
    "labels": label_all,
    "modes": name_modes,
    "targets": add_targets,
    "criterion": try_criterion,
    "queues": make_queues,
    "last queue": make_last_queue,
    "filters": save_filters,
    "history": tell_history,
    "images": add_images,
    "learnable": add_learnable,
}
"""What a picture may ask for beyond the samples."""


def _sessions(store: Store) -> list[tuple[int, str, list[str]]]:
    """Return the sessions of a store: id, name and tags."""
    rows = store.sessions.page("", 0, 100)
    return [(row.id, row.name, list(row.tags)) for row in sorted(rows, key=lambda row: row.id)]


def _judged(
    session: int, metric: str, fingerprint: str, value: float, *, threshold: float = THRESHOLD, turn: int = 0
) -> tuple[Identity, Score]:
    from turnwise.conversations.results import Score, Verdict
    from turnwise.conversations.store.scores import Identity

    passed = value >= threshold
    reason = "It does what it is there for." if passed else "It leads away from what was asked."
    verdict = Verdict(turn=turn, passed=passed, word="yes" if passed else "no", reason=reason)
    score = Score(
        metric=metric,
        score=value,
        threshold=threshold,
        reason=reason,
        seconds=2.4,
        verdicts=(verdict,) if turn else (),
    )
    return Identity(session, None, metric, 1, fingerprint, "case", INVENTED, INVENTED), score
