"""What the offline responder says, in Chinese and in English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memories.core.text.language import Language


@dataclass(frozen=True, slots=True)
class Words:
    """One language's templates; `notes` by how an entry is to be taken, `outcomes` by reason code, `need_text` the codes that say nothing without a text."""

    outcomes: Mapping[str, str]
    speakers: Mapping[str, str]
    said: str
    on_day: str
    nothing: str
    heard: str
    no_model: str
    only_quoted: str
    spent: str
    spent_quoted: str
    given: str
    notes: Mapping[str, str]
    comma: str
    more: str
    need_text: frozenset[str] = frozenset(
        {"stored", "duplicate", "superseded", "contradiction", "needs_approval"}
    )


WORDS: Final[Mapping[Language, Words]] = {
    "zh": Words(
        outcomes={
            "stored": "记住了：{text}",
            "duplicate": "这一点我已经记得：{text}",
            "superseded": "已更新：{text}（之前是：{replaced}）",
            "contradiction": "这和之前记的不一致，两条都留着，请确认哪条是对的：{text} / {replaced}",
            "blocked_sensitive": "里面有密码或密钥一类的内容，没有保存。",
            "needs_approval": "这条要你同意后才会保存：{text}",
            "budget": "记忆已满，这条没有保存。",
            "error": "这条没能保存，请稍后再试。",
            "forgotten": "已忘记：{text}。可以在记忆页恢复，直到保留期结束。",
            "forget_ask": "要忘记的是：{text}。范围较大或不够明确，还没有删除；回答“是”就删除，回答“不”就保留。",
            "forget_nothing": "我没有存过你说的这些，没有需要忘记的。",
            "forget_left_out": "你想保留的部分我没有找到，为稳妥起见什么都没删。请换个说法，或逐项告诉我要忘记什么。",
            "forget_kept": "好的，都还留着。",
        },
        speakers={
            "user": "你",
            "assistant": "助手",
            "tool": "工具",
            "import": "导入的资料",
            "operator": "管理员",
        },
        said="{who}说过：“{quote}”",
        on_day="（{day}）",
        nothing="我没有存过和这个问题有关的内容。",
        heard="收到。",
        no_model="（没有配置对话模型，我只能记录和摘录。）",
        only_quoted="（没有配置对话模型，以上是从记忆里摘录的原话。）",
        spent="（您所在组织本月的模型用量已用完，{day}（UTC）起恢复由模型回答；在此之前我只能记录和摘录。{end}）",
        spent_quoted="以上是从记忆里摘录的原话。",
        given="给过，只保存了遮盖后的样子：",
        notes={
            "superseded": "（后来改了）",
            "ended": "（已经过去）",
            "upcoming": "（还没开始）",
            "contradicted": "（和另一条记录矛盾）",
        },
        comma="、",
        more="，还有{n}项",
    ),
    "en": Words(
        outcomes={
            "stored": "Noted: {text}",
            "duplicate": "I already know this: {text}",
            "superseded": "Updated: {text} (it was: {replaced})",
            "contradiction": "This does not agree with what I had; I keep both until you say which is right: {text} / {replaced}",
            "blocked_sensitive": "That holds a password or a key, so I did not keep it.",
            "needs_approval": "I will keep this once you agree: {text}",
            "budget": "The memory is full, so this was not kept.",
            "error": "This could not be kept; please try again later.",
            "forgotten": "Forgotten: {text}. You can restore it on the memory page until its retention ends.",
            "forget_ask": "You want this forgotten: {text}. That is wide or not quite clear, so nothing is removed yet; say yes to remove it, or no to keep it.",
            "forget_nothing": "I have nothing stored of that, so there was nothing to forget.",
            "forget_left_out": "I have nothing stored of what you want to keep, so to be safe nothing was removed. Please name it otherwise, or tell me one by one what is to go.",
            "forget_kept": "All right, everything is kept.",
        },
        speakers={
            "user": "You",
            "assistant": "The assistant",
            "tool": "A tool",
            "import": "Imported material",
            "operator": "An operator",
        },
        said="{who} said: “{quote}”",
        on_day=" ({day})",
        nothing="I have nothing stored about that.",
        heard="I hear you.",
        no_model="(No chat model is configured; I can only note things down and quote them.)",
        only_quoted="(No chat model is configured; the above is quoted from memory.)",
        spent="(Your organisation's model tokens for this month are spent; a model answers again from {day} (UTC) on. Until then I can only note things down and quote them.{end})",
        spent_quoted=" The above is quoted from memory.",
        given="Yes, you did; it is kept masked:",
        notes={
            "superseded": " (replaced since)",
            "ended": " (over by now)",
            "upcoming": " (not yet)",
            "contradicted": " (contradicted by another record)",
        },
        comma=", ",
        more=" and {n} more",
    ),
}
