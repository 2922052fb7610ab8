"""Variables: the combinations that lists stand for, the files they name, the other variables they use."""

from __future__ import annotations

import base64
import itertools
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import (
    SCHEME,
    CodeRunner,
    Folder,
    decode_json,
    is_code,
    is_pattern,
    is_python,
    load_yaml,
    problem,
    read_text,
    script_of,
)
from turnwise.conversations.templates import LONGEST_TEXT, Templates, json_text, stays_as_written, string_of

_REFERENCE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_ENVIRONMENT = re.compile(r"\{\{\s*env\.\w+\s*\}\}")
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
# Bounded, as a text of openings would be read to its end from each of them.
_NAMED = re.compile(
    r"\{\{\s*([^{}\s|]{1,500})\s*(?:\|[^}]{1,2000})?\}\}"
    r"|\{%\s*(?:if|for)\s+([^{}\s]{1,500})\s*.{0,1000}?%\}",
    re.ASCII,
)
_LOOP = re.compile(r"\{%\s*for\s+(\w+)\s+in\s+(\w+)\s*%\}", re.ASCII)
_ROOT = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_JSON_STARTS = tuple('{["-0123456789')
_DOLLAR = re.compile(r"\$([$&`'])")
_DATA = r"data:[\w.+/-]{1,100};base64,"
_DATA_TWICE = re.compile(f"{_DATA}(?={_DATA})", re.ASCII)
_PASSES = 5
_MOST_COMBINATIONS = 100_000
_IMAGES = {
    "jpg": "jpeg",
    "jpeg": "jpeg",
    "png": "png",
    "gif": "gif",
    "bmp": "bmp",
    "webp": "webp",
    "svg": "svg+xml",
}
_RECORDINGS = frozenset(
    (
        "mp4",
        "webm",
        "ogg",
        "mov",
        "avi",
        "wmv",
        "mkv",
        "m4v",
        "mp3",
        "wav",
        "flac",
        "aac",
        "m4a",
        "opus",
    )
)


def combinations(
    variables: Mapping[str, Any], folder: Folder, place: str, *, expand: bool
) -> Iterator[dict[str, Any]]:
    """Yield the variables of every row: a list whose first item is text stands for one row an item.

    The last variable changes fastest. A pattern of files stands for one row a file.
    Raises FormatError where a pattern matches nothing, or the rows are too many.
    """
    choices = [_choices(name, value, folder, place, expand=expand) for name, value in variables.items()]
    total = 1
    for choice in choices:
        total *= len(choice)
        if total > _MOST_COMBINATIONS:
            raise problem(place, f"vars: the lists stand for more than {_MOST_COMBINATIONS:,} rows", "")
    for values in itertools.product(*choices):
        yield dict(zip(variables, values, strict=True))


def filled_variables(
    variables: Mapping[str, Any],
    folder: Folder,
    place: str,
    templates: Templates,
    code: CodeRunner,
    prompt: str = "",
) -> dict[str, Any]:
    """Return variables as templates see them: files read, other variables put in, the last line end cut.

    `{{env.NAME}}` in a variable is filled; other templates in it stay as they are written. code: who runs the
    scripts that variables name; prompt: what those are told they are for.

    Raises FormatError for a file that cannot be read, and for one that is code and may not run.
    """
    filled = dict(variables)
    for name, value in variables.items():
        here = f"{place}, vars.{name}"
        if _is_file(value) and is_code(value):
            filled[name] = _computed(name, value, folder, here, code, prompt, filled)
        elif _is_file(value):
            filled[name] = _content(value, folder, here)
    for name, value in filled.items():
        if not isinstance(value, str):
            continue
        if "env." in value and _is_text_of_test(variables[name]):
            value = _ENVIRONMENT.sub(lambda found: templates.fill(found[0], {}), value)
        filled[name] = value[:-1] if value.endswith("\n") else value
    for _ in range(_PASSES):
        if not _resolve_once(filled):
            break
    return filled


def has_code(variables: Mapping[str, Any]) -> bool:
    """Whether a variable is made by a script."""
    return any(_is_file(value) and is_code(value) for value in variables.values())


def fill_prompt(templates: Templates, raw: str, variables: Mapping[str, Any], *, compat: bool = False) -> str:
    """Return a prompt with its variables in it.

    In a prompt that is JSON every text is filled by itself, so that no quote in a variable can break it.
    In any other, a variable that holds a template is filled first, if the names in it are known.
    An image is a data address, so that the beginning of one before it is left out. compat: it is not.
    Raises FormatError where it, or such a variable, is no template.
    """
    filled = _filled_prompt(templates, raw, variables)
    return filled if compat else _DATA_TWICE.sub("", filled)


def _filled_prompt(templates: Templates, raw: str, variables: Mapping[str, Any]) -> str:
    if raw.lstrip()[:1] in _JSON_STARTS or raw.strip() in ("true", "false", "null"):
        with suppress(ValueError, FormatError):
            return json_text(templates.fill_in(decode_json(raw), variables), 2)
    if stays_as_written(raw):
        return raw
    held = {name: _filled(templates, value, variables) for name, value in variables.items()}
    return templates.fill(raw, held)


def _filled(templates: Templates, value: Any, variables: Mapping[str, Any]) -> Any:
    if not isinstance(value, str) or "{" not in value or stays_as_written(value):
        return value
    return value if _names_unknown(value, variables) else templates.fill(value, variables)


def _names_unknown(template: str, variables: Mapping[str, Any]) -> bool:
    """Whether a template names an unknown variable, judged as promptfoo judges it: by a plain pattern."""
    last = template.rfind("#}") + 2
    bare = _COMMENT.sub("", template[:last]) + template[last:] if last > 1 else template
    names = {found[1] or found[2] for found in _NAMED.finditer(bare)}
    for found in _LOOP.finditer(bare):
        names.discard(found[1])
        names.add(found[2])
    roots = (_ROOT.match(name) for name in names)
    return any(root and root[0] != "env" and root[0] not in variables for root in roots)


def _choices(name: str, value: Any, folder: Folder, place: str, *, expand: bool) -> list[Any]:
    if isinstance(value, str) and value.startswith(SCHEME) and is_pattern(value) and expand:
        files = folder.matching(value, f"{place}, vars.{name}")
        if not files:
            raise problem(f"{place}, vars.{name}", f"no file matches {value}", "Correct the pattern.")
        return [f"{SCHEME}{_relative(file, folder)}" for file in files]
    if _is_file(value):
        return [f"{SCHEME}{value.removeprefix(SCHEME).removeprefix('./')}"]
    return value if expand and isinstance(value, list) and value and isinstance(value[0], str) else [value]


def _relative(file: Any, folder: Folder) -> str:
    return str(file.relative_to(folder.path)) if file.is_relative_to(folder.path) else str(file)


def _is_text_of_test(value: Any) -> bool:
    # A file may come from anywhere, so it is not asked for the secrets of the system.
    return isinstance(value, str) and not value.startswith(SCHEME)


def _is_file(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(SCHEME)


def _computed(
    name: str,
    value: str,
    folder: Folder,
    place: str,
    code: CodeRunner,
    prompt: str,
    variables: Mapping[str, Any],
) -> Any:
    """Return what a script makes of a variable: the output of the object that it gives."""
    script, function = script_of(value, folder, place)
    made = code.call(script, function, ("get_var",), [name, prompt, dict(variables)], place)
    if isinstance(made, dict) and made.get("error"):
        raise problem(place, f"{script.name}: {made['error']}", "Mend the script.")
    if not isinstance(made, dict) or made.get("output") in (None, ""):
        raise problem(place, f"{script.name}: expected an object with output", "Mend the script.")
    output = made["output"]
    return output.strip() if is_python(script) and isinstance(output, str) else output


def _content(name: str, folder: Folder, place: str) -> str:
    path = folder.file(name, place)
    kind = path.suffix.lower().removeprefix(".")
    if kind in ("yaml", "yml"):
        try:
            return json_text(load_yaml(read_text(path, place)))
        except ValueError as error:
            raise problem(place, f"{path.name}: {error}", "") from None
    if kind == "pdf":
        return _pdf_text(path, place)
    if kind in _IMAGES or kind in _RECORDINGS:
        try:
            data = base64.b64encode(path.read_bytes()).decode()
        except OSError as error:
            raise problem(place, f"{path.name} cannot be read: {error.strerror or error}", "") from None
        return f"data:image/{_IMAGES[kind]};base64,{data}" if kind in _IMAGES else data
    return read_text(path, place).strip()


def _pdf_text(path: Path, place: str) -> str:
    try:
        # Documents are rare, and their reader is an extra.
        import pypdf
    except ImportError:
        words = "reading a PDF needs pypdf"
        raise problem(place, words, "Install turnwise[pdf], or save its text as a .txt file.") from None
    try:
        pages = pypdf.PdfReader(path).pages
        return "\n\n".join(page.extract_text() for page in pages).strip()
    except Exception as error:
        # A damaged document ends in whatever the reader's parts stumble over.
        raise problem(place, f"expected a PDF; {path.name}: {error}", "Save it again.") from None


def _resolve_once(variables: dict[str, Any]) -> bool:
    changed = False
    for name, value in variables.items():
        found = _REFERENCE.search(value) if isinstance(value, str) and "{{" in value else None
        if found and found[1] in variables:
            put = _as_replacement(string_of(variables[found[1]]), value, found)
            replaced = value[: found.start()] + put + value[found.end() :]
            if len(replaced) <= LONGEST_TEXT:
                variables[name] = replaced
                changed = True
    return changed


def _as_replacement(text: str, value: str, found: re.Match[str]) -> str:
    """Return what JavaScript's replace puts in for a text: `$&` and the like mean parts of the replaced
    text.
    """
    parts = {"$": "$", "&": found[0], "`": value[: found.start()], "'": value[found.end() :]}
    return _DOLLAR.sub(lambda sign: parts[sign[1]], text) if "$" in text else text
