"""The usual judge: what was said for turnwise goes before what is said to all programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from judge_server import JudgeServer
from judged import answers_all

from turnwise.conversations import LLMTestCase
from turnwise.conversations.errors import JudgeError, SettingError
from turnwise.engine import assert_test, evaluate
from turnwise.engine.judge.judge import open_judge
from turnwise.engine.judge.usual_judge import KeptWishes, settings_path, shown_judge, usual_judge
from turnwise.engine.metrics import AnswerRelevancyMetric

KEPT = KeptWishes(judge="embedded")
FOR_ALL = {"OPENAI_BASE_URL": "https://llm.example", "OPENAI_API_KEY": "sk-x"}


@pytest.mark.parametrize(
    ("settings", "environment", "judge", "source"),
    [
        (KEPT, {"TURNWISE_JUDGE": "none", **FOR_ALL}, "none", "TURNWISE_JUDGE"),
        (KEPT, {"TURNWISE_JUDGE": " ", **FOR_ALL}, "embedded", "your settings"),
        (KeptWishes(), FOR_ALL, None, "OPENAI_BASE_URL"),
        (KeptWishes(), {"OPENAI_API_KEY": "sk-x"}, None, "OPENAI_API_KEY"),
        (KeptWishes(), {}, None, "this machine"),
    ],
)
def test_who_names_it(
    settings: KeptWishes, environment: dict[str, str], judge: str | None, source: str
) -> None:
    named, words = usual_judge(settings, environment)
    assert named == judge
    assert source in words


@pytest.mark.parametrize(
    ("named", "shown"),
    [
        ("https://ada:secret@llm.example/v1?key=secret#m", "https://llm.example/v1#m"),
        ("m@https://ada:secret@llm.example/v1", "m@https://llm.example/v1"),
        ("https://se@cret:p@llm.example", "https://llm.example"),
        ("http://127.0.0.1:9/v1#a@b?c", "http://127.0.0.1:9/v1#a@b"),
        ("embedded:mine", "embedded:mine"),
    ],
)
def test_what_an_address_may_hide_is_not_shown(named: str, shown: str) -> None:
    assert shown_judge(named) == shown


CASE = LLMTestCase(input="Where?", actual_output="There.")


@pytest.fixture(params=["settings", "variable"])
def chosen(
    request: pytest.FixtureRequest, judge_server_apart: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> JudgeServer:
    """The judge that was chosen for always, or for this shell; what other programs are told is no judge."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    judge_server_apart.default = answers_all
    if request.param == "variable":
        monkeypatch.setenv("TURNWISE_JUDGE", f"{judge_server_apart.url}#m")
    else:
        settings_path().parent.mkdir(parents=True)
        settings_path().write_text(f'judge = "{judge_server_apart.url}#m"\njudge_tries = 2\n')
    return judge_server_apart


class TestItHoldsInPython:
    def test_where_a_metric_measures(self, chosen):
        metric = AnswerRelevancyMetric()
        assert metric.measure(CASE) == 1
        assert metric.evaluation_model == "m"

    def test_where_cases_are_evaluated(self, chosen):
        assert evaluate([CASE], [AnswerRelevancyMetric()]).success

    def test_where_a_case_is_asserted(self, chosen):
        assert_test(CASE, [AnswerRelevancyMetric()])

    def test_and_another_that_is_named_goes_before_it(self, chosen):
        with pytest.raises(AssertionError, match="no judge"):
            assert_test(CASE, [AnswerRelevancyMetric()], judge="none")
        assert chosen.requests == []


async def test_every_judge_is_waited_for_as_the_settings_say(tmp_path: Path):
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text("judge_timeout = 7\njudge_tries = 2\njudge_longest_wait = 3.5\n")
    async with open_judge("http://127.0.0.1:9/v1#m") as judge:
        assert judge is not None
        settings = judge.settings
    assert (settings.timeout, settings.tries, settings.longest_wait) == (7, 2, 3.5)


@pytest.mark.parametrize(
    ("text", "told"),
    [("judge = 5", "judge = 5"), ("judge =", "no TOML"), ('judge_tries = "many"', "judge_tries = 'many'")],
)
async def test_settings_that_mean_nothing_are_told(text: str, told: str):
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text(text)
    with pytest.raises(SettingError, match=told):
        await AnswerRelevancyMetric().a_measure(CASE)


class TestWithoutAJudge:
    """Whoever has none is told what to do, wherever it is missed."""

    STEP = "turnwise judge use"

    def test_where_a_metric_measures(self):
        with pytest.raises(JudgeError) as caught:
            AnswerRelevancyMetric(model="none").measure(CASE)
        assert self.STEP in caught.value.next_step

    def test_where_cases_are_evaluated(self, capsys):
        evaluate([CASE], [AnswerRelevancyMetric()], judge="none")
        assert self.STEP in capsys.readouterr().out

    def test_where_a_case_is_asserted(self):
        with pytest.raises(AssertionError, match=self.STEP):
            assert_test(CASE, [AnswerRelevancyMetric()], judge="none")
