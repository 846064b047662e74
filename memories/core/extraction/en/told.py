"""What somebody states in note form, or in words that no grammar here reads: "pickup: side door", "I host on Fastly", "eight boats in the regatta".

The statement is kept as it was said: its value is its own words, its attribute those that tell what it is about. What comes later
in its place is found by what in it is of the same sort (core/placement/recent.py).
"""

from __future__ import annotations

import re

from memories.core.extraction.en.moods import irreal
from memories.core.extraction.en.opening import opened
from memories.core.extraction.en.subjects import NOT_NAMED, subject
from memories.core.extraction.en.told_values import Value, topic_of, values_in
from memories.core.extraction.en.verbs import is_clear_past
from memories.core.extraction.raw import TOLD, Raw, Turn, Who
from memories.core.extraction.sentences import is_guess, is_supposition
from memories.core.kinds import Kind
from memories.core.statement import NOTE
from memories.core.text.contractions import written_out
from memories.core.text.stopwords import AUXILIARIES, PREPOSITIONS, QUESTION_WORDS, SUBJECTS, word_set
from memories.core.values.numerals import EN_WORD_NUMBER
from memories.core.values.sorts import STAND_IN

MOST_WORDS = 18
"""Words of a note at most; what is longer is a story."""
_LABEL = re.compile(
    r"(?P<t>[A-Za-z][\w'’/-]*(?:\s[\w'’/&-]+){0,3}):\s+(?P<v>[^\s\d{(\[<].{1,60}|\S*\d.{0,60})"
)
_NO_LABEL = word_set(
    """note notes question questions update updates example examples error errors edit warning todo tip hint problem issue answer result results output input step context background prompt
    title subject summary instructions task goal request reminder correction news plan following is are was says said this that here text message email option options ps fyi btw"""
)
_NO_SUBJECT = QUESTION_WORDS | word_set(
    """it that this these those they he she you your yours there here please let lets let's thanks thank if unless because to and or but not maybe perhaps can could would should will may might do does did
    is are was were has have had am any anyone someone everyone everybody nobody something anything everything nothing one another other such more most with without for from of at by in on as than"""
)
_ORDER = re.compile(
    r"(?:write|rewrite|rework|redo|draft|give|tell|show|explain|recommend|suggest|help|make|create|list|find|fix|check|review|summari[sz]e|translate|compare|polish|phrase|rephrase|outline|generate|"
    r"reply|answer|convert|turn|describe|pick|choose|remind|edit|proofread|shorten|keep|add|remove|delete|forget|scrap|strike|wipe|clear|save|store|remember|imagine|suppose|consider|assume|think|ask|"
    r"walk|teach|quiz|mock|rank|sort|use|try|look|say|go|come|take|put|leave|stop|start|avoid|include|explore|estimate|calculate|convince|brainstorm|simulate|act|pretend)\b(?!\s*(?:is|are|has|was)\b)"
    r"|[a-z]+\s+(?:me|us|him|them|it)\b",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"(?P<s>(?:(?:the|my|our)\s+)?[A-Za-z][\w'’-]*(?:\s[\w'’-]+){0,5}?)\s+(?:is|are|am)\s+(?:(?:now|still|currently|just|only|all|right)\s+)*(?P<c>(?:at|in|on|by|under|near|inside|outside|behind|down\s+to|up\s+to|down|up\s+in|out\s+in)\s+(?:the|my|our|an?|her|his|its|[a-z]+)\s+\S.*|an?\s+[a-z].*)",
    re.IGNORECASE,
)
"""Where something is, or what it is: a place or a kind behind "is"."""
_DOES = re.compile(
    r"(?:(?:my|our|the|all)\s+)?[A-Za-z][\w'’.-]*(?:\s[\w'’-]+){0,3}?\s+(?:[a-z]{2,}[^s\s]s|(?:is|are)\s+[a-z]{2,}ing|has\s+[a-z]+ed)\s+(?:[a-z]+\s+){0,2}?(?:my|our|me|us|an?)\b.*"
    r"|(?:my|our)\s+[a-z-]+\s+(?:has|have)\s+(?:always\s+)?(?:had|been)\s+[a-z].*"
    r"|(?:I|[Ww]e)\s+have\s+been\s+(?:having|taking|attending|doing|playing|practi[sc]ing|wearing|driving|eating|drinking|seeing)\s+(?!it|that|this|them|you|so|a lot|well|fine)[a-z].*"
)
"""What somebody or something does, to the speaker or to something of one kind."""
_DENIAL = re.compile(
    r"there\s+(?:is|are)\s+(?:not|no)\s+(?P<what>(?!point|way|need|doubt|reason|problem|time|idea|rush)[a-z].*)|(?:I|we|(?:my|our)\s[\w-]+)\s+(?:(?:do|does|can)\s*(?:not|never)|(?:have|has)\s+never)\s+(?:(?:ever|really|even)\s+)*(?P<what2>(?P<verb>[a-z]+)\b.*)",
    re.IGNORECASE,
)
"""What there is none of, and what somebody never does or cannot do."""
_OF_MIND = word_set("know think understand see get remember care mind want need feel believe expect figure find say tell recall seem have be been like love agree trust wait decide help stand afford imagine stop make let keep")  # fmt: skip
_JUDGED = re.compile(r"\b(?:an?\s+(?:\w+\s+)?(?:mess|pain|joke|shame|pity|joy|nightmare|treat|disaster|dream|bit|lot|problem|question|good|great|bad|nice|big|huge|real|must|thing|way|idea|relief|surprise|blast|wizard|hero|star|challenge)|(?:in|on)\s+(?:the|my)\s+(?:way|mood|mind|middle|edge|fence|end|zone|works)|on\s+(?:it|point|track|fire|hold|board)|at\s+(?:it|all|least|best)|up\s+to\s+you)\b", re.IGNORECASE)  # fmt: skip
_POINTS = re.compile(r"\b(?:them|those|these|it|that|one|you|your)\b", re.IGNORECASE)
_MEASURED = word_set("scored got earned weighed paid cost hit reached was were had won finished spent")
"""Pasts that tell how much something came to."""
_TENTATIVE = re.compile(r"\b(?:want|wants|hope|hoping|wish|trying|try|plan to|planning|thinking|wondering|considering|would|could|should|might|may|will|going to|supposed|need to|about to)\b|\?", re.IGNORECASE)  # fmt: skip


def read(text: str, turn: Turn) -> Raw | None:
    """The statement of a clause as it was said; None where it asks, orders, judges, supposes or tells a story."""
    if turn.speaker != "user" or STAND_IN in text or text.rstrip().endswith(":"):
        return None
    label = _LABEL.fullmatch(text.strip())
    if label and not _NO_LABEL.intersection(label["t"].lower().split()) and len(label["v"].split()) <= 8:
        return _noted(text, text.strip(), None, turn, label["t"])
    work = opened(written_out(text.strip()), turn).strip()
    denied = _DENIAL.fullmatch(work)
    if (
        denied
        and (denied["verb"] or "") not in _OF_MIND
        and len(work) <= 80
        and not (_TENTATIVE.search(work) or _POINTS.search(work))
    ):
        return _noted(text, work, None, turn, denied["what"] or denied["what2"])
    words = work.split()
    if not 2 <= len(words) <= MOST_WORDS or _refuses(work, words):
        return None
    piece = re.split(r",\s+|\s+[–—-]\s+|;\s", work)[0]
    found = [*values_in(piece), *(one for one in values_in(work) if not one.named)]
    value = next((one for one in found if not one.named or _said_of(piece, one)), None)
    if _is_common(work, value, turn):
        return None
    state = _STATE.fullmatch(work)
    if (
        state
        and not _JUDGED.search(state["c"])
        and len(words) <= 12
        and not _of_person(state["s"], state["c"], turn)
    ):
        about = state["s"] if topic_of(state["s"], None) else state["c"]
        return _noted(text, work, value, turn, about if value is None else "")
    if value is not None:
        return _noted(text, work, value, turn) if _holds(words, value, work) else None
    if (
        is_clear_past(words[0])
        and work == text.strip()
        and re.search(r"\b(?:my|our)\b", work)
        and len(words) <= 10
    ):
        return _noted(text, work, None, turn)
    does = _DOES.fullmatch(work)
    return _noted(text, work, None, turn) if does and len(words) <= 12 else None


def is_note(text: str) -> bool:
    """Whether the words are no clause, but the name of something with what belongs to it: "interview with X on Friday"."""
    words = [word.lower().strip(",.;") for word in re.sub(r"\d\s?am\b", " ", written_out(text)).split()]
    return not any(word in AUXILIARIES or is_clear_past(word) or word in SUBJECTS for word in words)


def _said_of(work: str, value: Value) -> bool:
    """Whether the name stands behind what it is said of, and is no part of the subject ("my pup Toby is ...")."""
    verb = _VERB.search(work)
    if verb is None and is_note(work):
        before = work[: value.start].split()[-1:] or [""]
        return before[0].lower() in PREPOSITIONS or re.search(r"(?:ed|ing|:)$", before[0]) is not None
    return verb is None or value.start > verb.start()


def _of_person(who: str, what: str, turn: Turn) -> bool:
    """What somebody is ("my sister is a doctor") is read as such, or not at all."""
    found = subject(f"{who} x", turn)
    return (
        re.match(r"an?\s", what) is not None
        and found is not None
        and found[0].person
        and found[0].key != turn.speaker
    )


_VERB = re.compile(
    r"\b(?:is|are|am|was|were|has|have|had|does|do|will|can|(?<!\d\s)[a-z]{2,}[^s\W]s(?=\s)|(?!hundred\b)[a-z]{2,}ed(?=\s))\b"
)


def is_order(work: str) -> bool:
    """Whether the words ask for something to be done: "translate this", "give me"."""
    return _ORDER.match(work) is not None


def _is_common(work: str, value: Value | None, turn: Turn) -> bool:
    """What holds of everything of a kind, or stands in every book: "a calf weighs 40 kg", "the capital of X is Y"."""
    if re.search(r"\b(?:I|we|my|our|me|us)\b", work) or re.match(rf"{EN_WORD_NUMBER}\s", work, re.IGNORECASE):
        return False
    if (found := subject(work, turn)) is not None and ":" in found[0].key:
        return False
    verb = _COMMON_VERB.search(work)
    before = work[: verb.start()] if verb else ""
    if re.match(r"(?:an?|most|all|every|each|people|many|some)\s", work, re.IGNORECASE) or _USUAL.search(
        before
    ):
        return True
    if re.search(r"\s(?:of|in)\s(?:the\s)?[A-Z]", before):
        return True
    does = verb is not None and verb[0].strip() not in {"is", "are", "was", "has", "have"}
    return (
        does
        and value is not None
        and not value.named
        and re.search(r"[:.]\d|day\b|[ap]m\b|[A-Z]|\d(?:st|nd|rd|th)", value.text) is None
    )


_COMMON_VERB = re.compile(
    r"\s(?:is|are|was|has|have|(?<!\bthe\s)(?<!\bour\s)(?<!\bmy\s)(?<!\ball\s)(?<!\d\s)[a-z]{2,}s)\s"
)
_USUAL = re.compile(r"\b(?:average|typical|usual|standard|normal|common|newborn|adult)\b", re.IGNORECASE)


def _refuses(work: str, words: list[str]) -> bool:
    first = words[0].lower().strip(",")
    return (
        first in _NO_SUBJECT
        or is_order(work)
        or re.search(
            r"\b(?:you|your|yours|them|those|these|it|not|cannot|no longer)\b|n't\b", work, re.IGNORECASE
        )
        is not None
        or _TENTATIVE.search(work) is not None
        or irreal(work)
        or is_guess(work)
        or is_supposition(work)
    )


def _holds(words: list[str], value: Value, work: str) -> bool:
    """Whether it holds as it is said: no act that is over, but for how much something came to."""
    verbs = [
        word.lower() for at, word in enumerate(words[:8]) if is_clear_past(word) and not _perfect(words, at)
    ]
    past = [word for word in ("was", "were", "had", *verbs) if word in (one.lower() for one in words[:8])]
    if not past:
        return True
    if value.named:
        return past in (["was"], ["were"]) and re.match(r"(?:my|our)\s", work, re.IGNORECASE) is not None
    counted = re.search(r"[A-Za-z]$", value.text) is not None and not re.match(r"(?:I|we)\s", work)
    return counted or (past[0] in _MEASURED and value.start > work.lower().find(past[0]))


def _perfect(words: list[str], at: int) -> bool:
    """Behind "have" or "is", or a participle behind its noun ("tracker built with X") that is the only verb."""
    before = {word.lower() for word in words[:at]}
    return bool(before & {"have", "has", "is", "are", "am", "been", "get", "gets"}) or words[
        at + 1 : at + 2
    ] == ["with"]


def _noted(text: str, work: str, value: Value | None, turn: Turn, about: str = "") -> Raw | None:
    topic = topic_of(about, None) if about else topic_of(work, value)
    if not topic:
        return None
    who = _of(work, turn)
    said = text.strip(" ,.;")
    turn.mention(who)
    return Raw(who, f"{NOTE}{'_'.join(topic[:4])}", said, TOLD, Kind.FACT, text, single=True)


def _of(work: str, turn: Turn) -> Who:
    found = subject(work, turn)
    if (
        found is not None
        and found[0].key != turn.listener
        and (":" in found[0].key or found[0].key == turn.speaker)
    ):
        return found[0]
    if (
        found is not None
        and found[0].person
        and found[0].surface not in NOT_NAMED
        and re.match(r"(?:is|has)\b", found[1])
    ):
        return found[0]
    if re.search(r"\b(?:I|we|my|our|me|us)\b", work):
        return Who(turn.speaker, "I")
    return Who("general", "", person=False)
