"""What became of the texts of imported files, in words and as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from turnwise.conversations.words import counted

if TYPE_CHECKING:
    from turnwise.conversations.formats import TextAccount, TextPlace
    from turnwise.conversations.importing import ImportReport

MOST_PLACES = 10
MOST_FILES = 20
_IN_WORDS = {"turn": "in turns", "metadata": "in metadata", "left out": "left out"}
_WITHOUT_KEY = {
    "(the text itself)": "lines of text",
    "(the whole row)": "whole rows of the table",
    "(the whole file)": "the whole file",
    "(other keys)": "other keys",
}
"""What is said of texts that no key leads to, by what an account calls their place."""
_AS_KEYS = {"turn": "turns", "metadata": "metadata", "left out": "left_out"}


def account_line(account: TextAccount) -> str:
    """Return the shares on a line: "Of 1,200 characters of text 90 % in turns, ..."."""
    percents = account_percents(account)
    parts = [f"{percents[became]} {words}" for became, words in _IN_WORDS.items()]
    return f"Of {counted(account.characters, 'character')} of text {', '.join(parts[:-1])} and {parts[-1]}."


def account_percents(account: TextAccount) -> dict[str, str]:
    """Return each share in per cent, as a whole number; what is shown adds up to 100."""
    exact = {became: share * 100 for became, share in account.shares().items()}
    whole = {became: int(share) for became, share in exact.items()}
    # What is lost by cutting goes where most of it was lost.
    for became in sorted(exact, key=lambda name: whole[name] - exact[name])[: 100 - sum(whole.values())]:
        whole[became] += 1
    return {
        became: "under 1 %" if share and not whole[became] else f"{whole[became]} %"
        for became, share in exact.items()
    }


def account_lines(account: TextAccount, most: int = MOST_PLACES) -> list[str]:
    """Return the shares, and the largest places of what was left out, then of what is in metadata alone."""
    lines = [account_line(account)]
    for became in ("left out", "metadata"):
        places = account.largest(became)
        lines += [_place_line(place) for place in places[:most]]
        if len(places) > most:
            rest = sum(place.characters for place in places[most:])
            lines.append(
                f"  {_IN_WORDS[became]}: {counted(rest, 'character')} under {len(places) - most:,} other keys"
            )
    return lines


def account_told(report: ImportReport, most: int = MOST_PLACES) -> list[str]:
    """Return the same of an import, beside which it is told why records were not loaded; nothing where
    nobody asked.
    """
    return [] if report.account is None else account_lines(_without_reasons(report.account), most)


def account_in_short(report: ImportReport, most: int) -> list[str]:
    """Return the account in a sentence where nothing was left out; else as `account_told` does.

    That all of a text is in turns is what everybody expects: nothing is said of it.
    """
    if report.account is None or report.account.shares()["left out"]:
        return account_told(report, most)
    if not report.account.shares()["metadata"]:
        return []
    percents = account_percents(report.account)
    return [f"{percents['turn']} of the text is in turns, {percents['metadata']} in metadata."]


def _without_reasons(account: TextAccount) -> TextAccount:
    """Return an account in which all that was not loaded under the same keys is one place."""
    from turnwise.conversations.formats import NOT_LOADED, TextAccount, TextFate

    told = TextAccount()
    for (path, fate), characters in account.places.items():
        is_told = fate.note.startswith(NOT_LOADED)
        told.add(path, TextFate(fate.became, NOT_LOADED) if is_told else fate, characters)
    return told


def _place_line(place: TextPlace) -> str:
    where = _WITHOUT_KEY.get(place.path, place.path)
    note = f" ({place.fate.note})" if place.fate.note else ""
    return f"  {_IN_WORDS[place.fate.became]}: {where}, {counted(place.characters, 'character')}{note}"


def lines_of_files(accounts: Mapping[str, TextAccount]) -> list[str]:
    """Return the lines of each file, under its name where there are several, and the shares of all."""
    if len(accounts) < 2:
        return [line for account in accounts.values() for line in account_lines(account)]
    told: list[str] = []
    # Of many files those are told of which most was left out.
    by_loss = sorted(accounts.items(), key=lambda item: -item[1].shares()["left out"])
    for name, account in by_loss[:MOST_FILES] if len(accounts) > MOST_FILES else accounts.items():
        told += [f"{name}:", *(f"  {line}" for line in account_lines(account))]
    if len(accounts) > MOST_FILES:
        told.append(f"{counted(len(accounts) - MOST_FILES, 'further file')}; --json has them all")
    return [*told, f"All files: {account_line(joined(accounts))}"]


def joined(accounts: Mapping[str, TextAccount]) -> TextAccount:
    """Return the account of several files as one."""
    from turnwise.conversations.formats import TextAccount

    whole = TextAccount()
    for account in accounts.values():
        whole.join(account)
    return whole


def account_data(accounts: Mapping[str, TextAccount]) -> dict[str, Any]:
    """Return shares that add up to 1, of all files and of each with its places, as `--json` gives them."""
    files = [
        {"file": name, **_shares(account), "places": [_place_data(place) for place in account.largest()]}
        for name, account in accounts.items()
    ]
    return {**_shares(joined(accounts)), "files": files}


def _shares(account: TextAccount) -> dict[str, Any]:
    shares = {_AS_KEYS[became]: share for became, share in account.shares().items()}
    return {**shares, "characters": account.characters}


def _place_data(place: TextPlace) -> dict[str, Any]:
    said = "why" if place.fate.became == "left out" else "where"
    became = _AS_KEYS[place.fate.became]
    return {"path": place.path, "characters": place.characters, "became": became, said: place.fate.note}
