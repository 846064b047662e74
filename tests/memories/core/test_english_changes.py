"""English updates, restatements, corrections and what is none of them, over an open vocabulary, through reading and placing."""

from __future__ import annotations

from datetime import UTC

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from memories.core.extraction import extract
from memories.core.placement.placing import Place
from tests.memories.core.english_statements import (
    CLASHES,
    NOW,
    Store,
    amount_pairs,
    attributes,
    codes,
    counts,
    days,
    invented_verbs,
    money,
    names,
    nouns,
    openers,
    pairs,
    people,
    trailers,
    verbs_in_form,
    verbs_of_change,
)

some = settings(max_examples=25)


@some
@given(attributes, pairs, openers)
def test_a_later_value_of_anything_of_mine_takes_the_place_of_the_old_one(
    attribute: str, values: tuple[str, str], opener: str
) -> None:
    old, new = values
    for later in (
        f"{opener}my {attribute} is now {new}.",
        f"{opener}my {attribute} changed from {old} to {new}.",
        f"{opener}I changed my {attribute} to {new}.",
        f"{opener}my {attribute} is {new}, not {old}.",
    ):
        store = Store()
        store.say(f"My {attribute} is {old}.")
        store.say(later)
        assert store.holds(new), later
        assert not store.holds(old), later


@some
@given(names, attributes, amount_pairs, verbs_of_change, trailers)
def test_any_verb_of_change_moves_an_amount(
    owner: str, attribute: str, values: tuple[str, str], verb: str, trailer: str
) -> None:
    old, new = values
    for later in (
        f"{owner}'s {attribute} {verb} from {old} to {new}{trailer or '.'}",
        f"{owner}'s {attribute} {verb} to {new}{trailer or '.'}",
        f"I keep an eye on {owner}'s {attribute}, which {verb} to {new}{trailer or '.'}",
    ):
        store = Store()
        store.say(f"{owner}'s {attribute} is {old}.")
        store.say(later)
        assert store.holds(new), later
        assert not store.holds(old), later


@some
@given(
    attributes,
    pairs,
    st.sampled_from(
        [
            "My {a} is still {v}.",
            "My {a} hasn't changed, it's still {v}.",
            "As I said, my {a} is {v}.",
            "My {a} remains {v}.",
        ]
    ),
)
def test_a_restatement_never_conflicts(attribute: str, values: tuple[str, str], again: str) -> None:
    store = Store()
    store.say(f"My {attribute} is {values[0]}.")
    places = store.say(again.format(a=attribute, v=values[0]))
    assert not CLASHES & set(places)
    assert store.holds(values[0])


@some
@given(names, names, attributes, attributes, pairs)
def test_another_thing_or_another_attribute_never_conflicts(
    owner: str, other: str, attribute: str, second: str, values: tuple[str, str]
) -> None:
    store = Store()
    store.say(f"{owner}'s {attribute} is {values[0]}.")
    assume(other.lower() != owner.lower() and attribute != second)
    # Where an attribute is called like its owner, or is a shorter name of the other one, words do not tell them apart.
    assume(not {*second.lower().split()} <= {*attribute.lower().split()})
    assume(not {owner.lower(), other.lower()} & {*attribute.lower().split(), *second.lower().split()})
    for text in (
        f"{other}'s {attribute} is now {values[1]}.",
        f"{owner}'s {second} is now {values[1]}.",
        f"My {attribute} is now {values[1]}.",
    ):
        assert store.say(text) == [Place.NEW], text
    assert store.holds(values[0])


@some
@given(names, attributes, money)
def test_what_is_supposed_wished_asked_denied_or_told_by_others_is_no_present_fact(
    owner: str, attribute: str, value: str
) -> None:
    for text in (
        f"If {owner}'s {attribute} rises to {value}, I'll be glad.",
        f"I wish my {attribute} was {value}.",
        f"What if my {attribute} went up to {value}?",
        f"I'm wondering if {owner}'s {attribute} is {value}.",
        f"My {attribute} might be {value}.",
        f"My {attribute} is not {value}.",
        f"I want to raise my {attribute} to {value}.",
        f"My {attribute} should be raised to {value}.",
        f"I almost raised my {attribute} to {value}.",
        f"Somebody told me that {owner}'s {attribute} is {value}.",
        f'"My {attribute} is {value}," said {owner}.',
        f"{owner} thinks that my {attribute} is {value}.",
        f"Has {owner}'s {attribute} gone up to {value}?",
    ):
        store = Store()
        store.say(text)
        assert not store.holds(value), text


@some
@given(attributes, amount_pairs)
def test_a_slip_is_corrected_in_the_same_breath(attribute: str, values: tuple[str, str]) -> None:
    old, new = values
    for text in (
        f"My {attribute} is {old}. Sorry, I misspoke, it's {new}.",
        f"My {attribute} is {old}. Scratch that, make it {new}.",
        f"My {attribute} is {old}. Correction: it's {new}, not {old}.",
    ):
        store = Store()
        store.say(text)
        assert store.holds(new), text
        assert not store.holds(old), text


@some
@example("rent", ("$2", "$2,000"))
@given(attributes, pairs)
def test_a_correction_names_the_old_value(attribute: str, values: tuple[str, str]) -> None:
    old, new = values
    found = extract(
        f"Actually, my {attribute} is {new}, not {old}.", role="user", speaker="", said_at=NOW, tz=UTC
    )
    (fact,) = [one for one in found if one.attribute]
    assert (fact.value, fact.replaces, fact.correction) == (new, old, True)


@some
@given(nouns, counts, counts, st.sampled_from(["finished", "collected", "reviewed", "blorted"]), trailers)
def test_progress_told_inside_a_longer_question_is_a_fact(
    thing: str, first: str, then: str, verb: str, trailer: str
) -> None:
    store = Store()
    store.say(f"I want to improve a little, and I've already {verb} {first} {thing}s{trailer or '.'}")
    store.say(f"I'm looking for tips, since I've now {verb} {then} {thing}s{trailer or '.'}")
    assert store.holds(then)
    assert first == then or not store.holds(first)


@some
@given(nouns, days, days, people)
def test_a_meeting_that_was_moved_has_one_date(topic: str, first: str, then: str, person: str) -> None:
    for later in (
        f"I rescheduled the {topic} meeting with {person} to {then}.",
        f"The {topic} meeting with {person} was moved from {first} to {then}.",
        f"The {topic} meeting with {person} has been pushed back to {then}.",
    ):
        store = Store()
        store.say(f"I have a {topic} meeting with {person} on {first}, what should I bring?")
        store.say(later)
        assert store.holds(then), later
        assert first == then or not store.holds(first), later


@some
@given(names, verbs_in_form)
def test_never_and_done_stand_in_one_slot_with_opposite_signs(thing: str, verb: tuple[str, str, str]) -> None:
    base, past, participle = verb
    never = f"I've never {participle} {thing}, can you help me?"
    for done in (
        f"I've {participle} {thing} for years, and it shows.",
        f"I {past} {thing} last year.",
        f"I've been {base}ing {thing} since March.",
    ):
        for first, then in ((done, never), (never, done)):
            store = Store()
            assert store.say(first)[0] is Place.NEW, first
            assert store.say(then)[-1] in CLASHES, then


@some
@given(names, names, verbs_in_form)
def test_never_for_one_thing_says_nothing_of_another(
    one: str, other: str, verb: tuple[str, str, str]
) -> None:
    assume(one.lower() != other.lower())
    store = Store()
    store.say(f"I've {verb[2]} {one} for my notes.")
    assert store.say(f"I've never {verb[2]} {other} for anything.") == [Place.NEW]


@some
@given(names, verbs_in_form, verbs_in_form)
def test_never_for_one_verb_says_nothing_of_another(
    thing: str, verb: tuple[str, str, str], other: tuple[str, str, str]
) -> None:
    assume(verb != other)
    store = Store()
    store.say(f"I've never {verb[2]} {thing}.")
    assert store.say(f"I've {other[2]} {thing} for years.") == [Place.NEW]


@some
@given(names, names, st.sampled_from(["dropped", "traded", "swapped", "ditched", "replaced", "gave up"]))
def test_one_named_thing_for_another_takes_its_place(old: str, new: str, verb: str) -> None:
    assume(old.lower() != new.lower())
    for later in (f"I {verb} {old} for {new}.", f"Last week I've finally {verb} {old} for {new}."):
        store = Store()
        store.say(f"I use {old}.")
        store.say(later)
        assert store.holds(new), later
        assert not store.holds(old), later


@some
@given(names, nouns, st.sampled_from(["dropped", "traded", "swapped", "baked", "sent", "took"]))
def test_what_is_done_with_somebody_for_something_puts_nothing_in_its_place(
    who: str, noun: str, verb: str
) -> None:
    for later in (
        f"I {verb} the {noun} with {who} for lunch.",
        f"I {verb} {noun}s with {who} for hours.",
        f"I {verb} my {noun} for the weekend.",
    ):
        store = Store()
        store.say(f"I use {who}.")
        store.say(later)
        assert store.holds(who), later


@some
@given(nouns, days, days, invented_verbs)
def test_any_verb_moves_a_date(topic: str, first: str, then: str, verb: str) -> None:
    assume(first != then)
    for later in (
        f"They {verb}ed the {topic} meeting to {then}.",
        f"The {topic} meeting got {verb}ed to {then}.",
    ):
        store = Store()
        store.say(f"The {topic} meeting is on {first}.")
        store.say(later)
        assert store.holds(then), later
        assert not store.holds(first), later


@some
@given(
    attributes,
    pairs,
    st.sampled_from(["Sorry, {v}.", "No wait, {v}.", "Make that {v}.", "I meant {v}.", "Correction: {v}.", "Oops, {v}, my mistake."]),
)  # fmt: skip
def test_a_bare_new_value_corrects_what_was_said_last(
    attribute: str, values: tuple[str, str], words: str
) -> None:
    old, new = values
    assume(new[:1] in "$0123456789" or "-" in new)
    store = Store()
    store.say(f"My {attribute} is {old}.")
    assert store.say(words.format(v=new)) == [Place.SUPERSEDE]
    assert store.holds(new)
    assert not store.holds(old)


@some
@given(attributes, money, days)
def test_a_bare_value_of_another_sort_corrects_nothing(attribute: str, value: str, day: str) -> None:
    store = Store()
    store.say(f"My {attribute} is {value}.")
    assert store.say(f"Sorry, {day}.") == []
    assert store.holds(value)


@some
@given(names, names, nouns, st.sampled_from(["took over", "takes over", "stepped in", "was picked"]))
def test_who_takes_a_part_over_has_it(old: str, new: str, noun: str, verb: str) -> None:
    assume(old.lower() != new.lower())
    store = Store()
    store.say(f"Our {noun} is {old}.")
    store.say(f"{new} {verb} as our {noun}.")
    assert store.holds(new)
    assert not store.holds(old)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("I no longer live in Tartu", "Tartu", None),
        ("I used to live in Tartu", "Tartu", None),
        ("I moved from Tartu to Ghent", "Tartu", "Ghent"),
    ],
)
def test_what_holds_no_longer_ends_what_held(text: str, old: str, new: str | None) -> None:
    store = Store()
    store.say(f"I live in {old}.")
    store.say(text)
    assert not store.holds(old)
    assert new is None or store.holds(new)


@some
@given(names, names)
def test_a_past_period_leaves_the_present_alone(here: str, there: str) -> None:
    store = Store()
    store.say(f"I live in {here}.")
    places = store.say(f"I lived in {there} from 2014 to 2017.")
    assert not CLASHES & set(places)
    assert store.holds(here)


@some
@given(codes)
def test_reading_is_the_same_each_time(code: str) -> None:
    text = f"The {code} budget went up to $500, and I've finished 3 tasks, so can I stop?"
    assert extract(text, role="user", speaker="", said_at=NOW, tz=UTC) == extract(
        text, role="user", speaker="", said_at=NOW, tz=UTC
    )
