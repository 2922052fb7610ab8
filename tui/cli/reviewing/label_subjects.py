"""What a label is about, as somebody types it: the turn that fails, and the metric or criterion."""

from __future__ import annotations

from itertools import dropwhile

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import Store
from turnwise.engine.people.labelling import failing_turn
from turnwise.tui.cli.output import narrate


def labelled_turn(store: Store, session: int, turn: int | None, *, fails_whole: bool) -> int | None:
    """Return the turn that a label names; None where it names none. Raises NotFoundError for one not there.

    fails_whole: the label fails the conversation, so that of a user's turn it is the reply that follows:
    the chatbot is what is judged. That is told.
    """
    spoken = store.sessions.get(session).turns
    if turn is None:
        return None
    if turn > spoken:
        raise NotFoundError(
            f"Session {session} has no turn {turn}", next_step=f"Its last one is turn {spoken}."
        )
    if not fails_whole:
        return turn
    following = dropwhile(lambda row: row.number != turn, store.turns.of(session))
    meant = failing_turn(next(following), following) or turn
    if meant != turn:
        narrate(
            f"Turn {turn} is the user's: the reply that follows, turn {meant}, is put down as the failure."
        )
    return meant


def labelled_metric(store: Store, text: str) -> str:
    """Return the metric that a label is about; empty for the whole conversation. Tells of one that is new.

    Raises NotFoundError where the name is a slip of one that is known, SettingError for wrong settings.
    """
    name, known = _metric(store, text)
    if not known:
        narrate(f"There is no metric {name} yet; the label waits for a criterion of that name.")
    return name


def metric_with_labels(store: Store, text: str) -> str:
    """Return the metric that existing labels are about; empty for whole conversations.

    Raises NotFoundError for one that neither metrics nor labels know, else what `labelled_metric` raises.
    """
    name, known = _metric(store, text)
    if known or any(row.metric == name for row in store.judgements.opinions(name)):
        return name
    raise NotFoundError(
        f"There is no metric {name}, and no label is about it",
        next_step="`turnwise metrics` lists metrics, and `turnwise criteria` your own.",
    )


def _metric(store: Store, text: str) -> tuple[str, bool]:
    if not (wanted := text.strip()):
        return "", True
    from turnwise.engine.metrics.metric_names import metric_to_label  # 30 ms that most labels do without

    return metric_to_label(store, wanted)
