"""JudgeStanding: whether the judge answers, as far as that is known without paying for it.

A judge on this machine, or at an address of one's own, is asked for its list of models once when it is taken.
Of others nothing is asked: how it went with the last calls of a run is what is known of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from turnwise.conversations.errors import JudgeUnavailableError

if TYPE_CHECKING:
    from turnwise.engine.models.settings import ModelSettings
    from turnwise.tui.shell.runs import RunState

JudgeStanding = Literal["", "answers", "slow", "trying", "away"]
"""How a judge answers; empty where nothing is known of it. trying: it does not, and a run asks it again."""
STANDING_SIGNS: dict[JudgeStanding, str] = {"answers": "●", "slow": "◐", "trying": "○", "away": "○"}
"""The sign of each, so that nothing rests on colour alone."""
SLOW_SECONDS = 1.5
"""A list of models that takes longer comes from a slow server."""
_MOST_SECONDS = 5.0
_AWAY_SECONDS = 2.0
"""A judge whose tries fail for so long does not answer."""


async def standing_of(settings: ModelSettings) -> JudgeStanding:
    """Ask a judge that costs nothing to ask for its list of models, and return how it answered."""
    from turnwise.engine.models.faults import Fault
    from turnwise.engine.models.served import seconds_to_answer

    if not costs_nothing_to_ask(settings):
        return ""
    try:
        took = await seconds_to_answer(settings.base_url, settings.api_key, seconds=_MOST_SECONDS)
    except Fault as fault:
        # A server that has no such list, or wants another key for it, is there all the same.
        return "away" if fault.status is None and fault.passing else "answers"
    return "slow" if took > SLOW_SECONDS else "answers"


def costs_nothing_to_ask(settings: ModelSettings) -> bool:
    """Return whether a judge can be asked for its models without anybody being billed or told."""
    from turnwise.engine.models.settings import is_loopback

    reached = settings.provider == "openai" and settings.model_file is None
    return reached and is_loopback(settings.base_url)


def standing_in(state: RunState, before: JudgeStanding) -> JudgeStanding:
    """Return how the judge of a run answers. before: what was known until now."""
    if not state.asked:
        return before
    if isinstance(state.error, JudgeUnavailableError):
        return "away"
    if state.retrying >= _AWAY_SECONDS or (state.over and before == "trying"):
        return "away" if state.over else "trying"
    if state.waiting:
        return "slow"
    if before == "trying":
        # A try got through.
        return "answers"
    # What was judged before says nothing of the judge of now.
    found = state.passed + state.below - state.kept
    return "answers" if found > 0 else before
