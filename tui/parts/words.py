"""Words: what people say for numbers and times, alike on all screens."""

from __future__ import annotations

import time


def ago(then: float, now: float) -> str:
    """Return a time as people say it: "3 h ago" where it is recent, else its date."""
    seconds = now - then
    if seconds < 60:
        return "just now"
    for size, unit, limit in ((60, "min", 3_600), (3_600, "h", 86_400), (86_400, "d", 14 * 86_400)):
        if seconds < limit:
            return f"{int(seconds // size)} {unit} ago"
    date = time.localtime(then)
    if date.tm_year == time.localtime(now).tm_year:
        return time.strftime("%d %b", date)
    return time.strftime("%b %Y", date)


def moment(then: float) -> str:
    """Return a day with its time: "25 May 2026 09:10"."""
    return time.strftime("%d %b %Y %H:%M", time.localtime(then))


def exact_moment(then: float, now: float) -> str:
    """Return a time to the second, and how long ago it is where it is recent."""
    exact, told = time.strftime("%d %b %Y %H:%M:%S", time.localtime(then)), ago(then, now)
    # What is longer ago is told by its date, which would be said twice.
    return f"{told} ({exact})" if told.endswith(("now", "ago")) else exact
