"""The chatbot role that whoever imports a conversation gives it."""

from __future__ import annotations

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.formats.records import Case


def with_role(case: Case, *, role: str | None = None, role_from_system: bool = False) -> Case:
    """Return the case with a chatbot role; unchanged where nothing gives it one.

    role: the role in plain words; it takes the place of the case's own. role_from_system: take the text of
    the first system or developer message, where the case has no role of its own.
    A single exchange has no place for a role, so with a role text it becomes a conversation of one exchange.
    """
    given = role.strip() if role else ""
    if isinstance(case, LLMTestCase):
        if not given:
            return case
        return ConversationalTestCase(turns=[case], name=case.name, tags=case.tags, chatbot_role=given)
    if not given and role_from_system and not (case.chatbot_role or "").strip():
        given = _system_text(case)
    return case.model_copy(update={"chatbot_role": given}) if given else case


def _system_text(case: ConversationalTestCase) -> str:
    spoken = (turn.content.strip() for turn in case.turns if turn.role in ("system", "developer"))
    return next((text for text in spoken if text), "")
