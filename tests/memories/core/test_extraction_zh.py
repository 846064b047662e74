"""Chinese statements become memories with their structure; questions, suppositions and small talk do not."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memories.core.extraction import Candidate, extract
from memories.core.kinds import Kind

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 3, 4, 9, 0, tzinfo=SHANGHAI)  # a Wednesday


def read(text: str, role: str = "user", speaker: str = "") -> list[Candidate]:
    found = extract(text, role=role, speaker=speaker, said_at=NOW, tz=SHANGHAI)
    for candidate in found:
        assert text[candidate.start : candidate.end] == candidate.quote
    return found


def facts(text: str) -> set[tuple[str, str | None, str | None]]:
    return {(c.subject, c.attribute, c.value) for c in read(text)}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("我叫陶谦", ("user", "name", "陶谦")),
        ("叫我阿满就行", ("user", "nickname", "阿满")),
        ("我今年三十六岁了", ("user", "age", "三十六岁")),
        ("我的生日是8月19日", ("user", "birthday", "8月19日")),
        ("我住在绍兴", ("user", "home", "绍兴")),
        ("我搬到泉州了", ("user", "home", "泉州")),
        ("我老家在洛阳", ("user", "origin", "洛阳")),
        ("我是温州人", ("user", "origin", "温州")),
        ("我在海棠科技上班", ("user", "employer", "海棠科技")),
        ("我在泉州上班", ("user", "workplace", "泉州")),
        ("我是一名药剂师", ("user", "occupation", "药剂师")),
        ("我特别喜欢钓鱼", ("user", "likes", "钓鱼")),
        ("我不太喜欢榴莲", ("user", "likes", "榴莲")),
        ("我讨厌排队", ("user", "likes", "排队")),
        ("我最喜欢的水果是杨梅", ("user", "favorite_水果", "杨梅")),
        ("我对青霉素过敏", ("user", "allergy", "青霉素")),
        ("我养了一只乌龟叫慢慢", ("user", "pet", "一只乌龟叫慢慢")),
        ("我家狗叫来福", ("user:dog", "name", "来福")),
        ("我嫂子是会计", ("user:嫂子", "occupation", "会计")),
        ("我导师的邮箱是wei@lab.example", ("user:advisor", "email", "wei@lab.example")),
        ("我表弟手机号是13700001111", ("user:表弟", "phone", "13700001111")),
        ("邵峰的微信是sf_0402", ("邵峰", "wechat", "sf_0402")),
        ("青云项目的截止日期是4月30日", ("青云", "deadline", "4月30日")),
        ("这个项目的合同编号是 HT-20931", ("项目", "contract_number", "HT-20931")),
        ("这次活动的预算上限是7200元", ("活动", "budget_limit", "7200元")),
        ("阳台灯的开关在门后面,阳台灯的型号是L-88", ("阳台灯", "brand", "L-88")),
        ("评审会改到周六下午四点了", ("评审会", "time", "周六下午四点")),
        ("每周二9:30固定开晨会", ("晨会", "time", "每周二9:30")),
        ("社团招新会的规模有三百人", ("社团招新会", "scale", "三百人")),
    ],
)
def test_a_statement_becomes_a_fact(text: str, fact: tuple[str, str, str]) -> None:
    assert fact in facts(text)


def test_the_same_slot_is_found_however_the_statement_is_turned() -> None:
    ways = [
        "青云项目的负责人是邵峰",
        "邵峰是青云项目的负责人",
        "青云项目的负责人换了，现在是邵峰",
        "以后青云项目的负责人是邵峰",
        "我们决定青云项目的负责人用邵峰",
    ]
    assert [facts(way) for way in ways] == [{("青云", "owner", "邵峰")}] * len(ways)
    assert ("青云", "deadline", "4月30日") in facts("青云项目要在4月30日之前交付")


def test_several_facts_in_one_sentence_are_told_apart() -> None:
    assert facts("我叫陶谦，今年36岁，住在绍兴，在海棠科技做测试员") == {
        ("user", "name", "陶谦"),
        ("user", "age", "36岁"),
        ("user", "home", "绍兴"),
        ("user", "employer", "海棠科技"),
        ("user", "occupation", "测试员"),
    }


def test_he_and_it_mean_whoever_was_named_before() -> None:
    found = read("我上司是邵峰。他的电话是13700001111")
    assert ("user:boss", "phone", "13700001111") in {(c.subject, c.attribute, c.value) for c in found}
    assert "我上司的电话是13700001111" in {c.content for c in found}
    assert ("读书节", "scale", "两百人") in facts("我报名的读书节，它的规模是两百人")


def test_a_relation_told_of_a_name_makes_one_person_of_them() -> None:
    assert facts("邵敏就是我母亲，她64岁了") == {
        ("user:mother", "name", "邵敏"),
        ("user:mother", "age", "64岁"),
    }
    assert facts("邵峰是我同事，他住在绍兴") == {
        ("user:colleague:邵峰", "name", "邵峰"),
        ("user:colleague:邵峰", "home", "绍兴"),
    }
    assert facts("我同事邵峰住在绍兴") == {("user:colleague:邵峰", "home", "绍兴")}


def test_kin_that_chinese_tells_apart_do_not_share_a_slot() -> None:
    (uncle,), (other) = read("我叔叔的电话是13700001111"), read("我舅舅的电话是13700002222")
    assert uncle.slot != other[0].slot


@pytest.mark.parametrize(
    "text",
    [
        "我妈妈换了个电话，现在的电话是13700002222",
        "我妈妈的电话有变动，换成了13700002222",
        "我妈妈的电话改成13700002222了",
        "我妈妈的新电话是13700002222",
    ],
)
def test_a_changed_number_lands_in_the_slot_of_the_old_one(text: str) -> None:
    (found,) = read(text)
    assert (found.subject, found.attribute, found.value, found.correction) == (
        "user:mother",
        "phone",
        "13700002222",
        False,
    )


@pytest.mark.parametrize(
    "text",
    [
        "我妈妈的年龄应该是61岁，不是60岁",
        "刚才说的60岁不算，我妈妈的年龄是61岁",
        "我妈妈的年龄不是60岁，是61岁",
    ],
)
def test_a_correction_names_what_it_takes_back(text: str) -> None:
    (found,) = read(text)
    assert (found.value, found.replaces, found.correction) == ("61岁", "60岁", True)


def test_liking_and_not_liking_are_kept_apart() -> None:
    found = {(c.attribute, c.value, c.negated) for c in read("我喜欢喝茶，但不喜欢喝奶茶")}
    assert found == {("likes", "喝茶", False), ("likes", "喝奶茶", True)}


def test_a_request_to_remember_is_explicit_and_keeps_what_no_rule_reads() -> None:
    (code,) = read("记一下,这个项目的合同编号是 HT-20931")
    assert (code.explicit, code.value, code.content) == (True, "HT-20931", "这个项目的合同编号是 HT-20931")
    (loose,) = read("请记住，周末的队服统一穿蓝的那套")
    assert (loose.explicit, loose.kind, loose.attribute) == (True, Kind.FACT, None)
    assert "蓝的那套" in loose.content


@pytest.mark.parametrize(
    "text",
    [
        "你平时听哪种音乐？",
        "我是不是该搬到泉州？",
        "你知道我的生日是几月几号吗",
        "如果我搬到泉州，你会帮我找房子吗？",
        "要是我喜欢爬山就好了",
        "我可能会去泉州",
        "听说邵峰的电话换了",
        "谢谢，辛苦了",
        "那是当然啦",
        "哈哈哈哈",
        "今天天气不错",
        "忘掉我的电话号码",
        "帮我删掉吧，我的住址以后不用记",
        "",
        "？？？",
    ],
)
def test_what_states_nothing_to_keep_leaves_nothing(text: str) -> None:
    assert read(text) == []


def test_the_statement_before_a_question_is_kept() -> None:
    assert facts("我儿子已经九岁了，念书挺上心，你多大啊？") == {("user:son", "age", "九岁")}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("刚才说错了，我的生日是8月20日", "8月20日"),
        ("更正一下，我的生日是8月20日", "8月20日"),
        ("我的生日不是8月19日，是8月20日", "8月20日"),
        ("我的生日不是8月19日而是8月20日", "8月20日"),
    ],
)
def test_a_correction_says_so_and_gives_only_the_right_value(text: str, value: str) -> None:
    (found,) = read(text)
    assert (found.attribute, found.value, found.correction, found.single) == ("birthday", value, True, True)


def test_an_update_says_so_and_a_plain_statement_does_not() -> None:
    assert all(c.update for c in read("我搬到泉州了"))
    assert all(c.update for c in read("读书节的地点改到了图书馆"))
    assert not any(c.update for c in read("我住在泉州"))


def test_what_has_ended_is_marked_as_no_longer_so() -> None:
    (found,) = read("我不住在绍兴了")
    assert (found.attribute, found.value, found.negated, found.update) == ("home", "绍兴", True, True)


@pytest.mark.parametrize(
    "text",
    [
        "周报里不要用表格",
        "以后都用英文回答我",
        "所有对外邮件必须抄送法务",
        "禁止在生产库上直接改数据",
        "请在回答里始终附上来源",
    ],
)
def test_a_standing_rule_is_a_constraint_with_a_key(text: str) -> None:
    (found,) = read(text)
    assert found.kind is Kind.CONSTRAINT
    assert found.key


@pytest.mark.parametrize("text", ["别担心", "不要紧", "我不能去了", "他必须走了", "今天先不要发"])
def test_a_single_request_or_a_story_is_no_constraint(text: str) -> None:
    assert all(c.kind is not Kind.CONSTRAINT for c in read(text))


def test_two_rules_about_the_same_thing_share_a_key_whichever_way_they_go() -> None:
    (no,), (must,) = read("周报里不要用表格"), read("以后周报里必须用表格")
    assert no.key == must.key
    (english,), (chinese,) = read("以后都用英文回答我"), read("从现在起请用中文回复我")
    assert english.key == chinese.key
    (other,) = read("周报里不要用图片")
    assert other.key != no.key


def test_a_todo_has_its_owner_and_its_due_time() -> None:
    (mine,) = read("提醒我明天下午三点给物业打电话")
    assert (mine.kind, mine.owner) == (Kind.TODO, "user")
    assert mine.due == datetime(2026, 3, 5, 16, 0, tzinfo=SHANGHAI)
    theirs = [c for c in read("邵峰负责后端，周五之前要提交方案") if c.kind is Kind.TODO]
    assert [(c.owner, c.due) for c in theirs] == [("邵峰", datetime(2026, 3, 7, tzinfo=SHANGHAI))]


def test_a_decision_is_kept_and_indecision_is_not() -> None:
    (found,) = read("我们决定用蓝色方案")
    assert found.kind is Kind.DECISION
    assert not any(c.kind is Kind.DECISION for c in read("我们还没决定用哪个方案"))


def test_a_passing_state_ends_with_its_time_and_an_address_does_not() -> None:
    (trip,) = read("本周我在出差")
    assert trip.expires_at == datetime(2026, 3, 9, tzinfo=SHANGHAI)
    assert all(c.expires_at is None for c in read("我搬到泉州了"))
    assert all(c.expires_at is None for c in read("评审会改到周六下午四点了"))


def test_an_event_lies_where_it_happened() -> None:
    (found,) = read("昨天我和小邵去爬了天目山")
    assert found.kind is Kind.EVENT
    assert found.valid_from == datetime(2026, 3, 3, tzinfo=SHANGHAI)
    assert found.valid_to == datetime(2026, 3, 4, tzinfo=SHANGHAI)


def test_the_assistants_words_are_about_the_user_and_weigh_less() -> None:
    assert read("我喜欢帮助别人", role="assistant") == []
    assert all(
        c.source == "assistant" and c.importance <= 0.5
        for c in read("邵峰的电话是13700001111", role="assistant")
    )
    assert not any(c.explicit for c in read("请记住，邵峰的电话是13700001111", role="assistant"))


def test_a_second_speakers_i_is_that_speaker() -> None:
    assert {c.subject for c in read("我住在绍兴", speaker="邵峰")} == {"邵峰"}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("我升职成主管了", ("user", "occupation", "主管")),
        ("我姐夫从绍兴调到了泉州", ("user:姐夫", "workplace", "泉州")),
        ("备用钥匙放在门口的地毯下面", ("备用钥匙", "location", "门口的地毯下面")),
        ("读书会挪到三楼会议室", ("读书会", "location", "三楼会议室")),
        ("我们公司搬到滨江了", ("user", "employer_location", "滨江")),
        ("我们团队扩充到15人了", ("user:团队", "scale", "15人")),
        ("茶会由周野主持", ("茶会", "主持人", "周野")),
        ("读书节取消了", ("读书节", "status", "取消了")),
        ("我戒烟了", ("user", "does:烟", "烟")),
        ("我把旧相机卖了", ("user", "owns:相机", "相机")),
        ("我离职了", ("user", "employment_status", "离职")),
        ("鱼缸水温降至22度", ("鱼缸", "水温", "22度")),
    ],
)
def test_a_verb_of_change_says_what_became_of_whom(text: str, fact: tuple[str, str, str]) -> None:
    (found,) = read(text)
    assert (found.subject, found.attribute, found.value) == fact


@pytest.mark.parametrize(
    "text",
    [
        "编程的好处是锻炼思维",
        "中国的首都是北京",
        "最重要的原因是他没来",
        "练好一门手艺是一辈子的功夫",
        "那一类的舞剧老是叫人坐不住",
        "小李说：“我住在绍兴。”",
        "我妈觉得我的体重是60公斤",
        "他的电话是13900001111",
        "大致记得是醋和糖",
        "我吃过饭了",
        "跟你说说话总能有点收获",
    ],
)
def test_general_truths_opinions_and_others_words_teach_nothing(text: str) -> None:
    assert read(text) == []


def test_what_was_so_and_what_will_be_so_say_when() -> None:
    (past,) = read("我以前住在绍兴")
    assert past.valid_to == NOW
    (period,) = read("2019年到2021年我住在绍兴")
    assert (period.valid_from, period.valid_to) == (
        datetime(2019, 1, 1, tzinfo=SHANGHAI),
        datetime(2022, 1, 1, tzinfo=SHANGHAI),
    )
    (coming,) = read("我下个月开始住在绍兴")
    assert (coming.valid_from, coming.valid_to) == (datetime(2026, 4, 1, tzinfo=SHANGHAI), None)
    (since,) = read("我从2021年开始住在绍兴")
    assert (since.valid_from, since.valid_to) == (datetime(2021, 1, 1, tzinfo=SHANGHAI), None)


def test_each_thing_of_a_list_is_liked_on_its_own() -> None:
    found = read("我喜欢钓鱼、下棋和摄影")
    assert [(c.value, c.content) for c in found] == [
        ("钓鱼", "我喜欢钓鱼"), ("下棋", "我喜欢下棋"), ("摄影", "我喜欢摄影")
    ]  # fmt: skip


def test_words_that_confirm_say_so() -> None:
    assert all(c.confirms for c in read("书架的承重没变，还是40斤"))
    assert all(c.confirms for c in read("我又问了一下，我嫂子的电话确实是13900001111"))
    assert not any(c.confirms for c in read("书架的承重改了，现在是60斤"))


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("我失业了", "employment_status", "失业"),
        ("我去年离职了", "employment_status", "离职"),
        ("我还在读研究生", "education", "研究生"),
        ("我是单身", "marital_status", "单身"),
        ("我结婚三年了", "marital_status", "结婚"),
        ("我没有女朋友", "owns:女朋友", "女朋友"),
    ],
)
def test_a_state_of_life_is_told_by_the_word_that_was_said(text: str, attribute: str, value: str) -> None:
    (found,) = read(text)
    assert (found.attribute, found.value) == (attribute, value)


@pytest.mark.parametrize("text", ["我工作三年了", "我毕业了", "我上班三年了", "我上班了"])
def test_nothing_is_said_of_studies_that_the_words_do_not_say(text: str) -> None:
    assert all(one.value is None or one.value in text for one in read(text))
    assert all(one.attribute not in {"occupation", "employer"} for one in read(text))


@pytest.mark.parametrize("opening", ["我即将出席陶艺交流会", "我参加了陶艺交流会"])
def test_it_is_what_the_person_attends(opening: str) -> None:
    found = {(one.subject, one.attribute): one.value for one in read(f"{opening}，它的规模是三百人。")}
    assert found["陶艺交流会", "scale"] == "三百人"


def test_it_without_anything_named_before_names_nothing() -> None:
    assert not [one for one in read("它的规模是三百人。") if one.subject.startswith("它")]


def test_an_item_of_a_list_is_liked_not_done() -> None:
    assert all(candidate.attribute == "likes" for candidate in read("我喜欢唱歌，健身，旅游。"))
    assert any(candidate.attribute == "does:健身" for candidate in read("我健身，也跑步。"))


def test_what_somebody_says_will_change_is_no_attribute_of_theirs() -> None:
    for candidate in read("我的一个朋友最近表示要搬到另一个城市去。"):
        assert "表示" not in (candidate.attribute or "")
