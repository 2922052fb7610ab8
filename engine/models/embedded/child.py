"""The program that runs a model: it loads it, serves it on loopback, and ends with the one who started it.

Run as `python -m turnwise.engine.models.embedded.child`; process.py is the other side.

stdin     one line of JSON, the ModelOrder; its end, which comes even from a parent that was killed, is the
          sign to end
stdout    one line of JSON: {"address": "http://127.0.0.1:PORT"} once the model is loaded, or
          {"error": "extra" | "load", "detail": ...}
stderr    whatever Python and llama.cpp say until the model is loaded; later words are dropped
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from dataclasses import dataclass
from typing import Any, BinaryIO, NoReturn

_BATCH_TOKENS = 512
_NICENESS = 5
_ERRORS_ONLY = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOrder:
    """What to run. path: the model's file. context: tokens of one request. The rest as in EmbeddedServer."""

    path: str
    model: str
    context: int
    parallel: int
    threads: int
    api_key: str


def main() -> NoReturn:
    """Serve one model until stdin ends."""
    code = 1
    try:
        # Ctrl+c in a terminal is meant for the parent, which may well go on.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        answer = _take_stdout()
        _serve(ModelOrder(**json.loads(sys.stdin.buffer.readline())), answer)
        code = 0
    except Exception:
        traceback.print_exc()
    finally:
        # An orderly end would wait for requests under way, or crash in them.
        os._exit(code)


def _take_stdout() -> BinaryIO:
    """Return stdout for the one answer; what native code prints there goes to stderr from now on."""
    answer = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return answer


def _serve(order: ModelOrder, answer: BinaryIO) -> None:
    if hasattr(os, "nice"):
        # The parent's screen goes before a model that takes every processor.
        os.nice(_NICENESS)
    try:
        import xllamacpp
    except ImportError as error:
        _tell(answer, error="extra", detail=str(error))
        return
    try:
        server = xllamacpp.Server(_parameters(xllamacpp, order))
    except Exception as error:
        _tell(answer, error="load", detail=str(error))
        return
    _drop_output()
    _tell(answer, address=server.listening_address)
    sys.stdin.buffer.read()


def _tell(answer: BinaryIO, **words: str) -> None:
    answer.write(json.dumps(words).encode() + b"\n")
    answer.close()


def _drop_output() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def _parameters(xllamacpp: Any, order: ModelOrder) -> Any:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = order.path
    parameters.model_alias = {order.model}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.api_keys = [order.api_key]
    parameters.ui = False
    parameters.use_jinja = True
    # A kept prompt changes how the rest is batched, and with it the last bits of a probability; a request
    # that knows better says so itself.
    parameters.cache_prompt = False
    parameters.cache_ram_mib = 0
    parameters.n_parallel = order.parallel
    # A request that was cancelled stops at the end of a batch, so batches are kept short.
    parameters.n_batch = _BATCH_TOKENS
    parameters.n_ctx = order.context * order.parallel
    parameters.cpuparams.n_threads = order.threads
    parameters.cpuparams_batch.n_threads = order.threads
    # The first request warms the model up as well, and the wait before it is shorter.
    parameters.warmup = False
    # Fitting loads the file twice, and there is nothing to divide where the processor is the only device.
    parameters.fit_params = any(device["name"] != "CPU" for device in xllamacpp.get_device_info())
    parameters.verbosity = _ERRORS_ONLY
    return parameters


if __name__ == "__main__":
    main()
