"""Reads out of an English clause what it asks to forget: "forget …", "erase my …", "don't keep …", "… must not be stored"."""

from __future__ import annotations

import re

from memories.core.extraction.attributes import EN_WORDS
from memories.core.extraction.request_objects import EDGE, Reading, is_definite_en, on_files

_LONGEST = 400
"""Characters of a clause that can be a request; what is longer is a text."""

_ASKING_EN = (
    r"(?:(?:please|pls|ok(?:ay)?|so|and|well|hey|actually|oh|hmm|no|yeah|yes|now|then|also|just|kindly|but|sorry|alright|right"
    r"|(?:can|could|would|will) you(?: please| just| kindly)?|you (?:can|may|could|should|must|need to|have to|are to)"
    r"|i(?:'d| would)? (?:want|need|like|ask|prefer) (?:for )?you to|i(?:'m| am) asking you to|let's|go ahead and|feel free to|make sure (?:you|to)|be sure to"
    r"|from now on|in (?:the )?future|completely|permanently|immediately)[,!.]?\s+)*"
)
_OUT_EN = r"(?:forget(?!-|s\b|ting)|unlearn|unremember)(?:\s+(?:all\s+)?about)?"
_DELETE_EN = (
    r"(?:delete|erase|wipe|remove|purge|clear|scrub|discard|get rid of|destroy|lose(?= (?:my|our)\b)|drop(?= (?:everything|anything|all|whatever|what)\b)"
    r"|(?:scratch|strike|scrap|ditch|dump|trash|expunge|eliminate|cross out)(?= (?:everything|anything|all|whatever|what)\b| .+ from your\b))(?:\s+(?:out|away))?"
)
_KEEP_EN = (
    r"(?:remember(?:ing)?|memori[sz](?:e|ing)|stor(?:e|ing)|sav(?:e|ing)|keep(?:ing)?(?: (?:track|a record|records?|a note|notes?) of)?|record(?:ing)?"
    r"|retain(?:ing)?|not(?:e|ing)(?: down)?|log(?:ging)?|hold(?:ing)? on ?to|track(?:ing)?|writ(?:e|ing) down|tak(?:e|ing) notes? (?:of|on|about))"
)
_NEVER_EN = r"(?:i(?:'d| would) (?:rather|prefer(?: it if)?) you (?:didn't|did not|don't|do not|not(?: to)?)|i(?:'d| would)? (?:rather|prefer|like|want|need|ask|beg) (?:for )?you (?:not|never) to|i(?:'m| am) asking you not to|i (?:don't|do not|never) want you(?: to)?|do not|don't|dont|never|stop|quit|cease|no more|no need to|there(?:'s| is) no need to|you (?:do not|don't|needn't)(?: need to| have to)?|no longer)(?:\s+(?:ever|please|again|even|bother to|bother))*"
_EN_OUT = re.compile(
    rf"{_ASKING_EN}(?:(?P<forget>{_OUT_EN})|(?P<delete>{_DELETE_EN}))(?:\s+(?P<what>.+))?", re.I
)
_EN_KEEP = re.compile(
    rf"(?P<ask>{_ASKING_EN})(?P<no>{_NEVER_EN})\s+(?P<verb>{_KEEP_EN})(?:\s+(?P<what>.+))?", re.I
)
_EN_UNSAID = re.compile(
    rf"{_ASKING_EN}(?:pretend|act (?:like|as if|as though)|imagine|let's say)\s+(?:that\s+)?i\s+(?:never|didn't|did not|hadn't|had not)\s+"
    r"(?:ever\s+)?(?:sa(?:y|id)|mention(?:ed)?|t(?:ell|old)|br(?:ing|ought) up|wr(?:ite|ote)|sen[dt])\b(?:\s+(?:to\s+)?you)?(?:\s+about)?(?P<what>.*)",
    re.I,
)
_EN_UNKNOWN = re.compile(
    rf"{_ASKING_EN}(?:pretend|act (?:like|as if|as though)|imagine)\s+(?:that\s+)?you\s+(?:have\s+)?(?:never|don't|do not|didn't|did not|hadn't|had not)\s+"
    r"(?:ever\s+)?(?:hear[d]?(?: of| about)?|kn[eo]w(?:n)?(?: of| about)?|learn(?:ed|t)?(?: of| about)?)\s+(?P<what>.+)"
    rf"|{_ASKING_EN}i (?:don't|do not|no longer|never) want you to know(?: about)?(?: any ?more)?\s+(?P<wish>.+)"
    r"|you (?:should|ought to) have (?:forgotten|deleted|erased|removed)\s+(?P<late>.+)",
    re.I,
)
"""What may be a request, or only a complaint or a wish about telling: it is asked about first."""
_NOTHING_EN = re.compile(r"(?:any|no)(?:thing|one|body)\b|(?:everything|it|that|this|so)?$", re.I)
_EN_TAIL = re.compile(
    r"(?:[,\s]+(?:please|pls|now|right now|ok(?:ay)?|thanks?(?: you)?|for me|any ?more|any longer|again|ever again|from now on|in (?:the )?future|for good|forever|completely|permanently|immediately|all together|altogether"
    r"|on (?:file|record)|by now|(?:from|in|out of|on) (?:your|the) (?:memory|memories|records?|notes?|database|storage|system|files?)))+$",
    re.I,
)
FOREVER = re.compile(
    r"\b(?:never|stop|quit|cease|ever|any ?more|any longer|no longer|again|from now on|in (?:the )?future|for good|forever|always)\b",
    re.I,
)
_POINTS_BACK_EN = re.compile(
    r"(?:it|that|this|them|those|these|all (?:of )?(?:it|that|this|them)|that one|this one)", re.I
)
_MINE_EN = re.compile(
    r"(?:that|this|it|them|those|these|what|whatever|where|when|who|how|everything|anything|all|any|about|my|our|his|her|their|your (?:memor|note|record)|me\b|the (?:fact|thing|part|bit|last|previous)|[A-Z][\w-]+(?: [A-Z][\w-]+)*['’]s\b"
    r"|the [\w -]+ of |.*\babout\b|\W*\d)",
)
_OTHERS_SAY_EN = re.compile(r"(?:what|whatever|how)\s+(?:he|she|they|people|everyone|anyone|others?)\s+(?:say|says|said|thinks?|thought|wants?)\b.*", re.I)  # fmt: skip
_VERBS_AFTER_FORGET = re.compile(
    r"to\b|how\b(?! (?:old|tall|much|many|often|far|long|i\b|my\b|we\b|he\b|she\b))", re.I
)

_WISH_EN = re.compile(
    r"^(?:(?:please|so|and|ok(?:ay)?|well)[,\s]+)*(?:(?:i|we)(?:'d| would)\s+(?:really\s+)?(?:appreciate(?: it)?|be (?:grateful|glad|happy|obliged|thankful)|prefer(?: it)?|like it|love it)"
    r"|it(?:'d| would|'s| is)\s+(?:be\s+)?(?:really\s+)?(?:best|better|good|great|nice|kind|lovely|safer)(?:\s+of you)?)\s+if\s+you\s+(?:could\s+|would\s+|can\s+|will\s+)?(?:please\s+|just\s+)?(?P<rest>.+)$",
    re.I,
)
"""A wish in the form of a supposition: "I'd be glad if you forgot …"."""
_BASE_EN = {
    "forgot": "forget",
    "didn't": "don't",
    "did not": "don't",
    "stopped": "stop",
    "got rid": "get rid",
}
_FORMER_EN = re.compile(r"(forgot|didn't|did not|stopped|got rid|(?:delet|eras|remov|wip|purg)ed|(?:clear|scrubb?|discard|dropp?)ed)\b", re.I)  # fmt: skip


def wished(sentence: str) -> bool:
    """Whether the sentence is a wish in the form of a supposition."""
    return _WISH_EN.match(sentence.strip(EDGE).replace("’", "'")) is not None


def as_request(clause: str) -> str:
    """The request in a wish: "I'd be glad if you forgot my birthday" is "please forget my birthday"."""
    wish = _WISH_EN.match(clause)
    if wish is None:
        return clause
    verb = _FORMER_EN.match(wish["rest"])
    if verb is None:
        return f"please {wish['rest']}"
    said = verb[1].lower()
    base = _BASE_EN.get(said) or re.sub(
        r"(?:(?<=[bp])[bp])?ed$", "" if said[:2] in {"cl", "sc", "di", "dr"} else "e", said
    )
    return f"please {base}{wish['rest'][verb.end() :]}"


BARE = re.compile(r"forget\s+(?:about\s+)?[a-z][\w-]*", re.I)
"""With a word that nobody owns: "forget about comfort"."""
_MEMORY_EN = r"(?:your|the|this|its) (?:memor(?:y|ies)|records?|notes?|database|storage|system|mind|head)"
_GONE_EN = r"(?:forgotten|deleted|erased|removed|wiped|purged|scrubbed|discarded|cleared)"
_KEPT_EN = r"(?:remembered|stored|kept|saved|recorded|retained|noted|logged|tracked|memori[sz]ed|held)"
_WHOSE_EN = r"(?:my|our|his|her|their|[A-Z][\w-]+(?: [A-Z][\w-]+){0,3}['’]s|everything|anything|all|what|whatever|any)\b"
_EN_TAKE = re.compile(
    rf"{_ASKING_EN}(?:take|scratch|strike|cross|cut|pull|expunge) (?P<what>.+?) (?:out of|from|off) {_MEMORY_EN}",
    re.I,
)
_EN_GO = re.compile(
    rf"(?P<what>(?:everything|anything|all|whatever)\b.+?) (?:(?:needs?|ha(?:s|ve)) to|must|should|can) (?:go|disappear|be {_GONE_EN})(?: (?:now|away|for good))*",
    re.I,
)
_EN_NORM = re.compile(
    rf"(?P<what>(?i:{_WHOSE_EN}).*?) (?:(?P<no>(?:should(?:n't| not)|must(?:n't| not)|may not|can ?not|shall not|(?:is|are)(?:n't| not) to|need(?:n't| not)|(?:does|do)(?:n't| not) (?:need|have) to|should never|must never) (?:ever )?be {_KEPT_EN})"
    rf"|(?:should|must|can|may|needs? to|ha(?:s|ve) to|ought to|(?:is|are) to) be forgotten)(?: (?:anywhere|at all|any ?more|here|by you|now|please)\b.*| (?:in|from|on) {_MEMORY_EN})?"
)
_EN_HAVE = re.compile(
    rf"{_ASKING_EN}(?:(?:i|we)(?:'d| would)?(?: really)? (?:want|need|like|wish for)|have|get|see that) (?P<what>(?:my|our)\b.+?) (?:is |are |to be |gets? )?{_GONE_EN}(?P<memory> from {_MEMORY_EN})?(?: (?:now|please|completely|for good))*",
    re.I,
)


def is_attribute(phrase: str) -> bool:
    """Whether the phrase ends with the word of something that is kept of people: a number, an address, a birthday."""
    words = phrase.casefold().split()
    return any(" ".join(words[-n:]) in EN_WORDS for n in (1, 2, 3))


def read_en(clause: str, asks: bool) -> Reading | None:
    """What an English clause asks to forget."""
    if len(clause) > _LONGEST:
        return None
    clause = clause.replace("’", "'")
    if asks and not re.search(r"\b(?:can|could|would|will) you\b", clause, re.I):
        return None
    found = _read(as_request(clause))
    able = asks and re.search(r"\b(?:please|pls|kindly|just|for me)\b", clause, re.I) is None
    if found is not None and able and found.phrase and not is_definite_en(found.phrase):
        return None  # "Can you forget things?" asks what the assistant can do.
    return found


def _read(clause: str) -> Reading | None:
    if (match := _EN_UNSAID.fullmatch(clause)) is not None:
        what = _object_en(match["what"])
        return Reading(what if _MINE_EN.match(what) and not _NOTHING_EN.match(what) else "")
    if (match := _EN_UNKNOWN.fullmatch(clause)) is not None:
        what = _object_en(match["what"] or match["wish"] or match["late"])
        return Reading(what, unsure=True) if _MINE_EN.match(what) and not on_files(what) else None
    if (match := _EN_TAKE.fullmatch(clause)) is not None and not on_files(match["what"]):
        return Reading(_object_en(match["what"]))
    if (match := _EN_GO.fullmatch(clause)) is not None and not on_files(match["what"]):
        return Reading(_object_en(match["what"]))
    if (match := _EN_NORM.fullmatch(clause)) is not None and not on_files(match["what"]):
        never = match["no"] is not None
        return Reading(_object_en(match["what"]), not never, never)
    if (match := _EN_HAVE.fullmatch(clause)) is not None:
        what = _object_en(match["what"])
        return Reading(what) if match["memory"] or is_attribute(what) else None
    if (match := _EN_OUT.fullmatch(clause)) is not None:
        what = _object_en(match["what"])
        if match["forget"]:
            if _VERBS_AFTER_FORGET.match(what) or _OTHERS_SAY_EN.fullmatch(what):
                return None
            return Reading(what)
        if re.match(r"lose\b", match["delete"], re.I) and not re.search(
            r"\b(?:please|you|pls|kindly)\b", clause, re.I
        ):
            return None  # "Lose my keys again": no wish.
        if what and (on_files(what) or not _MINE_EN.match(match["what"] or "")):
            return None
        return Reading(what) if what or match["what"] else None
    if (match := _EN_KEEP.fullmatch(clause)) is not None:
        what = _object_en(match["what"])
        raw = _EN_TAIL.sub("", match["what"] or "")
        if not raw or on_files(raw) or not _MINE_EN.match(raw):
            return None
        if re.match(r"keep", match["verb"], re.I) and re.match(r"(?:me|him|her|us)\b", raw, re.I):
            return None
        standing = FOREVER.search(f"{match['ask']} {match['no']}") or (
            FOREVER.search((match["what"] or "")[len(what) :]) if what else None
        )
        return Reading(what, False, standing is not None and bool(what))
    return None


def _object_en(what: str | None) -> str:
    bare = _EN_TAIL.sub("", (what or "").strip(EDGE)).strip(EDGE)
    return "" if _POINTS_BACK_EN.fullmatch(bare) else bare
