"""Generated scripts: the same seed gives the same script, and a value in a context can mean one fact only."""

from __future__ import annotations

import pytest

from sessions_app.evaluation.attributes import DRAWS, attributes
from sessions_app.evaluation.matching import stands_in
from sessions_app.evaluation.script import Script, generated, sixty

LANGUAGES = ("zh", "en")


def _script(language: str, seed: int = 0) -> Script:
    return generated(600, 50, language, seed)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_seed_gives_the_same_script_and_another_one_another(language: str) -> None:
    one, again, other = _script(language), _script(language), _script(language, seed=1)
    assert (one.turns, one.planted) == (again.turns, again.planted)
    assert [turn.text for turn in one.turns] != [turn.text for turn in other.turns]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", [0, 1])
def test_each_value_stands_in_the_one_turn_that_says_it(language: str, seed: int) -> None:
    script = _script(language, seed)
    for fact in script.planted:
        said = {fact.value: fact.turn if fact.updated_turn is None else fact.updated_turn}
        if fact.old_value:
            said[fact.old_value] = fact.turn
        for value, turn in said.items():
            assert [at for at, one in enumerate(script.turns) if stands_in(value, one.text)] == [turn]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_question_gives_its_answer_away(language: str) -> None:
    for script in (sixty(language), _script(language)):
        for fact in script.planted:
            assert not stands_in(fact.value, fact.question)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_quarter_is_updated_later_and_every_kind_of_fact_is_planted(language: str) -> None:
    script = _script(language)
    updated = [fact for fact in script.planted if fact.old_value]
    assert len(updated) == len(script.planted) // 4
    assert all(fact.updated_turn is not None and fact.updated_turn > fact.turn for fact in updated)
    assert {fact.attribute for fact in script.planted} == set(DRAWS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_fact_has_four_distractors_that_share_its_words(language: str) -> None:
    """At most this much of the script is small talk: facts, updates, and four turns around each fact are taken."""
    script = _script(language)
    talked_around = 50 + 50 // 4 + 4 * 50
    replies = {"好的。", "这个我不清楚。", "All right.", "I do not know that."}
    assert sum(turn.text in replies for turn in script.turns if turn.role == "assistant") == talked_around


@pytest.mark.parametrize("language", LANGUAGES)
def test_talk_around_a_fact_has_several_forms_and_no_place_for_a_value(language: str) -> None:
    for attribute in attributes(language):
        assert len(attribute.distract) >= 3
        assert all("{v}" not in text for text in (*attribute.distract, *attribute.asked, *attribute.question))
        assert all("{e}" in text for text in (*attribute.say, *attribute.change, *attribute.question))


def test_a_script_too_short_for_its_facts_is_refused() -> None:
    with pytest.raises(ValueError, match="too short"):
        generated(60, 50, "en", 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sixty_turn_script_plants_its_facts_where_the_requirements_say(language: str) -> None:
    script = sixty(language)
    assert len(script.turns) == 60
    assert [fact.turn + 1 for fact in script.planted] == [2, 8, 18, 26, 40]
    for fact in script.planted:
        assert stands_in(fact.value, script.turns[fact.turn].text)
