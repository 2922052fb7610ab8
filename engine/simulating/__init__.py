"""Simulating: users who are played against a chatbot, by a model or by a script, many conversations at once.

users        who says what next: a scripted user, or one that a model plays
replies      what the chatbot says, kept, so that the same question is asked once
playing      one conversation, from its first turn to why it ended
simulation   many of them: which are new, which go on, which are finished; caps, hope and progress
drafting     scenarios out of real sessions
"""

from turnwise.engine.simulating.drafting import DraftedScenario, drafted_scenarios
from turnwise.engine.simulating.playing import SimulatedSession, SimulationCaps
from turnwise.engine.simulating.simulation import Simulation, SimulationTally
from turnwise.engine.simulating.users import USER_TEMPERATURE

__all__ = [
    "USER_TEMPERATURE",
    "DraftedScenario",
    "SimulatedSession",
    "Simulation",
    "SimulationCaps",
    "SimulationTally",
    "drafted_scenarios",
]
