"""The receiver: OpenTelemetry's own exporters send to it, and nothing wrong with a request hurts anybody."""

from __future__ import annotations

import gzip
import http.client
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

import pytest
from traced import protobuf_of, request_of, span_of, traced_program

from turnwise.conversations.errors import SettingError
from turnwise.conversations.live import Receiver, SpanSpool, otlp_requests
from turnwise.conversations.live.loopback import LOOPBACK

TOKEN = "between-us"
JSON = {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"}
PROTOBUF = {**JSON, "Content-Type": "application/x-protobuf"}


class Serving:
    """A receiver that runs, and what it said."""

    def __init__(self, spool: SpanSpool, token: str | None) -> None:
        self.said: list[str] = []
        self.spool = spool
        self.receiver = Receiver(spool, port=0, token=token, tell=self.said.append)

    def send(
        self, body: bytes, headers: dict[str, str], *, path: str = "/v1/traces", method: str = "POST"
    ) -> tuple[int, bytes]:
        """Send a request and return the status and the body of its answer."""
        connection = http.client.HTTPConnection(LOOPBACK, self.receiver.port, timeout=10)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def kept(self) -> int:
        """Return how many spans are kept."""
        traces = self.spool.due(all_of_them=True)
        return sum(map(len, self.spool.requests_of(traces).values()))


@contextmanager
def serving(tmp_path: Path, token: str | None = TOKEN) -> Iterator[Serving]:
    spool = SpanSpool(tmp_path / "t.db")
    served = Serving(spool, token)
    served.receiver.start()
    try:
        yield served
    finally:
        served.receiver.stop()
        spool.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Serving]:
    with serving(tmp_path) as served:
        yield served


REQUEST = request_of(span_of({"gen_ai.request.model": "m"}))
AS_JSON = json.dumps(REQUEST).encode()


def test_spans_come_in_both_forms_packed_and_not(served: Serving) -> None:
    assert served.send(AS_JSON, JSON) == (200, b"{}")
    assert served.send(protobuf_of(REQUEST), PROTOBUF) == (200, b"")
    assert served.send(gzip.compress(AS_JSON), {**JSON, "Content-Encoding": "gzip"}) == (200, b"{}")
    assert served.kept() == 1  # The same span, three times.
    assert served.receiver.received.spans == 3


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"garbage", JSON, 400),
        (b"[]", JSON, 400),
        (b'{"resourceSpans": 3}', JSON, 400),
        (b"\xff\xff\xff", PROTOBUF, 400),
        (b"garbage", {**JSON, "Content-Encoding": "gzip"}, 400),
        (AS_JSON, {**JSON, "Content-Encoding": "br"}, 415),
        (AS_JSON, {**JSON, "Content-Type": "text/plain"}, 415),
        (AS_JSON, {"Content-Type": "application/json"}, 401),
        (AS_JSON, {**JSON, "Authorization": "Bearer ünknown"}, 401),
        (AS_JSON, {**JSON, "Host": "evil.example:4318"}, 403),
    ],
)
def test_what_is_wrong_is_answered_and_nothing_of_it_is_kept(
    served: Serving, body: bytes, headers: dict[str, str], status: int
) -> None:
    headers = {name: value.encode().decode("latin-1") for name, value in headers.items()}
    found, answer = served.send(body, headers)
    assert found == status
    assert answer
    assert served.kept() == 0
    assert served.receiver.received.refused == 1
    assert served.send(AS_JSON, JSON)[0] == 200  # It goes on.


def test_a_request_that_is_too_long_is_refused_while_it_comes(
    served: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwise.conversations.live.receiver.MOST_BYTES", 100)
    assert served.send(AS_JSON, JSON)[0] == 413
    monkeypatch.setattr(otlp_requests, "MOST_BYTES", 100)
    bomb = gzip.compress(b" " * 10_000)
    assert served.send(bomb, {**JSON, "Content-Encoding": "gzip"})[0] == 413


def test_metrics_and_logs_are_taken_and_said_not_to_be_kept_once(served: Serving) -> None:
    for _ in range(2):
        for what in ("metrics", "logs"):
            status, answer = served.send(b"{}", JSON, path=f"/v1/{what}")
            assert status == 200
            assert what in json.loads(answer)["partialSuccess"]["errorMessage"]
    assert served.receiver.received.others == {"metrics": 2, "logs": 2}
    assert len(served.said) == 2


def test_other_paths_and_methods_mean_nothing(served: Serving) -> None:
    assert served.send(AS_JSON, JSON, path="/v1/other")[0] == 404
    assert served.send(b"", JSON, method="GET")[0] == 405


def test_spans_that_cannot_be_kept_are_to_be_sent_again(
    served: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwise.conversations.live.span_spool._SECONDS_TO_WAIT", 0)
    other = sqlite3.connect(served.spool.path, isolation_level=None)
    served.spool._file._connection.execute("PRAGMA busy_timeout = 50")
    other.execute("BEGIN IMMEDIATE")
    try:
        assert served.send(AS_JSON, JSON)[0] == 503
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert served.send(AS_JSON, JSON)[0] == 200


def test_without_a_token_every_program_here_may_send(tmp_path: Path) -> None:
    with serving(tmp_path, token=None) as served:
        assert served.send(AS_JSON, {"Content-Type": "application/json"})[0] == 200
        assert "OTEL_EXPORTER_OTLP_HEADERS" not in served.receiver.environment


def test_a_port_that_is_taken_is_told(served: Serving) -> None:
    with pytest.raises(SettingError, match=f"Port {served.receiver.port} cannot be listened at"):
        Receiver(served.spool, port=served.receiver.port)


def test_the_variables_say_how_to_reach_it(served: Serving) -> None:
    environment = served.receiver.environment
    assert environment["OTEL_EXPORTER_OTLP_ENDPOINT"] == f"http://127.0.0.1:{served.receiver.port}"
    assert unquote(environment["OTEL_EXPORTER_OTLP_HEADERS"]) == f"Authorization=Bearer {TOKEN}"


@pytest.mark.parametrize("form", ["protobuf", "protobuf, packed", "json"])
def test_the_real_exporters_send_here_by_the_variables_alone(
    served: Serving, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in served.receiver.environment.items():
        monkeypatch.setenv(name, value)
    if form == "json":
        module = pytest.importorskip("opentelemetry.exporter.otlp.json.http.trace_exporter")
    else:
        module = pytest.importorskip("opentelemetry.exporter.otlp.proto.http.trace_exporter")
        if "packed" in form:
            monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
    with (
        traced_program(module.OTLPSpanExporter()) as tracer,
        tracer.start_as_current_span("turn", attributes={"gen_ai.conversation.id": "c1"}),
        tracer.start_as_current_span("chat", attributes={"gen_ai.request.model": "m"}),
    ):
        pass
    assert served.kept() == 2
    (trace,) = served.spool.due()
    names = [
        request["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["name"]
        for request in served.spool.requests_of([trace])[trace]
    ]
    assert sorted(names) == ["chat", "turn"]
