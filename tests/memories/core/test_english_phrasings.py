"""English as people write it, in words that no rule was made for: what changes, what does not, what is asked, and what is nothing."""

from __future__ import annotations

from datetime import UTC

import pytest

from memories.core.extraction import Candidate, extract
from memories.core.forgetting.targets import targets
from memories.core.gate import judge
from memories.core.kinds import Kind
from memories.core.outcomes import Reason
from memories.core.placement.placing import Place
from memories.core.policy import Policy
from tests.memories.core.english_statements import CLASHES, NOW, told


def kept(text: str) -> list[Candidate]:
    """What the gate lets through."""
    found = extract(text, role="user", speaker="", said_at=NOW, tz=UTC)
    return [one for one in found if judge(one, Policy.default()).outcome == Reason.STORED]


@pytest.mark.parametrize(
    ("before", "later", "old", "new"),
    [
        ("My commute is 50 minutes.", "My commute's only 20 minutes now.", "50 minutes", "20 minutes"),
        ("My resting heart rate is 72.", "All that cycling pays off, my resting heart rate has come down to 64.", "72", "64"),
        ("My savings goal is $5,000.", "I've bumped my savings goal up to $8,000.", "$5,000", "$8,000"),
        ("My landlord is Mr. Petrov.", "The building got sold so my landlord is Mr. Adeyemi now.", "Mr. Petrov", "Mr. Adeyemi"),
        ("Our plumber is Gary.", "Gary retired so our plumber is Stefan now.", "Gary", "Stefan"),
        ("I live in Porto.", "So, life update! After three years of sunshine I packed up and moved to Gdansk.", "Porto", "Gdansk"),
        ("My sister lives in Cork.", "My sister's moved to Galway, she loves it there.", "Cork", "Galway"),
        ("My mum is 61.", "Mum turned 62 yesterday, we had cake.", "61", "62"),
        ("My boss is Caroline.", "Caroline left, my new boss is Tunde.", "Caroline", "Tunde"),
        ("Marta's phone number is 555-0142.", "Marta got a new number, it's 555-0199.", "555-0142", "555-0199"),
        ("I work for Halloran & Finch.", "I got a new job, I'm with Brightmoor now.", "Halloran & Finch", "Brightmoor"),
        ("Jonas is single.", "Jonas got married in the spring!", "single", "married"),
        ("The Falcon launch is on March 3.", "Bad news, the Falcon launch slipped to March 17.", "March 3", "March 17"),
        ("The standup is at 9:30.", "Standup's been moved to 10:00, don't be late.", "9:30", "10:00"),
        ("The wedding is at Oakley Barn.", "We had to change the venue, the wedding is at Fairholme Hall now.", "Oakley Barn", "Fairholme Hall"),
        ("Netflix costs $15.49 a month.", "Netflix went up again, it costs $17.99 a month now.", "$15.49 a month", "$17.99 a month"),
        ("The cafe closes at 6pm.", "Winter hours, so the cafe closes at 5pm now.", "6pm", "5pm"),
        ("My passport expires in 2027.", "Just looked, my passport expires in 2028, not 2027.", "2027", "2028"),
        ("My daughter's bedtime is 8pm.", "We've pushed my daughter's bedtime back to 8:30pm.", "8pm", "8:30pm"),
        ("The invoice number is 7731.", "Sorry, misread it. The invoice number is 7713.", "7731", "7713"),
        ("The parking fee is $12.", "Hmm, that's not right, the parking fee is $14.", "$12", "$14"),
        ("Ola's desk is B12.", "I need to fix something I told you. Ola's desk is B21.", "B12", "B21"),
        ("The rent for the studio is $950.", "I said $950 but the rent for the studio is $905.", "$950", "$905"),
        ("Kofi's phone number is 555-7788.", "My bad, Kofi's phone number is 555-7787.", "555-7788", "555-7787"),
        ("My manager is Ines.", "Not Ines, my manager is Inez Marlow.", "Ines", "Inez Marlow"),
        ("Hana's surname is Mori.", "To be precise, Hana's surname is Morita, not Mori.", "Mori", "Morita"),
        ("Our puppy weighs 6 kg.", "He's grown, our puppy weighs 9 kg now.", "6 kg", "9 kg"),
        ("My dentist appointment is on Tuesday.", "The dentist called and bumped my appointment to Thursday.", "Tuesday", "Thursday"),
        ("Our budget for the kitchen is $12,000.", "We've stretched our budget for the kitchen to $15,000.", "$12,000", "$15,000"),
        ("The wifi password is tulip-77.", "I reset the wifi password to orchid-12.", "tulip-77", "orchid-12"),
        ("I've saved $1,200 so far.", "I've saved $1,900 so far.", "$1,200", "$1,900"),
        ("My commute takes 45 minutes.", "They opened the tram, my commute takes 25 minutes now.", "45 minutes", "25 minutes"),
        ("My uncle lives in Padua.", "My uncle has resettled in Trieste.", "Padua", "Trieste"),
        ("My piano teacher is Ms Cho.", "I have a new piano teacher, Mr Weiss.", "Ms Cho", "Mr Weiss"),
        ("My curfew is 10pm.", "My parents relaxed my curfew to 11pm.", "10pm", "11pm"),
        ("My nephew is 5.", "My nephew just turned 6!", "5", "6"),
        ("My broadband provider is Sonic.", "I changed broadband provider to Fastlane.", "Sonic", "Fastlane"),
        ("My cousin is 27.", "No wait, 28.", "27", "28"),
        ("My office is on the second floor.", "Scratch that, third floor.", "the second floor", "third floor"),
        ("The meeting with Olga is on Thursday.", "Make that Friday.", "Thursday", "Friday"),
        ("My exam is on June 3.", "Hang on, June 13.", "June 3", "June 13"),
        ("The code is 9921.", "No, the code is 9912.", "9921", "9912"),
        ("The vet's name is Sandra.", "I told you the wrong name, the vet's name is Sabrina.", "Sandra", "Sabrina"),
        ("My neighbour's name is Frida.", "I keep mishearing it, my neighbour's name is Freya rather than Frida.", "Frida", "Freya"),
    ],
)  # fmt: skip
def test_a_change_or_a_correction_takes_the_place_of_the_old_value(
    before: str, later: str, old: str, new: str
) -> None:
    store = told(before)
    assert store.holds(old)
    store.say(later)
    assert store.holds(new)
    assert not store.holds(old)


@pytest.mark.parametrize(
    ("before", "again"),
    [
        ("My rent is $1,250.", "As I mentioned, my rent is $1,250 a month."),
        ("I live in Leeds.", "I'm still living in Leeds, same flat and everything."),
        ("Our dog weighs 14 kg.", "Our dog weighs 14 kilos."),
        ("The budget is $4,000.", "We have a 4k budget, so let's be careful."),
        ("My appointment is at 3pm.", "My appointment's at 15:00, right."),
        ("My commute is 20 minutes.", "It's a twenty minute commute, so I don't mind."),
    ],
)
def test_the_same_in_other_words_is_no_change_and_no_second_fact(before: str, again: str) -> None:
    store = told(before)
    assert not {*CLASHES, Place.NEW} & set(store.say(again))


@pytest.mark.parametrize(
    ("before", "other"),
    [
        ("My cat is called Pixie.", "My other cat is called Dot."),
        ("I have a meeting with Rosa on May 3.", "I have a meeting with Bruno on May 5."),
        ("The pool opens at 7am.", "The pool closes at 9pm."),
        ("The pool opens at 7am.", "The sauna opens at 9am."),
        ("My weight is 81 kg.", "By summer I'd like my weight to be 75 kg."),
        ("My salary is $52,000.", "With a salary of $60,000 I could afford the flat."),
        ("Priya lives in Delhi.", "According to Tom, Priya lives in Pune, but he's never right."),
        ("My rent is $1,250.", "She was like, my rent is $900."),
        ("The deadline is Friday.", "It'd be great if the deadline was Monday."),
        ("I drive a Honda Jazz.", "I had a Fiat Panda as a student."),
        ("My boss is Caroline.", "In my dream last night my boss was Beyonce."),
        ("My son is 9.", "My younger son is 5."),
        ("My niece is 7.", "My niece is 8, I think."),
        ("My rent is $900.", "Actually, 5 people came to the party."),
        ("My rent is $900.", "Hold on, 5 minutes."),
        ("My desk is Oak.", "I moved my desk to the kitchen."),
        ("I use Obsidian.", "I traded stories about Obsidian with Anna for hours."),
        ("My average is 80.", "My friend's average is 85, up from 80."),
    ],
)
def test_another_thing_a_wish_hearsay_or_the_past_never_conflicts(before: str, other: str) -> None:
    store = told(before)
    assert not CLASHES & set(store.say(other))


@pytest.mark.parametrize(
    ("before", "later"),
    [
        ("Tom is a vegetarian.", "Tom isn't a vegetarian."),
        ("I've never been to Japan.", "I've been to Japan twice."),
        ("Bea's phone number is 555-1000.", "Bea's phone number is 555-1001."),
        ("I've never taught yoga.", "I taught yoga in Bali last year."),
        ("I have never swum in the Danube.", "I swam in the Danube last summer."),
        ("I've never broken my arm.", "I broke my arm when I was ten."),
        ("I've never worn contact lenses.", "I wore contact lenses for years."),
        ("I've never driven a tractor.", "I've driven a tractor on my uncle's farm."),
        ("I went to Peru in 2018.", "I've never been to Peru."),
    ],
)
def test_yes_and_no_to_the_same_meet(before: str, later: str) -> None:
    store = told(before)
    assert CLASHES & set(store.say(later))


@pytest.mark.parametrize(
    ("before", "later", "old"),
    [
        ("I live in Padua.", "I moved out of Padua.", "Padua"),
        ("I work at Norbridge.", "I was made redundant at Norbridge.", "Norbridge"),
        ("I work at Norbridge.", "I got laid off from Norbridge in April.", "Norbridge"),
        ("I use Notion.", "I've stopped using Notion.", "Notion"),
        ("I'm learning Dutch.", "I've stopped learning Dutch.", "Dutch"),
        ("I'm a vegetarian.", "I gave up being a vegetarian, I eat meat again.", "vegetarian"),
    ],
)
def test_what_is_over_holds_no_longer(before: str, later: str, old: str) -> None:
    store = told(before)
    assert store.holds(old)
    store.say(later)
    assert not store.holds(old)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("I'd rather you didn't remember my salary.", True),
        ("I don't want you remembering my weight.", True),
        ("You can drop everything about my ex.", True),
        ("Strike my old address from your notes.", True),
        ("Forget it, let's get pizza instead.", False),
        ("Forget about the weather, let's talk football.", False),
        ("Forget what he said, I'm still going.", False),
        ("My doctor told me to drop the salt.", False),
        ("Don't let me forget Mum's birthday.", False),
    ],
)
def test_a_request_to_forget_is_told_from_what_looks_like_one(text: str, asks: bool) -> None:
    assert bool(targets(text)) is asks


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Could you keep answers short from here on? I read on my phone.", Kind.CONSTRAINT),
        ("From today, use British spelling.", Kind.CONSTRAINT),
        ("Whenever you write code for me, use tabs.", Kind.CONSTRAINT),
        ("You must ask me before you spend any money.", Kind.CONSTRAINT),
        ("No emojis, please, ever.", Kind.CONSTRAINT),
        ("Don't let me forget to renew my passport before June.", Kind.TODO),
        ("We've decided to go with the blue tiles.", Kind.DECISION),
        ("In the end we went with Postgres for the new service.", Kind.DECISION),
        ("Sushi's my favourite food.", Kind.PREFERENCE),
        ("Honestly I'd pick tea over coffee any day.", Kind.PREFERENCE),
        ("Can't stand horror films.", Kind.PREFERENCE),
    ],
)
def test_orders_tasks_choices_and_tastes_are_known_for_what_they_are(text: str, kind: Kind) -> None:
    assert kind in {one.kind for one in kept(text)}


@pytest.mark.parametrize(
    "text",
    [
        "We're staying at my aunt's until July 3.",
        "I'm on antibiotics until next Monday.",
        "I'm off work this week.",
    ],
)
def test_what_holds_for_a_while_goes_with_it(text: str) -> None:
    (one,) = kept(text)
    assert one.expires_at is not None


@pytest.mark.parametrize(
    "text",
    [
        "The capital of Australia is Canberra.",
        "The average rent in London is about $2,500.",
        "A typical salary for nurses is $60,000.",
        "Translate this into French: my name is Paul and I live in Nice.",
        "Summarise: The committee's budget is $3 million and the chair is Lord Vane.",
        "Proofread this: I am live in London since 2010 and my job is teacher.",
        "Here's the paragraph to edit: 'Our company has 500 employees and is based in Denver.'",
        "翻译：我的名字叫李明，住在南京。",
        "帮我润色这段话：我在腾讯工作，今年30岁。",
        "Sure! Here are some tips to save money: set a budget of $500 and track it.",
        "Python's latest version is 3.13, I think.",
        "She was like, my rent is insane.",
        "My goodness, this is hard!",
        "He goes 'my salary is a million dollars' and everybody laughed.",
    ],
)
def test_general_knowledge_given_texts_and_guesses_leave_nothing(text: str) -> None:
    assert kept(text) == []
