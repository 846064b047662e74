"""Whose attribute, and which, the words before a copula name in Chinese: "鱼缸的|水温", "项目|预算", or nobody's."""

from __future__ import annotations

import re
from itertools import accumulate

from memories.core.extraction.attributes import ZH_WORDS, lookup
from memories.core.extraction.raw import NOBODY, Turn, Who
from memories.core.extraction.zh.adverbs import bare_head
from memories.core.extraction.zh.names import SURNAMES, has_family_name, person_name
from memories.core.extraction.zh.rules import COPULA
from memories.core.extraction.zh.subjects import ME, PERSON_WORD, leading_subject, noun_subject
from memories.core.extraction.zh.values import is_abstract, is_opinion
from memories.core.text.words import tagged
from memories.core.values.sorts import is_amount, is_exact

HEAD = 40
"""Characters that what stands before a copula may have at most."""


def begin_of(text: str, start: int, end: int) -> int:
    """Where the words between attribute and value begin: 血压|降到 and 首都|是, where a pattern would cut inside a word."""
    if text[start] in "改换变更升降涨跌":
        return start
    first = max(0, end - HEAD - 8)
    bounds = set(accumulate((len(word) for word, _ in tagged(text[first:end])), initial=first))
    if start in bounds or start + 1 not in bounds:
        return start
    rest = text[start + 1 : end]
    return start + 1 if re.fullmatch(COPULA.pattern, rest) else start


def split_head(head: str, turn: Turn, *, loose: bool, value: str | None = None) -> tuple[Who, str] | None:
    """Subject and attribute word of what stands before the copula.

    A word of the table may follow its subject directly (项目预算, 我手机号) or stand alone; any other noun needs 的 before it
    and a copula that is no preposition. `value` is what it is said to be: an opinion or a definition is no value of an open noun.
    """
    head = head.strip(" 、,，")
    head = bare_head(head)
    head = re.sub(r"^(?:(?:最?新|目前|现在|正确|真正|准确|实际)的|最新|目前|现在|如今|眼下)(?=.)", "", head)
    newly = False
    if head[:1] == "新" and (
        lookup(head[1:]) is not None or (value and PERSON_WORD.search(head) and _is_called(value))
    ):
        head, newly = head[1:], True
    head = re.sub(r"(?<=[点地名字号址])儿$", "", head)
    for word in ZH_WORDS:
        if not head.endswith(word):
            continue
        before = re.sub(r"(?<=[^最])(?:最?新|旧|现)$", "", head[: -len(word)]).rstrip("的")
        if len(word) == 1 and (not before or not _stands_alone(head[: -len(word)], turn)):
            continue  # 自行车 is no 车 of 自行
        who = noun_subject(before, turn) if before else default_subject(word, turn)
        if (
            who is None
            and value is not None
            and is_exact(value)
            and re.fullmatch("[\u4e00-\u9fff]{2,8}", before)
            and before[0] not in "这那哪每各某"
            and all(tag[:1] in "nvj" for _, tag in tagged(before))
        ):
            # 快递单号, 装修预算: what it is for goes before the word, nobody has it
            return turn.subject or NOBODY, head
        # 活动开始时间: the longest word of the table wins, but 下班时间 is no "time" of 下班
        if who is not None and who.key == f"{turn.speaker}:家" and (row := lookup(word)) and row.personal:
            who = Who(turn.speaker, who.surface)  # 我家|地址
        if who is not None:
            return None if value is not None and is_opinion(value) else (who, word)
        return None
    if loose or not head:
        return None
    if "的" not in head:
        coded = value is not None and re.fullmatch(r"[A-Za-z0-9@._-]*\d[A-Za-z0-9@._-]*", value) is not None
        if value is None or is_opinion(value):
            return None
        if (
            (PERSON_WORD.search(head) or head[-1] in "官者监理")
            and _is_called(value)
            and len(head) > 2 - newly
            and ends_in_noun(head)
        ):
            return _compound(head, turn) or (NOBODY, head)
        known = coded or is_amount(value) or _OF_THINGS.search(head) or _NEARBY.match(head)
        return _compound(head, turn) if known else None
    before, word = head.rsplit("的", 1)
    word = re.sub(r"^(?:最?新|现|旧)(?=..)", "", word)
    if all(tag == "ns" for _, tag in tagged(before)) and not has_family_name(before):
        return None  # what a city or a country has, everybody can look up
    if not 1 <= len(word) <= 10 or re.search(
        r"[，。我你他她它这那]|时候|^(?:[男女老好坏病]|年轻|中国|外国|家)?人$|话$|事情?$|^[一某几][个位名些]|表示|觉得|认为|希望|打算|准备",
        word,
    ):
        return None
    if value is not None and (is_opinion(value) or is_abstract(word)):
        return None
    words = tagged(word)
    if (
        len(words) == 1
        and words[0][1] in {"v", "d", "p", "c", "r", "y"}
        and len(value or "") > 8
        and not is_exact(value or "")
    ):
        return None
    who = noun_subject(before, turn)
    return (who, word) if who is not None else None


def _stands_alone(before: str, turn: Turn) -> bool:
    """Whether a word of one character after these is a word: after 的, or after somebody who has it (我妈|车)."""
    if before.endswith(("的", "新", "旧")):
        return True
    found = leading_subject(f"{before}。", turn)
    return found is not None and found[1] == "。"


_NEARBY = re.compile(
    r"(?:我们?|咱们?)?(?:[家店班组]里?|公司|学校|宿舍|单位|小区|村里)(?=[\u4e00-\u9fff]{2,})"
)
"""Before a noun: one that is the speaker's, whatever it is."""


def _is_called(value: str) -> bool:
    """A person's name or title, with what he is before it or not: HR王姐, 外聘的冯工, 陆师兄."""
    said = value.rsplit("的", 1)[-1]
    return any(person_name(said[at:]) == said[at:] for at in range(max(0, len(said) - 4), len(said) - 1)) or (
        re.fullmatch(rf"[A-Z]{{0,3}}[{SURNAMES}](?:师[兄姐弟妹父傅]|[总工哥姐]|老师|经理|主任)", said)
        is not None
    )


def ends_in_noun(head: str) -> bool:
    """Whether the words are nouns, with a number before them or not."""
    return all(tag[:1] in "nljm" or tag == "vn" for _, tag in tagged(head))


_OF_THINGS = re.compile(
    r"(?<=.)[题名号码色型款版址期率费价额量度级位牌](?:称|目)?$|(?:方式|标准|人选|口令|暗号)$"
)
"""How a noun ends of which things have a value, whatever it is."""


def lookup_suffix(head: str) -> bool:
    """Whether the words end in an attribute of the table (生产日期|会改到...)."""
    return any(head.endswith(word) for word in ZH_WORDS if len(word) > 1)


def _compound(head: str, turn: Turn) -> tuple[Who, str] | None:
    """鱼缸|水温: a noun of at least two characters after another noun."""
    head = re.sub(r"^[这那本][次回场趟批期]?(?=..)", "", head)
    owner = leading_subject(re.sub(r"^我们?家的?(?=[A-Za-z\u4e00-\u9fff]{2})", "我", head), turn)
    if (
        owner is not None
        and owner[0].key != turn.listener
        and re.fullmatch("[\u4e00-\u9fffA-Za-z]{2,8}", owner[1])
    ):
        odd = any(tag[0] not in "nljva" for word, tag in tagged(owner[1]) if not word.isascii())
        return None if odd or re.search(r"觉得|认为|以为|[说想讲问]", owner[1]) else owner
    words = tagged(head)
    if turn.subject is not None and len(words) == 1 and words[0][1] == "n" and _OF_THINGS.search(head):
        return turn.subject, head  # 我妈换号了，现在|尾号
    if len(words) == 1 and len(head) > 3 and words[0][1] == "n":
        return NOBODY, head  # 考试成绩
    odd = any(tag[0] not in "nlj" and not (tag[0] == "v" and len(word) == 2) for word, tag in words)
    if len(words) < 2 or odd or words[-1][1][0] not in "nlj" or len(words[-1][0]) < 2:
        return None
    before = head[: -len(words[-1][0])]
    who = noun_subject(before, turn) if len(before) > 1 else None
    return (who, words[-1][0]) if who is not None else None


def default_subject(word: str, turn: Turn) -> Who | None:
    """Whose "电话" or "截止日期" it is when nobody is named: the last subject of the turn, else the speaker's or the matter's."""
    row = lookup(word)
    same = turn.subject is not None and row is not None and lookup(turn.subject.key) is row
    if (
        turn.subject is not None
        and not same
        and not (word in {"房租", "租金"} and turn.subject.key.endswith(":landlord"))
    ):
        return turn.subject
    if row is not None and row.personal:
        return Who(turn.speaker, turn.speaker_surface or "我")
    return NOBODY


def stated(text: str, who: Who, rest: str) -> str:
    """The clause with its subject named: pronouns replaced, an elided subject put in front."""
    if who.surface and who.surface in text:
        return text
    if who.name and who.name in text:
        # Called by the bare name, after "我同事王芳".
        front = text.startswith(who.name) and who.surface.endswith(who.name)
        return who.surface + text[len(who.name) :] if front else text
    pronoun = re.match(r"(?:他|她|它|TA|ta|那个人|这个人)(?!们)", text)
    if pronoun:
        return who.surface + text[pronoun.end() :]
    if re.match(r"其(?![实他中余它次])", text):
        return f"{who.surface}的{text[1:]}"
    if re.match(ME, text) or not who.surface:
        return text
    link = (
        "的"
        if any(text.startswith(word) for word in ZH_WORDS if len(word) > 1) and who.surface != "我"
        else ""
    )
    return f"{who.surface}{link}{text}"
