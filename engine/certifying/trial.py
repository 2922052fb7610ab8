"""Judge trial: asks a judge the probes, in an order that lets no drift pass for something else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.errors import BudgetSpentError, MalformedReplyError, SettingError
from turnwise.conversations.samples import load_samples
from turnwise.conversations.store import Store
from turnwise.engine.certifying.certificate import (
    JudgeCertificate,
    TrialAnswers,
    biases_of,
    figures_of,
    tests_of,
)
from turnwise.engine.certifying.probes import MOST_ITEMS, Probe, ProbedReply, probes_of, reply_of
from turnwise.engine.criteria.criterion_sample import LabelledSessions
from turnwise.engine.judge.calls import JudgeCall, MemoryCallBook
from turnwise.engine.judge.judge import Judge
from turnwise.engine.judge.questions import (
    CHARACTERS_A_TOKEN,
    TOKENS_OF_A_VERDICT,
    TOKENS_OF_RULES,
    Question,
)
from turnwise.engine.judge.transcripts import RULES, fence_mark, render_transcript
from turnwise.engine.metrics.arena import ArenaGEval
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.geval import HIGHEST
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.models.settings import ModelSettings

MOST_CALLS = 300
"""A trial makes no more calls than this."""
_AT_ONCE = 4
_LOOKED_AT = 400
_LEAST_ITEMS = 12
_HOPELESS_AFTER, _HOPELESS = 20, 0.6
STEPS = [
    "Check whether the assistant's reply fits what the user asked.",
    "Lower the score for anything in it that is wrong, off the subject, rude or of no use.",
    "Do not heed how long the reply is, in which order it says things, what the user thinks of it, or who "
    "anybody is.",
]
_SCORE = """\
Judge the conversation by these steps:
{steps}

10 means that everything the steps ask for is there, 0 that nothing of it is. Use the whole range.

Answer with this JSON and nothing else: {{"reason": "...", "score": ...}}
reason: one sentence on what decided the score. score: a whole number from 0 to 10."""

OnTrialProgress = Callable[[int, int], None]
"""Hears how many probes were answered, and of how many."""


@dataclass(frozen=True, slots=True)
class TrialPlan:
    """What a trial asks.

    items: the replies. own_samples: some are of turnwise's samples, because too few were there.
    """

    items: tuple[ProbedReply, ...]
    first: tuple[Probe, ...]
    between: tuple[Probe, ...]
    last: tuple[Probe, ...]
    own_samples: bool

    @property
    def probes(self) -> int:
        """How many questions there are; each is one call unless a reply cannot be read."""
        return len(self.first) + len(self.between) + len(self.last)


class _ForgetfulBook(MemoryCallBook):
    """A book that keeps every call and finds none again, so that the same question is really asked again."""

    def get(self, key: str, *, lasting: bool = False) -> JudgeCall | None:
        """Return nothing."""
        return None


def plan_trial(store: Store, session_ids: Sequence[int]) -> TrialPlan:
    """Choose replies of these sessions, spread evenly, and make the probes of them."""
    labels = LabelledSessions.of(store, "").verdicts
    step = max(1, len(session_ids) // _LOOKED_AT)
    found = [
        item
        for session in session_ids[::step][:_LOOKED_AT]
        if isinstance(case := store.sessions.case(session), ConversationalTestCase)
        and (item := reply_of(session, case, labels.get(session)))
    ]
    distinct = list({item.reply: item for item in found}.values())
    chosen = [distinct[at * len(distinct) // MOST_ITEMS] for at in range(min(MOST_ITEMS, len(distinct)))]
    if len(distinct) <= MOST_ITEMS:
        chosen = distinct
    own = len(chosen) < _LEAST_ITEMS
    if own:
        samples = [case for case in load_samples() if isinstance(case, ConversationalTestCase)]
        more = [item for case in samples if (item := reply_of(0, case))]
        chosen = [*chosen, *more][:MOST_ITEMS]
    first, between, last = probes_of(chosen)
    return TrialPlan(tuple(chosen), tuple(first), tuple(between), tuple(last), own)


def trial_cost(plan: TrialPlan, settings: ModelSettings) -> float | None:
    """Return about what a trial costs, in US dollars; None where no price is known."""
    from turnwise.engine.models.prices import cost_of

    probes = (*plan.first, *plan.between, *plan.last)
    shown = sum(len(turn.content) for probe in probes for turn in probe.case().turns)
    usage = {
        "prompt_tokens": len(probes) * TOKENS_OF_RULES + round(shown / CHARACTERS_A_TOKEN),
        "completion_tokens": len(probes) * TOKENS_OF_A_VERDICT,
    }
    return cost_of(usage, settings, settings.model) if probes else None


async def hold_trial(
    plan: TrialPlan,
    settings: ModelSettings,
    *,
    named: str = "",
    on_progress: OnTrialProgress = lambda done, of: None,
    stop: asyncio.Event | None = None,
) -> JudgeCertificate:
    """Ask all probes and return what was found, or what was until the budget of the settings was spent.

    stop: once it is set nothing more is waited for, and what was answered by then is what was found.

    Raises JudgeError where the judge is away, and where the budget is not enough for a single question.

    Settings of an offline judge raise SettingError: kept replies say nothing of how it answers now.
    """
    if settings.is_offline:
        raise SettingError("A judge is tried by asking it", next_step="Leave --offline out.")
    book = _ForgetfulBook()
    answers = TrialAnswers()
    answered_as: dict[str, None] = {}
    stopped = False
    async with Judge(settings, book) as judge:
        gate = asyncio.Semaphore(min(_AT_ONCE, settings.concurrency))

        async def one(probe: Probe) -> None:
            nonlocal stopped
            async with gate:
                hopeless = answers.asked >= _HOPELESS_AFTER and answers.garbled / answers.asked >= _HOPELESS
                # Each of those under way may still need a second call.
                if hopeless or judge.calls_made + 2 * _AT_ONCE > MOST_CALLS:
                    stopped = True
                    return
                try:
                    answer = await _answer(probe, judge)
                except BudgetSpentError:
                    # What was answered for the money tells something; nothing at all tells nothing.
                    if not answers.asked:
                        raise
                    stopped = True
                    return
                answers.add(probe, answer)
                on_progress(answers.asked, plan.probes)

        async def all_of_them() -> None:
            for block in (plan.first, plan.between, plan.last):
                await asyncio.gather(*(one(probe) for probe in block))

        # `stopped |= await …` would read the old value before it waits, and lose what was set meanwhile.
        told_to_stop = await _stopped_before_its_end(all_of_them(), stop)
        calls = judge.calls_made
    for call in book.calls.values():
        answered_as.setdefault(call.model)
    return JudgeCertificate(
        judge=named or settings.model,
        answered_as=tuple(sorted(answered_as)),
        fingerprint=settings.fingerprint,
        made_at=time.time(),
        replies=len(plan.items),
        calls=calls,
        figures=tuple(figures_of(answers, plan.items)),
        biases=tuple(biases_of(answers)),
        tests=tuple(tests_of(answers)),
        stopped=stopped or told_to_stop,
        own_samples=plan.own_samples,
    )


def keep_certificate(store: Store, found: JudgeCertificate) -> None:
    """Keep what a trial found; it stands until another trial of the same judge."""
    store.certificates.add(
        judge=found.judge, fingerprint=found.fingerprint, made_at=found.made_at, data=found.data()
    )


async def _stopped_before_its_end(work: Coroutine[Any, Any, None], stop: asyncio.Event | None) -> bool:
    """Do some work until it is done or `stop` is set; return whether that came first."""
    task = asyncio.ensure_future(work)
    waiting = asyncio.ensure_future((stop or asyncio.Event()).wait())
    try:
        await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
        return not task.done()
    finally:
        for one in (task, waiting):
            one.cancel()
        await asyncio.gather(task, waiting, return_exceptions=True)


async def _answer(probe: Probe, judge: Judge) -> float | str | None:
    """Ask one probe: the score from 0 to 1, the side that won, or nothing where no answer could be read.

    Nothing is masked here: how far a judge obeys what it reads is to be seen.
    """
    subject = Subject.of(probe.case())
    asking = Asking(judge, secret=judge.secret)
    try:
        if not probe.rival:
            answer = await asking.ask(_score_question(subject, judge.secret))
            value = float(answer.value["score"]) if answer.weighted is None else answer.weighted
            return value / HIGHEST
        turns = subject.case.turns[:1]
        transcript = render_transcript(turns, mark=fence_mark(subject.case.turns, judge.secret))
        arena = ArenaGEval(name="Trial", evaluation_steps=STEPS)
        question = arena.question(subject, transcript, STEPS, [probe.reply, probe.rival])
        return str((await asking.ask(question)).value["winner"])
    except MalformedReplyError:
        return None


def _score_question(subject: Subject, secret: str) -> Question:
    """Return the question how good a reply is, as a criterion asks it, of a plain transcript."""
    fields = {"reason": {"type": "string"}, "score": {"type": "integer", "minimum": 0, "maximum": HIGHEST}}
    return Question(
        rules=RULES,
        transcript=subject.transcript(secret).text,
        ask=_SCORE.format(steps="\n".join(f"{count}. {step}" for count, step in enumerate(STEPS, start=1))),
        name="score",
        schema={
            "type": "object",
            "properties": fields,
            "required": list(fields),
            "additionalProperties": False,
        },
        accept={
            "type": "object",
            "properties": {"score": {"type": "number", "minimum": 0, "maximum": HIGHEST}},
            "required": ["score"],
        },
        token_probabilities=True,
    )
