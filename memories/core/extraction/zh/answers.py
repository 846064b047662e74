"""A Chinese question and a short answer to it, as the statement that the answer makes."""

from __future__ import annotations

import re

from memories.core.text.words import tagged

_LEAD = re.compile(
    r"^(?:那么?|请问|所以|话说|对了|哦|嗯|诶|哎|啊|那个|(?:我)?想(?:问|知道)(?:一下)?|方便(?:问|说)一?下)[，, ]*"
)
_END = re.compile(r"[\s?？!！。~～…]+$")
_TONE = re.compile(r"(?:呢|啊|呀|哈|嘛|哦|喔|噢|啦|哒|滴|的|了|吧|诶|哇|[\s~～!！。…])+$")
_YES = re.compile(
    r"(?:嗯+|是|对|对对+|是是+|当然|没错|有|会|能|可以|好|行|肯定|必须|确实|我(?:也)?(?:是|有|会|能)|也是|我也一样)"
)
_NO = re.compile(
    r"(?:不|没|没有|不是|不会|不能|不可以|还没|还没有|从来没有?|从没|并没有|并不|我不|我没有?|才不)"
)
_EVADES = re.compile(
    r"不知道|不清楚|忘了?|记不|随便|都行|都可以|看情况|你猜|秘密|保密|不告诉|无所谓|还行|一般|怎么|什么|哪|谁|为啥|没想|不好说|不确定|哈哈|问题|谢谢|你好|可能|也许|大概|应该吧"
)
_WH = re.compile(
    r"什么(?:样|类型|种类)?的?(?:[\u4e00-\u9fff]{0,4}$|(?=的))|哪(?:里|儿|座城市|个城市|个地方|家公司|所学校|所大学|[个种家部本位些只款][\u4e00-\u9fff]{0,4}|年)?|谁|几[点个只岁号月条位口]|多[大高重]|多少(?:钱|岁|个|人|只)?|什么(?:时候|地方|名字|工作|职业)?"
)
_NOT = re.compile(r"(?P<a>[\u4e00-\u9fff])(?P<not>不|没)(?P=a)(?P<rest>.*)")
_TOPIC = re.compile(
    r"(?:我|咱)?(?:也)?(?:觉得|认为|感觉|发现|最?喜欢|超?爱|家?养了?|家?有)?(?P<t>[\u4e00-\u9fff]{1,5}?)(?:就|都|也|还|真|可)*(?:很|挺|真|特别|非常|超级?|是|最|太|好|比较|不错)"
)
_MODAL = frozenset({"会", "能", "想", "要", "敢", "可以", "喜欢", "爱", "是", "在", "愿意", "打算", "觉得"})


def written_out(answer: str, question: str, before: str) -> str | None:
    """The statement in the first person; None where the answer does not lean on the question, or says nothing."""
    said = _END.sub("", answer.strip())
    bare = _TONE.sub("", said)
    if not bare or len(bare) > 14 or _EVADES.search(bare):
        return None
    asked = _asked(question, before)
    if asked is None:
        return None
    if (match := _WH.search(asked)) is not None:
        return _filled(asked, match, bare)
    if "还是" in asked:
        return _chosen(asked, bare)
    return _agreed(asked, bare)


def _asked(question: str, before: str) -> str | None:
    """The question with the one who is asked as "我", without its tone."""
    text = _END.sub("", _LEAD.sub("", question.strip()))
    text = re.sub(r"(?:呢|啊|呀|哈|嘛|哦|来着)+$", "", text)
    if re.fullmatch(r"(?:那)?[你您]", text):
        # "我喜欢狗，你呢？"
        own = re.match(r"我(?!们)(?P<rest>.{2,})", before.strip())
        return f"我{own['rest']}吗" if own and not _WH.search(own["rest"]) else None
    if re.search(r"[他她它]|谁知道|我(?!们)", text):
        return None
    text = re.sub(r"[你您]们?(?:自己|平时|现在|今年|一般)?(?=.)", "我", text, count=1)
    text = re.sub(r"[你您]", "我", text)
    if re.fullmatch(
        r"我?(?:也|不|还|喜不)*(?:喜欢|爱|有|养|会|去过|吃过|看过|玩过|听过|知道)(?:吗|么|嘛)?", text
    ):
        topic = _TOPIC.match(before.strip())
        if topic is None or not _noun(topic["t"]):
            return None
        tail = "吗" if text[-1] in "吗么嘛" else ""
        text = text.rstrip("吗么嘛") + topic["t"] + tail
    return text if "我" in text else f"我{text}"


def _noun(word: str) -> bool:
    return all(tag[:1] in {"n", "j", "x"} or tag in {"eng", "ns", "nr", "nz"} for _, tag in tagged(word))


def _agreed(asked: str, bare: str) -> str | None:
    """喜欢, 是的, 不喜欢, 没有 to "你喜欢狗吗", "你喜不喜欢狗", "你有没有养狗"."""
    text = re.sub(r"[吗么吧]$", "", asked)
    plain = _positive(text)
    if plain is None:
        return None
    subject, verb, rest = plain
    denies = re.search(rf"{re.escape(subject)}(?:也|还|就)*[不没](?!错)", text) is not None
    own = re.sub(
        r"^我(?:也|就|都|还|当然|其实|真的|很|挺|特别|超级?|非常)*|^(?:也|当然|很|挺|特别|超级?|非常|最|可|还|都|真的|蛮|比较|太|从小就)+",
        "",
        bare,
    )
    own = re.sub(r"(?:得很|死了|极了)$", "", own)
    said = own.rstrip("过了")
    if (
        said
        and len(said) == 1
        and verb.startswith(said)
        and tagged(said)[0][1] == "v"
        and said not in "有是会能在要想"
    ):
        return f"{subject}{verb}{rest}"
    if own and own in {verb, verb.rstrip("过了"), f"{verb}{rest}", f"有{verb}"}:
        return f"{subject}{verb}{rest}"
    denied = re.fullmatch(
        r"(?:并|还|从来|从|一点也|一点都|不太|不怎么|不是很)*(?:不|没有?|没)(?:太|怎么|是很|大)?(?P<v>.*)",
        own,
    )
    if denied and (
        denied["v"] in {"", verb, verb.rstrip("过了"), f"{verb}{rest}", rest}
        or (len(denied["v"]) == 1 and verb.startswith(denied["v"]))
    ):
        return f"{subject}{_denied(verb, rest)}"
    if denies:
        return None  # "你不喜欢吗？" "是的" may mean either
    if _YES.fullmatch(bare):
        return f"{subject}{verb}{rest}"
    if _NO.fullmatch(bare):
        return f"{subject}{_denied(verb, rest)}"
    return None


def _positive(text: str) -> tuple[str, str, str] | None:
    """(subject, verb, rest) of the statement that the question asks about."""
    text = re.sub(r"有没有(?=[\u4e00-\u9fff]{1,2}过|[养买去来在学打玩结做考读])", "", text)
    text = re.sub(
        r"^(?P<s>.*?)(?:是不是|有没有(?=在|去|来))(?=.{2})",
        lambda m: m["s"] + ("是" if "是不是" in m[0] else ""),
        text,
    )
    twice = _NOT.search(text)
    if twice:
        # 喜不喜欢狗, 会不会游泳, 有没有狗
        rest = twice["rest"]
        text = f"{text[: twice.start()]}{twice['a']}{rest}"
    at = re.match(
        r"(?P<s>我们?(?:家|的)?)(?P<adv>(?:也|还|平时|现在|一般|经常|真的|很|最|特别|是否|今年|已经|就|都)*)(?P<more>[不没])?",
        text,
    )
    if at is None:
        return None
    subject, after = at["s"], text[at.end() :]
    words = tagged(after)
    if not words:
        return None
    if words[0][1][:1] == "v" or words[0][0] in _MODAL or words[0][0] in {"对", "有"}:
        verb = words[0][0]
    elif words[0][1][:1] == "n" and len(words) > 1:
        # 你妈妈退休了吗: somebody of the one who is asked
        subject, verb = subject + words[0][0], words[1][0]
        after = after[len(words[0][0]) :]
    else:
        return None
    rest = after[len(verb) :]
    if rest[:1] == "过":
        verb, rest = f"{verb}过", rest[1:]
    return subject, verb, rest


def _denied(verb: str, rest: str) -> str:
    if verb == "有":
        return f"没有{rest}"
    if verb.endswith("过") or rest.startswith("过"):
        return f"没{verb}{rest}"
    if rest.endswith("了") or verb.endswith("了"):
        return f"没{verb.rstrip('了')}{rest.rstrip('了')}"
    if verb in {"养", "买"}:
        return f"没有{verb}{rest}"
    return f"不{verb}{rest}"


def _chosen(asked: str, bare: str) -> str | None:
    """狗 to "你喜欢猫还是狗"."""
    match = re.fullmatch(
        r"(?P<head>.*?)(?P<a>[\u4e00-\u9fffA-Za-z0-9]{1,8})还是(?:更?喜欢|是|在|爱)?(?P<b>[\u4e00-\u9fffA-Za-z0-9]{1,8})",
        asked,
    )
    own = re.sub(r"^(?:我)?(?:更?喜欢|是|在|爱|都是)?", "", bare)
    if match is None or not own:
        return None
    offered = f"{match['head']}{match['a']}"
    if not match["b"].startswith(own) and not offered.endswith(own):
        return None
    before = f"{match['head']}{match['a']}"
    same = re.match(
        r"(?P<s>我们?(?:更|比较|平时|现在|是)*)(?P<v>更?喜欢|爱|是|在|住在?|用|吃|喝|养|坐|开)?", before
    )
    return f"{same['s']}{same['v'] or '是'}{own}" if same else None


def _filled(asked: str, match: re.Match[str], bare: str) -> str | None:
    """上海 to "你住哪", 25 to "你多大了", 老师 to "你是干什么的"."""
    if re.match(r"我(?:们|在|是|做|也|还|比|只|就|想|有|已经)|(?:在|是)?(?:做|干|上班|从事)", bare):
        return None  # it stands alone
    value = re.sub(r"^(?:我)?(?:是|叫|在|住在?|喜欢|就是|大概|差不多|最?爱)(?=.)", "", bare)
    if not value or re.search(r"[我你他她]|[不没]", value) or (value in {"有", "是", "对"}):
        return None
    special = _special(asked, value)
    if special is not None:
        return special
    if any(tag[:1] in "vrdpcu" for _, tag in tagged(value)):
        return None
    head = asked[: match.start()]
    if head.endswith("住"):
        head += "在"
    rest = re.sub(r"^(?:的(?!$))|[吗了]$", "", asked[match.end() :])
    return f"{head}{value}{rest}" if len(head) > 1 else None


def _special(asked: str, value: str) -> str | None:
    number = re.sub(r"(?:周)?岁.*$", "", value)
    if re.search(r"多大|几岁|多少岁|年纪|年龄", asked):
        owner = re.split(r"今年|现在|多大|几岁|多少岁|的?年[纪龄]", asked)[0] or "我"
        return f"{owner}今年{number}岁" if re.fullmatch(r"[\d一二三四五六七八九十]{1,4}", number) else None
    if re.search(r"哪(?:里|儿|个?地方|的)?的?人|(?:来自|从)哪|老家在?哪|家乡", asked):
        place = re.sub(r"(?:那边)?(?:人|的)$", "", value)
        return f"我老家是{place}"
    if re.search(
        r"(?:是|在)(?:做|干)(?:什么|啥)|(?:做|干)(?:什么|啥)(?:工作|职业|的$)|什么(?:工作|职业)", asked
    ):
        return f"我的职业是{value}" if len(value) <= 8 and _noun(value) else None
    if re.search(r"叫(?:什么|啥)|什么名字|名字", asked):
        owner = re.split(r"的?名字|叫", asked)[0] or "我"
        return f"{owner}叫{value}"
    if re.search(r"多[高重]", asked):
        return f"我{'身高' if '高' in asked else '体重'}{value}"
    if re.search(r"生日|出生", asked):
        return f"我的生日是{value}"
    return None
