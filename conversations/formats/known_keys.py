"""Keys that files of tests may have, place by place, and slips: keys that mean nothing where they stand.

A key that is like a known one was written to count, and so was what holds checks. Where such a thing counts
for nothing, the case that it belongs to is not run: it would pass without having been tested.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.words import A_SLIP, nearest

_ASIDE = ("x-", "_", ".", "$")
"""How keys begin that people set aside for themselves, as for anchors of YAML."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A key that means nothing where it stands.

    noun: what stands there, as "a test". near: the known key that is like it; None where none is. counts:
    whether it was written to count: a case that it belongs to is then not run.
    """

    place: str
    noun: str
    key: str
    near: str | None
    counts: bool

    @property
    def advice(self) -> str:
        """What to do about it."""
        return f"Did you mean {self.near}?" if self.near else "Correct or remove it."

    @property
    def problem(self) -> str:
        """What is wrong."""
        return f"{self.noun} has no field {self.key}"

    def warning(self) -> str:
        """Return what is told of it where it is passed over, without the place."""
        return f"{self.problem}; it is passed over." + (f" {self.advice}" if self.near else "")

    def error(self) -> FormatError:
        """Return the error of what it belongs to."""
        return FormatError(
            f"{self.place.split(',')[0]} cannot be read as it stands",
            detail=f"{self.place}: {self.problem}",
            next_step=self.advice,
        )


def slips(
    fields: Mapping[str, Any],
    known: Collection[str],
    place: str,
    noun: str,
    *,
    counting: Collection[str] = (),
    sets_aside: bool = False,
) -> Iterator[Slip]:
    """Yield the keys of an object that are none of those known.

    counting: keys that mean something elsewhere, and are meant to count wherever they stand. sets_aside:
    whether people keep things of their own here, under keys such as x-shared, which are no slips.
    """
    for key in fields:
        name = str(key)
        if name in known or (sets_aside and name.startswith(_ASIDE)):
            continue
        near = nearest(name, known, alike=A_SLIP)
        held = not sets_aside and holds_checks(fields[key])
        yield Slip(place, noun, name, near, near is not None or name in counting or held)


def holds_checks(value: Any) -> bool:
    """Whether a value is a list of checks, as tests hold them."""
    items = value if isinstance(value, list) else ()
    return any(isinstance(item, dict) and isinstance(item.get("type"), str) for item in items)


def refused(found: Iterable[Slip]) -> FormatError | None:
    """Return one error for all slips that were written to count; None where there is none."""
    errors = [slip.error() for slip in found if slip.counts]
    if len(errors) < 2:
        return errors[0] if errors else None
    told: Sequence[str] = [f"{error.detail}. {error.next_step}" for error in errors]
    return FormatError(errors[0].title, detail="\n".join(told), next_step="Correct them in the file.")
