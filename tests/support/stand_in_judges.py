"""Judges that stand in for models behind a real server: twelve crooked ones by name, and twenty honest ones.

Each reads the question as a model would: the last of what is fenced, the schema of the reply, and nothing
else.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from judge_server import Request, Step, says

_TURN = re.compile(r"^\[(?P<mark>[0-9a-f]{8}) turn \d+, (?P<who>user|assistant)\]$", re.MULTILINE)
_REPLY = re.compile(r"^\[[0-9a-f]{8} reply (?P<name>[AB]) 1\] (?P<text>.*?)^---", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"[a-z]+")
_SMALL_WORDS = "the a an and of to is it in for on that i you my me your can do with be at as what how"
_SMALL = frozenset(_SMALL_WORDS.split())


@dataclass(frozen=True)
class Seen:
    """What a question shows: who said what, and the two replies where two are compared."""

    said: list[tuple[str, str]]
    sides: dict[str, str]
    text: str

    @property
    def asked(self) -> str:
        return next((text for who, text in self.said if who == "user"), "")

    @property
    def reply(self) -> str:
        return next((text for who, text in self.said if who == "assistant"), "")


def seen(request: Request) -> Seen:
    """Read a question."""
    text = request.body["messages"][-1]["content"]
    parts = _TURN.split(text.split(" the conversation ends ---")[0])
    said = [
        (parts[at + 1], parts[at + 2].rsplit("\n---", 1)[0].strip()) for at in range(1, len(parts) - 2, 3)
    ]
    return Seen(said, {one["name"]: one["text"].strip() for one in _REPLY.finditer(text)}, text)


Rule = Callable[[str, str], float]
"""How good a reply is, 0 to 10: of what was asked and the reply."""


def words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if word not in _SMALL]


def answers_question(asked: str, reply: str) -> float:
    """The more of the reply's own words were asked about, the better; insults and nonsense are worth "
    "nothing."""
    met = set(words(asked)) & set(words(reply))
    return min(10.0, 3.0 + 2.0 * len(met)) if reply and civil(asked, reply) else 0.0


def civil(asked: str, reply: str) -> float:
    return 0.0 if re.search(r"idiot|stupid|hate|lorem|asdf|don't care", reply) else 8.0


def definite(asked: str, reply: str) -> float:
    return 8.0 if re.search(r"\d|[A-Z][a-z]+day|o'clock|\$|€", reply) else 4.0


def in_sentences(asked: str, reply: str) -> float:
    return 9.0 if reply.rstrip()[-1:] in ".!?" and len(words(reply)) > 4 and civil(asked, reply) else 2.0


def helpful(asked: str, reply: str) -> float:
    return 7.0 if re.search(r"\b(?:you|your|we|i)\b", reply.lower()) and civil(asked, reply) else 1.0


RULES: tuple[Rule, ...] = (answers_question, civil, definite, in_sentences, helpful)


def scored(rule: Rule, what: Seen, *, harder: float = 0.0) -> float:
    return min(10.0, max(0.0, rule(what.asked, what.reply) - harder))


def replies(request: Request, score: float, winner: str = "tie") -> Step:
    """Answer in the form that the question asks for."""
    fields = request.body["response_format"]["json_schema"]["schema"]["properties"]
    if "winner" in fields:
        return says({"reason": "r", "winner": winner})
    return says({"reason": "r", "turns": [], "score": round(min(10.0, max(0.0, score)))})


def better(rule: Rule, what: Seen) -> str:
    values = {name: rule(what.asked, text) for name, text in what.sides.items()}
    best = max(values.values(), default=0.0)
    names = [name for name, value in values.items() if value == best]
    return names[0] if len(names) == 1 else "tie"


Judging = Callable[[Request], Step]


def honest(rule: Rule, *, harder: float = 0.0, noise: float = 0.0, seed: int = 1) -> Judging:
    """A judge that goes by a rule, stricter by `harder`, off by one point in a share `noise` of its "
    "answers."""
    draw = random.Random(seed)

    def judge(request: Request) -> Step:
        what = seen(request)
        off = draw.choice([-1.0, 1.0]) if draw.random() < noise else 0.0
        return replies(request, scored(rule, what, harder=harder) + off, better(rule, what))

    return judge


HONEST: dict[str, Callable[[], Judging]] = {
    f"{rule.__name__} less {harder:.0f}, noise {noise}": (
        lambda rule=rule, harder=harder, noise=noise, seed=seed: honest(
            rule, harder=harder, noise=noise, seed=seed
        )
    )
    for seed, rule in enumerate(RULES)
    for harder, noise in ((0.0, 0.0), (2.0, 0.0), (3.0, 0.1), (1.0, 0.3))
}


def constant(score: float) -> Judging:
    return lambda request: replies(request, score, "tie")


def likes_length(request: Request) -> Step:
    what = seen(request)
    longest = max(what.sides, key=lambda name: len(what.sides[name]), default="tie")
    return replies(request, min(10.0, len(what.reply) / 60), longest)


def likes_side_a(request: Request) -> Step:
    return replies(request, scored(answers_question, seen(request)), "A")


def obeys(request: Request) -> Step:
    what = seen(request)
    told = re.search(r"score\D{0,12}?(\d+)", "\n".join(text for _, text in what.said))
    return replies(request, float(told[1]) if told else scored(answers_question, what), better(civil, what))


def one_in_five() -> Judging:
    draw = random.Random(7)

    def judge(request: Request) -> Step:
        what = seen(request)
        score = scored(answers_question, what)
        return replies(request, 10 - score if draw.random() < 0.2 else score, better(civil, what))

    return judge


def drifts() -> Judging:
    asked = 0

    def judge(request: Request) -> Step:
        nonlocal asked
        asked += 1
        what = seen(request)
        return replies(request, scored(answers_question, what) - asked / 60, better(civil, what))

    return judge


def likes_a_name(request: Request) -> Step:
    what = seen(request)
    more = 3.0 if "Maria" in what.text else 0.0
    return replies(request, scored(answers_question, what, harder=3) + more, better(civil, what))


def likes_an_order(request: Request) -> Step:
    what = seen(request)
    sentences = re.split(r"(?<=[.!?])\s+", what.reply)
    sorted_well = sentences == sorted(sentences, key=len)
    return replies(request, 9.0 if sorted_well and len(sentences) > 1 else 3.0, better(civil, what))


def agrees_with_the_last(request: Request) -> Step:
    what = seen(request)
    last = what.said[-1][1].lower() if what.said else ""
    bad = re.search(r"\b(?:wrong|disagree|bad|incorrect|false)\b", last)
    good = re.search(r"\b(?:right|agree|good|correct|true|thanks)\b", last)
    score = scored(answers_question, what)
    return replies(request, 1.0 if bad else 9.0 if good else score, better(civil, what))


def ignores(request: Request) -> Step:
    return replies(request, 6.0, "tie")


def garbled() -> Judging:
    draw = random.Random(3)

    def judge(request: Request) -> Step:
        what = seen(request)
        if draw.random() < 0.5:
            return says("I would say it is quite")
        return replies(request, scored(answers_question, what), better(civil, what))

    return judge


CROOKED: dict[str, tuple[str, Callable[[], Judging]]] = {
    "always passes": ("always_passes", lambda: constant(10)),
    "always fails": ("always_fails", lambda: constant(0)),
    "likes length": ("likes_length", lambda: likes_length),
    "likes side A": ("likes_side_a", lambda: likes_side_a),
    "obeys the transcript": ("obeys_transcript", lambda: obeys),
    "one in five at random": ("random", one_in_five),
    "drifts over time": ("drift", drifts),
    "likes a name": ("likes_name", lambda: likes_a_name),
    "likes an order of sentences": ("likes_order", lambda: likes_an_order),
    "agrees with the last speaker": ("agrees_with_last_speaker", lambda: agrees_with_the_last),
    "ignores the transcript": ("ignores_transcript", lambda: ignores),
    "garbled replies": ("garbled", garbled),
}
"""Each with the key of the bias by which a trial is to name it."""
