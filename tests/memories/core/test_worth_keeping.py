"""What is worth keeping of a day: events and plans that stand alone; not what points, is empty, is a habit, or lies in the past."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.core.extraction.candidate import Candidate
from memories.core.extraction.engine import extract
from memories.core.gate import judge
from memories.core.kinds import Kind
from memories.core.policy import Policy

AT = datetime(2026, 3, 5, 12, tzinfo=UTC)
POLICY = Policy.default()


def kept(text: str, *, speaker: str = "") -> list[Candidate]:
    found = extract(text, role="user", speaker=speaker, said_at=AT, tz=UTC)
    # What is `open` is kept only where it meets something known.
    return [one for one in found if not one.open and judge(one, POLICY).outcome == "stored"]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("We will visit Tom's parents tomorrow.", datetime(2026, 3, 6, tzinfo=UTC)),
        ("My cousin is getting married next month.", datetime(2026, 4, 1, tzinfo=UTC)),
        ("I'm having lunch with Ann tomorrow.", datetime(2026, 3, 6, tzinfo=UTC)),
        ("Last weekend I went to a pottery fair.", datetime(2026, 2, 28, tzinfo=UTC)),
        ("I signed up for a sailing course yesterday.", datetime(2026, 3, 4, tzinfo=UTC)),
        ("后天我要去面试。", datetime(2026, 3, 7, tzinfo=UTC)),
        ("上周末我去了一趟海边。", datetime(2026, 2, 28, tzinfo=UTC)),
    ],
)
def test_an_event_of_another_day_and_a_plan_are_kept_with_their_day(text: str, day: datetime) -> None:
    (event,) = kept(text)
    assert event.kind is Kind.EVENT
    assert event.valid_from == day


@pytest.mark.parametrize(
    "text",
    [
        "I repaired it last Friday.",
        "Here's the drawing that I finished last week.",
        "I framed that print in Porto last night.",
        "We're going to that hall tomorrow.",
        "I had quite some luck last week.",
        "I had a great surprise last Tuesday!",
        "We're thinking about sailing to Corsica next month.",
        "Last week I bought new blankets for them.",
        "I hope you had fun yesterday.",
        "I'll call you tomorrow!",
        "今天很高兴认识你，我们明天再聊。",
        "昨天我遇到了一件烦心的事情。",
    ],
)
def test_what_only_points_or_says_nothing_is_no_event(text: str) -> None:
    assert kept(text, speaker="Ann" if text.isascii() else "") == []


@pytest.mark.parametrize(
    "text",
    [
        "Sometimes I visit Anna on Sunday.",
        "I usually meet Tom on Friday.",
        "有时我周末会去郊外骑车。",
        "病人一般晚上才来。",
        "我喜欢晚上去，晚上人少。",
    ],
)
def test_a_habit_is_no_event_of_a_day(text: str) -> None:
    assert [one for one in kept(text) if one.kind is Kind.EVENT] == []


@pytest.mark.parametrize(
    "text",
    [
        "我更爱听评书，那你昨天跟谁一起去的呢？",
        "我今年34岁，应该比你年长些。",
    ],
)
def test_the_time_of_a_question_or_of_another_statement_dates_nothing(text: str) -> None:
    assert [one for one in kept(text) if one.kind is Kind.EVENT] == []


@pytest.mark.parametrize(
    "text",
    ["我喜欢收藏各种玩意儿。", "我在学一门新手艺。", "I love many things!", "I've tried several activities.", "I've been doing some stuff lately."],
)  # fmt: skip
def test_a_value_that_could_be_anything_is_not_kept(text: str) -> None:
    assert kept(text, speaker="Ann" if text.isascii() else "") == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("我喜欢收集旧邮票。", "收集旧邮票"),
        ("我在学木雕。", "木雕"),
        ("I love mushrooms of course.", "mushrooms"),
        ("I don't like golf, to be honest.", "golf"),
    ],
)
def test_a_value_is_kept_without_what_is_only_said_beside_it(text: str, value: str) -> None:
    assert [one.value for one in kept(text)] == [value]


def test_a_decision_carried_out_in_the_past_is_an_event() -> None:
    (told,) = kept("I decided to rest yesterday and try a new bakery.")
    assert told.kind is Kind.EVENT
    (decided,) = kept("We decided yesterday to hire Tom.")
    assert decided.kind is Kind.DECISION


def test_a_decision_for_something_only_pointed_at_is_not_kept() -> None:
    assert kept("We've gone with this lamp that has three arms.", speaker="Ann") == []


@pytest.mark.parametrize(
    "text", ["小时候村里没电，夜里只能点蜡烛。", "够啦，别夸姐姐了。", "好了，别提他了。"]
)
def test_how_things_were_and_a_word_to_stop_are_no_rule(text: str) -> None:
    assert [one for one in kept(text) if one.kind is Kind.CONSTRAINT] == []


@pytest.mark.parametrize(
    "text", ["以后别再叫我小王了。", "周报里只能用中文。", "以前随便，以后周报里只能用中文。"]
)
def test_a_rule_meant_to_last_is_one_still(text: str) -> None:
    assert [one.kind for one in kept(text)] == [Kind.CONSTRAINT]


@pytest.mark.parametrize("text", ["我徒弟负责干的是刷墙。", "我邻居过完生日是在9月1号。"])
def test_a_piece_of_a_clause_is_nobody(text: str) -> None:
    assert all(one.subject.rsplit(":", 1)[-1][-1] not in "过干" for one in kept(text))


def test_how_far_one_went_to_school_is_no_subject_of_study() -> None:
    assert [(one.attribute, one.value) for one in kept("我姑姑读的是本科。")] == [("education", "本科")]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("嗯，是的我很喜欢篮球。", "likes", "篮球"),
        ("我每天早上都会游泳，你呢？", "does:游泳", "游泳"),
        ("我舅舅就本科毕业的。", "education", "本科"),
        ("我才19岁就得自己租房。", "age", "19岁"),
        ("湖人队是我最喜欢的球队。", "favorite_球队", "湖人队"),
        ("我最喜欢吃的就是烤鸭。", "likes", "吃烤鸭"),
        ("你好，我是赵晓雯。", "name", "赵晓雯"),
        ("我在一家酒吧工作。", "employer", "一家酒吧"),
        ("女排比赛是我最喜欢看的。", "likes", "看女排比赛"),
        ("My dream is to open a bakery.", "goal", "to open a bakery"),
        ("I always dreamed of visiting Iceland.", "goal", "visiting Iceland"),
        ("I've taken up pottery and it's been great.", "hobby", "pottery"),
        ("I played TIS:100 with Tom last night.", "done_play", "tis:100"),
    ],
)
def test_what_is_said_of_oneself_is_read_however_it_is_put(text: str, attribute: str, value: str) -> None:
    assert (attribute, value) in [(one.attribute, one.value) for one in kept(text)]


def test_what_one_did_at_an_age_is_not_how_old_one_is() -> None:
    assert [one for one in kept("我18岁就开了第一家店。") if one.attribute == "age"] == []


@pytest.mark.parametrize("text", ["我是高手。", "我是温和的人。", "我是急性子。", "我是江南人。"])
def test_what_somebody_is_like_is_no_name(text: str) -> None:
    assert [one for one in kept(text) if one.attribute == "name"] == []


@pytest.mark.parametrize(
    "text", ["今天是我的生日。", "我今天刚通过了驾照考试。", "I passed my driving test today!"]
)
def test_a_day_that_weighs_is_kept_though_it_is_today(text: str) -> None:
    assert len(kept(text)) == 1
