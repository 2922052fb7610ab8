"""Tars: their files one after another, as the stream of a tar gives them."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, BinaryIO, cast

from turnwise.conversations.containers.contents import Content, KeptContent, place_in
from turnwise.conversations.containers.folders import HIDDEN, LINK, NO_FILE, is_hidden
from turnwise.conversations.containers.limits import Allowance
from turnwise.conversations.containers.packings import damaged
from turnwise.conversations.errors import FormatError

_LONGEST_HEADER = 1_000_000
"""Bytes; tarfile holds a header in memory, and a hostile one claims to be of any length."""


class _Header(tarfile.TarInfo):
    @classmethod
    def frombuf(cls, buf: Any, encoding: Any, errors: str) -> _Header:
        header = super().frombuf(buf, encoding, errors)
        if not header.isreg() and header.size > _LONGEST_HEADER:
            raise tarfile.ReadError("a header is too long")
        return header


def files_of_tar(
    content: Content, allowance: Allowance, left_out: list[tuple[str, str]]
) -> Iterator[KeptContent]:
    """Yield the files of a tar, each in a copy that is dropped by whoever closes it.

    left_out: takes the names of what is no file or a link, with the reason. Raises FormatError where the tar
    is damaged or holds too much; what came before it is whole.
    """
    try:
        with content.open() as stream, tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header) as tar:
            for member in tar:
                # A tar of a million members is not to be remembered.
                cast("Any", tar).members = []
                if member.isdir():
                    continue
                if not member.isreg():
                    left_out.append((member.name, LINK if member.issym() or member.islnk() else NO_FILE))
                    continue
                allowance.take_members(1, content.name)
                if is_hidden(member.name):
                    left_out.append((member.name, HIDDEN))
                    continue
                file = tar.extractfile(member)
                if file is not None:
                    yield _copied(cast("BinaryIO", file), member.name, content)
    except FormatError:
        raise
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise damaged(content.name, f"expected a tar; {str(error).lower()}") from None


def _copied(file: BinaryIO, name: str, content: Content) -> KeptContent:
    plain = name.removeprefix("./")
    return KeptContent(
        file,
        name=f"{content.name}/{plain}",
        short=f"{content.short}/{plain}",
        suffix=PurePosixPath(plain).suffix.lower(),
        extent=0,
        lies_at=place_in(content, plain),
    )
