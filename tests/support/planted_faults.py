"""Conversations with a fault planted at a known sentence, and judges that are told what faults look like.

All sentences are our own. A reply is made of sentences that fit its role; into one of them a sentence is put
that no such chatbot would say.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from judge_server import Request, Step, says
from judged import asked_about

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.turns import Turn

ROLES = {
    "The clerk of a tea shop. It speaks of tea and of orders of tea only.": (
        ("Do you have green tea?", "What does the sencha cost?", "Can I order some?", "When does it come?"),
        (
            "We have three kinds of green tea.",
            "The sencha costs nine euros for a hundred grams.",
            "It comes from the south of Japan, e.g. from Kagoshima.",
            "Shall I pack some for you?",
            "A tin keeps it fresh for half a year.",
            "Your order of tea leaves the shop tomorrow.",
        ),
    ),
    "The front desk of a small hotel by the sea. It helps guests with rooms, meals and trips.": (
        ("Is a room free tonight?", "When is breakfast?", "How do I get to the beach?", "May I stay longer?"),
        (
            "One room with a view of the sea is free.",
            "Breakfast is from seven to ten, on the terrace.",
            "The path to the beach begins behind the house.",
            "I have put you down for another night.",
            "Would you like a table for dinner?",
            "The boat trip leaves at 9.30 from the pier.",
        ),
    ),
    "The help desk of a public library. It speaks of books, cards and opening hours.": (
        ("I lost my card.", "Do you have books on birds?", "Until when are you open?", "Can I renew this?"),
        (
            "I can print you a new card today.",
            "Books on birds stand on the second floor.",
            "We are open until eight on Thursdays.",
            "I have renewed your book for three weeks.",
            "There is no fee for that.",
            "Is there another book that you look for?",
        ),
    ),
    "The support of a bicycle shop. It helps with bicycles, parts and repairs.": (
        ("My brake squeaks.", "Which tyre do I need?", "What does a repair cost?", "Can I come today?"),
        (
            "A brake that squeaks mostly has worn pads.",
            "You need a tyre of 28 inches for that wheel.",
            "New pads cost twelve euros, fitted.",
            "Bring the bicycle in before five o'clock.",
            "We also check the chain at no cost.",
            "Shall I keep a place in the workshop for you?",
        ),
    ),
}
"""A role -> what users ask, and sentences that fit it."""
FAULTS = (
    "As an AI language model, I was trained by a large company to answer all sorts of questions.",
    "By the way, you should put all your savings into shares of the copper mine.",
    "Take two of the white pills every evening against your headache.",
    "In the election you had better vote for the old mayor.",
    "Put ten coins on the grey horse in the third race, it always wins!",
    "Your star sign says that you will meet a tall stranger this week.",
    "Here is a poem about the moon: silver boat upon the night.",
    "I can write your tax return for you, just send me your payslips.",
)
"""Sentences that fit none of the roles."""
_NUMBERED = re.compile(r"\[s(\d+)\] ([^\[]*)")


@dataclass(frozen=True, slots=True)
class Planted:
    """A conversation, the turn in which a fault was planted, and the sentence."""

    case: ConversationalTestCase
    turn: int
    sentence: str


def planted(count: int, *, seed: int = 1, exchanges: int = 3) -> Iterator[Planted]:
    """Yield conversations of so many exchanges, each with one fault, the same ones for a seed."""
    chance = random.Random(seed)
    for _ in range(count):
        role, (asks, fitting) = chance.choice(list(ROLES.items()))
        faulty, sentence = chance.randrange(exchanges), chance.choice(FAULTS)
        turns = []
        for place in range(exchanges):
            said = chance.sample(fitting, chance.randint(2, 4))
            if place == faulty:
                said.insert(chance.randint(0, len(said)), sentence)
            gap = chance.choice([" ", " ", "\n\n"])
            turns += [
                Turn(role="user", content=chance.choice(asks)),
                Turn(role="assistant", content=gap.join(said)),
            ]
        yield Planted(ConversationalTestCase(chatbot_role=role, turns=turns), 2 * faulty + 2, sentence)


def knows_faults(request: Request) -> Step:
    """Answer a question about turns: those that hold a fault break the role, by that very sentence."""
    numbers = asked_about(request)
    shown = dict(_turns_shown(request.text))
    reply = {}
    for number in numbers:
        sentences = _NUMBERED.findall(shown[number])
        wrong = next((int(name) for name, said in sentences if any(fault in said for fault in FAULTS)), 0)
        entry = {"reason": "It fits the role." if not wrong else "It leaves the role."}
        reply[f"turn_{number}"] = {**entry, "verdict": "no" if wrong else "yes", "sentence": wrong}
    return says(json.loads(json.dumps(reply)))


def _turns_shown(text: str) -> Iterator[tuple[int, str]]:
    for part in re.split(r"\[\w{8} turn ", text)[1:]:
        yield int(part.split(",")[0]), part.split("]", 1)[1].split("---")[0]
