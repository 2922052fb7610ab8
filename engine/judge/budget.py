"""Budget: the dollars that a judge's calls may cost, reserved before each call and settled after it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from turnwise.conversations.errors import BudgetSpentError, SettingError
from turnwise.engine.models.prices import cost_of, has_price
from turnwise.engine.models.provider import ModelRequest
from turnwise.engine.models.settings import ModelSettings

BYTES_A_TOKEN = 3
"""No tokenizer in use makes more tokens of a text in any language; of English it makes a third less."""
TOKENS_OF_AN_IMAGE = 1_600
TOKENS_OF_A_REPLY = 1_000
"""What is reserved for a reply of no set length, until one has come."""
_ROOM = 2
"""So much longer than the longest reply so far the next may be."""

Settle = Callable[[Mapping[str, int], str], float | None]
"""Takes the usage of an answer and the model that gave it, and returns the cost; None where unknown."""


@dataclass(slots=True)
class _Known:
    """What the answers of a model have told: the most tokens for one that was guessed, the longest reply.

    A guess is never made smaller: at the end of a budget that costs one call at most.
    """

    share: float = 1.0
    reply: int = 0


@dataclass(slots=True)
class Purse:
    """What several judges have spent of one budget, and what their calls under way may still cost.

    spent, reserved: US dollars. waiting: calls that wait for the rest of it.
    """

    spent: float = 0.0
    reserved: float = 0.0
    under_way: int = 0
    waiting: list[asyncio.Future[None]] = field(default_factory=list)


class Budget:
    """What a judge has spent, and what its calls under way may still cost.

    Without a budget in the settings nothing is reserved. After the calls: spent, US dollars; calls, those
    that were answered. purse: of the judges that share the budget; by default the judge's own.
    """

    def __init__(self, settings: ModelSettings, purse: Purse | None = None) -> None:
        self._settings = settings
        self._most = settings.budget
        self.spent = 0.0
        self.calls = 0
        self._purse = Purse() if purse is None else purse
        self._under_way = 0
        self._known: dict[str, _Known] = {}

    @asynccontextmanager
    async def reserved(
        self, prompt: Callable[[], int], *, longest: int | None, model: str
    ) -> AsyncIterator[Settle]:
        """Hold back what a call may cost until it is over, and wait for others where only their rest is left.

        prompt: guesses how many tokens are sent. longest: tokens of the reply, where that is set. model: who
        is asked. Give the answer's usage to the function that is yielded. Raises BudgetSpentError, and
        SettingError where no price is known.
        """
        guessed = prompt() if self._most is not None else 0
        held = await self._hold(guessed, longest, model)

        def settle(usage: Mapping[str, int], answering: str) -> float | None:
            cost = cost_of(usage, replace(self._settings, model=model), answering)
            # Where a server counts nothing, what was held back is taken for spent.
            taken = held if cost is None else cost
            self.spent += taken
            self._purse.spent += taken
            self.calls += 1
            self._learn(model, guessed, usage)
            return cost

        try:
            yield settle
        finally:
            self._purse.reserved -= held
            self._purse.under_way -= 1
            self._under_way -= 1
            self._wake()

    async def _hold(self, guessed: int, longest: int | None, model: str) -> float:
        if self._most is not None and not self.calls:
            self._check_price()
        while True:
            held = self._cost(guessed, longest, model) if self._most is not None else 0.0
            if self._fits(held, model):
                self._purse.reserved += held
                self._purse.under_way += 1
                self._under_way += 1
                return held
            if not self._purse.under_way:
                raise self._is_spent(held)
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._purse.waiting.append(turn)
            await turn

    def _fits(self, held: float, model: str) -> bool:
        if self._most is None:
            return True
        # The first answer goes alone: it tells how good the guesses are.
        if held and self._under_way and model not in self._known:
            return False
        taken = self._purse.spent + self._purse.reserved
        return taken < self._most and taken + held <= self._most

    def _cost(self, guessed: int, longest: int | None, model: str) -> float:
        known = self._known.get(model, _Known())
        usual = known.reply * _ROOM or TOKENS_OF_A_REPLY
        usage = {
            "prompt_tokens": round(guessed * known.share),
            "completion_tokens": usual if longest is None else longest,
        }
        return cost_of(usage, replace(self._settings, model=model)) or 0.0

    def _learn(self, model: str, guessed: int, usage: Mapping[str, int]) -> None:
        prompt, reply = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
        if self._most is not None:
            known = self._known.setdefault(model, _Known())
            known.share = max(known.share, prompt / max(guessed, 1))
            known.reply = max(known.reply, reply)

    def _wake(self) -> None:
        waiting, self._purse.waiting = self._purse.waiting, []
        for turn in waiting:
            # A judge may be asked from several event loops.
            turn.get_loop().call_soon_threadsafe(_go_on, turn)

    def _check_price(self) -> None:
        settings = self._settings
        if not (settings.is_local or settings.is_offline or has_price(settings)):
            raise SettingError(
                "A budget needs a price, and none is known for this judge",
                detail=f"{settings.model} at {settings.address}",
                next_step="Give the dollars for a million tokens in and out (--price IN OUT), "
                "or leave the budget out.",
            )

    def _is_spent(self, held: float) -> BudgetSpentError:
        told = f"${self._purse.spent:.4f} of ${self._most:.4f} after {self.calls} calls"
        more = f"; the next may cost ${held:.4f}" if held else ""
        return BudgetSpentError(
            "The budget is spent",
            detail=f"{told}{more}",
            next_step="What is scored is kept; go on with a larger budget.",
        )


def _go_on(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)


def guessed_tokens(request: ModelRequest) -> int:
    """Return how many tokens a request has at most, guessed from its length."""
    texts, images = [request.addendum], 0
    for message in request.messages:
        content = message.get("content")
        if isinstance(content, list | tuple):
            texts += [str(part.get("text") or "") for part in content]
            images += sum("image_url" in part for part in content)
        else:
            texts.append(str(content or ""))
    told: Any = request.schema
    texts.append(json.dumps(told, ensure_ascii=False) if told is not None else "")
    return tokens_of_text("".join(texts)) + images * TOKENS_OF_AN_IMAGE


def tokens_of_text(text: str) -> int:
    """Return how many tokens a text has at most, guessed from its length."""
    return len(text.encode("utf-8", "surrogatepass")) // BYTES_A_TOKEN + 1
