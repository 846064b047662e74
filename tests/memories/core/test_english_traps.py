"""English sentences that look like a statement of a fact and are none, or are one of another than they seem."""

from __future__ import annotations

import pytest

from memories.core.kinds import Kind
from memories.core.placement.anchoring import anchor
from memories.core.placement.part_named import Anchored
from memories.core.statement import FactPart, Statement
from tests.memories.core.english_statements import NOW, read


def facts(text: str) -> set[tuple[str, str, str, bool]]:
    """(subject, attribute, value, negated) of what is read."""
    return {(one.subject, one.attribute, one.value or "", one.negated) for one in read(text) if one.attribute}


def anchored(text: str, *held: FactPart, recent: tuple[FactPart, ...] | None = None) -> list[Anchored]:
    found = []
    for one in read(text):
        fact = (
            FactPart(one.subject, one.attribute, one.value or "", one.single, one.negated)
            if one.attribute
            else None
        )
        statement = Statement(
            content=one.content, kind=one.kind.value, source="user", said_at=NOW, rule=one.rule, update=one.update,
            correction=one.correction, replaces=one.replaces, amends=one.amends, open=one.open, fact=fact,
        )  # fmt: skip
        found.append(anchor(statement, held, recent))
    return found


def meant(text: str, *held: FactPart, recent: tuple[FactPart, ...] | None = None) -> list[FactPart]:
    """The facts that the text puts in the place of known ones, or ends."""
    return [
        fact for one in anchored(text, *held, recent=recent) if one.statement for fact in one.statement.facts
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Let's pretend my name is Orla and I live on Venus.",
        "Pretend you are my dentist, my age is 90 and I live in Lima.",
        "My name is Quill and I live in Atlantis, let's pretend.",
        "Can we role-play, I work at Boeing and my salary is $90,000.",
        "Imagine I work at Boeing, I live in Quito and I have two cats.",
        "Let's say my rent is $900 and I live in Quito.",
        "假装我叫左岭，住在月球。",
        "我们来扮演医生和病人，我叫阿罗，我住在海底。",
        "设想一下，我是船长，我住在船上。",
    ],
)
def test_what_is_said_in_play_is_no_fact_in_any_clause(text: str) -> None:
    assert facts(text) == set()


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("My son pretends to be a pirate and he is 6.", ("user:son", "age", "6", False)),
        ("I can imagine the view, I live in Oslo.", ("user", "home", "Oslo", False)),
        ("我在剧里扮演护士，我住在天津。", ("user", "home", "天津", False)),
    ],
)
def test_who_tells_of_play_or_fancy_states_the_rest(text: str, fact: tuple[str, str, str, bool]) -> None:
    assert fact in facts(text)


WEIGHT = FactPart("user", "weight", "58 kg", single=True)
NAME = FactPart("user", "name", "Robert", single=True)
FLIGHT = FactPart("user", "flight_number", "KL482", single=True)
MEETING = FactPart("meeting", "time", "3:00", single=True)


@pytest.mark.parametrize(
    "text",
    [
        "Anna weighs 55, not 58 kg.",
        "The parcel weighed 55, not 58 kg.",
        "It's 55 kg of rice, not 58 kg.",
        "Call Rob, not Robert.",
        "I asked for Rob, not Robert.",
    ],
)
def test_a_correction_with_a_subject_or_a_verb_of_its_own_touches_no_other_fact(text: str) -> None:
    assert [one for one in meant(text, WEIGHT, NAME) if one.slot in {WEIGHT.slot, NAME.slot}] == []


@pytest.mark.parametrize(
    ("text", "value"),
    [("It's 55 kg, not 58 kg.", "55 kg"), ("55, not 58 kg.", "55 kg"), ("It's Rob, not Robert.", "Rob")],
)
def test_a_bare_correction_finds_the_value_that_it_takes_back(text: str, value: str) -> None:
    assert [one.value for one in meant(text, WEIGHT, NAME)] == [value]


@pytest.mark.parametrize(
    "text", ["Hang on, 3rd gate.", "Sorry, 2nd floor.", "Wait, no, 14 euros.", "Hold on, page 12."]
)
def test_words_that_may_be_an_excuse_correct_only_a_value_of_the_very_sort(text: str) -> None:
    assert meant(text, FLIGHT, MEETING, WEIGHT) == []


def test_an_excuse_with_a_value_of_the_same_build_corrects_it() -> None:
    for text, old, new in (
        ("Sorry, 3rd floor.", "the 2nd floor", "3rd floor"),
        ("Oops, 7:30pm.", "7pm", "7:30pm"),
        ("Hang on, KL428.", "KL482", "KL428"),
    ):
        assert [one.value for one in meant(text, FactPart("user", "gate", old, single=True))] == [new]


def test_words_that_may_be_an_excuse_correct_only_what_was_just_said() -> None:
    assert [one.value for one in meant("Sorry, KL428.", FLIGHT, recent=(FLIGHT,))] == ["KL428"]
    assert meant("Sorry, KL428.", FLIGHT, recent=()) == []
    assert [one.value for one in meant("Make that KL428.", FLIGHT, recent=())] == ["KL428"]


@pytest.mark.parametrize(
    "text",
    [
        "I left Ghent for the weekend.",
        "I left Ghent.",
        "I left Shell's party early.",
        "I left London to see my mum.",
        "My sister left Paris yesterday.",
    ],
)
def test_leaving_somewhere_ends_no_job(text: str) -> None:
    home = FactPart("user", "home", "Ghent", single=True)
    assert meant(text, home, FactPart("user", "employer", "Shell", single=True)) == []


@pytest.mark.parametrize("text", ["I left Shell.", "I left Shell last month.", "I left my job at Shell.", "I quit my job at Shell."])  # fmt: skip
def test_leaving_the_known_employer_ends_the_job(text: str) -> None:
    job = FactPart("user", "employer", "Shell", single=True)
    assert [(one.slot, one.value, one.negated) for one in meant(text, job)] == [(job.slot, "Shell", True)]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I can't stand olives, unlike my brother.", ("user", "dislikes", "olives", False)),
        ("I have three cats and no dogs.", ("user", "pet", "three cats", False)),
        ("I hate being late and not finding seats.", ("user", "dislikes", "being late and not finding seats", False)),
        ("I was born in Lima and raised in Quito.", ("user", "origin", "Lima", False)),
        ("I don't eat fish except on Fridays.", ("user", "diet", "do not eat fish except on Fridays", False)),
        ("Call me Ziggy, not Sigmund.", ("user", "nickname", "Ziggy", False)),
        ("My brother Tim, who lives in Galway, is a chef.", ("user:brother:Tim", "home", "Galway", False)),
        ("My brother Tim, who lives in Galway, is a chef.", ("user:brother:Tim", "occupation", "chef", False)),
        ("I ate with my sister Ana, who works at Lidl.", ("user:sister:Ana", "employer", "Lidl", False)),
        ("My son no longer goes to Hill School; he goes to Lake House.", ("user:son", "school", "Lake House", False)),
        ("My son no longer goes to Hill School; he's at Lake House now.", ("user:son", "school", "Lake House", False)),
        ("Pat was replaced by Iris as my manager.", ("user", "manager", "Iris", False)),
        ("Our coach Pat was succeeded by Iris.", ("user", "coach", "Iris", False)),
    ],
)  # fmt: skip
def test_a_value_ends_where_something_else_begins(text: str, fact: tuple[str, str, str, bool]) -> None:
    assert fact in facts(text)


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("I switched from Gmail to Proton and back again.", "uses"),
        ("My shoe size is the same as my brother's.", "shoe_size"),
        ("My laptop is not mine, it's the school's.", "laptop"),
        ("My job is to make people happy.", "occupation"),
        ("My occupation is mostly to design bridges.", "occupation"),
        ("Call me Monday.", "nickname"),
        ("Pat was called by Iris as my manager.", "manager"),
    ],
)
def test_what_only_points_compares_or_goes_back_is_no_value(text: str, attribute: str) -> None:
    assert attribute not in {one[1] for one in facts(text)}


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Never call me before nine, my wife says.", False),
        ("Don't use emojis with me, my boss told me.", False),
        ("Always answer in French, according to my teacher.", False),
        ("别在晚上给我打电话，我妈说的。", False),
        ("以后回答都要简短，老师要求的。", False),
        ("Never call me before nine, I said.", True),
        ("Always answer in French, I insist.", True),
        ("以后都用英文回答，这是我要求的。", True),
    ],
)
def test_somebody_elses_order_is_no_rule_of_the_speaker(text: str, own: bool) -> None:
    assert any(one.kind is Kind.CONSTRAINT for one in read(text)) is own
