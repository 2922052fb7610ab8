"""Learning from labels: from the labelled sessions of a database to a signal that is kept in it."""

from __future__ import annotations

import re

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import SignalVersion, Store
from turnwise.engine.learning.examples import read_examples
from turnwise.engine.learning.fitting import TellLearning, cross_validate, fit, tell_nobody
from turnwise.engine.learning.learned_signal import LearnedSignal
from turnwise.engine.learning.word_buckets import words_of_buckets

_NAME = re.compile(r"[^\W_][\w.-]{0,59}")


def learn(
    store: Store,
    name: str,
    *,
    metric: str = "",
    scores: str = "",
    query: str = "",
    group: str = "",
    threshold: float = 0.5,
    tell: TellLearning = tell_nobody,
) -> LearnedSignal:
    """Learn a signal from labels and measure it; nothing is kept. The same database gives the same signal.

    metric, scores, query, group: as `read_examples` takes them. tell: hears how far it is, and ends it where
    it raises something. Raises SettingError where the name or
    threshold means nothing, metric and scores are both given, labels are too few, or scikit-learn is not
    installed.
    """
    if not _NAME.fullmatch(name):
        raise SettingError(
            f"A signal is not called {name!r}", next_step="Take letters, figures and -, as in: resolved"
        )
    if not 0 <= threshold <= 1:
        raise SettingError("A threshold lies between 0 and 1", detail=f"Given: {threshold}")
    if metric and scores:
        raise SettingError(
            "Labels are people's or a metric's", next_step="Give --metric or --scores, and not both."
        )
    found = read_examples(store, metric=metric, scores=scores, query=query, group=group, tell=tell)
    fitted = fit(found.examples)
    words = [one.feature for one in fitted.weights] if "words" in fitted.families else []
    return LearnedSignal(
        name=name,
        learned_from=found.learned_from,
        grouped_by=found.grouped_by,
        families=fitted.families,
        weights=fitted.weights,
        intercept=fitted.intercept,
        slope=fitted.slope,
        shift=fitted.shift,
        penalty=fitted.penalty,
        threshold=threshold,
        buckets=dict(words_of_buckets(found.subjects, words)),
        measured=cross_validate(found.examples, tell),
    )


def keep_signal(store: Store, signal: LearnedSignal, *, author: str) -> SignalVersion:
    """Keep a signal as the newest version of its name."""
    content = signal.model_dump_json()
    return store.learned.keep(
        name=signal.name, fingerprint=signal.fingerprint, content=content, author=author
    )
