"""Other ways in which Chinese states an attribute: "<value>是<subject>的<attribute>", "<subject>要在<time>之前交付", "找<person>打<number>"."""

from __future__ import annotations

import re

from memories.core.extraction import schedule
from memories.core.extraction.attributes import ZH_WORDS, canonical_attribute, lookup
from memories.core.extraction.raw import NOBODY, UNSAID, Raw, Turn, Who
from memories.core.extraction.zh.adverbs import bare_head
from memories.core.extraction.zh.rules import clean_value
from memories.core.extraction.zh.subjects import ME, PERSON_WORD, noun_subject
from memories.core.kinds import Kind
from memories.core.text.words import tagged

_WORD = "|".join(word for word in ZH_WORDS if len(word) > 1)
_NOW = r"(?:现在|目前|如今|已经|仍然|仍|就|都|也|还)*"
_INVERTED = re.compile(rf"(?P<v>[^，。的]{{2,16}}?){_NOW}是(?P<s>[^，。]{{2,24}}?)的(?P<a>{_WORD})")
_DUE = re.compile(
    r"(?P<s>[^，。]{2,24}?)(?:必须|需要|应该|要|得|会|将|预计|计划|最晚|最迟)+(?:在|于)?(?P<v>[^，。]{2,14}?)(?:之?前|以前)?(?:完成|交付|上线|发布|提交|交|完工|结束|验收|出货|发货|完结|交工)(?:了|掉)?"
)
_CALL = re.compile(
    r"(?:要)?(?:找|联系)(?P<s>[^，。]{2,8}?)(?:就|可以|请|要)*(?:打|拨|加|用|发)(?P<a>[^\d，。]{0,6}?)(?P<v>[A-Za-z0-9][A-Za-z0-9_@.\-]{2,40})(?:就行|就好|就可以|即可|就能找到)?[了吧]?"
)
_CHOSEN = re.compile(
    rf"(?P<s>[^，。]{{2,24}}?)的(?P<a>{_WORD}|[\u4e00-\u9fff]{{2,4}})(?:就|改|最终|统一|还是)*(?:选用|采用|选择|选定|选|用)(?:了)?(?P<v>[^，。]{{2,30}})"
)
_BUILT = re.compile(
    r"(?P<s>[^，。]{2,24}?)(?:最终|最后|决定|统一|还是|将会?|会|就|现在)*(?:改成?|换成?)?(?:使用|采用|用)(?P<v>[^，。]{2,24}?)(?:来)?(?:开发|实现|搭建|编写|构建)(?:的|了)?"
)
_REPORTS = re.compile(
    r"(?P<s>[^，。]{2,8}?)(?P<now>(?:现在|如今|目前|以后)?)(?:都|要)?向(?P<v>[^，。]{2,8}?)汇报(?:工作)?"
)
_ALL_CHANGED = re.compile(
    r"(?P<s>[^，。]{2,24}?)(?:的?(?:安排|信息|情况|计划))?(?:已经|又|刚|最近)*(?:有变(?:化|动)?|有调整|变了|改了|更新了|变更了|调整了)"
)
_ROLE = r"(?:担任|负责|主持|牵头|主导|带队|接手|承办|主办|执教|兼任|接任|出任|设计|供应|赞助|监督|审批|保管|管理|维护|授课|主讲|指导)"
_BY = re.compile(
    rf"(?P<s>[^，。]{{2,24}}?)(?P<now>(?:现在|目前|如今|以后|今后|已经|又|都|统一|改|换|转)*)由(?P<v>[^，。]{{2,10}}?)(?:来|去|接着|继续|正式)*(?P<r>{_ROLE})(?:了|的|啦)?"
)
_BY_ROLE = re.compile(
    r"(?P<s>[^，。由]{1,16}?)(?:现在|目前|如今|以后|已经|就|都|改|换|临时)*由(?P<v>[^，。]{2,6}?)(?:来|去|接着|继续|正式|暂时)*(?P<r>[\u4e00-\u9fff]{1,3}?)(?:了|的|啦)?"
)
_STATUS = re.compile(
    r"(?P<s>[^，。]{2,24}?)(?:的?(?:计划|安排))?(?:已经|都|又|也|被|临时|正式|突然|宣布|全部|终于)*(?P<v>取消|停办|作废|终止|中止|暂停|搁置|结束|完成|完工|竣工|上线|下线|倒闭|关门|关闭|解散|撤销|流产|泡汤|延期|启动|开工|动工|停产|停运|报废|停业|开业|搬走|拆除|失效|过期|"
    r"(?:不|没)(?:办|开|去|做|搞|举办|举行|召开|上|卖|生产|营业))(?:掉)?了"
)
_KEPT_AT = re.compile(
    r"(?:我(?:们)?(?:已经|又|现在)?(?:把|将))?(?P<s>[^，。把将]{2,20}?)(?P<now>(?:现在|目前|已经|又|就|都|一直|改|平时|被|我|还)*)(?:放|停|存放|藏|挂|摆|搁|寄存|锁|埋|压|塞|收|寄放|挪|安装|装|贴|插)(?:放)?(?:在|到)了?(?P<v>[^，。]{2,24}?)(?P<done>了)?"
)
_OPENER = re.compile(
    r"(?:我们|我|大家|团队)?(?:已经|最后|最终)?(?:决定|商定|说好|敲定|确定|约定)(?:了)?(?:[，,:：])?"
)


def read_form(text: str, turn: Turn) -> list[Raw]:
    """The fact of one of these forms, or []."""
    for reader in (_inverted, _due, _call, _chosen, _built, _reports, _by, _kept_at, _status):
        raw = reader(text, turn)
        if raw is not None:
            turn.mention(raw.who)
            return [raw]
    whole = _ALL_CHANGED.fullmatch(text)
    if whole and (who := _subject(whole["s"], turn)):
        turn.mention(who)
    return []


def _subject(phrase: str, turn: Turn) -> Who | None:
    return noun_subject(phrase, turn)


def _inverted(text: str, turn: Turn) -> Raw | None:
    match = _INVERTED.fullmatch(text)
    if match is None or re.match(rf"{ME}|[他她它这那你您其]|不", match["v"]) or match["v"].endswith("不"):
        return None
    row, who, value = lookup(match["a"]), _subject(match["s"], turn), clean_value(match["v"])
    if (
        row is None
        or who is None
        or value is None
        or re.search(r"[是不有说]", value)
        or re.match("一[项种个门件]", match["s"])
    ):
        return None
    return Raw(who, row.name, value, "zh.inverted", row.kind, text, update="现在" in text)


def _by(text: str, turn: Turn) -> Raw | None:
    """茶会的主持人由周野担任, 茶会由周野主持: who does it."""
    match = _BY.fullmatch(text)
    if match is None:
        return _role(text, turn)
    value = clean_value(match["v"])
    if value is None or re.match(rf"{ME}|[他她它您你]", match["s"]):
        return None
    head, word = bare_head(match["s"]), match["r"]
    part = "的" in head and word in {"担任", "负责", "兼任", "接任", "出任", "接手"}
    if part:
        before, named = head.rsplit("的", 1)
        who, attribute = _subject(before, turn), canonical_attribute(named)
    else:
        who, attribute = _subject(head, turn), "owner" if word in {"负责", "牵头", "主导"} else f"{word}人"
    if who is None or (who.person and not part):
        return None
    changed = (
        re.search("现在|以后|改|换|转|暂时|接", match["now"] + match["s"][len(head) :] + word) is not None
    )
    return Raw(who, attribute, value, "zh.done_by", Kind.FACT, text, update=changed)


def _role(text: str, turn: Turn) -> Raw | None:
    """鼓手由阿泽顶上: who now has the part, whatever the verb."""
    match = _BY_ROLE.fullmatch(text)
    if match is None or re.match(rf"{ME}|[他她它您你]", match["s"]):
        return None
    value = clean_value(match["v"])
    if value is None or "的" in value or any(tag[:1] in {"v", "d", "p", "m"} for _, tag in tagged(value)):
        return None
    if not PERSON_WORD.search(match["s"]):
        # 课由沈教授接着上: whom he came for is named before, or nobody is meant.
        who = NOBODY
        return Raw(who, UNSAID, value, "zh.done_by", Kind.FACT, text, update=True, open=True, single=True)
    before, _, part = match["s"].rpartition("的")
    owner = _subject(before, turn) if before else NOBODY
    if owner is None:
        return None
    return Raw(
        owner, canonical_attribute(part), value, "zh.done_by", Kind.FACT, text, update=True, open=not before, single=True
    )  # fmt: skip


def _kept_at(text: str, turn: Turn) -> Raw | None:
    """备用钥匙放在门口的地毯下面: where a thing is."""
    match = _KEPT_AT.fullmatch(text)
    value = clean_value(match["v"]) if match else None
    if match is None or value is None or re.match(rf"{ME}$|[他她它您你]|我们$", match["s"]):
        return None
    if schedule.starts_with_time(value) or re.fullmatch(
        r"\d+(?:\.\d+)?[万千百]?[\u4e00-\u9fff]{1,2}(?<![楼层号室排])", value
    ):
        return None
    who = _subject(match["s"], turn)
    if who is None or who.person or who.key in {turn.speaker, turn.listener}:
        return None
    if re.search(r"心[里上中]|第一|首位|眼里|嘴边", value):
        return None
    moved = bool(match["done"]) or bool(re.search("现在|改|又", match["now"]))
    return Raw(who, "location", value, "zh.kept_at", Kind.FACT, text, update=moved)


def _status(text: str, turn: Turn) -> Raw | None:
    """读书节取消了: what became of a thing with a name."""
    match = _STATUS.fullmatch(text)
    if match is None or re.match(rf"{ME}|[他她它您你谁这那该]", match["s"]):
        return None
    who = _subject(match["s"], turn)
    if who is None or who.person or who.key in {turn.speaker, turn.listener}:
        return None
    return Raw(who, "status", f"{match['v']}了", "zh.status", Kind.FACT, text, update=True)


def _due(text: str, turn: Turn) -> Raw | None:
    match = _DUE.fullmatch(text)
    if match is None or not schedule.starts_with_time(match["v"]) or re.match(rf"{ME}|[他她你您它]", text):
        return None
    who = _subject(match["s"], turn)
    if who is None or who.person:
        return None
    return Raw(who, "deadline", match["v"], "zh.due", Kind.FACT, text)


def _call(text: str, turn: Turn) -> Raw | None:
    match = _CALL.fullmatch(text)
    who = _subject(match["s"], turn) if match else None
    if match is None or who is None or not (who.person or re.fullmatch(r"[\u4e00-\u9fff]{2,4}", who.key)):
        return None
    word = match["a"].strip("的他她：:") or "电话"
    return Raw(who, canonical_attribute(word), match["v"], "zh.reach", Kind.PROFILE, text)


def _chosen(text: str, turn: Turn) -> Raw | None:
    opener = _OPENER.match(text)
    if opener is None:
        return None
    match = _CHOSEN.fullmatch(text[opener.end() :])
    who = _subject(match["s"], turn) if match else None
    value = clean_value(match["v"]) if match else None
    if match is None or who is None or value is None:
        return None
    return Raw(who, canonical_attribute(match["a"]), value, "zh.chosen", Kind.DECISION, text)


def _built(text: str, turn: Turn) -> Raw | None:
    """青云用Django开发: what a thing is made with; it may be several."""
    opener = _OPENER.match(text)
    match = _BUILT.fullmatch(text[opener.end() :] if opener else text)
    if match is None or re.match(rf"{ME}|[他她你您它这那]", match["s"]):
        return None
    who, value = _subject(match["s"], turn), clean_value(match["v"])
    if who is None or who.person or value is None:
        return None
    return Raw(who, "built_with", value, "zh.built_with", None, text)


def _reports(text: str, turn: Turn) -> Raw | None:
    """王芳向李明汇报: her boss."""
    match = _REPORTS.fullmatch(text)
    value = clean_value(match["v"]) if match else None
    if (
        match is None
        or value is None
        or re.match(rf"{ME}|[他她你您它谁大]", match["s"])
        or re.search("[我你他她谁]", value)
    ):
        return None
    who = _subject(match["s"], turn)
    if who is None or not (who.person or re.fullmatch(r"[\u4e00-\u9fff]{2,4}", who.key)):
        return None
    return Raw(who, "上级", value, "zh.reports_to", Kind.FACT, text, update=bool(match["now"]))
