"""Arena G-Eval: which of two replies meets a criterion better, asked in both orders.

Judges favour what they read first (or last), so the same question is put twice with the replies changed
about, under neutral names, and only who wins both times has won: Zheng et al., "Judging LLM-as-a-Judge with
MT-Bench and Chatbot Arena" (2023), arXiv:2306.05685. The steps are those of G-Eval.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, ClassVar, Self

from pydantic import field_validator, model_validator

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.errors import CaseError, JudgeError, SettingError
from turnwise.conversations.models import CaseModel
from turnwise.conversations.results import Failure, Outcome, Score, Verdict
from turnwise.engine.judge.masked_words import LEFT_OUT, left_out_details, left_out_reason
from turnwise.engine.judge.questions import Question
from turnwise.engine.judge.transcripts import RULES, Transcript, fence, render_transcript
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.geval import CriterionMetric
from turnwise.engine.metrics.masking import masked_subject, undoubted_subject
from turnwise.engine.metrics.metric import Finding, Scope, run_blocking
from turnwise.engine.metrics.subject import Subject, fields_shown

TIE = "tie"
_NAMES = ("A", "B")
_SCORES = {"first": 1.0, TIE: 0.5, "second": 0.0}

_ASK = """\
Two chatbots were asked to go on with this conversation, and these are their replies:
{first}
{second}

Compare the two by these steps:
{steps}
{material}
Neither the order of the replies nor their length is a merit. Where neither is better by the steps, it is a \
tie.

Answer with this JSON and nothing else: {{"reason": "...", "winner": "A or B or tie"}}
reason: two sentences at most on what decides it."""

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "winner": {"type": "string", "enum": [*_NAMES, TIE]}},
    "required": ["reason", "winner"],
    "additionalProperties": False,
}


class Contestant(CaseModel):
    """A chatbot by its name, with its answer. hyperparameters: what is to be remembered of it."""

    name: str
    test_case: LLMTestCase
    hyperparameters: dict[str, Any] | None = None


class ArenaTestCase(CaseModel):
    """The answers of several chatbots to one input, as Contestants, or test cases by names."""

    contestants: list[Contestant]

    @field_validator("contestants", mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        if isinstance(value, Mapping):
            return [{"name": name, "test_case": case} for name, case in value.items()]
        return value

    @model_validator(mode="after")
    def _comparable(self) -> Self:
        names = [contestant.name for contestant in self.contestants]
        if len(names) < 2:
            raise ValueError("expected at least two contestants")
        if doubled := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f"two contestants are called {doubled}")
        if len({contestant.test_case.input for contestant in self.contestants}) > 1:
            raise ValueError("expected the same input of all contestants")
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyComparison:
    """What came of comparing two replies.

    winner: the name of the candidate that won in both orders; None is a tie. reason: why. outcome: the Score
    that was found for the first candidate: 1 it won, 0.5 a tie, 0 it lost; its calls are the evidence.
    """

    winner: str | None
    reason: str
    outcome: Outcome


@dataclass(kw_only=True, eq=False)
class ArenaGEval(CriterionMetric):
    """Which of two replies meets a criterion better; on a stored case, the reply or the expected output.

    criteria, evaluation_steps, evaluation_params: as for GEval, without a rubric: nothing is graded.
    `compare({"one": case, "other": case})` sets the replies of two cases with the same input against each
    other and names the winner; `measure(ArenaTestCase(...))` returns the name of the contestant who wins most
    comparisons, None where several do, and leaves it as `winner`.
    """

    key: ClassVar[str] = "arena_geval"
    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("input", "actual_output", "expected_output")
    questions: ClassVar[int] = 2
    account: ClassVar[Account] = Account(
        formula="1 if the reply wins in both orders, 0 if the other does, else 0.5",
        source=(
            "deepeval's ArenaGEval; both orders: Zheng et al. 2023, https://arxiv.org/abs/2306.05685; steps: "
            "G-Eval, Liu et al. 2023, https://arxiv.org/abs/2303.16634"
        ),
        empty="an exchange without one of the two replies is skipped",
        calls="2, and 1 more for the steps of each criterion that was given without them",
        range="0, 0.5 or 1",
        needs="and the fields named in evaluation_params",
    )

    winner: str | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rubric:
            raise SettingError(f"{self.name}: two replies are compared, and a rubric grades one")

    @property
    def subject_noun(self) -> str:
        """What is judged, for the judge's eyes."""
        return "two replies of chatbots"

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask in both orders which is better, the reply or the expected output."""
        rival = subject.value("expected_output")
        return await self._contest(subject, asking, rival, names=("the reply", "the expected output"))

    async def a_compare(
        self, candidates: Mapping[str, LLMTestCase | ConversationalTestCase]
    ) -> ReplyComparison:
        """Compare the last replies of two cases, by name.

        Raises CaseError unless there are two with the same input and a reply each, JudgeError where no answer
        can be had.
        """
        from turnwise.engine.judge.judge import open_judge

        names = tuple(candidates)
        one, other = (_last(case) for case in _two(candidates))
        if one.value("input") != other.value("input"):
            raise CaseError("Two replies can be compared only where they answer the same input")
        seen, left_out = masked_subject(other, self.reads)
        undoubted = undoubted_subject(other, self.reads)
        async with open_judge(self.model, needed=True) as judge:

            async def against(rival: Subject) -> Outcome:
                contest = _Contest(
                    **self._given(), rival=rival.value("actual_output"), contestants=(names[0], names[1])
                )
                contest._lasting = self._lasting
                return await contest.judge(one, judge, secret=judge.secret if judge else "")

            outcome = await against(seen)
            if undoubted is not None:
                outcome = _without_gain(outcome, await against(undoubted[0]), names[1])
        if isinstance(outcome, Score) and left_out:
            # What speaks to the judge in the first reply is told by the metric itself.
            outcome = replace(
                outcome,
                reason=f"{outcome.reason}{left_out_reason(left_out)}",
                details={
                    **outcome.details,
                    LEFT_OUT: [
                        *outcome.details.get(LEFT_OUT, ()),
                        *left_out_details(left_out)[LEFT_OUT],
                    ],
                },
            )
        self.outcome, self.reason = outcome, outcome.reason
        if not isinstance(outcome, Score):
            step = outcome.next_step if isinstance(outcome, Failure) else ""
            raise JudgeError(f"{self.name} could not be judged", detail=outcome.reason, next_step=step)
        self.score = outcome.score
        winner = {1.0: names[0], 0.0: names[1]}.get(outcome.score)
        return ReplyComparison(winner=winner, reason=outcome.reason, outcome=outcome)

    def compare(self, candidates: Mapping[str, LLMTestCase | ConversationalTestCase]) -> ReplyComparison:
        """Compare two cases; see `a_compare`. Also works where an event loop runs."""
        found: ReplyComparison = run_blocking(self.a_compare(candidates))
        return found

    def measure(self, case: Any, _show_indicator: bool = False) -> Any:
        """Return the winner's name of an ArenaTestCase; of any other case the score, as every metric does."""
        if not isinstance(case, ArenaTestCase):
            return super().measure(case, _show_indicator)
        return run_blocking(self.a_measure(case, _show_indicator))

    async def a_measure(self, case: Any, _show_indicator: bool = False) -> Any:
        """Return the winner's name of an ArenaTestCase, as `measure`."""
        if not isinstance(case, ArenaTestCase):
            return await super().a_measure(case, _show_indicator)
        answers = {contestant.name: contestant.test_case for contestant in case.contestants}
        wins = dict.fromkeys(answers, 0)
        reasons = []
        for one, other in combinations(answers, 2):
            found = await self.a_compare({one: answers[one], other: answers[other]})
            reasons.append(found.reason)
            if found.winner is not None:
                wins[found.winner] += 1
        best = [name for name, count in wins.items() if count == max(wins.values())]
        self.winner = best[0] if len(best) == 1 else None
        self.reason = "\n".join(reasons)
        return self.winner

    def _given(self) -> dict[str, Any]:
        return {
            "criteria": self.criteria,
            "evaluation_steps": self.evaluation_steps,
            "evaluation_params": self.evaluation_params,
            "name": self.name,
            "async_mode": self.async_mode,
        }

    async def _contest(
        self, subject: Subject, asking: Asking, rival: str, *, names: tuple[str, str]
    ) -> Finding:
        steps = await self.steps(asking)
        before = max(subject.exchange.input_turns, default=0) if subject.exchange else 0
        mark = subject.transcript(asking.secret).mark
        transcript = render_transcript(subject.case.turns, mark=mark, last=before)
        replies = (subject.value("actual_output"), rival)

        async def one(order: tuple[int, int]) -> tuple[str, str]:
            question = self.question(subject, transcript, steps, [replies[place] for place in order])
            value = (await asking.ask(question)).value
            named = {name: names[place] for name, place in zip(_NAMES, order, strict=True)}
            places = dict(zip(_NAMES, order, strict=True))
            winner = TIE if value["winner"] == TIE else ("first", "second")[places[value["winner"]]]
            return winner, _with_names(value["reason"], named)

        found = await asking.each([(0, 1), (1, 0)], one)
        winners = [winner for winner, _ in found]
        winner = winners[0] if winners[0] == winners[1] else TIE
        told = {"first": names[0], "second": names[1], TIE: TIE}
        return Finding(
            score=_SCORES[winner],
            reason=_reason(winner, told, found),
            verdicts=[
                Verdict(
                    turn=subject.reply_turn,
                    passed=None if one == TIE else one == "first",
                    word=told[one],
                    reason=reason,
                )
                for one, reason in found
            ],
            details={"winner": told[winner], "orders": [told[one] for one in winners], "steps": steps},
        )

    def question(
        self, subject: Subject, transcript: Transcript, steps: list[str], replies: list[str]
    ) -> Question:
        """Return the question which of two replies is better, in this order."""
        first, second = (
            fence(transcript.mark, f"reply {name}", {1: text})
            for name, text in zip(_NAMES, replies, strict=True)
        )
        return Question(
            rules=RULES,
            transcript=transcript.text,
            ask=_ASK.format(
                first=first,
                second=second,
                steps="\n".join(f"{count}. {step}" for count, step in enumerate(steps, start=1)),
                material=fields_shown(self.evaluation_params, subject, transcript.mark),
            ),
            name="comparison",
            schema=_SCHEMA,
        )


@dataclass(kw_only=True, eq=False)
class _Contest(ArenaGEval):
    """A comparison with a reply that is not part of the case."""

    needs: ClassVar[tuple[str, ...]] = ("input", "actual_output")

    rival: str
    contestants: tuple[str, str]

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask in both orders which is better."""
        return await self._contest(subject, asking, self.rival, names=self.contestants)


def _without_gain(shown: Outcome, without: Outcome, name: str) -> Outcome:
    """Return what came of a comparison where the second reply may speak to the judge: it gains nothing by it.

    shown, without: with that and without it. name: of the second reply.
    """
    if not isinstance(shown, Score) or not isinstance(without, Score):
        return without if isinstance(shown, Score) else shown
    stands = without if without.score > shown.score else shown
    told = f" Judged twice, with and without what in {name} may be meant for whoever judges"
    kept = "; the one without stands." if stands is without else ": it gains nothing by it."
    return replace(stands, reason=f"{stands.reason}{told}{kept}", calls=(*shown.calls, *without.calls))


def _two(candidates: Mapping[str, Any]) -> list[Any]:
    if len(candidates) != 2:
        raise CaseError("Two candidates are compared", detail=f"Given: {len(candidates)}")
    return list(candidates.values())


def _last(case: LLMTestCase | ConversationalTestCase) -> Subject:
    """Return the last exchange of a case. Raises CaseError where the chatbot never answered."""
    whole = Subject.of(case)
    exchange = whole.case.last_numbered_exchange
    if exchange is None or not exchange.case.actual_output:
        raise CaseError("A reply can be compared only where the chatbot answered")
    return whole.at(exchange)


def _with_names(reason: str, named: Mapping[str, str]) -> str:
    """Replace the letters by which the judge knew the candidates with their names."""
    return re.sub(r"\b[Rr]eply ([AB])\b", lambda found: named[found[1]], str(reason)).strip()


def _reason(winner: str, told: Mapping[str, str], found: list[tuple[str, str]]) -> str:
    first = found[0][1]
    if winner != TIE:
        return f"In both orders {told[winner]} wins: {first}" if first else f"{told[winner]} wins both times."
    if {one for one, _ in found} == {TIE}:
        return f"A tie: {first}" if first else "A tie."
    orders = " and ".join(told[one] if one != TIE else "a tie" for one, _ in found)
    return f"A tie, because the order of the replies decides it: {orders}. {first}".strip()
