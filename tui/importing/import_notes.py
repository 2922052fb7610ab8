"""What to look at after an import: sessions that may be several, and those that are there twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from turnwise.conversations.words import counted, listed
from turnwise.tui.session_lists.stakes_words import found_words

if TYPE_CHECKING:
    from turnwise.conversations.formats import SilencesFound
    from turnwise.conversations.importing import AkinSession, ImportReport
    from turnwise.conversations.store import Kinship, Stakes

_MOST_NUMBERS = 5
_UNITS = ((2 * 86_400.0, 86_400.0, "day"), (3600.0, 3600.0, "hour"), (0.0, 60.0, "minute"))
"""From how many seconds on a span is told in a unit, and how many seconds that is."""
_IS: dict[Kinship, tuple[str, str]] = {
    "goes on": ("goes on from", "go on from"),
    "goes on elsewhere": ("goes on from", "go on from"),
    "holds": ("holds all of", "hold all of"),
    "part": ("is a part of", "are parts of"),
    "same words": ("says the same as", "say the same as"),
}


def notes(report: ImportReport, *, forget: str = "") -> list[str]:
    """Return what is to be looked at, each with what to do.

    forget: the key of the library that forgets sessions, for the app; empty where commands are typed.
    """
    told = []
    if report.silences:
        several = "It may be two conversations" if len(report.silences) == 1 else "They may be several"
        how = "import the file by itself to part" if forget else "--split-after 6h parts"
        told.append(f"{silence_words(report.silences)} {several}: {how} them there.")
    for kinship in _IS:
        akin = [one for one in report.beside if one.kinship == kinship]
        told += [_beside_words(akin, kinship, forget, report.at_stake.get(kinship))] if akin else []
    return told


def silence_words(silences: SilencesFound) -> str:
    """Say where nobody wrote for long: "log.txt: between line 8 and line 9 lie 23 hours."."""
    within = f"{silences.within}: " if silences.within else ""
    return f"{within}{place_words(silences)}."


def place_words(silences: SilencesFound) -> str:
    """Return the same without the file: "between line 8 and line 9 lie 23 hours"."""
    first = silences.first
    if first is None:
        return ""
    more = counted(len(silences) - 1, "further place")
    rest = f", and 6 hours or more at {more}" if len(silences) > 1 else ""
    return f"between {first.before} and {first.after} lie {_span_words(first.seconds)}{rest}"


def _span_words(seconds: float) -> str:
    size, name = next((size, name) for least, size, name in _UNITS if seconds >= least)
    return counted(round(seconds / size), name)


def _beside_words(akin: Sequence[AkinSession], kinship: Kinship, key: str, at_stake: Stakes | None) -> str:
    """Say which new sessions stand beside which earlier ones, and what brings both to one."""
    one, several = _IS[kinship]
    new = list(dict.fromkeys(beside.session_id for beside in akin))
    earlier = list(dict.fromkeys(beside.earlier for beside in akin))
    verb, them = (one, "it") if len(new) == 1 else (several, "them")
    stands = "stands" if len(earlier) == 1 else "stand"
    words = f"{_sessions(new)} {verb} {_sessions(earlier).lower()}, which {stands} beside {them}."
    which = "the older one" if len(earlier) == 1 else "the older ones"
    words += f" {_takes(earlier, key)} {which} out"
    follow = "`turnwise import --follow FILE`"
    if lost := found_words(at_stake) if at_stake else "":
        # What people found is worth more than what was read a moment ago, and can be read again.
        which = "the new one" if len(new) == 1 else "the new ones"
        words += f", and {lost} with {'it' if len(earlier) == 1 else 'them'}."
        words += f" To keep what was found: {_takes(new, key)} {which} out"
        if kinship == "goes on":
            brings = f"{follow} then brings {_sessions(earlier).lower()} up to date"
            words += f"; in a shell, {brings}" if key else f"; {brings}"
        return f"{words}."
    words += "."
    if kinship in ("goes on", "holds"):
        how = f"{follow} brings a session up to date as its file grows."
        words += f" In a shell, {how}" if key else f" {how}"
    return words


def _takes(ids: Sequence[int], key: str) -> str:
    """Return what takes sessions out, as the beginning of a sentence."""
    numbers = " ".join(map(str, ids)) if len(ids) <= _MOST_NUMBERS else "NUMBER"
    return f"{key} in the library takes" if key else f"`turnwise forget {numbers}` takes"


def _sessions(ids: Sequence[int]) -> str:
    shown = [f"{number}" for number in ids[:_MOST_NUMBERS]]
    if len(ids) > _MOST_NUMBERS:
        return f"{len(ids):,} sessions (from {shown[0]} on)"
    return f"Session{'s' if len(ids) > 1 else ''} {listed(shown)}"
