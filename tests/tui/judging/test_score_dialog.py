from __future__ import annotations

import threading
from pathlib import Path

import pytest
from criterion_sessions import by_words
from judge_server import JudgeServer, hangs, refuses
from scored_sessions import add_outcomes
from textual.widgets import Input, Static
from tui_driver import shown, until, words_shown

from turnwise.conversations.results import Score
from turnwise.conversations.store import Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_versions import keep_version
from turnwise.engine.metrics.registry import make_metric
from turnwise.engine.models.settings import ModelSettings
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.judging import score_dialog
from turnwise.tui.judging.judge_dialog import JudgeDialog
from turnwise.tui.judging.run_line import RunLine
from turnwise.tui.judging.score_dialog import ScoreDialog, units_words
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.shell.runs import ScoreRequest


def at(server: JudgeServer) -> ModelSettings:
    return ModelSettings(base_url=server.url, model="scripted-1")


def choices(app: TurnwiseApp) -> ChoiceList:
    return app.screen.query_one(ChoiceList)


async def test_the_dialog_offers_what_is_ticked_first_and_says_which_need_no_judge(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        await until(pilot, lambda: "✓  repetition" in shown(app))
        ticked = [number for number, line in enumerate(shown(app).splitlines()) if "✓" in line]
        first = next(n for n, line in enumerate(shown(app).splitlines()) if "Score 3 sessions by" in line) + 5
        assert "To begin with" in shown(app).splitlines()[first - 1]
        assert ticked == [first, first + 1]
        assert "repetition" in shown(app).splitlines()[first]
        assert "needs no judge · " in shown(app).splitlines()[first]
        assert "3 × 2 = 6 to score" in shown(app)
        assert "No judge is needed; L chooses one for what needs one." in shown(app)
        await pilot.press("slash", *"speaks")
        rows = shown(app).splitlines()
        at = next(place for place, line in enumerate(rows) if "·  speaks to judge" in line)
        # The heading says it of all below it.
        assert "Checks, without a judge" in rows[at - 1]
        assert "needs no judge" not in rows[at]


async def test_how_many_were_scored_before_fits_beside_a_metric_in_a_small_window(
    app: TurnwiseApp, filled: Store
) -> None:
    score = Score(metric="repetition", reason="", score=1.0, threshold=0.5)
    add_outcomes(filled, filled.sessions.ids()[0], score, judge="")
    async with app.run_test(size=(80, 24)) as pilot:
        app.judge.take(None)
        await pilot.press("r")
        await until(pilot, lambda: "1 of 3 scored before · needs no judge" in shown(app))
        await pilot.press("escape")
        for session in filled.sessions.ids()[1:]:
            add_outcomes(filled, session, score, judge="")
        await pilot.press("r")
        await until(pilot, lambda: "all 3 scored before" in shown(app))


@pytest.mark.parametrize("key", ["space", "f2"])
async def test_what_none_of_the_sessions_can_be_scored_by_cannot_be_ticked(
    app: TurnwiseApp, key: str
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        app.used.metrics(["repetition", "faithfulness"])
        app.judge.take(None)
        await pilot.press("r")
        await until(pilot, lambda: "3 × 1 = 3 to score" in words_shown(app))
        await pilot.press("slash", *"faithfulness", "enter")
        await until(pilot, lambda: "–  faithfulness" in shown(app))
        # That of all turns stands above it, and can be ticked as little.
        await pilot.press("j")
        await until(pilot, lambda: choices(app).current.id == "faithfulness")  # type: ignore[union-attr]
        await pilot.press(key)
        await until(pilot, lambda: "can score none of these: needs" in words_shown(app))
        assert "✓  faithfulness" not in shown(app)
        assert "3 × 1 = 3 to score" in words_shown(app)
        # Of each session only the last exchange is known not to have it.
        await pilot.press("z")
        await until(pilot, lambda: "·  faithfulness" in shown(app))


async def test_where_no_metric_is_found_nothing_is_told_of_one(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        whole = app.screen.query_one("#whole", Static)
        await pilot.press("slash", *"language s")
        await until(pilot, lambda: bool(str(whole.content)))
        await pilot.press(*"zeppelin")
        await until(pilot, lambda: "no metric is like this" in shown(app))
        assert not str(whole.content)


async def test_without_a_judge_only_what_needs_none_is_ticked_and_a_judge_brings_the_others_back(
    app: TurnwiseApp, judge_server: JudgeServer
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        app.used.metrics(["role_adherence", "repetition", "answer_relevancy"])
        app.judge.take(None)
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        assert [line.split("✓")[1].split()[0] for line in shown(app).splitlines() if "✓" in line] == [
            "repetition"
        ]
        assert "are skipped" not in shown(app)
        app.judge.take(at(judge_server))
        await until(pilot, lambda: shown(app).count("✓") == 3)


async def test_where_no_check_was_used_last_the_usual_ones_are_ticked_without_a_judge(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        app.used.metrics(["role_adherence"])
        app.judge.take(None)
        await pilot.press("r")
        await until(pilot, lambda: "✓  repetition" in shown(app))
        assert "To begin with" in shown(app)
        assert "Used last" not in shown(app)


@pytest.mark.parametrize("typed", ["check", "checks", "no judge"])
async def test_checks_are_found_by_that_word(app: TurnwiseApp, typed: str) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        await pilot.press("slash", *["space" if one == " " else one for one in typed])
        await until(pilot, lambda: "role adherence" not in shown(app))
        assert "repetition" in shown(app)
        assert "unresolved cues" in shown(app)


async def test_enter_pressed_before_the_metrics_are_read_begins_once_they_are(
    app: TurnwiseApp, filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = threading.Event()
    late = score_dialog.looked_up
    held = lambda *given, **how: read.wait(20) and late(*given, **how)  # noqa: E731
    monkeypatch.setattr(score_dialog, "looked_up", held)
    async with app.run_test(size=(120, 40)) as pilot:
        app.judge.take(None)
        await pilot.press("r", "enter")
        assert isinstance(app.screen, ScoreDialog)
        assert "Tick at least one" not in shown(app)
        await until(pilot, lambda: "Reading the metrics …" in shown(app))
        read.set()
        await until(pilot, lambda: len(filled.runs.all()) == 1)


async def test_words_about_a_missing_tick_go_with_the_next_tick(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        await pilot.press("space", "j", "space", "enter")
        assert "Tick at least one metric" in shown(app)
        await pilot.press("space")
        assert "Tick at least one metric" not in shown(app)


async def test_what_is_cut_of_the_metric_under_the_cursor_stands_whole_below_the_list(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        await until(pilot, lambda: "✓  repetition" in shown(app))
        await pilot.press("j", "j", "j")
        await until(pilot, lambda: "the chatbot keeps in mind what the user has told it" in shown(app))
        row = next(line for line in shown(app).splitlines() if "knowledge retention" in line)
        assert "…" in row
        await pilot.resize_terminal(160, 50)
        await until(pilot, lambda: shown(app).count("what the user has told it") == 1)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 50)])
async def test_the_longest_words_about_a_metric_end_in_a_line_of_their_own(
    app: TurnwiseApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        await until(pilot, lambda: "✓  repetition" in shown(app))
        rows = [line.strip(" │") for line in shown(app).splitlines()]
        row = next(one for one in rows if "✓  repetition" in one)
        last = next(place for place, one in enumerate(rows) if one.endswith("themselves"))
        assert row.endswith("…") == (rows[last] != row)
        assert not rows[last + 1] or rows[last] == row
        assert "Metrics of replies" not in shown(app)


async def test_that_metrics_of_replies_judge_one_exchange_is_told_of_those_that_are_ticked(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: "✓  repetition" in shown(app))
        assert "Metrics of replies" not in shown(app)
        # Whoever asks for every exchange is told that it was heard.
        await pilot.press("z")
        assert "Metrics of replies judge every exchange." in shown(app)
        await pilot.press("z", "slash", *"summarization", "enter", "space")
        await until(pilot, lambda: "judge the last exchange." in shown(app))
        assert "Metrics of replies (summarization)" in shown(app)


async def test_a_tick_moves_nothing(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        await pilot.press("j", "j", "j", "space")
        assert "▌✓" in shown(app)
        assert "▌✓  role adherence" not in shown(app)
        # The heading of the first group is passed over.
        assert choices(app).highlighted == 5


async def test_the_ends_and_the_pages_of_the_list_are_a_key_away(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        await pilot.press("G")
        assert choices(app).highlighted == choices(app).option_count - 1
        await pilot.press("g")
        assert choices(app).highlighted == 1
        await pilot.press("pagedown")
        assert choices(app).highlighted > 5


async def test_criteria_of_ones_own_come_first_those_in_files_before_those_the_database_keeps(
    app: TurnwiseApp,
    filled: Store,
    judge_server: JudgeServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "kind.yaml").write_text("name: Kind\ncriteria: The assistant is kind.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name, words in (
        ("Kind", "It was meant otherwise."),
        ("Brief", "It is short."),
        ("Brief", "It is brief."),
    ):
        keep_version(filled, Criterion(name=name, criteria=words), author="ada")
    judge_server.default = by_words
    async with app.run_test(size=(120, 40)) as pilot:
        app.judge.take(at(judge_server))
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        rows = [line.strip(" │▌·✓") for line in shown(app).splitlines() if "Kind" in line or "Brief" in line]
        assert [row.split() for row in rows] == [
            ["Kind", "in", "kind.yaml"],
            ["Brief", "v2,", "kept", "without", "a", "file"],
        ]
        assert (
            shown(app).index("Your criteria") < shown(app).index("Kind") < shown(app).index("To begin with")
        )
        await pilot.press("a", "a", "k", "space", "enter")
        await until(pilot, lambda: filled.sessions.metrics() == ["Brief"])
        await until(pilot, lambda: not app.runs.under_way)
    newest = filled.criteria.versions("Brief")[-1]
    assert len(filled.criteria.outcomes("Brief", newest.metric_fingerprint)) == filled.sessions.count()


async def test_the_cursor_begins_on_what_is_ticked_and_enter_says_how_many_it_scores(
    app: TurnwiseApp, filled: Store
) -> None:
    keep_version(filled, Criterion(name="Brief", criteria="It is short."), author="ada")
    async with app.run_test(size=(80, 24)) as pilot:
        app.judge.take(None)
        await pilot.press("r")
        await until(pilot, lambda: "▌✓  repetition" in shown(app))
        assert "Brief" in shown(app)
        assert "enter score 2 ticked" in shown(app)
        # Its line is cut at 80 columns, and told whole below.
        assert "the others repeat an earlier one, or themselves" in words_shown(app)
        await pilot.press("space")
        await until(pilot, lambda: "enter score 1 ticked" in shown(app))
        await pilot.press("a", "a")
        await until(pilot, lambda: "enter start" in shown(app))


async def test_escape_judges_nothing(app: TurnwiseApp, filled: Store) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, LibraryScreen)
        assert filled.sessions.metrics() == []


async def test_a_run_shows_its_marks_and_tells_its_end(
    app: TurnwiseApp, filled: Store, judge_server: JudgeServer
) -> None:
    async with app.run_test(size=(140, 40)) as pilot:
        app.judge.take(at(judge_server))
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        await pilot.press("enter")
        await until(pilot, lambda: filled.sessions.metrics() == ["answer_relevancy", "role_adherence"])
        await until(pilot, lambda: not app.runs.under_way)
        await until(pilot, lambda: "answ" in shown(app) and bool(set("✓✗") & set(shown(app))))
        await until(pilot, lambda: "Scored: " in app.screen.query_one(RunLine).render_line(0).text)
        assert not list(app._notifications)
        await pilot.click(RunLine)
        assert not app.screen.query_one(RunLine).display


async def test_a_run_goes_on_while_other_screens_are_open_and_x_stops_it(
    app: TurnwiseApp, judge_server: JudgeServer
) -> None:
    judge_server.default = hangs()
    async with app.run_test(size=(140, 40)) as pilot:
        app.judge.take(at(judge_server))
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        await pilot.press("enter")
        await until(pilot, lambda: bool(judge_server.requests))
        assert app.screen.query_one(RunLine).display
        assert "scoring 0 of 6" in shown(app)
        await pilot.press("question_mark", "escape")
        assert app.runs.under_way
        await pilot.press("x")
        await until(pilot, lambda: not app.runs.under_way)
        await until(pilot, lambda: "Stopped: " in app.screen.query_one(RunLine).render_line(0).text)
        assert "The next run goes on from there." in shown(app)


async def test_a_judge_that_refuses_is_told_with_the_next_step(
    app: TurnwiseApp, judge_server: JudgeServer
) -> None:
    judge_server.default = refuses(401, "bad key")
    async with app.run_test(size=(140, 40)) as pilot:
        app.judge.take(at(judge_server))
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        await pilot.press("enter")
        await until(pilot, lambda: any(note.severity == "error" for note in app._notifications))
        note = next(note for note in app._notifications if note.severity == "error")
        assert "refuses" in note.title
        assert "→" in note.message


async def test_without_a_judge_one_is_asked_for_before_the_first_run(app: TurnwiseApp, filled: Store) -> None:
    async with app.run_test(size=(140, 40)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        # What can be scored as things are is ticked; here something that needs a judge takes its place.
        await until(pilot, lambda: "✓  repetition" in shown(app))
        await pilot.press("space", "j", "space", "j", "space", "enter")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog))
        await until(pilot, lambda: "No local server answers" in shown(app))
        none = str(choices(app).option_count)
        await pilot.press(none)
        # Nothing could be scored by what was ticked: what needs no judge is offered, and a key starts it.
        await until(pilot, lambda: "Without a judge nothing is scored by what was ticked" in shown(app))
        assert filled.runs.all() == []
        await until(pilot, lambda: "✓  repetition" in shown(app))
        assert "To begin with" in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: filled.sessions.metrics() == ["repetition", "unresolved_cues"])


async def test_leaving_ends_the_run(app: TurnwiseApp, judge_server: JudgeServer) -> None:
    judge_server.default = hangs()
    async with app.run_test(size=(140, 40)) as pilot:
        app.judge.take(at(judge_server))
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        await pilot.press("enter")
        await until(pilot, lambda: bool(judge_server.requests))
        await pilot.press("ctrl+q", "ctrl+q")
    assert app.return_value == 0
    assert not app.runs.under_way


async def test_what_no_judge_judges_is_not_counted(app: TurnwiseApp) -> None:
    async with app.run_test(size=(140, 40)) as pilot:
        app.judge.chosen = True
        app.used.metrics(("role_adherence", "repetition"))
        await pilot.press("r")
        await until(pilot, lambda: "what needs one. 3 × 1 = 3 to score" in shown(app))
        await pilot.press("j", "space")
        await until(pilot, lambda: "that need one are skipped. 3 × 1 = 3 to score" in shown(app))
        await pilot.press("k", "space")
        await until(pilot, lambda: "are skipped. Nothing else is ticked." in shown(app))


async def test_nothing_ticked_starts_nothing(app: TurnwiseApp) -> None:
    async with app.run_test(size=(140, 40)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        await pilot.press("a", "a", "enter")
        await pilot.pause()
        assert "Tick at least one metric" in shown(app)


async def test_each_turn_is_said_to_be_by_exchange(app: TurnwiseApp) -> None:
    plan = "3 × 1 = 3 to score, and every exchange of all 3 sessions"
    async with app.run_test(size=(140, 40)) as pilot:
        app.used.metrics(["role_adherence", "answer_relevancy"])
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        assert "z every exchange" in shown(app)
        await pilot.press("z")
        await until(pilot, lambda: plan in " ".join(shown(app).split()))
        assert "z last exchange" in shown(app)


def test_what_is_to_be_judged_is_said_as_far_as_it_is_known() -> None:
    whole, last, other = (
        make_metric(name) for name in ("role_adherence", "answer_relevancy", "faithfulness")
    )
    assert units_words(ScoreRequest([1], [last])) == "1 to score"
    assert units_words(ScoreRequest(range(142), [last])) == "142 × 1 = 142 to score"
    by_exchange = units_words(ScoreRequest(range(142), [last, other], each_turn=True))
    assert by_exchange == "every exchange of all 142 sessions × 2 to score"
    assert units_words(ScoreRequest([1], [last], each_turn=True)) == "every exchange of the session to score"
    assert units_words(ScoreRequest([1], [whole], each_turn=True)) == "1 to score"


async def test_a_metric_is_found_by_what_is_typed_and_ticked(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        before = choices(app).region
        await pilot.press("slash", *"retention", "enter", "space")
        assert "✓  knowledge retention" in shown(app)
        assert choices(app).option_count == 2
        assert choices(app).region == before
        await pilot.press("escape")
        assert isinstance(app.screen, ScoreDialog)
        assert choices(app).option_count > 5
        assert "3 × 3 = 9 to score" in shown(app)


async def test_the_dialog_does_not_change_its_size_while_it_reads(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).region.height > 0)
        before = app.screen.query_one("#panel").region
        await until(pilot, lambda: choices(app).option_count > 5)
        await pilot.pause()
        assert app.screen.query_one("#panel").region == before


async def test_a_metric_is_given_a_judge_of_its_own_beside_the_one_of_all(
    app: TurnwiseApp, filled: Store, judge_server: JudgeServer
) -> None:
    async with app.run_test(size=(140, 40)) as pilot:
        app.judge.take(at(judge_server))
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        assert choices(app).current.id == "role_adherence"  # type: ignore[union-attr]
        await pilot.press("f2")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog))
        assert "Which model judges by role adherence?" in shown(app)
        await until(pilot, lambda: "No local server answers" in shown(app))
        await pilot.press(str(choices(app).option_count - 1))
        app.screen.query_one(Input).value = f"{judge_server.url}#scripted-2"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog))
        words = " ".join(shown(app).split())
        assert "role adherence by scripted-2" in words
        assert "Judge: scripted-1. role adherence: scripted-2." in words
        await pilot.press("enter")
        await until(pilot, lambda: not app.runs.under_way and len(filled.sessions.metrics()) == 2)
    given = {row.metric: row.judge for row in filled.scores.of(filled.sessions.ids()[0])}
    assert given == {"role_adherence": "scripted-2", "answer_relevancy": "scripted-1"}


async def test_a_judge_of_its_own_is_taken_away_again(app: TurnwiseApp, judge_server: JudgeServer) -> None:
    async with app.run_test(size=(140, 40)) as pilot:
        app.judge.take(at(judge_server))
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        dialog = app.screen
        assert isinstance(dialog, ScoreDialog)
        dialog._own["role_adherence"] = at(judge_server)
        await pilot.press("f2")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog))
        await until(pilot, lambda: "No other local server answers" in shown(app))
        assert "none of its own" in shown(app)
        await pilot.press(str(choices(app).option_count))
        await until(pilot, lambda: app.screen is dialog)
        assert dialog._own == {}


async def test_a_check_has_no_judge_of_its_own(app: TurnwiseApp) -> None:
    async with app.run_test(size=(140, 40)) as pilot:
        app.used.metrics(("repetition",))
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and choices(app).option_count > 5)
        await pilot.press("f2")
        await until(pilot, lambda: "repetition asks no judge." in shown(app))
