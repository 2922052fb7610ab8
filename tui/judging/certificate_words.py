"""Certificates in words: what a trial found about a judge, as lines, and as one short line beside its
name.
"""

from __future__ import annotations

from datetime import datetime

from turnwise.conversations.store import KeptCertificate
from turnwise.conversations.words import counted
from turnwise.engine.certifying.certificate import BIASES, NO_BIAS, JudgeCertificate
from turnwise.engine.certifying.trial import MOST_CALLS


def day_of(seconds: float) -> str:
    """Return the day of a moment, here and now."""
    return datetime.fromtimestamp(seconds).astimezone().strftime("%d %b %Y")


def certificate_lines(found: JudgeCertificate) -> list[str]:
    """Return a certificate as lines: who was tried, what was found, and the figures behind it."""
    models = ", ".join(found.answered_as) or "nobody"
    lines = [f"Trial of {found.judge}, {day_of(found.made_at)}: {found.replies} replies, {found.calls} calls"]
    lines.append(f"Answered as: {models}")
    if found.own_samples:
        lines.append(
            "! Too few sessions with a short reply: replies of turnwise's own samples were tried as well."
        )
    if found.stopped:
        lines.append(f"! It was ended early, after {found.calls} of at most {MOST_CALLS} calls.")
    lines.append("")
    if not found.biases:
        lines.append("No bias found.")
    for one in found.biases:
        lines.append(f"✗ The judge {BIASES[one.key]} ({one.showed} of {one.probes}, by {one.move:+.2f}).")
    return lines


def figure_rows(found: JudgeCertificate) -> list[list[str]]:
    """Return the figures as rows of a table: what, the share, its interval, of how many."""
    rows = [["", "share", "95 % interval", "of"]]
    for one in found.figures:
        if one.whole:
            interval = f"{one.low * 100:.0f} to {one.high * 100:.0f} %"
            rows.append([one.name, f"{one.part / one.whole * 100:.0f} %", interval, str(one.whole)])
    return rows


def certificate_line(kept: KeptCertificate) -> str:
    """Say in one line how a judge's last trial came out, and whether another model answers since."""
    verdict = JudgeCertificate.from_data(kept.data).verdict()
    return f"tried {day_of(kept.made_at)}: {verdict}{other_model_words(kept)}"


def trial_in_title(kept: KeptCertificate) -> str:
    """Say in the few words that a title has room for how a judge's last trial came out."""
    found = JudgeCertificate.from_data(kept.data)
    if kept.other_model:
        return "another model than was tried"
    if found.biases:
        return f"tried: {counted(len(found.biases), 'bias', 'biases')}"
    return "tried in part" if found.stopped else f"tried: {NO_BIAS}"


def other_model_words(kept: KeptCertificate) -> str:
    """Say that another model answers than was tried; empty where it is the same."""
    return f"; since then {kept.other_model} answers in its place" if kept.other_model else ""
