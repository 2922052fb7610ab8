"""Files of people's ratings of replies, as MT-RAG publishes them: documents, tasks and evaluations as JSON.

Each rated reply becomes one session: the conversation of its task, and the reply with the passages that it
rests on. A rating on a scale, such as 1 for No to 4 for Yes, is a label of its annotator on that metric: the
value is its place on the scale, and from the middle on it is a pass. Everything that annotators and programs
found, and what a task says of itself, is kept in the metadata too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.formats.chat_messages import Fields
from turnwise.conversations.formats.format import Format, Options
from turnwise.conversations.formats.json_text import decode
from turnwise.conversations.formats.numbers import number_of
from turnwise.conversations.formats.ratings import PROGRAMS, Scale, labels_of, scales_of
from turnwise.conversations.formats.records import Contents, Place, Record, attempt
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.formats.speakers import role_of
from turnwise.conversations.models import shorten
from turnwise.conversations.turns import number_turns

_LISTS = ("models", "metrics", "documents", "tasks", "evaluations")
_TASK_FIELDS = ("input", "contexts", "targets", "task_id")


def _sniff(source: Source) -> float:
    value = next(iter(source.sample), None)
    if not isinstance(value, dict) or source.kind != "json":
        return 0.0
    lists = [name for name in _LISTS if isinstance(value.get(name), list)]
    # Of a large file only the beginning is looked at, which may end among the documents.
    return 0.95 if len(lists) >= 3 and {"models", "metrics"} <= set(lists) else 0.0


def _read(source: Source, options: Options) -> Iterator[Record]:
    document = _document(source)
    for name in ("tasks", "evaluations"):
        if not isinstance(document.get(name), list):
            raise source.broken(f"{name}: expected a list; got {shorten(document.get(name))}")
    tasks = _by_id(document.get("tasks"), "task_id")
    passages = _by_id(document.get("documents"), "document_id")
    models = _by_id(document.get("models"), "model_id")
    scales = scales_of(document.get("metrics"))
    for number, evaluation in enumerate(document["evaluations"], start=1):
        place = Place(source.name, None, number, "evaluations")
        yield attempt(lambda value: _contents_of(value, tasks, passages, models, scales), evaluation, place)


def _document(source: Source) -> Fields:
    # Tasks and documents are named by the evaluations that follow them, so all are held at once.
    try:
        if source.kind != "json":
            raise ValueError(f"expected JSON; got {source.kind}")
        if source.is_small:
            value = source.document
        else:
            with source.open() as file:
                value = decode(file.read())
    except ValueError as error:
        raise source.broken(str(error)) from None
    if not isinstance(value, dict):
        raise source.broken(f"expected an object with tasks and evaluations; got {shorten(value)}")
    return value


def _by_id(items: Any, key: str) -> dict[str, Fields]:
    found = items if isinstance(items, list) else []
    return {item[key]: item for item in found if isinstance(item, dict) and isinstance(item.get(key), str)}


def _contents_of(
    evaluation: Any,
    tasks: dict[str, Fields],
    passages: dict[str, Fields],
    models: dict[str, Fields],
    scales: Mapping[str, Scale],
) -> Contents:
    case = _case_of(evaluation, tasks, passages, models)
    reply = number_turns(case.turns)[-1]
    return Contents(case, labels=labels_of(evaluation.get("annotations"), scales, turn=reply))


def _case_of(
    evaluation: Any, tasks: dict[str, Fields], passages: dict[str, Fields], models: dict[str, Fields]
) -> ConversationalTestCase:
    if not isinstance(evaluation, dict):
        raise ValueError(f"expected an object with task_id and model_response; got {shorten(evaluation)}")
    reply, model_id, task_id = (evaluation.get(key) for key in ("model_response", "model_id", "task_id"))
    if not isinstance(reply, str):
        raise ValueError(f"model_response: expected a string; got {shorten(reply)}")
    task = tasks.get(task_id) if isinstance(task_id, str) else None
    if task is None:
        raise ValueError(f"task_id: expected the id of one of the tasks; got {shorten(task_id)}")
    if not isinstance(task.get("input"), list) or not task["input"]:
        raise ValueError(
            f"input of task {task_id}: expected a list of turns; got {shorten(task.get('input'))}"
        )
    turns = [_turn(item, f"input[{number}]") for number, item in enumerate(task["input"])]
    answer: Fields = {"role": "assistant", "content": reply}
    if isinstance(contexts := task.get("contexts"), list):
        answer["retrieval_context"] = [_passage(item, passages) for item in contexts]
    if targets := _texts(task.get("targets")):
        answer["exchange"] = {"expected_output": targets[0]}
    model = models.get(model_id, {}) if isinstance(model_id, str) else {}
    metadata: Fields = {
        **{name: item for name, item in task.items() if name not in _TASK_FIELDS},
        "task_id": task_id,
        "model_id": model_id,
        "model": model.get("name") or model_id,
        **_ratings(evaluation.get("annotations")),
    }
    if len(targets) > 1:
        metadata["targets"] = targets
    name = f"{task_id}, {model_id}"
    return ConversationalTestCase(turns=[*turns, answer], name=name, metadata=metadata)


def _turn(item: Any, place: str) -> Fields:
    if not isinstance(item, dict) or not isinstance(item.get("text"), str):
        raise ValueError(f"{place}.text: expected a string; got {shorten(item)}")
    speaker = item.get("speaker")
    role = role_of(speaker) if isinstance(speaker, str) else None
    if role is None:
        raise ValueError(f"{place}.speaker: expected user or agent; got {shorten(speaker)}")
    rest = {name: value for name, value in item.items() if name not in ("speaker", "text")}
    return {"role": role, "content": item["text"], **({"metadata": rest} if rest else {})}


def _texts(items: Any) -> list[str]:
    found = items if isinstance(items, list) else []
    return [item["text"] for item in found if isinstance(item, dict) and isinstance(item.get("text"), str)]


def _passage(item: Any, passages: dict[str, Fields]) -> Fields | str:
    name = item.get("document_id") if isinstance(item, dict) else None
    held = passages.get(name, {}) if isinstance(name, str) else {}
    text = item.get("text", held.get("text")) if isinstance(item, dict) else None
    if not isinstance(text, str):
        raise ValueError(f"contexts: expected the id of one of the documents; got {shorten(name)}")
    return {"context": text, "source": held.get("title") or name}


def _ratings(annotations: Any) -> Fields:
    """Return ratings by property and annotator, and what one program found, by its name, as numbers."""
    ratings: dict[str, Fields] = {}
    scores: Fields = {}
    given = annotations if isinstance(annotations, dict) else {}
    for name, by_annotator in given.items():
        if not isinstance(by_annotator, dict):
            continue
        for annotator, rating in by_annotator.items():
            value = number_of(rating.get("value") if isinstance(rating, dict) else rating)
            if annotator in PROGRAMS:
                scores[name] = value
            else:
                ratings.setdefault(name, {})[annotator] = value
    return {**({"ratings": ratings} if ratings else {}), **({"scores": scores} if scores else {})}


FORMAT = Format(
    name="mt-rag",
    title="people's ratings of replies, as MT-RAG publishes them (JSON)",
    sniff=_sniff,
    read=_read,
)
