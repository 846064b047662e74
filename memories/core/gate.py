"""The write gate and the recall gate: what is worth keeping, and when a turn needs memory at all (R4, R13)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from memories.core.extraction.candidate import Candidate
from memories.core.extraction.sentences import is_guess, is_log, is_question, is_small_talk, is_supposition
from memories.core.extraction.signals import FIRST_PERSON
from memories.core.extraction.vagueness import is_vague
from memories.core.importance import importance_of
from memories.core.kinds import Kind
from memories.core.outcomes import Decision, Reason
from memories.core.policy import Policy

__all__ = ["Recall", "RecallGate", "importance_of", "judge", "needs_memory"]

TRIGGERS = re.compile(
    r"我(?:最|很|特别|超)?(?:不?喜欢|讨厌|爱吃|爱喝|习惯|偏好)|记住|记一下|记下来|别忘了|以后都?|从现在起|永远|一律|我(?:叫|是|住)|我的名字|过敏|必须|务必|禁止|决定"
    r"|\b(?:remember|always|never|from now on|i (?:really )?(?:like|love|hate|prefer|dislike)|don't forget|my name is|i live in|i'm allergic|i am allergic|keep in mind|must|decided)\b",
    re.IGNORECASE,
)
_STABLE_KINDS = frozenset({Kind.CONSTRAINT, Kind.DECISION, Kind.PROFILE, Kind.PREFERENCE, Kind.TODO})
_MIN_SIGNS = 2


def judge(candidate: Candidate, policy: Policy) -> Decision:
    """Whether a candidate is kept (R13): `stored` or `not_worth_keeping`, with the rule and its reasons.

    In order: noise stays out; what was asked to be remembered goes in; so does a structured fact, an event of another day or of
    weight, a kind that is stable by nature or a trigger word; the rest needs an importance above the threshold.
    """
    text = candidate.content
    noise = None if candidate.explicit else _noise(text, structured=candidate.attribute is not None)
    if noise:
        return Decision(Reason.NOT_WORTH_KEEPING, noise, ("noise",))
    if is_vague(candidate):
        return Decision(Reason.NOT_WORTH_KEEPING, "gate.vague", ("too general to answer anything",))
    if candidate.explicit:
        return Decision(Reason.STORED, "gate.explicit", ("asked to be remembered",))
    if candidate.attribute is not None and candidate.value is not None:
        return Decision(Reason.STORED, "gate.structured", (f"states {candidate.attribute}",))
    if candidate.amends:
        return Decision(Reason.STORED, "gate.amends", ("corrects a value",))
    if candidate.notable:
        return Decision(
            Reason.STORED, "gate.event", ("happens on another day than it is told, or weighs much",)
        )
    if _passing(candidate):
        return Decision(Reason.STORED, "gate.temporary", ("says itself until when it holds",))
    if candidate.kind in _STABLE_KINDS:
        return Decision(Reason.STORED, "gate.kind", (f"a {candidate.kind} is stable",))
    if TRIGGERS.search(text):
        return Decision(Reason.STORED, "gate.trigger", ("holds a trigger word",))
    threshold = policy.number("gate.importance")
    shown = (f"importance {candidate.importance:.2f}", f"threshold {threshold:.2f}")
    if candidate.importance > threshold:
        return Decision(Reason.STORED, "gate.importance", shown)
    return Decision(Reason.NOT_WORTH_KEEPING, "gate.importance", shown)


def _passing(candidate: Candidate) -> bool:
    """What holds for a while that it names serves that while, and goes by itself."""
    return (
        candidate.expires_at is not None
        or candidate.expires_after_turns is not None
        or candidate.expires_with_session
    )


def judge_text(text: str, policy: Policy, *, kind: str = "fact", explicit: bool = False) -> Decision:
    """The same for a bare text, as an API or a model proposes it."""
    candidate = Candidate(
        kind=Kind(kind), content=text, subject="user", quote=text, start=0, end=len(text), rule="given",
        importance=importance_of(text, kind), explicit=explicit,
    )  # fmt: skip
    return judge(candidate, policy)


def _noise(text: str, *, structured: bool) -> str | None:
    """The rule by which a text is noise, or None."""
    if len(re.findall(r"\w", text)) < _MIN_SIGNS:
        return "gate.empty"
    if is_small_talk(text):
        return "gate.small_talk"
    if is_log(text):
        return "gate.log"
    if structured:
        return None  # the extraction has looked at its clause already
    if is_question(text):
        return "gate.question"
    if is_supposition(text):
        return "gate.supposition"
    return "gate.guess" if is_guess(text) else None


class RecallGate(StrEnum):
    """How much of the past a turn takes (R4)."""

    SKIP = "skip"
    MUST = "must"
    NEW_TOPIC = "new_topic"
    CONTINUE = "continue"


@dataclass(frozen=True, slots=True)
class Recall:
    """A verdict of the recall gate with the rule that took it."""

    gate: RecallGate
    rule: str

    @property
    def recalls(self) -> bool:
        """Only a turn that needs no memory skips recall."""
        return self.gate is not RecallGate.SKIP


_BACK_REFERENCE = re.compile(
    r"上次|之前|以前|刚才|刚刚|前几天|那次|还记得|记得(?:我|吗)|你(?:还)?(?:知道|记得)我|来着|我们(?:聊|说|谈|定|讨论)过|我(?:说|提|告诉)过"
    r"|\b(?:last time|earlier|previously|before|remember|recall|did i|have i|do i|am i|was i|what's my|what is my|where do i|who is my|when is my|we (?:discussed|talked|agreed|decided)|i (?:said|told|mentioned))\b",
    re.IGNORECASE,
)
_CONTINUES = re.compile(
    r"^(?:那(?!个时候)|然后|接着|继续|所以|这样|还有|它|他|她|这个|那个|这|为什么|怎么|呢|再|另外|具体|比如|详细)|呢[?？]?$"
    r"|^(?:and|then|so|but|also|what about|how about|why|it|that|this|those|these|he|she|they|continue|go on|more|again|another|instead|which one|the (?:first|second|other|last) one)\b",
    re.IGNORECASE,
)
_NEW = re.compile(r"换个话题|另一个(?:问题|话题|事)|对了[,，]|顺便问|说到别的|新(?:话题|问题)|\b(?:by the way|another (?:question|topic|thing)|change of (?:topic|subject)|new topic|different (?:question|topic)|unrelated)\b", re.IGNORECASE)  # fmt: skip


def needs_memory(text: str, *, has_window: bool = True) -> Recall:
    """The recall gate of a message (R4): skip for courtesies, must for a first-person or back-reference question.

    Otherwise `continue` for a message that leans on the one before it, and `new_topic` for one that stands alone or says so;
    `has_window` False (the session's first message) leaves nothing to continue.
    """
    if is_small_talk(text):
        return Recall(RecallGate.SKIP, "recall.small_talk")
    asks = is_question(text) or re.search(r"[?？]|[吗呢][。！\s]*$|什么|哪|谁|几|多少|怎么", text) is not None
    if _BACK_REFERENCE.search(text) and (asks or FIRST_PERSON.search(text)):
        return Recall(RecallGate.MUST, "recall.back_reference")
    if asks and FIRST_PERSON.search(text):
        return Recall(RecallGate.MUST, "recall.first_person")
    if has_window and not _NEW.search(text):
        if _CONTINUES.search(text.strip()):
            return Recall(RecallGate.CONTINUE, "recall.leans_back")
        if len(re.findall(r"[\u3400-\u9fff]|\w+", text)) <= 4:
            return Recall(RecallGate.CONTINUE, "recall.short")
    return Recall(RecallGate.NEW_TOPIC, "recall.stands_alone")
