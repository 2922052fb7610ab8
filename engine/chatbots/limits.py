"""ChatbotLimits: how long a chatbot is waited for, and how often it is asked, as its user says."""

from __future__ import annotations

from dataclasses import dataclass, replace

from turnwise.engine.models.limits import RetryLimits
from turnwise.engine.models.settings import LONGEST_WAIT, MOST_TRIES, ModelSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatbotLimits:
    """What was said; None leaves it to the kind of chatbot.

    timeout: seconds that one answer may take. tries: of one question. longest_wait: seconds that are waited
    where the chatbot asks to.
    """

    timeout: float | None = None
    tries: int | None = None
    longest_wait: float | None = None

    def of(self, settings: ModelSettings) -> ModelSettings:
        """Return a model's settings within these limits."""
        said = {name: value for name in self.__slots__ if (value := getattr(self, name)) is not None}
        return replace(settings, **said)

    @property
    def patience(self) -> RetryLimits:
        """How long a chatbot is borne with that says nothing of it itself."""
        return RetryLimits(
            tries=MOST_TRIES if self.tries is None else self.tries,
            longest_wait=LONGEST_WAIT if self.longest_wait is None else self.longest_wait,
        )


USUAL = ChatbotLimits()
