"""G-Eval: a criterion in plain words becomes steps, the steps a score, the score a weighted mean.

Liu et al., "G-Eval: NLG Evaluation using GPT-4 with Better Human Alignment" (2023), arXiv:2303.16634. The
steps are drafted once for a criterion and kept with the judge's calls, so that every case is held to the
same ones.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from turnwise.conversations.cases import LLMTestCaseParams
from turnwise.conversations.errors import SettingError
from turnwise.conversations.models import CaseModel, shorten
from turnwise.conversations.results import Quote, Verdict
from turnwise.engine.judge.questions import Question
from turnwise.engine.judge.transcripts import RULES, Spoken
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.guidance import JudgedExample, guidance_text
from turnwise.engine.metrics.lost_turn_details import LOST
from turnwise.engine.metrics.lost_turns import lost_in, where_fields
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.quoting import NumberedSentences
from turnwise.engine.metrics.subject import Subject, fields_missing, fields_shown

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import JudgeNamed

LOWEST, HIGHEST = 0, 10

_DRAFT = """\
A reviewer wants to judge {what} by this criterion:
{criteria}

Write the steps by which somebody who has never met the reviewer would come to the same judgement: three \
to five steps, each one thing to check, in the order of checking. Say what lowers the judgement and by \
how much it matters. Stay with the criterion and add none of your own.

Answer with this JSON and nothing else: {{"steps": ["...", "..."]}}"""

_SCORE = """\
Judge {what} by these steps:
{steps}
{guidance}{legend}{material}
{scale}

{numbered}

Answer with this JSON and nothing else: {{"reason": "...", "turns": [...], {shown}"score": ...}}
reason: two sentences at most on what decided the score. turns: the numbers of the turns that lowered it, \
an empty list if none did. {told}score: a whole number from {low} to {high}."""
_NUMBERED = "A number in square brackets, such as [s4], names the sentence after it."
_SENTENCE = (
    "sentence: the number of the one sentence that lowered it most ([s4] is 4), 0 where no single one did. "
)
_LOST_AT = (
    "lost_at: the number of the first turn from which on the conversation is not what the steps ask for, 0 "
    "where it is throughout. "
)


_LEGEND = """\
In these steps 'input' is what the user says, and 'actual output' what the chatbot (the assistant) says.
"""
_FIELD_WORDS = re.compile(r"\b(inputs?|actual[ _]outputs?)\b", re.IGNORECASE)
_SIDES: dict[LLMTestCaseParams, tuple[Spoken, ...]] = {
    LLMTestCaseParams.INPUT: ("user",),
    LLMTestCaseParams.ACTUAL_OUTPUT: ("assistant",),
    LLMTestCaseParams.CONTENT: ("user", "assistant"),
    LLMTestCaseParams.ROLE: ("user", "assistant"),
}
"""Whose words a parameter of a case means."""
_FIRST = ("name", "evaluation_params", "criteria", "evaluation_steps")


class Rubric(CaseModel):
    """What a range of scores means, from score_range[0] to score_range[1], both whole numbers in 0 to 10."""

    score_range: tuple[int, int]
    expected_outcome: str


def check_rubric(rubric: Sequence[Rubric]) -> list[Rubric]:
    """Return the ranges in order. Raises SettingError where one is no range or two overlap."""
    ordered = sorted(rubric, key=lambda part: part.score_range)
    for part in ordered:
        low, high = part.score_range
        if not LOWEST <= low <= high <= HIGHEST:
            raise SettingError(
                "A rubric's range goes from a lower to a higher number, both from 0 to 10",
                detail=f"Given: {low} to {high} for {shorten(part.expected_outcome)}",
            )
    for before, after in itertools.pairwise(ordered):
        if before.score_range[1] >= after.score_range[0]:
            raise SettingError(
                "Two ranges of the rubric overlap",
                detail=f"{before.score_range[0]} to {before.score_range[1]} "
                f"and {after.score_range[0]} to {after.score_range[1]}",
            )
    return ordered


@dataclass(kw_only=True, eq=False)
class CriterionMetric(Metric, abstract=True):
    """What G-Eval on an exchange and on a conversation share.

    criteria: what good means, in plain words. evaluation_steps: how to judge it; where both are given, the
    steps judge and the criteria say what is meant by them. evaluation_params: what the judge is shown: with
    one of input and actual_output that side alone, else all that was said, and the other fields beside it.
    rubric: what scores mean; its lowest and highest numbers are the range of the score, 0 and 10 without one.
    guidelines, examples: how certain cases are meant, told to the judge after the steps.
    """

    positional: ClassVar[tuple[str, ...]] = (*_FIRST, "model", "threshold")
    main_setting: ClassVar[str] = "criteria"

    # What type checkers read of the order: the name comes first, and not the threshold.
    name: str = field(default="", kw_only=False)
    evaluation_params: list[LLMTestCaseParams] = field(default_factory=list, kw_only=False)
    criteria: str | None = field(default=None, kw_only=False)
    evaluation_steps: list[str] | None = field(default=None, kw_only=False)
    threshold: float = 0.5
    model: JudgeNamed = None
    include_reason: bool = True
    async_mode: bool = True
    strict_mode: bool = False
    verbose_mode: bool = False
    rubric: list[Rubric] | None = None
    guidelines: list[str] = field(default_factory=list)
    examples: list[JudgedExample] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.criteria is None and self.evaluation_steps is None:
            raise SettingError(f"{self.name}: give criteria or evaluation_steps", detail="Neither was given.")
        if self.criteria is not None and not (isinstance(self.criteria, str) and self.criteria.strip()):
            raise SettingError(f"{self.name}: criteria is empty or no text")
        if self.evaluation_steps is not None:
            self.evaluation_steps = self._steps_given(self.evaluation_steps)
        # A copy, because the caller's list is the caller's.
        self.evaluation_params = [self._parameter(given) for given in self.evaluation_params or []]
        self.rubric = check_rubric(self.rubric) if self.rubric else None

    def _steps_given(self, given: Any) -> list[str]:
        """Return the steps as given. Raises SettingError where they are none."""
        if not isinstance(given, list | tuple) or not all(isinstance(step, str) for step in given):
            raise SettingError(
                f"{self.name}: evaluation_steps is a list of texts", detail=f"Given: {shorten(given)}"
            )
        if not given:
            raise SettingError(f"{self.name}: evaluation_steps is empty")
        if not all(step.strip() for step in given):
            raise SettingError(f"{self.name}: a step is empty")
        return list(given)

    def _parameter(self, given: LLMTestCaseParams | str) -> LLMTestCaseParams:
        try:
            return LLMTestCaseParams(given)
        except ValueError:
            raise SettingError(
                f"{self.name}: evaluation_params holds what is no parameter of a test case",
                detail=f"Given: {shorten(given)}",
                next_step=f"There are: {', '.join(parameter.value for parameter in LLMTestCaseParams)}",
            ) from None

    @property
    def range(self) -> tuple[int, int]:
        """The lowest and the highest number that the judge may give."""
        if not self.rubric:
            return LOWEST, HIGHEST
        return self.rubric[0].score_range[0], self.rubric[-1].score_range[1]

    def settings(self) -> dict[str, Any]:
        """Return what the score depends on; the rubric and parameters as plain values."""
        rubric = [part.model_dump(mode="json") for part in self.rubric] if self.rubric else None
        side = self.side_shown
        general = super().settings()
        # Without them the metric is the one it was before there were any.
        del general["guidelines"], general["examples"]
        return {
            **general,
            # Where there are steps the judge reads these alone.
            "criteria": None if self.evaluation_steps else self.criteria,
            "rubric": rubric,
            "evaluation_params": [parameter.value for parameter in self.evaluation_params],
            **({"shown": side} if side else {}),
            **self._guidance(),
        }

    def _guidance(self) -> dict[str, Any]:
        examples = [example.model_dump(mode="json") for example in self.examples]
        told = {"guidelines": self.guidelines, "examples": examples}
        return {name: value for name, value in told.items() if value}

    @property
    def side_shown(self) -> Spoken | None:
        """Whose words alone the judge is shown, where evaluation_params name one side; None for all."""
        sides = {side for parameter in self.evaluation_params for side in _SIDES.get(parameter, ())}
        return sides.pop() if len(sides) == 1 else None

    @property
    def reads(self) -> tuple[str, ...]:
        """The needs, and the fields that the judge is told to read."""
        return (*self.needs, *(parameter.value for parameter in self.evaluation_params))

    @property
    def questions_once(self) -> int:
        """One for the steps, where they are to be drafted."""
        return 0 if self.evaluation_steps else 1

    @property
    def subject_noun(self) -> str:
        """What is judged, for the judge's eyes."""
        if self.scope == "conversation":
            return "the conversation"
        return "what the user puts in" if self.side_shown == "user" else "the chatbot's last reply"

    async def steps(self, asking: Asking) -> list[str]:
        """Return the steps: those given, or those the judge drafts, once for all cases."""
        if self.evaluation_steps:
            return self.evaluation_steps
        what = "a chatbot's conversations" if self.scope == "conversation" else "a chatbot's replies"
        question = Question(
            rules="You help to review chatbots. You answer in JSON only.",
            transcript="",
            ask=_DRAFT.format(what=what, criteria=(self.criteria or "").strip()),
            name="steps",
            lasting=True,
            schema={
                "type": "object",
                "properties": {"steps": {"type": "array", "items": {"type": "string"}, "minItems": 1}},
                "required": ["steps"],
                "additionalProperties": False,
            },
        )
        return [str(step) for step in (await asking.ask(question)).value["steps"]]

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Score the subject by the steps, weighted by token probability where the judge gives it."""
        steps = await self.steps(asking)
        low, high = self.range
        sentences = NumberedSentences.of(subject.case.turns)
        transcript = subject.transcript(asking.secret, only=self.side_shown, sentences=sentences.starts)
        turns = self._turns_shown(subject)
        where = where_fields(sentences, turns, lost=self.scope == "conversation")
        listed = "\n".join(f"{count}. {step}" for count, step in enumerate(steps, start=1))
        question = Question(
            rules=RULES,
            transcript=transcript.text,
            ask=_SCORE.format(
                what=self.subject_noun,
                steps=listed,
                guidance=guidance_text(self.guidelines, self.examples, transcript.mark),
                legend=_LEGEND if _FIELD_WORDS.search(listed) else "",
                material=fields_shown(self.evaluation_params, subject, transcript.mark),
                scale=self._scale(),
                numbered=_NUMBERED,
                shown="".join(f'"{name}": ..., ' for name in where),
                told=_SENTENCE + (_LOST_AT if "lost_at" in where else ""),
                low=low,
                high=high,
            ),
            name="score",
            schema={
                "type": "object",
                "properties": {
                    "reason": {"type": "string"},
                    "turns": {"type": "array", "items": {"type": "integer"}},
                    **where,
                    "score": {"type": "integer", "minimum": low, "maximum": high},
                },
                "required": ["reason", "turns", *where, "score"],
                "additionalProperties": False,
            },
            accept={
                "type": "object",
                "properties": {
                    "reason": {"type": "string"},
                    "turns": {},
                    **{name: {} for name in where},
                    "score": {"type": "number", "minimum": low, "maximum": high},
                },
                "required": ["score"],
            },
            token_probabilities=True,
        )
        answer = await asking.ask(question)
        raw = float(answer.value["score"])
        weighted = answer.weighted
        value = raw if weighted is None else weighted
        details: dict[str, Any] = {"raw": raw, "range": [low, high], "steps": steps}
        details |= {"weighted": weighted} if weighted is not None else {"note": answer.note}
        details |= {"criteria": self.criteria} if self.evaluation_steps and self.criteria else {}
        reason = str(answer.value.get("reason") or "The judge gave no reason.")
        score = (value - low) / (high - low) if high > low else float(value >= high)
        named = _turns_named(answer.value.get("turns"), turns)
        if self.scope == "conversation" and (lost := lost_in(answer, named, turns)).turn is not None:
            details[LOST] = lost.data()
        quote = sentences.any_named(answer.value.get("sentence"), turns)
        return Finding(
            score=score,
            reason=reason,
            verdicts=_verdicts(named, sentences, quote, reason),
            details=details,
        )

    def _turns_shown(self, subject: Subject) -> list[int]:
        """Return the numbers of the turns that the judge is shown."""
        side, first = self.side_shown, subject.first_shown(self.side_shown)
        return [number for number, turn in subject.numbered if number >= first and side in (None, turn.role)]

    def lacks(self, subject: Subject) -> str:
        """Skip a case that lacks a field by which the criterion is judged."""
        return super().lacks(subject) or fields_missing(self.evaluation_params, subject)

    def _scale(self) -> str:
        low, high = self.range
        if not self.rubric:
            return (
                f"{high} means that everything the steps ask for is there, {low} that nothing of it is. "
                "Use the whole range."
            )
        lines = [
            f"{part.score_range[0]} to {part.score_range[1]}: {part.expected_outcome}" for part in self.rubric
        ]
        return "What the numbers mean:\n" + "\n".join(lines)


_FORMULA = (
    "(g - low) / (high - low), where g is the sum of score * p over the tokens the judge could have written "
    "for the score, divided by the sum of p (tokens with p >= 0.01); the plain number where the judge gives "
    "no probabilities"
)
_SOURCE = "G-Eval: Liu et al. 2023, https://arxiv.org/abs/2303.16634"
_CALLS = "1, and 1 more for the steps of each criterion that was given without them"
_MORE_NEEDS = "and the fields named in evaluation_params"


@dataclass(kw_only=True, eq=False)
class ConversationalGEval(CriterionMetric):
    """A criterion in plain words, judged over a whole conversation."""

    key: ClassVar[str] = "conversational_geval"
    version: ClassVar[int] = 3
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    account: ClassVar[Account] = Account(
        formula=_FORMULA,
        source=_SOURCE,
        empty="a conversation always has turns",
        calls=_CALLS,
        needs=_MORE_NEEDS,
    )


@dataclass(kw_only=True, eq=False)
class GEval(CriterionMetric):
    """A criterion in plain words, judged on one exchange."""

    key: ClassVar[str] = "geval"
    version: ClassVar[int] = 2
    positional: ClassVar[tuple[str, ...]] = (*_FIRST, "rubric", "model", "threshold")
    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("input", "actual_output")
    account: ClassVar[Account] = Account(
        formula=_FORMULA,
        source=_SOURCE,
        empty="an exchange without a reply is skipped",
        calls=_CALLS,
        needs=_MORE_NEEDS,
    )


def _turns_named(given: Any, shown: Sequence[int]) -> list[int]:
    """Return the turns that the judge says lowered the score; numbers of no turn are left out."""
    numbers = given if isinstance(given, list) else []
    return list(dict.fromkeys(number for number in numbers if type(number) is int and number in shown))


def _verdicts(
    named: Sequence[int], sentences: NumberedSentences, quote: Quote | None, reason: str
) -> list[Verdict]:
    """Tie the score to the turns that lowered it, and one of them to the sentence that lowered it most.

    A turn of one sentence rests on it as well, and a turn that is named by its sentence alone counts.
    """
    turns = [*named, *([quote.turn] if quote and quote.turn not in named else [])]
    return [
        Verdict(
            turn=turn,
            passed=False,
            word="lowers",
            reason=reason,
            quote=quote if quote and quote.turn == turn else sentences.named(None, turn),
        )
        for turn in turns
    ]
