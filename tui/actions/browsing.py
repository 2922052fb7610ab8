"""The actions of the library, its dialogs, and the app as a whole."""

from __future__ import annotations

from turnwise.tui.actions.action import CHOICE_MOVES, LIST_MOVES, Action, Place, aimed
from turnwise.tui.actions.places import places_but

BROWSING: dict[Place, tuple[Action, ...]] = {
    "everywhere": (
        Action("help", ("question_mark", "f1"), "help", "Say what marks mean and keys do; do one.", rank=90),
        Action(
            "jump", ("apostrophe", "ctrl+o"), "jump", "Show a letter at every place; a letter goes there."
        ),
        Action(
            "command_palette",
            ("ctrl+p",),
            "commands",
            "Find an action by its name, a session, a turn.",
        ),
        Action(
            "menu",
            ("shift+f10",),
            "menu",
            "Offer what can be done where one is, or where the mouse points.",
            also="right click",
        ),
        Action(
            "settings",
            ("f9",),
            "settings",
            "Give your name; choose theme, motion, title, how runs' ends are told.",
        ),
        Action("redraw", ("ctrl+l",), "redraw", "Draw the screen anew, if the terminal lost some of it."),
        Action("suspend_process", ("ctrl+z",), "suspend", "Go back to the shell; fg comes back here."),
        Action("quit_soon", ("ctrl+c", "ctrl+q"), "quit", "Press twice to leave turnwise."),
    ),
    "library": (
        *aimed("list", *LIST_MOVES),
        Action(
            "open",
            ("enter",),
            "review",
            "Read the session and its scores.",
            rank=1,
            target="list",
            of_sessions=True,
        ),
        Action(
            "score",
            ("r",),
            "score",
            "Score the selected sessions, or all that are shown.",
            rank=2,
            target="many",
            of_sessions=True,
        ),
        Action(
            "judge_again",
            ("f5",),
            "judge again",
            "Judge the selected, or this one, once more, and see what is found otherwise.",
            target="many",
            of_sessions=True,
        ),
        Action(
            "filter",
            ("slash",),
            "filter",
            "Search, or filter by role, tag, metric, label.",
            rank=3,
            of_sessions=True,
        ),
        Action(
            "queues", ("Q",), "queue", "Make a queue to review, or go on with one.", rank=4, of_sessions=True
        ),
        Action(
            "select",
            ("space",),
            "select",
            "Select the session, or leave it out.",
            rank=5,
            target="select_keys",
            of_sessions=True,
        ),
        Action(
            "select_range",
            ("v",),
            "range",
            "Select all from the one selected last to this one.",
            target="select_keys",
            of_sessions=True,
        ),
        Action(
            "select_all", ("a",), "all", "Select all that are shown.", target="select_keys", of_sessions=True
        ),
        Action(
            "tag",
            ("t",),
            "tag",
            "Give tags to the selected sessions, or to this one.",
            target="many",
            of_sessions=True,
        ),
        Action(
            "give_mode",
            ("m",),
            "give mode",
            "Give a failure mode to the selected, or to this one.",
            target="many",
            of_sessions=True,
        ),
        Action(
            "export",
            ("e",),
            "export",
            "Write the selected sessions, or all that are shown, to a file.",
            target="many",
            of_sessions=True,
        ),
        Action(
            "remove",
            ("D",),
            "forget",
            "Forget the selected sessions, or this one, with scores and labels; asks first.",
            target="many",
            of_sessions=True,
        ),
        Action(
            "undo", ("u",), "undo", "Take the last change of tags back, or what was forgotten.", target="many"
        ),
        Action("sort", ("o",), "sort", "Sort by a column or a metric.", rank=6, of_sessions=True),
        Action("reverse", ("O",), "reverse", "Sort the other way round.", of_sessions=True),
        Action(
            "columns",
            ("W",),
            "columns",
            "Choose what has a column: metrics, metadata, the model.",
            of_sessions=True,
        ),
        Action(
            "frequency",
            ("ctrl+f",),
            "how often",
            "Count the values of any column, with how their sessions came out.",
            of_sessions=True,
        ),
        Action(
            "right_later",
            ("right_square_bracket",),
            "preview",
            "Scroll the preview at the right; the wheel does so too.",
            target="preview",
            of_sessions=True,
        ),
        Action(
            "right_earlier",
            ("left_square_bracket",),
            "preview back",
            "Scroll the preview back.",
            target="preview",
            of_sessions=True,
        ),
        Action("filters", ("F",), "filters", "Take a saved filter, or save this one."),
        Action("record", ("ctrl+n",), "record", "Talk to a chatbot and keep every turn.", rank=8),
        Action("simulate", ("f2",), "simulate", "Let played users talk to a chatbot, and keep every turn."),
        Action("import", ("b",), "import", "Bring conversations in from a file.", rank=7),
        Action("replay", ("R",), "replay", "Play the session again.", rank=9, of_sessions=True),
        Action("samples", ("asterisk",), "samples", "Bring the sample conversations in."),
        Action("judge", ("L",), "judge", "Choose the model that judges."),
        Action(
            "last_place", ("backspace",), "where I was", "Go to where you were last time.", target="shell"
        ),
        Action(
            "compare",
            ("C",),
            "compare",
            "Compare two runs, and read what flipped.",
            rank=6,
            target="shell",
            of_sessions=True,
        ),
        Action("stop", ("x",), "stop", "Stop the run; what is scored is kept."),
        Action("clear", ("escape",), "clear", "Leave all selected ones, then clear the filter."),
        Action(
            "quit", ("q",), "quit", "Leave turnwise; asks first while a run goes on.", rank=85, target="shell"
        ),
        *places_but("library"),
    ),
    "overview": (
        *aimed("rows", *LIST_MOVES),
        Action("open", ("enter",), "sessions", "List the sessions that the line is about.", rank=1),
        Action(
            "heat_map",
            ("H",),
            "heat map",
            "See every session by every metric, to find what lies apart.",
            rank=2,
        ),
        Action("figures", ("number_sign",), "figures", "Show figures alone, or bars again.", rank=3),
        Action(
            "by",
            ("ctrl+g",),
            "modes by",
            "Count failure modes over all, by role, tag, or what metadata say.",
            rank=4,
        ),
        Action("export", ("e",), "write report", "Write it as one page, to look at and pass on.", rank=5),
        Action("back", ("escape", "q"), "back", "Go back to the library.", rank=9),
        *places_but("overview"),
    ),
    "tour": (
        Action("next_step", ("enter",), "next step", "Leave this step of the tour out.", rank=1),
        Action("leave", ("escape",), "leave", "Leave the tour; the palette takes it up again.", rank=2),
    ),
    "heat_map": (
        *aimed("rows", *LIST_MOVES),
        Action(
            "column_right", ("right",), "metric", "Go to the next metric.", rank=2, shown="← →", target="rows"
        ),
        Action("column_left", ("left",), "metric before", "Go to the metric before.", target="rows"),
        Action(
            "open", ("enter",), "read", "Read the session from the turn at which the metric fails.", rank=1
        ),
        Action("sort", ("o",), "sort", "Sort by the metric under the cursor, the lowest first.", rank=3),
        Action("reverse", ("O",), "reverse", "Sort the other way round.", rank=4),
        Action("back", ("escape", "q"), "back", "Go back to the overview.", rank=9),
        *places_but("heat_map"),
    ),
    "frequency": (
        *aimed("table", *LIST_MOVES),
        Action("open", ("enter",), "sessions", "List the sessions that have the value.", rank=1),
        Action("column_right", ("right",), "column", "Count the next column.", rank=2, shown="← →"),
        Action("column_left", ("left",), "column before", "Count the column before."),
        Action("by", ("ctrl+g",), "choose", "Choose what is counted among all columns.", rank=3),
        Action("metric", ("W",), "metric", "Choose the metric whose pass rate is shown.", rank=4),
        Action("sort", ("o",), "sort", "Sort by count, by pass rate, or by the value.", rank=5),
        Action("reverse", ("O",), "reverse", "Sort the other way round."),
        Action("back", ("escape", "q"), "back", "Go back to the library.", rank=9),
        *places_but("frequency"),
    ),
    "column_choice": (
        *CHOICE_MOVES,
        Action("choose", ("enter",), "choose", "Take what is under the cursor.", rank=1),
        Action("find", ("slash",), "find", "Show only those that are like some words.", rank=2),
        Action("cancel", ("escape", "q"), "cancel", "Go back; nothing changes.", rank=3),
    ),
    "filter": (
        Action("complete", ("tab",), "complete", "Complete what is typed; again for the next one."),
        Action("complete_back", ("shift+tab",), "complete back", "Take the completion before."),
    ),
    "filters": (
        *CHOICE_MOVES,
        Action("take", ("enter",), "use", "Filter the list by it.", rank=1),
        Action("save", ("ctrl+s",), "save", "Save the present filter under a name.", rank=2),
        Action("remove", ("D",), "delete", "Forget it.", rank=3),
        Action("cancel", ("escape", "q"), "back", "Go back.", rank=4),
    ),
    "naming": (
        Action("keep", ("enter",), "done", "Take what is typed.", rank=1),
        Action("cancel", ("escape",), "cancel", "Go back; nothing is kept.", rank=2),
    ),
    "tags": (
        Action(
            "give",
            ("enter",),
            "give or take away",
            "Give the tag, or take it away where all have it.",
            rank=1,
        ),
        Action("choice_down", ("down",), "tag", "Go to the next tag.", rank=2, shown="↑ ↓", target="choices"),
        Action("choice_up", ("up",), "tag before", "Go to the tag before.", target="choices"),
        Action("complete", ("tab",), "complete", "Write the tag under the cursor.", rank=3),
        Action("cancel", ("escape",), "done", "Go back; what you chose is kept.", rank=4),
    ),
    "export": (
        Action("start", ("enter",), "export", "Write the file.", rank=1),
        Action(
            "choice_down",
            ("down",),
            "format",
            "Go to the next format.",
            rank=2,
            shown="↑ ↓",
            target="choices",
        ),
        Action("choice_up", ("up",), "format before", "Go to the format before.", target="choices"),
        Action("cancel", ("escape",), "cancel", "Go back, or stop; a file is written whole or not.", rank=3),
    ),
    "sort": (
        *CHOICE_MOVES,
        Action("choose", ("enter",), "sort", "Sort by this; once more turns it round.", rank=1),
        Action("find", ("slash",), "find", "Show only those that are like some words.", rank=2),
        Action("cancel", ("escape", "q"), "cancel", "Go back.", rank=3),
    ),
    "columns": (
        *CHOICE_MOVES,
        Action("tick", ("space",), "tick", "Show the metric, or leave it out.", rank=2),
        Action("find", ("slash",), "find", "Show only those that are like some words.", rank=3),
        Action("usual", ("h",), "as used", "Show those that were used last, as they fit.", rank=4),
        Action("keep", ("enter",), "keep", "Show the metrics that are ticked.", rank=1),
        Action("cancel", ("escape", "q"), "cancel", "Go back; nothing changes.", rank=5),
    ),
    "queue": (
        *CHOICE_MOVES,
        Action("begin", ("enter",), "begin", "Make the queue, or go on with it.", rank=1),
        Action("metric", ("W",), "metric", "Whose scores count: all, or one metric.", rank=2),
        Action(
            "by", ("ctrl+g",), "as many of each", "Take as many of each role, language ... or not.", rank=5
        ),
        Action("next_field", ("tab",), "next field", "Go on to size and name.", rank=3),
        Action("remove", ("D",), "forget", "Forget the queue; labels stay.", rank=6),
        Action("cancel", ("escape",), "cancel", "Go back.", rank=4),
    ),
    "import": (
        Action("take", ("enter",), "import", "Open the folder, or import the file.", rank=1),
        Action("complete", ("tab",), "complete", "Complete the path, then go on to the role.", rank=2),
        Action(
            "choice_down", ("down",), "file", "Go to the next file.", rank=5, shown="↑ ↓", target="choices"
        ),
        Action("choice_up", ("up",), "file before", "Go to the file before.", target="choices"),
        Action("cancel", ("escape",), "cancel", "Go back; a file is imported whole or not at all.", rank=4),
        Action("map", ("f3",), "what is where", "Say what stands where in the file.", rank=3),
        *aimed(
            "wrong",
            Action("scroll_down", ("pagedown",), "more of it", "Read on in what is wrong.", rank=2),
            Action("scroll_up", ("pageup",), "back in it", "Read back in what is wrong."),
        ),
    ),
    "mapping": (
        Action("import", ("enter",), "import", "Import the file as it reads now.", rank=1),
        Action(
            "choice_down",
            ("down",),
            "choose",
            "Take the next choice, or go down in the record.",
            rank=2,
            shown="↑ ↓",
        ),
        Action("choice_up", ("up",), "choose before", "Take the choice before, or go up in the record."),
        Action("next_line", ("tab",), "next line", "Go to the next line, and then to the record.", rank=3),
        Action("line_before", ("shift+tab",), "line before", "Go to the line before."),
        Action("fold", ("left",), "fold", "Fold what the cursor is on in the record.", rank=6, shown="← →"),
        Action("unfold", ("right",), "unfold", "Unfold what the cursor is on in the record."),
        Action(
            "take",
            ("space",),
            "take",
            "Put what the cursor is on in the record into the line that was left.",
            rank=5,
        ),
        Action("cancel", ("escape",), "back", "Go back; nothing is imported.", rank=4),
    ),
    "speakers": (
        *CHOICE_MOVES,
        Action("choose", ("enter",), "choose", "Take who is ticked, or who the cursor is on.", rank=1),
        Action("tick", ("space",), "tick", "Tick one more name of the chatbot, or leave it out.", rank=2),
        Action("cancel", ("escape", "q"), "back", "Go back; nothing is imported.", rank=3),
    ),
    "rejections": (
        Action("scroll_down", ("j", "down", "pagedown"), "scroll", "Scroll down.", target="words"),
        Action("scroll_up", ("k", "up", "pageup"), "scroll up", "Scroll up.", target="words"),
        Action("close", ("escape", "enter", "q"), "close", "Go back to the list.", rank=1),
    ),
    "question": (
        *CHOICE_MOVES,
        Action("choose", ("enter",), "choose", "Take this answer.", rank=1),
        Action("cancel", ("escape",), "cancel", "Go back; nothing is done.", rank=2),
    ),
    "settings": (
        *CHOICE_MOVES,
        Action("choose", ("enter", "space"), "choose", "Choose what the cursor is on, and keep it.", rank=1),
        Action("cancel", ("escape", "q"), "close", "Go back; a theme that was only looked at goes.", rank=2),
    ),
    "menu": (
        *CHOICE_MOVES,
        Action("choose", ("enter",), "do it", "Do what the cursor is on.", rank=1),
        Action("cancel", ("escape", "q"), "close", "Go back.", rank=2),
    ),
    "help": (
        *aimed("lines", *LIST_MOVES),
        Action("choose", ("enter",), "do it", "Do what the line under the cursor says.", rank=1),
        Action("find", ("slash",), "filter", "Show only what is like some words.", rank=2),
        Action("marks", ("m",), "marks", "Go to what the marks and words of the screen mean.", rank=3),
        Action("close", ("escape", "question_mark", "q"), "close", "Go back.", rank=4),
    ),
    "jump": (Action("cancel", ("escape",), "cancel", "Stay where you are.", rank=1),),
}
