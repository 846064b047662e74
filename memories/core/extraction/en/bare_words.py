"""The words around a value of which English tells no name: what says that it is new, what it was, what makes it none."""

from __future__ import annotations

import re

from memories.core.text.stopwords import word_set

LONGEST = 220
"""Characters of a clause at most."""
NOW = r"now|these days|nowadays|as of (?:now|today|yesterday|this (?:week|month|morning)|last night)|instead|so far|at this point|at the moment|by now|already|since then|from now on|in total|altogether|all told|for now|(?:starting|from|as of|since|beginning) (?:today|tomorrow|now|this (?:week|month|quarter|term|year|season))|this (?:term|season|semester)|permanently|for good"
SAYS_NOW = re.compile(rf"\b(?:{NOW}|left|remaining)\b", re.IGNORECASE)
TO = re.compile(
    r"(?:\b(?:down|up|back|closer|out|forward|on|over)\s+(?:to|at)|\b[a-z]+(?:ed|t|n)\s+(?:it\s+|that\s+|them\s+|us\s+|me\s+|things\s+|everything\s+)?(?:(?:down|up|back|forward|out|over)\s+)?(?:to|at|until)|\b(?:make|makes|bring|brings)\s+(?:that|it)(?:\s+to)?|^(?:that|it)\s+is|\b(?:that|which|this)\s+makes(?:\s+it)?|\bmeant|\bmean|\b(?:bring|bringing|brings|brought|getting|taking|putting|pushing)\s+(?:the\s+|my\s+|our\s+)?[a-z]+\s+(?:up\s+|down\s+)?(?:to|at)|\b(?:total|tally|count)(?:\s+(?:is|now|up|down|at|to|of))+|\b(?:reached|hit|passed|crossed)|\b(?:have|has|got)\s+(?:until|till)|\b(?:we|I|they|it)\s+(?:am|are|is)\s+(?:now\s+)?at|\b(?:slip|slips|move|moves|goes|shift|shifts|rise|rises|drop|drops|jump|jumps)\s+(?:up\s+|down\s+|back\s+|out\s+)?to)\s+(?:(?:about|around|roughly|just|only|a|the|some)\s+)*$",
    re.IGNORECASE,
)
CLAUSE = re.compile(
    r"[,;:]\s+(?:(?:so|and|but|which|now|then)\s+)*|\s+(?:which|because|although|though|whereas|while)\s+|\s+(?:so|and|but)\s+(?=(?:I|we|he|she|they|it|the|my|our|now|has|have|is|are)\b|[a-z]+\s+of\s+)"
)
OLD = re.compile(
    r"\b(?:from|instead of|rather than|in place of|not|was|were|used to be|away from|off(?: of)?)\s+(?:the\s+|an?\s+)?$",
    re.IGNORECASE,
)
"""Before what a value was."""
COMPARED = re.compile(
    r"\b(?:than|had|of the|of|after|before|within|every|per|next|last|out of|starting|beginning|effective|as of|since|for|for at least|for about|for another|for the|during)\s+(?:the\s+|an?\s+)?$",
    re.IGNORECASE,
)
"""Before what it is compared with, or part of."""
UNREAL = re.compile(
    r"\b(?:will|would|could|should|might|may(?!\s+\d)|can|(?<!as i )said|if|whether|want|wants|hope|hoping|aim|aiming|try|trying|tried|attempted|need|needs|plan|planning|think|guess|maybe|never|no|n't|cannot|let's|suppose|almost|nearly|(?:is|are|was|were)\s+(?:supposed|meant|going)\s+to)\b|n't\b|\?",
    re.IGNORECASE,
)
OWNED = re.compile(r"(?<![\w-])(?P<o>[A-Za-z][\w-]*)(?:['’]s?|(?<=s)['’])(?=\s)")
INDEFINITE = frozenset(["someone", "somebody", "anyone", "anybody", "everyone", "everybody", "nobody", "else", "people", "other", "others"])  # fmt: skip
YOURS = re.compile(r"\b(?:your|yours|you)\b", re.IGNORECASE)
THEIRS = re.compile(r"\b(?:his|her|hers|their|theirs|he|she)\b", re.IGNORECASE)
ELSEWHERE = re.compile(
    r"\b(?:got|get|gets|woke|wake|wakes|stood|sat)\s+(?:back\s+)?(?:up|down)\s+(?:at\s+)?(?:about\s+|around\s+)?\n|\bback\s+to\s+\n(?:19|20)\d\d$|^(?:please\s+|just\s+)*(?:turn|bring|keep|push|move|take|drop|lower|raise)\s+(?:it|that|them|the|my|this)\b|\b(?:last|previous)\s+(?:year|month|week|time)\b",
    re.IGNORECASE,
)
"""Before a number that is no new value: when somebody got up, a year in memory, an order, how it was then."""
NO_VALUE = re.compile(r"\s*(?:of\s+(?!the\b|my\b|our\b|all\b|\d)[a-z]+|more|extra|another|additional|times?\s+(?:faster|slower|more)|ago|later|before|earlier)\b", re.IGNORECASE)  # fmt: skip
TO_NAME = re.compile(
    r"\b(?:to|onto|into|with|in|for|at|by|through|via|using|on|is|are|am|as|got\s+(?:us|me)\s+into)\s+(?:the\s+|an?\s+)?$|\b[a-z]+(?:ing|ed)\s+$",
    re.IGNORECASE,
)
"""What a new name stands behind."""
SHIFTS = word_set("move switch change port migrate replace swap convert upgrade transfer transition rebuild rewrite restart relocate settle hand shift second reassign end opt trade ditch drop go choose pick")  # fmt: skip
"""Verbs by which one thing comes in another's place."""


ORDER = re.compile(
    r"(?:please\b|(?:write|rewrite|rework|redo|draft|give|tell|show|explain|recommend|suggest|help|make|create|list|find|fix|check|review|summari[sz]e|translate|compare|polish|phrase|rephrase|outline|generate|"
    r"reply|answer|convert|turn|describe|pick|choose|remind|edit|proofread|shorten|keep|add|remove|delete|forget|scrap|strike|wipe|clear|save|store|remember|imagine|suppose|consider|assume|think|ask|"
    r"walk|teach|quiz|mock|rank|sort|use|try|look|say|go|come|take|put|leave|stop|start|avoid|include|explore|estimate|calculate|convince|brainstorm|simulate|act|pretend)\b(?!\s*(?:is|are|has|was)\b)"
    r"|[a-z]+\s+(?:me|us|him|them|it)\b)",
    re.IGNORECASE,
)
"""How a clause opens that asks for something to be done."""
OTHERS_WORDS = re.compile(
    r"[\"“”`{}<>=|]|\w\(|::|->|https?:|\b(?:in|on|from|per|according\s+to)\s+(?:the|this|that|a|an)\s+(?:[a-z]+\s+)?(?:text|textbook|book|novel|story|tale|film|movie|show|series|episode|game|song|poem|recipe|article|paper|report|news|"
    r"log|logs|output|console|terminal|snippet|code|script|function|file|pdf|document|screenshot|picture|photo|image|diagram|chart|email|letter|message|thread|post|video|slide|exercise|question|example|problem|docs?|documentation|tutorial|demo)\b",
    re.IGNORECASE,
)
"""What is quoted, pasted or code, or stands in something that is read or seen: said of nothing that is known."""
OUT_IN = re.compile(
    r"(?<![\w-])(?P<old>[\w-]+(?:\s[\w-]+)?)(?:\s+is|\s+are|['’]s)\s+out,?\s+(?:and\s+)?(?P<v>[\w-]+(?:\s[\w-]+)?)(?:\s+is|\s+are|['’]s)\s+in\b",
    re.IGNORECASE,
)
WILL = re.compile(r"\b(?:will|can)\b")
SET_FOR = re.compile(r"\bwill\s+(?:(?:now|only|probably)\s+)*(?:be\b|only\b)|\bwill\s+only\b|\bcan\s+only\b")
SHIFTED = re.compile(
    r"\b(?P<verb>[a-z]+)\s+(?:(?:it|them|him|her|us|me|everything|things|all|over|up|back|out|off|in|on|(?:the|my|our)(?:\s+[a-z]+){1,2}?)\s+){0,4}(?:(?:to|onto|into|with|in|for|by|through|via|using)\s+)?(?:the\s+|an?\s+)?$"
)
"""A verb with what it leads to right behind it."""
VERSION = re.compile(r"v\d+(?:\.\d+)*|\d+\.\d+(?:\.\d+)+", re.IGNORECASE)
TIMED = re.compile(
    r"\d\s?[ap]\.?m\b|:\d\d|day\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\d(?:st|nd|rd|th)\b|\b(?:spring|summer|autumn|winter|noon|midnight)\b",
    re.IGNORECASE,
)
"""A day or a time of day: what it will be, it is set for."""


FINITE = word_set(
    "am is are was were has have had do does did 's brings makes sits stands lands runs goes comes costs takes gets lives works starts ends begins means"
)
