"""Asking: how a metric puts its questions, and the record of the calls that its finding rests on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from turnwise.conversations.errors import JudgeError, JudgeRefusedError

if TYPE_CHECKING:
    from turnwise.engine.judge.calls import JudgeCall
    from turnwise.engine.judge.judge import Judge
    from turnwise.engine.judge.pictures import Picture
    from turnwise.engine.judge.questions import JudgeAnswer, Question

_T = TypeVar("_T")


class Asking:
    """The questions of one metric about one subject.

    secret: what fences are derived from. at_once: whether several questions may be under way together.
    lasting: the calls that answered lasting questions before, by key; those of this metric join them.
    pictures: images that are shown with every question from then on.
    After the questions: calls, the keys of the judge calls in the order of the answers; cost in US dollars,
    None where no price is known.
    """

    def __init__(
        self,
        judge: Judge | None,
        *,
        secret: str,
        at_once: bool = True,
        lasting: dict[str, JudgeCall] | None = None,
    ) -> None:
        self._judge = judge
        self._at_once = at_once
        self._lasting = {} if lasting is None else lasting
        self.secret = secret
        self.pictures: tuple[Picture, ...] = ()
        self.calls: list[str] = []
        self.cost: float | None = None

    @property
    def items_per_question(self) -> int | None:
        """How many numbered things the judge can be asked about in one question; None for any number."""
        return self._judge.settings.items_per_question if self._judge else None

    @property
    def is_small(self) -> bool:
        """Whether the judge is a small model, which is asked about one thing at a time."""
        return self._judge is not None and self._judge.settings.is_small

    @property
    def context_tokens(self) -> int | None:
        """How many tokens a question and its answer may have together; None where nobody knows."""
        return self._judge.settings.context_tokens if self._judge else None

    async def ask(self, question: Question) -> JudgeAnswer:
        """Put one question. Raises JudgeError where no well-formed answer can be had."""
        assert self._judge is not None, "a metric that uses no judge asks nothing"  # noqa: S101
        if self.pictures:
            question = replace(question, pictures=self.pictures)
        if question.pictures and self._judge.settings.reads_text_alone:
            raise JudgeRefusedError(
                "The judge reads text alone, and this metric shows it images",
                detail=self._judge.settings.model,
                next_step="Use a judge that sees images.",
            )
        if question.lasting:
            self._bring_along(question, self._judge)
        try:
            answer = await self._judge.ask(question)
        except JudgeError as error:
            self.calls += error.calls
            raise
        if question.lasting:
            from turnwise.engine.judge.questions import answer_in  # loaded by the judge; checks have none

            # Of those who asked at the same time with judges of their own, the first answer serves all.
            first = self._lasting.setdefault(answer.call.key, answer.call)
            if first.reply != answer.call.reply:
                answer = answer_in(question, replace(first, cached=True))
        self.calls += [call.key for call in (*answer.rejected, answer.call)]
        if answer.cost is not None:
            self.cost = (self.cost or 0.0) + answer.cost
        return answer

    def _bring_along(self, question: Question, judge: Judge) -> None:
        """Give the judge's book the kept answer to a lasting question where the book holds none yet."""
        key = judge.key_of(question)
        if (call := self._lasting.get(key)) and judge.book.get(key, lasting=True) is None:
            judge.book.settle(call)

    async def each(self, items: Sequence[Any], ask: Callable[[Any], Awaitable[_T]]) -> list[_T]:
        """Ask about each item, at once or one after the other, and return the answers in order."""
        if self._at_once:
            return list(await asyncio.gather(*(ask(item) for item in items)))
        return [await ask(item) for item in items]
