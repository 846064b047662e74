"""Which Chinese clauses tell nothing that is the speaker's: what a text, a program or a game says, the world at large, orders to the assistant.

Their grammar is that of a statement ("循环跑10次", "封面用蓝色", "患者血压120"); only what they speak of tells that nobody's memory has
a place for it. Where the clause names the speaker ("我项目里的循环…") it is a statement all the same.
"""

from __future__ import annotations

import re

from memories.core.extraction.zh.rules import CHANGED
from memories.core.values.numerals import ZH_NUMBER

_OWN = re.compile(r"我|咱|俺|本人")
_SOURCES = (
    "截图|论文|例子|例句|示例|样例|案例|日志|代码|教材|课本|剧本|台词|菜谱|食谱|原文|上文|下文|正文|帖子|评论|弹幕|视频|歌词|诗|广告|"
    "传说|童话|寓言|漫画|动画|片子|节目|纪录片|百科|说明书|模板"
)
_STORY = re.compile(
    rf"(?:{_SOURCES})(?:里面?|显示|中(?![期心文介国午旬标签间学考级奖])|上(?![线传交海午门班课市架映新报一周个]))|^[这该本原]?文[中里](?![考期])|"
    r"邮件[里中](?:面)?(?!.{0,4}(?:说|通知|告诉|要求|让))|患者(?!复诊|预约|档案|群)|受访者|^[男女]?(?:主角|主人公)|^[男女]主(?![人持播管任])|^(?:反派|配角)|"
    r"(?:电影|书|小说|片子?|剧|文章|故事|歌)[^，。]{0,2}[讲说写演拍]的(?:就)?是|^[^，。]{1,8}(?:发布|推出)了新|(?:上映|首映|开售|预售)$"
)
"""A text, a picture, a case or a story that is told of: also what follows is said of it."""
_LABEL = re.compile(
    r"(?:食材|配料|用料|做法|步骤|角色|人物|主题|正文|题目|选择题?|填空题?|判断题?|计算题?|应用题|笑话|谜[面底语]|歇后语|场景|剧情|设定|旁白|原文|译文|例句|快讯|突发|"
    r"第[\d一二三四五六七八九十百]+[题章节回幕])\s*[:：]"
)
"""The heading of something that was written to be read, not to be known."""
_OF_TEXT = (
    r"(?:字体|字号|字色|字数|背景(?!音乐)|标题|副标题|小标题|封面|按钮|图标|边框|配色|行距|页边距|段落|首段|末段|第[\d一二三四五六七八九十]+(?:段|行|句|页|列|章)|"
    r"开头|结尾|语气|文风|口吻|排版|表头|表格|图例)"
)
_ORDER = re.compile(
    rf"(?:请|麻烦|再)?(?:把|将)?(?:整[个体])?{_OF_TEXT}(?:的?颜色|全部|都|也|再)?(?:{CHANGED}|[改换调设放写移缩加用分弄做][成为到在至用]?|控制在)[^，。]+"
    rf"|(?:请|麻烦|再|都|全部|就)*(?:(?:改|缩短?|压缩|缩减|精简|删减|浓缩|概括|扩写|扩充|扩展|控制|限制)[写]?[成到为至在]|[不别]?(?:要|能)?(?:超过|少于|多于)|最多|至多|至少){ZH_NUMBER}个?(?:字|行|段|句话?|词)(?:以内|左右|之内)?(?:吧|就行|就好|即可)?"
    r"|[^，。]+(?:再|重新)(?:试|跑|运行)(?:一?[下次遍]|[试跑看])"
)
"""What the assistant is to make of a text or a program."""
_SETTLED = re.compile(r"了|已经|现在|目前|以后|今后|每|周|[月号日点]")
"""What an order has none of: a change that came, a habit, a day."""
_MACHINE = re.compile(
    r"(?:服务器|控制台|接口|函数|程序|脚本|终端|请求|命令|页面|编译器?|系统)[^，。]{0,4}?(?:返回|输出|打印|抛|报错|提示)|报错|(?:预期|期望)(?:值|输出|结果)?(?:是|为)\d+$|"
    r"(?:程序|脚本|页面|应用)[^，。]*(?:崩|报错|卡死|闪退)"
)
_WORLD = re.compile(
    r"[\u4e00-\u9fff]{0,4}(?:央行|美联储)|(?:国家|政府|国务院)(?=把|将|规定|出台)|国家队|法定(?!代[表理])|个税|股市|大盘|[AB]股|[道沪深恒]指|纳指|比特币|以太坊|油价|金价|全世界|人类|光速|水的[沸熔冰]点|总统(?!套房|府)|总理|首相|国足|"
    r"(?:地球|月球|太阳|火星)(?:的?(?:半径|直径|质量|温度|距离|周长|表面)|离|到|绕|有)|(?:成年?|未成年|现代|年轻|老年)人(?!礼|高考|大学)|(?:血量|血条|蓝量|金币|等级|经验值|战力)(?=还|有|是|到|升|降|只|剩|\d)"
)
_CODE_NOUN = re.compile(
    r"变量名?|常量|函数名?|形参|参数|数组|循环|递归|主键|外键|索引|副本数?|命名空间|分支|标签|镜像|日志级别|返回值|断点|线程数?|[^的]{0,6}格式"
)
"""What only programs have; whose program it is has to be said."""
_CALENDAR = re.compile(
    rf"(?:现在|这|转眼|眼看|一晃)?(?:都|已经|才|又到?|快){{1,2}}{ZH_NUMBER}(?:年|月|号|日|点)份?了?"
)
"""都12月了: what the calendar says."""
_REMOTE = re.compile(
    r"(?:我的?)?(?:朋友|同事|同学|邻居|闺蜜|亲戚|网友)的(?:一?个)?(?:朋友|同事|同学|邻居|网友|[表堂][哥弟姐妹])"
)
"""Somebody of whom the speaker only hears."""


def beyond(text: str) -> bool:
    """Whether the clause tells nothing of the speaker's own, by what it speaks of."""
    if _CALENDAR.fullmatch(text) or _REMOTE.match(text):
        return True
    if _OWN.search(text):
        return False
    if _ORDER.fullmatch(text) and not _SETTLED.search(text):
        return True
    return _MACHINE.match(text) is not None or _WORLD.match(text) is not None


def tells_of_text(text: str) -> bool:
    """Whether this clause and the next are of a text, a story or a case."""
    return _LABEL.match(text) is not None or (_OWN.search(text) is None and _STORY.search(text) is not None)


def of_program(thing: str) -> bool:
    """Whether a thing of which nobody is named as the owner is one that only programs have (循环, 主键), or a heading (做法:烤箱)."""
    return re.search(r"[:：]", thing) is not None or _CODE_NOUN.fullmatch(thing) is not None
