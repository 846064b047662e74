"""Ranking again: what states an answer stands above what only asks, and a past ranking can be replayed."""

from __future__ import annotations

import uuid

import pytest

from accounts.actor import Actor
from memories.core.policy import Policy
from memories.services.policies import forget_cached, set_policy
from memories.services.recall import recall
from memories.services.replay_trace import replay_trace
from tests.memories.services.helpers import keep
from tests.memories.services.test_recall import say_turn
from tests.support.people import House

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("asked", "stated", "question"),
    [
        ("when is the boat trip", "the boat trip is on May 3", "when is the boat trip?"),
        ("有人知道划船定在什么时候吗", "划船定在5月3日", "划船定在哪天?"),
    ],
)
def test_a_statement_with_the_answer_stands_above_the_same_question_asked_before(
    user: Actor, subject_id: uuid.UUID, asked: str, stated: str, question: str
) -> None:
    say_turn(user, subject_id, f"{asked}?", seq=1)
    say_turn(user, subject_id, stated, seq=9)
    found = recall(actor=user, subject_id=subject_id, query=question).items
    assert found[0].text == stated
    assert found[0].parts["answer"] == 1.0
    assert [item.parts["asks"] for item in found] == [0.0, 0.5]


@pytest.mark.parametrize(
    ("stated", "other", "question"),
    [
        (
            "the ferry with the choir leaves Linnet Bay for the summer concert on May 3",
            "a summer coat came on June 9",
            "when does the ferry with the choir leave Linnet Bay for the summer concert?",
        ),
        (
            "合唱团去雁湖参加夏季音乐会的渡船5月3日开",
            "合唱团的新外套6月9日到货了",
            "合唱团去雁湖参加夏季音乐会的渡船哪天开?",
        ),
    ],
)
def test_a_value_is_less_of_an_answer_where_little_tells_that_it_is_about_what_is_asked(
    user: Actor, subject_id: uuid.UUID, stated: str, other: str, question: str
) -> None:
    say_turn(user, subject_id, stated, seq=1)
    say_turn(user, subject_id, other, seq=9)
    answer = {
        item.text: item.parts["answer"]
        for item in recall(actor=user, subject_id=subject_id, query=question).items
    }
    assert answer[stated] == 1.0
    assert answer[other] < 0.9


@pytest.mark.parametrize(
    ("about", "other", "question"),
    [
        ("the ferry leaves Linnet Bay at noon", "I paint birds", "does the ferry leave Linnet Bay at noon?"),
        ("渡船中午从雁湖出发", "我喜欢画鸟", "渡船是中午从雁湖出发吗?"),
    ],
)
def test_having_passed_the_gate_counts_for_what_is_about_the_question(
    acme: House, user: Actor, subject_id: uuid.UUID, about: str, other: str, question: str
) -> None:
    set_policy(actor=acme.actor("admin"), overrides={"recall.floor": 0.0})
    forget_cached()
    for text in (about, other):
        keep(user, subject_id, text, importance=0.8)
    kept = {
        item.text: item.parts["kept"]
        for item in recall(actor=user, subject_id=subject_id, query=question).items
    }
    assert kept == {about: 1.0, other: 0.0}


@pytest.mark.parametrize(
    ("asked", "told", "question"),
    [
        ("when is the boat trip, by the way?", "oh, that will be on May 3", "when is the boat trip?"),
        ("对了，划船定在哪天？", "应该是5月3日吧", "划船定在哪天?"),
    ],
)
def test_a_value_said_right_after_the_question_answers_it_without_its_words(
    user: Actor, subject_id: uuid.UUID, asked: str, told: str, question: str
) -> None:
    session = uuid.uuid4()
    say_turn(user, subject_id, asked, seq=1, session_id=session)
    say_turn(user, subject_id, told, seq=2, session_id=session)
    found = recall(actor=user, subject_id=subject_id, query=question).items
    assert next(item.parts["answer"] for item in found if item.text == told) == 1.0


def test_a_replay_under_the_same_policy_gives_the_same_scores(user: Actor, subject_id: uuid.UUID) -> None:
    keep(user, subject_id, "the boat trip is on May 3")
    say_turn(user, subject_id, "when is the boat trip?")
    result = recall(actor=user, subject_id=subject_id, query="when is the boat trip?")
    assert result.trace_id is not None
    replay = replay_trace(actor=user, trace_id=result.trace_id, policy=Policy.default())
    assert [row.item_id for row in replay.rows] == [item.id for item in result.items]
    for row in replay.rows:
        assert row.score_now == pytest.approx(row.score_then, abs=1e-3)


def test_what_a_memory_states_answers_though_its_value_is_no_name_by_form(
    user: Actor, subject_id: uuid.UUID
) -> None:
    keep(user, subject_id, "青桥项目的供应商是岭桐印务", infer=True)
    say_turn(user, subject_id, "都说青桥项目的供应商不好找。", seq=2)
    found = recall(actor=user, subject_id=subject_id, query="青桥项目的供应商是哪家?").items
    answer = {item.text: item.parts["answer"] for item in found}
    assert answer == {"青桥项目的供应商是岭桐印务": 1.0, "都说青桥项目的供应商不好找。": 0.0}


@pytest.mark.parametrize(
    ("todo", "beside", "question"),
    [
        ("I still have to send Anna Berg the list QX-1", "Anna Berg's birthday is on May 3", "What do I owe Anna Berg?"),
        ("我还得把清单QX-1寄给王芳", "王芳的生日是5月3日", "我还得寄什么清单给王芳?"),
    ],
)  # fmt: skip
def test_what_one_owes_somebody_is_the_todo_and_not_what_else_is_known_of_them(
    user: Actor, subject_id: uuid.UUID, todo: str, beside: str, question: str
) -> None:
    keep(user, subject_id, beside, infer=True)
    keep(user, subject_id, todo, infer=True)
    parts = {
        item.text: item.parts for item in recall(actor=user, subject_id=subject_id, query=question).items
    }
    told = [(text, parts[text]["slot"], parts[text]["answer"]) for text in parts]
    assert told[0] == (todo, 1.0, 1.0)
    assert told[1:] in ([], [(beside, 0.0, 0.0)])


def scored(user: Actor, subject_id: uuid.UUID, question: str, text: str) -> tuple[float, dict[str, float]]:
    found = recall(actor=user, subject_id=subject_id, query=question, reinforce=False, trace=False).items
    [item] = [one for one in found if one.text == text]
    return item.score, item.parts


@pytest.mark.parametrize(
    ("about", "phone", "question"),
    [
        (
            "Ruth mends boats in Haldorf",
            "Ruth has the phone number 5550192",
            "the phone number of the one who mends boats in Haldorf",
        ),
        ("林岚在海德镇修船", "林岚的电话是13900002222", "在海德镇修船的人电话是多少"),
    ],
)
def test_what_is_said_about_the_one_that_is_meant_is_pulled_up(
    acme: House, user: Actor, subject_id: uuid.UUID, about: str, phone: str, question: str
) -> None:
    for at, text in enumerate((about, phone, "Omar has a red kettle", "老周买了一把新壶")):
        say_turn(user, subject_id, text, seq=10 * at)
    usual, parts = scored(user, subject_id, question, phone)
    assert parts["hop"] > 0
    whether = f"Have I ever asked: {question}?" if question.isascii() else f"我有没有问过{question}?"
    assert scored(user, subject_id, whether, phone)[1]["hop"] == 0
    set_policy(actor=acme.actor("admin"), overrides={"recall.hop_weight": 0})
    forget_cached()
    assert scored(user, subject_id, question, phone)[0] < usual


@pytest.mark.parametrize(
    ("question", "dearer"),
    [
        ("when does the ferry leave?", True),
        ("can you plan my ferry trip?", True),
        ("when did you say the ferry leaves?", False),
    ],
)
def test_an_assistants_words_count_less_unless_the_question_turns_to_it(
    acme: House, user: Actor, subject_id: uuid.UUID, question: str, dearer: bool
) -> None:
    said = "The ferry leaves at nine from the north pier."
    say_turn(user, subject_id, said, role="assistant")
    usual, _ = scored(user, subject_id, question, said)
    set_policy(actor=acme.actor("admin"), overrides={"recall.assistant_cost": 0})
    forget_cached()
    assert (scored(user, subject_id, question, said)[0] > usual) is dearer


@pytest.mark.parametrize(
    ("liking", "question", "asked"),
    [
        (
            "On the train I prefer seats by the window.",
            "can you suggest how to book the train?",
            "how did I book the train?",
        ),
        ("我坐火车喜欢靠窗的座位。", "推荐一下火车上怎么选座位", "火车上的座位是怎么选的"),
    ],
)
def test_how_somebody_likes_things_counts_where_advice_is_sought(
    acme: House, user: Actor, subject_id: uuid.UUID, liking: str, question: str, asked: str
) -> None:
    say_turn(user, subject_id, liking)
    usual, parts = scored(user, subject_id, question, liking)
    assert parts["liking"] == 1.0
    assert scored(user, subject_id, asked, liking)[1]["liking"] == 0.0
    set_policy(actor=acme.actor("admin"), overrides={"recall.liking_bonus": 0})
    forget_cached()
    assert scored(user, subject_id, question, liking)[0] < usual
