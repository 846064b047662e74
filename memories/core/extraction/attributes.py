"""Attributes of people, places and things: one canonical name for the many words of both languages, and how many values each holds."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from memories.core.kinds import Kind
from memories.core.values.sorts import Takes, names_a_make, of_sort


@dataclass(frozen=True, slots=True)
class Attribute:
    """A canonical attribute. `single` means that a new value takes the old one's place; `personal` that a person has it.

    `takes` is the sort that its values must be of, None where they may be anything. `en` and `zh` are the nouns by which people are shown it.
    """

    name: str
    single: bool
    kind: Kind
    words: tuple[str, ...]
    personal: bool = False
    dated: bool = False
    en: str = ""
    zh: str = ""
    takes: Takes | None = None


def _row(
    name: str, words: str, *, many: bool = False, kind: Kind = Kind.FACT, personal: bool = False, dated: bool = False, en: str = "", zh: str = "",
    takes: Takes | None = None,
) -> Attribute:  # fmt: skip
    """A row; where no noun is given, the first word of the language is shown."""
    said = tuple(words.split("|"))
    english = en or next((word for word in said if word and word.isascii()), name.replace("_", " "))
    chinese = zh or next((word for word in said if not word.isascii()), english)
    return Attribute(name, not many, kind, said, personal, dated, english, chinese, takes)


_TABLE: tuple[Attribute, ...] = (
    # identity
    _row("name", "名字|姓名|全名|本名|真名|大名|name|full name|real name", kind=Kind.PROFILE, personal=True, takes=Takes.NAME),
    _row("nickname", "昵称|外号|小名|绰号|网名|花名|nickname|alias|handle|screen name", kind=Kind.PROFILE, personal=True),
    _row("english_name", "英文名|英文名字|english name", kind=Kind.PROFILE, personal=True, en="English name"),
    _row("age", "年龄|年纪|岁数|age", kind=Kind.PROFILE, personal=True, takes=Takes.AGE),
    _row("birthday", "生日|出生日期|出生年月|birthday|birth date|date of birth|birthdate|dob", kind=Kind.PROFILE, personal=True, dated=True, takes=Takes.DAY),
    _row("gender", "性别|gender|sex", kind=Kind.PROFILE, personal=True),
    _row("nationality", "国籍|nationality|citizenship", kind=Kind.PROFILE, personal=True),
    _row("origin", "老家|家乡|籍贯|故乡|出生地|hometown|home town|birthplace|place of birth", kind=Kind.PROFILE, personal=True),
    _row("home", "住址|家庭住址|地址|家庭地址|居住地|居住地址|现住址|住处|住的地方|居住的地方|住的城市|居住的城市|现居地|所在城市|address|home address|residence|place of residence", kind=Kind.PROFILE, personal=True, en="home"),
    _row("height", "身高|height", kind=Kind.PROFILE, personal=True, takes=Takes.QUANTITY),
    _row("weight", "体重|weight", personal=True, takes=Takes.QUANTITY),
    _row("blood_type", "血型|blood type", kind=Kind.PROFILE, personal=True),
    _row("zodiac", "星座|star sign|zodiac sign", kind=Kind.PROFILE, personal=True),
    _row("shoe_size", "鞋码|shoe size", kind=Kind.PROFILE, personal=True, takes=Takes.QUANTITY),
    _row("clothing_size", "尺码|衣服尺码|clothing size|shirt size", kind=Kind.PROFILE, personal=True, zh="衣服尺码"),
    _row("marital_status", "婚姻状况|感情状况|marital status|relationship status", kind=Kind.PROFILE, personal=True),
    _row("employment_status", "工作状态|就业状态|就业状况|employment status", kind=Kind.PROFILE, personal=True),
    _row("personality", "性格|脾气|personality|temperament", many=True, personal=True),
    _row("religion", "宗教信仰|信仰|religion|faith", kind=Kind.PROFILE, personal=True, zh="信仰"),
    # work and school
    _row("occupation", "职业|工作|职位|岗位|头衔|职务|职称|job|occupation|profession|job title|position|role", kind=Kind.PROFILE, personal=True, en="occupation"),
    _row("employer", "公司|单位|工作单位|就职公司|就职单位|工作的公司|工作的单位|上班的公司|上班的单位|雇主|employer|company|workplace", kind=Kind.PROFILE, personal=True, zh="工作单位"),
    _row("workplace", "工作地|工作地点|工作地址|工作的地方|工作的城市|上班地点|上班的地方|上班的城市|办公地点|办公的地方|办公室|work location|office|office location", kind=Kind.PROFILE, personal=True, en="place of work", zh="工作地点"),
    _row("department", "部门|科室|department|team", personal=True),
    _row("salary", "工资|薪水|月薪|年薪|薪资|收入|salary|income|pay", personal=True, zh="收入", takes=Takes.MONEY),
    _row("school", "学校|母校|毕业院校|毕业学校|大学|school|university|college|alma mater", kind=Kind.PROFILE, personal=True),
    _row("major", "专业|主修|major|field of study", kind=Kind.PROFILE, personal=True),
    _row("education", "学历|学位|文化程度|教育背景|教育程度|受教育程度|degree|education", kind=Kind.PROFILE, personal=True, en="education"),
    _row("grade", "年级|班级|grade|class", personal=True),
    # contact
    _row("phone", "电话|电话号|手机|手机号|联系号码|联络方式|联系手机|手机号码|电话号码|联系电话|联系方式|座机|phone|phone number|mobile|mobile number|cell|cell number|telephone|telephone number|number", kind=Kind.PROFILE, personal=True, takes=Takes.PHONE),
    _row("phone_model", "手机型号|手机牌子|phone model|phone make", personal=True, en="phone model", zh="手机型号"),
    _row("email", "邮箱|电子邮箱|邮件地址|邮箱地址|电子邮件|email|e-mail|email address|mail address", kind=Kind.PROFILE, personal=True, en="e-mail", takes=Takes.EMAIL),
    _row("wechat", "微信|微信号|wechat|wechat id", kind=Kind.PROFILE, personal=True, en="WeChat"),
    _row("qq", "qq|qq号", kind=Kind.PROFILE, personal=True, en="QQ", zh="QQ", takes=Takes.CODE),
    _row("website", "网站|网址|主页|博客|website|homepage|blog|url", personal=True),
    # family and tastes
    _row("hobby", "爱好|兴趣|兴趣爱好|业余爱好|喜好|hobby|hobbies|interests", many=True, kind=Kind.PREFERENCE, personal=True, en="hobbies"),
    _row("allergy", "过敏原|过敏源|allergy|allergies", many=True, kind=Kind.PROFILE, personal=True, en="allergies", zh="过敏"),
    _row("diet", "饮食习惯|忌口|diet|dietary restriction", many=True, kind=Kind.PROFILE, personal=True, zh="饮食"),
    _row("language", "母语|native language|mother tongue|first language", kind=Kind.PROFILE, personal=True),
    _row("skill", "特长|技能|skill|skills", many=True, personal=True, en="skills"),
    _row("car", "车|座驾|车型|car", personal=True),
    _row("plate", "车牌|车牌号|license plate|licence plate|plate number", personal=True, en="licence plate", takes=Takes.CODE),
    # things, events and projects
    _row("location", "地点|位置|举办地|举办地点|举办的地方|会场|场地|场所|集合地点|集合的地方|开会地点|活动地点|location|venue|place|meeting point"),
    _row("time", "时间|举办时间|开始时间|会议时间|起始时间|开始日期|开会时间|活动时间|日期|举办日期|time|date|start time|start date", dated=True, takes=Takes.MOMENT),
    _row("end_time", "结束时间|end time|end date", dated=True, takes=Takes.MOMENT),
    _row("duration", "时长|持续时间|持续时长|总时长|工期|周期|期限|有效期|duration|length"),
    _row("deadline", "截止日期|截止时间|截止日|截止|最后期限|到期日|交付日期|交付时间|上线时间|上线日期|deadline|due date|cutoff|cut-off|launch date|release date|delivery date", dated=True, takes=Takes.MOMENT),
    _row("built_with", "技术栈|开发框架|tech stack", many=True),
    _row("scale", "规模|人数|参与人数|参加人数|总人数|与会人数|size|headcount|attendance|capacity"),
    _row("topic", "主题|主要内容|内容|议题|theme|topic|subject|agenda"),
    _row("owner", "负责人|主管|责任人|联系人|对接人|经办人|owner|lead|person in charge|contact person|contact|point of contact"),
    _row("budget", "预算|总预算|经费|budget", takes=Takes.MONEY),
    _row("budget_limit", "预算上限|预算限额|budget limit|budget cap|spending limit", takes=Takes.MONEY),
    _row("supplier", "供应商|厂商|供货商|supplier|vendor|provider"),
    _row("extension", "分机|分机号|extension|phone extension|extension number", personal=True, takes=Takes.CODE),
    _row("wifi", "wifi|wifi名|无线网|wifi name|network name", en="wifi", zh="无线网"),
    _row("client", "客户|甲方|client|customer"),
    _row("price", "价格|价钱|售价|price|cost", takes=Takes.MONEY),
    _row("unit_price", "单价|unit price", takes=Takes.MONEY),
    _row("fee", "费用|fee", takes=Takes.MONEY),
    _row("ticket_price", "票价|ticket price", takes=Takes.MONEY),
    _row("rent", "房租|租金|rent", personal=True, takes=Takes.MONEY),
    _row("quote", "报价|quote", takes=Takes.MONEY),
    _row("contract_number", "合同号|合同编号|contract number|contract no|contract id", takes=Takes.CODE),
    _row("order_number", "订单号|订单编号|order number|order id", takes=Takes.CODE),
    _row("number", "编号|号码|序号|工号|学号|会员号|单号|id|reference number|serial number|member number", en="number", takes=Takes.CODE),
    _row("code", "代码|代号|验证码|邀请码|取件码|门禁码|code|codename|code name|access code|promo code|invite code"),
    _row("version", "版本|版本号|version|version number"),
    _row("status", "状态|进度|进展|status|progress|state"),
    _row("color", "颜色|color|colour"),
    _row("brand", "品牌|牌子|型号|brand|model|make"),
    _row("species", "品种|breed|species"),
    _row("frequency", "频率|frequency"),
    _row("goal", "目标|目的|梦想|理想|志向|goal|target|objective|dream|ambition", many=True),
    _row("rule", "规则|规定|要求|rule|policy|requirement", many=True, kind=Kind.CONSTRAINT),
    _row("favorite", "最爱|偏好|favorite|favourite|preference", many=True, kind=Kind.PREFERENCE, personal=True, en="favourites"),
    # states that verbs tell
    _row("likes", "likes", many=True, kind=Kind.PREFERENCE, personal=True, zh="喜欢"),
    _row("dislikes", "dislikes", many=True, kind=Kind.PREFERENCE, personal=True, zh="不喜欢"),
    _row("habit", "习惯|habit|routine", many=True, kind=Kind.PREFERENCE, personal=True, en="habits"),
    _row("pet", "宠物|pet|pets", many=True, personal=True, en="pets"),
    _row("possession", "", many=True, personal=True, en="belongings", zh="东西"),
    _row("family", "", many=True, kind=Kind.PROFILE, personal=True, en="family", zh="家人"),
    _row("speaks", "", many=True, kind=Kind.PROFILE, personal=True, en="languages", zh="会说的语言"),
    _row("learning", "", many=True, personal=True, en="learning", zh="在学"),
    _row("medication", "", many=True, kind=Kind.PROFILE, personal=True, en="medication", zh="用药"),
    _row("condition", "病史|疾病|medical condition|condition", many=True, kind=Kind.PROFILE, personal=True, en="conditions"),
    _row("responsibility", "", many=True, personal=True, en="responsibilities", zh="职责"),
    _row("attends", "", many=True, kind=Kind.EVENT, personal=True, en="events", zh="活动"),
    _row("plan", "计划|plan|plans", many=True, personal=True, en="plans"),
)  # fmt: skip

BY_NAME: dict[str, Attribute] = {row.name: row for row in _TABLE}
BY_WORD: dict[str, Attribute] = {word: row for row in _TABLE for word in row.words if word}
ZH_WORDS: tuple[str, ...] = tuple(sorted((w for w in BY_WORD if not w.isascii()), key=len, reverse=True))
EN_WORDS: tuple[str, ...] = tuple(sorted((w for w in BY_WORD if w.isascii()), key=len, reverse=True))

_MANY_HINT = re.compile(r"(?:爱好|兴趣|成员|朋友|同事|孩子|宠物|技能|作品|优点|缺点|症状|[们些])$|(?:s|ies)$")


_NAME_OF = re.compile(r"的?(?:名称|全称|全名)$| (?:full )?name$")


def lookup(word: str) -> Attribute | None:
    """The attribute that a word of either language names, or None."""
    key = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", word)).strip().casefold()
    return BY_WORD.get(key) or BY_NAME.get(key.replace(" ", "_")) or _by_its_name(key)


def _by_its_name(key: str) -> Attribute | None:
    """What somebody's is told by its name: "单位名称" and "company name" are the employer, but "phone name" is no number."""
    stem = _NAME_OF.sub("", key)
    row = BY_WORD.get(stem) if stem != key else None
    return row if row is not None and row.kind is Kind.PROFILE and row.takes is None else None


def accepts(name: str, value: str) -> bool:
    """Whether the attribute can have this value: "dead" is no phone number. What the table gives no sort takes anything."""
    row = BY_NAME.get(name)
    return row is None or row.takes is None or of_sort(row.takes, value)


def attribute_of(name: str, value: str) -> str | None:
    """The attribute that this value is of, named so: of a phone either its number or its make; None where it is no value."""
    if accepts(name, value):
        return name
    return "phone_model" if name == "phone" and names_a_make(value) else None


def canonical_attribute(word: str) -> str:
    """The table's name for the word; a word that it does not know stands for itself, in lower case with underscores."""
    found = lookup(word)
    if found is not None:
        return found.name
    return re.sub(r"\s+", "_", unicodedata.normalize("NFKC", word).strip().casefold())


def is_single(name: str) -> bool:
    """Whether a new value replaces the old one.

    An attribute that the table does not know is single ("the wifi name is ..."), unless its word is a plural or a group.
    """
    row = BY_NAME.get(name)
    if row is not None:
        return row.single
    if name.startswith("done_") or ":" in name:
        return False  # an act may be done to many things; what is owned or tried is told by yes and no
    return _MANY_HINT.search(name) is None


def kind_of(name: str, *, of_user: bool) -> Kind:
    """The kind of a memory about this attribute: profile only for the user's own identity or someone close, else fact."""
    row = BY_NAME.get(name)
    if row is None:
        return Kind.FACT
    return row.kind if of_user or row.kind is not Kind.PROFILE else Kind.FACT
