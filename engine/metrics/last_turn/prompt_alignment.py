"""Prompt alignment: does a reply do what its instructions ask for?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import JudgedItem
from turnwise.engine.metrics.metric import Finding, Metric, Scope, lacking
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Example, Narrow, VerdictWords, ask_numbered, share_finding

_ASK = """\
The chatbot is held to the instructions below. Does its last reply follow each of them? The verdict is yes \
when it does, also when the instruction does not apply to this reply. It is no when the reply goes against \
the instruction, or lacks what it asks for."""
_NARROW_ASK = (
    "Does the chatbot's last turn follow the instruction? yes if it does or if the instruction does not "
    "apply here; no if it goes against it or lacks what it asks for."
)
_EXAMPLES = (
    Example(
        (("user", "How old is the tower?"), ("assistant", "IT IS THREE HUNDRED YEARS OLD.")),
        "All its letters are capitals.",
        "yes",
        about="Write in capital letters.",
    ),
    Example(
        (("user", "How old is the tower?"), ("assistant", "It is three hundred years old.")),
        "It does not end with a question.",
        "no",
        about="End every reply with a question.",
    ),
    Example(
        (("user", "Hello!"), ("assistant", "Hello! What can I do for you?")),
        "Nobody asked for a price yet.",
        "yes",
        about="Whenever you name a price, name the tax as well.",
    ),
)


@dataclass(kw_only=True, eq=False)
class PromptAlignmentMetric(Metric):
    """Whether the reply follows the instructions of its prompt.

    prompt_instructions: the instructions, each one thing that a reply can be held to.
    """

    key: ClassVar[str] = "prompt_alignment"
    positional: ClassVar[tuple[str, ...]] = ("prompt_instructions", "threshold", "model")
    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("input", "actual_output")
    main_setting: ClassVar[str] = "prompt_instructions"
    main_sample: ClassVar[str] = "Answer in one sentence."
    account: ClassVar[Account] = Account(
        asks="Does the reply follow the instruction?",
        formula="instructions followed / instructions",
        source="deepeval's PromptAlignment",
        empty="there is always an instruction",
        calls="1; with a small judge, 1 an instruction",
    )

    prompt_instructions: list[str] | str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        given = self.prompt_instructions
        texts = [given] if isinstance(given, str) else given
        self.prompt_instructions = [text.strip() for text in texts if text.strip()]
        if not self.prompt_instructions:
            raise lacking(self, "the instructions to hold replies to")

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a verdict on every instruction."""
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_ASK,
            noun="instruction",
            items=[
                JudgedItem(count, subject.reply_turn, text)
                for count, text in enumerate(self.prompt_instructions, start=1)
            ],
            words=VerdictWords({"yes": True, "no": False}),
            narrow=Narrow(_NARROW_ASK, 1, _EXAMPLES, label="Instruction"),
        )
        return share_finding(
            found.verdicts, found.details, good="are followed", bad="are not followed", noun="instruction"
        )
