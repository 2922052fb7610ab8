"""What became of every text of a file: in a turn, in metadata, or left out, as shares that add up to all."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats import TextAccount, load

ASKED = {"role": "user", "content": "Where is it?"}
REPLY = {"role": "assistant", "content": "On its way."}


def account_of(content: str | bytes, **options: Any) -> TextAccount:
    account = TextAccount()
    raw = content if isinstance(content, bytes) else content.encode()
    with suppress(FormatError):
        list(load(io.BytesIO(raw), account=account, **options))
    shares = account.shares()
    assert sum(shares.values()) == pytest.approx(1)
    return account


def places(account: TextAccount, became: Any) -> dict[str, tuple[int, str]]:
    return {place.path: (place.characters, place.fate.note) for place in account.largest(became)}


def test_texts_are_in_turns_and_in_metadata_with_their_keys() -> None:
    record = {"id": "a1", "messages": [ASKED, {**REPLY, "model": "m-1"}], "about": {"shop": "bags"}}
    account = account_of(json.dumps(record))
    assert places(account, "turn") == {"messages[].content": (23, "turns[].content")}
    assert places(account, "metadata") == {
        "id": (2, "name"),
        "about.shop": (4, "metadata.about.shop"),
        "messages[].model": (3, "turns[].metadata.model"),
    }
    assert account.largest("left out") == []
    assert account.characters == 32


def test_reasoning_calls_and_their_outputs_are_in_turns() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"q": "the bag"}'}}
    record = {
        "messages": [
            ASKED,
            {"role": "assistant", "content": None, "reasoning_content": "I look.", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": '{"at": "Oslo"}'},
            REPLY,
        ]
    }
    account = account_of(json.dumps(record))
    assert account.shares()["turn"] == 1
    assert "messages[].tool_calls[].function.arguments.(JSON).q" in places(account, "turn")


def test_a_record_that_is_not_loaded_is_left_out_with_the_reason() -> None:
    lines = [
        json.dumps({"messages": [ASKED, REPLY]}),
        json.dumps({"messages": [ASKED, {"role": "waiter", "content": "Coming."}]}),
    ]
    account = account_of("\n".join(lines))
    [(path, (characters, why)), *_] = sorted(places(account, "left out").items())
    assert (path, characters) == ("messages[].content", 19)
    assert why.startswith("not loaded: messages[1].role: expected user")
    assert account.shares()["turn"] == pytest.approx(23 / (23 + 19))


def test_a_line_that_is_no_json_is_left_out_as_a_whole() -> None:
    account = account_of(json.dumps({"messages": [ASKED, REPLY]}) + "\n{broken\n")
    assert places(account, "left out")["(the text itself)"][1].startswith("not loaded: ")


def test_a_row_that_cannot_be_read_is_left_out_as_a_whole() -> None:
    account = account_of('id,role,content\n1,user,Hello\n1,assistant,Hi\n2,user,"Where is it\n')
    assert places(account, "left out")["(the whole row)"][1].startswith("not loaded: ")


def test_a_file_that_is_refused_is_left_out_as_a_whole() -> None:
    account = account_of(b'[{"a": 1}]')
    assert account.shares()["left out"] == 1
    assert account.characters == 10


def test_a_transcript_is_accounted_for_line_by_line() -> None:
    account = account_of("User: Where is it?\nI wait.\n\nAssistant: On its way.\n")
    assert account.shares()["turn"] == 1


def test_rows_of_a_table_are_accounted_for() -> None:
    account = account_of("role,content,channel\nuser,Where is it?,web\nassistant,On its way.,web\n")
    assert places(account, "turn")["content"] == (23, "turns[].content")
    assert account.shares()["left out"] == 0


def test_several_files_are_one_account_and_a_refused_one_keeps_the_others() -> None:
    account = account_of(json.dumps({"messages": [ASKED, REPLY]}))
    with suppress(FormatError):
        load(io.BytesIO(b'[{"a": 1}]'), account=account)
    assert places(account, "turn") == {"messages[].content": (23, "turns[].content")}
    assert places(account, "left out")["(the whole file)"][0] == 10
    whole = TextAccount()
    whole.join(account)
    whole.join(account)
    assert whole.characters == 2 * account.characters


def test_a_file_written_in_letters_and_words_for_kinds_are_no_texts() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "iVBO" * 100}}
    content = [{"type": "text", "text": "See this."}, image]
    account = account_of(json.dumps({"messages": [{"role": "user", "content": content}, REPLY]}))
    assert account.characters == len("See this.") + len("On its way.")


def test_a_large_file_is_accounted_for_in_the_same_memory(tmp_path: Path) -> None:
    account = TextAccount()
    path = tmp_path / "many.jsonl"
    path.write_text(
        "".join(f"{json.dumps({'messages': [{**ASKED, 'content': f'q {n}'}, REPLY]})}\n" for n in range(300))
    )
    for _ in load(path, account=account):
        assert sum(map(len, account._waiting.values())) < 10
    assert account.shares()["turn"] == 1


def test_names_that_were_read_as_roles_are_not_left_out() -> None:
    account = account_of(
        "Absender,text\nKunde,Where is it?\nBot,On its way.\n",
        mapping={"role": ("Absender",), "user": ("Kunde",)},
    )
    assert account.largest("left out") == []
    assert "text" in places(account, "turn")
