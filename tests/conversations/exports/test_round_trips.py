"""Out and in again by the formats of other tools: roles, texts, tool calls, scores and labels stay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shared_data import SHARED
from stored import TALK, failure, land, score, skipped

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.exports import EXPORTS, export_sessions, said_messages
from turnwise.conversations.importing import import_file
from turnwise.conversations.store import Store

BOTH_WAYS = ["otlp", "inspect", "langfuse", "langsmith"]
REAL = [
    "tau-bench/gpt-4o-airline.json",
    "mt-rag/human-evaluations.json",
    "exports/inspect/inspect_popularity.eval",
]


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "other.db") as store:
        yield store


def add(store: Store, **fields: Any) -> int:
    case = ConversationalTestCase.model_validate({**TALK, **fields})
    return store.sessions.add(case, source="test", format="test", created_at=1_760_000_000).session_id


def there_and_back(store: Store, other: Store, name: str, folder: Path) -> list[int]:
    """Export all sessions, import the file into another store, and return their ids there."""
    path = folder / f"out{EXPORTS[name].ending}"
    export_sessions(store, sorted(store.sessions.ids()), to=name, output=path, force=True)
    report = import_file(other, path)
    assert report.failed == 0, [error.detail for error in report.rejected]
    return list(report.sessions)


def said(store: Store, session_id: int) -> list[tuple[str, str, list[tuple[str, str, str | None]]]]:
    return [
        (turn.role, turn.content, [(call.name, call.arguments, call.output) for call in turn.tools_called])
        for turn in store.turns.of(session_id)
    ]


def found(store: Store, session_id: int) -> list[tuple[Any, ...]]:
    scores = [
        (row.metric, row.score, row.exchange, row.passed, row.reason, row.judge)
        for row in store.scores.of(session_id)
        if row.score is not None
    ]
    labels = [(row.label, row.author, row.turn, row.metric, row.note) for row in store.labels.of(session_id)]
    return sorted(scores, key=str) + sorted(labels, key=str)


@pytest.mark.parametrize("name", BOTH_WAYS)
def test_what_was_said_is_the_same(store: Store, other: Store, name: str, tmp_path: Path) -> None:
    session = add(store)
    (back,) = there_and_back(store, other, name, tmp_path)
    assert said(other, back) == said(store, session)


@pytest.mark.parametrize("name", BOTH_WAYS)
def test_scores_and_labels_come_back_with_who_found_them(
    store: Store, other: Store, name: str, tmp_path: Path
) -> None:
    session = add(store)
    land(store, session, score(0.6, reason="4 of 6"), skipped("faith"), failure("goal"))
    store.labels.add(session, "fail", author="Ana", blind=False, turn=4, note="It never came")
    store.labels.add(session, "pass", author="Bo", blind=False)
    (back,) = there_and_back(store, other, name, tmp_path)
    assert found(other, back) == found(store, session)


@pytest.mark.parametrize("name", BOTH_WAYS)
def test_two_sessions_of_the_same_words_stay_two_conversations(
    store: Store, other: Store, name: str, tmp_path: Path
) -> None:
    add(store, metadata={"run": 1})
    add(store, metadata={"run": 2})
    assert len(set(there_and_back(store, other, name, tmp_path))) == 2


@pytest.mark.parametrize("name", BOTH_WAYS)
@pytest.mark.parametrize(
    "turns",
    [
        [{"role": "user", "content": "Is anybody there?"}],
        [{"role": "assistant", "content": "Welcome."}, {"role": "user", "content": "Hello."}],
        [
            {"role": "user", "content": "Hello."},
            {"role": "assistant", "content": "Hi."},
            {"role": "assistant", "content": "How can I help?"},
            {"role": "user", "content": "Not at all."},
        ],
    ],
    ids=["no reply", "the chatbot begins", "twice in a row, and the user ends"],
)
def test_conversations_that_begin_and_end_otherwise(
    store: Store, other: Store, name: str, turns: list[dict[str, str]], tmp_path: Path
) -> None:
    session = add(store, turns=turns)
    (back,) = there_and_back(store, other, name, tmp_path)
    assert said(other, back) == said(store, session)


@pytest.mark.parametrize("name", ["otlp", "langfuse"])
def test_a_long_conversation_is_not_written_again_with_every_call(
    store: Store, other: Store, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(said_messages, "MOST_REPEATED", 2_000)
    turns = [
        {"role": role, "content": f"{role} {number}: " + "x" * 100}
        for number in range(60)
        for role in ("user", "assistant")
    ]
    session = add(store, turns=turns)
    (back,) = there_and_back(store, other, name, tmp_path)
    assert said(other, back) == said(store, session)
    written = (tmp_path / f"out{EXPORTS[name].ending}").stat().st_size
    assert written < 250_000


@pytest.mark.parametrize("name", BOTH_WAYS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_texts_come_back(
    name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # What is but spaces is no message for some of these tools.
    words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30)
    texts = data.draw(st.lists(words.filter(str.strip), min_size=2, max_size=6))
    roles = ["user", "assistant"] * 3
    turns = [{"role": role, "content": text} for role, text in zip(roles, texts, strict=False)]
    folder = tmp_path_factory.mktemp("any")
    with Store.open(folder / "a.db") as store, Store.open(folder / "b.db") as other:
        session = add(store, turns=turns)
        (back,) = there_and_back(store, other, name, folder)
        assert said(other, back) == said(store, session)


@pytest.mark.fixtures
@pytest.mark.parametrize("name", BOTH_WAYS)
@pytest.mark.parametrize(
    "file",
    [
        "tau-bench/gpt-4o-airline.json",
        "mt-rag/human-evaluations.json",
        "exports/inspect/inspect_popularity.eval",
    ],
)
def test_real_conversations_come_back(
    store: Store, other: Store, name: str, file: str, tmp_path: Path
) -> None:
    path = SHARED / "fixtures" / file
    if not path.exists():
        pytest.skip("real data is not here")
    import_file(store, path)
    back = there_and_back(store, other, name, tmp_path)
    for session, again in zip(sorted(store.sessions.ids()), back, strict=True):
        assert said(other, again) == said(store, session)
        assert [one[:4] for one in found(other, again)] == [one[:4] for one in found(store, session)]
