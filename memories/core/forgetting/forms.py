"""How people name what is to be forgotten: forms of a yes, of "what I just said", "everything about …", and of questions."""

from __future__ import annotations

import re

from memories.core.values.sorts import STAND_IN

PROBE = STAND_IN

YES = re.compile(
    r"(?:嗯+|是|是的|对|对的|好|好的|好吧|行|可以|确认|确定|没错|同意|忘掉吧|忘了吧|删吧|删了吧|删掉吧|都忘掉吧|全忘掉吧|是[的啊呀]*[，,]?(?:忘掉|忘了|删掉|删了)吧?"
    r"|yes|yep|yeah|yup|sure|ok|okay|confirm(?:ed)?|do it|go ahead|please do|yes please|of course|right|correct|forget (?:it|them|that)(?: all)?|delete (?:it|them)(?: all)?)"
    r"(?:[，,\s]*(?:谢谢|please|thanks|确定|确认|忘掉吧|忘了吧|删吧|删掉吧|go ahead|do it|forget (?:it|them|that)|delete (?:it|them)))*",
    re.IGNORECASE,
)
NO = re.compile(
    r"(?:不|不是|不用|不用了|不要|别|算了|取消|不必|不行|先不|先别|留着(?:吧)?|保留|no|nope|nah|don't|do not|cancel|never ?mind|keep (?:it|them|that)|not now|stop)"
    r"(?:[，,\s]*(?:了|吧|谢谢|please|thanks|thank you|留着吧?|keep (?:it|them)))*",
    re.IGNORECASE,
)
QUOTED_ZH = re.compile(
    r"[“\"「『]?(?P<said>[^“”\"「」『』]+)[”\"」』](?:的?[这那](?:一?[件回个条句点])?(?:事情?|话|信息|记录|内容|消息|记忆)?)?"
)
"""What was said, word for word, with what points at it: “我养鸽子”这件事."""
DONE_ZH = re.compile(r"我.*[过了]的[^的]{1,4}")
"""我买过的东西: what somebody did, not what something of theirs has for a value."""
LAST_ZH = re.compile(
    r"(?:我)?(?:刚才?|刚刚|方才|上面?一?[句条段]|前面|之前)?(?:我)?(?:跟你|对你|和你|向你|给你)?(?:刚才?|刚刚|方才)?(?:[说讲发提聊]过?(?:过|起|到)?)?的?(?:那|这)?(?:一?[句条段些番]|句话)?(?:话|内容|东西|事情?|消息|信息|全部)?(?:不算|作废)?(?:都|全部)?"
)
QUANTITY_FIRST_ZH = re.compile(r"(?:所有|一切|全部|任何|每一?[条件])的?(?=关于|有关|我)")
"""All that is about …: what stands behind it says what is meant."""
ALL_SAID_ZH = re.compile(
    r"我们?(?:以前|之前|曾经|从前)?(?:跟你|对你|和你|向你|给你)?(?:说|讲|告诉|聊|提|发)(?:给|起)?你?过?的(?:话|事情?|东西|内容|消息|信息)?"
)
LAST_EN = re.compile(
    r"(?:everything |all |whatever |anything )?(?:(?:what|that|the (?:thing|things|stuff|part|bit)s?(?: that)?) )?i(?:'ve| have)? ?(?:just|only just)? ?(?:said|told you|wrote|mentioned|typed|sent(?: you)?|shared)(?: just now| a moment ago| before| above| here)?"
    r"|(?:the|my) (?:last|previous|latest) (?:message|thing|sentence|line|statement|part|one)(?: i (?:said|sent|wrote))?",
    re.IGNORECASE,
)
ALL_ZH = re.compile(
    r"你对我的?(?:所有|一切|全部)?的?(?:了解|记忆|印象|认识)|(?:关于)?(?:你?(?:知道|记得|记住|记下|记录|保存|存)的?)?(?:关于)?(?:我|我们|自己)?(?:跟你|对你)?(?:说过|讲过|告诉过?你?)?的?(?:所有|一切|全部|任何|每一?[条件])的?(?:东西|事情?|内容|信息|资料|记忆|记录|话|数据|的|一切)?|(?:关于)?我(?:的)?(?:所有|一切|全部|全)?的?(?:记忆|记录|数据|事情?|信息|资料|东西)?"
)
ALL_EN = re.compile(
    r"(?:absolutely )?(?:everything|all|anything)(?: (?:of )?(?:that|what))?(?: (?:you|we|i)(?:'ve| have)?(?: ever)? (?:know|remember|stored?|saved?|learn(?:ed|t)?|kept|keep|have|said|told you|recorded))?(?: (?:about|on|of) (?:me|us|myself))?"
    r"|(?:all (?:of )?)?(?:your|the|my) (?:entire |whole )?(?:memor(?:y|ies)|data|records?|notes|history)(?: (?:of|about|on) me)?|(?:all )?(?:about )?me",
    re.IGNORECASE,
)
ABOUT_ZH = re.compile(
    r"(?:关于|有关|跟|和|与)?(?P<who>.+?)(?:有关|相关)?(?:的(?:所有|一切|全部|任何|那些|这些)?的?(?:所有|一切|全部|事情|事儿?|东西|内容|信息|资料|情况|记忆|记录|消息|话|那些话|数据)"
    r"|(?:所有|一切|全部|任何)的?(?:事情|事儿?|东西|内容|信息|资料|情况|记忆|记录|消息|话|数据)?|(?:信息|资料|情况|记录|记忆|内容))"
)
FORMER = re.compile(
    r"(?:旧|老(?=地址|号码|电话|手机|邮箱|公司|单位|住址)|以前|之前|过去|原来|原先|从前)的?(?=.)|\b(?:old|former|previous|past|earlier|outdated)\s+(?=\w)",
    re.IGNORECASE,
)
ABOUT_EN = re.compile(
    r"(?:(?:absolutely )?(?:everything|all|anything|any|whatever|(?:the |any |some |those |these )?(?:stuff|things?|facts?|info(?:rmation)?|details?|part|bit|conversation|rest)|all (?:the )?(?:stuff|things?|facts?|info(?:rmation)?|details?|memor(?:y|ies)|data|notes)|(?:any |the |my |your )?(?:memor(?:y|ies)|notes?|records?|info(?:rmation)?|stuff|details?))(?: (?:that )?(?:you know|you have|i (?:have |just |ever )*(?:said|told you|mentioned)|we (?:said|discussed)))?"
    r"|what(?:ever)? (?:i|we)(?:'ve| have)?(?: just| ever)? (?:said|told you|mentioned|wrote|shared|discussed|talked)(?: to you)?) (?:about|on|regarding|concerning|related to|of) (?P<who>.+)",
    re.IGNORECASE,
)
SAID_ABOUT_ZH = re.compile(
    r"(?:我)?(?:上次|之前|以前|刚才?|刚刚|昨天|前面|曾经)?(?:我)?(?:跟你|对你|和你)?(?:[说讲提聊告诉]+)(?:过|起|到|的)*(?:关于|有关)?(?P<who>.+)"
)
ASKED_ZH: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?:哪里|哪儿|什么地方|哪个(?:城市|地方|小区)|哪)"), "上海"),
    (re.compile(r"(?:多大|几岁)(?:了)?$"), "今年30岁"),
    (re.compile(r"多高$"), "身高180厘米"),
    (re.compile(r"多重$"), "体重60公斤"),
    (re.compile(r"(?:什么时候|哪天|几号|哪年)"), "5月3日"),
    (re.compile(r"(?:哪家公司|哪个公司|什么公司|哪个单位)"), "腾讯"),
    (re.compile(r"谁"), "王小明"),
    (re.compile(r"(?:多少|几)"), "300"),
    (re.compile(r"(?:什么|啥)"), PROBE),
)
PLACE_ZH = re.compile(
    r"(?P<who>.*?)(?P<verb>住|居住|工作|上班|上学|读书|出生)(?P<over>过)?的(?:地方|地点|地址|城市|位置|公司|单位|学校)"
)
WH_EN = re.compile(
    r"(?P<wh>where|when|who|what|which|how (?:old|tall|much|many|long|heavy))(?P<noun>(?: (?!i\b|my\b|we\b|he\b|she\b|they\b|our\b|his\b|her\b|the\b|you\b)[a-z]+)?) (?P<rest>.+)",
    re.IGNORECASE,
)
FILL_EN = {
    "where": ("in Qxville", "at Qxville"),
    "when": ("on May 3", "May 3"),
    "who": ("Jane Smith",),
    "what": (PROBE,),
    "which": (PROBE,),
    "how old": ("30 years old",),
    "how tall": ("180 cm tall", "180 cm"),
    "how heavy": ("60 kg",),
    "how much": ("300 dollars",),
    "how many": ("3",),
    "how long": ("3 hours",),
}
LIST = re.compile(
    r"[、]|(?<=[\u4e00-\u9fff])(?:和|以及|还有|跟)(?=[\u4e00-\u9fff])|\s+(?:and|as well as)\s+|\s+&\s*|\s*&\s+|(?<=[a-z]{3})&(?=[a-z]{3})"
)
