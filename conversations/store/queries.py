"""The filter language: `role:airline tag:good relevancy<0.5 turns>20 label:none "lost my bag"` to SQL.

    FIELD:VALUE  turns>N                what `filter_fields.FILTER_FIELDS` holds: role, tag, label ...
    meta.KEY:VALUE  meta.KEY<N          what a field with keys finds, such as the metadata of a session
    METRIC<N  METRIC>=N                 compare the newest score
    METRIC:pass|fail|failure|skipped    the newest outcome
    user: bot: system: tool:            words that a turn of theirs holds
    anything else                       words that the user or the chatbot said, or that the name holds;
                                        "quoted" for a phrase; or the id that a conversation has where it
                                        comes from
    -TERM                               not that

Terms are joined by "and". A metric is found by its name or a part of it that
no other has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store.facts.search import of_source_sql
from turnwise.conversations.store.filter_fields import (
    FILTER_FIELDS,
    Condition,
    Nameable,
    field_named,
    holds,
    keyed_field,
    unknown_word,
)
from turnwise.conversations.store.searching.said_words import SAID, SCOPES, scope_sql
from turnwise.conversations.texts import mend_text

# A quote that is not closed yet, as while typing, is taken as if it were.
_WORD = re.compile(r'(?:[^\s"]|"[^"]*(?:"|$))+')
_QUOTED = re.compile(r'"[^"]*"?')
_NAME = r"[^\W\d][^<>=:]*?"
_COMPARISON = re.compile(rf"({_NAME})\s*(<=|>=|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_REST = re.compile(r"\s*(<=|>=|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_HALF_COMPARISON = re.compile(r"([^\W\d][\w .:-]*?)\s*(<=|>=|<|>)(.*)", re.DOTALL)
_AROUND_SIGN = re.compile(r"(?<=\w)\s+(?:<=|>=|<|>)\s*(?=-?[\d.])|(?<=\w)(?:<=|>=|<|>)\s+(?=-?[\d.])")
_SIGN = re.compile(r'"[^"]*(?:"|$)|(<=|>=|[:<>=])')
_JOINT = "\0"
"""Stands for a space beside a sign, so that a term has no spaces and its letters keep their places."""
_FIELD = re.compile(rf"({_NAME}):(.*)", re.DOTALL)
OUTCOME_WORDS = ("pass", "fail", "failure", "skipped", "none")
"""What may follow the colon after a metric."""

# One query over whole tables takes a tenth of the time of one a session where sessions are many.
NEWEST_OUTCOMES = (
    # As in lists: of a last-turn metric, what it found about the last exchange.
    "(SELECT session_id, outcome, score, threshold, passed, max(coalesce(exchange, 0) * 1000000000000 + id) "
    "FROM scores INDEXED BY scores_newest WHERE metric = ? AND {which} GROUP BY session_id)"
)
ONLY_SCORES = NEWEST_OUTCOMES.format(which="outcome = 'score'")
"""The newest score of each session that has one; the question mark is the metric."""
_ALL_OUTCOMES = NEWEST_OUTCOMES.format(which="1")


@dataclass(frozen=True, slots=True)
class FilterTerm:
    """One term of a query, and where it stands in it: from `start` up to `end`, in characters."""

    text: str
    start: int
    end: int

    @property
    def scope(self) -> str:
        """Where its words are searched for: a name in SCOPES."""
        name, sign, _ = name_and_value(self.text)
        return name.lower() if sign == ":" and name.lower() in SCOPES and name.lower() != SAID else SAID

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles of the turns in which its words are searched for."""
        return SCOPES[self.scope]

    @property
    def is_scoped(self) -> bool:
        """Whether it names whose turns its words are searched for in."""
        return self.scope != SAID

    @property
    def words(self) -> str:
        """The text that is searched for; empty where the term asks for something else."""
        if self.scope != SAID:
            return name_and_value(self.text)[2]
        plain = self.text.replace('"', "")
        asks = (_COMPARISON.fullmatch(plain), _HALF_COMPARISON.fullmatch(plain), _FIELD.fullmatch(plain))
        quoted = _QUOTED.fullmatch(self.text) is not None
        return plain if quoted or not (self.text.startswith("-") or any(asks)) else ""


def terms_of(query: str) -> list[FilterTerm]:
    """Split a query into its terms."""
    mended = mend_text(query).replace(_JOINT, " ")
    joined = _AROUND_SIGN.sub(lambda sign: re.sub(r"\s", _JOINT, sign[0]), mended)
    return [
        FilterTerm(word[0].replace(_JOINT, ""), *word.span())
        for word in _WORD.finditer(joined)
        if word[0].strip('"-')
    ]


def sign_in(term: str) -> re.Match[str] | None:
    """Return the first sign (: = < <= > >=) of a term that is not within quotes, as a match's group 1."""
    return next((found for found in _SIGN.finditer(term) if found[1]), None)


def name_and_value(term: str) -> tuple[str, str, str]:
    """Return what stands before the sign of a term, the sign, and what follows it; without quotes."""
    found = sign_in(term)
    parts = (term[: found.start()], term[found.end() :]) if found else (term, "")
    name, value = (part.replace('"', "").strip() for part in parts)
    return name, found[1] if found else "", value


def asks_for_run(query: str) -> bool:
    """Return whether a query finds the sessions of one run only."""
    return any(name_and_value(term.text)[:2] == ("run", ":") for term in terms_of(query))


def words_of(query: str) -> list[str]:
    """Return the words and phrases that a query searches for in what was said, or where its scopes say."""
    return [term.words for term in terms_of(query) if term.words]


def scopes_of(query: str) -> list[str]:
    """Return where the words of a query are searched for: names in SCOPES, each once."""
    return list(dict.fromkeys(term.scope for term in terms_of(query) if term.words))


def metrics_of(query: str, metrics: Sequence[str]) -> list[str]:
    """Return which of these metrics a query asks about, each once, in the order in which it does."""
    found: dict[str, None] = {}
    for term in terms_of(query):
        asked = term.text.removeprefix("-")
        name, sign, _ = name_and_value(asked)
        whole = [one for one in metrics if ":" in one and asked.lower().startswith(one.lower())]
        if whole:
            found[whole[0]] = None
        elif sign and not keyed_field(name) and field_named(name.lower()) is None:
            with suppress(SettingError):
                found[_metric(name, metrics)] = None
    return list(found)


def condition(
    query: str, metrics: Sequence[str] = (), modes: Mapping[str, Sequence[int]] | None = None
) -> Condition:
    """Turn a query into one condition; an empty query is true for every session.

    metrics: the names of metrics that have scores. modes: the numbers of the failure modes that count as one,
    by its name. Raises SettingError where a term means nothing.
    """
    known = Nameable(metrics, modes or {})
    terms = [_term(term.text, known) for term in terms_of(query)]
    if not terms:
        return Condition("1")
    return Condition(
        " AND ".join(f"({term.sql})" for term in terms),
        tuple(value for term in terms for value in term.values),
    )


def wrong_term(
    query: str, metrics: Sequence[str] = (), modes: Mapping[str, Sequence[int]] | None = None
) -> FilterTerm | None:
    """Return the first term that `condition` would raise an error for."""
    known = Nameable(metrics, modes or {})
    for term in terms_of(query):
        try:
            _term(term.text, known)
        except SettingError:
            return term
    return None


def _term(word: str, known: Nameable) -> Condition:
    if word.startswith("-"):
        inner = _term(word[1:], known)
        return Condition(f"NOT coalesce(({inner.sql}), 0)", inner.values)
    plain = word.replace('"', "")
    if _QUOTED.fullmatch(word):
        return _text(plain)
    before, sign, text = name_and_value(word)
    if sign and (keyed := keyed_field(before)) and keyed[0].keyed:
        return keyed[0].keyed(keyed[1], sign, text)
    name, colon, value = plain.partition(":")
    named = field_named(name.lower())
    if colon and named and named.takes_signs and named.condition:
        return named.condition(value, known)
    if found := _of_name_with_colon(plain, known.metrics):
        return found
    if match := _COMPARISON.fullmatch(plain):
        return _comparison(match[1], match[2], float(match[3]), known.metrics)
    if match := _HALF_COMPARISON.fullmatch(plain):
        raise SettingError(
            f"{match[1]} is compared with a number",
            detail=f"Given: {plain}",
            next_step=f'For example: {match[1]}{match[2]}0.5; to search for it as text, put it in "quotes".',
        )
    if match := _FIELD.fullmatch(plain):
        return _field(match[1].lower(), match[2], known)
    return _text(plain)


def _of_name_with_colon(term: str, metrics: Sequence[str]) -> Condition | None:
    """Return the condition of a metric in whose name a colon stands, as in learned:solved<0.5; else None."""
    for metric in metrics:
        if ":" in metric and term.lower().startswith(metric.lower()):
            rest = term[len(metric) :]
            if match := _REST.fullmatch(rest):
                return _comparison(metric, match[1], float(match[2]), [metric])
            if rest.startswith(":"):
                return _outcome(metric.lower(), rest[1:], [metric])
    return None


def _comparison(name: str, sign: str, number: float, metrics: Sequence[str]) -> Condition:
    if (named := field_named(name.lower())) and named.compared:
        return named.compared(sign, number)
    return Condition(
        f"s.id IN (SELECT session_id FROM {ONLY_SCORES} WHERE score {sign} ?)",  # noqa: S608
        (_metric(name, metrics), number),
    )


def _field(name: str, text: str, known: Nameable) -> Condition:
    if (named := field_named(name)) and named.condition:
        return named.condition(text, known)
    return _outcome(name, text, known.metrics)


def _outcome(name: str, text: str, metrics: Sequence[str]) -> Condition:
    metric = _metric(name, metrics)
    if text not in OUTCOME_WORDS:
        raise _unknown_outcome(name, metric, text)
    if text == "none":
        sessions = f"s.id NOT IN (SELECT session_id FROM {_ALL_OUTCOMES})"  # noqa: S608
        return Condition(sessions, (metric,))
    word = "CASE WHEN outcome <> 'score' THEN outcome WHEN passed THEN 'pass' ELSE 'fail' END"
    return Condition(
        f"s.id IN (SELECT session_id FROM {_ALL_OUTCOMES} WHERE {word} = ?)",  # noqa: S608
        (metric, text),
    )


def _unknown_outcome(name: str, metric: str, text: str) -> SettingError:
    """Return the error of a word that no outcome is; a name cut short tells which metric it was read as."""
    if name == metric.lower():
        return unknown_word(metric, text, OUTCOME_WORDS)
    error = unknown_word(f"{name}, read as {metric},", text, OUTCOME_WORDS)
    meant = [field for field in FILTER_FIELDS if field.startswith(name) and field != name]
    if not meant or not text:
        return error
    # A field that begins so may be what was meant: rol for role.
    field = "The chatbot's role" if meant[0] == "role" else f"The field {meant[0]}"
    return SettingError(
        error.title, detail=error.detail, next_step=f"{field} is {meant[0]}:{text}. {error.next_step}"
    )


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
    raise unknown_word("the filter", name, [*FILTER_FIELDS, *metrics])


def _text(text: str) -> Condition:
    named = holds("s.name", text)
    known, ids = of_source_sql(text.strip())
    said, words = scope_sql(SAID, text)
    return Condition(f"{said} OR {named.sql} OR {known}", (*words, *named.values, *ids))
