"""Statements in note form are kept in their own words, and give way to what is said later of the same sort, and to nothing else."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memories.core.placement.placing import Place
from memories.core.statement import NOTE
from tests.memories.core.english_statements import (
    CLASHES,
    Store,
    clocks,
    counts,
    money,
    names,
    nouns,
    percents,
    read,
    told,
)

some = settings(max_examples=25, deadline=None)


def notes(text: str) -> list[str]:
    """The notes that are read out of a turn."""
    return [one.value or "" for one in read(text) if (one.attribute or "").startswith(NOTE)]


def says(store: Store, words: str) -> bool:
    """Whether a current fact has these words in its value, and does not say that it is over."""
    return any(
        words in fact.value and not fact.negated for one in store.known if one.current for fact in one.facts
    )


@pytest.mark.parametrize(
    "text",
    [
        "nursery walls: sage and cream",
        "drop-off is at the side door of the hall",
        "paddle club on the 9th, down at the quay",
        "we host the shop on Fastly",
        "loom built with Arduino",
        "six crews in the regatta",
        "water bill was $61 last quarter",
        "Mrs. Okafor conducts our choir",
        "audition with Kestrel Thursday 4 pm",
        "I'm up at 4:45 for the bakery",
    ],
)
def test_a_statement_in_note_form_is_kept(text: str) -> None:
    assert notes(text) or read(text), text


@pytest.mark.parametrize(
    "text",
    [
        "A grown walrus weighs 1,200 kg.",
        "The average flat in Porto costs 1,100 euros.",
        "The mayor of Turin is Bianchi.",
        "rank these ideas for Saturday",
        "make me a table with 4 columns",
        "that was a mess in Boston",
        "I'd love to host 12 people one day",
        "we rowed past Bergen and it rained",
        "could you find 3 synonyms",
        "maybe 40 people will come",
    ],
)
def test_what_is_no_statement_of_ones_own_leaves_no_note(text: str) -> None:
    assert notes(text) == []


@some
@given(nouns, st.tuples(counts, counts).filter(lambda pair: pair[0] != pair[1]))
def test_a_count_just_said_gives_way_to_a_new_one(noun: str, pair: tuple[str, str]) -> None:
    old, new = pair
    for later in (
        f"we're at {new} {noun}s now",
        f"make that {new} {noun}s",
        f"two more called, so it's {new} {noun}s altogether",
    ):
        store = told(f"picnic for {old} {noun}s", later, at_once=True)
        assert says(store, new), later
        assert not says(store, f" {old} {noun}s"), later


@some
@given(st.sampled_from([percents, money, clocks]).flatmap(lambda kind: st.tuples(kind, kind)).filter(lambda pair: pair[0] not in pair[1] and pair[1] not in pair[0]), nouns)  # fmt: skip
def test_a_value_of_its_sort_takes_the_place_of_the_one_just_said(pair: tuple[str, str], noun: str) -> None:
    old, new = pair
    store = told(f"{noun} club slot: {old}", f"they moved it to {new}", at_once=True)
    assert says(store, new)
    assert not says(store, old)


@some
@given(nouns, names, names)
def test_a_name_takes_the_place_of_the_one_just_said(noun: str, one: str, other: str) -> None:
    assume(one not in other and other not in one)
    assume(not any(word.endswith("ed") for word in (noun, one, other)))  # "flidotred" looks like a verb
    for later in (
        f"Everything's been moved over to {other}.",
        f"starting today we work with {other}",
        f"I ported the whole thing to {other}",
    ):
        store = told(f"{noun} viewer built with {one}", later, at_once=True)
        assert says(store, other), later
        assert not says(store, one), later


def test_another_of_its_kind_takes_the_place_of_the_one_just_said() -> None:
    store = told(
        "boarding is at the lower jetty of the island",
        "we all get on at the upper jetty for now",
        at_once=True,
    )
    assert says(store, "upper jetty")
    assert not says(store, "lower jetty")


def test_the_rest_of_a_note_stays_when_one_of_its_values_changes() -> None:
    store = told(
        "rowing machine is 9 rounds a set at 30 kg", "I'm doing 14 rounds a set until Easter", at_once=True
    )
    assert says(store, "14 rounds")
    assert says(store, "30 kg")


@pytest.mark.parametrize(
    ("first", "later", "value"),
    [
        ("gas bill was $55 last month", "My uncle pays $80 for a bigger house.", "$55"),
        ("seven choirs in the contest", "last year it was eleven", "seven"),
        ("my viva is June 3", "My neighbour's viva is June 9", "June 3"),
        ("relay team is on lap four of the plan", "I wish we could move it to lap nine", "four"),
        ("I'm up at 4:45 for the bakery", "Suppose I slept till 7", "4:45"),
        ("we chat on Zulip at work", "a supplier is on Webex, how do we join", "Zulip"),
        ("our loom costs $90 a month", "the kiln weighs 70 kg now", "$90"),
    ],
)
def test_what_is_anothers_past_wished_or_of_another_sort_replaces_nothing(
    first: str, later: str, value: str
) -> None:
    store = told(first, later, at_once=True)
    assert Place.SUPERSEDE not in store.places
    assert not any(one.status == "superseded" for one in store.known)
    if store.known:
        assert says(store, value)


def test_where_two_could_be_meant_or_nothing_was_just_said_none_is() -> None:
    both = told(
        "barn dance for 40 guests", "gala lunch for 25 guests", "we are at 60 guests now", at_once=True
    )
    assert says(both, "40 guests") and says(both, "25 guests")
    later = told("barn dance for 40 guests", "we are at 60 guests now")
    assert says(later, "40 guests")


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("We have never built for Solaris.", "our Solaris port has been out since spring"),
        ("I have never used Terraform.", "My Terraform module keeps failing on destroy."),
        (
            "I've never given a lecture at a summer school.",
            "In the lecture I gave in Ghent I ran out of time.",
        ),
        ("There isn't a single hedgehog in our garden", "our garden has always had hedgehogs"),
        ("rowed for my village as a boy", "can't row a metre, what else is there to do at a lake"),
        ("born in Tromso, in the dark", "I was born in Palermo"),
    ],
)
def test_no_and_what_is_taken_for_granted_stand_against_each_other(first: str, later: str) -> None:
    store = told(first, later, at_once=True)
    assert CLASHES & set(store.places)


@pytest.mark.parametrize(
    ("first", "later", "gone"),
    [
        ("my job comes with a company bike, a Brompton", "they took the company bike off all of us", "company bike"),
        ("I've got a honey stall on the side, mostly heather", "we shut down the stall this spring", "honey stall"),
    ],
)  # fmt: skip
def test_what_is_over_is_denied(first: str, later: str, gone: str) -> None:
    store = told(first, later, at_once=True)
    assert not says(store, gone)


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("So far the archive has thirty photographs.", "photograph_count", "thirty"),
        ("We are nine divers on the boat.", "diver_count", "nine"),
        ("I have fourteen pupils in my pottery class.", "pupil_count", "fourteen"),
        ("I've now got 41 sketches inked.", "sketch_inked", "41"),
        ("Over the weekend our allowance was raised to $310.", "allowance", "$310"),
    ],
)
def test_numbers_in_words_and_behind_a_phrase_of_time_count(text: str, attribute: str, value: str) -> None:
    assert (attribute, value) in [(one.attribute, one.value) for one in read(text)]


@some
@given(nouns, st.integers(40, 60), st.integers(61, 99))
def test_progress_told_as_a_range_ends_at_its_newer_end(noun: str, low: int, high: int) -> None:
    for later in (
        f"I cleaned up the labels a little. The {noun} accuracy went from {low}% to {high}% after twelve rounds, and it looks balanced.",
        f"I'm quite happy with the {noun} accuracy, which has now reached {high}%, but I wonder whether it can go on.",
        f"It took two long evenings and a lot of coffee, so the {noun} accuracy has been bumped to {high}%, with one more round on Fridays.",
        f"The {noun} accuracy landed at {high}% in yesterday's run, so the team is happy.",
    ):
        store = told(f"The {noun} accuracy is {low}%.", later)
        assert store.holds(f"{high}%"), later
        assert not store.holds(f"{low}%"), later
