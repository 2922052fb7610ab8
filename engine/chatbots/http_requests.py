"""HTTP requests from a template: how a plain HTTP chatbot is asked, as its user or a suite describes it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from turnwise.conversations.errors import FormatError, SettingError
from turnwise.conversations.files import decode_json
from turnwise.conversations.templates import Templates
from turnwise.conversations.words import did_you_mean

_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_HEAD = re.compile(r"([A-Z]+)\s+(\S+)(?:\s+HTTP/[\d.]+)?\s*$")
_ALONE = re.compile(r"\s*\{\{\s*([A-Za-z_]\w*)\s*\}\}\s*$")
_OWN = ("url", "method", "headers", "body", "response")
# What a raw request says of its own length and host is no longer true once it is filled.
_SET_ANEW = ("host", "content-length", "connection", "accept-encoding", "transfer-encoding")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpTemplate:
    """How a chatbot is asked over HTTP; texts in url, headers, query and body are templates.

    body: a text, or data that is sent as JSON; None sends none. response: how the reply is found in the
    answer, a path or an expression of JavaScript; empty takes the whole.
    """

    url: str
    method: str
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    response: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    """A request as it is sent."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes


def template_of_file(data: Any, place: str) -> HttpTemplate:
    """Return the template that a user's target file holds: url, method, headers, body and response.

    Raises FormatError where it is none.
    """
    if isinstance(data, dict) and (unknown := sorted(map(str, data.keys() - set(_OWN)))):
        near = did_you_mean(unknown[0], _OWN)
        raise _no_target(place, f"expected only {', '.join(_OWN)}; got {', '.join(unknown)}", near)
    if not isinstance(data, dict) or not isinstance(data.get("url"), str):
        raise _no_target(place, "url: expected the address of a chatbot; got none")
    try:
        return http_template({**data, "transformResponse": data.get("response")})
    except SettingError as error:
        raise _no_target(place, str(error.detail or error.title)) from None


def http_template(config: Mapping[str, Any], url: str = "") -> HttpTemplate:
    """Return the template that a provider's settings describe. Raises SettingError where there is none."""
    raw = config.get("request")
    if isinstance(raw, str) and raw.strip():
        return _raw_template(raw, config)
    address = str(config.get("url") or url)
    body = config.get("body")
    method = str(config.get("method") or ("POST" if body not in (None, "") else "GET")).upper()
    if method not in _METHODS:
        raise _wrong(f"method: expected one of {', '.join(_METHODS)}; got {method}")
    return HttpTemplate(
        url=_address(address),
        method=method,
        headers=_texts(config.get("headers"), "headers"),
        query=_texts(config.get("queryParams"), "queryParams"),
        body=body,
        response=_response(config),
    )


def filled_request(
    template: HttpTemplate, variables: Mapping[str, Any], environment: Mapping[str, str]
) -> HttpRequest:
    """Return the request for one prompt. Raises SettingError where a template cannot be filled."""
    templates = Templates(environment)
    try:
        url = templates.fill(template.url, variables)
        headers = {name: templates.fill(text, variables) for name, text in template.headers.items()}
        query = {name: templates.fill(text, variables) for name, text in template.query.items()}
        body = _filled_body(templates, template.body, variables)
    except FormatError as error:
        raise SettingError(error.title, detail=error.detail, next_step=error.next_step) from None
    for name, text in headers.items():
        if any(ord(char) < 32 or ord(char) == 127 for char in name + text):
            raise _wrong(f"headers: {name} would hold a line end or a control character")
    address = _address(url, filled=True)
    if query:
        address += ("&" if urlsplit(address).query else "?") + urlencode(query)
    content = body if isinstance(body, str) else "" if body is None else json.dumps(body, ensure_ascii=False)
    if content and not any(name.lower() == "content-type" for name in headers):
        headers["Content-Type"] = "text/plain" if isinstance(body, str) else "application/json"
    return HttpRequest(
        method=template.method, url=address, headers=headers, content=content.encode("utf-8", "replace")
    )


def _filled_body(templates: Templates, body: Any, variables: Mapping[str, Any]) -> Any:
    """Return a body with its variables; in JSON no quote in a variable can break it."""
    if not isinstance(body, str):
        return _filled_data(templates, body, variables)
    try:
        data = decode_json(body)
    except ValueError:
        pass
    else:
        if isinstance(data, dict | list):
            return json.dumps(_filled_data(templates, data, variables), ensure_ascii=False)
    if body.lstrip().startswith(("{", "[")) and not body.lstrip().startswith(("{{", "{%")):
        # Such a text is JSON once it is filled: what goes into it is written as JSON writes it.
        quoted = {name: _inside_quotes(value) for name, value in variables.items()}
        return templates.fill(body, quoted)
    return templates.fill(body, variables)


def _filled_data(templates: Templates, data: Any, variables: Mapping[str, Any]) -> Any:
    if isinstance(data, dict):
        return {key: _filled_data(templates, item, variables) for key, item in data.items()}
    if isinstance(data, list):
        return [_filled_data(templates, item, variables) for item in data]
    if not isinstance(data, str):
        return data
    alone = _ALONE.match(data)
    filled = variables.get(alone[1]) if alone else None
    if alone is None or not isinstance(filled, list | dict | int | float | bool):
        filled = templates.fill(data, variables)
    # A prompt of several messages is data, and a chatbot's body holds it as such.
    if alone and isinstance(filled, str) and filled.lstrip().startswith(("[", "{")):
        try:
            return decode_json(filled)
        except ValueError:
            return filled
    return filled


def _inside_quotes(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False)[1:-1] if isinstance(value, str) else value


def _raw_template(raw: str, config: Mapping[str, Any]) -> HttpTemplate:
    """Return the template of a request that is written out as it goes over the wire."""
    head, _, body = raw.strip().replace("\r\n", "\n").partition("\n\n")
    first, *lines = head.split("\n")
    match = _HEAD.match(first.strip())
    if match is None or match[1] not in _METHODS:
        raise _wrong(f"request: expected a first line such as POST /chat HTTP/1.1; got {first[:60]}")
    pairs = [line.partition(":") for line in lines if line.strip()]
    headers = {name.strip(): text.strip() for name, _, text in pairs}
    host = next((text for name, text in headers.items() if name.lower() == "host"), "")
    url = match[2]
    if not url.startswith(("http://", "https://")):
        if not host:
            raise _wrong("request: expected a header Host; got none")
        url = f"{'http' if config.get('useHttps') is False else 'https'}://{host}{url}"
    return HttpTemplate(
        url=_address(url),
        method=match[1],
        headers={name: text for name, text in headers.items() if name.lower() not in _SET_ANEW},
        body=body.strip() or None,
        response=_response(config),
    )


def _address(url: str, *, filled: bool = False) -> str:
    template = "{{" in url and not filled
    if not template and (urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname):
        raise _wrong(f"url: expected something like https://bot.example/chat; got {url[:80] or 'none'}")
    return url


def _texts(given: Any, name: str) -> dict[str, str]:
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise _wrong(f"{name}: expected names and texts")
    return {str(key): item if isinstance(item, str) else json.dumps(item) for key, item in given.items()}


def _response(config: Mapping[str, Any]) -> str:
    found = config.get("transformResponse") or config.get("responseParser") or ""
    if not isinstance(found, str):
        raise _wrong("transformResponse: expected a text")
    if found.startswith("file://"):
        raise _wrong("transformResponse: a file is code, which is not run; write it inline")
    return found.strip()


def _wrong(detail: str) -> SettingError:
    return SettingError("The HTTP target cannot be asked", detail=detail, next_step="Mend its settings.")


def _no_target(place: str, detail: str, next_step: str = "") -> FormatError:
    return FormatError(
        f"{place} describes no chatbot",
        detail=detail,
        next_step=next_step
        or "Write it as in {url: https://bot.example/chat, method: POST, "
        'body: {message: "{{prompt}}"}, response: json.reply}.',
    )
