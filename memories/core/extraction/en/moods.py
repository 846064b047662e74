"""Which English clauses are stated: suppositions, near misses and embedded questions hold for their own part of a sentence only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from memories.core.extraction.en.verbs import is_clear_past
from memories.core.extraction.sentences import Clause, is_supposition

_ASKS_WHETHER = (
    r"\b(?:wonder(?:ing|s|ed)?|ask(?:ing|ed)?|see(?:ing)?|know(?:ing)?|check(?:ing)?|tell me|sure|certain|curious|unsure|clear|decid(?:e|ing)|"
    r"confused|verify(?:ing)?|determin(?:e|ing)|understand(?:ing)?|figur(?:e|ing) out|find(?:ing)? out|remind me|confirm|question(?:ing)?|debating|idea|remember)\b(?:\s+about)?"
)
_EMBEDDED = re.compile(
    rf"{_ASKS_WHETHER}\s+(?:if|whether|how|what|which|when|where|why|who)\b"
    r"|\bsomeone (?:said|told)\b|^(?:if|whether)\b",
    re.IGNORECASE,
)
_WHETHER = re.compile(rf"({_ASKS_WHETHER})\s+if\b", re.IGNORECASE)
_HARDLY = re.compile(r"\b(?:almost|nearly)\s+(?=[\d$€£]|an?\b|all\b|every|half\b|done\b|finished\b|ready\b|\w+ (?:years?|months?|weeks?|days?|hours?)\b)", re.IGNORECASE)  # fmt: skip
_COURTESY = re.compile(r"\bif (?:i|we) (?:recall|remember|understand|may|might|can)(?: correctly| right| it)?\b", re.IGNORECASE)  # fmt: skip
_MODAL = re.compile(r"\b(?:will|would|could|should|might|may|shall|can|must|won['’]t|wouldn['’]t)\b|['’](?:ll|d)\b", re.IGNORECASE)  # fmt: skip
_CONDITION = re.compile(r"(?:and\s+|but\s+|so\s+|even\s+|only\s+|or\s+)*(?:if|unless|suppose|supposing|imagine|what if|let's say|in case)\b", re.IGNORECASE)  # fmt: skip
_IMAGINES = re.compile(r"(?:(?:and|but|so|now|just|ok(?:ay)?|please)[,\s]+)*(?:imagine|supposing|suppose|let['’]?s\s+(?:say|imagine|suppose|assume)|assume|say(?=\s+(?:i|we|my|our)\b))\b(?!\s+that\s*[.!]?$)", re.IGNORECASE)  # fmt: skip
"""What begins a supposed world, in which the rest of the sentence plays."""
_ATTRIBUTED = re.compile(
    r"\b(?:(?:according to|rumou?r(?:s|ed)? (?:has it|is|says?)|(?:i|we)(?:'ve|’ve| have)? (?:heard|read (?:that|somewhere|online|in)|was told|were told|dreamt|dreamed)|people (?:say|think)|"
    r"(?<!\bI )(?<!\bwe )(?:said|says|told (?:me|us|him|her|them|everyone)|tells (?:me|us)|mentioned|swears?|texted(?: me)?)(?: that)?|"
    r"(?:he|she|they|someone|somebody|\w+) (?:thinks?|thought|believes?|believed|claims?|claimed|assumes?|assumed|guessed|insists?|insisted))\s*(?:that)?)\s+(?=\w)",
    re.IGNORECASE,
)


_SAYS_NEXT = re.compile(
    r"(?:according to|in the words of|if you ask)\s+.{1,40}|rumou?r has it|word is|legend has it|they say|people say"
    r"|(?!I\b|we\b|.*\b(?:I|we)\s).{1,40}\b(?:was like|were like|is like|goes|went|said|says|reckons|claims|swears|insists|yelled|shouted|replied|asked|texted|wrote)",
    re.IGNORECASE,
)
"""A clause that gives the next one to somebody else ("according to Tom, ...", "she was like, ...")."""
_HEDGES_LAST = re.compile(
    r"(?:or\s+)?(?:i (?:think|guess|believe|suppose|reckon|imagine)|i(?:['’]m| am) (?:not (?:totally |completely |quite |really )?sure|guessing)|not (?:totally |quite |really )?sure(?: though)?|apparently|allegedly|supposedly|maybe|perhaps|or so i(?:['’]ve)? (?:heard|hear|was told)|"
    r"so they say|(?:or )?so i(?:['’]ve| have)? (?:heard|hear|am told|was told)|or something(?: like that)?|if memory serves|don't quote me(?: on that)?|(?!I\b|we\b).{1,30}\b(?:says|said|reckons|claims|claimed|told me))",
    re.IGNORECASE,
)
_ORDERED_BY = re.compile(
    r"[,—-]\s*+(?:as\s++)?+(?!(?:I|we)\b)[^,;.!?—]{1,40}?\s+(?:(?:always|just|keeps?|kept|once|recently)\s+)*(?:says?|said|saying|told\s+(?:me|us)|tells\s+(?:me|us)|insists?|insisted|orders?|ordered|demands?|demanded|warned|asked)(?:\s+(?:me|us))?\s*[.!]*$"
    r"|[,—-]\s*(?:according\s+to|in\s+the\s+words\s+of)\s+[^,;.!?]{1,40}[.!]*$"
    r"|[，,]\s*+(?!(?:这?是)?(?:我们?|咱们?|本人)(?:自己)?[说讲定要规])[^，。]{1,10}(?:[说讲定要]的|(?:要求|规定|交代|吩咐|叮嘱|提醒)(?:我们?|咱们?)?的|的(?:要求|规定|意思|原话)|(?:[这老总]么?|一直|经常|总)[说讲])[。！!]*$"
)
"""Whose words the ones before were, where they were not the speaker's ("…, my boss says")."""
_HEDGED = re.compile(r",\s*(?:i (?:think|guess|believe|suppose)|apparently|allegedly|supposedly|according to .{1,40}|or so i(?:['’]ve)? heard)\s*[.!]*$|^(?:in|according to) (?:my|the|a|her|his) (?:dream|dreams|story|book|novel|film|movie|game|article|show)\b", re.IGNORECASE)  # fmt: skip
"""What somebody is not sure of, or only passes on."""


def supposed(clauses: Sequence[Clause], at: int) -> bool:
    """Whether clause `at` of a sentence is a condition, what follows from one, a wish or a near miss.

    "I've done 15, so I wonder if ..." states that; "if I do 15, I'll rest" states nothing.
    """
    if _is_supposed(clauses[at].text):
        return True
    if any(_IMAGINES.match(clause.text) for clause in clauses[:at]):
        return True
    if at > 0 and (_CONDITION.match(clauses[at - 1].text) or _SAYS_NEXT.fullmatch(clauses[at - 1].text)):
        return True
    if at + 1 < len(clauses) and _HEDGES_LAST.fullmatch(clauses[at + 1].text):
        return True
    if _HEDGED.search(clauses[at].text):
        return True
    if _MODAL.search(clauses[at].text) is None:
        return False
    return any(_is_supposed(clause.text) for clause in clauses[max(0, at - 4) : at + 5])


def ordered_by_another(words: str) -> bool:
    """Whether the sentence ends with whose order or rule it passes on, and that is somebody else."""
    return _ORDERED_BY.search(words) is not None


@lru_cache(maxsize=256)
def _is_supposed(text: str) -> bool:
    plain = _COURTESY.sub(" ", _HARDLY.sub(" ", _WHETHER.sub(r"\1 whether", text)))
    return is_supposition(plain)


def stated_part(text: str) -> tuple[str, str]:
    """What a clause states, and what it only asks about or has from others ("I wonder whether my rent is 500")."""
    cuts = [match.start() for pattern in (_EMBEDDED, _ATTRIBUTED) if (match := pattern.search(text))]
    at = min(cuts, default=len(text))
    return text[:at], text[at:]


_RESTATES = re.compile(r"\bstill\b|\b(?:has|have)(?:n['’]t| not) (?:been )?(?:changed|moved|updated)\b|\b(?:unchanged|the same as|as before|stays the same|remains)\b", re.IGNORECASE)  # fmt: skip
_SPEECH = re.compile(r"[\"“][^\"“”\n]{8,400}[\"”]")
_SAYING = re.compile(
    r"\b(?:said|says|say|told|tells|asked|asks|wrote|writes|replied|answered|yelled|goes|went like|was like|texted|quote|joked|quipped|line|lyrics?)\b",
    re.IGNORECASE,
)
_TALKS = re.compile(r"\b(?:I|I'm|my|we|our|you|is|are|was|will|have|has|can|it's|let's)\b", re.IGNORECASE)


_SINCE = re.compile(r"(?:(?:and|but|so|well|anyway|ok(?:ay)?),?\s+)*(?:since|now that|after|following|once)\s+(?P<lead>[^,;]{3,80}),\s", re.IGNORECASE)  # fmt: skip


_SO = re.compile(r"(?P<lead>[^,;]{3,80}),\s+so\s+(?:now\s+)?(?:the|our|my|his|her|[A-Z]\w+)\s")
_SINCE_LAST = re.compile(r"\w\s(?:since|now that)\s(?P<lead>(?:I|we|they|he|she|the|[A-Z]\w+)\s[^,;]{3,60})")


def follows_a_change(sentence: str) -> bool:
    """Whether the sentence opens with something that happened, after which what it states holds ("since Ann left, ...")."""
    match = _SINCE.match(sentence) or _SINCE_LAST.search(sentence) or _SO.match(sentence)
    return match is not None and any(is_clear_past(word) for word in match["lead"].split())


def restates(sentence: str) -> bool:
    """Whether the sentence says that something is as it was."""
    return _RESTATES.search(sentence) is not None


def without_speech(text: str) -> str:
    """The text with what others are quoted as saying blanked, at the same length."""

    def blank(match: re.Match[str]) -> str:
        around = text[max(0, match.start() - 40) : match.start()] + " " + text[match.end() : match.end() + 30]
        if _TALKS.search(match[0]) and _SAYING.search(around):
            return " " * len(match[0])
        return match[0]

    return _SPEECH.sub(blank, text)


_NOT = re.compile(
    r"(?:,\s+not|,?\s+rather\s+than|,?\s+instead\s+of|,?\s+as\s+opposed\s+to)\s+(?:at\s+|on\s+|in\s+|the\s+)?(?P<old>(?:[^,.;!?]|[,.](?=\d)){1,40})$"
)
_IRREAL = re.compile(
    r"\b(?:should|would|could|might|may|want|wants|wish)\s+(?:\w+\s+)?(?!have\b|be\b)[a-z]+\b", re.IGNORECASE
)


def contrasted(sentence: str, value: str) -> str | None:
    """W of "... V, not W" where both are amounts, dates or names; None when they are not of one sort."""
    match = _NOT.search(sentence.rstrip(" .!"))
    if match is None or not value or re.search(rf"(?<!\w){re.escape(match['old'].strip())}(?!\w)", value):
        return None
    old = match["old"].strip()
    alike = (bool(re.search(r"\d", old)) and bool(re.search(r"\d", value))) or (
        old[0].isupper() and value[0].isupper()
    )
    return old if alike else None


def irreal(text: str) -> bool:
    """Whether the clause tells what should, could or is wanted to happen, not what does."""
    return _IRREAL.search(text) is not None
