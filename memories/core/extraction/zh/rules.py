"""What Chinese predicates say about their subject: one table of patterns, each for an attribute."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memories.core.kinds import Kind

_ADV = (
    r"(?:现在|目前|如今|今年|去年|今天|最近|近来|平时|平常|从小|小时候|以前|一直|已经|其实|真的|本来|确实|当然|一般|通常|终于|刚|已|也|就|都|还|又|才|便|则|"
    r"(?:19|20)\d\d年(?:\d{1,2}月)?|上个?月|这个?月|上周|这周|昨天|前天)*"
)
_DEGREE = r"(?:最|很|太|特别|非常|比较|超级?|格外|尤其|更|挺|蛮|真|好|可|都|也|还是|还|一直|从小就?|其实|真的|确实|向来)*"
_V = r"(?P<v>.{1,40}?)"
_END = r"(?:了|啦|呢|啊|呀|哦|嘛|的)*"
_FOR = r"(?:[一二两三四五六七八九十几半好\d]+个?(?:多|半)?(?:年|月|天|周|星期)(?:多|半)?)"
_COUNT = r"(?:[一二两三四五六七八九十几\d]+)?(?:个|位|只|条|头|匹|辆|台|部|套|间|栋|架|把|对|双|名|所|家|份)"
_JOB = (
    r"(?:[\u4e00-\u9fffA-Za-z]{0,8}?(?:师|员|医生|学生|研究生|大学生|实习生|高中生|初中生|小学生|博士生|作家|画家|专家|科学家|艺术家|歌手|选手|水手|助手|"
    r"技工|电工|木工|义工|社工|职工|民工|法官|警官|军官|农民|渔民|警察|交警|刑警|民警|老板|店长|院长|校长|厂长|部长|处长|科长|队长|经理|总监|秘书|司机|保安|"
    r"主任|助理|顾问|博士|编辑|记者|护士|[\u4e00-\u9fff]匠|大夫|裁缝|厨子|主编|总裁|律师|军人|导演|演员|模特|主播|主持人|翻译|会计|出纳|教练|翻译|设计|程序员|公务员|创始人|合伙人|自由职业者?|家庭主妇|"
    r"保姆|中介|法务|运营|产品经理|销售|客服|前台|文员))"
)
_NOT_V = r"(?!的(?:就)?是)(?!(?:你|您|什么|谁|哪|这样|那样|的(?!士)|不|没|吗|呢|吧|一样|这个|那个|这种|那种|真的|假的|对的|错的|它|这|那)(?:$|.*))"


@dataclass(frozen=True, slots=True)
class Predicate:
    """A pattern on the clause after its subject, and what it says. `elided` allows the subject "I" to be left out."""

    rule: str
    attribute: str | None
    pattern: re.Pattern[str]
    kind: Kind | None = None
    negated: bool = False
    ended: bool = False
    update: bool = False
    elided: bool = False
    me_only: bool = False


def _p(rule: str, attribute: str | None, pattern: str, kind: Kind | None = None, **flags: bool) -> Predicate:
    compiled = re.compile(
        _ADV + "(?:" + pattern.replace("{V}", _NOT_V + _V).replace("{N}", _COUNT) + ")" + _END
    )
    return Predicate("zh." + rule, attribute, compiled, kind, **flags)


PREDICATES: tuple[Predicate, ...] = (
    _p("name", "name", r"(?:的名字)?(?:名叫|叫做|叫作|叫|姓名是|的名字是)(?P<v>[\u4e00-\u9fff·]{2,6}|[A-Z][A-Za-z .]{1,30}?)"),
    _p("nickname", "nickname", r"(?:(?:大家|朋友们?|同事们?|你|您)?(?:都|可以|就)?(?:叫|喊|称呼)我(?:为|做|作)?)(?P<v>[^\s，。]{1,8}?)(?:就好|就行|就可以|好了|吧|就行了|就可以了)?", Kind.PROFILE, elided=True),
    _p("surname", "surname", r"姓(?P<v>[\u4e00-\u9fff]{1,2})", Kind.PROFILE),
    _p("age", "age", r"(?:今年|都|已经|满|刚满|是|有|快)*(?P<v>[\d零一二两三四五六七八九十百]{1,4}(?:周)?岁(?:半|多)?)(?:了|的人了)?", elided=True),
    _p("born", "birthday", r"(?:是|出生于|生于|出生在|出生日期是)?(?P<v>(?:(?:19|20)?\d\d年)?(?:农历|阴历)?(?:[\d一二三四五六七八九十]{1,3}月(?:[\d一二三四五六七八九十]{1,3}[日号])?)?)(?<=[年月日号])(?:出)?生(?:人|的)?"),
    _p("born_on", "birthday", r"(?:出生于|生于|出生在)(?P<v>.*\d.*[年月日号])"),
    _p("born_in", "origin", r"(?:出生于|生于|出生在|从小在|在){V}(?:出生|长大)?(?<=[出生长大于在\u4e00-\u9fff])(?<!在)(?=.{0,2}$)(?<!上班)(?<!工作)(?:(?<=出生)|(?<=长大))(?:的)?"),
    _p("origin_from", "origin", r"(?:来自|老家(?:是|在)|家乡(?:是|在)|籍贯(?:是)?|祖籍(?:是)?){V}(?:那边|这边|农村)?"),
    _p("moved", "home", r"(?:刚|已经|终于|前阵子|最近)*(?:从.{1,10}?)?(?:搬家?|移居|迁|挪|嫁|回)(?:到|去|来|回|进|(?=[^，。]{2,6}住了?$))(?:了)?{V}(?:住|去住|居住|生活|定居|来|去|那边|这边)?", Kind.PROFILE, update=True, elided=True),
    _p("home_ended", "home", rf"(?:早就|早)?(?:不再|不)(?:住在|住|居住在)(?P<v>.{{2,20}}?)(?:了|(?:已经|都|快|也|有){{0,3}}{_FOR}了?)", Kind.PROFILE, ended=True, update=True),
    _p("place_left", "home", r"(?:早就|早)?(?:已经)?不(?:再)?在(?P<v>(?!(?:这|那|家|一起|乎|意|线|场|状态))[\u4e00-\u9fffA-Za-z]{2,12}?)了", Kind.PROFILE, ended=True, update=True),
    _p("home_not", "home", r"(?:没有?|不)(?:住在|居住在|住)(?P<v>.{2,20}?)", Kind.PROFILE, negated=True),
    _p("home", "home", r"(?:一个人|独自|和.{1,6}|跟.{1,6}|暂时|目前)?(?:家住|住在|合?租住?在|[借寄暂客]住?[住宿居]在|居住在|定居在|定居|现居|家在|生活在|在(?=[^，。]{2,12}住))(?!一起|宿舍了){V}(?:附近|旁边|那边|这边)?(?:(?:常|长期|一直)?住(?:了?[^，。不]{0,4}(?:年|个?月|久))?)?", elided=True),
    _p("department", "department", r"在(?P<v>[^，。]{1,10}(?:部|科|处|事业部|车间|支队|班组))(?:上班|工作|干活)?"),
    _p("department_new", "department", r"(?:从.{1,12}?)?(?:调|转|换|分)(?:到|去|至|进|岗到)+了?(?P<v>[^，。]{1,10}(?:部|科|处|事业部|车间|支队|班组))(?:上班|工作|去)?", None, update=True),
    _p("stays", "home", r"在(?P<v>[\u4e00-\u9fff]{2,6})", Kind.PROFILE),
    _p("employer_ended", "employer", r"(?:早就|早)?(?:不再|不|已经不)在(?P<v>.{2,20}?)(?:工作|上班|教书|任职|实习|打工|干|做)了|从(?P<v2>.{2,20}?)(?:离职|辞职)了|离开了?(?P<v3>[\u4e00-\u9fffA-Za-z]{2,12}?公司)", Kind.PROFILE, ended=True, update=True),
    _p("job_at", "occupation", rf"(?:在|去|到|跑去|回)[^，。]{{1,20}}?(?:做|当|担任|任)了?(?:一?[名个位])?(?P<v>{_JOB})", elided=True),
    _p("employer_new", "employer", r"(?:从.{1,12}?)?(?:被)?(?:跳槽|跳|调|派|外派|派驻|借调|转岗|调动|入职|加入)(?:到|去|至|往|进|了)+(?:一[家个所])?{V}(?:上班|工作|去)?", Kind.PROFILE, update=True, elided=True),
    _p("employer", "employer", r"(?:在|就职于|任职于|供职于|受雇于)(?!家|这|那|一起|线){V}(?:工作|上班|任职|就职|实习|打工|教书|上[夜白早晚中]班|做?兼职|看店|当差)", elided=True),
    _p("office", "workplace", r"在(?P<v>[^，。]{2,20}?)(?:办公|坐班)"),
    _p("employer_at", "employer", r"(?:就职于|任职于|供职于|受雇于){V}", elided=True),
    _p("job_ended", "occupation", r"(?:不再|不|已经不|没有?再)(?:当|做|干)(?P<v>[\u4e00-\u9fff]{2,8}?)了", Kind.PROFILE, ended=True, update=True),
    _p("retired", "occupation", r"(?P<v>退休)(?:在家)?了?", Kind.PROFILE, update=True),
    _p("job_new", "occupation", rf"(?:被)?(?:转行|改行|升职|晋升|升任|升(?!职)|提拔|提升|转岗|调任|改任|转任|荣升)(?:做|当|为|到|成|去|了|任|职)*(?P<v>(?![成为到做当]){_JOB}|(?![成为到做当])[\u4e00-\u9fffA-Za-z]{{0,8}}?(?:长|师|员|经理|总监|主管|主任|主席|总裁|教授|人|专员|助理|顾问|书记|老板|董事|席))", Kind.PROFILE, update=True, elided=True),
    _p("job", "occupation", rf"(?:(?:做|干)的(?:就)?是|是|当|做|担任|干)+(?:了)?(?:一?[名个位])?(?:.{{1,8}}的)?(?P<v>(?![个名位]){_JOB})(?:出身)?", elided=True),
    _p("school", "school", r"(?:毕业于|就读于|考上了?|考入了?){V}(?:大学生)?", elided=True),
    _p("school_in", "school", r"在{V}(?:读书|上学|念书|读研|读博|读大学|上大学|读高中|上高中|念大学|读本科)", elided=True),
    _p("school_from", "school", r"(?:是)?(?:从)?(?P<v>(?!(?:现在|已经|就|也|只)*[念读上]到|[今去前明]年|现在|刚|大学|已经|才|就|快|还|要)[\u4e00-\u9fffA-Za-z]{2,16}?(?:大学|学院|学校|中学|小学|高中))毕业"),
    _p("major", "major", r"(?:大学)?(?:学的是|读的是|专业是|主修的?(?:是)?|念的是|学){V}(?:专业)"),
    _p("major_is", "major", r"(?:大学|本科|研究生)?(?:学的是|读的是|主修){V}", elided=True),
    _p("grade", "grade", r"(?:在|正在)?(?:上|读|念|升|升到|升入|升上|到|是|该上|要上|升级到)?了?(?P<v>(?:小学|初中|高中|大学|本科|幼儿园)?(?:[一二三四五六]年级|[初高大研博][一二三四五]|[小中大]班))(?:学生)?", None),
    _p("born_in_year_of", "生肖", r"(?:是)?属(?P<v>[鼠牛虎兔龙蛇马羊猴鸡狗猪])", Kind.PROFILE, elided=True),
    _p("zodiac", "zodiac", r"是(?P<v>[\u4e00-\u9fff]{2}座)(?:的)?", Kind.PROFILE),
    _p("blood", "blood_type", r"(?:是)?(?P<v>(?:AB|A|B|O)型)(?:血)", Kind.PROFILE, elided=True),
    _p("drives", "car", r"(?:开的(?:就)?是|(?:换|提|买|入手|开上)了)(?:一?[辆台]|部)(?:新车)?(?:二手的?)?(?P<v>(?!.*(?:自行|单车|电动车|电瓶|摩托|三轮|共享))[^，。的]{2,14}?)(?:车)?", None, elided=True, update=True),
    _p("drives_one", "car", r"开的(?:车)?(?:就)?是(?!车|什么)(?P<v>[^，。的]{2,12}?)", None),
    _p("floor", "楼层", r"住(?:在)?(?P<v>[\d一二三四五六七八九十]+(?:楼|层))", None, elided=True),
    _p("trade", "occupation", r"是(?:(?:做|搞|干)(?P<v>(?![的了过什啥])[^，。的]{2,8})|(?P<v2>(?:跑|开|卖|修|教|种|养)(?![的了过])[^，。的]{1,8}))的", Kind.PROFILE),
    _p("line", "occupation", r"从事(?P<v>[^，。的]{2,12}?)(?:行业|工作|方面的工作|这一行)?", Kind.PROFILE, elided=True),
    _p("at", "home", r"坐标(?:是|在)?(?P<v>[\u4e00-\u9fff]{2,8})", Kind.PROFILE, elided=True),
    _p("age_bare", "age", r"(?:今年)?(?:都|刚|已经)?(?P<v>[1-9]\d)", elided=True),
    _p("allergy", "allergy", r"(?:好像)?(?:是)?(?:对){V}(?:严重|有点|轻微|会)?过敏", Kind.PROFILE, elided=True),
    _p("allergy_not", "allergy", r"(?:对(?P<v>[^，。]{1,10}?)(?:并|其实|根本|完全)*不(?:会)?过敏|吃(?P<v2>[^，。]{1,8}?)(?:没事|不过敏|不会过敏))", Kind.PROFILE, negated=True, elided=True),
    _p("diet", "diet", r"(?P<v>(?:是)?(?:素食(?:主义)?者?|吃素|吃全素|纯素|清真饮食|吃斋))", Kind.PROFILE, elided=True),
    _p("diet_no", "diet", r"(?P<v>(?:不能|不可以|不让|不准|忌)(?:吃|喝|碰|沾).{1,12}?)", Kind.PROFILE, elided=True),
    _p("dislike", "likes", rf"{_DEGREE}(?:不(?:太|怎么|大|是很|是特别|再)?(?:喜欢|爱|想要|习惯|待见)|讨厌|反感|受不了|厌恶|最?怕|嫌)(?!情|心|好){{V}}", Kind.PREFERENCE, negated=True, elided=True),
    _p("prefer", "likes", rf"{_DEGREE}(?:更喜欢|宁愿|宁可|偏爱|偏好|更愿意|更爱|倾向于?){{V}}(?:而不是.*|(?:胜过|超过).*)?", Kind.PREFERENCE, elided=True),
    _p("like", "likes", rf"{_DEGREE}(?:只?喜欢(?:上|的?还是)?|稀罕|中意|好(?=这口)|热爱|酷爱|钟爱|迷上|热衷于?|着迷于?|痴迷于?|爱(?!人|情|心|好|的|国|惜|护|因|我|你|他|她))(?:了)?{{V}}", Kind.PREFERENCE, elided=True),
    _p("hobby", "hobby", r"的?(?:业余)?(?:爱好|兴趣)(?:爱好)?(?:广泛)?(?:是|有|包括){V}", Kind.PREFERENCE, elided=True),
    _p("habit", "habit", r"(?P<v>(?:(?:每天|每(?:个)?(?:周|星期|礼拜)[一二三四五六日天末]?|每个月|早上|晚上|中午|周末|睡前|一般|通常|平时|习惯(?:了)?|只|都)+)(?:喝|吃|用|看|听|去|穿|骑|坐|开|跑|做|写|读|练|游|打|睡|起)(?!的).{1,20}?)", Kind.PREFERENCE, me_only=True),
    _p("pet_named", "pet", r"(?:还)?(?:养|有|领养|收养)(?:着|了|过)?(?P<v>(?:[一二两三四五六七八九十\d]+)?[只条头匹个]?[^，。]{1,6}?(?:猫|狗|犬|兔子?|仓鼠|鸟|鹦鹉|鱼|龟|乌龟|猪|蛇|马|猫咪|金毛|拉布拉多|柯基|布偶)[^，。]{0,2}?(?:，?(?:名字)?(?:叫|名叫)[^，。]{1,6}))", None, elided=True),
    _p("marital", "marital_status", r"(?P<v>(?:已经)?(?:离婚|订婚|离异|丧偶|再婚))(?:.{1,3}年)?", Kind.PROFILE, elided=True),
    _p("height", "height", r"(?:身高|高)(?:是|有)?(?P<v>[\d一二两三四五六七八九十百点.]+\s?(?:cm|厘米|米|公分|m)?(?:[\d一二三四五六七八九]{0,2}))", elided=True),
    _p("weight", "weight", r"(?:体重|重)(?:是|有)?(?P<v>[\d一二两三四五六七八九十百.]+\s?(?:kg|公斤|斤|千克))", elided=True),
    _p("speaks", "speaks", r"(?:会|能)(?:说|讲)(?:一点|流利的)?(?P<v>[^，。]{1,16}?(?:语|话|文)(?:[和、跟][^，。]{1,10})?)", Kind.PROFILE, elided=True),
    _p("skill", "skill", r"会(?P<v>(?:弹|拉|吹|打|下|画|写|做|开|修|编|跳|唱|游|滑)[^，。]{1,10})", None, me_only=True),
    _p("learning", "learning", r"(?:正在|在|开始|报名|打算)*(?:学(?:习|着)?|自学)(?!校|院|生|期|历|位|费|的是|过|会了){V}(?=.{0,2}$)", None, me_only=True),
    _p("medication", "medication", r"(?:在|每天|长期|需要)*(?:服用|吃着?)(?P<v>[^，。]{1,14}(?:药|片|胶囊|素|丸))", Kind.PROFILE),
    _p("condition", "condition", r"(?:有|患有|得了|患了|确诊了?|查出)(?P<v>[^，。]{0,8}(?:病|症|炎|高血压|低血糖|哮喘|糖尿病|近视|色盲|失眠|恐高))", Kind.PROFILE),
    _p("possession", "possession", r"(?:有|买|新买|刚买|换)(?:了)?(?P<v>(?:[一二两三四五六七八九十\d]+)(?:辆|台|部|套|间|栋|架|块|艘)[^，。]{1,16})", None, elided=True),
    _p("responsible", "responsibility", r"(?:主要)?(?:负责|主管|分管){V}", None, elided=True),
    _p("attends", "attends", r"(?:将要|即将|要|会|准备|报名|打算|答应)*(?:参加|出席)(?:了)?(?P<v>(?!的|过)[^，。]{3,24}?)", Kind.EVENT),
    _p("plan", "plan", r"(?:打算|计划|准备|想要|决定要|正?考虑){V}", None, me_only=True),
    _p("from_place", "origin", r"(?:是|从|是从)(?P<v>[\u4e00-\u9fff]{2,8}?)(?:那边|这边)?(?:来|过来)?的", elided=True),
    _p("from_people", "origin", r"(?:是)(?:一?[名个位])?(?:普通的|普普通通的|土生土长的|地道的|地地道道的|正宗的|纯)?(?P<v>[\u4e00-\u9fff]{2,8}?)人"),
    _p("relation", "relation", r"是(?P<v>我(?:们)?的?[\u4e00-\u9fff]{1,8})", None),
)  # fmt: skip

_HOW = "改换变调升降涨跌动整高低大小长短快慢前后迟期多少加减增缩扩更新移名级任充宽窄厚深浅强弱早晚缓并拆分合转替正订定版位速额价薪档配"
CHANGED = (
    rf"(?:(?:[改换变调升降涨跌转挪移延推提缩加减增扩更迁压顺修替切拉抬翻搬拓合拆划放收][{_HOW}]?|[上下][调浮升降跌涨移]|缓)"
    r"(?:成|为|到|至|作|回)(?:了)?|[改换](?:叫|用|由|在|做|走)(?:了)?|[搬迁挪移转](?:去|往|进|入)(?:了)?"
    r"|[拖掉瘦胖长窜蹿飙滑冲落退跳补](?:到|至)(?:了)?(?=第?[\d一二两三四五六七八九十半百千]|[下明后这本]|周|星期|礼拜|[月年]底))"
)
"""A verb of change with what it comes to: 改成, 提高到, 缩减为, 上调至; made from parts, so that a new one is read too."""
COPULA = re.compile(
    r"(?P<adv>(?:现在|目前|如今|已经|已|其实|早|根本|并|应该|应当|应|只能|只好|不得不|索性|干脆|只|还|就|确实|的确|依然|仍然|仍|一直|固定|都|总|老|将|会|要|又|最终|最后|正式|临时|暂时|统一|被|大概|大约)*)"
    rf"(?P<cop>不再是|不是|不[在叫](?=[^，。]{{2}})|是|为(?!了|什么|何)|叫做?|(?:定|约|订|安排|排)(?:在|于|到|了|成|为)(?=.)|设(?:为|在|成)|选(?:在|定)|{CHANGED}|有(?=[\d一二两三四五六七八九十百千万上数近]+)|在(?=.)|[:：=＝])"
)
"""Between an attribute and its value."""
PARTICLES = re.compile(r"(?:[哈呗咯喽嘞哟诶耶嗷]|(?<=[了的])[啊呀哦喔哇呢])+$")
"""Said at a clause's end for the tone only."""
LEAD = re.compile(
    r"(?:(?:对了|其实|[嗯哦噢喔啊唉诶欸呃额嘿嗨哇呀哎]+|哎呀|那个|话说|讲真|说起来|事情是这样|我?(?:跟|和|给|告诉|同)(?:你|您|大家|各位)(?:们)?(?:说|讲|汇报|报告|分享)?(?:一?[个件声下]|一下)?(?:好|坏|大|小|个|件)*(?:事儿?|消息|情况)?[哦啊哈呀]?|不好意思|抱歉|对不起|不对(?:不对)*|(?:刚|我)?(?:刚|才|又|再|去)?(?:查|问|看|核对|确认|翻)了(?:一?下|一遍|看)?(?:通讯录|记录|日历|手机)?|顺便(?:说一下|提一下|说一句)?|另外|还有|而且|不过|但是?|可是|可(?=[我他她它你咱这那])|所以|因为|因此|由于|然后|首先|总之|你知道(?:吗)?|(?:我)?(?:告诉|跟)你(?:说)?(?:一下)?|通知|"
    r"(?:我)?(?:更新|更正|纠正|补充|说明|确认|通知)(?:一下)?|不对|错了|准确地?说|我(?:再|又)?(?:说|问|查|看|确认)(?:了)?一下|最新消息|好消息|请注意|注意|提醒一下|据我所知|说实话|老实说|说真的|我记得|我觉得)[:：,，\s]*)+"
)
_ENDS = re.compile(r"[了啦呢啊呀哦噢嘛吧哈~～\s。！!,，、\"'“”‘’「」]+$")


def clean_value(value: str) -> str | None:
    """The value without closing particles and quotes; None when nothing is left or it asks or points ("这样")."""
    value = re.sub(r"^在(?=.)", "", value.strip())
    value = re.sub(r"(?<=[\d一二三四五六七八九十][日号点分])[去来](?=了?$)", "", value)
    value = re.sub(r"^[\s\"'“‘「:：]+", "", _ENDS.sub("", value.strip()))
    value = re.sub(r"(?<=.)(?:没有?|不|未)(?:变|改|换|动)$", "", value)
    if value.endswith("的") and len(value) > 2 and not value.endswith("目的"):
        value = value[:-1]
    if not value or len(value) > 60:
        return None
    if re.fullmatch(
        r"(?:这样|那样|这么|那么|如此|什么|谁|哪里|不错|真的|假的|的|对|错|好|行|可以|不行|没有|它|他|她|我|你|这个|那个|这|那|一样|事实|所以)",
        value,
    ):
        return None
    if re.search(r"什么|吗$|为啥|怎么|^因为|^为了|^由于|^(?:你|您)", value):
        return None
    return value
