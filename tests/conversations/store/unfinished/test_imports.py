"""A file comes in slice by slice, unseen: others write meanwhile, and all of it comes in or nothing."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from stored import keep

from turnwise.conversations.importing import ImportReport, import_file
from turnwise.conversations.store import Store
from turnwise.conversations.store.unfinished import imports


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A file of 300 conversations."""
    return written(tmp_path / "many.json", range(300))


def written(path: Path, numbers: range, *, turns: int = 2) -> Path:
    cases = [
        {
            "chatbot_role": "A clerk",
            "turns": [
                {"role": role, "content": f"{role} {number} {turn}"}
                for turn in range(turns // 2)
                for role in ("user", "assistant")
            ],
        }
        for number in numbers
    ]
    path.write_text(json.dumps(cases))
    return path


@pytest.fixture
def in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the lock go after every conversation."""
    monkeypatch.setattr(imports, "SECONDS_A_SLICE", 0.0)


def stored(path: Path, what: str = "sessions") -> int:
    """Count the rows of a table, those that nobody sees included."""
    connection = sqlite3.connect(path)
    number: int = connection.execute(f"SELECT count(*) FROM {what}").fetchone()[0]  # noqa: S608
    connection.close()
    return number


def is_tidy(path: Path) -> bool:
    tables = ("imports", "staged_sessions", "staged_findings")
    return not any(stored(path, table) for table in tables) and not list(path.parent.glob("*-importing"))


@pytest.mark.usefixtures("in_slices")
class TestWhileItComesIn:
    def test_nothing_of_it_is_seen_and_others_write(self, store: Store, many: Path) -> None:
        seen: list[tuple[int, int]] = []

        def look(_: ImportReport) -> None:
            with Store.open(store.path) as other:
                keep(other, f"meanwhile {len(seen)}")
                seen.append((other.sessions.count(), len(other.sessions.ids("assistant"))))

        report = import_file(store, many, on_progress=look)
        assert len(seen) >= 6
        assert seen == [(number + 1, 0) for number in range(len(seen))]
        assert (report.imported, store.sessions.count()) == (300, 300 + len(seen))
        assert is_tidy(store.path)

    def test_tags_of_it_are_not_counted_yet(self, store: Store, tmp_path: Path) -> None:
        path = tmp_path / "tagged.json"
        path.write_text(
            json.dumps([{"tags": ["x"], "turns": [{"role": "user", "content": str(n)}]} for n in range(60)])
        )
        seen: list[dict[str, int]] = []
        import_file(store, path, on_progress=lambda _: seen.append(store.tags.counts()))
        assert set(map(len, seen)) == {0}
        assert store.tags.counts() == {"x": 60}

    def test_what_another_keeps_that_it_holds_too_stays_whatever_becomes_of_it(
        self, store: Store, many: Path
    ) -> None:
        def add_one_and_stop(_: ImportReport) -> None:
            with Store.open(store.path) as other:
                one = import_like(other, "user 3 0", "assistant 3 0")
                assert other.sessions.get(one).turns == 2
            raise InterruptedError

        with pytest.raises(InterruptedError):
            import_file(store, many, on_progress=add_one_and_stop)
        assert [row.turns for row in store.sessions.each()] == [2]
        assert stored(store.path) == 1

    def test_one_long_conversation_lets_others_write_too(self, store: Store, tmp_path: Path) -> None:
        path = written(tmp_path / "long.json", range(1), turns=3000)
        free: list[bool] = []

        class Watched(imports.Staging):
            def breathe(self) -> None:
                super().breathe()
                free.append(True)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(imports, "Staging", Watched)
            import_file(store, path)
        assert len(free) > 3
        assert [row.turns for row in store.sessions.each()] == [3000]


class TestWhatIsBrokenOff:
    @pytest.mark.parametrize("at", [1, 3])
    def test_nothing_stays(self, store: Store, many: Path, at: int) -> None:
        heard: list[int] = []

        def stop(_: ImportReport) -> None:
            heard.append(1)
            if len(heard) == at:
                raise InterruptedError

        with pytest.raises(InterruptedError):
            import_file(store, many, on_progress=stop)
        assert stored(store.path) == 0
        assert stored(store.path, "turns") == 0
        assert is_tidy(store.path)

    def test_a_role_that_it_gave_is_taken_back(self, store: Store, many: Path) -> None:
        session = import_like(store, "user 0 0", "assistant 0 0", role="")

        def stop(report: ImportReport) -> None:
            assert report.updated == 1
            raise InterruptedError

        with pytest.raises(InterruptedError):
            import_file(store, many, on_progress=stop)
        assert store.sessions.get(session).chatbot_role == ""
        assert import_file(store, many).updated == 1

    def test_what_a_kill_leaves_is_not_seen_and_goes_with_the_next_opening(
        self, store: Store, many: Path
    ) -> None:
        with killed_import(store, many):
            assert stored(store.path) > 0
            assert store.sessions.count() == 0
        with Store.open(store.path):
            assert is_tidy(store.path)
        assert stored(store.path) == 0
        assert import_file(store, many).imported == 300

    def test_what_takes_long_to_go_goes_with_the_next_import(
        self, store: Store, many: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(imports, "SECONDS_TO_TIDY", -1.0)
        with killed_import(store, many):
            pass
        monkeypatch.setattr(imports, "SECONDS_A_SLICE", 0.0)
        Store.open(store.path).close()
        assert 0 < stored(store.path) < 300
        assert import_file(store, many).imported == 300
        assert store.sessions.count() == stored(store.path) == 300
        assert is_tidy(store.path)


def import_like(store: Store, user: str, assistant: str, *, role: str = "A clerk") -> int:
    """Keep a conversation as another command would."""
    from turnwise.conversations import ConversationalTestCase, Turn

    case = ConversationalTestCase(
        turns=[Turn(role="user", content=user), Turn(role="assistant", content=assistant)],
        chatbot_role=role or None,
    )
    return store.sessions.add(case, source="other", format="other").session_id


_KILLED = """
import os, signal, sys
from pathlib import Path
from turnwise.conversations.importing import import_file
from turnwise.conversations.store import Store
from turnwise.conversations.store.unfinished import imports
imports.SECONDS_A_SLICE = 0.0
def kill(report):
    if len(report.sessions) >= 200: os.kill(os.getpid(), signal.SIGKILL)
with Store.open(Path(sys.argv[1])) as store:
    import_file(store, sys.argv[2], on_progress=kill)
"""


class killed_import:  # noqa: N801
    """An import in a process of its own that is killed when 200 conversations are in."""

    def __init__(self, store: Store, path: Path) -> None:
        ran = subprocess.run([sys.executable, "-c", _KILLED, str(store.path), str(path)], check=False)
        assert ran.returncode == -signal.SIGKILL

    def __enter__(self) -> None:
        return

    def __exit__(self, *_: object) -> None:
        return


def test_findings_of_a_file_that_was_sealed_come_in_with_the_next_opening(
    store: Store, tmp_path: Path
) -> None:
    exported = exported_file(store, tmp_path)
    with Store.open(tmp_path / "other.db") as other:
        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(imports, "SECONDS_TO_TIDY", -1.0)
            broken.setattr(imports.ImportTable, "_keep_findings", _interrupted)
            with pytest.raises(KeyboardInterrupt):
                import_file(other, exported)
        (session,) = other.sessions.ids()
        assert other.labels.of(session) == []
    with Store.open(other.path) as again:
        assert [label.note for label in again.labels.of(session)] == ["said"]
        assert is_tidy(again.path)


def _interrupted(*_: object) -> bool:
    raise KeyboardInterrupt


def exported_file(store: Store, folder: Path) -> Path:
    from turnwise.conversations.exports import export_sessions

    session = keep(store)
    store.labels.add(session, "fail", author="me", blind=False, note="said")
    path = folder / "out.jsonl"
    export_sessions(store, [session], to="jsonl", output=path)
    return path


def test_a_second_import_waits_for_the_first(store: Store, many: Path, tmp_path: Path) -> None:
    other = written(tmp_path / "other.json", range(300, 310))
    program = (
        "import sys; from pathlib import Path; from turnwise.conversations.store import Store\n"
        "from turnwise.conversations.importing import import_file\n"
        "with Store.open(Path(sys.argv[1])) as store: print(import_file(store, sys.argv[2]).imported)"
    )
    running: list[subprocess.Popen[bytes]] = []

    def begin(_: ImportReport) -> None:
        if not running:
            running.append(
                subprocess.Popen(
                    [sys.executable, "-c", program, str(store.path), str(other)], stdout=subprocess.PIPE
                )
            )
            time.sleep(1)
            assert running[0].poll() is None

    import_file(store, many, on_progress=begin)
    out, _ = running[0].communicate(timeout=60)
    assert out == b"10\n"
    assert store.sessions.count() == 310
