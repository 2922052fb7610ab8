"""turnwise people: those who label side by side, how far they agree, and whether their measure drifts."""

from __future__ import annotations

import click

from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import emit, narrate, say, say_whole_words

_EPILOG = """\b
Examples:
  turnwise people
  turnwise people tag:billing --metric role_adherence
  turnwise people --json | jq '.people[] | {author, drift}'

\b
Of each: how many labels, the share passed, how often the majority of the others says the same
of the same session, and drift. Drift sets the later half of somebody's labels beside the
first half, each label measured by what others say of the same session, so that easier
sessions are no drift; where too few have labels of others, by a metric's newest scores.
Of two people alone it cannot be told which of them drifted. Intervals are of 95 %.
"""


@click.command("people", epilog=_EPILOG)
@click.argument("query", nargs=-1)
@click.option("--metric", default="", help="As to which metric; without it the whole conversation.")
@json_option
@click.pass_context
def command(context: click.Context, query: tuple[str, ...], metric: str, as_json: bool) -> None:
    """Set those who label side by side: their measure, their agreement, their drift."""
    from turnwise.engine.people.side_by_side import people_side_by_side
    from turnwise.tui.agreement.people_words import alpha_words, person_lines

    found = people_side_by_side(open_store(context, to_read=True), metric, query=" ".join(query))
    if as_json:
        emit(found.data())
        return
    if not found.people:
        narrate("Nobody labelled any of these sessions yet: turnwise label SESSION pass")
        return
    for one in found.people:
        say(one.author)
        for line in person_lines(one):
            say_whole_words(line, "  ")
    if len(found.people) > 1:
        say(alpha_words(found.alpha))
    if len(found.people) == 2 and any(
        one.drift.is_sure and one.drift.beside == "others" for one in found.people
    ):
        narrate(
            "Of two people alone it cannot be told which of them drifted: a third one's labels would tell."
        )
