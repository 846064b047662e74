"""A value that names no fact takes the place of the one of its sort that was just said, and of nobody else's."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memories.core.placement.placing import Place
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


def says(store: Store, words: str) -> bool:
    """Whether a current fact has these words in its value, and does not say that it is over."""
    return any(
        words in fact.value and not fact.negated for one in store.known if one.current for fact in one.facts
    )


@pytest.mark.parametrize(
    "text",
    [
        "nursery walls: sage and cream",
        "db: timeout after 30s",
        "The config says: port: 9090, workers: 3",
        "Ingredients: three leeks, butter",
        "Option 3: green border",
        "Scene 2: The Empty Pier",
        "ugh, deadlines",
        "I can't open the spreadsheet",
        "make me a table with 4 columns",
        "Change the heading to Garamond",
        "Now make the border blue",
        "A grown walrus weighs 1,200 kg.",
        "There is no remedy for bad taste",
        "that was a mess in Boston",
        "maybe 40 people will come",
        "I'm on the tram right now",
    ],
)
def test_labels_orders_logs_and_small_talk_teach_nothing(text: str) -> None:
    assert [one for one in read(text) if not one.open] == []


@some
@given(nouns, st.tuples(counts, counts).filter(lambda pair: pair[0] != pair[1]))
def test_a_count_just_said_gives_way_to_a_new_one(noun: str, pair: tuple[str, str]) -> None:
    old, new = pair
    for later in (
        f"we're at {new} {noun}s now",
        f"two more called, so it's {new} {noun}s altogether",
    ):
        store = told(f"The picnic has {old} {noun}s.", later, at_once=True)
        assert store.holds(new), later
        assert not store.holds(old), later


@some
@given(st.sampled_from([("accuracy", percents), ("budget", money)]).flatmap(lambda kind: st.tuples(st.just(kind[0]), kind[1], kind[1])).filter(lambda said: said[1] not in said[2] and said[2] not in said[1]), nouns)  # fmt: skip
def test_a_value_of_its_sort_takes_the_place_of_the_one_just_said(
    said: tuple[str, str, str], noun: str
) -> None:
    attribute, old, new = said
    store = told(f"Our {noun} {attribute} is {old}.", f"they moved it to {new}", at_once=True)
    assert says(store, new)
    assert not says(store, old)


@some
@given(st.tuples(clocks, clocks).filter(lambda pair: pair[0] not in pair[1] and pair[1] not in pair[0]))
def test_an_hour_takes_the_place_of_the_one_just_said(pair: tuple[str, str]) -> None:
    store = told(f"Our rehearsal is at {pair[0]}.", f"they moved it to {pair[1]}", at_once=True)
    assert says(store, pair[1])
    assert not says(store, pair[0])


@some
@given(nouns, names, names)
def test_a_name_takes_the_place_of_the_one_just_said(noun: str, one: str, other: str) -> None:
    assume(one not in other and other not in one)
    assume(not any(word.endswith("ed") for word in (noun, one, other)))  # "flidotred" looks like a verb
    for later in (f"Everything's been moved over to {other}.", f"I ported the whole thing to {other}"):
        store = told(f"Our {noun} viewer runs on {one}.", later, at_once=True)
        assert says(store, other), later
        assert not says(store, one), later


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("My tablet has 32 GB of memory.", "The new Kindle now ships with 64 GB."),
        ("Our test suite takes 9 minutes.", "The yarn install got down to 2 minutes."),
        ("Our test suite takes 9 minutes.", "make install finished in 2 minutes now"),
        ("The nightly backup runs at 2am.", "The router in the log now reboots at 5am."),
        ("The nightly backup runs at 2am.", "Please move the sample job to 5am in the script."),
        ("My choir has 30 singers.", "The choir in the novel has 50 singers now."),
        ("My walk to work takes 35 minutes.", "It takes 15 minutes to boil now."),
        ("My salary is $4000.", "The Danes now earn $5000."),
        ("Our standup is at 9am.", "The Lakers moved their game to 7pm."),
        ("Our standup is at 9am.", "Change the invite in the example to 7pm"),
        ("My budget is $400.", "If I could raise it to $600, would that do?"),
        ("My budget is $400.", "Say the budget went up to $900, what then?"),
        ("My train leaves at 7am.", '"The train now leaves at 9am," said the hero.'),
        ("The unit coverage is 70%.", "The screenshot shows coverage at 91% now"),
        ("Our release is on March 3.", "Ubuntu moved its release to April 9."),
        ("My dog weighs 20 kg.", "The hippo in the film now weighs 900 kg."),
        ("My mother works at Siemens.", "The hero's mother now works at Bosch."),
        ("Our shop runs on Fastly.", "The Romans moved to Ravenna."),
        ("Our shop runs on Fastly.", "Please use Akamai instead."),
        ("I take 40 mg of atorvastatin.", "I take 5 mg of ramipril."),
        ("dinner with Iris on Friday", "dinner with Noel on Monday"),
        ("The ferry to Bastia leaves at 7am.", "The ferry to Nice leaves at 9am."),
        ("I got 70 in biology", "I got 90 in history"),
        ("I swim 2 km on Mondays.", "I swim 4 km on Sundays."),
        ("I pay Rosa 30 euros on Fridays.", "I pay Emil 40 euros on Mondays."),
        ("cello lessons with Ada on Mondays", "My brother cancelled the lessons"),
        ("permit 81 for the pier is due June 3", "permit 82 for the quay is due June 9"),
        ("gas bill was $55 last month", "My uncle pays $80 for a bigger house."),
        ("our loom costs $90 a month", "the kiln weighs 70 kg now"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("at_once", [True, False])
def test_what_is_anothers_or_said_of_another_thing_replaces_nothing(
    first: str, later: str, at_once: bool
) -> None:
    store = told(first, later, at_once=at_once)
    assert Place.SUPERSEDE not in store.places
    assert not any(one.status == "superseded" for one in store.known)


@some
@given(nouns, nouns, st.tuples(counts, counts).filter(lambda pair: pair[0] != pair[1]))
def test_a_clause_with_a_noun_of_its_own_changes_only_facts_of_that(
    noun: str, other: str, pair: tuple[str, str]
) -> None:
    assume(noun not in other and other not in noun)
    store = told(f"The {noun} weighs {pair[0]} kg.", f"The {other} got up to {pair[1]} kg.", at_once=True)
    assert says(store, f"{pair[0]} kg")
    store = told(f"The {noun} weighs {pair[0]} kg.", f"The {noun} got up to {pair[1]} kg.", at_once=True)
    assert not says(store, f"{pair[0]} kg")


def test_where_two_could_be_meant_or_nothing_was_just_said_none_is() -> None:
    both = told(
        "The dance has 40 guests.", "The lunch has 25 guests.", "we are at 60 guests now", at_once=True
    )
    assert both.holds("40") and both.holds("25")
    later = told("The library opens at 9am.", "they moved it to 10am")
    assert says(later, "9am")


@pytest.mark.parametrize(
    ("first", "later", "value"),
    [
        ("My rent is $900.", "Sorry, $950, not $900.", "$950"),
        ("My flight leaves at 2am.", "Sorry, 3am, not 2am.", "3am"),
        ("My budget is 900 dollars.", "wait, 950 dollars, not 900 dollars", "950 dollars"),
    ],
)
def test_a_correction_of_two_values_is_one(first: str, later: str, value: str) -> None:
    store = told(first, later, at_once=True)
    assert says(store, value)
    assert sum(one.current for one in store.known) == 1


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("We have never built for Solaris.", "our Solaris port has been out since spring"),
        ("I have never used Terraform.", "My Terraform module keeps failing on destroy."),
        (
            "I've never given a lecture at a summer school.",
            "In the lecture I gave in Ghent I ran out of time.",
        ),
        ("born in Tromso, in the dark", "I was born in Palermo"),
    ],
)
def test_no_and_what_is_taken_for_granted_stand_against_each_other(first: str, later: str) -> None:
    store = told(first, later, at_once=True)
    assert CLASHES & set(store.places)


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
