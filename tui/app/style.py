"""Style: what the app as a whole adds to the styles of its widgets: toasts, and lines without colour."""

from __future__ import annotations

# A toast of one line stands in the line of keys, which gives way, so that it covers nothing. What is longer
# or went wrong stands a line above that, where no label stands, and above the line of the tour; in a talk, a
# replay and a narrow review at the top, away from what is written, from the line of events and from the
# label. Over a dialog it hides its title rather than its keys, and in a wide review it stands below the
# transcript alone, beside the label.
STYLE = """
ToastRack { margin-bottom: 1; align: left bottom; overflow-y: hidden; }
Toast { width: 100%; max-width: 100%; margin: 0; padding: 0 1; max-height: 8; background: $panel; }
Toast.-information { max-height: 3; }
Toast.-error:nocolor, Toast.-warning:nocolor { border-top: hkey ansi_default; }
Input:ansi > .input--cursor { background: ansi_default; color: ansi_default; text-style: reverse; }
Input:ansi > .input--placeholder, TextArea:ansi .text-area--placeholder { text-style: dim italic; }
Input:nocolor > .input--selection, Screen:nocolor > .screen--selection { text-style: reverse; }
Dialog ToastRack { dock: top; margin: 0; align: left top; }
ReviewScreen ToastRack { width: 60%; }
Screen.-toured ToastRack { margin-bottom: 2; }
RecordScreen ToastRack, ReplayScreen ToastRack, ReviewScreen.-narrow ToastRack {
    dock: top; align: right top; margin: 1 0 0 0;
}
ReviewScreen.-narrow ToastRack { width: 100%; }
Screen ToastRack.-in-line { dock: bottom; width: 100%; margin: 0; align: right bottom; }
ToastRack.-in-line ToastHolder { align-horizontal: right; }
ToastRack.-in-line Toast { width: auto; }
"""
