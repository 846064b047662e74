"""The kinds of fact that generated scripts plant: how each is said, changed, asked in other words, and talked around."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sessions_app.evaluation.vocabulary import Vocabulary

Draw = Callable[[Vocabulary], str]


@dataclass(frozen=True)
class Attribute:
    """Templates take {e} (what it is about) and {v} (the value).

    `distract` shares the words of the fact and holds no value of it; `question` avoids the words of `say` where the
    language allows.
    """

    name: str
    entity: Draw
    value: Draw
    say: tuple[str, ...]
    change: tuple[str, ...]
    question: tuple[str, ...]
    distract: tuple[str, ...]


def _project(v: Vocabulary) -> str:
    return v.project()


def _person(v: Vocabulary) -> str:
    return v.person()


EN: tuple[Attribute, ...] = (
    Attribute(
        "contract",
        _project,
        Vocabulary.code,
        ("For project {e}, the contract number is {v}.", "Please note: the {e} contract number is {v}."),
        (
            "The contract number of {e} has changed, it is {v} now.",
            "Correction: the {e} contract number is {v}.",
        ),
        (
            "Under which reference is the {e} agreement filed?",
            "What is the reference of the agreement for {e}?",
        ),
        ("Legal read the {e} contract again and found nothing to say about its number.",),
    ),
    Attribute(
        "budget",
        _project,
        Vocabulary.amount,
        ("The budget limit of {e} is {v}.", "We agreed that {e} has a budget limit of {v}."),
        ("The budget limit of {e} was changed to {v}.", "The {e} budget limit is {v} from now on."),
        ("How much may {e} cost at most?", "Up to what sum can we spend on {e}?"),
        ("Somebody asked about the {e} budget over lunch, but nobody knew the limit.",),
    ),
    Attribute(
        "sync",
        _project,
        Vocabulary.weekly_time,
        ("The sync meeting of {e} takes place every {v}.", "{e} has its fixed sync meeting on {v}."),
        ("The sync meeting of {e} moved to {v}.", "From now on the {e} sync meeting is on {v}."),
        ("When does the {e} team come together each week?", "At what time do the {e} people meet regularly?"),
        ("The {e} sync meeting ran late again and the coffee was cold.",),
    ),
    Attribute(
        "owner",
        _project,
        Vocabulary.person,
        ("The owner of {e} is {v}.", "{v} is the owner of project {e}."),
        ("The owner of {e} is now {v}.", "{e} was handed over, its owner is {v} now."),
        ("Who is responsible for {e}?", "Who is in charge of {e}?"),
        ("We wondered what an owner of {e} does all day.",),
    ),
    Attribute(
        "supplier",
        _project,
        Vocabulary.company,
        ("The supplier for {e} is {v}.", "We decided that {v} is the supplier for {e}."),
        ("We changed the supplier for {e}, it is {v} now.", "The supplier for {e} is now {v}."),
        ("Who delivers the parts for {e}?", "Which company do we buy from for {e}?"),
        ("A supplier for {e} can take a while to find, everybody says.",),
    ),
    Attribute(
        "deadline",
        _project,
        Vocabulary.date,
        ("The delivery date of {e} is {v}.", "{e} has to be delivered by {v}."),
        ("The delivery date of {e} was moved to {v}.", "{e} now has to be delivered by {v}."),
        ("By when must {e} be handed in?", "What is the last day for {e}?"),
        ("The delivery of {e} was a topic again, without any date.",),
    ),
    Attribute(
        "extension",
        _person,
        Vocabulary.number,
        ("{e}'s phone extension is {v}.", "You reach {e} on extension {v}."),
        ("{e}'s phone extension is now {v}.", "{e} got a new phone extension: {v}."),
        ("What do I dial to get hold of {e}?", "On which number can I call {e} in the office?"),
        ("{e} was on the phone for an hour today.",),
    ),
    Attribute(
        "office",
        _person,
        Vocabulary.room,
        ("{e}'s office is {v}.", "{e} works in {v}."),
        ("{e} moved, the office is {v} now.", "{e}'s office is now {v}."),
        ("Where do I find {e} in the building?", "Where does {e} sit?"),
        ("{e} complained that the office is too warm in summer.",),
    ),
)

ZH: tuple[Attribute, ...] = (
    Attribute(
        "contract",
        _project,
        Vocabulary.code,
        ("{e}项目的合同编号是{v}。", "记一下,{e}项目的合同编号是{v}。"),
        ("{e}项目的合同编号改了,现在是{v}。", "更正一下,{e}项目的合同编号是{v}。"),
        ("{e}那份协议的编号是多少?", "{e}签的那份协议归在哪个号下面?"),
        ("法务又看了一遍{e}项目的合同,没什么意见。",),
    ),
    Attribute(
        "budget",
        _project,
        Vocabulary.amount,
        ("{e}项目的预算上限是{v}。", "我们定了,{e}项目的预算上限为{v}。"),
        ("{e}项目的预算上限改成{v}了。", "{e}项目的预算上限现在是{v}。"),
        ("{e}最多能花多少钱?", "{e}花钱不能超过多少?"),
        ("午饭时有人问起{e}项目的预算,谁也不知道上限。",),
    ),
    Attribute(
        "sync",
        _project,
        Vocabulary.weekly_time,
        ("{e}项目的同步会固定在每{v}。", "{e}项目每{v}开同步会。"),
        ("{e}项目的同步会改到每{v}了。", "以后{e}项目的同步会是每{v}。"),
        ("{e}的人每个星期什么时候碰头?", "{e}团队每星期几点一起开会?"),
        ("{e}项目的同步会又拖堂了,咖啡都凉了。",),
    ),
    Attribute(
        "owner",
        _project,
        Vocabulary.person,
        ("{e}项目的负责人是{v}。", "{v}是{e}项目的负责人。"),
        ("{e}项目的负责人换成{v}了。", "{e}项目现在的负责人是{v}。"),
        ("{e}归谁管?", "{e}的事情该找谁?"),
        ("大家在聊{e}项目的负责人一天到晚都忙什么。",),
    ),
    Attribute(
        "supplier",
        _project,
        Vocabulary.company,
        ("{e}项目的供应商是{v}。", "我们决定{e}项目的供应商用{v}。"),
        ("{e}项目的供应商换成{v}了。", "{e}项目现在的供应商是{v}。"),
        ("{e}的零件是哪家送来的?", "{e}的货是从哪家公司买的?"),
        ("都说{e}项目的供应商不好找。",),
    ),
    Attribute(
        "deadline",
        _project,
        Vocabulary.date,
        ("{e}项目的交付日期是{v}。", "{e}项目要在{v}之前交付。"),
        ("{e}项目的交付日期改到{v}了。", "{e}项目的交付日期现在是{v}。"),
        ("{e}最晚哪天要交?", "{e}的最后期限是什么时候?"),
        ("今天又说起{e}项目的交付,还是没提日期。",),
    ),
    Attribute(
        "extension",
        _person,
        Vocabulary.number,
        ("{e}的分机号是{v}。", "找{e}打分机{v}就行。"),
        ("{e}的分机号换成{v}了。", "{e}的分机号现在是{v}。"),
        ("在公司打电话找{e}要拨多少?", "我拨哪个号能找到{e}?"),
        ("{e}今天打了一个小时的电话。",),
    ),
    Attribute(
        "office",
        _person,
        Vocabulary.room,
        ("{e}的办公室在{v}。", "{e}在{v}办公。"),
        ("{e}的办公室搬到{v}了。", "{e}的办公室现在在{v}。"),
        ("在楼里去哪儿能找到{e}?", "{e}坐在哪里?"),
        ("{e}抱怨办公室夏天太热。",),
    ),
)

SMALL_TALK = {
    "en": (
        ("The rain did not stop all morning.", "It does sound like a day for a warm drink."),
        ("I had noodles for lunch again.", "Noodles are hard to beat on a busy day."),
        ("My bicycle makes a strange noise lately.", "A drop of oil on the chain may help."),
        ("The film last night was longer than I thought.", "Long films need a good seat."),
        ("The lift was broken, so I took the stairs.", "That is some exercise for free."),
        ("I wonder why the office plants never grow.", "They may want more light."),
        ("There was a lot of traffic on the bridge.", "Bridges are always the narrow place."),
        ("The neighbour's cat sat on my window again.", "It seems to have chosen you."),
        ("I slept badly because of the wind.", "I hope tonight is calmer."),
        ("The new chairs squeak.", "They may need a little time."),
        ("The bakery round the corner was closed.", "Perhaps they are on holiday."),
        ("Somebody left an umbrella in the kitchen.", "Its owner will miss it soon."),
    ),
    "zh": (
        ("今天早上一直下雨。", "这种天气适合喝点热的。"),
        ("中午又吃了面条。", "忙的时候面条最省事。"),
        ("自行车最近老是响。", "链条上点油也许就好了。"),
        ("昨晚的电影比想的长。", "长电影得挑个好座位。"),
        ("电梯坏了,我是走楼梯上来的。", "就当锻炼身体了。"),
        ("办公室的绿植怎么总是不长。", "可能是光线不够。"),
        ("桥上堵得厉害。", "桥上总是最挤的。"),
        ("邻居家的猫又坐在我窗台上。", "看来它挺喜欢你。"),
        ("风太大,没睡好。", "希望今晚安静些。"),
        ("新椅子吱吱响。", "过一阵子也许就好了。"),
        ("街角的面包店关门了。", "可能是放假了吧。"),
        ("有人把伞落在厨房了。", "主人应该很快会来找。"),
    ),
}
