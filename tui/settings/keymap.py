"""Keys: a user's own for actions of the registry, checked for names and conflicts, and keys in words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice

from turnwise.conversations.errors import SettingError
from turnwise.conversations.words import listed, nearest
from turnwise.tui.actions import ACTIONS, Action, Place, Table, binding_ids, written

_FUNCTION_KEYS = tuple(f"f{number}" for number in range(1, 13))
"""Those of a keyboard."""
_NAMED = (
    *("enter", "escape", "space", "tab", "backspace", "delete", "insert", "home", "end"),
    *("pageup", "pagedown", "up", "down", "left", "right"),
    *(f"f{number}" for number in range(1, 25)),
)
_ALIASES = {
    "esc": "escape",
    "return": "enter",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "del": "delete",
    "ins": "insert",
    # A terminal sends the same for both.
    "ctrl+i": "tab",
    "ctrl+m": "enter",
}
_SHORTENED = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
_MODIFIERS = ("ctrl", "shift", "alt")
_CHARACTERS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


@dataclass(frozen=True, slots=True)
class Moved:
    """An action that stands under another key, as the user gave its own to something else.

    place: where it is. title: what it is called. was, now: its first key before and since, as people write
    them.
    """

    place: Place
    title: str
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Keymap:
    """All actions with the keys that hold.

    table: the registry with the user's keys in it. changed: the names of the bindings that have other keys
    than in the registry, each with its keys. moved: what gave way to keys of the user.
    """

    table: Table = field(default_factory=lambda: ACTIONS)
    changed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    moved: Sequence[Moved] = ()

    def bindings(self) -> dict[str, str]:
        """Return what Textual's `App.set_keymap` takes."""
        return {name: ",".join(keys) for name, keys in self.changed.items()}


Where = Callable[[Sequence[str]], str]
"""Says where an entry stands, from the names that lead to it, such as ("library", "score")."""


def read_keymap(entries: Mapping[str, object], where: Where = ".".join) -> Keymap:
    """Return the keymap of a settings file's table.

    entries: an action's name -> a key or a list of keys, which holds wherever there is such an action; or
    a place -> such a table, which holds there and goes before the other. where: for the errors' words.
    A function key that the user takes is given up by the action that has it in the registry, which moves to a
    free one where it has no other: a version that gives a key to something new so leaves what the user chose.
    Raises SettingError for a place, action or key that is not there, and where two actions of a place want
    the same other key, or the user gave both the same.
    """
    changed: dict[tuple[Place, str], tuple[str, ...]] = {}
    told: dict[tuple[Place, str], str] = {}
    for path, place, name, value in _entries(entries, where):
        keys = _keys(where(path), value)
        places: Sequence[Place] = [place] if place else _places_of(name)
        if not places or (place and name not in _names(place)):
            known = _names(place) if place else {name for there in ACTIONS for name in _names(there)}
            there = f" in {place}" if place else ""
            choices = known if place else {*known, *ACTIONS}
            raise SettingError(
                f"There is no action {name!r}{there}", detail=where(path), next_step=_near(name, choices)
            )
        for one in places:
            if place or (one, name) not in changed:
                changed[one, name] = keys
                told[one, name] = where(path)
    table = {
        place: tuple(_with_keys(action, changed.get((place, action.name))) for action in actions)
        for place, actions in ACTIONS.items()
    }
    given_way = _give_way(table, set(changed))
    table = {
        place: tuple(_with_keys(action, given_way.get((place, action.name))) for action in actions)
        for place, actions in table.items()
    }
    changed |= given_way
    _check_conflicts(table, told)
    table = {place: _shown_rightly(actions, ACTIONS[place]) for place, actions in table.items()}
    ids = {
        name: keys
        for place, actions in ACTIONS.items()
        for action in actions
        if (place, action.name) in changed
        for name, keys in binding_ids(place, action, changed[place, action.name]).items()
    }
    moved = [
        _moved(place, action_of(ACTIONS, place, name), keys) for (place, name), keys in given_way.items()
    ]
    return Keymap(table, ids, list(filter(None, moved)))


def key_name(text: str) -> str:
    """Return a key's name as Textual knows it: `?` is question_mark. Raises SettingError with a near one."""
    key = _ALIASES.get(text.strip(), text.strip())
    if len(key) == 1 and key.isprintable():
        return _character_name(key)
    *modifiers, last = key.split("+") if key != "+" else ["+"]
    wrong = [one for one in modifiers if one not in _MODIFIERS]
    if not wrong and len(last) == 1 and last.isprintable():
        return "+".join((*modifiers, _character_name(last)))
    if not wrong and last in {*_NAMED, *map(_character_name, _CHARACTERS)}:
        return key
    raise SettingError(f"There is no key {text!r}", next_step=_near(key, _known_keys()))


def _character_name(character: str) -> str:
    if character.isalnum():
        return character
    name = unicodedata.name(character, character).lower().replace("-", "_").replace(" ", "_")
    return _SHORTENED.get(name, name)


def _known_keys() -> list[str]:
    letters = [f"ctrl+{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    return [*_NAMED, *_ALIASES, *map(_character_name, _CHARACTERS), *letters]


def _entries(
    entries: Mapping[str, object], where: Where
) -> Iterator[tuple[tuple[str, ...], Place | None, str, object]]:
    """Go through a keymap's entries, those of a place first: path, place, action's name and keys."""
    single = []
    for name, value in entries.items():
        place, _, rest = name.partition(".")
        if isinstance(value, Mapping):
            if name not in ACTIONS:
                raise SettingError(
                    f"There is no screen {name!r}",
                    detail=where([name]),
                    next_step=_near(name, list(ACTIONS)),
                )
            for action, keys in value.items():
                yield (name, str(action)), _place(name), str(action), keys
        elif rest and place in ACTIONS:
            yield (name,), _place(place), rest, value
        else:
            single.append((name, value))
    for name, value in single:
        yield (name,), None, name, value


def _place(name: str) -> Place:
    return next(place for place in ACTIONS if place == name)


def _names(place: Place) -> set[str]:
    return {action.name for action in ACTIONS[place]}


def _places_of(name: str) -> list[Place]:
    return [place for place in ACTIONS if name in _names(place)]


def _keys(place: str, value: object) -> tuple[str, ...]:
    keys = [value] if isinstance(value, str) else value
    if not isinstance(keys, list) or not keys or not all(isinstance(key, str) for key in keys):
        raise SettingError(
            "Keys are a text or a list of texts",
            detail=f"{place}\nGiven: {value!r}",
            next_step='Write "x", or ["x", "ctrl+x"].',
        )
    try:
        return tuple(dict.fromkeys(map(key_name, keys)))
    except SettingError as error:
        raise SettingError(error.title, detail=place, next_step=error.next_step) from None


def _with_keys(action: Action, keys: tuple[str, ...] | None) -> Action:
    return (
        action
        if keys is None
        else replace(action, keys=keys, shown="", also=action.also if " " in action.also else "")
    )


def _shown_rightly(now: tuple[Action, ...], before: tuple[Action, ...]) -> tuple[Action, ...]:
    """Return actions of which no line names a key that no action has any more, as `j k` may do."""
    known, were = ({key for one in actions for key in one.all_keys} for actions in (now, before))
    gone = were - known
    return tuple(replace(one, shown="") if gone & set(one.shown.split()) else one for one in now)


def _give_way(table: Table, users: Collection[tuple[Place, str]]) -> dict[tuple[Place, str], tuple[str, ...]]:
    """Return the keys of actions whose function keys the user gave to others.

    users: the actions that have keys of the user.
    """
    lost: dict[tuple[Place, str], set[str]] = {}
    for place, name in users:
        mine = action_of(table, place, name)
        for there, other in _where_both_hold(table, place):
            shared = {*mine.keys} & {*other.keys} & {*_FUNCTION_KEYS}
            taken = {key for key in shared if not _share(place, name, there, other.name, key)}
            if taken and other.name != name and (there, other.name) not in users:
                lost.setdefault((there, other.name), set()).update(taken)
    every = (*table.values(), *ACTIONS.values())
    used = {key for actions in every for action in actions for key in action.keys}
    free = iter([key for key in _FUNCTION_KEYS if key not in used])
    found: dict[tuple[Place, str], tuple[str, ...]] = {}
    instead: dict[str, tuple[str, ...]] = {}
    for (place, name), gone in sorted(lost.items()):
        keys = tuple(key for key in action_of(table, place, name).keys if key not in gone)
        if not keys:
            # What has one name has one key. Where none is free, the user's is refused as any other.
            keys = instead[name] = instead.get(name) or tuple(islice(free, 1))
        if keys:
            found[place, name] = keys
    return found


def moved_words(moved: Sequence[Moved]) -> str:
    """Say what stands under other keys as the user took its own; empty for nothing."""
    if not moved:
        return ""
    taken = listed(sorted({one.was for one in moved}))
    now = listed(
        [f"{title} is at {key}" for title, key in dict.fromkeys((one.title, one.now) for one in moved)]
    )
    return f"Your settings use {taken}: {now} now."


def _moved(place: Place, action: Action, keys: Sequence[str]) -> Moved | None:
    """Return what is to be told of an action with these keys; nothing where one was its own before."""
    if set(keys) & set(action.keys):
        return None
    return Moved(place, action.title, written(action.keys[0]), written(keys[0]))


def _where_both_hold(table: Table, place: Place) -> list[tuple[Place, Action]]:
    """Return the actions whose keys hold where those of a place do, each with its own place."""
    if place == "everywhere":
        return [(there, action) for there, actions in table.items() for action in actions]
    return [(there, action) for there in dict.fromkeys((place, "everywhere")) for action in table[there]]


def _check_conflicts(table: Table, told: Mapping[tuple[Place, str], str]) -> None:
    """Refuse a key of the user that another action has where both hold."""
    for (place, name), entry in told.items():
        mine = next(action for action in table[place] if action.name == name)
        for there, other in _where_both_hold(table, place):
            same = (there, other.name) == (place, name) or other.name == name
            shared = [key for key in mine.keys if key in other.keys]
            # What the registry itself lets share a key, such as two uses of enter, is no conflict.
            if shared and not same and not _share(place, mine.name, there, other.name, shared[0]):
                raise SettingError(
                    f"The key {written(shared[0])!r} is wanted by two actions",
                    detail=f"{entry}\n{place}.{name} and {there}.{other.name} ({other.title})",
                    next_step=f"Give one of them another key; {there}.{other.name} may be set here too.",
                )


def _share(place: Place, name: str, other_place: Place, other_name: str, key: str) -> bool:
    def has(there: Place, wanted: str) -> bool:
        return any(action.name == wanted and key in action.keys for action in ACTIONS[there])

    return has(place, name) and has(other_place, other_name)


def _near(name: str, known: Collection[str]) -> str:
    near = nearest(name, sorted(known), alike=0.5)
    return f"Did you mean {near!r}?" if near else "docs/reference/keys.md lists all; `?` in the app too."


_KEY_OF = re.compile(r"\{(\w+)\.(\w+)\}")


def key_of(actions: Table, place: Place, name: str) -> str:
    """Return the first key of an action as people write it. actions: those of the app."""
    return written(action_of(actions, place, name).keys[0])


def action_of(actions: Table, place: Place, name: str) -> Action:
    """Return an action by its name."""
    return next(action for action in actions[place] if action.name == name)


def keys_not_typed(action: Action) -> list[str]:
    """Return the keys of an action that type nothing, as people write them."""
    return [key for key in map(written, action.keys) if len(key) > 1 and key != "space"]


def key_while_typing(action: Action) -> str:
    """Return the first key of an action that types nothing; where it has none, its first key."""
    return next(iter(keys_not_typed(action)), written(action.keys[0]))


def action_while_typing(action: Action, words: Mapping[str, tuple[str, int, str]]) -> Action:
    """Return an action as the line of keys shows it while letters only type.

    words: for each action that is shown its title, its rank and its key; without a key one that is not typed
    is found, and an action that has none is left out.
    """
    return _reworded(action, *words.get(action.name, ("", 0, "")))


# The line of keys asks for all actions of a screen with each key that moves the focus.
@cache
def _reworded(action: Action, title: str, rank: int, key: str) -> Action:
    key = key or next(iter(keys_not_typed(action)), "")
    return replace(action, title=title, rank=rank if key else 0, shown=key)


def action_while_asking(action: Action, enter: str = "", *, by: str = "open") -> Action:
    """Return an action as the line of keys shows it while a PromptLine asks for words or a number.

    enter: what enter does; empty where it does nothing. by: the action that stands for it.
    """
    words = {"back": ("close", 2, ""), "help": ("help", 90, "")}
    if enter:
        words[by] = (enter, 1, "enter")
    return action_while_typing(action, words)


def fill_keys(text: str, actions: Table) -> str:
    """Return words of ours with the keys of the actions that they name, as in "{review.score} judges it"."""
    keys = {f"{there}.{one.name}": written(one.keys[0]) for there in actions for one in actions[there]}
    return _KEY_OF.sub(lambda found: keys[f"{found[1]}.{found[2]}"], text)
