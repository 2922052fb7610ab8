"""Scenarios: what a simulated user is, wants and knows, read from files of ours and of other tools.

    for scenario in load_scenarios(Path("bookings.yaml")):
        ...

own_scenarios     our YAML: persona, goal, facts, manner, when to stop; scripts that need no model
other_scenarios   deepeval's conversational goldens, AgentV's conversations, promptfoo's simulated users
"""

from turnwise.conversations.scenarios.loading import LoadedScenarios, load_scenarios
from turnwise.conversations.scenarios.other_scenarios import goldens_of
from turnwise.conversations.scenarios.own_scenarios import written_scenarios
from turnwise.conversations.scenarios.scenario import (
    KnownFact,
    Scenario,
    ScenarioFields,
    ScriptRule,
    UserScript,
)

__all__ = [
    "KnownFact",
    "LoadedScenarios",
    "Scenario",
    "ScenarioFields",
    "ScriptRule",
    "UserScript",
    "goldens_of",
    "load_scenarios",
    "written_scenarios",
]
