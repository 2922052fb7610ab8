"""Files that are known by their shape and hold no conversations that are read here, each with the way there.

A row a kind of file. To add one, add a row: what it is, how it is told, and what its owner can do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from turnwise.conversations.errors import FormatError, NoConversationsError
from turnwise.conversations.formats.mapped import found_at, parse_path
from turnwise.conversations.formats.sources import Source


class UnreadFile(NamedTuple):
    """A kind of file.

    title: what it is, as in "it is a notebook". way: what to do. starts: its first bytes. has: paths that
    all lead to something in its first record, or those of another tuple; `path=text` where the value counts.
    text: what is found in its first text. begins: the same of JSON, for keys that are ids. inside: files in a
    zip, each by the end of its name.
    """

    title: str
    way: str
    starts: tuple[bytes, ...] = ()
    has: tuple[tuple[str, ...], ...] = ()
    text: str = ""
    begins: str = ""
    inside: tuple[str, ...] = ()


_TEXT_WAY = "Copy the conversation into a text file in which each line begins with who speaks: User: and Bot:"
_ASK = "Export what was said: "
_BESIDE_CHATS = "Import conversations.json of the same export, or the whole zip."
_LOOKED_AT = 2_000
_PROMPTFOO_WAY = (
    "It holds a part of the results. Write them as JSON: promptfoo eval --output results.json, "
    "or promptfoo export eval ID --output results.json"
)
_DEFINITION = "It says how a chatbot works, not what was said to it. "

_MP4 = (b"\0\0\0\x18ftyp", b"\0\0\0\x1cftyp", b"\0\0\0\x20ftyp")

UNREAD: tuple[UnreadFile, ...] = (
    # Documents and media
    UnreadFile("a PDF document", _TEXT_WAY, starts=(b"%PDF-",)),
    UnreadFile("a Word document", _TEXT_WAY, inside=("word/document.xml",)),
    UnreadFile("a presentation", _TEXT_WAY, inside=("ppt/presentation.xml",)),
    UnreadFile("an OpenDocument file", "Save it as CSV or as text.", inside=("content.xml", "styles.xml")),
    UnreadFile(
        "a picture",
        "Write down what was said in it as text: User: and Bot: before what each says.",
        starts=(b"\x89PNG", b"WEBP", b"\xff\xd8\xff", b"GIF8", b"BM6", b"II*\0", b"MM\0*"),
    ),
    UnreadFile(
        "a recording of sound or film",
        "Have it transcribed, with speakers, as WebVTT or as lines of `Name: words`.",
        starts=(b"ID3", b"\xff\xfb", b"OggS", b"fLaC", b"\x1aE\xdf\xa3", b"RIFF", *_MP4),
    ),
    # Containers of data
    UnreadFile(
        "an SQLite database",
        "Write its messages as CSV: sqlite3 -header -csv FILE 'select * from messages' > messages.csv",
        starts=(b"SQLite format 3\0",),
    ),
    UnreadFile("an Arrow file", "Write it as Parquet: pyarrow.parquet.write_table", starts=(b"ARROW1",)),
    UnreadFile("an Avro file", "Write it as JSON Lines: avro-tools tojson FILE", starts=(b"Obj\x01",)),
    UnreadFile("an ORC file", "Write it as Parquet.", starts=(b"ORC",)),
    UnreadFile("an HDF5 file", "Write the data set as JSON Lines or Parquet.", starts=(b"\x89HDF",)),
    UnreadFile("a NumPy array", "Write it as JSON Lines.", starts=(b"\x93NUMPY",)),
    UnreadFile(
        "a pickle of Python",
        "Write it as JSON Lines where it was made; a pickle can run code, so it is not opened here.",
        starts=(b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"),
    ),
    UnreadFile("a 7z archive", "Unpack it and import the folder.", starts=(b"7z\xbc\xaf\x27\x1c",)),
    UnreadFile("a RAR archive", "Unpack it and import the folder.", starts=(b"Rar!",)),
    UnreadFile(
        "a file of labels, from a page on which a queue is labelled",
        "Take it in where the queue was handed out: turnwise label --from FILE",
        has=(("turnwise=labels", "labels"),),
    ),
    # Recordings of requests
    UnreadFile(
        "a HAR file, the requests of a browser",
        "The bodies of its requests are texts: turnwise import FILE --messages "
        "'log.entries[].request.postData.text.messages' takes those of a chat's requests.",
        has=(("log.entries", "log.version"),),
    ),
    UnreadFile(
        "a Postman collection",
        "It holds requests to make. Run them and keep the answers, or talk to the chatbot: turnwise record",
        has=(("info.schema", "item"), ("info._postman_id",)),
    ),
    UnreadFile(
        "an OpenAPI description",
        "It describes an interface. Talk to what is behind it: turnwise record --target URL",
        has=(("openapi", "paths"), ("swagger", "paths")),
    ),
    # What comes beside conversations in the exports of chats
    UnreadFile(
        "a list of users of a Claude.ai export", _BESIDE_CHATS, has=(("uuid", "full_name", "email_address"),)
    ),
    UnreadFile(
        "a list of projects of a Claude.ai export", _BESIDE_CHATS, has=(("uuid", "prompt_template", "docs"),)
    ),
    UnreadFile(
        "what Claude.ai remembers of its user", _BESIDE_CHATS, has=(("conversations_memory", "account_uuid"),)
    ),
    UnreadFile("the account of a ChatGPT export", _BESIDE_CHATS, has=(("id", "email", "chatgpt_plus_user"),)),
    UnreadFile(
        "the ratings of a ChatGPT export, which do not say what was said",
        _BESIDE_CHATS,
        has=(("conversation_id", "rating", "user_id", "content"),),
    ),
    UnreadFile(
        "a list of shared chats of a ChatGPT export",
        _BESIDE_CHATS,
        has=(("conversation_id", "title", "is_anonymous"),),
    ),
    # Notebooks, schemas, workflows
    UnreadFile(
        "a Jupyter notebook",
        "Write the conversations from within it: json.dump(messages, open('messages.json', 'w'))",
        has=(("cells", "nbformat"),),
    ),
    UnreadFile("a JSON schema", "Import the data that it describes.", has=(("$schema", "properties"),)),
    UnreadFile("a SARIF report", "It holds findings about code.", has=(("runs[].tool.driver",),)),
    UnreadFile(
        "a workflow of n8n",
        f"{_DEFINITION}{_ASK}n8n keeps it in its executions.",
        has=(("nodes[].typeVersion", "connections"),),
    ),
    UnreadFile(
        "a flow of Flowise or Langflow",
        f"{_DEFINITION}{_ASK}its messages can be exported as CSV or JSON.",
        has=(("nodes[].data", "edges"), ("data.nodes[].data", "data.edges")),
    ),
    UnreadFile(
        "an app of Dify",
        f"{_DEFINITION}{_ASK}Dify's logs and its interface (GET /messages) hold it.",
        text=r"(?m)^kind: app$",
    ),
    UnreadFile(
        "a character card",
        "It describes a character. Import the chats with it, which are JSON Lines.",
        has=(("spec", "data.first_mes"),),
    ),
    # Definitions and training data of chatbots
    UnreadFile(
        "an agent of Dialogflow ES",
        f"{_DEFINITION}{_ASK}Dialogflow writes it to Cloud Logging, and turnwise reads it.",
        has=(("userSays",), ("responses[].messages", "auto"), ("language", "googleAssistant")),
    ),
    UnreadFile(
        "an agent of Dialogflow CX",
        f"{_DEFINITION}{_ASK}its interface (conversations.list) gives it, and turnwise reads it.",
        has=(("displayName", "trainingPhrases"), ("displayName", "defaultLanguageCode")),
    ),
    UnreadFile(
        "training data of Rasa",
        f"{_DEFINITION}{_ASK}the tracker has it (GET /conversations/ID/tracker), and turnwise reads it.",
        has=(("rasa_nlu_data",),),
        text=r"\A(?:(?:#.*|---|version:.*|)\n)*(?:nlu|stories|rules|intents):[ \t]*\n",
    ),
    UnreadFile(
        "a skill of Watson Assistant",
        f"{_DEFINITION}{_ASK}its logs (GET /logs) hold what was said.",
        has=(("dialog_nodes", "intents"), ("workspace.dialog_nodes",)),
    ),
    UnreadFile(
        "an app of LUIS",
        f"{_DEFINITION}Its utterances are examples, which nobody answered.",
        has=(("luis_schema_version",),),
    ),
    UnreadFile(
        "a bot of Amazon Lex",
        f"{_DEFINITION}{_ASK}conversation logs in CloudWatch or S3 hold what was said.",
        has=(("metadata.schemaVersion", "resource.intents"), ("identifier", "botLocales")),
    ),
    UnreadFile(
        "training data of Chatito or Snips",
        f"{_DEFINITION}Its utterances are examples, which nobody answered.",
        has=(("intents", "entities", "language"),),
    ),
    # What interfaces say of their work
    UnreadFile(
        "jobs of fine-tuning at OpenAI",
        "It lists jobs. Import the training file itself, whose lines hold messages.",
        has=(("object=fine_tuning.job",), ("data[].object=fine_tuning.job",), ("object=fine-tune",)),
    ),
    UnreadFile(
        "events of fine-tuning at OpenAI",
        "It tells how a job went. Import the training file itself, whose lines hold messages.",
        has=(("data[].object=fine_tuning.job.event",),),
    ),
    UnreadFile(
        "a batch at OpenAI, without its answers",
        "It says how the batch goes. Import its output file: GET /files/OUTPUT_FILE_ID/content",
        has=(("object=batch", "endpoint"), ("data[].object=batch",)),
    ),
    UnreadFile(
        "a list of files at OpenAI",
        "It lists files. Import their contents: GET /files/ID/content",
        has=(("data[].object=file", "object=list"),),
    ),
    UnreadFile(
        "a list of models",
        "It names models, and nothing that was said.",
        has=(("data[].object=model", "object=list"),),
    ),
    UnreadFile(
        "embeddings",
        "They are numbers. Import the texts that they stand for.",
        has=(("data[].embedding",), ("object=embedding",)),
    ),
    UnreadFile(
        "an answer of Elasticsearch",
        "Each hit holds a document: turnwise import FILE --map "
        "'role=hits.hits[]._source.ROLE,content=hits.hits[]._source.TEXT,id=hits.hits[]._source.ID'",
        has=(("hits.hits[]._source",),),
    ),
    UnreadFile(
        "entries of CloudWatch",
        "Each event holds a line of a log: turnwise import FILE --messages 'events[].message.messages' "
        "where these are JSON.",
        has=(("events[].ingestionTime", "events[].message"),),
    ),
    UnreadFile(
        "the description of a data set",
        "It describes the data. Import the data files beside it, as Parquet or JSON Lines.",
        has=(("dataset_info",), ("dataset_name", "features", "splits")),
    ),
    # What tools of evaluation write beside their results
    UnreadFile(
        "a report of promptfoo for people",
        _PROMPTFOO_WAY,
        text=r"(?s)\A\s*<!doctype html.*(?:<title>Eval Output</title>|--pass-bg:.*--fail-bg:)"
        r"|\A(?:<\?xml[^>]*>\s*)?<promptfoo>|\AevalId: .*\nresults:\n  version: "
        r"|\A[^\n]*\[[^\]\n]+:[^\]\n]+\][^\n]*\n.*\[(?:PASS|FAIL|ERROR)\]",
    ),
    UnreadFile(
        "a file of AgentV beside its results",
        "It holds marks without what was said. Import the run's result rows, a JSONL file with output in it.",
        has=(("summary.pass_rate", "assertions"), ("run_summary", "metadata.eval_file")),
    ),
    UnreadFile(
        "MT-Bench's judgements of pairs",
        "Import the answers behind their questions: cat question.jsonl model_answer/*.jsonl > answers.jsonl",
        has=(("question_id", "g1_winner", "g1_user_prompt"),),
    ),
    UnreadFile(
        "the messages that Langfuse read in a trace, without the trace",
        "Import the trace itself, which says in what order they were said.",
        begins=r'\{\s*"[0-9a-f]{16}"\s*:\s*\{\s*"(?:input|output)"\s*:\s*\{\s*"success"\s*:',
    ),
    # Text with a shape of its own
    UnreadFile("a web page", _TEXT_WAY, text=r"(?i)\A\s*(?:<!doctype html|<html)"),
    UnreadFile("XML", "Convert it to JSON or CSV.", text=r"\A\s*<\?xml"),
    UnreadFile(
        "a dump of SQL",
        "Write the table of messages as CSV.",
        text=r"(?i)\A(?:(?:--.*|/\*.*|SET .*|PRAGMA .*|BEGIN.*|)\n)*(?:CREATE TABLE|INSERT INTO)\b",
    ),
)


def unread_file(source: Source) -> UnreadFile | None:
    """Return what kind of unread file a source is; None where it is none of those that are known."""
    with source.open() as file:
        start = file.read(16)
    if start.startswith(b"RIFF") and start[8:12] == b"WEBP":
        # One wrapping for sound, film and pictures; what it is follows.
        start = start[8:]
    names = source.archive.names if source.archive is not None else ()
    kind = source.kind
    first: Any = None
    if kind in ("json", "jsonl"):
        sample = next(iter(source.sample), None)
        first = sample[0] if isinstance(sample, list) and sample else sample
    for known in UNREAD:
        if any(start.startswith(mark) for mark in known.starts):
            return known
        if known.inside and _holds(names, known.inside):
            return known
        if isinstance(first, dict) and any(all(_leads(first, path) for path in paths) for paths in known.has):
            return known
        if first is not None and known.begins and re.match(known.begins, source.head[:_LOOKED_AT]):
            return known
        if kind == "text" and known.text and re.search(known.text, source.head[:_LOOKED_AT]):
            return known
    return None


def is_document(names: Sequence[str]) -> bool:
    """Return whether a zip with files of these names is a document of a program."""
    return any(known.inside and _holds(names, known.inside) for known in UNREAD)


def _holds(names: Sequence[str], ends: Sequence[str]) -> bool:
    return all(any(name.endswith(end) for name in names) for end in ends)


def _leads(record: Any, text: str) -> bool:
    path, _, wanted = text.partition("=")
    found = found_at(record, parse_path(path))
    return wanted in found if wanted else bool(found)


def refused_as(source: Source, known: UnreadFile) -> FormatError:
    """Word that a file is of a known kind that is not read."""
    return NoConversationsError.of(
        known.title,
        f"{source.name} is {known.title}, which is not read",
        detail=f"{source.name}: told by its content; no conversations are taken from such files.",
        next_step=known.way.replace("FILE", source.name),
    )
