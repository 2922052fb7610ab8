"""What a run is to judge, kept until it has come to its end, so that another program can go on with it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class AskedOfRun:
    """What a run is to judge: these sessions. each_turn: every exchange of them by last-turn metrics."""

    session_ids: Sequence[int]
    each_turn: bool = False


def asked_text(asked: AskedOfRun) -> str:
    """Return it as JSON; a hundred thousand sessions in a row take a few letters."""
    spans = ",".join(f"{first}-{last}" if last > first else f"{first}" for first, last in _spans(asked))
    return json.dumps({"sessions": spans, "each_turn": asked.each_turn})


def asked_in(kept: Mapping[str, Any]) -> AskedOfRun:
    """Return what was kept; the sessions are in the order in which they came in."""
    return AskedOfRun(tuple(_ids(str(kept.get("sessions", "")).split(","))), bool(kept.get("each_turn")))


def _spans(asked: AskedOfRun) -> Iterator[tuple[int, int]]:
    first = last = None
    for one in sorted(set(asked.session_ids)):
        if first is None or last is None:
            first = last = one
        elif one == last + 1:
            last = one
        else:
            yield first, last
            first = last = one
    if first is not None and last is not None:
        yield first, last


def _ids(spans: Iterable[str]) -> Iterator[int]:
    for span in filter(None, spans):
        first, _, last = span.partition("-")
        yield from range(int(first), int(last or first) + 1)
