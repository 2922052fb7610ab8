"""Containers: files that hold others, zipped, packed or in folders; no name in one becomes a file here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.conversations.lazy_names import lazy_names

if TYPE_CHECKING:
    from turnwise.conversations.containers.archives import Archive, ArchiveContent, ZipArchive
    from turnwise.conversations.containers.contents import Content, page_named, plain_content, unreadable
    from turnwise.conversations.containers.limits import Allowance, Limits, read_limits
    from turnwise.conversations.containers.packings import packing_of
    from turnwise.conversations.containers.walking import FoundContent, LeftOut, Unopened, Walk
else:
    __getattr__ = lazy_names(
        __name__,
        archives=("Archive", "ArchiveContent", "ZipArchive"),
        contents=("Content", "page_named", "plain_content", "unreadable"),
        limits=("Allowance", "Limits", "read_limits"),
        packings=("packing_of",),
        walking=("FoundContent", "LeftOut", "Unopened", "Walk"),
    )

__all__ = [
    "Allowance",
    "Archive",
    "ArchiveContent",
    "Content",
    "FoundContent",
    "LeftOut",
    "Limits",
    "Unopened",
    "Walk",
    "ZipArchive",
    "packing_of",
    "page_named",
    "plain_content",
    "read_limits",
    "unreadable",
]
