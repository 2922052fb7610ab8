"""A judge that finds what is wrong points at the very sentence, by the question as it is really asked."""

from judged import found, judge_at
from planted_faults import knows_faults, planted

from turnwise.conversations import Score
from turnwise.engine.metrics import RoleAdherenceMetric


async def test_the_quotes_of_a_good_judge_are_the_sentences_that_were_planted(judge_server):
    judge_server.default = knows_faults
    hit, quoted = 0, 0
    async with judge_at(judge_server) as judge:
        for one in planted(40):
            outcome = await found(RoleAdherenceMetric(), one.case, judge)
            assert isinstance(outcome, Score)
            [verdict] = [verdict for verdict in outcome.verdicts if verdict.passed is False]
            assert verdict.turn == one.turn
            assert verdict.quote is not None
            quoted += 1
            content = one.case.turns[one.turn - 1].content
            assert content[verdict.quote.start : verdict.quote.end] == verdict.quote.text
            hit += verdict.quote.text == one.sentence
    assert quoted == 40
    assert hit == 40
