"""TalkPlan: with whom to talk, and how, as the command line or the dialog says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwise.conversations.recording import Recording
from turnwise.engine.chatbots.limits import USUAL, ChatbotLimits

if TYPE_CHECKING:
    from turnwise.conversations.store import Store
    from turnwise.engine.metrics.metric import Metric
    from turnwise.engine.models.settings import ModelSettings


@dataclass(frozen=True, slots=True)
class TalkPlan:
    """With whom to talk, and how.

    target: settings, or what `find_talker` takes; None is not known yet. system: the system prompt; "" is
    none, None one that is made from the role. session: the kept conversation to go on with; its role, prompt
    and name stay what they are. limits: how long the chatbot is waited for. metrics: score the talk as it
    goes.
    """

    target: ModelSettings | str | None
    role: str = ""
    system: str | None = None
    name: str = ""
    session: int | None = None
    limits: ChatbotLimits = USUAL
    metrics: tuple[Metric, ...] = ()

    @property
    def spec(self) -> str | None:
        """How the chatbot is named the next time; None where that would hold a secret."""
        from turnwise.engine.models.choose import spec_of

        if self.target is None or isinstance(self.target, str):
            return self.target
        return spec_of(self.target)

    def recording(self, store: Store, target: str) -> Recording:
        """Return the recording to talk into: an empty one, or that of the kept conversation.

        target: what answers, for people. Raises what `Recording.resumed` raises.
        """
        if self.session is not None:
            return Recording.resumed(store, self.session, target=target)
        return Recording(store, target=target, role=self.role, system=self.system, name=self.name)
