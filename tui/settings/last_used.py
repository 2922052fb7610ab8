"""What was used last: judges, chatbots, metrics and the folder of imports, offered first the next time.

It stands in a file beside the settings, which nobody writes by hand. Nothing depends on it: one that cannot
be read or written is as good as none. It holds no key, and no address that has one in it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from turnwise.engine.judge.usual_judge import settings_path, shown_judge
from turnwise.tui.settings.settings import write_settings

FILE_NAME = "last-used.json"
MOST = 6
"""So many judges and chatbots are known; of more the one used longest ago goes."""


@dataclass(frozen=True, slots=True)
class LastUsed:
    """What was used, the newest first.

    judges, chatbots: as `--judge` and `--target` take them. metrics: those that were ticked last. folder: the
    one that was imported from last. commands: titles of what was taken in the command palette.
    scenario, temperature, live_metrics: of the last talk, as they were typed in its dialog. labels_as: the
    name of this machine's user that was told to stand at labels.
    """

    judges: tuple[str, ...] = ()
    chatbots: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    folder: str = ""
    commands: tuple[str, ...] = ()
    scenario: str = ""
    temperature: str = ""
    live_metrics: str = ""
    labels_as: str = ""


class UsedMemory:
    """Knows what was used last, and keeps it as it changes."""

    def __init__(self, path: Path | None = None) -> None:
        """path: the file; by default the one beside the settings."""
        self._path = path or settings_path().with_name(FILE_NAME)
        self.last = read_last_used(self._path)
        """What was used last."""

    def judge(self, spec: str) -> None:
        """Note that a judge was chosen, as `--judge` takes it."""
        self._keep(lambda now: replace(now, judges=_in_front(spec, now.judges)))

    def chatbot(self, spec: str) -> None:
        """Note that a chatbot was talked to, as `--target` takes it."""
        self._keep(lambda now: replace(now, chatbots=_in_front(spec, now.chatbots)))

    def metrics(self, names: Sequence[str]) -> None:
        """Note by which metrics something was judged."""
        self._keep(lambda now: replace(now, metrics=tuple(names)))

    def talk(self, *, scenario: str, temperature: str, live_metrics: str) -> None:
        """Note how a talk was to go, as it was typed."""
        self._keep(
            lambda now: replace(now, scenario=scenario, temperature=temperature, live_metrics=live_metrics)
        )

    def folder(self, folder: Path) -> None:
        """Note from which folder a file came."""
        self._keep(lambda now: replace(now, folder=str(folder.absolute())))

    def labels_as(self, name: str) -> bool:
        """Note that somebody is told under which name they label; return whether that was not told before."""
        if self.last.labels_as == name:
            return False
        self._keep(lambda now: replace(now, labels_as=name))
        return True

    def command(self, title: str) -> None:
        """Note that a command was taken in the palette."""
        self._keep(lambda now: replace(now, commands=tuple(dict.fromkeys((title, *now.commands)))[:MOST]))

    def _keep(self, change: Callable[[LastUsed], LastUsed]) -> None:
        # Another program may have added to it meanwhile.
        self.last = change(read_last_used(self._path))
        with suppress(OSError):
            write_settings(json.dumps(asdict(self.last), ensure_ascii=False, indent=1) + "\n", self._path)


def read_last_used(path: Path) -> LastUsed:
    """Return what a file says was used last; what it does not say as it should is left out."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return LastUsed()
    if not isinstance(data, dict):
        return LastUsed()
    known = {one.name for one in fields(LastUsed)}
    kept = {name: _checked(name, value) for name, value in data.items() if name in known}
    return LastUsed(**kept)  # type: ignore[arg-type]


def _checked(name: str, value: object) -> object:
    if isinstance(getattr(LastUsed(), name), str):
        return value if isinstance(value, str) else ""
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _in_front(spec: str, known: Sequence[str]) -> tuple[str, ...]:
    if not spec or shown_judge(spec) != spec:
        # An address with a password or a query in it is nobody's to keep.
        return tuple(known)
    return tuple(dict.fromkeys((spec, *known)))[:MOST]
