"""Out and in again: an export that is imported into an empty database goes out as the very same bytes."""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stored import failure, identity, keep, land, score, skipped

from turnwise.conversations import ConversationalTestCase, Failure, Score, Skipped, ToolCall, Turn, Verdict
from turnwise.conversations.exports import export_sessions
from turnwise.conversations.formats import Rejected, load, written_fingerprint
from turnwise.conversations.importing import import_file
from turnwise.conversations.recording import Recording
from turnwise.conversations.results import Quote
from turnwise.conversations.store import Store

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
shares = st.floats(0, 1)
turn_numbers = st.none() | st.integers(1, 9)
cases = st.fixed_dictionaries(
    {
        "turns": st.lists(
            st.builds(Turn, role=st.sampled_from(["user", "assistant"]), content=words), min_size=1
        )
    },
    optional={
        "name": words,
        "chatbot_role": words,
        "tags": st.lists(words, max_size=2),
        "metadata": st.dictionaries(words, words, max_size=2),
    },
)
quotes = st.builds(
    lambda turn, start, text: Quote(turn=turn, start=start, end=start + len(text), text=text),
    st.integers(1, 9),
    st.integers(0, 99),
    words.filter(bool),
)
verdicts = st.builds(
    Verdict,
    turn=turn_numbers,
    passed=st.none() | st.booleans(),
    word=words,
    reason=words,
    about=words,
    quote=st.none() | quotes,
)
shared: dict[str, Any] = {
    "metric": words.filter(bool),
    "reason": words,
    "exchange": turn_numbers,
    "calls": st.lists(words, max_size=2).map(tuple),
    "seconds": st.floats(0, 1e6),
    "cost": st.none() | st.floats(0, 9),
}
outcomes = (
    st.builds(
        Score,
        score=shares,
        threshold=shares,
        verdicts=st.lists(verdicts, max_size=2).map(tuple),
        details=st.dictionaries(words, words, max_size=2),
        **shared,
    )
    | st.builds(Failure, kind=words, next_step=words, **shared)
    | st.builds(Skipped, **shared)
)
labels = st.fixed_dictionaries(
    {"label": st.sampled_from(["pass", "fail", "defer", None]), "author": words, "blind": st.booleans()},
    optional={"turn": turn_numbers, "note": words, "metric": words, "value": st.none() | shares},
)


def exported(store: Store, sessions: list[int]) -> bytes:
    out = io.BytesIO()
    export_sessions(store, sessions, to="jsonl", output=out)
    return out.getvalue()


def comes_back(content: bytes) -> bytes:
    """Import an export into an empty database, and return what that one exports."""
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "other.db") as other:
        report = import_file(other, io.BytesIO(content))
        assert not report.failed, report.rejected
        return exported(other, list(report.sessions))


def keep_found(store: Store, session: int, runs: list[list[Any]], given_labels: list[dict[str, Any]]) -> None:
    """Keep outcomes, a list of them for each run, and labels; the last run takes over the first outcome."""
    first: list[int] = []
    for found in runs:
        run = store.runs.begin(
            judge="scripted-1",
            metrics=["m"],
            judge_settings={"temperature": 0.5},
            name="nightly",
            parameters={"model": "small"},
        )
        units = [(identity(session, one.metric, exchange=one.exchange), one) for one in found]
        first += store.scores.add_all(run, units)
        store.scores.link(run, first[:1])
        store.runs.finish(run)
    for label in given_labels:
        store.labels.add(session, **label)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            cases,
            st.lists(st.lists(outcomes, max_size=2), max_size=2),
            st.lists(labels, max_size=2),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_sessions_with_scores_runs_and_labels_come_back_to_the_byte(store, given_sessions):
    ids = []
    for case, runs, given_labels in given_sessions:
        added = store.sessions.add(ConversationalTestCase(**case), source="chats.json", format="deepeval")
        keep_found(store, added.session_id, runs, given_labels)
        ids.append(added.session_id)
    content = exported(store, list(dict.fromkeys(ids)))
    assert comes_back(content) == content


def test_a_recording_comes_back_with_its_times_and_its_name(store):
    for _ in range(2):
        # Twice the same words, said on two occasions, are two sessions.
        recording = Recording(store, target="echo", name="First try", clock=lambda: 10.0)
        recording.user_says("Hello")
        recording.assistant_says("Hello to you", seconds=1.5)
    ids = sorted(store.sessions.ids())
    assert len(ids) == 2
    content = exported(store, ids)
    assert comes_back(content) == content


def test_what_is_there_already_is_not_added_again(store, judged):
    content = exported(store, [judged])
    report = import_file(store, io.BytesIO(content))
    assert (report.imported, report.unchanged, report.labels, report.scores) == (0, 1, 0, 0)
    assert exported(store, [judged]) == content
    assert len(store.runs.all()) == 1


def test_scores_and_labels_join_a_conversation_that_is_there_without_them(store, judged, tmp_path):
    content = exported(store, [judged])
    with Store.open(tmp_path / "other.db") as other:
        session = keep(
            other, "Where is my bag?", "In Oslo.", name="Bag", chatbot_role="A clerk", tags=["lost"]
        )
        report = import_file(other, io.BytesIO(content))
        assert list(report.sessions) == [session]
        assert (report.imported, report.labels, report.scores) == (0, 1, 3)
        [run] = other.runs.all()
        assert (run.judge, run.scores, run.failures, run.skipped) == ("scripted-1", 1, 1, 1)
        # A unit that was judged elsewhere counts as judged here.
        assert len(other.scores.done([session])) == 2


def test_runs_are_one_across_sessions(store):
    first, second = keep(store, "a", "b"), keep(store, "c", "d")
    run = store.runs.begin(judge="scripted-1", metrics=["politeness"])
    land(store, first, score(0.5), run=run)
    land(store, second, skipped(), failure(), run=run)
    content = exported(store, [first, second])
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "other.db") as other:
        import_file(other, io.BytesIO(content))
        [kept] = other.runs.all()
        assert (kept.scores, kept.failures, kept.skipped) == (1, 1, 1)


def test_a_run_that_went_on_meanwhile_is_still_the_same_run(store):
    first, second = keep(store, "a", "b"), keep(store, "c", "d")
    run = store.runs.begin(judge="scripted-1", metrics=["politeness"])
    land(store, first, score(0.5), run=run)
    early = exported(store, [first])
    store.runs.widen(run, judge="scripted-1", metrics=["faith"], judge_settings={})
    land(store, second, skipped("faith"), run=run)
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "other.db") as other:
        import_file(other, io.BytesIO(early))
        import_file(other, io.BytesIO(exported(store, [first, second])))
        [kept] = other.runs.all()
        assert (kept.metrics, kept.scores, kept.skipped) == (("politeness", "faith"), 1, 1)


def test_a_conversation_that_was_edited_in_the_file_is_another_one(store):
    keep(store, "Where is my bag?", "In Oslo.")
    record = json.loads(exported(store, [1]))
    record["turns"][1]["content"] = "In Bergen."
    report = import_file(store, io.BytesIO(json.dumps(record).encode()))
    assert (report.imported, report.unchanged) == (1, 0)


def test_tool_calls_and_changed_tags_come_back(store):
    call = ToolCall(name="find", input_parameters={"a": 1}, output={"at": "home"}, id="c1")
    case = ConversationalTestCase(turns=[Turn(role="assistant", content="", tools_called=[call])], tags=["a"])
    session = store.sessions.add(case, source="s", format="f").session_id
    store.tags.change([session], give=["b", "c"], take=["a"])
    content = exported(store, [session])
    before, after = json.loads(content), json.loads(comes_back(content))
    # The fingerprint is taken anew where a session comes in, and that is of its tags of today.
    assert before["turnwise"].pop("fingerprint") != after["turnwise"].pop("fingerprint")
    assert before == after
    assert import_file(store, io.BytesIO(content)).unchanged == 1


class TestForgedFingerprints:
    """What a line says of its own fingerprint is looked at and never believed."""

    HONEST: ClassVar = {
        "turns": [{"role": "user", "content": "Where?"}, {"role": "assistant", "content": "Oslo."}]
    }

    def forged(self, fingerprint: str) -> bytes:
        case = {"turns": [{"role": "user", "content": "Who?"}]}
        content = written_fingerprint(ConversationalTestCase.model_validate(case))
        mark = {"form": 1, "kind": "conversation", "fingerprint": fingerprint, "content": content}
        return json.dumps({**case, "turnwise": mark}).encode()

    def test_another_conversation_cannot_take_the_place_of_an_honest_one(self, store: Store) -> None:
        honest = ConversationalTestCase.model_validate(self.HONEST)
        assert import_file(store, io.BytesIO(self.forged(honest.content_fingerprint()))).imported == 1
        report = import_file(store, io.BytesIO(json.dumps(self.HONEST).encode()))
        assert (report.imported, report.unchanged) == (1, 0)
        assert store.sessions.case(next(iter(report.sessions))).data() == honest.data()

    def test_nor_can_it_hide_behind_one_that_is_there(self, store: Store) -> None:
        [session] = import_file(store, io.BytesIO(json.dumps(self.HONEST).encode())).sessions
        report = import_file(store, io.BytesIO(self.forged(store.sessions.origin(session).fingerprint)))
        assert (report.imported, report.unchanged) == (1, 0)

    def test_the_name_of_a_recording_keeps_none_out(self, store: Store, tmp_path: Path) -> None:
        recording = Recording(store, target="echo", name="First try", clock=lambda: 10.0)
        recording.user_says("Hello")
        [recorded] = store.sessions.ids()
        content = exported(store, [recorded])
        with Store.open(tmp_path / "other.db") as other:
            import_file(other, io.BytesIO(self.forged(store.sessions.origin(recorded).fingerprint)))
            assert import_file(other, io.BytesIO(content)).imported == 1
            assert import_file(other, io.BytesIO(content)).unchanged == 1
        assert import_file(store, io.BytesIO(content)).unchanged == 1


def test_scores_labels_and_runs_from_a_file_carry_its_name(store: Store, judged: int, tmp_path: Path) -> None:
    path = tmp_path / "theirs.jsonl"
    path.write_bytes(exported(store, [judged]))
    with Store.open(tmp_path / "other.db") as other:
        [session] = import_file(other, path).sessions
        assert {row.came_from for row in other.scores.of(session)} == {"theirs.jsonl"}
        [label], [run] = other.labels.of(session), other.runs.all()
        assert (label.given_by, run.judged_by) == (
            "Ana (says theirs.jsonl)",
            "scripted-1 (says theirs.jsonl)",
        )
        # What is found here afterwards carries no file's name.
        land(other, session, score(0.5, "later"))
        assert other.scores.of(session)[-1].came_from == ""
    import_file(store, path)
    assert {row.came_from for row in (*store.scores.of(judged), *store.labels.of(judged))} == {""}


@pytest.mark.parametrize(
    ("part", "value", "problem"),
    [
        ("labels", [{"label": "great", "author": "a"}], "turnwise.labels[0].label: expected"),
        ("labels", [{"label": "pass", "author": "a", "value": 2}], "turnwise.labels[0].value"),
        ("labels", "none", "turnwise.labels: expected a list"),
        ("scores", [{"metric": "m", "outcome": "score", "threshold": 0.5}], "turnwise.scores[0].score"),
        ("scores", [{"metric": "m", "outcome": "score", "score": 0.5}], "turnwise.scores[0].threshold"),
        ("scores", [{"metric": "m", "outcome": "score", "score": 7}], "turnwise.scores[0].score"),
        ("scores", [{"metric": "m", "outcome": "skipped", "runs": [3]}], "turnwise.scores[0].runs"),
        (
            "scores",
            [{"metric": "m", "outcome": "skipped", "exchange": 10**30}],
            "turnwise.scores[0].exchange",
        ),
        ("runs", [{}], "turnwise.runs[0].judge: required"),
        ("created_at", "today", "turnwise.created_at: expected a number"),
        ("created_at", 1e300, "turnwise.created_at: "),
    ],
)
def test_what_cannot_be_is_told_by_its_field(tmp_path, part, value, problem):
    mark = {"form": 1, "kind": "conversation", part: value}
    path = tmp_path / "out.jsonl"
    path.write_text(json.dumps({"turns": [{"role": "user", "content": "hi"}], "turnwise": mark}))
    [record] = load(path)
    assert isinstance(record, Rejected)
    assert problem in record.error.detail


def test_failure_modes_come_back_each_once(store, tmp_path):
    session = keep(store)
    mode = store.modes.add("Asks again", "It asks for what it was told.", "ada")
    store.modes.assign([session], mode, "ada", turn=2)
    out = tmp_path / "out.jsonl"
    with out.open("wb") as file:
        export_sessions(store, [session], to="jsonl", output=file)
    with Store.open(tmp_path / "other.db") as other:
        assert import_file(other, out).modes == 1
        assert import_file(other, out).modes == 0
        [found] = other.modes.found_in(other.sessions.ids()[0])
    assert [found] == store.modes.found_in(session)


def test_a_failure_mode_that_cannot_be_called_so_is_told(store, tmp_path, exported):
    session = keep(store)
    line = json.loads(exported("jsonl", session))
    line["turnwise"]["modes"] = [{"name": "none", "author": "ada"}]
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps(line))
    report = import_file(store, path)
    assert "turnwise.modes" in report.rejected[0].detail
