"""Every error that turnwise raises, in one tree.

    TurnwiseError
    ├── InputError                wrong use or bad input; exit code 2
    │   ├── CaseError             a test case, turn or tool call that cannot be what it says
    │   ├── FormatError           a file, or one record of it, that cannot be read
    │   │   ├── NoConversationsError  a file that is something else than conversations
    │   │   │   └── UnknownFormatError  a file in no format that is known
    │   │   └── UnknownChatbotError   several speak in it, and nobody said who the chatbot is
    │   ├── SettingError          a metric, judge or target asked for in a way that means nothing
    │   └── NotFoundError         a session, metric, file or model that is not there
    ├── StoreError                the database cannot be opened or written; exit code 3
    │   ├── StoreBusyError        another program holds it, for longer than it was waited for
    │   └── DamageError           what it holds is damaged: a session, or all of it
    └── JudgeError                a judge's answer could not be had; exit code 3
        ├── JudgeUnavailableError no judge answers at that address, or it is overloaded
        ├── JudgeRefusedError     the judge answers, and says no to this request
        │   └── JudgeUnusableError    it would say no to any request (key, credit, model, address)
        ├── MalformedReplyError   the judge answered, and the answer is not what was asked for
        └── BudgetSpentError      the money that a run may cost is spent

An error carries a title (what happened), a detail (where, what was given, what was expected) and the
next step to take, so that every surface can show the three without parsing a message.
"""

from __future__ import annotations

from typing import ClassVar


class TurnwiseError(Exception):
    """Something went wrong that a person can do something about.

    title: what happened, in one sentence without a full stop.
    detail: where and with what, possibly several lines; may be empty.
    next_step: what to do now; may be empty.
    """

    exit_code: ClassVar[int] = 3

    def __init__(self, title: str, *, detail: str = "", next_step: str = "") -> None:
        super().__init__(title)
        self.title = title
        self.detail = detail
        self.next_step = next_step

    def __str__(self) -> str:
        return "\n".join(part for part in (self.title, self.detail, self.next_step) if part)

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only arguments are lost by the default pickling of exceptions; what a kind of error has
        # beside them is kept as it is.
        return (_rebuild, (type(self), self.title, self.detail, self.next_step), self.__dict__)


def _rebuild(kind: type[TurnwiseError], title: str, detail: str, next_step: str) -> TurnwiseError:
    return kind(title, detail=detail, next_step=next_step)


class InputError(TurnwiseError):
    """Wrong use or bad input; what was asked for could not be begun."""

    exit_code = 2


class CaseError(InputError, ValueError):
    """A test case, turn or tool call that cannot be what it says it is."""


class FormatError(InputError):
    """A file, or one record of it, that cannot be read; the detail names file, place and field."""

    file: str = ""
    """Of a record that cannot be read, its file; empty where a whole file is meant."""
    where: str = ""
    """Where such a record stands in its file."""


class UnknownChatbotError(FormatError):
    """Several speak in a file, and nobody said which of them is the chatbot."""

    speakers: tuple[tuple[str, int], ...] = ()
    """Who speaks, and in how many turns, the likeliest chatbot first."""


class NoConversationsError(FormatError):
    """A file that is something else than conversations; among others it is passed over."""

    what: str = "no conversation"
    """What such a file is, in words that may follow "passed over as"."""

    @classmethod
    def of(cls, what: str, title: str, *, detail: str = "", next_step: str = "") -> NoConversationsError:
        """Return the error of a file that is `what`."""
        error = cls(title, detail=detail, next_step=next_step)
        error.what = what
        return error


class UnknownFormatError(NoConversationsError):
    """A file in no format that is known; what stands where in it can be said."""


class SettingError(InputError, ValueError):
    """A metric, judge or target asked for in a way that means nothing."""


class NotFoundError(InputError):
    """A session, metric, file or model that is not there."""


class StoreError(TurnwiseError):
    """The database cannot be opened or written."""


class StoreBusyError(StoreError):
    """Another program holds the database, for longer than it was waited for."""


class DamageError(StoreError):
    """What the database holds is damaged: a session, or all of it."""

    session: int | None = None
    """The number of the session that is meant."""


class JudgeError(TurnwiseError):
    """A judge's answer could not be had."""

    kind: ClassVar[str] = "error"
    """The word for the cause under which a failure is stored."""
    stops_run: ClassVar[bool] = False
    """Whether going on is pointless: every further question would end the same way."""

    calls: tuple[str, ...] = ()
    """The keys of the judge calls that were made and brought no answer, as evidence."""


class JudgeUnavailableError(JudgeError):
    """No judge answers at that address, or it stays overloaded."""

    kind = "unavailable"


class JudgeRefusedError(JudgeError):
    """The judge answers and says no to this request; to another it may say yes."""

    kind = "refused"


class JudgeUnusableError(JudgeRefusedError):
    """The judge would say no to any request: its key, credit, model or address is not right."""

    kind = "unusable"


class MalformedReplyError(JudgeError):
    """The judge answered, and the answer is not what was asked for."""

    kind = "malformed"

    replies: tuple[str, ...] = ()
    """What the judge wrote instead, in order."""


class BudgetSpentError(JudgeError):
    """The money that a run may cost is spent."""

    kind = "budget"
    stops_run = True
