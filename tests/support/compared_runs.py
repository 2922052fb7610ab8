"""Runs to compare, in a real store: a suite's cases answered by targets, and sessions judged again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.results import Outcome, Score, Verdict
from turnwise.conversations.store import Store
from turnwise.conversations.store.scores import Identity


def suite_case(
    place: int, *replies: str, target: str = "one", prompt: str = "p", **about: Any
) -> ConversationalTestCase:
    """Return a case of a suite as `turnwise run` keeps it, with a question before each reply."""
    turns: list[dict[str, str]] = []
    for number, reply in enumerate(replies or (f"{target} answers",)):
        turns.append({"role": "user", "content": f"case {place}, question {number}"})
        turns.append({"role": "assistant", "content": reply})
    fixed = {"suite": "Bookings", "case": place, "vars": {"n": place}, "prompt": prompt, "target": target}
    return ConversationalTestCase.model_validate(
        {"turns": turns, "name": f"Case {place}", "metadata": {**fixed, **about}}
    )


def kept(store: Store, cases: Iterable[ConversationalTestCase]) -> list[int]:
    """Store cases and return their ids."""
    return [store.sessions.add(case, source="suite.yaml", format="test").session_id for case in cases]


def judged(value: float, metric: str = "politeness", *, threshold: float = 0.5, **more: Any) -> Score:
    """Return a score whose verdict about turn 2 is its own."""
    passed = value >= threshold
    verdict = Verdict(turn=2, passed=passed, word="yes" if passed else "no", reason="as it was said")
    return Score(
        metric=metric,
        score=value,
        threshold=threshold,
        reason=f"The score is {value}.",
        verdicts=(verdict,),
        **more,
    )


def a_run(
    store: Store,
    outcomes: Sequence[tuple[int, Outcome]],
    *,
    name: str = "",
    judge: str = "judge-1",
    version: int = 1,
    fingerprint: str = "",
    **parameters: Any,
) -> int:
    """Keep outcomes of sessions as one run that came to its end, and return its number.

    fingerprint: of the metrics; without one it is their name.
    """
    metrics = list(dict.fromkeys(outcome.metric for _, outcome in outcomes))
    run = store.runs.begin(judge=judge, metrics=metrics, name=name, parameters=parameters)
    found = [
        (
            Identity(
                session,
                outcome.exchange,
                outcome.metric,
                version,
                fingerprint or outcome.metric,
                "c",
                judge,
                judge,
            ),
            outcome,
        )
        for session, outcome in outcomes
    ]
    store.scores.add_all(run, found)
    store.runs.finish(run)
    return run


def taken_over(store: Store, earlier: int, *, name: str = "") -> int:
    """Keep a run that judged nothing, as it took the scores of an earlier one over; return its number."""
    rows = store.run_outcomes.of(earlier)
    run = store.runs.begin(
        judge="judge-1", metrics=list(dict.fromkeys(row.metric for row in rows)), name=name
    )
    store.scores.link(run, [row.id for row in rows])
    store.runs.finish(run)
    return run


def two_targets(store: Store, values: Sequence[tuple[float, float]]) -> tuple[int, int]:
    """Keep a run of target "one" and a run of target "two" over the same cases, scored so; return both."""
    runs = []
    for side, target in enumerate(("one", "two")):
        ids = kept(store, [suite_case(place, target=target) for place in range(len(values))])
        scores = [(session, judged(pair[side])) for session, pair in zip(ids, values, strict=True)]
        runs.append(a_run(store, scores, name="Bookings"))
    return runs[0], runs[1]


def one_of_ten_lost(store: Store, ids: Sequence[int]) -> list[int]:
    """Keep two runs of ten metrics: m3 fails everywhere in the second, of the others half turn each way."""

    def score(place: int, number: int, later: bool) -> float:
        return float(not later) if number == 3 else float((place + later) % 2)

    return [
        a_run(
            store,
            [
                (session, judged(score(place, number, later), f"m{number}"))
                for place, session in enumerate(ids)
                for number in range(10)
            ],
        )
        for later in (False, True)
    ]
