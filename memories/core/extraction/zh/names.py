"""Persons' names in Chinese: how they are told from common words."""

from __future__ import annotations

import re

from memories.core.text.words import is_cut_name, tagged

_TITLE = r"(?:老师|医生|先生|女士|小姐|经理|总监|主任|教授|师傅|阿姨|叔叔|律师|教练)"
_SHORT_TITLE = r"(?:工|总|哥|姐|姨|叔|爷|婶)"
SURNAMES = (
    "葛詹戚裘缪宗郁洪荣翁荀芮储巫郗仲伊仇栾厉戎符景蒲邰赖蔺屠胥闻莘翟贡姬申郦雍桑濮冀晏瞿茹艾戈庾衡匡寇阙沃晁敖阚鞠巢荆竺桓牛谷付闵王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范石廖贾韦傅邹孟熊秦邱江尹薛阎段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤闫覃阮樊柳祝"
    "柯舒骆卓毕翟邢聂甘尤岳齐庄倪季耿盛焦鲍涂霍凌裴祁宁颜甄苗饶游俞华单包池左甯应乔麦兰安易辛席丛晏冉娄宫岑邬卞梅简关项曲褚楚臧佟靳佘芦温施卫方夏金尚费喻章窦穆萧庞纪屈滕"
)
_CALLED = re.compile(
    rf"(?P<name>(?:[小老阿][\u4e00-\u9fff]|大[刘王李张陈赵孙周吴郑徐朱胡郭罗宋梁韩冯邓曹彭曾肖董潘袁蔡蒋杜程苏魏吕丁沈姚卢崔钟谭陆汪范廖贾薛郝邵钱戴])(?![\u4e00-\u9fff]?时候)|[{SURNAMES}][\u4e00-\u9fff]{{0,2}}?{_TITLE}|[{SURNAMES}]{_SHORT_TITLE})(?P<rest>.*)",
    re.DOTALL,
)
# the tagger cuts rarer given names in two; a common family name before a verb or 的 is a name all the same
_FAMILY = re.compile(
    rf"(?P<name>(?:欧阳|司马|上官|诸葛|[{SURNAMES}])"
    r"[\u4e00-\u9fff]{1,2}?)(?=是|的|在|住|喜欢|今年|负责|说|身高|体重|会|有|对|毕业|养|来自|出生|每|不|也|最|很)"
)
_LATIN = re.compile(r"(?P<name>[A-Z][A-Za-z]+(?: [A-Z][a-z]+)?)(?P<rest>.*)", re.DOTALL)
_NOT_CALLED = frozenset(
    {
        "高中", "高考", "马上", "石头", "万一", "江南", "向来", "任何", "何时", "许多", "余下", "钱包", "程序", "黄色", "白天", "林子", "田里", "段时",
        "成都", "江苏", "汤圆", "毛病", "孔雀", "武汉", "钟表", "金额", "雷雨", "龙虾", "老是", "老爱", "老想", "老在", "老要", "老会", "老有", "小心",
        "小时", "小名", "小号", "小学", "老家", "小说", "小区", "小吃", "小雨", "小雪", "老了", "小了", "老人", "小人", "老师", "老板", "小孩", "小狗", "小猫", "小组",
        "小程", "老公", "老婆", "小于", "小声", "阿姨",
    }
)  # fmt: skip


def person_name(text: str) -> str | None:
    """A person's name at the start of the text: by the tagger, by the form (小李, 王老师), or a capitalised Latin word."""
    latin = _LATIN.match(text)
    if latin:
        return latin["name"]
    words = tagged(text[:12])
    family = _FAMILY.match(text)
    if (
        family
        and words
        and words[0][1] in {"nr", "nrfg"}
        and len(words[0][0]) == 1
        and family["name"] not in _NOT_CALLED
    ):
        return family["name"]
    if (
        family
        and family["name"] not in _NOT_CALLED
        and len(family["name"]) > 2
        and looks_called(family["name"])
    ):
        return family["name"]
    if family and words and words[0][0].startswith(family["name"]) and len(words[0][0]) > len(family["name"]):
        return family["name"]  # no word of the dictionary: the tagger took the name and what follows for one
    if len(words) > 1 and is_cut_name(words[0], words[1]) and words[0][0][0] in SURNAMES:
        return words[0][0] + words[1][0]
    if words and words[0][1] in {"nr", "nrt", "nrfg"} and 2 <= len(words[0][0]) <= 4 and words[0][0] in text:
        following = words[1] if len(words) > 1 else ("", "")
        if (
            words[0][0] in _NOT_CALLED
            or words[0][0].endswith("人")
            or words[0][0][0] not in SURNAMES + "小老阿欧司上诸"
        ):
            return None
        if family and len(family["name"]) > len(words[0][0]):
            return family["name"]
        # the tagger cuts 欧阳晓明 or 王小明 in two now and then
        if following[1] in {"nr", "nrt"} and len(words[0][0] + following[0]) <= 4:
            return words[0][0] + following[0]
        return words[0][0]
    called = _CALLED.match(text)
    if called and called["name"] not in _NOT_CALLED and called["name"][:2] not in _NOT_CALLED:
        return called["name"]
    return None


def has_family_name(name: str) -> bool:
    """True for a family name with two more characters, or one that the tagger does not know as a word."""
    return (
        looks_called(name)
        or re.fullmatch(f"(?:欧阳|司马|上官|诸葛|[{SURNAMES}])[\u4e00-\u9fff]{{2}}", name) is not None
    )


def looks_called(text: str) -> bool:
    """True for a family name and one or two characters that make no common word: a name that the tagger does not know."""
    return re.fullmatch(f"[{SURNAMES}][\u4e00-\u9fff]{{1,2}}", text) is not None and all(
        len(word) == 1 or tag in {"nr", "nrt", "nrfg"} for word, tag in tagged(text)
    )


_TITLED = re.compile(rf"[{SURNAMES}]{_TITLE}")


def titled(text: str) -> list[str]:
    """A family name and a title anywhere in the text (王医生), where the name begins a word: not 对方律师."""
    starts, at = set(), 0
    for word, _ in tagged(text):
        at = text.find(word, at)
        starts.add(at)
        at += len(word)
    return [match.group() for match in _TITLED.finditer(text) if match.start() in starts]
