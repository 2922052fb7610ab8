"""Judges in words: what one is called, and how long it takes on this machine."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from turnwise.conversations.errors import JudgeRefusedError, JudgeUnavailableError, TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.shell.judge_standing import STANDING_SIGNS, JudgeStanding

if TYPE_CHECKING:
    from turnwise.conversations.store import Store
    from turnwise.engine.models.settings import ModelSettings
    from turnwise.tui.shell.judge_in_use import JudgeInUse


ROOMY_FROM = 110
"""From this many cells on, a title has room for the judge's last trial."""
TRYING = "no answer, trying again"
"""How a judge stands that does not answer in the middle of a run."""

CHECKS_ONLY = "checks only; what needs a judge is skipped"
CHECKS_INSTEAD = "score by checks instead, which need none"
"""What goes on where no judge is chosen."""


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


def judge_in_title(judge: JudgeInUse, width: int = 0) -> str:
    """Name the judge of the app, with how it stands where there is one: "judge: gpt-4.1-mini ○ away".

    width: of the title; a wide one says too how the judge's last trial came out.
    """
    if not judge.known:
        return "judge: …"
    if judge.settings is None and judge.trouble is None:
        # "Judge: none" would read as if the scores below had none.
        return "no judge in use"
    standing = standing_words(judge.standing) if judge.settings else ""
    named = f"judge: {judge_words(judge.settings, judge.trouble)} {standing}".rstrip()
    if width < ROOMY_FROM or judge.tried is None or judge.settings is None:
        return named
    # What tries judges comes with the words, and most judges were never tried.
    from turnwise.tui.judging.certificate_words import trial_in_title

    return f"{named} · {make_safe_line(trial_in_title(judge.tried))}"


def trouble_words(trouble: TurnwiseError) -> str:
    """Say in two words why the judge that was named cannot judge."""
    if isinstance(trouble, JudgeUnavailableError):
        return "not reachable"
    return "refuses" if isinstance(trouble, JudgeRefusedError) else "to be chosen"


def gigabytes(count: int) -> str:
    """Return a size as people say it: "1.1 GB", "491 MB"."""
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:,.0f} MB"


class TypicalTimes:
    """How long metrics take with judges, each looked up once as long as nothing is written.

    Among very many scores of other judges that takes longer than a key may.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Hashable, str, str], float | None] = {}

    def of(self, store: Store, metric: str, judge: str, stood: Hashable) -> float | None:
        """Return about how many seconds a metric took; None where it never did.

        stood: how the store stands.
        """
        asked = stood, metric, judge
        if asked not in self._known:
            self._known = {one: known for one, known in self._known.items() if one[0] == stood}
            self._known[asked] = store.scores.typical_seconds(metric, judge)
        return self._known[asked]


def seconds_a_session(known: Sequence[float | None], judge: ModelSettings) -> float | None:
    """Return about how long metrics take for a session that took so many seconds of late on this machine.

    None where one of them never was judged by this judge: then nothing honest can be said.
    """
    from turnwise.engine.scoring.runner import WORKERS_A_CALL

    if any(seconds is None for seconds in known):
        return None
    # So many are under way at once, and each one's time holds its wait for the others.
    return sum(seconds or 0.0 for seconds in known) / (WORKERS_A_CALL * judge.concurrency)
