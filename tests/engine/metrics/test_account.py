"""Account: what a metric states of itself, for programs in fields and for people in its docstring."""

import inspect

import pytest

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.deterministic.texts import ContainsMetric
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.registry import metric_class, metric_keys


@pytest.mark.parametrize("key", metric_keys())
def test_every_metric_states_all_of_it(key):
    account = metric_class(key).account
    for part in ("formula", "source", "empty", "calls", "range"):
        text = getattr(account, part)
        assert text, part
        assert not text.endswith("."), part
    assert metric_class(key).uses_judge == (account.calls != "none")
    assert not account.asks or account.asks.endswith("?")


@pytest.mark.parametrize("key", metric_keys())
def test_the_docstring_tells_it_once(key):
    kind = metric_class(key)
    told = inspect.getdoc(kind) or ""
    for name in ("Formula", "Source", "Needs", "Direction", "Range", "Empty", "Judge calls", "Version"):
        assert told.count(f"\n{name}: ") == 1, name
    assert f"Formula: {kind.account.formula}." in " ".join(told.split())
    assert max(len(line) for line in told.splitlines()) <= 110
    assert f"Version: {kind.version}." in told


def test_a_question_that_yes_and_no_answer_is_told_as_one():
    assert Account(asks="Is it so?").as_text((), 1).startswith("Asks: Is it so?\nNeeds:")


def test_needs_in_words_follow_the_fields():
    account = Account(formula="f", needs="and more")
    assert "Needs: input, and more." in account.as_text(("input",), 1)
    assert "Needs: nothing but a reply." in Account().as_text((), 1)


def test_a_metric_of_ones_own_tells_its_own_account_and_one_without_tells_nothing_twice():
    class Own(ContainsMetric):
        """What it is."""

        account = Account(formula="f", source="s", empty="e", calls="none")
        version = 7

    class Silent(ContainsMetric):
        """What it is."""

    class Bare(Metric):
        """What it is."""

        key = "bare"
        needs = ("actual_output",)
        uses_judge = False

    assert (inspect.getdoc(Own) or "").startswith("What it is.\n\nFormula: f.\nSource: s.\n")
    assert "Version: 7." in (inspect.getdoc(Own) or "")
    assert inspect.getdoc(Silent) == "What it is."
    told = inspect.getdoc(Bare) or ""
    assert told.startswith("What it is.\n\nNeeds: actual_output.\nDirection: higher is better.")
    assert "Judge calls: none." in told
