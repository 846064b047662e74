"""Who or what a Chinese clause is about."""

from __future__ import annotations

import re

from memories.core.extraction.raw import Turn, Who
from memories.core.extraction.relations import ZH_RELATIONS, relation
from memories.core.extraction.zh.names import SURNAMES, has_family_name, person_name
from memories.core.text.words import tagged

_RANKED = (
    r"[大二三四五六小幺老](?:叔叔|姨妈|舅舅|姑姑|伯伯|婶婶|嫂子|叔|姨父|姨|舅妈|舅|姑父|姑妈|姑|伯|婶|爷|嫂)"
)
"""Kin by their place among brothers and sisters: 二叔, 小姨."""
_REL = "|".join((_RANKED, *ZH_RELATIONS))
ME = r"(?:我自己|我本人|本人|我|俺|咱)(?!们)"
_MINE = re.compile(rf"(?:我们?|咱们?|俺们?)(?:的|家的?(?=[那大小老]|娘|爸|爹|妈|儿子|女儿|闺女|媳妇))?(?P<adj>[一那这]个|[大二三小前新老亲]|最好的|大学|高中|小学|初中)?(?P<rel>{_REL})(?P<rest>.*)", re.DOTALL)  # fmt: skip
_ME = re.compile(rf"{ME}(?P<rest>.*)", re.DOTALL)
_US = re.compile(r"(?P<us>我们|咱们)(?P<rest>.*)", re.DOTALL)
_PRONOUN = re.compile(
    r"(?P<p>他|她|它|其(?![实他中余它次])|TA|ta|那个人|这个人)(?!们)(?P<rest>.*)", re.DOTALL
)
_YOU = re.compile(r"(?P<you>你|您)(?!们)(?P<rest>.*)", re.DOTALL)
INTRODUCED = re.compile(
    rf"(?P<name>(?![这那他她它我你您谁今昨明])[\u4e00-\u9fff]{{2,4}}?|[A-Z][A-Za-z]+(?: [A-Z][a-z]+)?)(?:就|也)?是(?P<mine>我们?家?的?(?P<rel>{_REL}|[\u4e00-\u9fff]{{2,6}}))"
)
"""葛岚是我的房东: said so, it is a name, whatever the tagger thinks of it."""
POINTED = re.compile(
    rf"(?:这|那|他|她)(?:位|个)?(?:就)?是(?P<mine>我们?家?的?(?P<rel>{_REL}|[\u4e00-\u9fff]{{2,6}}?))[，,]?(?:名叫|叫)?(?P<name>(?:欧阳|司马|上官|诸葛|[{SURNAMES}])[\u4e00-\u9fff]{{1,2}}|[小老阿][\u4e00-\u9fff]|[A-Z][A-Za-z]+(?: [A-Z][a-z]+)?)"
)
"""这是我的合伙人周野."""


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
    rf"(?P<rel>{_RANKED}|爸妈|爸爸|老爸|老爹|妈妈|老妈|爷爷|奶奶|外公|姥爷|外婆|姥姥|哥哥|弟弟|姐姐|妹妹|儿子|闺女|女儿|老公|老婆|媳妇|女朋友|男朋友|女友|男友|岳父|岳母|公公|婆婆|丈母娘|房东|室友|舍友|闺蜜|发小|死党|对象|爱人|太太|导师|同桌|孩子|小孩|宝宝|娃|"
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


_SOON = frozenset({"快", "快要", "就要", "马上", "要", "准备", "打算"})
"""What is about to happen is no thing: 我快|搬到."""


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
        acts = ours and (
            tagged(ours["noun"])[0][1] in {"v", "d", "p", "r", "t", "c", "m"} or ours["noun"] in _SOON
        )
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


def bare_name(name: str) -> str:
    """青云 for 青云项目 and 项目青云: whether one says what a named thing is does not make it another."""
    name = re.sub(r"^首(?=[场次届期轮版批])", "第一", name)
    return re.sub(r"^(?:项目|工程|活动|课题)(?=.{2,3}$)|(?<=..)(?:项目|工程|课题)$", "", name)


def ends_in_verb(phrase: str) -> bool:
    """True when the last word is a verb, as in a relative clause; a long name that ends in one is still a name."""
    words = tagged(phrase)
    if not words or len(phrase) > 4 or re.search(r"[会赛展节班课营游团组群部汇旅行]$", phrase):
        return False
    return words[-1][1] in {"v", "d", "p", "c", "r", "y"}
