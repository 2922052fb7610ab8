"""Thresholds of the old direction, in which less was better, are turned round where they are marked."""

import pytest

from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics import BiasMetric, HallucinationMetric, MisuseMetric, ToxicityMetric
from turnwise.engine.metrics.registry import make_metric

TURNED = [HallucinationMetric, BiasMetric, ToxicityMetric]


@pytest.mark.parametrize("kind", TURNED)
def test_a_ceiling_of_what_is_wrong_becomes_a_floor_of_what_is_right(kind):
    assert kind(threshold=0.7, direction="lower").threshold == 0.3
    assert kind(0.7).threshold == 0.7
    assert kind(direction="lower", strict_mode=True).threshold == 1


def test_with_a_setting_beside_it():
    assert MisuseMetric("travel", 0.1, direction="lower").threshold == 0.9


def test_it_is_no_part_of_the_identity():
    assert HallucinationMetric(direction="lower").fingerprint == HallucinationMetric().fingerprint


def test_it_can_be_asked_for_by_name():
    assert make_metric("hallucination:threshold=0.7,direction=lower").threshold == 0.3


def test_another_word_is_told():
    with pytest.raises(SettingError, match="direction is higher or lower"):
        HallucinationMetric(direction="down")


def test_the_metrics_say_so():
    for kind in (*TURNED, MisuseMetric):
        assert "higher is better" in kind.__doc__
        assert 'direction: "lower"' in " ".join(kind.__doc__.split())
