"""turnwise import: conversations from files."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turnwise.conversations.errors import SettingError, TurnwiseError
from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import Progress, emit, narrate

if TYPE_CHECKING:
    from turnwise.conversations.containers import Content
    from turnwise.conversations.gathering import GatheredReport, Told
    from turnwise.conversations.importing import ImportReport

_EPILOG = """\b
Examples:
  turnwise import cases.json
  turnwise import chats.jsonl --role "A clinic's booking assistant"
  turnwise import logs.json --messages traj --role-from system
  turnwise import chat.txt --map user=Anna,assistant=Bot
  turnwise import chats.csv --map id=chat_id,role=sender,content=text
  turnwise import any.json --messages log.events --map role=who,content=data.text
  turnwise import log.txt --split-after 6h
  turnwise import slack.zip --assistant "Support Bot" --split-after 6h
  turnwise import conversations.zip logs/ chats.jsonl.gz
  cat chats.jsonl | turnwise import -
  turnwise import export.json --account
  turnwise import --follow ~/.claude/projects
"""

_MOST_TOLD = 20


@click.command("import", epilog=_EPILOG)
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--format",
    "format_name",
    metavar="NAME",
    help="The format, such as openai-chat or transcript; told from the content by default.",
)
@click.option(
    "--messages",
    "messages_key",
    metavar="PATH",
    help="Where a record holds its messages, as keys parted by dots: log.events, or chats[].messages for a "
    "conversation each.",
)
@click.option(
    "--map",
    "maps",
    metavar="KEY=PATH,...",
    multiple=True,
    help="What stands where: id, role, content, time, date, order, name and tool_calls of data or columns of "
    "a table, and the words for roles: --map role=sender,content=data.text,user=customer",
)
@click.option("--save-map", metavar="NAME", help="Keep --messages and --map under NAME, once a file came in.")
@click.option("--use-map", metavar="NAME", help="Take what was kept under NAME; --map goes before it.")
@click.option(
    "--assistant",
    metavar="NAME",
    multiple=True,
    help="Who the chatbot is, where people write to one another; all others are users then.",
)
@click.option(
    "--split-after",
    "silence",
    metavar="SPAN",
    help="Part a chat, a transcript with times, or a table that has times and no ids, where nobody wrote for "
    "so long: 30m, 6h, 2d. Threads stay whole.",
)
@click.option("--role", help="What the chatbot is supposed to be, in plain words.")
@click.option(
    "--role-from", type=click.Choice(["system"]), help="Take the chatbot's role from the system prompt."
)
@click.option(
    "--follow",
    is_flag=True,
    help="Go on taking in what is written to files and folders, until ctrl+c. A session that grows is "
    "brought up to date.",
)
@click.option(
    "--account",
    "with_account",
    is_flag=True,
    help="Say what became of every text: in a turn, in metadata, or left out and why.",
)
@click.option(
    "--limits",
    "limit_texts",
    metavar="NAME=N,...",
    multiple=True,
    help="What may come out of what is packed at most: size (bytes, also 50GB), ratio (bytes for each packed "
    "one), members (files), depth (containers within containers).",
)
@json_option
@click.pass_context
def command(
    context: click.Context,
    files: tuple[str, ...],
    format_name: str | None,
    messages_key: str | None,
    maps: tuple[str, ...],
    save_map: str | None,
    use_map: str | None,
    assistant: tuple[str, ...],
    silence: str | None,
    role: str | None,
    role_from: str | None,
    follow: bool,
    with_account: bool,
    limit_texts: tuple[str, ...],
    as_json: bool,
) -> None:
    """Bring conversations in from FILES, folders among them; - is standard input.

    What is packed (zip, gzip, zstd, tar ...) is unpacked, and what is no conversation is passed over with
    the reason. A conversation that is there already is not added again. A record that cannot be read is told
    on standard error, and the rest of its file still comes in. Ctrl+c keeps the files that were finished.
    """
    from turnwise.conversations.containers import read_limits
    from turnwise.conversations.formats import read_silence
    from turnwise.conversations.gathering import Gathering
    from turnwise.conversations.importing import import_file
    from turnwise.tui.importing.account_words import account_data, lines_of_files
    from turnwise.tui.importing.gathered_words import gathered_words, progress_words
    from turnwise.tui.importing.taken_back_words import way_back_words
    from turnwise.tui.settings.kept_maps import keep_map, map_text, told_mapping

    if role and role_from:
        raise SettingError("--role and --role-from do not go together", next_step="Leave out one of the two.")

    split_after = read_silence(silence) if silence is not None else None
    mapping = told_mapping(maps, use=use_map, messages=messages_key)
    if save_map and not (mapping or messages_key):
        raise SettingError(
            "There is nothing to keep", next_step="Say with --messages and --map what stands where."
        )
    limits = read_limits(limit_texts)
    store = open_store(context)
    if follow:
        from turnwise.conversations.live import FollowOptions
        from turnwise.tui.cli.reviewing.following import follow_files

        options = FollowOptions(
            format=format_name,
            messages_key=messages_key,
            mapping=mapping,
            assistant=assistant,
            split_after=split_after,
            role=role,
            role_from_system=role_from == "system",
        )
        context.exit(follow_files(store, files, options, as_json=as_json))
    at = time.time()

    def importing(content: Content, tell: Told) -> ImportReport:
        return import_file(
            store,
            content,
            format=format_name,
            messages_key=messages_key,
            mapping=mapping,
            assistant=assistant,
            split_after=split_after,
            role=role,
            role_from_system=role_from == "system",
            at=at,
            account=gathering.account_of(content),
            limits=limits,
            on_progress=tell,
        )

    gathering = Gathering(files, limits=limits, accounting=with_account)
    progress = Progress()
    try:
        report = gathering.run(importing, lambda: progress.show(progress_words(gathering)))
    except KeyboardInterrupt:
        progress.clear()
        if gathering.report.files:
            _tell(gathering.report)
            narrate(f"Stopped. What was finished is kept: {gathered_words(gathering.report)}")
        raise
    progress.clear()
    _tell(report)
    if not mapping and not messages_key:
        _tell_fitting(files, report)
    total = report.total
    failed = total.failed + report.failed_files
    if save_map and total.sessions:
        keep_map(save_map, map_text(messages_key, mapping))
        narrate(f"Kept for --use-map: {save_map}.")
    if as_json:
        emit(
            {
                **_plain(report, failed),
                **({"account": account_data(gathering.accounts)} if with_account else {}),
            }
        )
    narrate(gathered_words(report))
    if back := way_back_words(total, "`turnwise forget --last-import`"):
        narrate(back)
    for line in lines_of_files(gathering.accounts):
        narrate(line)
    if not total.sessions and not failed and report.passed_over:
        narrate(
            "Nothing in it is a conversation that turnwise can tell. Import a file by itself to be told why."
        )
        context.exit(2)
    alone = report.failed_files and not report.has_containers
    context.exit(2 if alone or (failed and not total.sessions) else 1 if failed else 0)


def _tell(report: GatheredReport) -> None:
    """Say what could not be read and what is to be known, the first of each."""
    from turnwise.tui.cli.main import tell_error
    from turnwise.tui.importing.import_notes import notes

    for error in [*report.unread[:_MOST_TOLD], *report.total.rejected[:_MOST_TOLD]]:
        tell_error(error)
    if (more := report.failed_files - _MOST_TOLD) > 0:
        narrate(f"... and {more:,} more files that could not be read.")
    if (more := report.total.failed - _MOST_TOLD) > 0:
        narrate(f"... and {more:,} more records that could not be read.")
    for remark in [*report.total.remarks.values(), *notes(report.total)]:
        narrate(f"Note: {remark}")


def _tell_fitting(files: Sequence[str], report: GatheredReport) -> None:
    """Name the kept mapping by which a file that could not be read can be, so that nothing is said twice."""
    from turnwise.tui.importing.mapping_draft import MappingDraft
    from turnwise.tui.settings.kept_maps import kept_maps

    refused = [name for name in files if any(name in error.title for error in report.unread)]
    kept = kept_maps() if refused else {}
    for name in refused[:_MOST_TOLD] if kept else []:
        with suppress(TurnwiseError, OSError):
            draft = MappingDraft.of_file(Path(name))
            if draft is not None and (fitting := draft.fitting(kept)):
                told = shlex.join(["turnwise", "import", name, "--use-map", fitting[0]])
                narrate(f"What you kept under {fitting[0]} fits it: {told}")


def _plain(report: GatheredReport, failed: int) -> dict[str, Any]:
    """Return what became of all files as one object; more is said where they were many."""
    from turnwise.tui.importing.import_words import report_counts

    total = report.total
    told: dict[str, Any] = {
        **report_counts(total),
        "failed": failed,
        "remarks": list(total.remarks.values()),
    }
    if report.is_of_many:
        told["files"] = report.files
        told["formats"] = {name: asdict(count) for name, count in sorted(report.formats.items())}
        told["passed_over"] = {what: asdict(passed) for what, passed in sorted(report.passed_over.items())}
    return told
