"""Prices: what a call cost, in US dollars."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.engine.models.settings import ModelSettings


def cost_of(usage: Mapping[str, int], settings: ModelSettings, model: str = "") -> float | None:
    """Return the cost of a call in US dollars; None where no price is known or nothing was counted.

    model: the model as the server calls it, tried before the name in the settings.
    """
    prompt, completion = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
    if not (prompt or completion):
        return None
    if settings.price is not None:
        return (prompt * settings.price[0] + completion * settings.price[1]) / 1_000_000
    # By address, never by name alone: a model served on this machine has its name from somewhere that bills.
    if settings.is_local:
        return None
    for name in dict.fromkeys((model, settings.model)):
        cost = _listed(usage, name, settings.base_url)
        if cost is not None:
            return cost
    return None


def has_price(settings: ModelSettings) -> bool:
    """Return whether a model's calls can be priced at all."""
    return cost_of({"prompt_tokens": 1, "completion_tokens": 1}, settings) is not None


def _listed(usage: Mapping[str, int], model: str, base_url: str) -> float | None:
    from genai_prices import Usage, calc_price  # 130 ms, and a local model has no price

    prompt = usage.get("prompt_tokens", 0)
    counts = Usage(
        input_tokens=prompt,
        cache_read_tokens=min(usage.get("cached_tokens", 0), prompt),
        cache_write_tokens=min(usage.get("cache_write_tokens", 0), prompt),
        output_tokens=usage.get("completion_tokens", 0),
    )
    try:
        return float(calc_price(counts, model, provider_api_url=base_url).total_price)
    except (LookupError, ValueError):
        return None
