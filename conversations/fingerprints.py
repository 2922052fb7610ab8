"""Fingerprints: short stable names for content, so that the same thing is never stored or judged twice."""

from __future__ import annotations

import hashlib
import json
from typing import Any

_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def fingerprint(value: Any) -> str:
    """Return 32 hex digits that depend on the JSON value alone, not on key order or spelling of numbers.

    value: anything `json.dumps` takes. Raises TypeError for anything else.
    """
    text = _ENCODER.encode(value)
    # surrogatepass: a lone surrogate in a damaged transcript is still content.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
