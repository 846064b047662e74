"""How Chinese says that something changed, or did not: by the grammar of its verbs, not by a list of phrases.

A verb of change and a result ("提高到", "改成", "缩减为"), 把/被 before it, 从 the old value, "换A了，新的是…", "A没变，还是…".
"""

from __future__ import annotations

import re

from memories.core.extraction.attributes import canonical_attribute, lookup
from memories.core.extraction.raw import NOBODY, Pending, Turn, Who
from memories.core.extraction.zh.heads import split_head
from memories.core.extraction.zh.names import person_name
from memories.core.extraction.zh.rules import CHANGED, ONE, clean_value
from memories.core.extraction.zh.subjects import noun_subject
from memories.core.extraction.zh.values import is_opinion
from memories.core.kinds import Kind
from memories.core.text.words import tagged

_ADV = r"(?:已经|已|又|刚刚?|刚才|最近|近期|前几天|昨天|今天|上周|这周|现在|目前|正式|临时|突然|终于|全部|都|也|被){0,6}"
_ACTED_ON = re.compile(
    rf"(?P<agent>[^，。把将]{{0,8}}?){_ADV}(?:决定|商量好|同意)?{_ADV}(?:把|将)(?P<object>[^，。]{{1,30}}?){_ADV}(?P<change>(?:从|由)[^，。]{{1,24}}?)?(?={CHANGED}|(?:[\u4e00-\u9fff]{{1,2}}(?:成|到|为|至|回|给|在|去|上)|[改换调变更](?:掉|过|动|新|整|名)?)了?)"
)
_SOMEBODY = re.compile(
    r"(?:我的?)?(?:同事|同学|朋友|邻居|室友|舍友|闺蜜|发小|表[哥姐弟妹]|堂[哥姐弟妹])|隔壁|人家|别人"
)
"""Somebody who changes what is theirs; a boss, a landlord or an office changes what is the speaker's as well."""
_FROM = re.compile(
    rf"(?P<head>.+?)[，,]?{_ADV}(?:从|由)(?:原来的|原先的|之前的|以前的|原定的|原本的|原)?(?P<old>[^，。]{{1,24}}?)$"
)
_NOTICE = r"(?:(?:重新|另外|又)[起取办选找定写做配开](?:了一个|了个)(?:新的)?|[涨降跌升]了?价?了|(?:上|下)[调浮涨]了|往[前后](?:挪|推|移|拖|延|提|放|靠)了|有(?:所)?(?:变(?:化|动|更)?|调整|改动|更新)|(?:改|换|变|调|动)(?:过)?了?|变更了?|变动了?|调整了?|更新了?|更换了?|修改了?|改变了?|变化了?|改动了?|不一样了|换(?:了个?)?人了?|易主了?)"
_CHANGE = r"(?:变(?:化|动|更)?|改(?:动|变|期|签|约|名)?|换|动|调(?:整)?|更新|挪|推迟|延期|延后|提前|顺延|取消|涨|降|搬)"
CHANGES = re.compile(_CHANGE)
"""A verb of change: what is not changed any more (不改了) stays, and ends nothing."""
UNCHANGED = re.compile(
    rf"(?<![得要])(?:没有?|未|并未|尚未|别|不(?:会|用|能|想|打算|准备|需要?|肯|让|同意|许)?)(?:再|被|轻易|随便|擅自|(?:把|将)[^，。]{{1,8}}){{0,2}}(?:{CHANGED})"
    rf"|(?:想要?|打算|考虑|琢磨着?|纠结|劝我?|申请|提议|争取|商量着)(?:要|再|先)?(?:(?:把|将)[^，。]{{1,10}}?)?(?:{CHANGED}|[改换])"
    # what was not said, or let happen, and what is wished, advised, nearly or no longer so
    rf"|(?:没有?|未|不)(?:让|叫|说|讲|同意|答应|允许|准许?|批准?|要求|通知|建议|打算|考虑|提|想(?!到))[^，。]{{0,12}}?(?:{CHANGED})"
    rf"|(?:希望(?!小学)|盼着?|建议(?!书|的)|不如|何不|险些|几乎|差一点儿?|曾经|曾(?=把|将)|从未|未曾)[^，。]{{0,12}}?(?:{CHANGED}|[改换][\u4e00-\u9fff])"
    rf"|应[该当]再?(?:(?:把|将)[^，。]{{1,10}}?)?(?:{CHANGED})"
    rf"|(?:{CHANGED})[^，。]{{1,12}}?[就才]好了?$"
)
"""A change that did not come, or has not yet: 没有改到周四, 别换成, 想把它改成, 没让我减到, 降到3万就好了."""
_KEPT = rf"(?:不(?:再|会再|用|打算|准备|需要)?{_CHANGE}|没有?(?:什么|任何|再|再次|发生)?(?:变|改|换|动|调整|更新|变化|变动|变更|改动|改变)(?:过|的)?|不变|未变|未改|保持不变|照旧|依旧|一样|跟(?:之前|以前|原来|上次)一样|和(?:之前|以前|原来|上次)一样)"
_ANNOUNCED = re.compile(rf"(?P<head>[^，。]{{1,34}}?){_ADV}(?:(?P<kept>{_KEPT})|(?P<how>{_NOTICE}))了?")
_HAS_ONE = re.compile(r"(?P<owner>[^，。]{1,24}?)有(?:了)?(?:一)?个(?P<word>新?[\u4e00-\u9fff]{1,6})")
_SWAPPED = re.compile(
    rf"(?P<owner>[^，。]{{1,24}}?){_ADV}(?:(?:换|更换)(?:了)?(?:{ONE})?|改(?:了(?:{ONE})?|(?!种){ONE}))(?P<word>(?![成为到至了回在给过由用叫做走约签])[\u4e00-\u9fffA-Za-z]{{1,8}}?)(?:了)?"
)
_VALUED = re.compile(r"[题名号码色型款版址期率费价额量度级位牌点式]$|名称|人$|员$")
"""How a noun ends that is more often an attribute than a value."""
_PROPER = frozenset({"nr", "nrt", "nz", "nt", "ns", "eng", "x"})
_NEXT = re.compile(
    r"(?:而|改?现在|目前|如今|以后|最新|新的?|正确|应该|其实|已经|实际上?|后来|又|都|正确的?|最新的?|现在的?|目前的?|如今的?|实际的?)*(?P<word>[\u4e00-\u9fffA-Za-z]{0,8}?)"
    rf"(?P<adv>(?:现在|目前|如今|应该|其实|已经|就|还|仍然?|依然|依旧|照样|一直|始终|向来|确实|的确|才|都|也)*)(?P<copula>是|为|叫|在|定为|定在|设为|设在|选为|用的是|用|{CHANGED}|[:：])(?:了)?(?P<value>.{{1,60}})"
)

_WENT = re.compile(
    r"(?:后来|现在|如今|已经|又|就|改|而)*(?:(?:转学?|换|去|到|进|调|跳槽?|搬|回|考)(?:到|去|进|入|回|了)*|(?:是)?在)了?(?P<value>[\u4e00-\u9fffA-Za-z]{2,14}?)(?:上班|工作|教书|上学|读书?|念书?|住)?(?:了|啦)?"
)
"""Where somebody is who left another place."""
_JOURNEY = re.compile(
    r"^(?:一?[趟次]|玩|旅游|旅行|看|找|吃|买|睡|散|逛)|(?:玩|旅游|旅行|出差|散步|休息|吃饭|睡觉)$"
)

_SINCE = re.compile(rf"现在|目前|如今|眼下|后来|已经|{CHANGED}")
"""What a clause begins with that tells the value after the one that is over."""


def acted_on(text: str) -> str:
    """ "把预算改成5万" as "预算改成5万", so that it is read like what happens by itself; the text itself otherwise."""
    if "把" not in text and "将" not in text:
        return text
    match = _ACTED_ON.match(text)
    if match is None:
        return text
    thing = match["object"].strip()
    agent = match["agent"].strip()
    if _SOMEBODY.match(agent) or (agent and person_name(agent) == agent and not agent.isascii()):
        return f"{agent}的{thing}{match['change'] or ''}{text[match.end() :]}"  # 同事小张把工位换了: his own
    if (
        agent
        and tagged(agent)[0][1] in {"nz", "nt", "nrt", "ns", "eng", "j"}
        and re.match("公司|总部|工厂|厂|门店|总店|办公室|团队", rest := text[match.start("object") :])
    ):
        return f"{agent}的{rest}"  # a firm moves its own seat
    if (
        re.fullmatch(r"我(?:们|们家|家)?|咱们?|俺", agent)
        and re.fullmatch(r"[\u4e00-\u9fffA-Za-z]{1,8}", thing)
        and "的" not in thing
    ):
        thing = f"我的{thing}"
    return f"{thing}{match['change'] or ''}{text[match.end() :]}"


def from_old(head: str) -> tuple[str, str | None]:
    """("鱼缸的水温", "24度") of "鱼缸的水温从24度", which a verb of change follows."""
    match = _FROM.fullmatch(head)
    if match is None:
        return head, None
    return match["head"], clean_value(match["old"])


def announced(text: str, turn: Turn) -> bool:
    """A clause that tells only that a value changed, was swapped or stayed; the value comes in the next clause.

    "书架的承重改了", "我妈妈换电话了", "房东的车位没变": the turn learns which slot is meant.
    """
    text = re.sub(r"(?<=[^，。我]{2})我(?=[改换变]了$)", "", text)  # 微信名我改了
    found = _ANNOUNCED.fullmatch(text)
    if found is not None and (split := split_head(found["head"], turn, loose=False)) is not None:
        turn.mention(split[0])
        turn.pending = _pending(split, "kept" if found["kept"] else "changed")
        return True
    if found is not None and _is_compound(found["head"], 2 if found["kept"] or "往" in found["how"] else 3):
        turn.pending = Pending(
            NOBODY, canonical_attribute(found["head"]), Kind.FACT,
            "kept" if found["kept"] else "changed", open=True,
        )  # fmt: skip
        # Or it is a thing of which the next clause names what changed: "校庆晚会改了，人数变成三百".
        thing = noun_subject(found["head"], turn)
        if thing is not None and not thing.person:
            turn.mention(thing)
        return True
    for pattern, how in ((_HAS_ONE, "announced"), (_SWAPPED, "changed")):
        match = pattern.fullmatch(text)
        if match is None:
            continue
        word = match["word"].removeprefix("新")
        known = lookup(word)
        if not word or (
            known is None and (len(word) < 2 or (tagged(word)[0][1][:1] == "v" and len(tagged(word)) > 1))
        ):
            continue
        who = noun_subject(match["owner"], turn)
        of_thing = who is not None and not who.person
        if known is None and of_thing and (tagged(word)[-1][1] in _PROPER or _VALUED.search(word) is None):
            return False  # 冰箱换了个西门子: what it is now
        if who is not None and who.key != turn.listener:
            turn.mention(who)
            turn.pending = _pending((who, word), how)
            return True
    return False


def _is_compound(head: str, least: int) -> bool:
    """WiFi密码, 毕业照: a noun of nobody, of `least` characters, which only what is known tells more of."""
    words = tagged(head)
    return least <= len(head) <= 10 and (
        all(tag[:1] in {"n", "j", "l", "x"} or tag in {"eng", "vn"} for _, tag in words)
        or (least == 2 and len(words) == 1 and len(head) > 1 and words[0][1][:1] in {"a", "v"})
    )


def _pending(split: tuple[Who, str], how: str) -> Pending:
    who, word = split
    row = lookup(word)
    return Pending(who, canonical_attribute(word), row.kind if row else None, how)


def next_value(text: str, pending: Pending) -> str | None:
    """The value that a clause gives to the slot announced before it: "新的承重是60斤", "还是浙江绍兴", "改成了周野"."""
    if pending.how == "instead":
        done = re.fullmatch(
            rf"(?:我们?|最后|这次|现在|以后|就|都|也)*(?:改|换|而是)?(?:成|{re.escape(pending.by)}|改)了?(?P<value>[^，。]{{2,14}}?)(?:了|啦)?",
            text,
        )
        value = clean_value(done["value"]) if done else None
        return None if value is None or is_opinion(value) or _JOURNEY.search(value) else value
    if pending.how == "left":
        gone = _WENT.fullmatch(text)
        value = clean_value(gone["value"]) if gone else None
        return None if value is None or is_opinion(value) or _JOURNEY.search(value) else value
    match = _NEXT.fullmatch(text)
    if match is None or (pending.how == "over" and not _SINCE.match(text)):
        return None
    word = match["word"]
    if word and canonical_attribute(word) != pending.attribute:
        return None
    if match["copula"] in {"在", "用", "叫"} - {pending.by} and pending.how == "denied":
        return None
    value = match["value"]
    if match["copula"] == "在":
        value = re.sub(r"(?:上班|工作|办公|任职|上学|读书|住|举行|举办|召开)(?:了|呢)?$", "", value)
    value = clean_value(value)
    return None if value is None or is_opinion(value) else value
