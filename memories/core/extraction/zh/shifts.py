"""Chinese clauses that tell a change without saying whose value it is: "会员涨了20块", "健身卡升级成年卡了"."""

from __future__ import annotations

import re

from memories.core.extraction.attributes import canonical_attribute
from memories.core.extraction.raw import NOBODY, Pending, Raw, Turn, Who
from memories.core.extraction.relations import relation
from memories.core.extraction.zh.adverbs import bare_head
from memories.core.extraction.zh.bare import DONE, NOW, PER, acts, owner_of, whole
from memories.core.extraction.zh.heads import begin_of, split_head
from memories.core.extraction.zh.names import person_name
from memories.core.extraction.zh.results import raw_of_change
from memories.core.extraction.zh.rules import CHANGED, clean_value
from memories.core.extraction.zh.subjects import ME, PERSON_WORD, leading_subject, noun_subject
from memories.core.extraction.zh.values import is_opinion
from memories.core.kinds import Kind
from memories.core.values.numerals import ZH_NUMBER


def shifted(text: str, turn: Turn) -> list[Raw]:
    """The change that the clause tells, or []."""
    raw = _succeeded(text, turn) or _differs(text, turn) or _changed(text, turn)
    if raw is None:
        return []
    if raw.who.key not in {"general", turn.speaker}:
        turn.mention(raw.who)
    if raw.delta is not None and raw.attribute is not None:
        # "推后一周，下周五讲": the next clause may say what it comes to.
        turn.pending = Pending(raw.who, raw.attribute, raw.kind, how="changed", open=raw.open)
    return [raw]


_SWAP = re.compile(
    rf"(?P<s>[^，。]{{2,20}}?)(?P<adv>{NOW}(?:我|我们|被|给)?(?:刚|昨天|昨晚|上周|最近|今年|直接|统一)*{NOW})(?P<cop>{CHANGED}|更新[成为到]|换(?:了|上|用)?(?=[A-Za-z0-9])|升级[成为到]|切换?[成为到])(?:了)?(?P<v>[^，。]{{1,30}}?){DONE}"
)
_SWAP_LATER = re.compile(_SWAP.pattern.replace("(?P<s>[^，。]{2,20}?)", "(?P<s>[^，。]{2,20})", 1))


def _changed(text: str, turn: Turn) -> Raw | None:
    """健身卡升级成年卡了, 客厅空调换成美的了, 服务器从Ubuntu换成Debian了: which fact it is only the known ones tell."""
    match = _SWAP.fullmatch(text)
    if match is None or match.start("cop") != begin_of(text, match.start("cop"), match.end("cop")):
        match = _SWAP_LATER.fullmatch(text)
    if match is None or re.match(r"[^改换变]作", match["cop"]):
        return None  # 合作 is no change
    head, old = match["s"], None
    if (origin := re.fullmatch(r"(?P<s>.{2,16}?)(?:从|由)(?P<old>.{1,16})", head)) is not None:
        head, old = origin["s"], clean_value(origin["old"])
    head = re.sub(r"^(?:把|将|我把|我们把)|(?:现在|目前|也|又|都|我们?|已经)$", "", head)
    if re.fullmatch(r"(?:我们|咱们?|我家)?[\u4e00-\u9fff](?:现在|目前|如今)", head):
        return None  # 我们店现在|改做潮菜
    value = clean_value(match["v"])
    if value is None or is_opinion(value) or re.match(r"[他她你您谁这那它]|什么", head):
        return None
    return raw_of_change(bare_head(head), old, value, text, turn)


_SUCCEEDED = re.compile(
    r"(?P<new>[^，。]{2,6}?)(?:已经|刚刚?|上周|上个?月|昨天)?(?:接替|接任|顶替|取代|代替|替代|替换|接了)了?(?P<old>[^，。的]{2,6}?)(?:来|去|的位[置子])?[，,]?(?:当上?|做|担任|成为?|出任)了?(?:我们?|咱们?)的?(?P<role>[\u4e00-\u9fff]{2,6}?)了?"
)


def _succeeded(text: str, turn: Turn) -> Raw | None:
    """小蔡接替小杜当了我的经理: who has the place of whom."""
    match = _SUCCEEDED.fullmatch(text)
    if match is None or not PERSON_WORD.search(match["role"]) or person_name(match["new"]) != match["new"]:
        return None
    role = Who(f"{turn.speaker}:{relation(match['role'])}", match["new"])
    return Raw(
        role, "name", match["new"], "zh.succeeded", Kind.PROFILE, text, update=True, replaces=match["old"], single=True
    )  # fmt: skip


_PLUS = r"推迟|延后|延期|顺延|往后(?:推|挪|延)|后延|延长|推后|晚|拖后?|上涨|涨价?|上调|增加|增|追加|加|多|升|提高|贵|长|重|胖|高"
_MINUS = r"提前|早|往前(?:提|挪)|下调|降低|降价?|减少|减|砍掉?|少|掉|下跌|跌|瘦|轻|便宜|优惠|缩短|缩减|缩|下降|省|扣"
_BODY = {"胖": "weight", "瘦": "weight", "重": "weight", "轻": "weight", "高": "height"}
_DIFFERS = re.compile(
    rf"(?P<s>{ME}|[^，。]{{2,16}}?)(?:又|再|还|也|就|都|已经|直接|临时|被|要|得|会|将|统一|集体|给(?:我|我们)?|最近|今年|这个月|上个?月|这周|整体|再次|长)*(?P<verb>(?P<plus>{_PLUS})|(?P<minus>{_MINUS}))(?:掉)?(?:了)?(?:大概|差不多|将近|整整|足足|有)?"
    rf"(?P<n>半个?(?:小时|钟头|天|月|年)|{ZH_NUMBER}(?:个半)?(?:分钟|刻钟|个?小时|个?钟头|天|个?星期|个?礼拜|周|个?月|年|%|％|[^\d，。了]{{0,3}}?))(?:钱)?(?:左右|进行|举行|开始|召开)?{DONE}"
)


def _differs(text: str, turn: Turn) -> Raw | None:
    """婚礼推迟一周, 房租涨了两百, 我又瘦了3斤: by how much a known value changed."""
    match = _DIFFERS.fullmatch(text)
    if (
        match is None
        or re.search(r"每|比|最|[去前]年|跟|和(?!解)|一$", match["s"])
        or match["s"][-1] in "全总至"  # 全长6300公里, 至少8位
        or re.search(r"[点岁次遍个]$|个(?!月|小时|钟头|星期|礼拜|半)", match["n"])
    ):
        return None
    head, verb = match["s"], match["verb"]
    delta = ("+" if match["plus"] else "-") + match["n"]
    said = re.sub(r"[了的]+$", "", f"{verb}{match['n']}")
    who, noun = owner_of(head, turn)
    noun = re.sub(rf"(?<=..){PER}$", "", noun)
    if re.fullmatch(r"(?:自己|体重)?", noun):
        attribute = "weight" if noun == "体重" else _BODY.get(verb)
        who = who or turn.subject or Who(turn.speaker, "我")
        if attribute is None or not (noun or leading_subject(head, turn)):
            return None
        return Raw(who, attribute, said, "zh.differs", Kind.FACT, whole(text, who), update=True, delta=delta)
    split = split_head(head, turn, loose=True, value="1")
    if split is not None:
        subject, noun = split
    else:
        named = noun_subject(head, turn) if "的" in head else None
        subject = who or named or NOBODY
        if "的" in noun:
            noun = noun.rsplit("的", 1)[1]
    if len(noun) < 2 or acts(noun):
        return None
    return Raw(
        subject, canonical_attribute(noun), said, "zh.differs", Kind.FACT, whole(text, subject), update=True, delta=delta,
        open=True, single=True,
    )  # fmt: skip
