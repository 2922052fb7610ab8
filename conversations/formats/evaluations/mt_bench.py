"""MT-Bench: questions of two turns, models' answers to them, and a judge's marks from 1 to 10.

Questions and answers are published in files of their own: question.jsonl, and model_answer/*.jsonl below it.
An answer is a session where its question stands before it in the same lines, or in the one file of questions
beside or above its own; without it nobody knows what was asked. A judgement holds the conversation in the
prompt that the judge was sent.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.errors import InputError, NoConversationsError
from turnwise.conversations.files import decode_json
from turnwise.conversations.formats.evaluations.run_documents import (
    Fields,
    first_records,
    kept,
    several,
    with_expectation,
)
from turnwise.conversations.formats.feedback import Feedback, add_feedback
from turnwise.conversations.formats.feedback_entries import seconds_of
from turnwise.conversations.formats.format import Contents, Format, Options, Record, Shape, rejected
from turnwise.conversations.formats.json_records import PlacedValue, json_values
from turnwise.conversations.formats.messages import contents_of
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.models import shorten

_TOOL = "MT-Bench"
_QUESTIONS, _ANSWERS, _LINES = "question.jsonl", "model_answer", "*.jsonl"
_MOST_FILES = 200
_LONGEST_LINE = 1_000_000
"""What stands in a folder beside these files is looked at only so far."""
_TALK = re.compile(
    r"<\|The Start of Assistant A's Conversation with User\|>\s*(.*?)\s*<\|The End of Assistant A's", re.S
)
_SPEAKER = re.compile(r"^### (User|Assistant A):\n", re.M)
_ONE = re.compile(
    r"\[Question\]\n(.*?)\n\n(?:\[The Start of Reference Answer\].*?\n\n)?"
    r"\[The Start of Assistant's Answer\]\n(.*)\n\[The End of Assistant's Answer\]",
    re.S,
)


def _is_question(value: Any) -> bool:
    turns = value.get("turns") if isinstance(value, dict) and "question_id" in value else None
    return isinstance(turns, list) and all(isinstance(one, str) for one in turns)


def _is_answer(value: Any) -> bool:
    choices = value.get("choices") if isinstance(value, dict) and "question_id" in value else None
    return isinstance(choices, list) and any(isinstance(one, dict) and "turns" in one for one in choices)


def _is_judgement(value: Any) -> bool:
    return isinstance(value, dict) and {"question_id", "judge", "user_prompt", "judgment"} <= value.keys()


def _sniff(source: Source) -> float:
    known = (_is_question, _is_answer, _is_judgement)
    return 0.97 if any(tells(value) for value in first_records(source) for tells in known) else 0.0


def _read(source: Source, options: Options) -> Iterator[Record]:
    questions: dict[str, Fields] = {}
    waiting: list[PlacedValue] = []
    for one in json_values(source, is_part=lambda value: False, envelopes=frozenset()):
        if not isinstance(one, PlacedValue):
            yield one
        elif _is_question(one.value):
            questions[str(one.value["question_id"])] = one.value
            waiting.append(one)
        else:
            waiting.clear()
            if not questions and _is_answer(one.value):
                questions = _questions_beside(source)
            yield from several(partial(_sessions_of, one.value, questions), one.place)
    # A file that ends with questions holds nothing but these.
    if waiting and (answers := _answers_beside(source)) is not None:
        raise NoConversationsError.of(
            "questions of MT-Bench",
            f"{source.name} holds questions, not conversations",
            detail=f"{source.name}: their answers stand in other files.",
            next_step=f"Import the answers: turnwise import {shlex.quote(str(answers))}",
        )
    for one in waiting:
        yield rejected(
            one.place, "turns: this question has no answer here; give the answers behind the questions"
        )


def _questions_beside(source: Source) -> dict[str, Fields]:
    """Return the questions in the file beside one of answers, or in question.jsonl above it."""
    path = Path(source.name)
    near = (path.parent.glob(_LINES), path.parent.parent.glob(_QUESTIONS))
    files = list(_files_near(path, near, _is_question))
    # Other questions may have the same numbers.
    if len(files) != 1:
        return {}
    with suppress(OSError, ValueError, InputError):
        found = [decode_json(line) for line in files[0].read_bytes().splitlines() if line.strip()]
        return {str(one["question_id"]): one for one in found if _is_question(one)}
    return {}


def _answers_beside(source: Source) -> Path | None:
    """Return a file of answers beside one of questions, or in model_answer below it."""
    path = Path(source.name)
    near = (path.parent.glob(_LINES), path.parent.glob(f"{_ANSWERS}/{_LINES}"))
    return next(_files_near(path, near, _is_answer), None)


def _files_near(
    path: Path, near: Iterable[Iterable[Path]], is_wanted: Callable[[Any], bool]
) -> Iterator[Path]:
    """Yield the files of those near a file that begin with what is wanted; none where it is no file."""
    if not path.is_file():
        return
    for other in islice(sorted(chain.from_iterable(near)), _MOST_FILES):
        with suppress(OSError, ValueError, InputError):
            with other.open("rb") as file:
                begins = decode_json(file.readline(_LONGEST_LINE))
            if other != path and is_wanted(begins):
                yield other


def _sessions_of(record: Any, questions: dict[str, Fields]) -> Iterator[Contents]:
    if _is_answer(record):
        yield from _answers(record, questions)
    elif _is_judgement(record):
        yield _judged(record)
    else:
        raise ValueError(
            f"expected a question with turns, an answer with choices, or a judgement; got {shorten(record)}"
        )


def _answers(record: Fields, questions: dict[str, Fields]) -> Iterator[Contents]:
    question = questions.get(str(record["question_id"]))
    if question is None:
        raise ValueError(
            f"question_id: the question {record['question_id']} is not here, so that nobody knows what was "
            "asked; put question.jsonl into the same folder, or its lines before those of the answers"
        )
    model = record.get("model_id", record.get("model"))
    for number, choice in enumerate(record["choices"]):
        answered = choice.get("turns") if isinstance(choice, dict) else None
        if not isinstance(answered, list) or not all(isinstance(text, str) for text in answered):
            raise ValueError(f"choices[{number}].turns: expected a list of texts; got {shorten(answered)}")
        if len(answered) > len(question["turns"]):
            raise ValueError(f"choices[{number}].turns: expected one for each question; got {len(answered)}")
        said = [
            {"role": role, "content": text}
            for pair in zip(question["turns"], answered, strict=False)
            for role, text in zip(("user", "assistant"), pair, strict=True)
        ]
        made = contents_of(said, "turns", {})
        place = f"{record['question_id']}/{model}"
        about = {
            **kept(**{name: item for name, item in question.items() if name != "turns"}),
            **kept(**{name: item for name, item in record.items() if name != "choices"}),
            **kept(model=model, source_id=f"{place}/{number}" if number else place),
        }
        case = made.case.model_copy(update={"metadata": about})
        reference = question.get("reference")
        if isinstance(case, ConversationalTestCase) and isinstance(reference, list):
            case = with_expectation(case, "\n\n".join(text for text in reference if isinstance(text, str)))
        yield replace(made, case=case)


def _judged(record: Fields) -> Contents:
    """Return what a judge of single answers was shown, with its mark."""
    made = contents_of(_shown(str(record["user_prompt"])), "user_prompt", {})
    judge = record["judge"]
    named = str(judge[0]) if isinstance(judge, list) and judge else str(judge)
    model = record.get("model")
    about = {**kept(**record), **kept(model=model), "source_id": f"{record['question_id']}/{model}"}
    score = record.get("score")
    found = Feedback(
        name="mt-bench",
        value=None if score == -1 else score,
        by="model",
        author=named,
        note=str(record["judgment"]),
        lowest=1,
        highest=10,
        at=seconds_of(record.get("tstamp")),
        certain=True,
        error="the judge gave no mark" if score == -1 else "",
    )
    contents = replace(made, case=made.case.model_copy(update={"metadata": about}))
    return add_feedback(contents, [found], _TOOL)


def _shown(prompt: str) -> list[Fields]:
    """Return the conversation in a judge's prompt. Raises ValueError where it has another form."""
    if (talk := _TALK.search(prompt)) is not None:
        parts = _SPEAKER.split(talk[1])
        roles = {"User": "user", "Assistant A": "assistant"}
        said = zip(parts[1::2], parts[2::2], strict=True)
        if len(parts) > 1 and not parts[0].strip():
            return [{"role": roles[speaker], "content": text.strip()} for speaker, text in said]
    if (one := _ONE.search(prompt)) is not None:
        return [{"role": "user", "content": one[1]}, {"role": "assistant", "content": one[2]}]
    raise ValueError(
        f"user_prompt: expected a question and an answer between the marks of MT-Bench; got {shorten(prompt)}"
    )


FORMAT = Format(
    name="mt-bench",
    title="answers and judgements of MT-Bench (JSONL)",
    sniff=_sniff,
    read=_read,
    shapes=(
        Shape(
            "MT-Bench's answers behind their questions",
            read="`turns` of the question with `choices[].turns`, `reference` as what was expected",
            rest="metadata; an answer without its question is rejected",
        ),
        Shape(
            "MT-Bench's judgements of single answers",
            read="the conversation in `user_prompt`; `score` from 1 to 10 and `judgment` as a score",
        ),
    ),
    reads_feedback=True,
)
