"""turnwise overview: how many conversations came out, and where they break."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import emit, narrate, say

_EPILOG = """\b
Examples:
  turnwise overview
  turnwise overview role:airline since:7d
  turnwise overview meta.language:es --json
  turnwise overview --by meta.language --table
  turnwise overview --html overview.html
  turnwise overview tag:billing --markdown billing.md
  turnwise sessions role_adherence:fail

\b
A rate is the share of the scores that pass, with its 95 % interval, which the bar thins
out over; of each session the newest score of a metric counts. Behind it stands how the
scores lie from 0 to 1, for all sessions and for those that people labelled.
"""


@click.command("overview", epilog=_EPILOG)
@click.argument("query", nargs=-1)
@click.option("--by", metavar="GROUP", help="Count failure modes within each role, tag, model or meta.KEY.")
@click.option("--table", "as_table", is_flag=True, help="Figures alone: nothing is drawn.")
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write it as one page to look at and pass on, with what was said where failure modes show.",
)
@click.option(
    "--markdown",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the same as Markdown, for a ticket or a mail.",
)
@json_option
@click.pass_context
def command(
    context: click.Context,
    query: tuple[str, ...],
    by: str | None,
    as_table: bool,
    page: Path | None,
    markdown: Path | None,
    as_json: bool,
) -> None:
    """Say what is wrong in all conversations, or in those that match QUERY, and how sure that is: rates,
    histograms, failures by turn and by mode, labels, agreement and runs.
    """
    from turnwise.engine.overview import overview
    from turnwise.tui.overview.overview_lines import Drawing, overview_lines
    from turnwise.tui.overview.overview_words import made_of, sessions_words

    store = open_store(context, to_read=True)
    found = overview(store, " ".join(query), by=by)
    if page is not None or markdown is not None:
        from turnwise.engine.people.mode_occurrences import modes_in_words
        from turnwise.tui.overview.overview_markdown import markdown_pieces
        from turnwise.tui.overview.overview_page import page_pieces, write_page

        words = " ".join(query)
        modes, about = modes_in_words(store, words), made_of(store.path, words, date.today())
        for path, pieces in ((page, page_pieces), (markdown, markdown_pieces)):
            if path is not None:
                write_page(pieces(found, about, modes), path)
                narrate(f"Wrote {path}")
    if as_json:
        emit(found.data())
        return
    if not found.sessions:
        total = store.sessions.count()
        narrate(
            f"No session matches, of {total:,}."
            if total
            else "There are no sessions yet. Bring some in: `turnwise import FILE`, or try `turnwise demo`."
        )
        return
    say(sessions_words(found))
    for line in overview_lines(found, Drawing(drawn=not as_table)):
        say(line.text)
    if not found.rates:
        narrate(
            "Nothing is scored yet. `turnwise score --all --metric repetition` needs no judge. "
            "Metrics that a judge decides take `--judge` too; `turnwise metrics` lists both."
        )
