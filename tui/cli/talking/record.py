"""turnwise record: talk to a chatbot and keep every turn."""

from __future__ import annotations

import asyncio
import re
import sys
import threading
from collections.abc import Coroutine
from contextlib import aclosing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from turnwise.conversations.errors import JudgeError, SettingError, TurnwiseError
from turnwise.conversations.recording import Recording
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import Store, TurnRow
from turnwise.engine.models.providers import model_forms
from turnwise.tui.cli.interrupts import interrupts, run_async
from turnwise.tui.cli.judging.limits import JudgeLimits, limit_options
from turnwise.tui.cli.options import chosen_metrics, json_option, open_store, tell_of_spilled
from turnwise.tui.cli.output import Progress, emit, narrate
from turnwise.tui.cli.talking.resting import RestingScores, RestOptions
from turnwise.tui.cli.waiting import telling_waits
from turnwise.tui.record.talk_plan import TalkPlan

if TYPE_CHECKING:
    from turnwise.engine.chatbots.talk import Talker


_EPILOG = """\b
Examples:
  turnwise record
  turnwise record --target http://127.0.0.1:11434/v1#llama3.2 --role "A clinic's booking assistant"
  turnwise record --plain --target embedded < questions.txt
  turnwise record --target python:bot.py:reply
  turnwise record --resume 12
  turnwise record --target embedded --metric repetition

TARGET is a URL (URL#MODEL), MODEL_FORMS, a .gguf file, python:FILE.py[:FUNCTION] (your own code, as
`turnwise run` takes it), or a .yaml file of yours that describes any chatbot behind HTTP by url, method,
headers, body and response, as in:

\b
  {url: https://bot.example/chat, body: {message: "{{prompt}}"}, response: json.reply}
{{messages}} is all that was said, {{sessionId}} the same for a whole talk, {{env.NAME}} a variable of
the environment. Without a target: what OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL name, else a
model that was pulled; the app asks.

\b
With --role, the chatbot is told its role in a short system prompt, kept as the first turn.
--system gives it your own prompt instead; --system "" gives it none.

\b
--resume goes on with a kept conversation: what was said is shown and sent along. One that was recorded
goes on in its own session; one from a file stays as it is, and a new session begins with its turns.

\b
With --plain (and wherever there is no terminal), each line of standard input is a turn of the
user, replies go to standard output and remarks to standard error. ctrl+c cuts a reply short and
keeps what came; ctrl+d ends. --json prints {"session", "turns"} at the end and no replies.
""".replace("MODEL_FORMS", model_forms())

_T = TypeVar("_T")
# What a later piece can change: a last sign that may have variants, and whatever is no plain letter or sign.
_VARIED = "0-9#*\u3400-\u9fff"
_PLAIN = "\n -~\u00c0-\u024f\u0370-\u052f\u3040-\u9fff\uac00-\ud7af"
_OPEN_END = re.compile(f"[{_VARIED}]?[^{_PLAIN}]*\\Z")
_LONGEST_OPEN = 64
MOST_SHOWN = 20
"""So many turns that were said before are shown, where a conversation goes on."""


class _Stopped(Exception):  # noqa: N818 - no error: somebody pressed ctrl+c
    """Ctrl+c ended what was waited for."""


@click.command(epilog=_EPILOG)
@click.option("--target", metavar="TARGET", help="The chatbot to talk to.")
@click.option("--role", default="", help="What the chatbot is supposed to be, in plain words.")
@click.option("--system", help='A system prompt. Default: one made from the role; "" is none.')
@click.option("--scenario", default="", help="What the talk is about, for metrics; the chatbot is not told.")
@click.option(
    "--temperature",
    type=click.FloatRange(min=0),
    help="How freely the chatbot chooses its words. Default: as it is set where it runs.",
)
@click.option("--name", default="", help="A name for the session. Default: your first words.")
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME[:SETTINGS]",
    help="Score the talk by it as it goes; may be given several times.",
)
@click.option(
    "--criteria",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="A YAML file of criteria to score it by.",
)
@click.option("--resume", type=int, metavar="SESSION", help="Go on with a kept conversation.")
@limit_options(whom="the chatbot")
@click.option("--plain", is_flag=True, help="Talk over standard input and output, without the app.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    target: str | None,
    role: str,
    system: str | None,
    scenario: str,
    temperature: float | None,
    name: str,
    metrics: tuple[str, ...],
    criteria: tuple[Path, ...],
    resume: int | None,
    limits: JudgeLimits,
    plain: bool,
    as_json: bool,
) -> None:
    """Talk to a chatbot; every turn is on the disk before the next begins."""
    if resume is not None and (role or name or scenario or system is not None):
        raise SettingError(
            "A conversation that goes on keeps its role, prompt, scenario and name",
            next_step="Give --resume without --role, --system, --scenario and --name.",
        )
    chosen = tuple(chosen_metrics(metrics, criteria)) if metrics or criteria else ()
    plan = TalkPlan(
        target,
        role,
        system,
        name,
        resume,
        limits.of_chatbots,
        chosen,
        scenario=scenario,
        temperature=temperature,
    )
    if not plain and not as_json and sys.stdin.isatty() and sys.stdout.isatty():
        from turnwise.tui.cli.opening import open_app

        context.exit(open_app(context.find_root().obj, record=plan))
    store = open_store(context)
    stop = asyncio.Event()
    talking = _talk(store, plan, stop, as_json=as_json)
    context.exit(run_async(talking, stop=stop, ends_itself=True))


async def _talk(
    store: Store,
    plan: TalkPlan,
    stop: asyncio.Event,
    *,
    as_json: bool,
) -> int:
    if plan.session is not None:
        # Told before a chatbot is loaded for it.
        store.sessions.get(plan.session)
    try:
        async with await _unless(stop, plan.talker()) as target:
            narrate(f"Loading {target.name} …" if target.loads else f"Talking to {target.title}.")
            await _unless(stop, target.open())
            recording = plan.recording(store, target.title)
            options = RestOptions(metrics=(), criteria=(), judge_name=None, rest=0.0)
            scores = RestingScores(store.path, plan.metrics, options, as_json=as_json, tell=narrate)
            return await _Talk(target, recording, store, stop, scores, as_json=as_json).run()
    except _Stopped:
        narrate("Interrupted before anything was said.")
        return 130


async def _unless(stop: asyncio.Event, work: Coroutine[Any, Any, _T]) -> _T:
    """Return what the work returns, unless it is to stop before; then raise _Stopped."""
    working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not working.done():
        working.cancel()
        await asyncio.wait({working})
        if not working.cancelled():
            working.result()
        raise _Stopped
    return working.result()


class _Talk:
    """A talk over standard input and output. stop: set by ctrl+c."""

    def __init__(
        self,
        target: Talker,
        recording: Recording,
        store: Store,
        stop: asyncio.Event,
        scores: RestingScores,
        *,
        as_json: bool,
    ) -> None:
        self._scores = scores
        self._target = target
        self._store = store
        self._recording = recording
        self._stop = stop
        self._as_json = as_json
        self._by_hand = sys.stdin.isatty() and sys.stderr.isatty()
        self._progress = Progress()

    async def run(self) -> int:
        """Answer line by line until input ends; return the exit code, once it is told what was kept.

        Raises JudgeError where the chatbot does not answer and nobody is there to ask again.
        """
        self._show_earlier()
        if self._by_hand:
            narrate("Each line is a turn. ctrl+c cuts a reply short, ctrl+d ends.")
        try:
            await self._answer_lines()
        except _Stopped:
            return 130
        finally:
            self._recording.close()
            await self._end_scores()
            self._tell_kept()
        return 0

    async def _end_scores(self) -> None:
        """Let the scores under way come to their end, unless it is to stop."""
        dropped = threading.Event()
        watching = asyncio.create_task(self._drop_when_stopped(dropped))
        await asyncio.to_thread(self._scores.end, dropped)
        watching.cancel()

    async def _drop_when_stopped(self, dropped: threading.Event) -> None:
        await self._stop.wait()
        dropped.set()

    def _show_earlier(self) -> None:
        """Show what was said before, where a kept conversation goes on; of a long one its end."""
        rows = [row for row in self._recording.rows if row.number is not None]
        if left_out := len(rows[:-MOST_SHOWN]):
            narrate(f"({left_out:,} earlier turns: turnwise show {self._recording.session_id or ''})")
        for row in rows[-MOST_SHOWN:]:
            narrate(f"{'> ' if row.role == 'user' else ''}{make_safe(row.content)}")

    async def _answer_lines(self) -> None:
        if self._recording.waits_for_reply:
            await self._answer()
        lines = open_input(sys.stdin.fileno())
        while line := await self._line(lines):
            if said := line.strip():
                self._recording.user_says(said)
                await self._answer()

    async def _line(self, lines: TextIO) -> str:
        if self._by_hand:
            sys.stderr.write("> ")
            sys.stderr.flush()
        return await _unless(self._stop, next_line(lines))

    async def _answer(self) -> None:
        try:
            await _unless(self._stop, self._stream())
        except _Stopped:
            if not self._by_hand:
                raise
            # At a terminal the first ctrl+c is for the reply alone.
            self._stop.clear()
            interrupts.forgive()
            narrate("\nCut short.")
        except JudgeError as error:
            if not self._by_hand:
                raise
            _tell(error)

    async def _stream(self) -> None:
        """Let the target reply and print the reply as it comes."""
        from turnwise.engine.chatbots.talk import answer

        safe, came, before = SafeStream(), False, self._recording.turns
        try:
            async with (
                telling_waits(None, self._progress, [self._target]),
                aclosing(answer(self._target, self._recording)) as pieces,
            ):
                async for piece in pieces:
                    if not came:
                        self._progress.clear()
                    came = True
                    self._print(safe.feed(piece))
        finally:
            # The end of the last line says that the turn is kept.
            self._print(safe.end() + "\n" * came)
            if self._recording.turns > before:
                self._tell_aside(self._recording.rows[-1])
                self._score_as_it_goes()
        if not came and not self._recording.rows[-1].tools_called:
            narrate("(the chatbot said nothing)")

    def _score_as_it_goes(self) -> None:
        if (session := self._recording.session_id) is not None:
            self._scores.note(session)
            self._scores.look()

    def _tell_aside(self, row: TurnRow) -> None:
        """Tell what of a reply is no text: its tool calls, and what went wrong with it."""
        for call in row.tools_called:
            narrate(f"(the chatbot calls {make_safe_line(f'{call.name}({call.arguments})')})")
        if row.remark and not row.interrupted:
            narrate(f"({make_safe_line(row.remark)})")

    def _print(self, text: str) -> None:
        if text and not self._as_json:
            sys.stdout.write(text)
            sys.stdout.flush()

    def _tell_kept(self) -> None:
        recording = self._recording
        tell_of_spilled(self._store)
        if self._as_json:
            emit({"session": recording.session_id, "turns": recording.turns if recording.session_id else 0})
        elif not recording.turns:
            narrate("Nothing was said, so nothing was kept.")
        elif recording.session_id is not None:
            narrate(f"Kept as session {recording.session_id}: turnwise show {recording.session_id}")


def _tell(error: TurnwiseError) -> None:
    from turnwise.tui.cli.main import tell_error

    tell_error(error)


async def next_line(stream: TextIO) -> str:
    """Return the next line with its end; "" once there is none.

    It works for terminals, pipes and files alike. Cancelled, it leaves a thread behind that waits for a line
    that nobody wants; the thread keeps no program from ending.
    """
    loop = asyncio.get_running_loop()
    coming: asyncio.Future[str] = loop.create_future()

    def settle(line: str) -> None:
        if not coming.done():
            coming.set_result(line)

    def read() -> None:
        try:
            line = stream.readline()
        except (OSError, ValueError):
            # A terminal that was closed is an end like any other.
            line = ""
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, line)

    # Not the loop's own threads: those are waited for when a program ends.
    threading.Thread(target=read, daemon=True).start()
    return await coming


def open_input(descriptor: int) -> TextIO:
    """Return text of a file descriptor, for this module alone to read.

    sys.stdin itself would not do: Python cannot end while a thread holds it.
    """
    return open(descriptor, encoding="utf-8", errors="replace", closefd=False)


class SafeStream:
    """Makes text for the terminal safe that comes in pieces, as if it had come whole.

    The last few characters of a piece are held back until the next piece tells what they belong to; line ends
    are held back too, so that the last of them comes after all that is done with the text.
    """

    def __init__(self) -> None:
        self._waiting = ""

    def feed(self, piece: str) -> str:
        """Take a piece; return the text that can be shown by now."""
        text = self._waiting + piece
        start = len(text.rstrip("\r\n"))
        if start == len(text):
            end = _OPEN_END.search(text)
            start = end.start() if end else len(text)
            if len(text) - start > _LONGEST_OPEN:
                start = len(text)
        self._waiting = text[start:]
        return make_safe(text[:start])

    def end(self) -> str:
        """Return what was still held back."""
        rest, self._waiting = self._waiting, ""
        return make_safe(rest)
