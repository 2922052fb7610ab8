"""The provider `anthropic`: Anthropic's Messages API, over its own SDK (the extra `anthropic`).

Rules and transcript are marked for the prompt cache, and what the model thinks is kept beside its reply and
never read as one. The API takes no temperature and no seed.

A schema is a part of what the cache is found by, so that two questions about one transcript with two schemas
would both pay for it in full. Where a transcript is shared, the schema is therefore asked for in words, and
enforced as a structured output when the reply was not what was asked for; elsewhere it is enforced at once.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from turnwise.conversations.errors import SettingError
from turnwise.engine.models.connections import fault_of_transport, http_client, time_out
from turnwise.engine.models.faults import Fault, fault_of_answer, without_keys
from turnwise.engine.models.provider import (
    NO_KEY,
    ByLoop,
    Choosing,
    Means,
    ModelReply,
    ModelRequest,
    missing_package,
    schema_in_words,
)
from turnwise.engine.models.reply_fields import mapping_field, text_field, token_counts
from turnwise.engine.models.settings import ModelSettings, base_url_of
from turnwise.engine.models.streams import NATURAL_ENDS, EndedEarly, ReplyPiece, ToolCallPiece
from turnwise.engine.models.timing import timing

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import Message

ANTHROPIC_URL = "https://api.anthropic.com"
KEY_VARIABLE = "ANTHROPIC_API_KEY"
AT_ONCE = 16
MAX_TOKENS = 8192
"""The most tokens of a reply and its thinking, where the request says nothing; the API needs a number."""
_FEWER_TOKENS = 4096
"""The most tokens that every model of the API can write."""
LEAST_CACHED = 4000
"""The shortest transcript that the API keeps in its cache: about 1,000 tokens, here in characters."""
_CACHED_SECONDS = 240.0
"""How long the API surely keeps a text after it was last used, in seconds; it promises five minutes."""
_CACHED = {"cache_control": {"type": "ephemeral"}}
_REFUSING = frozenset({400, 404, 422})
_SCHEMA_BLAMED = re.compile(r"output[_ ](config|format)|structured|schema|grammar", re.IGNORECASE)
_TOO_LONG = re.compile(r"prompt is too long|exceeds? the maximum", re.IGNORECASE)
_FINISH = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}
_STATUS_OF_EVENT = {"overloaded_error": 529, "rate_limit_error": 429, "timeout_error": 504, "api_error": 500}
"""The statuses of errors in the middle of a stream, which have none of their own."""
_OWN_OPTIONS = frozenset(
    {"stop_sequences", "thinking", "output_config", "metadata", "service_tier", "cache_control", "speed"}
)
"""The options that are sent as they are: the Messages API has them by these names."""
_ENFORCED = frozenset({"type", "properties", "required", "enum", "const", "items", "anyOf", "description"})
"""The parts of a JSON schema that a structured output enforces; the rest is said in words."""


async def choose(name: str, choosing: Choosing) -> ModelSettings:
    """Return a model of Anthropic's API. Raises SettingError for what is no name."""
    noun, variables = choosing.noun, choosing.environment
    if not name.strip() or any(char.isspace() for char in name):
        raise SettingError(
            f"That names no {noun}", detail=f"given {name!r}, expected a model's name, as in anthropic:MODEL"
        )
    base_url = base_url_of(variables.get("ANTHROPIC_BASE_URL"), noun, ("/messages", "/v1"), root="")
    return ModelSettings(
        provider="anthropic",
        base_url=base_url or ANTHROPIC_URL,
        model=name,
        api_key=variables.get(KEY_VARIABLE) or NO_KEY,
        concurrency=AT_ONCE,
        noun=noun,
    )


def spec(settings: ModelSettings) -> str | None:
    """Return anthropic:MODEL; key and address stand in the environment."""
    return f"anthropic:{settings.model}"


def open_provider(settings: ModelSettings, means: Means) -> AnthropicMessages:
    """Return what asks the model; nothing is sent yet, and the SDK is not loaded yet."""
    return AnthropicMessages(settings)


@dataclass(slots=True)
class _Client:
    """A client of one event loop.

    kept: until when the API surely keeps a text, by the text. leading: the locks of texts that are on their
    way there for the first time.
    """

    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    sdk: AsyncAnthropic | None = None
    kept: dict[str, float] = field(default_factory=dict)
    leading: dict[str, asyncio.Lock] = field(default_factory=dict)

    @asynccontextmanager
    async def after_first(self, request: ModelRequest) -> AsyncIterator[None]:
        """Let one call about a transcript go ahead; others begin when it has its reply, and find it kept.

        Sent side by side, all of them would pay for the transcript in full.
        """
        # What stands before the transcript is found with it, or not at all.
        text = f"{request.messages[0]['content']}\n{request.shared}" if request.messages else ""
        if len(request.shared) >= LEAST_CACHED and not self._is_kept(text):
            async with self.leading.setdefault(text, asyncio.Lock()):
                if not self._is_kept(text):
                    yield
                    self._keep(text)
                    return
        yield
        if text in self.kept:
            self._keep(text)

    def _is_kept(self, text: str) -> bool:
        return self.kept.get(text, 0.0) > time.monotonic()

    def _keep(self, text: str) -> None:
        now = time.monotonic()
        self.kept[text] = now + _CACHED_SECONDS
        for other in [one for one, until in self.kept.items() if until <= now]:
            del self.kept[other]
        for other in [one for one, lock in self.leading.items() if one != text and not lock.locked()]:
            del self.leading[other]


class AnthropicMessages:
    """A model behind Anthropic's Messages API; see Provider."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._clients = ByLoop(_Client)
        self._structured = settings.style in ("auto", "schema")
        self._max_tokens = MAX_TOKENS

    async def load(self) -> None:
        """Import what makes the client. Raises SettingError."""
        if "anthropic" not in sys.modules:
            # Importing it takes half a second; in a thread, the screen goes on answering keys.
            try:
                await asyncio.to_thread(__import__, "anthropic")
            except ImportError:
                raise missing_package("anthropic", "anthropic") from None

    async def open(self) -> None:
        """Make the client of the running event loop; nothing is sent yet. Raises SettingError."""
        await self._sdk()

    async def _sdk(self) -> AsyncAnthropic:
        client = self._clients.here()
        async with client.opening:
            if client.sdk is None:
                await self.load()
                client.sdk = _client(self._settings)
            return client.sdk

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Return the reply to a request; see the module for how its schema is asked for."""
        sdk = await self._sdk()
        # What came in words and was not what was asked for is not asked for in words again.
        enforced = not request.shared or bool(request.addendum) or self._settings.style == "schema"
        while True:
            structured, most = self._structured and enforced, self._max_tokens
            body = request_body(self._settings.model, request, structured=structured, max_tokens=most)
            try:
                async with self._clients.here().after_first(request):
                    with timing() as taken:
                        message = await self._sent(sdk, body, request.headers)
                        seconds = taken.seconds
            except Fault as fault:
                if not self._concede(fault, request, structured=structured, max_tokens=most):
                    raise
                continue
            return replace(_reply(message), request=body, seconds=seconds)

    async def _sent(
        self, sdk: AsyncAnthropic, body: Mapping[str, Any], headers: Mapping[str, str]
    ) -> Message:
        with self._faults():
            async with asyncio.timeout(self._settings.timeout):
                message: Message = await sdk.messages.create(**body, extra_headers=dict(headers))
                return message

    def _concede(self, fault: Fault, request: ModelRequest, *, structured: bool, max_tokens: int) -> bool:
        """Ask for less from now on, where the refusal blames what can be left out; say whether it can."""
        if fault.status not in _REFUSING:
            return False
        if structured and request.schema is not None and _SCHEMA_BLAMED.search(fault.message):
            self._structured = self._structured and self._settings.style != "auto"
            return not self._structured
        if max_tokens > _FEWER_TOKENS and request.max_tokens is None and "max_tokens" in fault.message:
            self._max_tokens = _FEWER_TOKENS
            return True
        return False

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ReplyPiece]:
        """Yield the text of a reply as it comes; what the model thinks is passed over."""
        sdk = await self._sdk()
        body = request_body(self._settings.model, request, structured=False, max_tokens=self._max_tokens)
        finished = None
        with self._faults():
            events = await sdk.messages.create(**body, stream=True, extra_headers=dict(request.headers))
            async with events:
                async for event in events:
                    if (piece := _piece(event)) is not None:
                        yield piece
                    elif event.type == "message_delta":
                        finished = event.delta.stop_reason or finished
        if finished is None:
            raise Fault("it ended in the middle", kind="broke off")
        reason = _FINISH.get(str(finished), str(finished))
        if reason not in NATURAL_ENDS:
            yield EndedEarly(reason)

    async def look_up(self, path: str, body: Mapping[str, Any]) -> str:
        """Raise the Fault of an API that has nothing beside replies."""
        raise Fault("the Messages API has no such thing", status=501)

    async def leave(self) -> None:
        """Close the connections of the running event loop."""
        client = self._clients.here()
        sdk, client.sdk = client.sdk, None
        if sdk is not None:
            await sdk.close()

    async def close(self) -> None:
        """Close the connections of the running event loop."""
        await self.leave()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Turn whatever the SDK raises into a Fault."""
        import anthropic  # loaded with the client

        seconds, key = self._settings.timeout, self._settings.api_key
        try:
            yield
        except anthropic.APIStatusError as error:
            status = error.status_code
            if status < 400:
                status = _STATUS_OF_EVENT.get(str(error.type), 500)
            raise _refused(status, error.body or error.message, error.response.headers, key) from None
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
            page = getattr(error, "doc", "").lstrip().startswith("<")
            raise Fault(f"the answer is {'a web page' if page else 'no JSON'}", passing=not page) from None
        except Exception as error:
            if fault := fault_of_transport(error, seconds, key):
                raise fault from None
            if isinstance(error, anthropic.AnthropicError):
                raise Fault(without_keys(str(error), key), passing=False) from None
            raise


def _piece(event: Any) -> ReplyPiece | None:
    """Return the text, or the part of a tool call, that an event of a stream brings."""
    if event.type == "content_block_start" and event.content_block.type == "tool_use":
        return ToolCallPiece(event.index, event.content_block.id, event.content_block.name, "")
    if event.type != "content_block_delta":
        return None
    if event.delta.type == "input_json_delta":
        return ToolCallPiece(event.index, "", "", event.delta.partial_json)
    return str(event.delta.text) if event.delta.type == "text_delta" else None


def _client(settings: ModelSettings) -> AsyncAnthropic:
    import anthropic

    return anthropic.AsyncAnthropic(
        base_url=settings.base_url,
        api_key=settings.api_key,
        max_retries=0,
        timeout=time_out(anthropic, settings.timeout),
        # Conversations go to the model and nowhere else.
        open_telemetry=False,
        http_client=http_client(anthropic, settings.base_url, settings.timeout),
    )


def _refused(status: int, body: Any, headers: Mapping[str, str], key: str) -> Fault:
    fault = fault_of_answer(status, body, headers, key, time.time())
    error = body.get("error") if isinstance(body, Mapping) else None
    kind = str(error.get("type") or "") if isinstance(error, Mapping) else ""
    if kind == "billing_error" or status == 402 or "credit balance" in fault.message:
        fault.code = "insufficient_quota"
    elif status == 413 or _TOO_LONG.search(fault.message):
        fault.code = "context_length_exceeded"
    elif status == 404:
        fault.next_step = "Check the model's name; Anthropic's documentation lists those there are."
    return fault


def _reply(message: Message) -> ModelReply:
    """Return what a message holds: its text alone is the reply."""
    import anthropic

    if not isinstance(message, anthropic.types.Message) or not isinstance(message.content, list):
        raise Fault("the answer is no message", passing=False)
    odd: list[str] = []
    # The SDK takes what comes as it comes, also where it is nothing that the API has.
    blocks: list[tuple[Any, Any]] = [(getattr(block, "type", None), block) for block in message.content]
    text = "".join(text_field(block.text, "text", odd) for kind, block in blocks if kind == "text")
    tools = [_tool_call(block.id, block.name, block.input) for kind, block in blocks if kind == "tool_use"]
    thinking = [text_field(block.thinking, "thinking", odd) for kind, block in blocks if kind == "thinking"]
    stopped = text_field(message.stop_reason, "stop_reason", odd)
    told: dict[str, Any] = {"role": "assistant", "content": text}
    if tools:
        told["tool_calls"] = tools
    if thinking:
        told["thinking"] = thinking
    declined = ""
    if stopped == "refusal":
        why = text_field(getattr(message.stop_details, "explanation", None), "explanation", odd)
        declined = why or text or "stopped by a safety filter"
    return ModelReply(
        text=text,
        model=text_field(message.model, "model", odd),
        finish_reason=_FINISH.get(stopped, stopped) or None,
        usage=_usage(message.usage, odd),
        declined=declined,
        odd=tuple(odd),
        message=told,
    )


def _tool_call(call: str, name: str, arguments: object) -> dict[str, Any]:
    """Return a use of a tool as the Chat Completions API writes it."""
    return {"id": call, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def _usage(usage: object, odd: list[str]) -> dict[str, int]:
    """Return the tokens that were counted, as the Chat Completions API counts them: cached ones within."""
    if usage is None:
        return {}
    names = {
        "prompt_tokens": "input_tokens",
        "completion_tokens": "output_tokens",
        "cached_tokens": "cache_read_input_tokens",
        "cache_write_tokens": "cache_creation_input_tokens",
    }
    told = mapping_field(getattr(usage, "__dict__", usage), "usage", odd)
    counted = token_counts({ours: told.get(name) for ours, name in names.items()}, odd)
    counts = {name: counted.get(name, 0) for name in names}
    return counts | {"prompt_tokens": sum(counts.values()) - counts["completion_tokens"]}


def request_body(model: str, request: ModelRequest, *, structured: bool, max_tokens: int) -> dict[str, Any]:
    """Return the body of a request for a message.

    structured: whether a schema is enforced by the API, and not asked for in words. max_tokens: where the
    request says nothing. Raises Fault for a message or an option that the API does not take.
    """
    in_words = schema_in_words(request.schema) if request.schema is not None and not structured else ""
    system, messages = _messages(request.messages_with(in_words), request.shared)
    body: dict[str, Any] = {
        "model": model,
        "max_tokens": max_tokens if request.max_tokens is None else request.max_tokens,
        "messages": messages,
    }
    if system:
        body["system"] = [*system[:-1], {**system[-1], **_CACHED}]
    if request.schema is not None and structured:
        body["output_config"] = {"format": {"type": "json_schema", "schema": enforced_schema(request.schema)}}
    for name, value in request.options.items():
        body |= _option(name, value)
    return body


def _messages(
    messages: Sequence[Mapping[str, Any]], shared: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return system text and messages apart, what is worth keeping marked for the prompt cache.

    That is the text that the last message shares with others, and in a talk all that was said so far.
    """
    system: list[dict[str, Any]] = []
    turns: list[dict[str, Any]] = []
    for message in messages:
        role, blocks = message["role"], _blocks(message.get("content"))
        if role in ("system", "developer"):
            system += blocks
        elif role in ("user", "assistant"):
            turns.append({"role": role, "content": blocks})
        else:
            told = f"the Messages API takes no message of the role {role!r}"
            raise Fault(told, passing=False, kind="refused")
    if turns:
        last = turns[-1]["content"]
        if shared and last and last[0].get("text", "").startswith(shared):
            rest = last[0]["text"][len(shared) :].lstrip("\n")
            after = [{"type": "text", "text": rest}] if rest else []
            turns[-1]["content"] = [{"type": "text", "text": shared, **_CACHED}, *after, *last[1:]]
        elif not shared and last and any(turn["role"] == "assistant" for turn in turns):
            turns[-1]["content"] = [*last[:-1], {**last[-1], **_CACHED}]
    return system, turns


def _blocks(content: Any) -> list[dict[str, Any]]:
    if not isinstance(content, list):
        return [{"type": "text", "text": str(content)}] if content else []
    return [_image(part) if "image_url" in part else dict(part) for part in content if part.get("text") != ""]


def _image(part: Mapping[str, Any]) -> dict[str, Any]:
    url = part["image_url"]["url"]
    if not url.startswith("data:"):
        return {"type": "image", "source": {"type": "url", "url": url}}
    kind, _, data = url.removeprefix("data:").partition(";base64,")
    return {"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}}


def enforced_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a JSON schema that a structured output enforces, the rest in its descriptions."""
    kinds = schema.get("type")
    if isinstance(kinds, list | tuple) and "enum" not in schema:
        return {"anyOf": [enforced_schema({**schema, "type": kind}) for kind in kinds]}
    kept: dict[str, Any] = {name: value for name, value in schema.items() if name in _ENFORCED}
    if "properties" in kept:
        kept["properties"] = {name: enforced_schema(inner) for name, inner in kept["properties"].items()}
    if "items" in kept:
        kept["items"] = enforced_schema(kept["items"])
    if "anyOf" in kept:
        kept["anyOf"] = [enforced_schema(inner) for inner in kept["anyOf"]]
    if kept.get("type") == "object" or "properties" in kept:
        kept["additionalProperties"] = False
    said = {name: value for name, value in schema.items() if name not in (*_ENFORCED, "additionalProperties")}
    if said:
        words = ", ".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in said.items())
        kept["description"] = "\n\n".join(filter(None, (kept.get("description"), f"{{{words}}}")))
    return kept


def _option(name: str, value: Any) -> dict[str, Any]:
    """Return an option of the Chat Completions API as the Messages API has it. Raises Fault."""
    if name in _OWN_OPTIONS:
        return {name: value}
    if name in _TRANSLATED:
        return _TRANSLATED[name](value)
    told = f"the Messages API has no setting {name}"
    raise Fault(told, passing=False, kind="refused", next_step=f"Leave {name} out.")


def _tools(tools: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    functions = [tool.get("function", tool) for tool in tools]
    return {
        "tools": [
            {
                "name": one["name"],
                "description": one.get("description") or "",
                "input_schema": one.get("parameters")
                or one.get("input_schema")
                or {"type": "object", "properties": {}},
            }
            for one in functions
        ]
    }


def _tool_choice(choice: Any) -> dict[str, Any]:
    if isinstance(choice, Mapping):
        named = choice.get("function") or choice
        return {"tool_choice": {"type": "tool", "name": named.get("name")}}
    return {"tool_choice": {"type": {"required": "any"}.get(str(choice), str(choice))}}


def _form(form: Mapping[str, Any]) -> dict[str, Any]:
    schema = (form.get("json_schema") or {}).get("schema")
    if form.get("type") != "json_schema" or not schema:
        return {}
    return {"output_config": {"format": {"type": "json_schema", "schema": enforced_schema(schema)}}}


_TRANSLATED: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "max_tokens": lambda most: {"max_tokens": most},
    "max_completion_tokens": lambda most: {"max_tokens": most},
    "stop": lambda stop: {"stop_sequences": [stop] if isinstance(stop, str) else list(stop)},
    "tools": _tools,
    "tool_choice": _tool_choice,
    "response_format": _form,
    "user": lambda name: {"metadata": {"user_id": str(name)}},
    "n": lambda count: {},
}
