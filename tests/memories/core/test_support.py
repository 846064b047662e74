"""Signs that an answer was found: more of what is asked for makes it likelier."""

from __future__ import annotations

from dataclasses import replace

from memories.core.policy import Policy
from memories.core.questions.support import SIGNS, Found, probability, signs
from memories.core.text.lexical import terms

POLICY = Policy.default()


def row(text: str, near: float, *, said: bool | None = None, slot: float = 0.0) -> Found:
    return Found(text, frozenset(terms(text)), 0.5 * near, near, said, slot)


def chance(found: list[Found], question: str) -> float:
    weights = {name: POLICY.number(f"abstain.{name}") for name in SIGNS}
    return probability(signs(found, question), weights, POLICY.number("abstain.bias"))


def test_without_rows_every_sign_is_nothing() -> None:
    assert set(signs([], "where is the ladder").values()) == {0.0}


def test_a_near_row_with_the_words_makes_an_answer_likelier() -> None:
    far = [row("the cake was good", 0.1), row("rain again", 0.05)]
    close = [row("the ladder is in the shed", 0.8), row("rain again", 0.05)]
    assert chance(close, "where is the ladder") > chance(far, "where is the ladder")


def test_a_relation_that_nobody_spoke_of_makes_it_less_likely() -> None:
    for question, there, absent in (
        ("what is my aunt's shoe size", "my aunt wears size 39", "my cousin wears size 39"),
        ("我姑姑穿几码的鞋", "我姑姑穿39码", "我舅舅穿39码"),
    ):
        known, unknown = [row(there, 0.5)], [row(absent, 0.5)]
        assert signs(known, question)["whom"] == 1
        assert signs(unknown, question)["whom"] == -1
        assert chance(known, question) > chance(unknown, question)


def test_words_of_another_speaker_than_the_one_named_speak_against_it() -> None:
    own = [row("I sold the boat", 0.5, said=True), row("rain again", 0.1, said=False)]
    swapped = [replace(one, said=not one.said) for one in own]
    assert signs(own, "who sold the boat")["speaker"] > 0 > signs(swapped, "who sold the boat")["speaker"]


def test_a_slot_that_holds_it_makes_it_likelier() -> None:
    plain = [row("the ladder is in the shed", 0.4)]
    assert chance([replace(plain[0], slot=1.0)], "where is the ladder") > chance(plain, "where is the ladder")
