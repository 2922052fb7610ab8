import random
from itertools import islice

from hypothesis import given
from hypothesis import strategies as st
from planted_modes import MODES, PlantedCorpus

from turnwise.engine.metrics.subject import Subject
from turnwise.engine.novelty.novel_order import novel_order
from turnwise.engine.novelty.signs import Sighting, sighting_of


def said(*words: int) -> Sighting:
    return Sighting(frozenset(words), frozenset(), {})


def test_what_is_shared_and_new_comes_first_and_what_is_odd_and_alone_does_not() -> None:
    usual, new, odd = said(1, 2), said(3, 4), said(90, 91, 92)
    crowd = [said(place % 7 + 10) for place in range(60)]
    order = list(novel_order([usual, usual, new, new, odd, *crowd], seen=[0]))
    assert order.index(2) < 7
    assert order.index(1) > 7
    assert order.index(3) > 7
    assert order.index(4) > 7


@given(st.lists(st.builds(lambda words: said(*words), st.sets(st.integers(0, 9))), max_size=40), st.data())
def test_each_that_was_not_seen_comes_once(sightings: list[Sighting], data: st.DataObject) -> None:
    places = range(len(sightings))
    seen = data.draw(st.sets(st.sampled_from(places))) if sightings else set()
    order = list(novel_order(sightings, seen))
    assert sorted(order) == sorted(set(places) - seen)
    assert order == list(novel_order(sightings, seen))


def test_it_meets_more_planted_modes_than_chance_does() -> None:
    corpus = PlantedCorpus(seed=5000, share=0.02)
    modes = [corpus.mode(number) for number in range(800)]
    sightings = [sighting_of(Subject.of(corpus.session(number).case)) for number in range(800)]
    met = {modes[place] for place in islice(novel_order(sightings), 40)} - {""}
    by_chance = [len(set(random.Random(seed).sample(modes, 40)) - {""}) for seed in range(200)]
    assert len(met) > sum(by_chance) / len(by_chance) + 1
    assert met <= set(MODES)
