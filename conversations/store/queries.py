"""The filter language: `role:airline tag:good relevancy<0.5 turns>20 label:none "lost my bag"` to SQL.

    role:TEXT  name:TEXT  source:TEXT   the field holds the text, whatever its case
    tag:TEXT  id:N  run:N               exactly that
    label:pass|fail|deferred|none       the newest label of no one metric
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
_WILD = re.compile(r"[%_!]")
"""What LIKE takes for another thing than itself."""
LONGEST_PATTERN = 10_000
"""Characters: SQLite refuses patterns of more than 50,000 bytes."""
_QUOTED = re.compile(r'"[^"]*"?')
_NAME = r"[^\W\d][^<>=:]*?"
_COMPARISON = re.compile(rf"({_NAME})\s*(<=|>=|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_HALF_COMPARISON = re.compile(r"([^\W\d][\w .:-]*?)\s*(<=|>=|<|>)(.*)", re.DOTALL)
_AROUND_SIGN = re.compile(r"(?<=\w)\s+(?:<=|>=|<|>)\s*(?=-?[\d.])|(?<=\w)(?:<=|>=|<|>)\s+(?=-?[\d.])")
_JOINT = "\0"
"""Stands for a space beside a sign, so that a term has no spaces and its letters keep their places."""
_FIELD = re.compile(rf"({_NAME}):(.*)", re.DOTALL)
_TEXT_FIELDS = {"role": "s.chatbot_role", "name": "s.name", "source": "s.source"}
_LABELS = ("pass", "fail", "deferred", "none")
_OUTCOMES = ("pass", "fail", "failure", "skipped", "none")
FEW_WORDS = 6
"""So many words are all told where another was given."""
FIELDS = (*_TEXT_FIELDS, "tag", "id", "run", "label", "mode", "turns")

# Asked of whole tables and not session by session: a tenth of the time where sessions are many.
NEWEST_LABELS = (
    "(SELECT session_id, label, max(id) FROM labels WHERE metric = '' GROUP BY session_id "
    "HAVING label IS NOT NULL)"
)
"""The label that stands of each session that has one: SQLite takes other columns from the row of the max."""
NEWEST_OUTCOMES = (
    # As in lists: of a last-turn metric, what it found about the last exchange.
    "(SELECT session_id, outcome, score, threshold, max(coalesce(exchange, 0) * 1000000000000 + id) "
    "FROM scores INDEXED BY scores_newest WHERE metric = ? AND {which} GROUP BY session_id)"
)
ONLY_SCORES = NEWEST_OUTCOMES.format(which="outcome = 'score'")
"""The newest score of each session that has one; the question mark is the metric."""
_ALL_OUTCOMES = NEWEST_OUTCOMES.format(which="1")
_FOUND_TURNS = (
    "(SELECT t.session_id{what} FROM turns_fts f CROSS JOIN turns t INDEXED BY turns_to_sessions "
    "ON t.id = f.rowid WHERE turns_fts MATCH ?{tail})"
)
FOUND_SESSIONS = _FOUND_TURNS.format(what="", tail="")
"""The sessions of the turns that match a full-text query."""
RANKED_SESSIONS = _FOUND_TURNS.format(what=", min(f.rank) AS rank", tail=" GROUP BY t.session_id")
"""The same with how well the best of their turns matches; less is better."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A piece of SQL over `sessions s`, with the values for its question marks."""

    sql: str
    values: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a query, and where it stands in it: from `start` up to `end`, in characters."""

    text: str
    start: int
    end: int

    @property
    def words(self) -> str:
        """The text that is searched for; empty where the term asks for something else."""
        plain = self.text.replace('"', "")
        asks = (_COMPARISON.fullmatch(plain), _HALF_COMPARISON.fullmatch(plain), _FIELD.fullmatch(plain))
        quoted = _QUOTED.fullmatch(self.text) is not None
        return plain if quoted or not (self.text.startswith("-") or any(asks)) else ""


def terms_of(query: str) -> list[Term]:
    """Split a query into its terms."""
    mended = mend_text(query).replace(_JOINT, " ")
    joined = _AROUND_SIGN.sub(lambda sign: re.sub(r"\s", _JOINT, sign[0]), mended)
    return [
        Term(word[0].replace(_JOINT, ""), *word.span())
        for word in _WORD.finditer(joined)
        if word[0].strip('"-')
    ]


def words_of(query: str) -> list[str]:
    """Return the words and phrases that a query searches for in what was said."""
    return [term.words for term in terms_of(query) if term.words]


def full_text_of(words: Sequence[str]) -> str:
    """Return words as a query of SQLite's full-text search: any of them, each may go on.

    A single letter from A to Z is a word by itself: half of all words begin with it, and the first key of
    a search would take the longest.
    """
    return " OR ".join(f'"{word}"' + ("" if len(word) == 1 and word.isascii() else "*") for word in words)


def condition(
    query: str, metrics: Sequence[str] = (), modes: Mapping[str, Sequence[int]] | None = None
) -> Condition:
    """Turn a query into one condition; an empty query is true for every session.

    metrics: the names of metrics that have scores. modes: the numbers of the failure modes that count as one,
    by its name. Raises SettingError where a term means nothing.
    """
    terms = [_term(term.text, metrics, modes or {}) for term in terms_of(query)]
    if not terms:
        return Condition("1")
    return Condition(
        " AND ".join(f"({term.sql})" for term in terms),
        tuple(value for term in terms for value in term.values),
    )


def wrong_term(
    query: str, metrics: Sequence[str] = (), modes: Mapping[str, Sequence[int]] | None = None
) -> Term | None:
    """Return the first term that `condition` would raise an error for."""
    for term in terms_of(query):
        try:
            _term(term.text, metrics, modes or {})
        except SettingError:
            return term
    return None


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
        return _turns(sign, number)
    return Condition(
        f"s.id IN (SELECT session_id FROM {ONLY_SCORES} WHERE score {sign} ?)",  # noqa: S608
        (_metric(name, metrics), number),
    )


def _turns(sign: str, number: float) -> Condition:
    if number < 0 or (number == 0 and sign in (">=", "<")):
        # No session has fewer than none.
        return Condition("1" if sign.startswith(">") else "0")
    if sign == "=":
        spoken = "(SELECT coalesce(max(t.number), 0) FROM turns t WHERE t.session_id = s.id)"
        return Condition(f"{spoken} = ?", (number,))
    # A session with a turn of a larger number has more turns.
    over = "s.id IN (SELECT t.session_id FROM turns t WHERE t.number {} ?)"
    not_over = {"<": ">=", "<=": ">"}
    wanted = f"NOT ({over.format(not_over[sign])})" if sign in not_over else over.format(sign)
    return Condition(wanted, (number,))


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
        word = {"deferred": "defer", "defer": "defer"}.get(text, text)
        if word != "defer" and text not in _LABELS:
            raise _unknown("label", text, _LABELS)
        if word == "none":
            return Condition(f"s.id NOT IN (SELECT session_id FROM {NEWEST_LABELS})")  # noqa: S608
        return Condition(f"s.id IN (SELECT session_id FROM {NEWEST_LABELS} WHERE label = ?)", (word,))  # noqa: S608
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
        raise _unknown(metric, text, _OUTCOMES)
    if text == "none":
        sessions = f"s.id NOT IN (SELECT session_id FROM {_ALL_OUTCOMES})"  # noqa: S608
        return Condition(sessions, (metric,))
    word = "CASE WHEN outcome <> 'score' THEN outcome WHEN score >= threshold THEN 'pass' ELSE 'fail' END"
    return Condition(
        f"s.id IN (SELECT session_id FROM {_ALL_OUTCOMES} WHERE {word} = ?)",  # noqa: S608
        (metric, text),
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
    raise _unknown("the filter", name, [*FIELDS, *metrics])


def _text(text: str) -> Condition:
    named = _holds("s.name", text)
    return Condition(f"s.id IN {FOUND_SESSIONS} OR {named.sql}", (full_text_of([text]), *named.values))


def _holds(column: str, text: str) -> Condition:
    # Python's folding knows all letters; SQLite's is ten times as fast, and enough for A to Z.
    if not text.isascii():
        return Condition(f"instr(fold({column}), ?) > 0", (text.casefold(),))
    if len(text) > LONGEST_PATTERN:
        return Condition(f"instr(lower({column}), ?) > 0", (text.lower(),))
    # Makes no copy of every name, as lower() does.
    pattern = _WILD.sub(r"!\g<0>", text)
    return Condition(f"{column} LIKE ? ESCAPE '!'", (f"%{pattern}%",))


def _unknown(place: str, given: str, known: Sequence[str]) -> SettingError:
    near = difflib.get_close_matches(given, known, n=1)
    others = f"It knows {', '.join(known)}." if len(known) <= FEW_WORDS else ""
    return SettingError(
        f"{place} does not know {given}" if given else f"{place}: takes a word",
        detail=f"Known: {', '.join(known)}",
        next_step=f"Did you mean {near[0]}?" if near else others or 'To search for text, put it in "quotes".',
    )
