"""Language switch: the language of a text, and replies in the user's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import found
from stored import said

from turnwise.conversations import ConversationalTestCase, Score, Skipped
from turnwise.engine.metrics import LanguageSwitchMetric
from turnwise.engine.metrics.deterministic import language_switch
from turnwise.engine.metrics.deterministic.language_switch import language_of

ENGLISH = "Where is my bag? I have not seen it since the flight."
GERMAN = "Ihre Tasche ist in Oslo, und wir schicken sie morgen zu Ihnen."


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (ENGLISH, "en"),
        ("I'd like to book a flight from Oslo to Rome.", "en"),
        (GERMAN, "de"),
        ("Où est mon sac ? Je ne le trouve pas dans la gare.", "fr"),
        ("¿Dónde está mi maleta? No la encuentro en el aeropuerto.", "es"),
        ("Dov'è la mia valigia? Non la trovo e non so che fare.", "it"),
        ("Onde está a minha mala? Não consigo ver no aeroporto, por favor.", "pt"),
        ("Waar is mijn tas? Ik kan het niet vinden op het station.", "nl"),
        ("Gdzie jest moja torba? Nie ma jej na lotnisku, proszę.", "pl"),
        ("Var är min väska? Jag kan inte hitta den på stationen.", "sv"),
        ("Hvor er min taske? Jeg kan ikke finde den på stationen, og det er for sent.", "da"),
        ("Çantam nerede? Benim için çok önemli, lütfen bir bakın.", "tr"),
        ("Где моя сумка?", "ru"),
        ("カバンはどこですか", "ja"),
        ("我的包在哪里", "zh"),
        ("가방이 어디 있나요", "ko"),
        ("أين حقيبتي", "ar"),
        ("Πού είναι η τσάντα μου", "el"),
        ("HAT030", None),
        ("Ok", None),
        ("12345 !!!", None),
        ("", None),
        ("```python\nfor the_bag in bags: print(the_bag)\n```", None),
        (f"{GERMAN}\n```\nthe and you your is are was to of for in on\n```", "de"),
    ],
)
def test_a_language_is_told(text, language):
    assert language_of(text) == language


@given(st.text(max_size=100))
def test_any_text_is_told_or_not(text):
    assert language_of(text) is None or len(language_of(text)) == 2


async def judged(case: ConversationalTestCase) -> Score:
    outcome = await found(LanguageSwitchMetric(), case, None)
    assert isinstance(outcome, Score)
    return outcome


@pytest.mark.parametrize(
    ("texts", "value"),
    [
        ((ENGLISH, "It is in Oslo, and we will send it to you."), 1.0),
        ((ENGLISH, GERMAN), 0.0),
        ((ENGLISH, "It is in Oslo, and this is all I have.", "Ok", GERMAN), 0.5),
        ((ENGLISH, "It is in Oslo and on its way to you.", "Und wo ist die Tasche nun?", GERMAN), 1.0),
        (("Ok", ENGLISH, "Und wo ist die Tasche nun?", GERMAN), 0.5),
    ],
)
async def test_the_score_is_the_share_in_the_users_language(texts, value):
    assert (await judged(said(*texts))).score == value


async def test_the_reason_names_both_languages():
    outcome = await judged(said(ENGLISH, GERMAN))
    assert (
        outcome.reason
        == "The only reply switches the language (turn 2): in German, and the user writes English"
    )


async def test_before_the_user_says_enough_the_first_reply_sets_the_language():
    outcome = await judged(said("Ok", GERMAN, "Ok", "It is in Oslo, and we will send it to you."))
    assert outcome.score == 0.0
    assert [verdict.turn for verdict in outcome.verdicts] == [4], "there is nothing to compare the first with"
    assert outcome.verdicts[0].reason == "in English, and it began in German"


def test_addresses_do_not_count_however_long_the_words_are() -> None:
    german = "Ich habe das nicht und sie ist mit der Post."
    assert language_of(f"{german} the.and.you@is.to.of.for.in") == "de"
    assert language_of(f"{german} {'QUJD' * 50_000}") == "de"
    assert language_of("@ and you are @ the @") == "en"


async def test_replies_of_unknown_language_are_told_and_not_passed_off_as_judged() -> None:
    for nothing, told in (
        (("hi", "hello"), "no reply is long enough to tell its language"),
        ((ENGLISH, "HAT030"), "no reply is long enough to tell its language"),
        ((ENGLISH,), "there is no reply in words"),
        ((ENGLISH, " "), "there is no reply in words"),
        (("Ok", GERMAN), "nothing that the user says is long enough to tell its language"),
        ((" ", GERMAN), "the user says nothing to compare the reply's language with"),
    ):
        skipped = await found(LanguageSwitchMetric(), said(*nothing), None)
        assert isinstance(skipped, Skipped)
        assert skipped.reason == told
    one = await judged(said(ENGLISH, "Ok", ENGLISH, ENGLISH))
    assert one.reason == "The only reply keeps to the language. 1 reply is too short or too mixed to tell."
    bad = await judged(said(ENGLISH, "Ok", ENGLISH, GERMAN))
    assert bad.reason.endswith("the user writes English. 1 reply is too short or too mixed to tell.")


def test_every_language_that_is_told_apart_has_a_name() -> None:
    assert {*language_switch._SCRIPTS, *language_switch._COMMON} == {*language_switch.NAMES}
