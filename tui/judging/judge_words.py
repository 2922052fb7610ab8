"""Judges in words: what one is called, and how long it takes on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from turnwise.conversations.errors import JudgeRefusedError, JudgeUnavailableError, TurnwiseError
from turnwise.tui.shell.judge_standing import STANDING_SIGNS, JudgeStanding

if TYPE_CHECKING:
    from turnwise.conversations.store import Store
    from turnwise.engine.models.settings import ModelSettings
    from turnwise.tui.shell.judge_in_use import JudgeInUse


TRYING = "no answer, trying again"
"""How a judge stands that does not answer in the middle of a run."""


def judge_words(settings: ModelSettings | None, trouble: TurnwiseError | None = None) -> str:
    """Name a judge in a few words. trouble: why there is none, though one was named."""
    if settings is None:
        return "none" if trouble is None else trouble_words(trouble)
    name = f"embedded {settings.model}" if settings.model_file is not None else settings.model
    return f"{name}, offline" if settings.is_offline else name


def standing_words(standing: JudgeStanding) -> str:
    """Say whether a judge answers, with its sign: "○ away"; nothing where it is not known."""
    words = TRYING if standing == "trying" else standing
    return f"{STANDING_SIGNS[standing]} {words}" if standing else ""


def judge_in_title(judge: JudgeInUse) -> str:
    """Name the judge of the app, with how it stands where there is one: "judge: gpt-4.1-mini ○ away"."""
    if not judge.known:
        return "judge: …"
    if judge.settings is None and judge.trouble is None:
        # "Judge: none" would read as if the scores below had none.
        return "no judge in use"
    standing = standing_words(judge.standing) if judge.settings else ""
    return f"judge: {judge_words(judge.settings, judge.trouble)} {standing}".rstrip()


def trouble_words(trouble: TurnwiseError) -> str:
    """Say in two words why the judge that was named cannot judge."""
    if isinstance(trouble, JudgeUnavailableError):
        return "not reachable"
    return "refuses" if isinstance(trouble, JudgeRefusedError) else "to be chosen"


def gigabytes(count: int) -> str:
    """Return a size as people say it: "1.1 GB", "491 MB"."""
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:,.0f} MB"


def seconds_a_session(store: Store, judge: ModelSettings, metrics: Sequence[str]) -> float | None:
    """Return about how long these metrics take for a session, as they did of late on this machine.

    None where one of them never was judged by this judge: then nothing honest can be said.
    """
    from turnwise.engine.scoring.runner import WORKERS_A_CALL

    known = [store.scores.typical_seconds(metric, judge.model) for metric in metrics]
    if any(seconds is None for seconds in known):
        return None
    # So many are under way at once, and each one's time holds its wait for the others.
    return sum(seconds or 0.0 for seconds in known) / (WORKERS_A_CALL * judge.concurrency)
