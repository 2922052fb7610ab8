"""Shares: verdicts become a finding."""

from turnwise.conversations.results import Verdict
from turnwise.engine.metrics.shares import share_finding


def test_the_score_is_the_share_unless_another_is_given():
    verdicts = [
        Verdict(turn=2, passed=True, word="yes"),
        Verdict(turn=4, passed=False, word="no", reason="r"),
    ]
    finding = share_finding(verdicts, {"a": 1}, good="fit", bad="do not fit")
    assert (finding.score, finding.details) == (0.5, {"a": 1})
    assert finding.reason == "1 of 2 replies does not fit (turn 4): r"
    assert share_finding(verdicts, {}, good="fit", bad="do not fit", score=0.1).score == 0.1
    assert share_finding([], {}, good="fit", bad="do not fit").score == 1
