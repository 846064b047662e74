"""Words that say how a sentence is meant: as a correction, an update, one's own story, something that happened."""

from __future__ import annotations

import re

MISTAKEN = r"(?:说|记|搞|写|弄|看|听|填|算|报|打|读|抄|讲|传|发|输|认|数|想|念|登记|录)(?:错|混|岔|反|串|差|偏|颠倒|糊涂)"
"""Verbs of telling and noting with what went wrong: 说错, 记混, 抄反."""
MISSTATED = (
    rf"(?:{MISTAKEN}|(?:说|写|报|填|算|打|抄|登记|录)(?:大|小|早|晚|高|低|漏|重|串行|岔行|串)|[多少](?:说|写|报|算|打|填|记)|(?:说|写|报|算|填)[多少](?=[了啦])|"
    r"(?:看|抄|读|填)串行?|没(?:有)?(?:说|讲|写|表达)(?:清楚|明白|准)|糊涂|(?:说|写|记|报|听|看|当|打)(?=成了?[^，。]{1,16}了))"
)
"""The same, and what came out too much, too little or unclear: 写大, 多说, 没说清楚, 说成…了."""

CORRECTS = re.compile(
    rf"更正|纠正|订正|勘误|{MISSTATED}(?:[了啦，。]|一个?[数字位]|成)|没(?:有)?(?:那么|这么)[多少大小高低长短早晚贵便宜]+(?=[，。])|作不?了?数不了|不作数|作不得数|应为|应是|笔误|手误|改口|不对[，,是]|(?:^|[，,。！!\s])(?:啊|哦|噢|诶|哎|呃|额|等等|等下|等一下)[，,]?不是[，,]|改主意|重新决定|准确(?:地)?说|应该是|口误|(?:之前|原来|上次|刚才|先前|前面|早先)我?(?:说|讲|写|报|记)的[^，。！!]{{1,40}}?(?:不算数?|作废|有误|不对)|其实(?:应该)?是|嘴瓢|口胡|(?:看|眼)花了|糊涂了|虚报|(?:抱歉|不好意思|对不起)(?=[，,。！!\s]*(?:[^，。]{{0,12}}(?:应该|是|叫|在)))"
    r"|(?:^|[,.;!—-]\s*|\b(?:is|are|was|were)\s+|['’]s\s+)actually\b(?!\s+(?:a|an|the|very|quite|really|pretty|\w+ing)\b)"
    r"|^no[,!.]\s+(?=(?:my|our|his|her|the|it|that|[A-Z][a-z]+['’]s)\b)"
    r"|^not [A-Z$€£\d][^,.]{0,30}, (?=\w)"
    r"|\b(?:correction|i (?:had|got|gave you|told you|said|wrote|copied|put|noted|read|heard)\b[^,.;:!?]{0,30}\b(?:wrong(?:ly)?|backwards|incorrectly)|i meant|i mean(?=,? (?:my|the|it|his|her))|my mistake|i was wrong|i misspoke|i (?:had|got) (?:it|that) wrong|i was mistaken|changed (?:our|my|their) minds?\b|instead(?=[.!]?$)|i made a mistake|scratch that|to correct|to set the record straight|i stand corrected|not (?!only|just|sure|really|bad).{1,30}, but(?= (?:rather|on|in|at|by|the|a|an|\d|[A-Z$]))|i said .{2,60}? but (?:it|that|the|my|our|i meant|[A-Z])|mis(?:read|spoke|remember(?:ed)?|heard|typed|quoted|counted|stated|told|wrote|calculated|looked)\b|typo\b|(?:mixed|muddled) (?:it|that|them|the|those|up|my)\b|my bad\b|silly me\b|my error\b|(?:scrap|strike|ignore|disregard|cancel) (?:that\b|what i (?:said|told|wrote))|(?:let me|need to|have to|must|want to|should) (?:fix|correct|amend|revise) (?:myself|that|something|what|my)|(?:that|this|which)(?:['’]s| is| was) (?:not (?:right|correct|true)|wrong|incorrect|a mistake|mistaken)|i keep (?:getting (?:it|that) wrong|doing that|mixing)|wrong about|w?hoops\b|oops\b|(?:to be|more) (?:precise(?:ly)?|exact(?:ly)?|accurate(?:ly)?)\b|actually (?:lives?|works?|starts?|costs?|goes|prefers?|called|named|takes)\b|thinking of (?:someone|something|somebody) else|should (?:have|'ve) said)\b",
    re.IGNORECASE,
)


CONFIRMS = re.compile(
    r"没(?:有)?(?:什么)?(?:变|改|换|动)|不变|照旧|依旧|仍旧|仍然?是|依然是|还是(?=[^，。]{2})|确实(?:是|在|叫|为)|的确(?:是|在)|没错|(?:跟|和)(?:之前|以前|原来|上次)(?:说的)?一样|(?:再|又|重新|跟.{1,6})确认(?:了|过)"
    r"|\b(?:still|unchanged|has(?:n't| not) changed|have(?:n't| not) changed|as before|remains?|stays? the same|i (?:double-)?checked|confirmed|indeed)\b",
    re.IGNORECASE,
)
UPDATES = re.compile(
    r"(?:改|换|变|变更|调整|更新|推迟|延期|提前|搬|移|调|涨|降|升)(?:成|为|到|至|在|了)|(?:延长|缩短|缩减|提高|降低|扩大|增加|减少|转|挪|迁)(?:成|为|到|至)|不再|已经不|(?:现在|如今)(?:是|改|住|在|换|的|最|要|归|由|用|向|都|[^，。]{0,6}(?:是|为|在))|(?:以后|今后)[^，。]{2,24}(?:是|改|住|用|归|由)|从(?:现在|今天)起|从.{1,12}(?:起|开始)(?:改|换|用|住)|(?:接|派|调|分|转|送|搬|挪|迁)(?:到|去|回|进)[^，。]{1,10}了|跳槽|转行|搬家"
    r"|\b(?:now|no longer|not .{1,20} anymore|any ?more|moved|changed|switched|rescheduled|postponed|updated|as of|from now on|from (?:next|this) \w+ on(?:wards?)?|going forward|effective (?:immediately|from|next)|starting (?:next|this|today|tomorrow|from)|these days|nowadays|(?:has|have) since|turn(?:s|ed) out|new (?:job|address|number|phone|email)|used to)\b",
    re.IGNORECASE,
)
LONG_VALUES = frozenset({"topic", "goal", "rule"})
"""Attributes whose value may go on over commas."""
TAKES_BACK = re.compile(
    r"[，,]\s*(?:而|并)?不是([^，。！,!]{1,40})"
    rf"|(?:之前|原来|上次|刚才|先前|前面|早先|那天|昨天)(?:我)?(?:说的|那个|的|记的|讲的|写的|报的|告诉你的)+([^，。！,!是]{{1,40}}?)(?:是(?:我|他|她)?|都?是)?(?:{MISTAKEN}|不对|有误|错了|不算|作废)"
    rf"|把([^，。！,!]{{1,30}}?)(?:{MISTAKEN})|(?:{MISTAKEN})(?:成|为)了?([^，。！,!]{{1,30}})"
    r"|\bnot\s+(?!sure|only|just|really)((?:[^,.;!?]|[,.](?=\d)){1,40})",
    re.IGNORECASE,
)
FIRST_PERSON = re.compile(r"我|咱|俺|\b(?:I|I'm|I've|I'll|[Ww]e|[Mm]y|[Mm]ine|[Oo]ur|[Mm]e|us)\b")
HAPPENS = re.compile(
    r"[去来到见看吃买卖开做参加举行举办出发回旅搬约考赢输完成上线发布面试聚会会议]|是[^，。]{0,10}(?:生日|纪念日)|通过|毕业|结婚|离婚|订婚|退休|领证|去世|录取"
    r"|\b(?:went|go|going|met|meet|meeting|saw|visit|visited|visiting|bought|attend|attended|attending|see|seeing|take|taking|buy|buying|leave|leaving|left|return|returning|returned|arrive|arriving|arrived|join|joining|host|hosting|book|booked|sign|signing|open|opening|opened|adopt\w*|flew|fly|flying|had|have|having|started|start|finished|finish|celebrat\w+|travel\w*|trip|"
    r"party|wedding|concert|interview|appointment|conference|presentation|exam|flight|dinner|lunch|ran|run|painted|made|joined|signed|launched|won|lost|got|gave|took|hosted|mov(?:e|ed|ing)|married|marrying|wed|engaged|divorc\w+|retir\w+|born|died|passed|failed|stay(?:ing|ed)|com(?:e|es|ing)|came|staying|graduat\w+)\b",
    re.IGNORECASE,
)
