"""turnwise: reading, judging and replaying conversations with chatbots.

The common names are here, as in `from turnwise import LLMTestCase, AnswerRelevancyMetric, evaluate`. Each is
loaded when it is first asked for, so that importing the package costs next to nothing.
"""


def __getattr__(name: str) -> object:
    # Nothing is imported above: where a command starts, ctrl+c is heard from here on only.
    from turnwise.engine.library_names import load  # the list of names is read when one is asked for

    return load(name)


def __dir__() -> list[str]:
    from turnwise.engine.library_names import public_names

    return [*globals(), "__version__", *public_names()]
