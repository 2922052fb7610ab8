"""Usual judge: the one that is taken where none is named, who named it, and how long it is waited for.

It is the same from Python, from pytest, on the command line and in the app: what `turnwise judge use` kept in
the settings, unless TURNWISE_JUDGE says otherwise.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from turnwise.conversations.errors import SettingError

if TYPE_CHECKING:
    from turnwise.engine.models.settings import ModelSettings

FILE_NAME = "settings.toml"
JUDGE_VARIABLE = "TURNWISE_JUDGE"
"""The environment variable that names a judge, as --judge takes it."""
_HIDDEN = re.compile(r"(?<=//)[^/#]*@|\?[^#]*")
"""What of an address may be a secret: a user's name and password, and a query."""
GOES_BEFORE = ", which goes before your settings"
"""Said of what names a judge for one start alone: what is kept in the settings does not count then."""
BY_OPTION = f"by --judge{GOES_BEFORE}"
BY_SETTINGS = "from your settings"


class JudgeWishes(Protocol):
    """What settings say of judges: the usual one, and how long any is waited for; None leaves it open."""

    @property
    def judge(self) -> str | None:
        """As `--judge` takes it."""

    @property
    def judge_timeout(self) -> float | None:
        """Seconds that one answer may take."""

    @property
    def judge_tries(self) -> int | None:
        """How often the same is asked at most."""

    @property
    def judge_longest_wait(self) -> float | None:
        """Seconds that are waited where the judge asks to."""


@dataclass(frozen=True, slots=True)
class KeptWishes:
    """What the file of settings says of judges."""

    judge: str | None = None
    judge_timeout: float | None = None
    judge_tries: int | None = None
    judge_longest_wait: float | None = None


def settings_path() -> Path:
    """Return where the settings are: TURNWISE_CONFIG (a folder, or a .toml file), else the config folder."""
    if named := os.environ.get("TURNWISE_CONFIG"):
        path = Path(named).expanduser()
        return path if path.suffix == ".toml" else path / FILE_NAME
    from platformdirs import user_config_path

    return user_config_path("turnwise", appauthor=False) / FILE_NAME


def settings_text(path: Path) -> str:
    """Return what the file of settings holds; nothing where there is none. Raises SettingError."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(
            "The settings cannot be read",
            detail=f"{path}: {error}",
            next_step="Check the file; it is TOML in UTF-8.",
        ) from None


def settings_data(text: str, path: Path) -> dict[str, Any]:
    """Return the values in a text of settings. path: what the error names. Raises SettingError."""
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingError(
            "The settings are no TOML",
            detail=f"{path}: {error}",
            next_step='A line is name = value, with texts in quotes: theme = "light".',
        ) from None


def kept_wishes() -> KeptWishes:
    """Read what the settings say of judges. Raises SettingError where they cannot be read or mean nothing."""
    path = settings_path()
    text = settings_text(path)
    if not text:
        return KeptWishes()
    data = settings_data(text, path)
    wishes = {name: data[name] for name in KeptWishes.__slots__ if name in data}
    for name, value in wishes.items():
        wanted = str if name == "judge" else int if name == "judge_tries" else (int, float)
        if not isinstance(value, wanted) or isinstance(value, bool):
            raise SettingError(
                "A setting is not what it must be",
                detail=f"{path}: {name} = {value!r}",
                next_step="`turnwise settings` says what it may be.",
            )
    return KeptWishes(**wishes)


def usual_judge(wishes: JudgeWishes, environment: Mapping[str, str]) -> tuple[str | None, str]:
    """Return the judge that is meant, None for whatever `choose_model` finds, and who named it, in words.

    TURNWISE_JUDGE goes before the settings. What the environment says to all clients of OpenAI's API goes
    after them: a key that is there for another program must not send conversations anywhere.
    """
    if named := environment.get(JUDGE_VARIABLE, "").strip():
        return named, f"by {JUDGE_VARIABLE}{GOES_BEFORE}"
    if wishes.judge:
        return wishes.judge, BY_SETTINGS
    if environment.get("OPENAI_BASE_URL"):
        return None, "by OPENAI_BASE_URL"
    if environment.get("OPENAI_API_KEY"):
        return None, "by your OPENAI_API_KEY"
    return None, "found on this machine"


def within_limits(judge: ModelSettings, wishes: JudgeWishes) -> ModelSettings:
    """Return a judge that is waited for as the settings say; what they leave open stays the judge's own."""
    wanted: dict[str, Any] = {
        "timeout": wishes.judge_timeout,
        "tries": wishes.judge_tries,
        "longest_wait": wishes.judge_longest_wait,
    }
    return replace(judge, **{name: value for name, value in wanted.items() if value is not None})


def shown_judge(named: str) -> str:
    """Return a judge as it was named, without what its address may hide."""
    return _HIDDEN.sub("", named)
