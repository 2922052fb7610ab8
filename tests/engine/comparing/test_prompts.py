"""In how many cases two sides were answered by different system prompts."""

from __future__ import annotations

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.store import Store
from turnwise.conversations.turns import Turn
from turnwise.engine.comparing.prompts import differing_prompts


def add(store: Store, name: str, *prompts: str) -> int:
    """Store a talk that begins with these system prompts."""
    turns = [Turn(role="system", content=prompt) for prompt in prompts]
    turns += [Turn(role="user", content=f"hello {name}"), Turn(role="assistant", content="Hello.")]
    case = ConversationalTestCase(turns=turns, name=name)
    return store.sessions.add(case, source=name, format="test").session_id


def test_cases_are_counted_whose_prompts_are_not_the_same(store: Store) -> None:
    polite, too, brief, without = (
        add(store, name, *prompts)
        for name, *prompts in (("a", "Be polite."), ("b", "Be polite."), ("c", "Be brief."), ("d",))
    )
    both = add(store, "e", "Be polite.", "Answer in German.")
    cases = [(polite, too), (polite, brief), (polite, without), (polite, both), (without, without)]
    assert differing_prompts(store, cases) == 3
    assert differing_prompts(store, [(polite, polite)]) == 0
    assert differing_prompts(store, cases * 200) == 600


def test_a_system_message_in_the_midst_of_a_talk_is_no_prompt(store: Store) -> None:
    first, second = (
        store.sessions.add(
            ConversationalTestCase(
                turns=[
                    *(Turn(role=role, content="yes") for _ in range(3) for role in ("user", "assistant")),
                    Turn(role="system", content=told),
                ],
                name=told,
            ),
            source=told,
            format="test",
        ).session_id
        for told in ("The line was cut.", "The line is back.")
    )
    assert differing_prompts(store, [(first, second)]) == 0
