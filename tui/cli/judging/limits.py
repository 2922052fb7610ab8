"""Limits: the options that say how long a judge or a chatbot is waited for, and what a judge may cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from turnwise.engine.chatbots.limits import ChatbotLimits
    from turnwise.engine.models.settings import ModelSettings

_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeLimits:
    """What was typed; None leaves it to the settings.

    timeout: seconds a call may take. tries: of a call. longest_wait: seconds that are waited where the judge
    asks to. budget: US dollars. price: US dollars for a million tokens in and out.
    """

    timeout: float | None = None
    tries: int | None = None
    longest_wait: float | None = None
    budget: float | None = None
    price: tuple[float, float] | None = None

    def of(self, judge: ModelSettings, *, priced: bool = False) -> ModelSettings:
        """Return the judge within these limits, and those of the settings. Raises SettingError.

        priced: the price that was typed is another judge's too, so a known one goes before it.
        """
        from turnwise.engine.judge.usual_judge import within_limits
        from turnwise.engine.models.prices import has_price
        from turnwise.tui.settings.settings import load_settings

        typed = {name: value for name in self.__slots__ if (value := getattr(self, name)) is not None}
        if priced and "price" in typed and has_price(judge):
            del typed["price"]
        return replace(within_limits(judge, load_settings()), **typed)

    @property
    def of_chatbots(self) -> ChatbotLimits:
        """The same for the chatbots that are asked; the settings speak of the judge alone."""
        from turnwise.engine.chatbots.limits import ChatbotLimits

        return ChatbotLimits(timeout=self.timeout, tries=self.tries, longest_wait=self.longest_wait)


_SECONDS = click.FloatRange(min=0, min_open=True)


def _patience(whom: str) -> tuple[Callable[[Any], Any], ...]:
    return (
        click.option(
            "--timeout", type=_SECONDS, metavar="SECONDS", help=f"How long {whom} may take for one answer."
        ),
        click.option(
            "--tries",
            type=click.IntRange(min=1),
            metavar="N",
            help="How often it is asked the same; at most three times where it runs out of time.",
        ),
        click.option(
            "--longest-wait",
            type=click.FloatRange(min=0),
            metavar="SECONDS",
            help="How long it is waited for where it asks to; where it asks for more, that is a failure.",
        ),
    )


_MONEY = (
    click.option(
        "--budget",
        type=click.FloatRange(min=0),
        metavar="DOLLARS",
        help="Stop before more than that is spent. What a call may cost is held back until it is over.",
    ),
    click.option(
        "--price",
        type=click.FloatRange(min=0),
        nargs=2,
        metavar="IN OUT",
        help="What a million tokens cost, in and out, in dollars, where that is not known.",
    ),
)


def limit_options(*, money: bool = False, whom: str = "the judge") -> Callable[[_F], _F]:
    """Add the options that limit a judge; the command takes them together, as `limits`.

    whom: who is meant, for the help.
    """

    def add(function: _F) -> _F:
        # What was added to the function already goes along.
        @wraps(function)
        def command(*given: Any, **options: Any) -> Any:
            typed = {name: options.pop(name) for name in JudgeLimits.__slots__ if name in options}
            return function(*given, limits=JudgeLimits(**typed), **options)

        wrapped: Any = command
        patience = _patience(whom)
        for option in reversed((*_MONEY, *patience) if money else patience):
            wrapped = option(wrapped)
        result: _F = wrapped
        return result

    return add
