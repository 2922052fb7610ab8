"""How metrics are named that mean nothing without a setting, for tests that go through all of them."""

from __future__ import annotations

SETTINGS = {
    "topic_adherence": "topic_adherence:relevant_topics=flights",
    "tool_use": "tool_use:available_tools=search",
    "prompt_alignment": "prompt_alignment:prompt_instructions=Be brief",
    "misuse": "misuse:domain=travel",
    "non_advice": "non_advice:advice_types=medical",
    "conversational_geval": "conversational_geval:It is polite.",
    "geval": "geval:It is polite.",
    "arena_geval": "arena_geval:It is polite.",
    "contains": "contains:a",
    "regex": "regex:a",
    "pattern_match": "pattern_match:.*",
    "json_correctness": "json_correctness:expected_schema={}",
}
