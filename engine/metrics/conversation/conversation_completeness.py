"""Conversation completeness: was everything that the user wanted dealt with?"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from turnwise.conversations.results import Verdict
from turnwise.engine.judge.questions import TOKENS_OF_A_VERDICT, Question, estimated_tokens
from turnwise.engine.judge.transcripts import RULES, fence_mark, render_transcript
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import (
    JudgedItem,
    Window,
    ask_entries,
    cut_spans,
    number_named,
    turn_sizes,
)
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import VerdictWords, WordAnswer, share_finding, word_form

_ASK = """\
What did the user want in this conversation, and was it dealt with? List each thing the user asked for or \
set out to do, once, with the number of the user's turn where it first came up. Leave out greetings and \
thanks. For each, the verdict is yes when the chatbot brought it to an end: answered, done, or refused \
with a reason the user can act on. It is no when it was left open, passed over, done wrongly or only \
promised.

Answer with this JSON and nothing else: {"intentions": [{"intention": "...", "turn": 1, "reason": "...", \
"verdict": "yes or no"}]}
Where the user wanted nothing, the list is empty."""

_ASK_LATER = """\
Each wish below is something that the user wanted at some point of a long conversation, a part of which is \
shown. The verdict is yes when the chatbot brought it to an end in this part: answered, done, or refused \
with a reason the user can act on. It is no in every other case."""
_LISTED = 12
"""How many intentions a question may list, so that the reply has room for all of them."""
_WORDS = VerdictWords({"yes": True, "no": False})
_FORM = word_form(_WORDS)
_ANY = JudgedItem(0, None)
_INTENTION = {
    "type": "object",
    "properties": {
        "intention": {"type": "string"},
        "turn": {"type": "integer"},
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": _WORDS.all},
    },
    "required": ["intention", "turn", "reason", "verdict"],
    "additionalProperties": False,
}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"intentions": {"type": "array", "items": _INTENTION}},
    "required": ["intentions"],
    "additionalProperties": False,
}


@dataclass(kw_only=True, eq=False)
class ConversationCompletenessMetric(Metric):
    """Whether everything that the user wanted was brought to an end."""

    key: ClassVar[str] = "conversation_completeness"
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    account: ClassVar[Account] = Account(
        asks="Was what the user wanted brought to an end?",
        formula="intentions dealt with / intentions",
        source="deepeval's ConversationCompleteness, in one question",
        empty="where the user wanted nothing the score is 1",
        calls=(
            "1; past the judge's context 1 for each part that fits, and as many again for what a part leaves "
            "open"
        ),
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for the user's intentions with a verdict on each, in parts where the judge cannot take all."""
        spans = cut_spans(
            [_ANY],
            turn_sizes(subject),
            asked=estimated_tokens(_ASK) + _LISTED * TOKENS_OF_A_VERDICT,
            context=asking.context_tokens,
        )

        async def listed(span: Window) -> list[Any]:
            return list((await asking.ask(_question(subject, asking, span))).value["intentions"])

        given = [entry for part in await asking.each(spans, listed) for entry in part]
        users = {number for number, turn in subject.numbered if turn.role == "user"}
        verdicts = [_verdict(entry, said, users) for entry in given if (said := _said(entry))]
        if len(spans) > 1 and not asking.is_small:
            verdicts = await _looked_for_elsewhere(subject, asking, verdicts)
        left_out = len(given) - len(verdicts)
        return share_finding(
            verdicts,
            {"unreadable": left_out} if left_out else {},
            good="are dealt with",
            bad="are left open",
            noun="request",
        )


def _question(subject: Subject, asking: Asking, span: Window) -> Question:
    mark = fence_mark(subject.case.turns, asking.secret)
    return Question(
        rules=RULES,
        transcript=render_transcript(subject.case.turns, mark=mark, first=span.first, last=span.last).text,
        ask=_ASK,
        name="intentions",
        schema=_SCHEMA,
        accept={
            "type": "object",
            "properties": {"intentions": {"type": "array"}},
            "required": ["intentions"],
        },
        usable=lambda value: not value["intentions"] or any(map(_said, value["intentions"])),
    )


async def _looked_for_elsewhere(
    subject: Subject, asking: Asking, verdicts: Sequence[Verdict]
) -> list[Verdict]:
    """Return the verdicts; an intention that another part of the conversation brought to an end passes."""
    left_open = [place for place, verdict in enumerate(verdicts) if not verdict.passed]
    if not left_open:
        return list(verdicts)
    items = [JudgedItem(count, None, verdicts[place].about) for count, place in enumerate(left_open, start=1)]

    async def nobody(item: JudgedItem) -> None:
        """Stand for a small judge, which is not asked this."""

    found = await ask_entries(
        asking,
        subject=subject,
        ask=_ASK_LATER,
        noun="wish",
        items=items,
        form=_FORM,
        one=nobody,
        merge=lambda one, other: one if one.word == "yes" else other,
    )
    mended = list(verdicts)
    for item, place in zip(items, left_open, strict=True):
        answer = found.answers.get(item.number)
        if answer and answer.word == "yes":
            mended[place] = replace(
                verdicts[place], passed=True, word=answer.word, reason=answer.reason, quote=None
            )
    return mended


def _said(entry: Any) -> WordAnswer | None:
    """Return the word and the reason of an intention; None where it says neither yes nor no."""
    return _FORM.read(_ANY, entry) if isinstance(entry, Mapping) else None


def _verdict(entry: Mapping[str, Any], said: WordAnswer, users: Collection[int]) -> Verdict:
    turn = number_named(entry.get("turn"))
    return Verdict(
        # An intention tied to a turn that is not the user's still counts; only the tie is dropped.
        turn=turn if turn in users else None,
        passed=_WORDS.passing[said.word],
        word=said.word,
        reason=said.reason,
        about=str(entry.get("intention") or ""),
    )
