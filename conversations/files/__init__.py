"""Files that name other files: folders and their borders, addresses that are fetched, YAML with places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.conversations.lazy_names import lazy_names

if TYPE_CHECKING:
    from turnwise.conversations.files.code import (
        JAVASCRIPT,
        TYPESCRIPT,
        CodeRunner,
        NoCode,
        is_python,
        script_of,
    )
    from turnwise.conversations.files.fetching import Fetcher, addresses_of, is_public
    from turnwise.conversations.files.file_search import FileSearch
    from turnwise.conversations.files.folders import (
        SCHEME,
        Folder,
        holds_home,
        is_code,
        is_device,
        is_pattern,
        kind_of,
        located,
        no_code_here,
        problem,
        read_text,
        without_place,
    )
    from turnwise.conversations.files.git_files import GitFiles
    from turnwise.conversations.files.json_stream import (
        json_beginning,
        json_items,
        json_members,
        split_json,
        stream_json,
    )
    from turnwise.conversations.files.json_text import decode_json
    from turnwise.conversations.files.sheets import Sheet, read_sheet
    from turnwise.conversations.files.writing import whole_file
    from turnwise.conversations.files.yaml_text import load_yaml, yaml_scalar
else:
    __getattr__ = lazy_names(
        __name__,
        code=("CodeRunner", "JAVASCRIPT", "NoCode", "TYPESCRIPT", "is_python", "script_of"),
        fetching=("Fetcher", "addresses_of", "is_public"),
        file_search=("FileSearch",),
        folders=(
            "Folder",
            "SCHEME",
            "holds_home",
            "is_code",
            "is_device",
            "is_pattern",
            "kind_of",
            "located",
            "no_code_here",
            "problem",
            "read_text",
            "without_place",
        ),
        git_files=("GitFiles",),
        json_stream=("json_beginning", "json_items", "json_members", "split_json", "stream_json"),
        json_text=("decode_json",),
        sheets=("Sheet", "read_sheet"),
        writing=("whole_file",),
        yaml_text=("load_yaml", "yaml_scalar"),
    )

__all__ = [
    "JAVASCRIPT",
    "SCHEME",
    "TYPESCRIPT",
    "CodeRunner",
    "Fetcher",
    "FileSearch",
    "Folder",
    "GitFiles",
    "NoCode",
    "Sheet",
    "addresses_of",
    "decode_json",
    "holds_home",
    "is_code",
    "is_device",
    "is_pattern",
    "is_public",
    "is_python",
    "json_beginning",
    "json_items",
    "json_members",
    "kind_of",
    "load_yaml",
    "located",
    "no_code_here",
    "problem",
    "read_sheet",
    "read_text",
    "script_of",
    "split_json",
    "stream_json",
    "whole_file",
    "without_place",
    "yaml_scalar",
]
