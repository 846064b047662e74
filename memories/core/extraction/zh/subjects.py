"""Who or what a Chinese clause is about."""

from __future__ import annotations

import re

from memories.core.extraction.raw import Turn, Who
from memories.core.extraction.relations import ZH_RELATIONS, relation
from memories.core.text.words import is_cut_name, tagged

_REL = "|".join(ZH_RELATIONS)
_TITLE = r"(?:老师|医生|先生|女士|小姐|经理|总监|主任|教授|师傅|阿姨|叔叔|律师|教练)"
_SHORT_TITLE = r"(?:工|总|哥|姐|姨|叔|爷|婶)"
ME = r"(?:我自己|我本人|本人|我|俺|咱)(?!们)"
_MINE = re.compile(rf"(?:我们?|咱们?|俺们?)(?:的|家的?(?=[那大小老]|娘|爸|爹|妈|儿子|女儿|闺女|媳妇))?(?P<adj>[一那这]个|[大二三小前新老亲]|最好的|大学|高中|小学|初中)?(?P<rel>{_REL})(?P<rest>.*)", re.DOTALL)  # fmt: skip
_ME = re.compile(rf"{ME}(?P<rest>.*)", re.DOTALL)
_US = re.compile(r"(?P<us>我们|咱们)(?P<rest>.*)", re.DOTALL)
_PRONOUN = re.compile(
    r"(?P<p>他|她|它|其(?![实他中余它次])|TA|ta|那个人|这个人)(?!们)(?P<rest>.*)", re.DOTALL
)
_YOU = re.compile(r"(?P<you>你|您)(?!们)(?P<rest>.*)", re.DOTALL)
_SURNAMES = (
    "葛詹戚裘缪宗郁洪荣翁荀芮储巫郗仲伊仇栾厉戎符景蒲邰赖蔺屠胥闻莘翟贡姬申郦雍桑濮冀晏瞿茹艾戈庾衡匡寇阙沃晁敖阚鞠巢荆竺桓牛谷付闵王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范石廖贾韦傅邹孟熊秦邱江尹薛阎段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤闫覃阮樊柳祝"
    "柯舒骆卓毕翟邢聂甘尤岳齐庄倪季耿盛焦鲍涂霍凌裴祁宁颜甄苗饶游俞华单包池左甯应乔麦兰安易辛席丛晏冉娄宫岑邬卞梅简关项曲褚楚臧佟靳佘芦温施卫方夏金尚费喻章窦穆萧庞纪屈滕"
)
_CALLED = re.compile(
    rf"(?P<name>(?:[小老阿][\u4e00-\u9fff]|大[刘王李张陈赵孙周吴郑徐朱胡郭罗宋梁韩冯邓曹彭曾肖董潘袁蔡蒋杜程苏魏吕丁沈姚卢崔钟谭陆汪范廖贾薛郝邵钱戴])(?![\u4e00-\u9fff]?时候)|[{_SURNAMES}][\u4e00-\u9fff]{{0,2}}?{_TITLE}|[{_SURNAMES}]{_SHORT_TITLE})(?P<rest>.*)",
    re.DOTALL,
)
INTRODUCED = re.compile(
    rf"(?P<name>(?![这那他她它我你您谁今昨明])[\u4e00-\u9fff]{{2,4}}?|[A-Z][A-Za-z]+(?: [A-Z][a-z]+)?)(?:就|也)?是(?P<mine>我们?家?的?(?P<rel>{_REL}|[\u4e00-\u9fff]{{2,6}}))"
)
"""葛岚是我的房东: said so, it is a name, whatever the tagger thinks of it."""
POINTED = re.compile(
    rf"(?:这|那|他|她)(?:位|个)?(?:就)?是(?P<mine>我们?家?的?(?P<rel>{_REL}|[\u4e00-\u9fff]{{2,6}}?))[，,]?(?:名叫|叫)?(?P<name>(?:欧阳|司马|上官|诸葛|[{_SURNAMES}])[\u4e00-\u9fff]{{1,2}}|[小老阿][\u4e00-\u9fff]|[A-Z][A-Za-z]+(?: [A-Z][a-z]+)?)"
)
"""这是我的合伙人周野."""
# the tagger cuts rarer given names in two; a common family name before a verb or 的 is a name all the same
_FAMILY = re.compile(
    rf"(?P<name>(?:欧阳|司马|上官|诸葛|[{_SURNAMES}])"
    r"[\u4e00-\u9fff]{1,2}?)(?=是|的|在|住|喜欢|今年|负责|说|身高|体重|会|有|对|毕业|养|来自|出生|每|不|也|最|很)"
)
_LATIN = re.compile(r"(?P<name>[A-Z][A-Za-z]+(?: [A-Z][a-z]+)?)(?P<rest>.*)", re.DOTALL)
_NOT_CALLED = frozenset(
    {
        "高中", "高考", "马上", "石头", "万一", "江南", "向来", "任何", "何时", "许多", "余下", "钱包", "程序", "黄色", "白天", "林子", "田里", "段时",
        "成都", "江苏", "汤圆", "毛病", "孔雀", "武汉", "钟表", "金额", "雷雨", "龙虾", "老是", "老爱", "老想", "老在", "老要", "老会", "老有", "小心",
        "小时", "小学", "老家", "小说", "小区", "小吃", "小雨", "小雪", "老了", "小了", "老人", "小人", "老师", "老板", "小孩", "小狗", "小猫", "小组",
        "小程", "老公", "老婆", "小于", "小声", "阿姨",
    }
)  # fmt: skip


def leading_subject(clause: str, turn: Turn) -> tuple[Who, str] | None:
    """The subject at the clause's start with the rest of the clause, or None.

    Someone in relation to the speaker ("我上司", "我的好朋友小李"), the speaker, a pronoun for someone already named in the
    turn, or a name. "我们" counts as the speaker only for what one says of oneself.
    """
    mine = _MINE.match(clause)
    if mine and not re.match(r"[们]", mine["rest"]):
        kin_of_mine, rest = _related(turn, mine, clause)
        return kin_of_mine, re.sub(r"^[他她](?!们)", "", rest)
    pronoun = _PRONOUN.match(clause)
    if pronoun:
        pointed = pronoun["p"]
        who = turn.thing if pointed == "它" else turn.subject if pointed == "其" else turn.person
        who = who or (turn.person if pointed == "它" else turn.thing if pointed == "其" else None)
        if who is None:
            return None
        kin = re.match(rf"的?(?P<rel>{_REL})(?P<rest>.*)", pronoun["rest"], re.DOTALL)
        if kin and kin["rest"]:
            return Who(f"{who.key}:{relation(kin['rel'])}", f"{who.surface}的{kin['rel']}"), kin["rest"]
        return who, pronoun["rest"]
    me = _ME.match(clause)
    if me:
        return Who(turn.speaker, turn.speaker_surface or clause[: me.start("rest")]), me["rest"]
    us = _US.match(clause)
    if us:
        return Who(turn.speaker, us["us"]), us["rest"]
    you = _YOU.match(clause)
    if you:
        return Who(turn.listener, you["you"]), you["rest"]
    return _kin_alone(clause, turn) or _named(clause, turn)


def _related(turn: Turn, found: re.Match[str], clause: str) -> tuple[Who, str]:
    """我上司, 我上司刘洋: the name that follows stays in the words and is remembered for "he" and for itself."""
    key = f"{turn.speaker}:{relation(found['rel'])}"
    if found["adj"] in {"前", "大学", "高中", "小学", "初中"}:
        key = f"{turn.speaker}:{found['adj']}{found['rel']}"
    rest = found["rest"]
    name = person_name(rest)
    if name and rest != name:
        who = Who(f"{turn.speaker}:{relation(found['rel'])}:{name}", clause[: found.start("rest")] + name)
        turn.people[name] = who
        return who, rest[len(name) :]
    return Who(key, clause[: found.start("rest")]), rest


_KIN_ALONE = re.compile(
    r"(?P<rel>爸妈|爸爸|老爸|老爹|妈妈|老妈|爷爷|奶奶|外公|姥爷|外婆|姥姥|哥哥|弟弟|姐姐|妹妹|儿子|闺女|女儿|老公|老婆|媳妇|女朋友|男朋友|女友|男友|岳父|岳母|公公|婆婆|丈母娘|房东|室友|舍友|"
    r"舅舅|舅妈|姑姑|姑妈|姑父|姨妈|姨父|叔叔|婶婶|伯伯|伯母|表哥|表弟|表姐|表妹|堂哥|堂弟|堂姐|堂妹|侄子|侄女|外甥女|外甥|外孙女|外孙|孙子|孙女|姐夫|妹夫|嫂子)"
    r"(?!们|是|的(?!电话|手机|生日|工作|年龄|血压|血糖|体重|身高)|[和与跟对把给让]|节)(?P<rest>.+)",
    re.DOTALL,
)
"""Kin of whom one speaks without saying whose: the speaker's own. Not before 是, where one speaks of mothers in general."""


def _kin_alone(clause: str, turn: Turn) -> tuple[Who, str] | None:
    match = _KIN_ALONE.match(clause)
    if match is None or turn.speaker == "assistant":
        return None
    rest = match["rest"]
    name = person_name(rest)
    if name and rest != name:
        who = Who(f"{turn.speaker}:{relation(match['rel'])}:{name}", match["rel"] + name)
        turn.people[name] = who
        return who, rest[len(name) :]
    return Who(f"{turn.speaker}:{relation(match['rel'])}", match["rel"]), rest


def _named(clause: str, turn: Turn) -> tuple[Who, str] | None:
    for known, who in turn.people.items():
        if clause.startswith(known) and len(clause) > len(known):
            return who, clause[len(known) :]
    name = person_name(clause)
    if name and len(clause) > len(name):
        return Who(name, name), clause[len(name) :]
    return None


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
    if len(words) > 1 and is_cut_name(words[0], words[1]) and words[0][0][0] in _SURNAMES:
        return words[0][0] + words[1][0]
    if words and words[0][1] in {"nr", "nrt", "nrfg"} and 2 <= len(words[0][0]) <= 4 and words[0][0] in text:
        following = words[1] if len(words) > 1 else ("", "")
        if (
            words[0][0] in _NOT_CALLED
            or words[0][0].endswith("人")
            or words[0][0][0] not in _SURNAMES + "小老阿欧司上诸"
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


PERSON_WORD = re.compile(
    r"[人师员友长手生爷姨哥姐弟妹叔伯婶娘妈爸舅姑婆公客户伴医工匠]$|搭档|恋人|偶像|闺蜜|对手|同伴|前任|现任|同乡|老乡|干爹|上家|下家|教练|同桌|邻居|领导|老板|上司|下属|徒弟|中介|保姆|月嫂|代理|会计|总监|经理|主管|主任"
)
"""How a noun for a person ends."""
_VAGUE = re.compile(
    r"(?:[这那](?:个|些|种|样|里|边|次|时|件|点|儿)?|某.*|有(?:些|的|个|一).*|一些.*|很多.*|许多.*|各种.*|所有.*|任何.*|每.*|大多数.*|其[中他它余]|别的|一[个件种].*|首要|最.{0,3}|什么.*|[这那](?:些|种|样|里|边).*|一般|通常|平时|自己|别人|人家|大家|人们|人|事|东西|生活|未来|世界|社会|时间)"
)
"""What points at something, or at anything: no subject of a memory."""


_RELATIVE = re.compile(
    r"^(?:我们?|你们?|他们?|她们?|咱们?|大家|昨天?|今天?|明天?|前天?|刚才|刚|上次|上[个周月]|去年)"
)
_FILLER = re.compile(
    r"^(?:[这那本][个次场项份批回款件部张条台辆家所座位名种类门只把双套间届]?|我们这个|我们的|咱们的|本|该|关于|至于)(?=.)"
)


def noun_subject(phrase: str, turn: Turn) -> Who | None:
    """The subject that a noun phrase names, before "的<attribute>": a person, or a thing by its name; None for none.

    "我刚报了名的X" is X; a phrase that ends in a verb ("昨天看") is a relative clause and names nothing.
    """
    phrase = re.sub(r"(?<=.{2})[他她]们?$", "", phrase.strip(" ，,、：:的"))
    phrase = re.sub(
        r"^(?:以后|今后|往后|从(?:现在|今天|下周|下个?月)(?:起|开始)|现在|目前|最近|这周|本周|下周)(?=..)",
        "",
        phrase,
    )
    phrase = re.sub(r"(?<=..)(?:现在|目前|最近|已经|以后|今后|要|的)$", "", phrase)
    if not phrase or _VAGUE.fullmatch(phrase):
        return None
    found = leading_subject(phrase + "。", turn)
    if found and found[1].strip("。的") == "":
        return found[0]
    if _PRONOUN.match(phrase) and not found:
        return None  # it stands for nothing that was named: no name of a thing begins with it
    relative = _RELATIVE.match(phrase)
    my_person = re.fullmatch(r"我们?的(?P<noun>[\u4e00-\u9fff]{2,6})", phrase)
    if my_person and PERSON_WORD.search(my_person["noun"]):
        return Who(f"{turn.speaker}:{relation(my_person['noun'])}", phrase)
    if relative and "的" in phrase:
        head = phrase.rsplit("的", 1)[1]
        return (
            Who(head, head, person=False) if 1 <= len(head) <= 24 and head not in "我你他她它这那" else None
        )
    if relative and (not found or found[0].key in {turn.speaker, turn.listener}):
        ours = re.fullmatch(r"(?:我们?|咱们?)(?P<noun>[\u4e00-\u9fffA-Za-z0-9]{1,12})", phrase)
        acts = ours and tagged(ours["noun"])[0][1] in {"v", "d", "p", "r", "t", "c", "m"}
        if ours and (PERSON_WORD.search(ours["noun"]) or not (acts or ends_in_verb(ours["noun"]))):
            someone = PERSON_WORD.search(ours["noun"]) is not None
            return Who(f"{turn.speaker}:{relation(ours['noun'])}", phrase, person=someone)
        return None
    if (
        re.search(
            r"(?<=.)(?:[我你她您]|(?<!其)他)|[，。！？,!?]|(?:是|喜欢|觉得|认为|说|想|希望|知道|虽然|如果|因为|但是?(?!$)|让|使得|表示)",
            phrase,
        )
        or len(phrase) > 28
    ):
        return None
    bare = _FILLER.sub("", phrase)
    if found is None and ends_in_verb(bare) and not has_family_name(bare):
        return None
    person = person_name(bare)
    return Who(bare_name(bare), phrase, person=person == bare)


def has_family_name(name: str) -> bool:
    """True for a family name with two more characters, or one that the tagger does not know as a word."""
    return (
        looks_called(name)
        or re.fullmatch(f"(?:欧阳|司马|上官|诸葛|[{_SURNAMES}])[\u4e00-\u9fff]{{2}}", name) is not None
    )


def looks_called(text: str) -> bool:
    """True for a family name and one or two characters that make no common word: a name that the tagger does not know."""
    return re.fullmatch(f"[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}", text) is not None and all(
        len(word) == 1 or tag in {"nr", "nrt", "nrfg"} for word, tag in tagged(text)
    )


def bare_name(name: str) -> str:
    """青云 for 青云项目 and 项目青云: whether one says what a named thing is does not make it another."""
    return re.sub(r"^(?:项目|工程|活动|课题)(?=.{2,3}$)|(?<=..)(?:项目|工程|课题)$", "", name)


def ends_in_verb(phrase: str) -> bool:
    """True when the last word is a verb, as in a relative clause; a long name that ends in one is still a name."""
    words = tagged(phrase)
    if not words or len(phrase) > 4 or re.search(r"[会赛展节班课营游团组群部汇旅行]$", phrase):
        return False
    return words[-1][1] in {"v", "d", "p", "c", "r", "y"}
