"""Settings: which model is asked and how, as plain values that can be compared, printed and sent on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from turnwise.conversations.errors import SettingError
from turnwise.conversations.fingerprints import fingerprint

PROMPT_VERSION = 1
"""Raised when the messages around every question change, so that older answers are not taken for new."""

SECONDS_A_CALL = 120.0
MOST_TRIES = 6
LONGEST_WAIT = 120.0
ReplyStyle = Literal["schema", "object", "text"]
Noun = Literal["judge", "chatbot", "user model"]
"""What a model is asked as; errors use the word."""
OWN_MODEL = "own"
"""The provider of a model that a program brings along; see `own_model`."""
LOOPBACK_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Which language model is asked, as a judge or as a chatbot, and how it may be asked.

    provider: by which API it is reached; a name of `providers`, by default openai, or embedded for a file.
        One that stands in for another names it after a colon: offline:openai. A program's own is OWN_MODEL.
    base_url: of the API, for example https://api.openai.com/v1; empty for a model_file and a program's own.
    model_file: a GGUF file that is run inside this process, started at the first call it has to answer.
    concurrency: the most calls in flight, at least 1. timeout: seconds a single call may take. tries: how
        often a call is made at most. longest_wait: the most seconds that are waited where the server asks to.
    style: how a structured reply is asked for; auto finds out what the server takes.
    context_tokens: the most tokens a call may hold, where known; whoever asks cuts its questions to it.
    items_per_question: how many things one question may ask about; None is all, 1 suits a small model.
    budget: US dollars that may be spent on calls; None is no limit.
    price: US dollars for a million prompt tokens and a million completion tokens, where the price
        library does not know the model.
    identity: what tells this model from another in fingerprints; by default host, path and model.
    public_only: whether its address may not be of this machine or a local network, as a file names it.
    noun: what the model is asked as; errors use the word. It makes no difference to what settings are equal.
    Raises SettingError for values that mean nothing.
    """

    base_url: str
    model: str
    api_key: str = field(default="none", repr=False)
    temperature: float = 0.0
    max_tokens: int | None = None
    seed: int | None = None
    concurrency: int = 64
    timeout: float = SECONDS_A_CALL
    tries: int = MOST_TRIES
    longest_wait: float = LONGEST_WAIT
    style: ReplyStyle | Literal["auto"] = "auto"
    context_tokens: int | None = None
    items_per_question: int | None = None
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    budget: float | None = None
    price: tuple[float, float] | None = None
    identity: str = ""
    model_file: Path | None = None
    noun: Noun = field(default="judge", compare=False)
    provider: str = ""
    public_only: bool = False

    def __post_init__(self) -> None:
        reached = self.model_file is None and self.provider != OWN_MODEL
        if reached and urlsplit(self.base_url).scheme not in ("http", "https"):
            raise SettingError(
                f"The {self.noun}'s address is not a web address",
                detail=f"given {self.base_url!r}, expected something like http://127.0.0.1:8080/v1",
            )
        for name in ("concurrency", "timeout", "tries"):
            if (value := getattr(self, name)) <= 0:
                raise SettingError(f"The {self.noun}'s {name} must be above 0", detail=f"given {value}")
        if not self.provider:
            object.__setattr__(self, "provider", "embedded" if self.model_file is not None else "openai")
        if not self.identity:
            object.__setattr__(self, "identity", default_identity(self.base_url, self.model, self.model_file))

    @property
    def fingerprint(self) -> str:
        """32 hex digits over all that shapes this model's answers: no key, no port, no limits."""
        return fingerprint(
            {
                "identity": self.identity,
                "model": self.model,
                "temperature": self.temperature,
                "max_tokens": self.max_tokens,
                "seed": self.seed,
                "style": self.style,
                "items_per_question": self.items_per_question,
                "extra_body": dict(self.extra_body),
                "prompts": PROMPT_VERSION,
            }
        )

    @property
    def reads_text_alone(self) -> bool:
        """Whether it cannot be shown images: a model that turnwise runs, or one of a program's own."""
        return self.model_file is not None or self.provider == OWN_MODEL

    @property
    def is_small(self) -> bool:
        """Whether it is a small model, which is asked about one thing at a time."""
        return self.items_per_question == 1

    @property
    def is_offline(self) -> bool:
        """Whether kept replies alone stand for the model, and nothing is ever asked of it."""
        return self.provider.partition(":")[0] == "offline"

    @property
    def is_local(self) -> bool:
        """Whether it runs on this machine, and so costs nothing that anybody bills."""
        return self.model_file is not None or is_loopback(self.base_url)

    @property
    def address(self) -> str:
        """Where the model is, fit to be shown: no user name, password or query."""
        return shown_address(self.base_url) if self.base_url else self.identity


def default_identity(base_url: str, model: str, model_file: Path | None = None) -> str:
    """Return what tells one model from another where the settings name nothing themselves."""
    if model_file is not None:
        return f"embedded:{model_file.name}"
    address = urlsplit(base_url)
    host = address.hostname or ""
    # Another port on this machine is still this machine, and local servers choose their ports freely.
    place = host if host in LOOPBACK_HOSTS or address.port is None else f"{host}:{address.port}"
    return f"{place}{address.path.rstrip('/')} {model}"


def shown_address(base_url: str) -> str:
    """Return an address without the parts that may hold a secret."""
    address = urlsplit(base_url)
    host = address.hostname or ""
    place = f"[{host}]" if ":" in host else host
    return f"{address.scheme}://{place}{f':{address.port}' if address.port else ''}{address.path}"


def is_loopback(base_url: str) -> bool:
    """Return whether an address is on this machine."""
    return (urlsplit(base_url).hostname or "") in LOOPBACK_HOSTS


def base_url_of(
    url: str | None,
    noun: Noun,
    endings: tuple[str, ...] = ("/chat/completions", "/models"),
    *,
    root: str = "/v1",
) -> str:
    """Return an address as the API's root: without a slash at the end, with `root` where it has no path.

    endings: paths below the root, which are taken off. Empty where there is no address. Raises SettingError
    where it names no host.
    """
    if not url or not url.strip():
        return ""
    plain = url.strip().rstrip("/")
    for ending in endings:
        plain = plain.removesuffix(ending)
    if not urlsplit(plain).hostname:
        raise SettingError(f"The {noun}'s address names no host", detail=f"given {shown_address(url)!r}")
    return plain if urlsplit(plain).path else f"{plain}{root}"
