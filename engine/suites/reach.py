"""Reach: what checks may use beside an answer and a judge, each only where the user gave it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnwise.conversations.fetching import Fetcher
    from turnwise.engine.judge.embeddings import Embedder


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What checks may use.

    embedder: makes vectors of texts; None leaves it to the judge's own server. fetcher: the user's yes to
    sending answers to the addresses that a file names; None is no.
    """

    embedder: Embedder | None = None
    fetcher: Fetcher | None = None

    def __bool__(self) -> bool:
        return self.embedder is not None or self.fetcher is not None


NOTHING = Reach()
"""The judge alone."""
