"""Metrics of other packages: found by their entry points, and told plainly where they are broken."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from turnwise.conversations import LLMTestCase
from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics import registry
from turnwise.engine.metrics.registry import GROUP, load_plugged, plugged_metrics

MODULE = '''
from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics import Metric
from turnwise.engine.metrics.metric import Finding


@dataclass(kw_only=True, eq=False)
class ShoutingMetric(Metric):
    """Whether the reply keeps its voice down."""

    key: ClassVar[str] = "shouting"
    scope: ClassVar[str] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("actual_output",)
    uses_judge: ClassVar[bool] = False

    mark: str = "!"

    async def assess(self, subject, asking):
        loud = subject.value("actual_output").count(self.mark)
        return Finding(score=1 / (1 + loud), reason=f"{loud} marks.")


class NoMetric:
    key = "no_metric"
'''


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Stand for an installed package: its module, and what it offers under which name."""
    (tmp_path / "voices.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "voices", raising=False)

    def offer(name: str, value: str) -> EntryPoint:
        return EntryPoint(name, value, GROUP)

    return offer


def test_a_metric_of_another_package_is_listed_made_and_measured(offered, monkeypatch):
    entry = offered("shouting", "voices:ShoutingMetric")
    monkeypatch.setattr(registry, "plugged_metrics", lambda: {"shouting": entry})
    assert registry.metric_keys()[-1] == "shouting"
    metric = registry.make_metric("shouting:mark=?")
    assert metric.measure(LLMTestCase(input="i", actual_output="What? Why?")) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("shouting", "nowhere:ShoutingMetric", "ModuleNotFoundError"),
        ("shouting", "voices:Whispering", "AttributeError"),
        ("no_metric", "voices:NoMetric", "not a class derived from"),
        ("loud", "voices:ShoutingMetric", "calls itself shouting"),
    ],
)
def test_what_is_broken_is_told_with_its_origin(offered, name, value, told):
    with pytest.raises(SettingError) as caught:
        load_plugged(offered(name, value))
    assert told in str(caught.value)
    assert value in str(caught.value)


def test_nothing_is_loaded_to_list_what_there_is(offered):
    assert list(plugged_metrics([offered("b", "nowhere:B"), offered("a", "nowhere:A")])) == ["a", "b"]
