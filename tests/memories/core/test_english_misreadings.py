"""What English sentences that look like a fact do not say: who lives or performs somewhere holds no post, and a day is no platform."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.core.extraction.candidate import Candidate
from memories.core.extraction.engine import extract
from memories.core.times.english import DAY_NAMES
from tests.memories.core.english_statements import CLASHES, Store

SINGLE_SLOTS = {"owner", "uses", "runs_on", "name", "built_with", "possession"}
NOW = datetime(2026, 3, 5, 9, tzinfo=UTC)


def read(text: str) -> list[Candidate]:
    return extract(text, role="user", speaker="", said_at=NOW, tz=UTC)


def facts(text: str) -> set[tuple[str, str | None, str | None]]:
    return {(one.subject, one.attribute, one.value) for one in read(text)}


@pytest.mark.parametrize(
    "text", ["the new new is now at 5 pm.", "The final updated is on May 3.", "My next is at 9 am."]
)
def test_a_date_of_something_told_only_by_its_state_loses_no_turn(text: str) -> None:
    assert len(read(f"{text} My phone is 555-0143.")) >= 1


@pytest.mark.parametrize(
    "text",
    [
        "My penfriend lives in Quito.",
        "Our twins live in Leeds.",
        "The parrot sits on Gus.",
        "Our cabin sits on Maple Lane.",
        "The tram runs on Harbour Street.",
        "My aunt runs on Coffee.",
        "The winter coats are stored in Basel.",
        "I ship to Chile.",
        "We publish in Norway.",
        "Gus leads the choir in front of everybody.",
        "Gus leads the dance.",
        "Nell runs the half marathon.",
        "Granny runs the washing machine every morning.",
        "Nell covers the bill.",
        "Nell handles the puck well.",
        "Panic took over the town.",
        "Gus took over the armchair.",
        "I passed the pepper on to Nell.",
        "We handed the trophy over to Gus.",
        "My arm is covered by Green Shield.",
        "The tune is covered by Nina.",
        "Nell looks after the twins.",
        "Rex is the thief on the tape we saw.",
        "He called the stranger Boris.",
        "They renamed their boat to Calypso.",
        "Her shop now runs on Shopware.",
        "We lost Gus and got Nell.",
        "We lost Gus Orr and got Nell Moe.",
        "We let Gus go and hired Nell.",
        "I traded places with Nell.",
        "I moved out of Leeds and now live in York.",
        "I report to IT now.",
        "I report to Finance now.",
    ],
)
def test_a_verb_makes_nobody_an_owner_and_no_town_a_platform(text: str) -> None:
    assert not SINGLE_SLOTS & {attribute for _, attribute, _ in facts(text)}, facts(text)


@pytest.mark.parametrize("day", sorted(day for day in DAY_NAMES if day.endswith("day")))
def test_a_day_is_no_platform_and_no_name(day: str) -> None:
    day = day.capitalize()
    for text in (
        f"We test on {day}s.",
        f"I train on {day}.",
        f"We deploy on {day}s now.",
        f"The market stall runs on {day}s.",
        f"{day} is our tester.",
        f"We're building on {day}s.",
    ):
        assert not SINGLE_SLOTS & {attribute for _, attribute, _ in facts(text)}, text


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Nell runs the mailroom.", ("mailroom", "owner", "Nell")),
        ("Gus leads our climbing club.", ("climbing club", "owner", "Gus")),
        ("Gus is in charge of the raffle.", ("raffle", "owner", "Gus")),
        ("Our intake system runs on Debian.", ("intake system", "runs_on", "Debian")),
        ("We deploy to Fly.", ("user", "uses", "Fly")),
        ("Nell is our new manager.", ("user:boss", "name", "Nell")),
    ],
)
def test_what_is_in_somebodys_care_and_what_runs_on_something_is_read(
    text: str, fact: tuple[str, str, str]
) -> None:
    assert fact in facts(text)


@pytest.mark.parametrize(
    ("before", "later"),
    [
        ("My salary is $60k.", "He got his salary up to $90k."),
        ("My salary is $60k.", "Good for her, her salary is now $90k."),
        ("My rent is $900.", "Somebody else's rent is now $1,300."),
        ("My rent is $900.", "Gus's rent went up, so his rent is now at $1,300."),
        ("My rent is $900.", "Your rent is up to $1,300 now."),
        ("My rent is $900.", "Their rent is up to $1,300 now."),
        ("My rent is $900.", "My neighbour's rent is down to $800 now."),
        ("Our app is called Quill.", "They renamed their app to Plume."),
        ("Our server runs on Debian.", "Their server now runs on Windows."),
        ("My dentist call is at 3 pm.", "The dentist call was supposed to move to 4 pm, but it didn't."),
        ("My dentist call is at 3 pm.", "The dentist call almost moved to 4 pm."),
        ("My manager is Gil.", "I report to Legal now."),
        ("I was born in Leeds.", "I left Leeds for York."),
        ("My favourite town is Leeds.", "I moved away from Leeds to York."),
        ("My bike is a Gazelle.", "I left the Gazelle for Nell."),
        ("Our app is called Quill.", "In the workshop we named the app Plume."),
    ],
)
def test_what_is_anothers_or_did_not_happen_leaves_what_is_known(before: str, later: str) -> None:
    store = Store()
    store.say(before)
    assert not CLASHES & set(store.say(later))


@pytest.mark.parametrize(
    ("before", "later", "old", "new"),
    [
        ("I work for Initech.", "I left Initech for Hooli.", "Initech", "Hooli"),
        ("I live in Leeds.", "I moved away from Leeds to York.", "Leeds", "York"),
        ("My boss is Gil.", "Nell is our manager now.", "Gil", "Nell"),
        ("I drive a Fiat Panda.", "I sold my Panda and bought a Golf.", "a Fiat Panda", "Golf"),
    ],
)
def test_what_was_left_tells_of_what_the_new_is(before: str, later: str, old: str, new: str) -> None:
    store = Store()
    store.say(before)
    store.say(later)
    assert store.holds(new)
    assert not store.holds(old)


def test_nobody_knows_what_was_left_where_nothing_is_known_of_it() -> None:
    store = Store()
    store.say("I left Gus for Nell.")
    assert not store.holds("Nell")


@pytest.mark.parametrize(
    "text",
    [
        "I took up far too much room.",
        "I took up the edge of the carpet.",
        "I've taken up her offer.",
        "I took up residence in Bern.",
        "I've gotten into debt.",
        "I've got into bed early.",
        "I always go when they let me.",
        "I usually work with that.",
        "I used to swim twenty laps a day.",
        "Sound travels 343 m every second.",
        "The average teenager sleeps 9 hours a day.",
        "A newborn calf weighs 40 kg.",
        "There are 26 cantons in the Confederation.",
        "I took my parrot to 5 shows.",
        "Our visitors saw the whole platform! It's a shame they left so early.",
        "We saw the whole platform! It's a pity.",
    ],
)
def test_what_looks_like_a_pastime_or_an_amount_is_none(text: str) -> None:
    assert {attribute for _, attribute, _ in facts(text)} <= {None, "unsaid"}


@pytest.mark.parametrize(
    ("text", "hobby"),
    [
        ("I've taken up pottery.", "pottery"),
        ("I took up the banjo last year.", "the banjo"),
        ("I've been getting into bread baking.", "bread baking"),
    ],
)
def test_a_pastime_taken_up_is_read(text: str, hobby: str) -> None:
    assert ("user", "hobby", hobby) in facts(text)


@pytest.mark.parametrize(
    "text",
    ["I got up at 6.", "I went back to 2019 in my head.", "That makes 5 of us.", "Turn it down to 5.", "I said I'm 40 but I'm 42."],
)  # fmt: skip
def test_a_number_that_is_no_news_waits_for_no_fact(text: str) -> None:
    assert not any(one.open for one in read(text))


@pytest.mark.parametrize(
    "text", ["Don't forget my name day!", "Remember my old bike.", "Please remember our new gate."]
)
def test_a_thing_that_is_only_named_is_nothing_to_remember(text: str) -> None:
    assert read(text) == []


def test_what_is_said_of_it_is_remembered() -> None:
    assert ("user", "birthday", "May 4") in facts("Don't forget my birthday is on May 4.")
    assert [one.content for one in read("Remember my trip to Lisbon.")] == ["my trip to Lisbon"]


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("I've always wanted to see Iceland, but flying scares me.", "see Iceland"),
        ("I always wanted to learn the cello but never had the time.", "learn the cello"),
        ("I've always dreamed of sailing to Fiji, though I get seasick.", "sailing to Fiji"),
    ],
)
def test_what_stands_in_the_way_of_a_dream_is_no_part_of_it(text: str, goal: str) -> None:
    assert ("user", "goal", goal) in facts(text)


def test_a_tool_that_was_left_for_another_gives_way() -> None:
    store = Store()
    store.say("I use Slack.")
    store.say("I left Slack for Zulip.")
    assert store.holds("Zulip")
    assert not store.holds("Slack")
