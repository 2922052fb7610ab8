"""Definitions: how metrics are defined and made, and what is told where somebody's own metric is wrong.

deepeval takes the first settings of a metric without their names, and has some that turnwise has no use for;
both are settled here, before a metric's own settings are read.
"""

from __future__ import annotations

import inspect
import traceback
from abc import ABCMeta
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import CaseError, SettingError, TurnwiseError
from turnwise.conversations.models import shorten
from turnwise.conversations.numbers import is_finite
from turnwise.conversations.words import nearest
from turnwise.engine.checks.findings import Finding

_OWN_QUESTIONS = (
    "turnwise asks its judge in its own words, which are a part of what a score means",
    "Write a criterion of your own with GEval, or a metric of your own.",
)
_ONE_JUDGE = ("a metric has one judge here, which is asked all questions", "Give that judge as model=.")
_WITHOUT_EFFECT: Mapping[str, tuple[tuple[Any, ...], tuple[str, str]]] = {
    "evaluation_template": ((None,), _OWN_QUESTIONS),
    "template_class": ((None,), _OWN_QUESTIONS),
    "truths_extraction_limit": (
        (None,),
        (
            "no truths are extracted here: the judge reads the passages themselves",
            "Leave it out, or give fewer passages.",
        ),
    ),
    "top_logprobs": (
        (None, 20),
        ("as many token probabilities are asked for as the judge gives, 20 at most", "Leave it out."),
    ),
    "eval_mode": ((None,), _ONE_JUDGE),
    "system_one_model": ((None,), _ONE_JUDGE),
    "flaky": (
        (False,),
        ("a metric either counts or does not", "Leave the metric out, or give it the threshold 0."),
    ),
    "_include_g_eval_suffix": ((True, False), ("", "")),
}
"""deepeval's settings that change nothing here: the values that mean the same without them, and otherwise why
they cannot be had and what to do.
"""


class MetricType(ABCMeta):
    """The type of metrics: it takes settings in their order, and tells of those that a metric does not have.

    A metric with an __init__ of its own is left alone.
    """

    def __call__(cls, *given: Any, **named: Any) -> Any:
        """Make a metric. Raises SettingError for settings that it does not have."""
        if not _takes_settings(cls):
            return super().__call__(*given, **named)
        return super().__call__(**_settings_of(cls, given, named))


def _takes_settings(kind: type) -> bool:
    """Whether a class is made by the __init__ that `dataclass` wrote for its settings."""
    home = next(one for one in kind.__mro__ if "__init__" in vars(one))
    written = vars(home).get("__dataclass_params__")
    return written is not None and bool(written.init)


def _settings_of(kind: Any, given: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    known = [name for name, item in kind.__dataclass_fields__.items() if item.init]
    order = [name for name in kind.positional if name in known]
    if len(given) > len(order):
        raise SettingError(
            f"{kind.__name__} takes {len(order)} settings without their names",
            detail=f"In this order: {', '.join(order)}. Given: {len(given)}",
            next_step="Name the others, as in threshold=0.7.",
        )
    settings = dict(zip(order, given, strict=False))
    for name, value in named.items():
        if name in settings:
            raise SettingError(f"{kind.__name__}: {name} is given twice", detail=f"Again: {shorten(value)}")
        if name in known:
            settings[name] = value
        elif name in _WITHOUT_EFFECT:
            _refuse_effect(kind, name, value)
        else:
            near = nearest(name, known)
            raise SettingError(
                f"{kind.__name__} has no setting {name}",
                next_step=f"Did you mean {near}?" if near else f"It has: {', '.join(known)}.",
            )
    return settings


def _refuse_effect(kind: type, name: str, value: Any) -> None:
    """Raise SettingError where a setting of deepeval's is to change something."""
    harmless, (why, step) = _WITHOUT_EFFECT[name]
    if not any(value is one or (type(value) is type(one) and value == one) for one in harmless):
        raise SettingError(
            f"{kind.__name__} has no {name}", detail=f"Given: {shorten(value)}; {why}", next_step=step
        )


def is_ours(kind: type) -> bool:
    """Whether a class is turnwise's own."""
    return kind.__module__.partition(".")[0] == "turnwise"


def check_definition(kind: Any) -> None:
    """Raise SettingError where a metric that somebody wrote lacks what every metric has."""
    if "measure" in vars(kind) and "assess" not in vars(kind) and not is_ours(kind):
        raise SettingError(
            f"{kind.__name__} has measure where a Metric has assess",
            detail=place_of(kind),
            next_step="Derive it from BaseMetric or BaseConversationalMetric, or write "
            "`async def assess(self, subject, asking)`.",
        )
    if "assess" not in vars(kind):
        return
    samples = {"key": '"shouting"', "scope": '"exchange"'}
    for name, sample in samples.items():
        if not isinstance(getattr(kind, name, None), str):
            raise SettingError(
                f"{kind.__name__} has no {name}",
                detail=place_of(kind),
                next_step=f"Write {name}: ClassVar[str] = {sample} in the class.",
            )


def checked_finding(kind: type, found: Any) -> Finding:
    """Return what `assess` gave, if it is a finding. Raises CaseError, which fails this one subject."""
    if not isinstance(found, Finding):
        raise CaseError(
            f"{kind.__name__}.assess returned {_told(found)}",
            detail=f"expected Finding(score=..., reason=...); {place_of(kind, 'assess')}",
        )
    if not is_number(found.score):
        raise CaseError(
            f"{kind.__name__}.assess returned a Finding with the score {_told(found.score)}",
            detail=f"expected a number from 0 to 1; {place_of(kind, 'assess')}",
        )
    return found


def is_number(value: Any) -> bool:
    """Whether a value is a number that sums can be made of."""
    return isinstance(value, int | float) and not isinstance(value, bool) and is_finite(value)


def _told(value: Any) -> str:
    return "nothing" if value is None else f"{shorten(value)} (a {type(value).__name__})"


def place_of(kind: type, method: str = "") -> str:
    """Return where a class, or a method of it, is written: the file's name and the line."""
    try:
        subject = inspect.unwrap(getattr(kind, method)) if method else kind
        file = inspect.getsourcefile(subject) or "?"
        return f"{Path(file).name}, line {inspect.getsourcelines(subject)[1]}"
    except (OSError, TypeError):
        return f"{kind.__module__}.{kind.__qualname__}"


def what_happened(error: BaseException, kind: type) -> str:
    """Return the words of an error for the record; one that is not turnwise's own names its type.

    kind: the metric that it was raised in; where somebody wrote it, class and line are named.
    """
    if isinstance(error, TurnwiseError):
        return ": ".join(part for part in (error.title, error.detail) if part)
    told = f"{type(error).__name__}: {error}"
    return told if is_ours(kind) else f"{told} ({kind.__name__}, {line_of(error, kind)})"


def line_of(error: BaseException, kind: type) -> str:
    """Return the line of a class's file from which an error came, or the innermost where it is of no such."""
    frames = traceback.extract_tb(error.__traceback__)
    try:
        file = inspect.getsourcefile(kind)
    except TypeError:
        file = None
    own = [frame for frame in frames if frame.filename == file] or frames
    return f"{Path(own[-1].filename).name}, line {own[-1].lineno}" if own else place_of(kind)
