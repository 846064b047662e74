"""English statements become memories with their structure; questions, suppositions and small talk do not."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memories.core.extraction import Candidate, extract
from memories.core.kinds import Kind

LISBON = ZoneInfo("Europe/Lisbon")
NOW = datetime(2026, 3, 4, 9, 0, tzinfo=LISBON)  # a Wednesday


def read(text: str, role: str = "user", speaker: str = "") -> list[Candidate]:
    found = extract(text, role=role, speaker=speaker, said_at=NOW, tz=LISBON)
    for candidate in found:
        assert text[candidate.start : candidate.end] == candidate.quote
    return found


def facts(text: str) -> set[tuple[str, str | None, str | None]]:
    return {(c.subject, c.attribute, c.value) for c in read(text)}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("My name is Ines Duarte", ("user", "name", "Ines Duarte")),
        ("I'm 41 years old", ("user", "age", "41 years old")),
        ("My birthday is August 19", ("user", "birthday", "August 19")),
        ("I live in Coimbra", ("user", "home", "Coimbra")),
        ("I've been living in Tartu since 2019", ("user", "home", "Tartu")),
        ("I moved to Ghent last month", ("user", "home", "Ghent")),
        ("I'm originally from Malta", ("user", "origin", "Malta")),
        ("I work at Harbour Labs", ("user", "employer", "Harbour Labs")),
        ("I'm a pharmacist at a small clinic", ("user", "occupation", "pharmacist")),
        ("I work as a translator", ("user", "occupation", "translator")),
        ("I really love sailing", ("user", "likes", "sailing")),
        ("I don't like olives", ("user", "dislikes", "olives")),
        ("I can't stand queues", ("user", "dislikes", "queues")),
        ("I prefer trains over planes", ("user", "likes", "trains")),
        ("My favourite colour is teal", ("user", "favorite_color", "teal")),
        ("I'm allergic to penicillin", ("user", "allergy", "penicillin")),
        ("I have a parrot named Kiko", ("user", "pet", "a parrot named Kiko")),
        ("My sister Rita lives in Oslo", ("user:sister:Rita", "home", "Oslo")),
        ("My boss's phone number is 555-201-3344", ("user:boss", "phone", "555-201-3344")),
        ("Otto's email is otto@lab.example", ("Otto", "email", "otto@lab.example")),
        ("The Aurora deadline is April 30", ("Aurora", "deadline", "April 30")),
        ("The owner of the project is Lin Lan", ("project", "owner", "Lin Lan")),
        ("The review has been moved to Friday at 2pm", ("review", "time", "Friday at 2pm")),
        ("Our weekly sync is every Wednesday at 10:00", ("weekly sync", "time", "every Wednesday at 10:00")),
        ("The budget limit is $7,200.", ("general", "budget_limit", "$7,200")),
    ],
)
def test_a_statement_becomes_a_fact(text: str, fact: tuple[str, str, str]) -> None:
    assert fact in facts(text)


def test_the_same_slot_is_found_however_the_statement_is_turned() -> None:
    ways = [
        "The owner of project Aurora is Otto",
        "Otto is the owner of Aurora",
        "The owner of Aurora has changed, it is Otto now.",
        "For project Aurora, the owner is Otto",
        "From now on the Aurora owner is Otto",
        "We agreed that Aurora's owner is Otto",
    ]
    assert [facts(way) for way in ways] == [{("Aurora", "owner", "Otto")}] * len(ways)
    assert ("Aurora", "deadline", "April 30") in facts("Aurora has to be delivered by April 30")


def test_several_facts_in_one_sentence_are_told_apart() -> None:
    assert facts("My name is Ines Duarte and I live in Coimbra, but I work at Harbour Labs") == {
        ("user", "name", "Ines Duarte"),
        ("user", "home", "Coimbra"),
        ("user", "employer", "Harbour Labs"),
    }


def test_he_and_she_mean_whoever_was_named_before() -> None:
    found = read("My sister Rita lives in Oslo. She works at Harbour Labs. Her birthday is June 2.")
    assert {(c.subject, c.attribute) for c in found} == {
        ("user:sister:Rita", "home"),
        ("user:sister:Rita", "employer"),
        ("user:sister:Rita", "birthday"),
    }
    assert "My sister Rita works at Harbour Labs" in {c.content for c in found}


def test_liking_and_not_liking_are_kept_apart() -> None:
    assert facts("I love hiking but I don't like running") == {
        ("user", "likes", "hiking"),
        ("user", "dislikes", "running"),
    }


def test_a_request_to_remember_is_explicit_and_keeps_what_no_rule_reads() -> None:
    (code,) = read("Please remember that the contract number is HT-20931")
    assert (code.explicit, code.value, code.attribute) == (True, "HT-20931", "contract_number")
    (loose,) = read("Remember that the spare key sits under the blue pot")
    assert (loose.explicit, loose.kind, loose.content) == (
        True,
        Kind.FACT,
        "the spare key sits under the blue pot",
    )


@pytest.mark.parametrize(
    "text",
    [
        "Do you like music?",
        "Should I move to Ghent?",
        "do tell me my phone number",
        "If I moved to Ghent, I would learn Dutch.",
        "I might move to Ghent.",
        "I wish I lived in Ghent",
        "I guess my phone is dead",
        "Do you remember when I lived in Ghent?",
        "Thanks a lot!",
        "Hi! Lovely to hear from you. All well?",
        "I love it!",
        "What wonderful news for you!",
        "Always happy to help",
        "Forget my phone number",
        "Please delete what I said about my boss",
        "",
        "???",
    ],
)
def test_what_states_nothing_to_keep_leaves_nothing(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Actually, my birthday is August 20.",
        "My birthday isn't August 19, it's August 20",
        "Sorry, I meant: my birthday is August 20",
    ],
)
def test_a_correction_says_so_and_gives_only_the_right_value(text: str) -> None:
    (found,) = read(text)
    assert (found.attribute, found.value, found.correction, found.single) == (
        "birthday",
        "August 20",
        True,
        True,
    )


def test_an_update_says_so_and_a_plain_statement_does_not() -> None:
    assert all(c.update for c in read("I moved to Ghent"))
    assert not any(c.update for c in read("I live in Ghent"))
    (found,) = read("I no longer live in Coimbra")
    assert (found.value, found.negated, found.update) == ("Coimbra", True, True)


@pytest.mark.parametrize(
    "text",
    [
        "Never use tables in the weekly report.",
        "No tables in the weekly report, please.",
        "Please always answer in English.",
        "From now on use metric units.",
        "All invoices must be signed by two people.",
        "Please don't use emojis in your replies",
    ],
)
def test_a_standing_rule_is_a_constraint_with_a_key(text: str) -> None:
    (found,) = read(text)
    assert found.kind is Kind.CONSTRAINT
    assert found.key


@pytest.mark.parametrize(
    "text", ["Don't worry", "Never mind", "They always remind me of home", "I can't come", "It must be hard"]
)
def test_a_courtesy_or_a_story_is_no_constraint(text: str) -> None:
    assert all(c.kind is not Kind.CONSTRAINT for c in read(text))


def test_two_rules_about_the_same_thing_share_a_key_whichever_way_they_go() -> None:
    (no,), (yes,) = (
        read("Never use tables in the weekly report"),
        read("Always use tables in the weekly report"),
    )
    assert no.key == yes.key
    (english,), (french,) = read("Always answer in English"), read("From now on reply in French")
    assert english.key == french.key


def test_a_todo_has_its_owner_and_its_due_time() -> None:
    (mine,) = read("Remind me to call the plumber tomorrow at 3pm")
    assert (mine.kind, mine.owner, mine.due) == (Kind.TODO, "user", datetime(2026, 3, 5, 16, tzinfo=LISBON))
    (theirs,) = read("Otto will send the figures by Friday")
    assert (theirs.kind, theirs.owner, theirs.due) == (Kind.TODO, "Otto", datetime(2026, 3, 7, tzinfo=LISBON))


def test_a_decision_is_kept_and_indecision_is_not() -> None:
    assert [c.kind for c in read("We decided to go with the blue design")] == [Kind.DECISION]
    assert not any(c.kind is Kind.DECISION for c in read("We haven't decided on a design yet"))


def test_a_passing_state_ends_with_its_time() -> None:
    (found,) = read("I'm on vacation until Friday")
    assert found.expires_at == datetime(2026, 3, 7, tzinfo=LISBON)
    assert all(c.expires_at is None for c in read("I moved to Ghent last month"))


def test_an_event_lies_where_it_happened() -> None:
    (found,) = read("Yesterday I went sailing with Otto")
    assert (found.kind, found.valid_from) == (Kind.EVENT, datetime(2026, 3, 3, tzinfo=LISBON))


def test_code_and_logs_are_not_read() -> None:
    assert read("```python\n# TODO: fix by Friday\nstatus = 3\nname: Bob\n```") == []
    assert read("2026-03-04 09:00:00 INFO name is Bob\n2026-03-04 09:00:01 ERROR my phone is 5") == []


def test_a_second_speakers_i_is_that_speaker() -> None:
    assert {c.subject for c in read("I live in Coimbra", speaker="Otto")} == {"Otto"}


@pytest.mark.parametrize(
    "text",
    [
        "Two of them are terriers. They love running after sticks.",
        "No, we have never rowed on that lake.",
        "We have been busy with it since spring.",
        "We love to spoil him.",
        "I chose to carve this since it moved me.",
        "I decided to put it at the end.",
        "I chose them 'cause they are kind.",
        "Yeah, I love to.",
        "I haven't seen pictures of them in a while.",
        "Where was it taken? I love the pale light and bare trees.",
    ],
)
def test_what_only_the_talk_around_it_can_tell_is_no_statement(text: str) -> None:
    assert [candidate.content for candidate in read(text)] == []


def test_a_place_of_work_is_no_occupation_and_a_goal_is_not_the_pets() -> None:
    assert all(candidate.attribute != "occupation" for candidate in read("I work only in the darkroom."))
    assert [c.value for c in read("I work in marketing.") if c.attribute == "occupation"] == ["marketing"]
    goals = read("Rex and Daisy. The aim is to bring owners and walkers together.")
    assert all(candidate.subject != "Rex" for candidate in goals)


@pytest.mark.parametrize(
    "text",
    [
        "My rent is 500, no wait, it's 620.",
        "My rent is 500, sorry, I mean 620.",
        "My rent is 500. No, sorry, it's 620.",
    ],
)
def test_a_slip_put_right_in_the_same_breath_leaves_only_what_is_right(text: str) -> None:
    assert [(c.attribute, c.value, c.correction) for c in read(text)] == [("rent", "620", False)]


def test_a_correction_reaches_what_it_corrects_and_no_further() -> None:
    found = read("Sorry, I meant 6. My cat is Luna. My rent is 500.")
    assert [c.correction for c in found if c.attribute in {"name", "rent"}] == [False, False]
