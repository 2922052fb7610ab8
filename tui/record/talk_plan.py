"""TalkPlan: with whom to talk, and how, as the command line or the dialog says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.recording import Recording
from turnwise.engine.chatbots.limits import USUAL, ChatbotLimits

if TYPE_CHECKING:
    from turnwise.conversations.store import Store
    from turnwise.engine.chatbots.talk import Talker
    from turnwise.engine.metrics.metric import Metric
    from turnwise.engine.models.settings import ModelSettings


WITH_TEMPERATURE = ("openai", "embedded")
"""The providers whose API takes a temperature of every model."""


@dataclass(frozen=True, slots=True)
class TalkPlan:
    """With whom to talk, and how.

    target: settings, or what `find_talker` takes; None is not known yet. system: the system prompt; "" is
    none, None one that is made from the role. session: the kept conversation to go on with; its role, prompt
    and name stay what they are. limits: how long the chatbot is waited for. metrics: score the talk as it
    goes. scenario: what the talk is about, for metrics and readers; the chatbot is not told. temperature: of
    the chatbot, from 0; None leaves it as it is.
    """

    target: ModelSettings | str | None
    role: str = ""
    system: str | None = None
    name: str = ""
    session: int | None = None
    limits: ChatbotLimits = USUAL
    metrics: tuple[Metric, ...] = ()
    scenario: str = ""
    temperature: float | None = None

    @property
    def spec(self) -> str | None:
        """How the chatbot is named the next time; None where that would hold a secret."""
        from turnwise.engine.models.choose import spec_of

        if self.target is None or isinstance(self.target, str):
            return self.target
        return spec_of(self.target)

    async def talker(self) -> Talker:
        """Return the chatbot.

        Raises what `find_talker` raises, and SettingError for one that takes no temperature.
        """
        # What reads descriptions of chatbots takes a while to import.
        from turnwise.engine.chatbots.targets import Target
        from turnwise.engine.suites.code.talking import find_talker

        if self.target is None or isinstance(self.target, str):
            found = await find_talker(self.target, limits=self.limits)
        else:
            found = Target(self.limits.of(self.target))
        if self.temperature is None:
            return found
        if not isinstance(found, Target) or found.settings.provider not in WITH_TEMPERATURE:
            raise SettingError(
                f"{found.title} takes no temperature",
                next_step="Leave it out, or set it where the chatbot is described.",
            )
        return Target(found.settings, temperature=self.temperature)

    def recording(self, store: Store, target: str) -> Recording:
        """Return the recording to talk into: an empty one, or that of the kept conversation.

        target: what answers, for people. Raises what `Recording.resumed` raises.
        """
        if self.session is not None:
            return Recording.resumed(store, self.session, target=target)
        about: dict[str, Any] = {"scenario": self.scenario} if self.scenario else {}
        if self.temperature is not None:
            about["metadata"] = {"temperature": self.temperature}
        return Recording(
            store, target=target, role=self.role, system=self.system, name=self.name, about=about
        )
