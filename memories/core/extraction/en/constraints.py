"""Standing rules that a person lays down in English: what is one, what lifts one, and what holds for a while (R12)."""

from __future__ import annotations

import re

from memories.core.extraction.constraint_keys import bare_words

_GENERAL = re.compile(
    r"\b(?:always|never|from now on|going forward|in future|in the future|every time|under no circumstances|at all times|whenever|any|all|ever|must|mustn't|no)\b",
    re.IGNORECASE,
)
_DIRECT = re.compile(
    r"^(?:please\s+|and\s+|so\s+|also\s+|you\s+(?:must|should|have to|need to)\s+)*(?:from now on|from here on(?: out| in)?|from (?:today|this point)(?: on(?:wards)?)?|henceforth|going forward|in (?:the )?future|under no circumstances|always|never(?! mind)|do not ever|don't ever|"
    r"(?:do not|don't|avoid|stop|no)\s+(?:\w+ing\s+)?(?!worry|mind|think|know|get|forget|let\s+me\s+forget|be\b|matter|problem|need|way|idea|one|longer|thanks|doubt|care|bother|panic|rush|hesitate|like|want|have|really|even)\w+)\b",
    re.IGNORECASE,
)
_DECLARES = re.compile(
    r"\s*,?\s*(?:the|our|my|[A-Z]\w+)\b.*\b(?:is|are|takes|meets|starts|happens)\b(?!\s+to\b)", re.IGNORECASE
)
_FEELING = re.compile(
    r"\s*(?:\w+ly\s+)?(?:happy|glad|love|like|enjoy|feel|seem|look(?!\s+up)|remind|make|bring|good|nice|great|fun|a\b|an\b|the\b|been|here|there|so\b|such|more|\w+ed\b|\w+ing\b|had|got|thought|knew|was|were|is|will|would|\w+s\b)",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"\b(?:must(?:\s+not|n't)?|may not|shall(?:\s+not)?|is not allowed|are not allowed|is forbidden|is prohibited|should never|should always)\b",
    re.IGNORECASE,
)
_SELF = re.compile(r"^(?:i|he|she|it|they)\b", re.IGNORECASE)
_SCOPE = re.compile(
    r"\b(?:in|on|for|to|with|when|during|before|after|at|from)\s+(?:the|our|my|any|all|every|this|your|weekly|daily|monthly)\b|\b(?:when|before|after|while)\s+\w+",
    re.IGNORECASE,
)
_DOES = (
    r"(?:answer|reply|respond|write|use|call|address|mention|bring\s+up|recommend|suggest|propose|send|share|show|include|add|sign|cite|quote|translate|format|list|"
    r"start|begin|end|finish|keep|explain|summari[sz]e|ask|remind|give(?!\s+up)|tell|repeat|schedule|book|order|change|rename|remove|edit|post|publish|e?mail|message|text|contact|ping|"
    r"interrupt|offer|round|convert|abbreviate|capitali[sz]e|number|comment|double-check|check|verify|confirm|speak|talk|refer|put|insert|assume|invent|guess|make\s+up|skip|omit|"
    r"limit|stick|follow|disclose|reveal|expose|forward|copy|cc|shorten|discuss|correct|praise|rate|state|label|highlight|spell|type|print|round)"
)
"""What an assistant does for somebody, as verbs; the same in Chinese above."""
_POLITE = r"(?:(?:please|kindly|also|and|so|but|just|ok|okay)[\s,]+){0,4}"
_ASKED = re.compile(
    rf"^{_POLITE}(?:(?:you\s+(?:must|may|should|shall|can|are)\s*(?:not|n't)\s*(?:allowed\s+to)?|you\s+(?:mustn't|shouldn't|can't|cannot)|do\s+not|don't|never|i\s+(?:do\s+not|don't)\s+want\s+you\s+to|i(?:'d|\s+would)\s+rather\s+you\s+(?:did\s+not|didn't|do\s+not|don't))\s+(?:ever\s+|just\s+)?{_DOES}\b"
    rf"|(?:stop|avoid|refrain\s+from|quit)\s+(?=\w+ing\b)\w+)(?P<rest>.*)$",
    re.IGNORECASE,
)
_SURE = re.compile(
    rf"^{_POLITE}(?:make\s+sure|be\s+sure|ensure|see\s+to\s+it)(?:\s+that)?\s+(?:to\s+|you\s+)?(?P<rest>.+)$",
    re.IGNORECASE,
)
_STANDING = re.compile(
    rf"^(?:always|never|(?:all|any|every|each)\b|{_DOES}\b)|\b(?:always|never|every|each|all|any|whenever|before\s+you|when\s+you|after\s+you)\b",
    re.IGNORECASE,
)
_WANT = re.compile(
    r"^(?:i|we)\s+(?:want|need|expect|would\s+like|'d\s+like)\s+you\s+to\s+(?:always|never)\b", re.IGNORECASE
)
_NONE = re.compile(
    rf"^{_POLITE}no\s+(?:more\s+)?(?!problem|need|way|idea|one|doubt|worr|luck|chance|wonder|matter|longer|thanks|reason|sign|trace|time|point|big\b|offen[cs]e)[\w-]+(?:\s+[\w-]+)?\s+(?:in|on|for|within|during|after|before|when|whatsoever)\b|^no\s+(?!rush|hurry|pressure|thanks|way|problem|idea|worr|one|need|doubt|kidding|offen[cs]e|joke)[a-z][\w-]+(?:\s+[\w-]+)?,?\s+(?:please,?\s+)?(?:ever|at all|anywhere|full stop|period)\b",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:yet|right\s+now|today|tonight|tomorrow|this\s+time|at\s+the\s+moment|just\s+now|this\s+(?:one|morning|afternoon|evening|email|message|letter|report|draft))\b|^\s*(?:me|it|that|this|them|him|her)?\s*[.!]*$",
    re.IGNORECASE,
)
_LIFT = re.compile(
    rf"^{_POLITE}(?:(?:from\s+now\s+on|now)[\s,]+)?(?:"
    r"(?:you\s+(?:may|can|could|are\s+(?:allowed|free|welcome)\s+to)|you're\s+(?:allowed|free|welcome)\s+to|feel\s+free\s+to|it(?:'s|\s+is)\s+(?:ok|okay|fine|all\s+right|alright|allowed)\s+(?:now\s+|again\s+)?(?:to|if\s+you|for\s+you\s+to))\s+(?P<may>.+)"
    r"|(?:you\s+)?(?:don't|do\s+not|no\s+longer|needn't|need\s+not)\s+(?:(?:need|have)\s+to\s+)?(?P<free>.+)"
    r"|(?P<thing>.+?)\s+(?:is|are)\s+(?:allowed|fine|ok|okay|permitted)\s+(?:again|now))\s*[.!]*$",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"\b(?:again|now|any\s?more|any\s+longer|no\s+longer|from\s+now\s+on|after\s+all)\b", re.IGNORECASE
)
_RULE = re.compile(
    rf"^{_POLITE}(?:you\s+(?:are|should|must|can)\s+|let's\s+|only\s+)?(?:{_DOES}|be|act|pretend|play|stay|treat|imagine|always|never|don't|do\s+not|avoid|stop|no)\b",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"^must\b|^\w+ing\b|\ba must\b"
    r"|\bmust(?:\s+(?:still|also|really|all|surely))?(?:['’]ve|\s+(?:have\b|feel|bring|mean|seem|look|make\s+(?:you|him|her|them|it)|love|enjoy|know|think|taste|get|say|admit|miss|need|want)|"
    r"\s+be\s+(?!(?:[a-z]+(?:ed|en|wn|ught|ept|ade|un|ut)|in|on|by|at|under|over|within|before|after|no|less|more)\b))",
    re.IGNORECASE,
)
"""What somebody supposes ("it must be fun"), not what they demand ("it must be signed")."""
_NOT_ORDER = re.compile(r"\s*(?:done|seen|been|heard|gone|had|thought|tried|met|lose|stop|give\s+up|forget|know|say\s+never|underestimate|too\b|a\b|an\b|on\b|in\b)", re.IGNORECASE)  # fmt: skip
_ORDER = (
    rf"(?:{_DOES}|keep|make|be|avoid|stick|stay|leave|set|quote|provide|prefer|do\s+not|don't|never|always)"
)
_LATER = re.compile(
    rf"^(?:(?:can|could|would|will)\s+you\s+(?:please\s+|just\s+|always\s+)*|{_POLITE}|i(?:'d|\s+would)\s+like\s+you\s+to\s+){_ORDER}\b.{{2,80}}?\b"
    r"(?:from\s+(?:now|here|today|this\s+point)(?:\s+on(?:wards)?)?(?:\s+(?:out|in))?|going\s+forward|in\s+(?:the\s+)?future|every\s+(?:single\s+)?time|at\s+all\s+times|henceforth|as\s+a\s+rule)(?:[,\s]+please|[,\s]+thanks)?\s*[?.!]*$",
    re.IGNORECASE,
)
"""An order with what makes it last at its end, as a request or a question."""
_WHENEVER = re.compile(
    rf"^{_POLITE}(?:whenever|every\s+time|each\s+time|any\s?time|when|if)\s+(?:you\s+(?!can\b|could\b|like\b|want\b|know\b|need\b)|i\s+(?:ask|say|mention|send|share|paste|forget))[^,]{{2,70}},\s*(?:please\s+|just\s+)*{_ORDER}\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"^(?:all|every|each|any)\s+(?!(?:i|we|you|of\s+us|these\s+people)\b)[\w' -]{2,40}?\s+(?:have|has|need|needs|are|is)\s+to\s+(?:be\b|go\b|use\b|include\b|have\b|start\b|end\b|pass\b|get\b)",
    re.IGNORECASE,
)
_YOU = re.compile(
    rf"^{_POLITE}you\s+(?:must|have\s+to|need\s+to|should)\s+(?:always\s+|never\s+|first\s+)?{_DOES}\b.*\b(?:before|whenever|every|each|any|all|always)\b",
    re.IGNORECASE,
)


def constraint(clause: str, *, explicit: bool) -> str | None:
    """The same for English."""
    bare = clause.strip().replace("’", "'")
    if _WANT.match(bare):
        return "en.constraint.from_now_on"
    asked = _ASKED.match(bare)
    if asked and not _ONCE.search(asked["rest"]):
        return "en.constraint.asked"
    if _SELF.match(bare):
        return None
    sure = _SURE.match(bare)
    if sure and _STANDING.search(sure["rest"]) and not _ONCE.search(sure["rest"]):
        return "en.constraint.every"
    if _NONE.match(bare) and not _ONCE.search(bare):
        return "en.constraint.forbid"
    if any(pattern.match(bare) for pattern in (_LATER, _WHENEVER, _ALL, _YOU)) and not _ONCE.search(bare):
        return "en.constraint.every"
    direct = _DIRECT.match(bare)
    if direct and not re.search(r"\w", bare[direct.end() :]):
        return None  # "From now on, ..." cut off from what it opens.
    if direct and _DECLARES.match(bare[direct.end() :]):
        direct = None
    if (
        direct
        and re.search(r"(?:always|never)$", direct[0], re.IGNORECASE)
        and (_FEELING.match(bare[direct.end() :]) or _NOT_ORDER.match(bare[direct.end() :]))
    ):
        direct = None
    if direct:
        opener = direct[0].lower()
        lasting = re.search(
            r"always|never|from |henceforth|going forward|future|circumstances|ever\b", opener
        )
        if lasting or explicit or _SCOPE.search(bare) or _GENERAL.search(bare[direct.end() :]):
            return "en.constraint.from_now_on" if lasting else "en.constraint.forbid"
    if (
        _MUST.search(bare)
        and not _SUPPOSES.search(bare)
        and not re.match(r"(?:that|this|it|you)\b", bare, re.IGNORECASE)
    ):
        return "en.constraint.must"
    return None


def asked_to_last(clause: str) -> bool:
    """Whether a question asks for something to be done so from now on ("could you answer in French from here on?")."""
    return _LATER.match(clause.strip().replace("’", "'")) is not None


def plain(clause: str) -> str:
    """A rule that is asked for in a question, as an order: "could you answer in French from now on" is "answer in ..."."""
    plain = re.sub(r"^(?:can|could|would|will)\s+you\s+(?:please\s+)?", "", clause, flags=re.IGNORECASE)
    return clause if plain == clause else plain.rstrip(" ?")


def lift(clause: str) -> str | None:
    """The same for English: "you may use tables again", "you no longer need to sign my emails"."""
    bare = clause.strip().replace("’", "'")
    match = _LIFT.match(bare)
    return "en.constraint.lift" if match and _AGAIN.search(bare) else None


def for_a_while(text: str) -> str | None:
    """The rule id when a sentence that names a while ("for this conversation, …", its words taken out) says how to behave."""
    return "en.constraint.while" if _RULE.match(bare_words(text)) else None
