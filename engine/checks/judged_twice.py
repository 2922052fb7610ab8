"""Judged twice: once with sentences that may be meant for whoever judges, once without; the lower one stands.

An instruction that no rule knows for sure cannot raise a score in this way: without it the judge is not told
what to say. What came of both is told behind the reason of the one that stands, and in its details.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from turnwise.engine.checks.findings import Finding

if TYPE_CHECKING:
    from turnwise.engine.checks.asker import Asker
    from turnwise.engine.judge.masked_words import MaskedWords

TWICE = "judged_twice"
"""The key of a score's details under which it stands what came of both, and which sentences are in doubt."""


async def judged_beyond_doubt(
    find: Callable[[Asker], Awaitable[Finding]], asker: Asker, *, negated: bool = False
) -> Finding:
    """Return what a check finds, or where it showed the judge something doubtful, the lower of two findings.

    find: carries the check out. negated: what it finds is turned round afterwards, so that more is less.
    """
    shown = await find(asker)
    if not asker.doubtful:
        return shown
    doubtful = tuple(asker.doubtful)
    return lower_of(shown, await find(asker.past_doubt()), doubtful, negated=negated)


def lower_of(
    shown: Finding, without: Finding, doubtful: Sequence[MaskedWords], *, negated: bool = False
) -> Finding:
    """Return of two findings the one that stands: the one that fails or scores less, else the first.

    shown: with what is in doubt. without: without it. negated: as in `judged_beyond_doubt`.
    """
    one, other = _rank(shown), _rank(without)
    stands = without if (one < other if negated else other < one) else shown
    told = [1 - found.score if negated else found.score for found in (shown, without)]
    details = {
        "kept": "without" if stands is without else "with",
        "with": told[0],
        "without": told[1],
        "same": one == other,
        "sentences": [{**asdict(words), "place": words.place} for words in doubtful],
    }
    return replace(stands, details={**stands.details, TWICE: details})


def _rank(finding: Finding) -> tuple[bool, bool, bool, float]:
    """Return where a finding stands among others of its kind: what counts for nothing is the lowest."""
    return (finding.counts, not finding.unmet, finding.passed is not False, finding.score)


def twice_reason(details: Mapping[str, Any]) -> str:
    """Say what came of both, as a sentence behind a score's reason; empty where it was judged once."""
    twice = details.get(TWICE)
    if not twice:
        return ""
    places = [one["place"] for one in twice["sentences"]]
    what = "1 sentence that may be" if len(places) == 1 else f"{len(places)} sentences that may be"
    doubtful = f"{what} meant for whoever judges ({', '.join(Counter(places))})"
    if twice["same"]:
        return f" Judged twice, with and without {doubtful}: {twice['with']:.2f} both times."
    return (
        f" Judged twice: {twice['with']:.2f} with {doubtful}, {twice['without']:.2f} without. "
        f"The lower one stands, {twice['kept']}."
    )
