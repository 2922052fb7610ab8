"""Files of people's ratings of replies, as MT-RAG publishes them: documents, tasks and evaluations as JSON.

Each rated reply becomes one session: the conversation of its task, and the reply with the passages that it
rests on. A rating on a scale, such as 1 for No to 4 for Yes, is a label of its annotator on that metric: the
value is its place on the scale, and from the middle on it is a pass. Everything that annotators and programs
found, and what a task says of itself, is kept in the metadata too.

A scale is a list of values in words, each with its number, as annotation tools publish them. A number without
a scale, such as how often a reply was preferred to others, is no finding about the reply alone, and no label.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.files import decode_json
from turnwise.conversations.findings import Label
from turnwise.conversations.formats.fields import LATEST, is_number, number_of
from turnwise.conversations.formats.format import Contents, Format, Options, Place, Record, Shape, attempt
from turnwise.conversations.formats.messages import Fields
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.formats.speakers import role_of
from turnwise.conversations.models import shorten
from turnwise.conversations.turns import number_turns

PROGRAMS = ("system", "composite")
"""Annotators that are programs."""
_MIDDLE = 0.5
_MOST_OF_A_QUESTION = 200
"""So many characters of a question name its session; the model stands behind them."""
_LISTS = ("models", "metrics", "documents", "tasks", "evaluations")
_TASK_FIELDS = ("input", "contexts", "targets", "task_id")


@dataclass(frozen=True, slots=True)
class Scale:
    """The values that a rating may have, lowest first, and the words for them."""

    words: Mapping[float, str]

    def share(self, value: float) -> float:
        """Return where a value stands between the lowest, 0, and the highest, 1."""
        lowest, highest = min(self.words), max(self.words)
        return (value - lowest) / (highest - lowest)


def scales_of(metrics: Any) -> dict[str, Scale]:
    """Return the scales by metric; only those that a person rates on and that have two values or more."""
    found: dict[str, Scale] = {}
    for metric in metrics if isinstance(metrics, list) else []:
        if not isinstance(metric, dict) or not isinstance(metric.get("name"), str):
            continue
        if metric.get("author") != "human" or not isinstance(metric.get("values"), list):
            continue
        words = dict(pair for value in metric["values"] if (pair := _word(value)))
        if len(words) > 1:
            found[metric["name"]] = Scale(words)
    return found


def _word(value: Any) -> tuple[float, str] | None:
    if not isinstance(value, dict):
        return None
    number = number_of(value.get("numeric_value", value.get("value")))
    word = value.get("display_value", value.get("value"))
    return (number, str(word)) if is_number(number) else None


def labels_of(annotations: Any, scales: Mapping[str, Scale], *, turn: int | None) -> tuple[Label, ...]:
    """Return the ratings of people on these scales; turn: the number of the turn that they are about."""
    found: list[Label] = []
    for metric, by_annotator in (annotations if isinstance(annotations, dict) else {}).items():
        scale = scales.get(metric)
        if scale is None or not isinstance(by_annotator, dict):
            continue
        for annotator, rating in by_annotator.items():
            if annotator not in PROGRAMS and (label := _label(metric, annotator, rating, scale, turn)):
                found.append(label)
    return tuple(found)


def _label(metric: str, annotator: str, rating: Any, scale: Scale, turn: int | None) -> Label | None:
    value = number_of(rating.get("value") if isinstance(rating, dict) else rating)
    if not is_number(value) or value not in scale.words:
        return None
    share = scale.share(value)
    at = rating.get("timestamp") if isinstance(rating, dict) else None
    return Label(
        word="pass" if share >= _MIDDLE else "fail",
        author=annotator,
        metric=metric,
        value=share,
        turn=turn,
        note=scale.words[value],
        # Whoever rated the reply elsewhere saw no score of turnwise, so the label is blind.
        blind=True,
        at=float(at) if is_number(at) and 0 <= at < LATEST else None,
    )


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
                value = decode_json(file.read())
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
    return ConversationalTestCase(
        turns=[*turns, answer], name=f"{_question(turns)}, {model_id}", metadata=metadata
    )


def _question(turns: list[Fields]) -> str:
    """Return what was asked last, on one line: it tells apart the tasks of one conversation."""
    asked = [" ".join(turn["content"].split()) for turn in turns if turn["role"] == "user"]
    last = asked[-1] if asked else "no question"
    return last if len(last) <= _MOST_OF_A_QUESTION else f"{last[:_MOST_OF_A_QUESTION]}…"


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
    shapes=(
        Shape(
            "MT-RAG's ratings",
            read="the conversation, the rated reply, passages, what was expected, and the ratings as labels",
            rest="the task's fields, the model, `ratings` and `scores` are metadata",
        ),
    ),
    reads_feedback=True,
)
