"""Reaching: what a run may use beside the chatbot and the judge, as its options say."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check, Suite
from turnwise.engine.suites.key_hosts import KEY_OPTION, NamedKey, named_key

if TYPE_CHECKING:
    from turnwise.conversations.files import Fetcher
    from turnwise.conversations.formats.promptfoo import Network
    from turnwise.engine.checks.asker import Reach
    from turnwise.engine.judge.calls import CallBook
    from turnwise.engine.judge.judge import Judge

_BY_EMBEDDINGS = ("similar", "answer-relevance")
_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaching:
    """What the user allows and names. trusted: addresses that a file names may be asked.

    named_keys: variables of the environment, each with a host that it may be sent to.

    Raises SettingError where private addresses are allowed to a file that is not trusted.
    """

    embeddings: str | None = None
    trusted: bool = False
    allow_private: bool = False
    named_keys: tuple[NamedKey, ...] = ()

    def __post_init__(self) -> None:
        if self.allow_private and not self.trusted:
            raise SettingError(
                "--allow-private allows nothing by itself",
                next_step="Give --trust too, once you have read the file.",
            )

    def network(self) -> Network | None:
        """Return the yes to fetching tests from other computers; None is no."""
        if not self.trusted:
            return None
        from turnwise.conversations.formats.promptfoo import Network

        return Network(fetcher=self._fetcher(), token=os.environ.get("HF_TOKEN", ""))

    @asynccontextmanager
    async def open(
        self, suites: Sequence[Suite], judge: Judge | None, book: CallBook
    ) -> AsyncIterator[Reach]:
        """Give what the checks of these suites may use. Raises what open_embedder raises."""
        from turnwise.engine.checks.asker import Reach

        fetcher = self._fetcher() if self.trusted else None
        checks = (check for suite in suites for case in suite.cases for check in case.checks)
        if self.embeddings is None or not any(map(_by_embeddings, checks)):
            yield Reach(fetcher=fetcher)
            return
        from turnwise.engine.judge.embeddings import open_embedder

        async with open_embedder(self.embeddings, judge, book) as embedder:
            yield Reach(embedder=embedder, fetcher=fetcher)

    def _fetcher(self) -> Fetcher:
        # It brings TLS with it, which few runs need.
        from turnwise.conversations.files import Fetcher

        return Fetcher(private=self.allow_private)


def _by_embeddings(check: Check) -> bool:
    return check.type.partition(":")[0] in _BY_EMBEDDINGS or any(map(_by_embeddings, check.children))


def reaching_options(function: _F) -> _F:
    """Add the options that say what a run may use; the command takes them with --trust, as `reaching`."""

    # What was added to the function already goes along.
    @wraps(function)
    def command(
        *given: Any, embeddings: str | None, allow_private: bool, send_keys: tuple[str, ...], **options: Any
    ) -> Any:
        reaching = Reaching(
            embeddings=embeddings,
            trusted=bool(options["trust"]),
            allow_private=allow_private,
            named_keys=tuple(map(named_key, send_keys)),
        )
        return function(*given, reaching=reaching, **options)

    wrapped: Any = command
    embeddings_help = (
        "What compares texts, for similar and answer-relevance: a model of the judge's server, or URL#MODEL."
    )
    key_help = "A variable of the environment that FILE may have sent to HOST; may be given several times."
    wrapped = click.option(KEY_OPTION, "send_keys", metavar="NAME=HOST", multiple=True, help=key_help)(
        wrapped
    )
    private_help = "With --trust: addresses in FILE may be of this machine and of local networks."
    wrapped = click.option("--allow-private", is_flag=True, help=private_help)(wrapped)
    option: _F = click.option("--embeddings", metavar="MODEL", help=embeddings_help)(wrapped)
    return option
