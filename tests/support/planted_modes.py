"""A corpus of varied conversations of our own, with ways to go wrong planted, each in one of a hundred.

    corpus = PlantedCorpus(seed=3)
    planted = corpus.session(17)      # the conversation, and the mode that was planted in it or ""

Conversation 17 of a seed is the same whenever it is asked for, so that a part of 100,000 can be made alone.
All are talks with a support desk: one of twelve trades, one of twelve matters, a user with a manner of their
own, one of three versions of the chatbot, tools that sometimes fail, names, numbers and goods. Trades and
matters are not equally common. What looks like a fault and is none is there too, and is more common than the
faults: rules that are cited rightly, errors of tools that are told and tried again, questions that are asked
twice, hand-overs after some talk, long replies, talks in German and Spanish from beginning to end, and users
who have the last word. So is what is merely odd: pasted programs, noise of the keyboard, words of nonsense.

A planted mode takes such a conversation and puts its fault in. Two conversations of a mode share neither
trade nor matter nor wording but by chance: what is said in a fault is drawn from a dozen wordings or more.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from planted_words import (
    ANSWERS,
    ASIDES,
    CALLBACKS,
    CLOSINGS,
    ERRORS,
    FOREIGN,
    GREETINGS,
    HAND_OVERS,
    INVENTED,
    MATTERS,
    NAMES,
    OPENINGS,
    PRAISE,
    QUESTIONS,
    RETOLD,
    RULES,
    SYLLABLES,
    THANKS,
    TRADES,
    TROUBLES,
    UNDONE,
)

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.tools import ToolCall
from turnwise.conversations.turns import Turn

SHARE = 0.01
"""The share of the conversations that each mode has."""


@dataclass(frozen=True, slots=True)
class PlantedSession:
    """A conversation, and the mode that was planted in it; empty for none."""

    case: ConversationalTestCase
    mode: str


class Talk:
    """A conversation while it is made. What it says is filled in from its own trade, goods and numbers."""

    def __init__(self, draw: random.Random, goods: Sequence[str]) -> None:
        self.draw = draw
        self.turns: list[dict[str, Any]] = []
        self.trade = draw.choices(TRADES, [1 / (rank + 2) for rank in range(len(TRADES))])[0]
        self.matter = draw.choices(MATTERS, [1 / (rank + 2) for rank in range(len(MATTERS))])[0]
        self.name = draw.choice(NAMES)
        self.goods = draw.choices(goods, [1 / (rank + 4) for rank in range(len(goods))])[0]
        self.talkative = draw.choice((0.1, 0.3, 0.6, 0.9))
        self.version = draw.randrange(3)
        self.hasty = draw.random() < 0.3

    def fill(self, text: str) -> str:
        """Fill in what stands in braces."""
        draw = self.draw
        return text.format(
            thing=draw.choice(self.trade.things),
            other=draw.choice(self.trade.things),
            part=draw.choice(self.trade.parts),
            goods=self.goods,
            name=self.name,
            number=draw.randrange(10_000, 99_999),
            days=draw.choice((2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90)),
            money=draw.randrange(5, 400),
            hour=draw.randrange(8, 19),
            deed=draw.choice(self.matter.deeds),
            noun=self.matter.noun,
        )

    def one(self, wordings: Sequence[str]) -> str:
        """Return one of some wordings, filled in."""
        return self.fill(self.draw.choice(wordings))

    def user(self, text: str) -> None:
        """Let the user say something, in their own manner."""
        draw = self.draw
        while draw.random() < self.talkative * 0.7:
            text += " " + self.one(ASIDES)
        if self.hasty:
            text = text.lower().replace("'", "").rstrip(".")
            place = draw.randrange(len(text))
            text = text[:place] + text[place + 1 :]
        self.turns.append({"role": "user", "content": text})

    def reply(self, text: str, calls: Sequence[ToolCall] = ()) -> None:
        """Let the chatbot say something."""
        self.turns.append(
            {
                "role": "assistant",
                "content": text,
                "latency_ms": round(self.draw.lognormvariate(7.3, 0.6)),
                **({"tools_called": list(calls)} if calls else {}),
            }
        )

    def call(self, tool: str, *, fails: bool = False) -> ToolCall:
        """Return a use of a tool."""
        draw = self.draw
        given = {self.trade.key: str(draw.randrange(10_000, 99_999))}
        if fails:
            return ToolCall(name=tool, input_parameters=given, output=draw.choice(ERRORS))
        output = {"status": draw.choice(("ok", "open", "done", "shipped")), "amount": draw.randrange(400)}
        return ToolCall(name=tool, input_parameters=given, output=output)


class PlantedCorpus:
    """Conversations by their numbers. seed: gives other conversations."""

    def __init__(self, seed: int, share: float = SHARE) -> None:
        self._seed, self._share = seed, share
        draw = random.Random(f"goods {seed}")
        self._goods = ["".join(draw.choices(SYLLABLES, k=draw.randint(2, 4))).title() for _ in range(300)]

    def mode(self, number: int) -> str:
        """Return which mode is planted in a conversation; empty for none."""
        place = int(random.Random(f"mode {self._seed} {number}").random() / self._share)
        return list(MODES)[place] if place < len(MODES) else ""

    def session(self, number: int) -> PlantedSession:
        """Return a conversation."""
        draw = random.Random(f"talk {self._seed} {number}")
        mode = self.mode(number)
        talk = Talk(draw, self._goods)
        if not mode and draw.random() < 0.12:
            _odd(talk)
        else:
            _ordinary(talk)
        if mode:
            MODES[mode](talk)
        turns = [Turn(**turn) for turn in talk.turns]
        return PlantedSession(ConversationalTestCase(turns=turns, name=f"talk {number}"), mode)


def _ordinary(talk: Talk) -> None:
    """Make a talk as it should be, with what may look like a fault."""
    draw = talk.draw
    talk.user(talk.one(OPENINGS) + " " + talk.one(talk.matter.asks))
    greeting = talk.fill(GREETINGS[talk.version]) + " "
    if draw.random() < 0.7:
        asked = talk.one(QUESTIONS)
        talk.reply(greeting + asked)
        talk.user(talk.fill("It is {number}.") if draw.random() < 0.7 else talk.one(RETOLD))
        if draw.random() < 0.03:
            talk.reply(asked)
            talk.user(talk.fill("{number}"))
        greeting = ""
    for place in range(draw.choices((1, 2, 3, 4), (4, 3, 2, 1))[0]):
        calls = []
        text = greeting
        if draw.random() < 0.7:
            tool = draw.choice(talk.matter.tools)
            if draw.random() < 0.05:
                calls.append(talk.call(tool, fails=True))
                text += talk.one(TROUBLES) + " "
            calls.append(talk.call(tool))
        if draw.random() < 0.06:
            text += talk.one(RULES) + " "
        sentences = draw.choices((1, 2, 3, 4, 7), (4, 4, 3, 2, 0.4))[0]
        pools = (talk.matter.says, talk.trade.says, ANSWERS, talk.matter.done)
        text += " ".join(talk.one(draw.choices(pools, (3, 3, 3, 1))[0]) for _ in range(sentences))
        talk.reply(text, calls)
        greeting = ""
        if place < 3 and draw.random() < 0.8:
            talk.user(talk.one(draw.choice((talk.matter.asks, talk.trade.asks, UNDONE, PRAISE))))
            talk.reply(" ".join(talk.one((*talk.matter.says, *ANSWERS)) for _ in range(draw.randint(1, 3))))
    end = draw.random()
    if end < 0.07:
        talk.user(talk.one(UNDONE))
        talk.reply(talk.one(HAND_OVERS), [talk.call("transfer_to_agent")] if draw.random() < 0.5 else [])
    elif end < 0.45:
        talk.user(talk.one(THANKS))
        talk.reply(talk.fill(CLOSINGS[talk.version]))
    elif end < 0.65:
        talk.user(talk.one(THANKS))


def _odd(talk: Talk) -> None:
    """Make a talk that is odd and no fault: another language, a program, noise, nonsense, chatter."""
    draw = talk.draw
    kind = draw.choices(("foreign", "program", "noise", "nonsense", "chatter"), (7, 1, 1, 1, 2))[0]
    if kind == "foreign":
        words = FOREIGN[draw.choice(("German", "Spanish"))]
        for _ in range(draw.randint(2, 4)):
            talk.turns.append({"role": "user", "content": talk.one(words.asks)})
            talk.reply(" ".join(talk.one(words.says) for _ in range(draw.randint(1, 4))))
        return
    for _ in range(draw.randint(1, 3)):
        text = {
            "program": "\n".join(
                f"{draw.choice('abcxyz')}{draw.randrange(99)} = {draw.choice('fgh')}({draw.randrange(999)});"
                for _ in range(draw.randint(3, 30))
            ),
            "noise": "".join(draw.choices("asdfghjkl;qwertz", k=draw.randint(3, 40))),
            "nonsense": " ".join(
                "".join(draw.choices(SYLLABLES, k=draw.randint(1, 3))) for _ in range(draw.randint(5, 60))
            ),
            "chatter": talk.one(PRAISE),
        }[kind]
        talk.turns.append({"role": "user", "content": text})
        talk.reply(talk.one(ANSWERS) + (" " + talk.one(QUESTIONS) if draw.random() < 0.5 else ""))


# The modes


def _reply_places(talk: Talk) -> list[int]:
    return [place for place, turn in enumerate(talk.turns) if turn["role"] == "assistant"]


def _put_in(talk: Talk, text: str) -> None:
    """Put a sentence into some reply, at its beginning, within or at its end."""
    turn = talk.turns[talk.draw.choice(_reply_places(talk))]
    sentences = re.split(r"(?<=[.?!]) ", turn["content"])
    sentences.insert(talk.draw.randint(0, len(sentences)), text)
    turn["content"] = " ".join(sentences)


def _invents_a_rule(talk: Talk) -> None:
    """It refuses by a rule that there is none of."""
    _put_in(talk, talk.one(INVENTED))


def _asks_in_a_loop(talk: Talk) -> None:
    """It asks for the same thing again and again, though it was told."""
    asked = talk.one(QUESTIONS)
    start = talk.draw.choice(_reply_places(talk))
    kept, talk.turns = talk.turns[start + 1 :], talk.turns[:start]
    for _ in range(talk.draw.randint(3, 5)):
        opener = talk.draw.choice(("", "", "Sorry. ", "Thank you. ", "To help you: ", "One more thing. "))
        talk.reply(opener + asked)
        talk.user(talk.one(("It is {number}.", *RETOLD)))
    talk.reply(asked)
    talk.turns += kept


def _passes_over_a_failed_tool(talk: Talk) -> None:
    """A tool fails, and it says that all is done."""
    place = talk.draw.choice(_reply_places(talk))
    talk.turns[place]["tools_called"] = [talk.call(talk.draw.choice(talk.matter.tools), fails=True)]
    talk.turns[place]["content"] = talk.one(talk.matter.done)


def _switches_language(talk: Talk) -> None:
    """From some reply on it speaks another language than its user."""
    words = FOREIGN[talk.draw.choice(("German", "Spanish", "French"))]
    places = _reply_places(talk)
    for place in places[talk.draw.randrange(len(places)) :]:
        count = talk.draw.randint(1, 4)
        talk.turns[place]["content"] = " ".join(talk.one(words.says) for _ in range(count))


def _stops_without_an_answer(talk: Talk) -> None:
    """The user asks, and nothing comes."""
    talk.turns = talk.turns[: talk.draw.choice(_reply_places(talk))]
    if talk.draw.random() < 0.4:
        talk.user(talk.one(("Hello?", "Are you still there?", "So?", "Can you look at the {thing} now?")))


def _hands_over_at_once(talk: Talk) -> None:
    """It hands over to a person before it has tried anything."""
    talk.turns = talk.turns[:1]
    calls = [talk.call("transfer_to_agent")] if talk.draw.random() < 0.5 else []
    talk.reply(talk.one(HAND_OVERS), calls)
    if talk.draw.random() < 0.3:
        talk.user(talk.one(THANKS))


def _replies_at_length(talk: Talk) -> None:
    """One reply is many times as long as it need be."""
    count = talk.draw.randint(18, 40)
    said = [
        talk.one(draw_from)
        for draw_from in talk.draw.choices((talk.matter.says, talk.trade.says, ANSWERS), k=count)
    ]
    talk.turns[talk.draw.choice(_reply_places(talk))]["content"] = " ".join(said)


def _promises_a_call(talk: Talk) -> None:
    """It promises that somebody calls, which nobody will."""
    _put_in(talk, talk.one(CALLBACKS))


MODES: dict[str, Callable[[Talk], None]] = {
    "invents a rule": _invents_a_rule,
    "asks in a loop": _asks_in_a_loop,
    "passes over a failed tool": _passes_over_a_failed_tool,
    "switches language": _switches_language,
    "stops without an answer": _stops_without_an_answer,
    "hands over at once": _hands_over_at_once,
    "replies at length": _replies_at_length,
    "promises a call": _promises_a_call,
}
"""What is planted. Each is a function that puts the fault into a talk."""
