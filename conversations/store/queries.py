"""The filter language: `role:airline tag:good relevancy<0.5 turns>20 label:none "lost my bag"` to SQL.

    role:TEXT  name:TEXT  source:TEXT   the field holds the text, whatever its case
    tag:TEXT  id:N  run:N               exactly that
    label:pass|fail|defer|none          the newest label of no one metric
    mode:NAME|none                      the failure modes that people gave it
    METRIC<N  METRIC>=N  turns>N        compare the newest score, or the number of spoken turns
    METRIC:pass|fail|failure|skipped    the newest outcome
    anything else                       words that some turn or the name holds; "quoted" for a phrase
    -TERM                               not that

Terms are joined by "and". A metric is found by its name or a part of it that
no other has.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store.mode_names import NO_MODE
from turnwise.conversations.store.mode_reading import STANDING
from turnwise.conversations.texts import mend_text

LARGEST_ID = 2**63 - 1
"""No session has a larger number, and SQLite takes none."""
# A quote that is not closed yet, as while typing, is taken as if it were.
_WORD = re.compile(r'(?:[^\s"]|"[^"]*(?:"|$))+')
_QUOTED = re.compile(r'"[^"]*"?')
_NAME = r"[^\W\d][^<>=:]*?"
_COMPARISON = re.compile(rf"({_NAME})\s*(<=|>=|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_HALF_COMPARISON = re.compile(r"([^\W\d][\w .:-]*?)\s*(<=|>=|<|>)(.*)", re.DOTALL)
_AROUND_SIGN = re.compile(r"(?<=\w)\s+(<=|>=|<|>)\s*(?=-?[\d.])|(?<=\w)(<=|>=|<|>)\s+(?=-?[\d.])")
_FIELD = re.compile(rf"({_NAME}):(.*)", re.DOTALL)
_TEXT_FIELDS = {"role": "s.chatbot_role", "name": "s.name", "source": "s.source"}
_LABELS = ("pass", "fail", "defer", "none")
_OUTCOMES = ("pass", "fail", "failure", "skipped", "none")
FIELDS = (*_TEXT_FIELDS, "tag", "id", "run", "label", "mode", "turns")

_NEWEST_LABEL = (
    "(SELECT l.label FROM labels l WHERE l.session_id = s.id AND l.metric = '' ORDER BY l.id DESC LIMIT 1)"
)
_NEWEST_SCORE = (
    "(SELECT {what} FROM scores c WHERE c.session_id = s.id AND c.metric = ? "
    # As in lists: of a last-turn metric, what it found about the last exchange.
    "AND c.outcome IN ({outcomes}) ORDER BY coalesce(c.exchange, 0) DESC, c.id DESC LIMIT 1)"
)


@dataclass(frozen=True, slots=True)
class Condition:
    """A piece of SQL over `sessions s`, with the values for its question marks."""

    sql: str
    values: tuple[object, ...] = ()


def condition(
    query: str, metrics: Sequence[str] = (), modes: Mapping[str, Sequence[int]] | None = None
) -> Condition:
    """Turn a query into one condition; an empty query is true for every session.

    metrics: the names of metrics that have scores. modes: the numbers of the failure modes that count as one,
    by its name. Raises SettingError where a term means nothing.
    """
    plain = _AROUND_SIGN.sub(lambda sign: sign[1] or sign[2], mend_text(query).replace("\0", " "))
    terms = [_term(word, metrics, modes or {}) for word in _WORD.findall(plain) if word.strip('"-')]
    if not terms:
        return Condition("1")
    return Condition(
        " AND ".join(f"({term.sql})" for term in terms),
        tuple(value for term in terms for value in term.values),
    )


def _term(word: str, metrics: Sequence[str], modes: Mapping[str, Sequence[int]]) -> Condition:
    if word.startswith("-"):
        inner = _term(word[1:], metrics, modes)
        return Condition(f"NOT coalesce(({inner.sql}), 0)", inner.values)
    plain = word.replace('"', "")
    if _QUOTED.fullmatch(word):
        return _text(plain)
    if plain.lower().startswith("mode:"):
        return _mode(plain[len("mode:") :], modes)
    if match := _COMPARISON.fullmatch(plain):
        return _comparison(match[1], match[2], float(match[3]), metrics)
    if match := _HALF_COMPARISON.fullmatch(plain):
        raise SettingError(
            f"{match[1]} is compared with a number",
            detail=f"Given: {plain}",
            next_step=f'For example: {match[1]}{match[2]}0.5; to search for it as text, put it in "quotes".',
        )
    if match := _FIELD.fullmatch(plain):
        return _field(match[1].lower(), match[2], metrics)
    return _text(plain)


def _comparison(name: str, sign: str, number: float, metrics: Sequence[str]) -> Condition:
    if name.lower() == "turns":
        spoken = "(SELECT coalesce(max(t.number), 0) FROM turns t WHERE t.session_id = s.id)"
        return Condition(f"{spoken} {sign} ?", (number,))
    newest = _NEWEST_SCORE.format(what="c.score", outcomes="'score'")
    return Condition(f"{newest} {sign} ?", (_metric(name, metrics), number))


def _field(field: str, text: str, metrics: Sequence[str]) -> Condition:
    if column := _TEXT_FIELDS.get(field):
        return _holds(column, text)
    if field == "tag":
        return Condition("s.id IN (SELECT session_id FROM session_tags WHERE tag = ?)", (text,))
    if field in ("id", "run"):
        if not text.isdecimal():
            raise SettingError(
                f"{field}: takes a number",
                detail=f"Given: {field}:{text}",
                next_step=f"For example: {field}:12",
            )
        number = min(int(text), LARGEST_ID)
        if field == "id":
            return Condition("s.id = ?", (number,))
        return Condition(
            "s.id IN (SELECT c.session_id FROM run_scores r JOIN scores c ON c.id = r.score_id "
            "WHERE r.run_id = ?)",
            (number,),
        )
    if field == "label":
        if text not in _LABELS:
            raise _unknown("label", text, _LABELS)
        return Condition(f"{_NEWEST_LABEL} IS ?", (None if text == "none" else text,))
    return _outcome(field, text, metrics)


def _mode(name: str, modes: Mapping[str, Sequence[int]]) -> Condition:
    wanted = name.strip().lower()
    found = [mode for mode in modes if mode.lower() == wanted]
    found = found or [mode for mode in modes if wanted and wanted in mode.lower()]
    if wanted == NO_MODE:
        found = list(modes)
    elif len(found) > 1:
        raise SettingError(
            f"mode:{name} could be {' or '.join(sorted(found))}", next_step="Write more of it."
        )
    elif not found:
        raise _unknown("mode", name, [*modes, NO_MODE])
    numbers = [number for mode in found for number in modes[mode]]
    places = ", ".join("?" * len(numbers))
    has = f"s.id IN (SELECT a.session_id FROM {STANDING} a WHERE a.mode_id IN ({places}))"  # noqa: S608
    return Condition(f"NOT ({has})" if wanted == NO_MODE else has, tuple(numbers))


def _outcome(name: str, text: str, metrics: Sequence[str]) -> Condition:
    metric = _metric(name, metrics)
    if text not in _OUTCOMES:
        raise _unknown(name, text, _OUTCOMES)
    word = (
        "CASE WHEN c.outcome <> 'score' THEN c.outcome "
        "WHEN c.score >= c.threshold THEN 'pass' ELSE 'fail' END"
    )
    newest = _NEWEST_SCORE.format(what=word, outcomes="'score', 'failure', 'skipped'")
    return Condition(f"{newest} IS ?", (metric, None if text == "none" else text))


def _metric(name: str, metrics: Sequence[str]) -> str:
    """Find a metric by its name, or by a part of it that no other metric shares."""
    wanted = name.strip().lower()
    found = [metric for metric in metrics if metric.lower() == wanted]
    found = found or [metric for metric in metrics if wanted in metric.lower()]
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        raise SettingError(
            f"{name} could be {' or '.join(sorted(found))}", next_step="Write more of the metric's name."
        )
    raise _unknown("the filter", name, [*FIELDS, *metrics])


def _text(text: str) -> Condition:
    said = (
        "s.id IN (SELECT t.session_id FROM turns_fts f JOIN turns t ON t.id = f.rowid "
        "WHERE turns_fts MATCH ?)"
    )
    named = _holds("s.name", text)
    return Condition(f"{said} OR {named.sql}", (f'"{text}"*', *named.values))


def _holds(column: str, text: str) -> Condition:
    # Python's folding knows all letters; SQLite's is ten times as fast, and enough for A to Z.
    fold, folded = ("lower", text.lower()) if text.isascii() else ("fold", text.casefold())
    return Condition(f"instr({fold}({column}), ?) > 0", (folded,))


def _unknown(place: str, given: str, known: Sequence[str]) -> SettingError:
    near = difflib.get_close_matches(given, known, n=1)
    return SettingError(
        f"{place} does not know {given}" if given else f"{place}: takes a word",
        detail=f"Known: {', '.join(known)}",
        next_step=f"Did you mean {near[0]}?" if near else 'To search for it as text, put it in "quotes".',
    )
