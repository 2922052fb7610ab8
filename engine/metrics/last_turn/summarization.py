"""Summarization: does a summary keep to its source, and does it keep what matters in it?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from turnwise.conversations.errors import SettingError
from turnwise.engine.judge.questions import Question
from turnwise.engine.judge.transcripts import RULES, fence
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import JudgedItem
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.statements import reply_statements
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import (
    Example,
    FoundVerdicts,
    Narrow,
    VerdictWords,
    ask_numbered,
    share_passed,
    turns_named,
    turns_reason,
)

_DRAFT = """\
{source}

Somebody will summarise this text. Write {count} questions by which to tell whether a summary keeps what \
matters: each on one thing that a reader of the text must know, each to be answered with yes by whoever has \
read the text, no two on the same thing, the weightiest first.

Answer with this JSON and nothing else: {{"questions": ["...", "..."]}}"""

_ALIGNMENT = """\
The chatbot's last reply sums up the text that the user gives in {place}. The summary is cut into \
statements below. Does that text carry each statement? The verdict is yes when it says it or it follows \
from it. It is no when it says otherwise, and borderline when it is silent on it."""

_COVERAGE = """\
The chatbot's last reply sums up the text that the user gives in {place}. Answer each question below twice: \
by that text alone, and by the summary alone. The verdict is yes when both answer it with yes. It is no \
when the text answers it with yes and the summary does not, be it silent on it or otherwise. It is none \
when the text itself does not answer it with yes."""

_NARROW_ALIGNMENT = (
    "The chatbot's last turn sums up the user's text. Does the user's text carry the statement? yes if it "
    "says it; no if it says otherwise; borderline if it is silent on it."
)
_NARROW_COVERAGE = (
    "The chatbot's last turn sums up the user's text. Do both answer the question with yes? no if only the "
    "user's text does; none if the user's text does not."
)
_TEXT = "The bridge was closed in May because two cables had rusted. It opens again in June."
_SAID = (("user", _TEXT), ("assistant", "The bridge was closed in May. A storm had struck it."))
_ALIGNED = (
    Example(_SAID, "The text says that it was closed in May.", "yes", about="The bridge was closed in May."),
    Example(_SAID, "The text says that rust was the cause.", "no", about="A storm had struck it."),
    Example(
        (("user", _TEXT), ("assistant", "The repair cost a million.")),
        "The text tells no cost.",
        "borderline",
        about="The repair cost a million.",
    ),
)
_COVERED = (
    Example(_SAID, "Text and summary both say it.", "yes", about="Was the bridge closed in May?"),
    Example(_SAID, "The text says June, and the summary is silent.", "no", about="Does it open in June?"),
    Example(_SAID, "The text does not speak of a toll.", "none", about="Is there a toll?"),
)


@dataclass(kw_only=True, eq=False)
class SummarizationMetric(Metric):
    """Whether the reply is a good summary of the input: it adds nothing, and leaves out nothing that matters.

    n: how many questions are drafted from the source, at least 1. assessment_questions: questions of your
    own instead, each to be answered with yes by whoever has read the source.
    """

    key: ClassVar[str] = "summarization"
    positional: ClassVar[tuple[str, ...]] = ("threshold", "n", "model")
    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("input", "actual_output")
    questions: ClassVar[int] = 3
    account: ClassVar[Account] = Account(
        formula=(
            "the smaller of alignment (statements of the summary that the source carries / its statements) "
            "and coverage (questions that both answer with yes / questions that the source does)"
        ),
        source="deepeval's Summarization; the questions are those of QAG: Wang et al. 2020, arXiv:2004.04228",
        empty="a summary without statements is aligned, and without a question to ask it is covered: 1",
        calls=(
            "3, 2 with assessment_questions; with a small judge, 1 a statement and 1 a question, and 1 to "
            "draft the questions"
        ),
    )

    n: int = 5
    assessment_questions: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n < 1:
            raise SettingError("summarization: n is at least 1", detail=f"Given: {self.n}")
        self.assessment_questions = [text for text in self.assessment_questions if text.strip()]

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask whether the source carries the summary, and whether the summary covers the source."""
        place = turns_named(subject.exchange.input_turns if subject.exchange else ())
        questions = self.assessment_questions or await self._drafted(subject, asking)
        aligned = await ask_numbered(
            asking,
            subject=subject,
            ask=_ALIGNMENT.format(place=place),
            noun="statement",
            items=reply_statements(subject),
            words=VerdictWords({"yes": True, "no": False, "borderline": False}),
            narrow=Narrow(_NARROW_ALIGNMENT, 1, _ALIGNED),
        )
        covered = await ask_numbered(
            asking,
            subject=subject,
            ask=_COVERAGE.format(place=place),
            noun="question",
            items=[
                JudgedItem(count, subject.reply_turn, text) for count, text in enumerate(questions, start=1)
            ],
            words=VerdictWords({"yes": True, "no": False, "none": None}),
            narrow=Narrow(_NARROW_COVERAGE, 1, _COVERED, label="Question"),
        )
        return _finding(aligned, covered)

    async def _drafted(self, subject: Subject, asking: Asking) -> list[str]:
        """Let the judge draft questions from the source alone, so that the summary cannot lead them."""
        mark = subject.transcript(asking.secret).mark
        question = Question(
            rules=RULES,
            transcript="",
            ask=_DRAFT.format(source=fence(mark, "text", {1: subject.value("input")}), count=self.n),
            name="questions",
            schema={
                "type": "object",
                "properties": {"questions": {"type": "array", "items": {"type": "string"}, "minItems": 1}},
                "required": ["questions"],
                "additionalProperties": False,
            },
        )
        drafted = (await asking.ask(question)).value["questions"]
        return [text.strip() for text in drafted if text.strip()][: self.n]


def _finding(aligned: FoundVerdicts, covered: FoundVerdicts) -> Finding:
    alignment, coverage = share_passed(aligned.verdicts), share_passed(covered.verdicts)
    kept = turns_reason(
        aligned.verdicts, good="rest on the source", bad="do not rest on the source", noun="statement"
    )
    told = turns_reason(
        covered.verdicts, good="are covered", bad="are not covered by the summary", noun="question"
    )
    odd = {"alignment": aligned.details, "coverage": covered.details}
    return Finding(
        score=min(alignment, coverage),
        reason=f"{kept} {told}",
        verdicts=[*aligned.verdicts, *covered.verdicts],
        details={
            "alignment": alignment,
            "coverage": coverage,
            **{f"{part}_{name}": value for part, given in odd.items() for name, value in given.items()},
        },
    )
