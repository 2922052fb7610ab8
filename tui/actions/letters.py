"""What each letter and sign means: one sense through the whole app, whatever screen or dialog is open.

A key is learned once. An action of a new screen takes the letter whose sense it is, and is named here with
it; a test holds the registry to this table. Digits go to the places, or take what bears that number.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Letter:
    """A key by Textual's name for it, its one sense, and the names of the actions that it is used for."""

    key: str
    sense: str
    actions: frozenset[str]


def _letter(key: str, sense: str, *actions: str) -> Letter:
    return Letter(key, sense, frozenset(actions))


LETTERS: tuple[Letter, ...] = (
    _letter("j", "down, to the next", "cursor_down", "choice_down", "scroll_down", "next_picture"),
    _letter("k", "up, to the one before", "cursor_up", "choice_up", "scroll_up", "previous_picture"),
    _letter(
        "J", "the next of the list one came from", "next_session", "next_score", "next_pair", "next_queue"
    ),
    _letter(
        "K",
        "the one before of the list one came from",
        "previous_session",
        "previous_score",
        "previous_pair",
        "look_back",
    ),
    _letter(
        "n", "the next failed verdict, match, difference or chosen event", "next_failed", "next_difference"
    ),
    _letter("N", "the one before of these", "previous_failed", "previous_difference"),
    # In a conversation g asks for a turn's number, and g again goes to the first.
    _letter("g", "the first, or the turn that is named", "home", "turn"),
    _letter("G", "the last", "end"),
    _letter("q", "back; from the library, out of turnwise", "back", "cancel", "close", "quit"),
    _letter("slash", "find, or show only some", "filter", "find"),
    _letter("question_mark", "help", "help", "close"),
    _letter("apostrophe", "jump to a place in sight", "jump"),
    _letter("x", "stop what runs", "stop"),
    _letter("backspace", "to where one was last time", "last_place"),
    _letter("r", "judge", "score", "try", "propose", "go_on"),
    _letter("R", "replay", "replay"),
    _letter("L", "choose the judge, a language model", "judge"),
    _letter("u", "undo", "undo", "undo_all"),
    _letter("U", "redo", "redo"),
    _letter("a", "all", "select_all", "tick_all"),
    _letter("m", "give failure modes, and in help the marks", "give_mode", "modes", "assign", "marks"),
    _letter("t", "tags", "tag"),
    _letter("c", "notes", "note", "notes"),
    _letter("p", "label: pass", "label_pass"),
    _letter("f", "label: fail", "label_fail"),
    _letter("d", "label: defer", "label_defer"),
    _letter("exclamation_mark", "this turn fails first", "anchor"),
    _letter("X", "who failed", "at_fault"),
    _letter("plus", "a score is right", "agree"),
    _letter("minus", "a score is wrong", "disagree"),
    _letter("s", "scores that are hidden: show them, or count only what was said without", "reveal", "blind"),
    _letter("i", "information beside what is shown", "info", "hyperparameters"),
    _letter("I", "images, and among criteria improvements", "pictures", "improve", "close"),
    _letter("e", "export", "export"),
    _letter("E", "edit", "edit", "rename", "note_in_editor"),
    _letter("o", "order", "sort"),
    _letter("O", "the order reversed", "reverse"),
    _letter("w", "why: what is behind a score", "why", "back"),
    _letter("W", "which metrics", "columns", "metric"),
    _letter("v", "a range", "select_range"),
    _letter("V", "versions", "versions", "back"),
    _letter("h", "what was before", "history", "close", "usual"),
    _letter("y", "copy", "copy"),
    _letter("z", "every turn: unfold all, judge each", "fold_all", "each_turn"),
    _letter("l", "which list, or kind of events", "modes", "sample", "kind"),
    _letter("percent_sign", "rates", "rates"),
    _letter("b", "bring in", "import", "fetch"),
    _letter("asterisk", "the samples", "samples"),
    _letter("H", "the heat map", "heat_map"),
    _letter("number_sign", "figures alone", "figures"),
    _letter("Q", "make a queue", "queues", "add", "settle"),
    _letter("F", "a filter that is ready: a saved one, or notes that are open", "filters", "uncoded"),
    _letter("A", "choose side A of a comparison", "choose_a"),
    _letter("B", "choose side B", "choose_b"),
    _letter("S", "swap the sides", "swap"),
    _letter("equals_sign", "pairs side by side, and neither is better", "pairs", "tie"),
    _letter("C", "compare", "compare", "close"),
    _letter("P", "people whose labels count", "author"),
    _letter("D", "delete, leave out or take out of use", "remove", "retire", "decline"),
    _letter("M", "merge", "merge"),
    _letter("T", "a test: of a criterion on the test split, of a judge by a trial", "test", "trial"),
    _letter("at", "from which turn on it fails", "locate"),
    _letter("Y", "learn what you would say, from labels", "learn"),
    _letter("comma", "an event back", "event_back"),
    _letter("full_stop", "an event on", "event_forward"),
    _letter("greater_than_sign", "whether a pass or defer opens the next session", "go_on_by_itself"),
    _letter(
        "left_square_bracket",
        "less, or the one before of several",
        "slower",
        "right_earlier",
        "previous_branch",
    ),
    _letter("right_square_bracket", "more, or the next of several", "faster", "right_later", "next_branch"),
    _letter("ctrl+n", "new: a recording, criterion, failure mode or queue", "record", "new", "add"),
    _letter("ctrl+s", "save", "save"),
    _letter("ctrl+t", "judge, while one writes", "try", "score"),
    _letter("ctrl+r", "let a model write", "draft", "regenerate"),
    _letter("ctrl+g", "by groups", "by"),
    _letter("ctrl+f", "how often each value of a column occurs", "frequency"),
    _letter("ctrl+e", "edit what was sent", "edit_and_fork"),
    _letter("ctrl+j", "a new line", "new_line"),
    _letter("ctrl+x", "stop what runs, while one writes", "stop"),
    _letter("ctrl+d", "a page down", "page_down"),
    _letter("ctrl+u", "a page up", "page_up"),
    _letter("ctrl+home", "the first, while one writes", "home"),
    _letter("ctrl+end", "the last, while one writes", "end"),
    _letter("ctrl+p", "the palette of commands", "command_palette"),
    _letter("ctrl+o", "jump, while one writes", "jump"),
    _letter("ctrl+l", "draw the screen anew", "redraw"),
    _letter("ctrl+c", "leave turnwise, pressed twice", "quit_soon"),
    _letter("ctrl+q", "leave turnwise, pressed twice", "quit_soon"),
    _letter("ctrl+z", "back to the shell", "suspend_process"),
)
"""Every key that is a letter or a sign, alone or with ctrl, except digits."""
