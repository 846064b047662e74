"""Requests to forget in phrasings that no rule names, and what only looks like them, in both languages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.core.extraction.engine import extract
from memories.core.extraction.requests import asked
from memories.core.forgetting.targets import targets

REQUESTS = [
    "我的身高不要记",
    "Stop remembering things about my sister",
    "我的血型你不用留着",
    "我体重多少，麻烦从记忆里拿掉",
    "帮我把我生日那条抹了吧",
    "关于我前妻的一切，都不要再提也不要再记",
    "能不能不记我的收入",
    "我住哪儿这件事，请你忘干净",
    "请把刚刚那句从记忆中剔除",
    "你最好忘掉我的邮箱",
    "我希望你别再记得我的门牌号",
    "我的身份证号不准保留",
    "别留我的手机号",
    "我老板的名字不许存",
    "有关李雷的内容统统给我抹掉",
    "把你对我的了解全部清零",
    "我的年龄，忘了它吧",
    "以后别再记王芳的任何事情",
    "我之前说的那个地址，可以忘了",
    "Could you please lose my phone number?",
    "I'd appreciate it if you forgot my birthday",
    "My home address shouldn't be stored",
    "Take my email out of your memory",
    "Please don't hold on to my salary",
    "Let's forget about Henriette",
    "Everything you have on Tom needs to go",
    "I want my blood type erased",
    "No more remembering things about my ex-wife, please",
    "you can forget where I work now",
    "Kindly scrub my date of birth from your records",
    "It'd be better if you didn't keep my height",
    "My sister's address must not be remembered",
    "Please have my old number deleted",
    "劳驾把我的鞋码从记录里剔除",
    "我的婚姻状况你不用存",
    "可不可以不保留我的微信号",
    "我女儿的学校不准记",
    "她的电话不要记",
    "你把我的职业忘干净吧",
    "可以把我弟弟的生日拿掉吗",
    "我搬家的事别记",
    "别留下我的银行卡号",
    "It would be great if you deleted my address",
    "I'd prefer if you didn't store my birthday",
    "My boss's name should not be kept",
    "Could you take my nickname off your records?",
    "Please lose my email",
    "I need my address forgotten",
    "Anything about my brother must be deleted",
    "no more keeping track of my weight",
    "We would be glad if you could erase my phone number",
    "What I told you about Rome can be forgotten",
]
LOOK_ALIKES = [
    "我忘了带伞",
    "别忘了明天开会",
    "我忘记密码了怎么办",
    "删除这个文件",
    "把缓存清了",
    "他忘了我的生日",
    "我永远不会忘记那天",
    "记不住单词怎么办",
    "我不记得她的电话了",
    "帮我把这段代码里的注释删掉",
    "不要忘了我的生日哦",
    "他把我的微信删了",
    "我已经把旧照片都删了",
    "如果我让你忘掉我的电话会怎样",
    "我记不清上次体检的身高",
    "我妈常说别记仇",
    "老师让我们不要记笔记",
    "I forgot my umbrella",
    "Don't forget to call mom",
    "delete the file",
    "I'll never forget that trip",
    "Forget the umbrella, it's sunny",
    "She told me to forget him",
    "I can't remember my password",
    "Remove the last row of the table",
    "Don't let me forget my keys",
    "My doctor keeps my records",
    "How do I erase a whiteboard?",
    "He deleted my number from his phone",
    "Never forget where you came from",
    "I had to give up my seat, forget about comfort",
    "Please drop me a line",
    "I'd forget my head if it wasn't attached",
    "Let's not forget about the meeting",
    "I lost my phone number",
    "Did you delete my email?",
    "My phone number was deleted by the carrier",
    "Stop the car",
    "我的快递不要放门口",
    "他的钱包不要拿",
    "我的快递不要留在门口",
    "作业不要拿掉",
    "这道题的答案记不住",
    "你的话我都记着",
    "孩子的照片别删",
    "我可不可以不去",
    "我最好别忘了",
    "留下我的足迹",
    "他的话不能信",
    "It would be great if you came",
    "I'd appreciate it if you called my boss",
    "My tooth must be removed",
    "I want my tattoo removed",
    "I need my phone repaired",
    "My phone should not be kept in the bag",
    "Take my coat out of the car",
    "Everything must go!",
    "Should my password be stored in plain text?",
    "You should take my advice",
    "no more coffee for me",
    "My flight can be cancelled",
    "The report must not be saved as PDF",
    "I would like it if you didn't smoke",
]
MEANT: dict[str, tuple[str, str, str]] = {
    "我的身高不要记": ("attribute", "user", "height"),
    "Stop remembering things about my sister": ("entity", "user:sister", ""),
    "我的血型你不用留着": ("attribute", "user", "blood_type"),
    "我体重多少，麻烦从记忆里拿掉": ("attribute", "user", "weight"),
    "帮我把我生日那条抹了吧": ("attribute", "user", "birthday"),
    "能不能不记我的收入": ("attribute", "user", "salary"),
    "我住哪儿这件事，请你忘干净": ("attribute", "user", ""),
    "请把刚刚那句从记忆中剔除": ("last", "", ""),
    "你最好忘掉我的邮箱": ("attribute", "user", "email"),
    "我希望你别再记得我的门牌号": ("attribute", "user", ""),
    "我的身份证号不准保留": ("attribute", "user", ""),
    "别留我的手机号": ("attribute", "user", "phone"),
    "我老板的名字不许存": ("attribute", "", "name"),
    "有关李雷的内容统统给我抹掉": ("entity", "李雷", ""),
    "把你对我的了解全部清零": ("everything", "", ""),
    "我的年龄，忘了它吧": ("attribute", "user", "age"),
    "以后别再记王芳的任何事情": ("entity", "王芳", ""),
    "Could you please lose my phone number?": ("attribute", "user", "phone"),
    "I'd appreciate it if you forgot my birthday": ("attribute", "user", "birthday"),
    "My home address shouldn't be stored": ("attribute", "user", ""),
    "Take my email out of your memory": ("attribute", "user", "email"),
    "Please don't hold on to my salary": ("attribute", "user", ""),
    "Let's forget about Henriette": ("entity", "Henriette", ""),
    "Everything you have on Tom needs to go": ("entity", "Tom", ""),
    "I want my blood type erased": ("attribute", "user", "blood_type"),
    "you can forget where I work now": ("attribute", "user", ""),
    "Kindly scrub my date of birth from your records": ("attribute", "user", "birthday"),
    "It'd be better if you didn't keep my height": ("attribute", "user", "height"),
    "My sister's address must not be remembered": ("attribute", "user:sister", ""),
    "Please have my old number deleted": ("attribute", "user", "phone"),
}


@pytest.mark.parametrize("text", REQUESTS)
def test_a_request_is_recognised_however_it_is_put(text: str) -> None:
    assert targets(text)


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_a_look_alike_is_no_request(text: str) -> None:
    assert asked(text) == []


@pytest.mark.parametrize(("text", "meant"), MEANT.items())
def test_a_request_means_what_it_names(text: str, meant: tuple[str, str, str]) -> None:
    scope, entity, attribute = meant
    [target] = targets(text)
    assert target.scope.value == scope
    assert not entity or target.entity == entity
    assert not attribute or attribute in target.attributes


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("那场音乐会不办了，忘了吧", "那场音乐会"),
        ("我的旧邮箱早就停用了，忘掉吧", "我的邮箱"),
        ("那个号码是错的，删掉吧", "那个号码"),
        ("我住在无锡，忘掉吧", "我住在无锡"),
        ("the picnic was called off, forget it", "the picnic"),
        ("my old address is no longer valid, forget it", "my address"),
        ("my email has changed, please forget it", "my email"),
        ("I live in Ghent, forget that", "I live in Ghent"),
        ("my boss is Ann, forget that", "my boss is Ann"),
    ],
)
def test_what_points_back_means_the_topic_of_the_clause_before(text: str, phrase: str) -> None:
    [target] = targets(text)
    assert target.words in {
        phrase,
        phrase.removeprefix("the "),
        phrase.removeprefix("那场"),
        phrase.removeprefix("那个"),
    }


@pytest.mark.parametrize(
    "text",
    [
        "以后不要记我的电话",
        "别再记我上司的事了",
        "never store my address",
        "don't keep notes about my health",
        "stop remembering my weight",
    ],
)
def test_what_is_not_to_be_kept_is_read_once(text: str) -> None:
    """As a request, and not as a rule of how to behave besides."""
    assert asked(text)
    assert extract(text, role="user", speaker="", said_at=datetime(2026, 3, 2, tzinfo=UTC), tz=UTC) == []
