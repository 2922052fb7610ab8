"""ImportDialog: brings conversations in from a file, and says in words what became of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from turnwise.conversations.errors import FormatError, TurnwiseError, UnknownChatbotError, UnknownFormatError
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.importing.gathered_words import progress_words, stopped_words
from turnwise.tui.importing.import_end import tell_end
from turnwise.tui.importing.import_words import (
    file_words,
    in_app_words,
    names_no_list,
    names_nobody,
    refusal_words,
    speakers_of,
)
from turnwise.tui.importing.path_choices import (
    SUFFIXES,
    completed,
    folder_of,
    from_home,
    is_importable,
    is_prose,
    paths_for,
)
from turnwise.tui.importing.silence_question import part_of, silence_question
from turnwise.tui.importing.told_import import HasSilences, Told, brought_in, import_told
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog, ScrolledWords
from turnwise.tui.parts.error_words import error_words
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import hand_over
from turnwise.tui.parts.rewriting import rewrite
from turnwise.tui.settings.keymap import fill_keys, key_of

if TYPE_CHECKING:
    from turnwise.conversations.formats import SilencesFound
    from turnwise.conversations.gathering import GatheredReport, Gathering
    from turnwise.conversations.store import BroughtIn
    from turnwise.tui.importing.mapping_dialog import ToldMapping


SECONDS_BETWEEN_WORDS = 0.1
PLACED = "Nothing in it needs a place: import it as it is."
SHAPE = """A line of JSONL is a conversation: {"messages": [{"role": "user", "content": "Hello"}, …]}"""
"""What is told while no file is named: whoever writes one by hand needs it, and most files are like it."""
READY = "{import.take} imports the file; a role may be given first."
READY_FOLDER = "{import.take} imports all files in the folder; a role may be given first."
ALL_OF_IT = "."
"""What is chosen where a folder itself is."""
LAST_FOLDER = "last"
"""What is chosen where the folder of the last import is; the paths of files begin otherwise."""
MAPPED_SUFFIXES = frozenset({".csv", ".tsv", ".txt", ".md", ".parquet", ".xlsx"})
"""Of tables and transcripts it may have to be said what their columns are, or who speaks in them."""


class _Stopped(Exception):  # noqa: N818  not an error: how a progress report ends an import
    """The import was cancelled."""


class ImportDialog(Dialog["tuple[BroughtIn, ...] | None"]):
    """Ask for a file and a role, import it; the result is what came in, of stopped imports too."""

    PLACE: ClassVar[Place] = "import"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("import"))
    DEFAULT_CSS = """
    ImportDialog {
        & .label { padding: 0 1; height: 1; color: $text-muted; }
        & #folder { text-wrap: nowrap; text-overflow: ellipsis; }
        & ChoiceList { height: 8; margin-bottom: 1; }
        & #status { margin-top: 1; }
        & #wrong { height: auto; max-height: 6; margin-top: 1; display: none; }
        & #wrong > .wrong { display: block; }
        /* What is wrong has the room of the files: the one that was named is known. */
        &.-wrong ChoiceList { height: 1; }
        &.-wrong #wrong { max-height: 8; }
        &.-several #wrong, &.-mapped #wrong { max-height: 6; }
        &.-wrong #status { display: none; }
        &.-wrong #wrong { display: block; }
        &.-mapped ChoiceList { height: 5; }
        &.-mapped.-wrong ChoiceList, &.-several.-wrong ChoiceList { height: 3; }
        & .mapped { display: none; }
        &.-mapped .mapped { display: block; }
        & .several { display: none; }
        &.-several .several { display: block; }
    }
    """

    def begin(self) -> None:
        """It is about the files that are there."""
        self._importing = False
        self._stop = False
        self._heard = 0.0
        self._told = Told()
        self._brought_in: list[BroughtIn] = []

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("Import conversations", classes="title", markup=False)
            yield Static(
                "File, zip or folder: JSON, JSONL, CSV, Excel, Parquet or transcripts",
                classes="label",
                markup=False,
            )
            yield Input(
                placeholder="(such as path/to/conversations.json; ../ leads up)",
                select_on_focus=False,
                id="path",
            )
            yield Static(Content(""), id="folder", classes="label")
            yield ChoiceList()
            yield Static("The chatbot's role, if the file does not tell it", classes="label", markup=False)
            yield Input(
                placeholder="(such as an airline's customer service agent)", select_on_focus=False, id="role"
            )
            yield Static(
                "The list that holds the messages, by its name", classes="label several", markup=False
            )
            yield Input(
                placeholder="(such as messages)", select_on_focus=False, id="messages", classes="several"
            )
            yield Static(
                "Who speaks in it, or what its columns are, if it does not tell",
                classes="label mapped",
                markup=False,
            )
            yield Input(
                placeholder="(such as user=Anna,assistant=Bot or role=sender,content=text)",
                select_on_focus=False,
                id="map",
                classes="mapped",
            )
            yield Static(Content(""), id="status", classes="words")
            with ScrolledWords(id="wrong"):
                yield Static(Content(""), classes="wrong")
            yield KeyLine("import")

    def on_mount(self) -> None:
        """Show what there is to import; the keys stay in the fields."""
        self.query_one(ChoiceList).can_focus = False
        self.fill()

    def fill(self) -> None:
        """Show the files of the working folder."""
        self.set_focus(self._path)
        self._show_paths()
        self._say(SHAPE)

    @property
    def _path(self) -> Input:
        return self.query_one("#path", Input)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show what the path may go on to."""
        if event.input.id == "path":
            self._show_paths()
            self._told = Told()
            path = Path(event.value.strip()).expanduser()
            self._say(
                fill_keys(READY, self.shell.actions) if is_importable(path) else "" if event.value else SHAPE
            )
            self.set_class(False, "-several")
            self.set_class(path.suffix.lower() in MAPPED_SUFFIXES and path.is_file(), "-mapped")

    def _show_paths(self) -> None:
        paths = paths_for(self._path.value, Path.cwd())
        choices = [
            Choice(
                str(path),
                path.name + ("/" if path.is_dir() else ""),
                "" if path.is_dir() else file_words(path),
            )
            for path in paths
        ]
        typed = self._path.value
        if typed.endswith("/") and Path(typed).expanduser().is_dir():
            choices.insert(0, Choice(ALL_OF_IT, "all files in it", "a folder is imported file by file"))
        if not typed and (last := self._last_folder) is not None:
            choices.insert(0, Choice(LAST_FOLDER, "the last folder", f"{from_home(last)}/"))
        if self._named_file is not None:
            lacking = "a file of this name is there; import tells whether it can be read"
        else:
            lacking = "no folder or file to import begins like this" if typed else "no file to import here"
        shown = f"in {from_home(folder_of(typed, Path.cwd()))}"
        rewrite(self.query_one("#folder", Static), make_safe_line(shown))
        self.query_one(ChoiceList).show(choices or [Choice("", lacking, disabled=True)])

    @property
    def _last_folder(self) -> Path | None:
        """The folder that was imported from last, where it is there and is not the present one."""
        kept = self.shell.used.last.folder
        folder = Path(kept)
        return folder if kept and folder != Path.cwd() and folder.is_dir() else None

    def _say(self, text: str, *, wrong: bool = False) -> None:
        rewrite(self.query_one("#status", Static), "" if wrong else make_safe(text))
        rewrite(self.query_one(".wrong", Static), error_words(text) if wrong else "")
        self.set_class(wrong, "-wrong")
        self.wrong.scroll_home(animate=False)
        # Whether there is more of it than is in sight is known once it is laid out.
        self.call_after_refresh(self.refresh_bindings)

    def _ask_which_list(self, error: Exception) -> None:
        """Let the list of messages be named, where a record holds several."""
        # Without the next step, which is about the file: here the field is what to do.
        told = error.detail if isinstance(error, TurnwiseError) else str(error)
        self._end(in_app_words(told), wrong=True)
        self.set_class(True, "-several")
        self.query_one("#messages", Input).focus()

    def _ask_who_is_who(self, error: TurnwiseError) -> None:
        """Let speakers or columns be named, where the file does not tell."""
        # What a file lacks stands in the detail; of what was typed here, the title says it.
        problem = error.detail.partition("\n")[0] if isinstance(error, FormatError) else error.title
        self._end(in_app_words("\n".join(part for part in (problem, error.next_step) if part)), wrong=True)
        self.set_class(True, "-mapped")
        self.query_one("#map", Input).focus()

    # Keys

    @property
    def wrong(self) -> ScrolledWords:
        """What is wrong, in words that the keys scroll."""
        return self.query_one("#wrong", ScrolledWords)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to scroll what is wrong only where some of it is out of sight."""
        if action in ("scroll_down", "scroll_up"):
            return self.has_class("-wrong") and self.wrong.max_scroll_y > 0
        return True

    def key_now(self, action: Action) -> Action:
        """Name what tab does, and what enter does while no file is named above."""
        if action.name == "complete":
            return replace(action, title="complete" if self._completion else "next field")
        if action.name == "map" and self._named_file is None:
            return replace(action, rank=0)
        if action.name != "take" or self._is_named:
            return action
        choice = self.query_one(ChoiceList).current
        if choice is None or choice.disabled:
            return action
        opens = choice.id == LAST_FOLDER or (choice.id != ALL_OF_IT and Path(choice.id).is_dir())
        return replace(action, title="open" if opens else "choose")

    @property
    def _named_file(self) -> Path | None:
        """The file that stands in the line, where there is one of that name."""
        typed = self._path.value.strip()
        path = Path(typed).expanduser()
        return path if typed and is_importable(path) else None

    def on_option_list_option_highlighted(self) -> None:
        """Say what enter does with what the cursor is on now."""
        self.refresh_bindings()

    @property
    def _completion(self) -> str:
        """The path with more of what it may go on to; empty where there is nothing to add."""
        more = completed(self._path.value, Path.cwd())
        return more if self.focused is self._path and more != self._path.value else ""

    def action_complete(self) -> None:
        """Complete the path; where there is nothing more to add, go to the next line."""
        if more := self._completion:
            self._set_path(more)
            return
        inputs = [line for line in self.query(Input) if line.display]
        here = inputs.index(self.focused) if isinstance(self.focused, Input) else -1
        inputs[(here + 1) % len(inputs)].focus()

    def on_option_list_option_selected(self) -> None:
        """Take what was clicked."""
        self._take_choice()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Do what enter does wherever the cursor is."""
        event.stop()
        self.action_take()

    def action_take(self) -> None:
        """Open the folder, or import the file."""
        if self._importing:
            return
        if self._is_named:
            self._begin(Path(self._path.value.strip()).expanduser())
        else:
            self._take_choice()

    @property
    def _is_named(self) -> bool:
        """Whether it is said what to import: a file by name, or a folder of which the list marks no part."""
        if self._named_file is not None:
            return True
        folder, choice = Path(self._path.value.strip()).expanduser(), self.query_one(ChoiceList).current
        if not self._path.value.strip() or self.focused is self._path or choice is None:
            return False
        marks_it = choice.disabled or choice.id == ALL_OF_IT or Path(choice.id) == Path.cwd() / folder
        return marks_it and folder.is_dir()

    def _take_choice(self) -> None:
        choice = self.query_one(ChoiceList).current
        if choice is None or choice.disabled:
            typed = self._path.value.strip()
            self._say(
                f"There is no file {typed}." if typed else "There is no file to import here.", wrong=True
            )
            return
        if choice.id == ALL_OF_IT:
            self._say(fill_keys(READY_FOLDER, self.shell.actions))
            self.query_one("#role", Input).focus()
            return
        if choice.id == LAST_FOLDER and self._last_folder is not None:
            self._set_path(f"{self._last_folder}/")
            self._path.focus()
            return
        path = Path(choice.id)
        typed = self._path.value
        parent = typed.rpartition("/")[0]
        shown = f"{parent}/{path.name}" if parent or typed.startswith("/") else path.name
        self._set_path(shown + "/" if path.is_dir() else shown)
        self.query_one("#role" if path.is_file() else "#path", Input).focus()

    def _set_path(self, text: str) -> None:
        self._path.value = text
        self._path.cursor_position = len(text)

    def action_cancel(self) -> None:
        """Stop the import, or go back."""
        if self._importing:
            self._stop = True
        else:
            self.dismiss(tuple(self._brought_in))

    # What the file does not tell

    def action_map(self) -> None:
        """Say what stands where in the file."""
        path = Path(self._path.value.strip()).expanduser()
        if self._importing:
            return
        if self._path.value.strip() and is_importable(path):
            self._say("Looking at the file …")
            # Seen before the file is read, and what reads it is loaded.
            self.call_after_refresh(self._ask_what_is_where, path)
        else:
            self._say("Choose a file first.", wrong=True)

    def _ask_what_is_where(self, path: Path, error: TurnwiseError | None = None) -> None:
        """Let a person say what stands where; a file that is no data is told as before."""
        from turnwise.conversations.formats.transcripts import is_transcript
        from turnwise.tui.importing.mapping_dialog import MappingDialog
        from turnwise.tui.importing.mapping_draft import MappingDraft

        try:
            if error is None and path.suffix.lower() not in SUFFIXES and is_transcript(path):
                self._end(f"{path.name} is a transcript: its lines begin with who speaks. {PLACED}")
                return
            draft = MappingDraft.of_file(path)
        except (TurnwiseError, OSError) as wrong:
            self._end(refusal_words(error or wrong), wrong=True)
            return
        if draft is None:
            if error is not None and names_nobody(error) and path.suffix.lower() not in SUFFIXES:
                # A text may have any name, and its error speaks of the field that asks for this.
                self._ask_who_is_who(error)
                return
            told = (
                refusal_words(error)
                if error
                else f"{path.name} is no JSON, YAML, CSV, Excel or Parquet of records."
            )
            self._end(told, wrong=True)
            return
        self._end(in_app_words(error.title) if error else "")
        self.app.push_screen(MappingDialog(draft), partial(self._take_mapping, path))

    def _take_mapping(self, path: Path, told: ToldMapping | None) -> None:
        if told is not None:
            self._told = replace(self._told, format="mapped", mapping=told.text, kept_as=told.kept_as)
            self._begin(path)

    def _ask_who_is_the_chatbot(self, path: Path, speakers: Sequence[tuple[str, int]]) -> None:
        from turnwise.tui.importing.speakers_dialog import SpeakersDialog

        self._end("")
        self.app.push_screen(SpeakersDialog(path.name, speakers), partial(self._take_chatbot, path))

    def _take_chatbot(self, path: Path, names: tuple[str, ...] | None) -> None:
        if names is not None:
            self._told = replace(self._told, assistant=names)
            self._begin(path)

    def _ask_where_to_part(self, path: Path, silences: SilencesFound, sessions: int) -> None:
        self._end("")
        question = silence_question(self.shell.kept_dialogs, path.name, silences, sessions)
        self.app.push_screen(question, partial(self._take_part, path))

    def _take_part(self, path: Path, answer: str | None) -> None:
        if answer is not None:
            self._told = replace(self._told, part=part_of(answer))
            self._begin(path)

    # Importing

    def _begin(self, path: Path) -> None:
        self._importing, self._stop = True, False
        self._say(f"Reading {path.name} …")
        typed = self._told
        names = self.query_one("#map", Input).value.strip() if self.has_class("-mapped") else ""
        told = replace(
            typed,
            role=self.query_one("#role", Input).value.strip() or None,
            key=(self.query_one("#messages", Input).value.strip() if self.has_class("-several") else "")
            or None,
            mapping=typed.mapping or names,
        )
        self.run_worker(partial(self._import, path, told), thread=True, exit_on_error=False)

    def _import(self, path: Path, told: Told) -> None:
        from turnwise.conversations.gathering import Gathering
        from turnwise.tui.settings.kept_maps import keep_map

        gathering = Gathering([path], accounting=True)
        store, at = self.shell.store, time.time()
        try:
            report = import_told(store, path, gathering, told, at=at, hear=lambda: self._hear(gathering))
            self._brought_in += brought_in(store, at)
            if told.kept_as and report.total.sessions:
                keep_map(told.kept_as, told.mapping)
        except _Stopped:
            self._brought_in += brought_in(store, at)
            hand_over(self, self._end, stopped_words(gathering.report))
        except HasSilences as found:
            hand_over(self, self._ask_where_to_part, path, found.silences, found.sessions)
        except UnknownChatbotError as error:
            hand_over(self, self._ask_who_is_the_chatbot, path, error.speakers)
        except UnknownFormatError as error:
            hand_over(self, self._ask_about, path, error)
        except (TurnwiseError, OSError) as error:
            if names_no_list(error):
                hand_over(self, self._ask_which_list, error)
            elif isinstance(error, TurnwiseError) and names_nobody(error):
                if told.mapping or is_prose(path):
                    hand_over(self, self._ask_who_is_who, error)
                else:
                    hand_over(self, self._ask_what_is_where, path, error)
            else:
                hand_over(self, self._end, refusal_words(error), wrong=True)
        else:
            hand_over(self, self._finish, path, report)

    def _ask_about(self, path: Path, error: TurnwiseError) -> None:
        """Ask what a file of no known format holds: of data by its paths, of text who speaks in it."""
        if self._told.mapping:
            self._told = replace(self._told, format=None, mapping="")
        if is_prose(path):
            self._ask_who_is_who(error)
        else:
            self._ask_what_is_where(path, error)

    def _hear(self, gathering: Gathering) -> None:
        if self._stop:
            raise _Stopped
        # A folder of thousands of files tells more often than anybody reads.
        now = time.monotonic()
        if now - self._heard < SECONDS_BETWEEN_WORDS:
            return
        self._heard = now
        stop = key_of(self.shell.actions, "import", "cancel")
        hand_over(self, self._say, f"{progress_words(gathering)} read · {stop} stops")

    def _end(self, text: str, *, wrong: bool = False) -> None:
        self._importing = False
        self._say(text, wrong=wrong)

    def _finish(self, path: Path, gathered: GatheredReport) -> None:
        from turnwise.conversations.formats import SilencesFound

        report = gathered.total
        asked = [error for error in report.rejected if isinstance(error, UnknownChatbotError)]
        if asked and not report.sessions:
            self._ask_who_is_the_chatbot(path, speakers_of(asked))
            return
        unnamed = next(filter(names_no_list, report.rejected), None)
        if unnamed is not None and not report.sessions:
            self._ask_which_list(unnamed)
            return
        if report.sessions:
            self.shell.used.folder(path if path.is_dir() else path.parent)
        if self._told.part is not None:
            # Whether they are one conversation or several was answered.
            report.silences = SilencesFound()
        app, keys = self.app, self.shell.actions
        self.dismiss(tuple(self._brought_in))
        undo, forget = (key_of(keys, "library", action) for action in ("undo", "remove"))
        tell_end(app, gathered, undo=undo, forget=forget)
