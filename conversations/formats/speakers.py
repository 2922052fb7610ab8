"""Who speaks: from the words by which files name speakers, and what --map says, to the roles of turns."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence

from turnwise.conversations.errors import FormatError, SettingError, UnknownChatbotError
from turnwise.conversations.words import counted, did_you_mean

Names = Mapping[str, Sequence[str]]
"""What a person said with --map: for a role, or for a field of a table, the names that a file has for it."""

ROLES = ("user", "assistant", "system", "tool", "developer")
_WORDS = {
    "user": "user human customer client caller visitor guest patient me you you-said question q prompter",
    "assistant": "assistant ai bot chatbot chat-bot agent gpt chatgpt chatgpt-said claude gemini copilot "
    "model llm answer a virtual-assistant ai-assistant",
    "system": "system system-prompt",
    "tool": "tool function tool-result tool-output function-response observation",
    "developer": "developer",
}
_ROLE_OF = {word.replace("-", " "): role for role, words in _WORDS.items() for word in words.split()}
_SILENT = ("system", "tool", "developer")
_MOST_NAMED = 8
_LIKE_A_CHATBOT = re.compile(
    r"\b(chat ?bot|bot|assistant|support|help ?desk|service|agent|ai|gpt|claude|gemini)\b|bot\b", re.I
)
OF_DATA = ("messages", "name", "tool_calls")
"""What paths into data may lead to, beside what columns of a table may be."""
FIELDS = ("id", "role", "content", "time", "date", "order", *OF_DATA)
"""What columns of a table, or paths into data, may be, beside roles."""
_PAIR_MARK = re.compile(r',(?=(?:[^"]*"[^"]*")*[^"]*\Z)')
"""A comma outside of quotes: a key in a path may hold one."""
_EXAMPLE = "For example: --map id=chat_id,role=sender,content=text, or --map user=Anna,assistant=Bot"


def role_of(name: str) -> str | None:
    """Return the role that a common word for a speaker means, whatever its case; None for other words."""
    return _ROLE_OF.get(_plain(name))


def roles_of(names: Iterable[str], given: Names) -> tuple[dict[str, str], list[str]]:
    """Return (role by name, the names whose role nobody knows).

    given: names by role; they go before common words. Where one of two speakers is known to be the user or
    the assistant, the other has the other role.
    """
    said = {_plain(name): role for role in ROLES for name in given.get(role, ())}
    roles: dict[str, str] = {}
    unknown: list[str] = []
    for name in dict.fromkeys(names):
        role = said.get(_plain(name)) or role_of(name)
        if role:
            roles[name] = role
        else:
            unknown.append(name)
    spoken = {role for role in roles.values() if role in ("user", "assistant")}
    if len({_plain(name) for name in unknown}) == 1 and len(spoken) == 1:
        other = "assistant" if spoken == {"user"} else "user"
        roles.update(dict.fromkeys(unknown, other))
        unknown = []
    return roles, unknown


def who_is_who(unknown: Sequence[str], roles: Mapping[str, str]) -> tuple[str, str]:
    """Return (the problem, the next step) for speakers whose role nobody knows. roles: of the others."""
    shown = [_printable(name) for name in unknown[:_MOST_NAMED]]
    more = f" and {len(unknown) - _MOST_NAMED} more" if len(unknown) > _MOST_NAMED else ""
    problem = (
        f"expected speakers whose role is known, such as User and Assistant; got {', '.join(shown)}{more}"
    )
    known = {role: name for name, role in roles.items() if role in ("user", "assistant")}
    if len(known) == 2:
        pairs = ",".join(f"{role}={_printable(name)}" for role, name in sorted(known.items(), reverse=True))
        return problem, (
            f"Say who they are (--map user={shown[0]}), or, if these are words and no speakers, name those "
            f"who speak: --map {pairs}"
        )
    if len(shown) == 1:
        return problem, f"Say who that is: --map user={shown[0]} or --map assistant={shown[0]}"
    return problem, f"Say who is who, for example: --map user={shown[0]},assistant={shown[1]}"


def nobody_named(names: Sequence[str]) -> tuple[str, str]:
    """Return (the problem, the next step) where --map names none of those who speak."""
    shown = ", ".join(_printable(name) for name in names[:_MOST_NAMED])
    return f"--map names nobody who speaks there; got {shown}", "Give the names as the file has them."


def roles_of_speakers(
    turns: Mapping[str, int],
    *,
    file: str,
    assistant: Sequence[str] = (),
    given: Names | None = None,
    known: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return a role for everybody who speaks in a conversation, or in a file of them.

    turns: in how many turns each speaks. file: as the command names it. assistant: who is the chatbot, as
    a person said (`Options.assistant`). given: names by role (`Options.mapping`). known: the roles that the
    file itself tells, such as those of accounts that are bots'.

    What a person said goes first, then what the file says, then common words. Once the chatbot is known, all
    others are users but those with a word for a system or a tool. Raises UnknownChatbotError, with the
    speakers and the command that says it, where nobody knows who the chatbot is.
    """
    told = names_told(given or {}, assistant)
    roles = {name: role for name in turns if (role := _told_role(name, told))}
    if assistant and not any(_is_one_of(name, assistant) for name in turns):
        raise _unknown_chatbot(turns, file, assistant)
    if "assistant" not in roles.values():
        roles = {**{name: role for name, role in (known or {}).items() if name in turns}, **roles}
    if "assistant" not in roles.values():
        by_role = {role: [name for name in roles if roles[name] == role] for role in ROLES}
        roles = roles_of(turns, by_role)[0]
    if "assistant" not in roles.values():
        raise _unknown_chatbot(turns, file, ())
    silent = {name: role for name in turns if (role := role_of(name)) in _SILENT}
    return {**dict.fromkeys(turns, "user"), **silent, **roles}


def names_told(given: Names, assistant: Sequence[str]) -> Names:
    """Return names by role, with those of chatbots that --assistant gave among them."""
    return {**given, "assistant": (*given.get("assistant", ()), *assistant)} if assistant else given


def _told_role(name: str, told: Names) -> str | None:
    return next((role for role in ROLES if _is_one_of(name, told.get(role, ()))), None)


def _is_one_of(name: str, names: Sequence[str]) -> bool:
    return any(_plain(name) == _plain(one) for one in names)


def _unknown_chatbot(turns: Mapping[str, int], file: str, assistant: Sequence[str]) -> UnknownChatbotError:
    """Word that nobody knows who the chatbot is. assistant: who was said to be, and does not speak there."""
    absent = f"nobody is called {', '.join(map(_printable, assistant))}; " if assistant else ""
    error = UnknownChatbotError(
        f"Nobody knows who the chatbot is in {file}",
        detail=f"{file}: {absent}who speaks there: {_listed(turns)}",
        next_step=f"Say who the chatbot is, for example: {_command(turns, file)}",
    )
    error.speakers = tuple((name, turns[name]) for name in likeliest_chatbots(turns))
    return error


def unknown_speakers(
    file: str, place: str, unknown: Sequence[str], roles: Mapping[str, str], turns: Mapping[str, int]
) -> FormatError:
    """Word that nobody knows who is who in a file. place: where in it. roles: of those who are known.

    Where no chatbot is known among them, the error names all who speak, with their turns, for a choice.
    """
    problem, next_step = who_is_who(unknown, roles)
    title = f"Nobody knows who is who in {file}"
    if "assistant" in roles.values():
        return FormatError(title, detail=f"{place}: {problem}", next_step=next_step)
    error = UnknownChatbotError(
        title,
        detail=f"{place}: {problem}\n{place}: who speaks there: {_listed(turns)}",
        next_step=f"{next_step}; or who the chatbot is: {_command(turns, file)}",
    )
    error.speakers = tuple((name, turns[name]) for name in likeliest_chatbots(turns))
    return error


def likeliest_chatbots(turns: Mapping[str, int]) -> list[str]:
    """Return who speaks, the likeliest chatbot first."""
    return sorted(turns, key=lambda name: (not _LIKE_A_CHATBOT.search(name), -turns[name]))


def _listed(turns: Mapping[str, int]) -> str:
    likely = likeliest_chatbots(turns)
    shown = [f"{_printable(name)} ({counted(turns[name], 'turn')})" for name in likely[:_MOST_NAMED]]
    more = f" and {len(likely) - _MOST_NAMED} more" if len(likely) > _MOST_NAMED else ""
    return f"{', '.join(shown) or 'nobody'}{more}"


def _command(turns: Mapping[str, int], file: str) -> str:
    """Return the command that says who the chatbot is, with the likeliest of those who speak."""
    named = "-" if file == "standard input" else file
    likely = likeliest_chatbots(turns)
    words = ["turnwise", "import", named, "--assistant", likely[0] if likely else "NAME"]
    return _printable(shlex.join(words))


def _printable(name: str) -> str:
    # A name comes from the file, and may hold what a terminal would obey.
    return name if name.isprintable() else ascii(name)


def _plain(name: str) -> str:
    return " ".join(name.replace("_", " ").replace("-", " ").casefold().split())


def read_mapping(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the names by role or field that texts such as `user=Anna,assistant=Bot` say, in order.

    A role may be given several times, for several speakers; a name may be a path into data, in which a key
    in double quotes may hold commas. Raises SettingError for what is no such text.
    """
    names: dict[str, tuple[str, ...]] = {}
    for pair in (pair for text in texts for pair in _PAIR_MARK.split(text)):
        key, mark, name = (part.strip() for part in pair.partition("="))
        if not (key and mark and name):
            raise SettingError(
                f"--map takes pairs KEY=NAME, parted by commas, and not {pair.strip() or 'nothing'}",
                next_step=_EXAMPLE,
            )
        if key not in (*ROLES, *FIELDS):
            raise SettingError(
                f"--map knows no {key}",
                detail=f"Known: {', '.join((*ROLES, *FIELDS))}.",
                next_step=did_you_mean(key, (*ROLES, *FIELDS)) or _EXAMPLE,
            )
        if key in FIELDS and key in names:
            raise SettingError(f"--map says {key} more than once", next_step=_EXAMPLE)
        names[key] = (*names.get(key, ()), name)
    return names
