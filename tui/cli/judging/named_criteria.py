"""Which criterion a command is about, and who judges it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.tui.cli.options import judge_or_usual

if TYPE_CHECKING:
    from turnwise.engine.criteria.criteria_files import CriterionFile
    from turnwise.engine.models.settings import ModelSettings


def named_criterion(file: Path, name: str | None) -> CriterionFile:
    """Return the criterion of a file that bears a name, or the only one in it.

    Raises FormatError where the file cannot be read, SettingError and NotFoundError where it holds several
    or none of that name.
    """
    from turnwise.engine.criteria.criteria_files import read_criteria_file

    found = read_criteria_file(file)
    loaded = [one.criterion for one in found]
    named = [one for one in found if name is None or one.criterion.name.lower() == name.strip().lower()]
    if len(named) == 1:
        return named[0]
    names = ", ".join(one.name for one in loaded)
    if named:
        raise SettingError(
            f"{file.name} holds {len(loaded)} criteria", detail=names, next_step="Say which: --name NAME."
        )
    raise NotFoundError(f"{file.name} holds no criterion {name}", detail=f"It holds: {names}")


async def judge_for_criteria(named: str | None, *, offline: bool = False) -> ModelSettings:
    """Return the judge that was named, or the usual one. Raises SettingError where there is none."""
    from turnwise.engine.models.choose import choose_model

    settings = await choose_model(judge_or_usual(named, offline=offline))
    if settings is None:
        raise SettingError(
            "A criterion needs a judge",
            next_step="Name one with --judge, or fetch one: `turnwise judge pull qwen2.5-coder-1.5b`.",
        )
    return settings
