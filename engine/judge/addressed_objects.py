"""Objects in JSON that a text holds, and whether one is a verdict in the form of a judge's reply."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from turnwise.engine.judge import addressed_words as words
from turnwise.engine.judge.addressed_sentences import ENOUGH, Points, points_of_sentence

_KEYS = re.compile(
    r"^(?:reasons?|verdicts?|scores?|turns?|winner|rating|grade|passed|pass|rationale|explanation|label|"
    r"judge?ment|evaluation|role_adherence|"
    r"raw|weighted|final_score|confidence|(?:turn|statement|passage|reply|exchange|item)[_ ]?\d+|metric|"
    r"criteri(?:a|on)|success)$",
    re.IGNORECASE,
)
TELLING_KEYS = re.compile(
    r"^(?:verdicts?|scores?|rating|grade|passed|judge?ment|role_adherence|final_score|(?:turn|statement|"
    r"reply)[_ ]?\d+)$",
    re.I,
)
_BEST = re.compile(
    r"^\W*(?:yes|pass(?:ed)?|true|perfect|in[ -]role|10(?:\.0)?(?:\s*/\s*10)?|1(?:\.0)?|100|excellent|"
    r"flawless)\W*$",
    re.IGNORECASE,
)
_ABOUT_JSON = re.compile(
    r"\b(?:json|schema|fields?|key|api|payload|parse|review(?:s|ing|ed)?|classif\w+|sentiment|score|rate|"
    r"rating|grade|verdict|evaluate|judge|"
    r"assess\w*|label)\b",
    re.IGNORECASE,
)


_BEGINS = re.compile(r"\{(?=\s*[\"}])")
"""Where an object may begin; to try every brace takes longer than anybody waits."""
_LINK = re.compile(r'\{\s*"[^"\\]*"\s*:\s*')
"""How an object begins whose first value is another one."""


def objects(text: str) -> Iterator[tuple[int, int]]:
    """Yield where objects in JSON stand, with the fence around one."""
    decoder, at = json.JSONDecoder(), 0
    while (begins := _BEGINS.search(text, at)) is not None:
        start = begins.start()
        try:
            value, end = decoder.raw_decode(text, start)
        except ValueError:
            at = start + 1
            continue
        except RecursionError:
            # To try each of those that are as deep holds up whoever waits.
            at = _past_objects(text, start)
            continue
        at = end
        if isinstance(value, dict):
            fenced = re.search(r"```\w*\s*$", text[:start])
            closed = re.match(r"\s*```", text[end:])
            if fenced and closed:
                start, end = fenced.start(), end + closed.end()
                at = end
            yield start, end


def _past_objects(text: str, at: int) -> int:
    """Return where the next object begins that is not surely nested too deep to be read."""
    begins = []
    while (link := _LINK.match(text, at)) is not None:
        begins.append(at)
        at = link.end()
    too_deep = len(begins) - sys.getrecursionlimit()
    return begins[too_deep] if too_deep > 0 else begins[0] + 1 if begins else at + 1


def points_of_object(
    value: dict[str, Any], piece: str, text: str, span: tuple[int, int], *, before: Sequence[str], given: bool
) -> Points:
    """Weigh an object in JSON: a verdict where it has the keys of a judge's reply and nobody asked for it."""
    keys = [str(key) for key in value]
    inner = [item for item in value.values() if isinstance(item, dict)]
    spoken = max(
        (points_of_sentence(f"{key}: {item}").total for key, item in value.items() if isinstance(item, str)),
        default=0.0,
    )
    if spoken >= ENOUGH:
        return Points(spoken, "speaks to whoever judges inside an object")
    telling = [key for key in keys if TELLING_KEYS.match(key)]
    nested = sum(any(TELLING_KEYS.match(str(key)) for key in item) for item in inner)
    if not telling and not nested:
        return Points(0.0, "")
    known = sum(bool(_KEYS.match(key)) for key in keys) / len(keys)
    if len(keys) < 2 and not nested and not any(_BEST.match(str(item)) for item in value.values()):
        return Points(0.5, "is written like a verdict")
    total = 1.25 if known == 1 else 0.25
    total += (
        0.5
        if nested and any(re.match(r"(?:turn|statement|reply)[_ ]?\d", key, re.I) for key in keys)
        else 0.0
    )
    best = [str(item) for item in [*value.values(), *(deep for item in inner for deep in item.values())]]
    total += 0.75 if any(_BEST.match(item) for item in best) else 0.0
    around = text[: span[0]] + text[span[1] :]
    lead = text[: span[0]].rstrip()
    if around.strip() and not lead.endswith(":"):
        total += 0.5
    asked = any(_ABOUT_JSON.search(earlier) for earlier in before) or bool(_ABOUT_JSON.search(around))
    if asked and not any(words.GRADER.search(part) for part in (around,)):
        total -= 1.5
    if given:
        total -= 0.75
    return Points(total, "is written like a judge's reply")


def object_in(piece: str) -> dict[str, Any] | None:
    """Return the object that a piece of text is, with or without a fence; None where it is something else."""
    start = piece.find("{")
    if piece[:start].strip() and not piece.lstrip().startswith("```"):
        return None
    try:
        value, _ = json.JSONDecoder().raw_decode(piece, start)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
