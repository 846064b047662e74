"""An English question and a short answer to it, as the statement that the answer makes."""

from __future__ import annotations

import re

_LEAD = r"(?:(?:so|and|but|oh|well|hey|hmm|btw|by the way|then|okay|ok)[,\s]+)*"
_YES = re.compile(
    r"(?:(?:yes|yeah|yep|yup|sure|of course|absolutely|definitely|certainly|indeed|very much|totally|right|i (?:do|am|have|can|did|was|will)|(?:he|she|it|they) (?:is|does|has|are|do|have)|a lot)[,!.\s]*)+",
    re.IGNORECASE,
)
_NO = re.compile(
    r"(?:(?:no|nope|nah|never|not really|not at all|not yet|i (?:don't|do not|am not|haven't|have not|can't|cannot|didn't|won't)|i'm not|(?:he|she|it|they) (?:isn't|doesn't|hasn't|aren't|don't|haven't))[,!.\s]*)+",
    re.IGNORECASE,
)
_EVADES = re.compile(
    r"\b(?:know|idea|sure why|guess|depends?|secret|whatever|anything|nothing|maybe|perhaps|sometimes|why|what|who|forgot|remember|you|hello|hi|thanks?|good|fine|great|okay|ok)\b",
    re.IGNORECASE,
)
_EXCLAIMS = re.compile(
    r"(?:wow|whoa|cool|nice|awesome|amazing|haha+|lol|aww*|ooh*|oh|ah|congrats|congratulations|exactly|true|agreed|please|sounds?|wonderful|lovely|perfect|hey|hmm+|ugh|sweet|yay|yup|yep|yeah)\b",
    re.IGNORECASE,
)
"""What is said to what was told rather than to what was asked."""
_YES_NO = re.compile(
    rf"{_LEAD}(?P<aux>do|are|have|can|did|were|is|does|has)\s+(?P<s>you|your\s+(?:best\s+|older\s+|younger\s+|little\s+|big\s+)?[\w-]+)\s+(?P<rest>.+)",
    re.IGNORECASE,
)
_MINE = {"you": "I", "your": "my", "yourself": "myself", "yours": "mine"}
_NEVER = {"do": "don't", "does": "doesn't", "are": "am not", "have": "haven't", "can": "can't", "did": "didn't", "were": "wasn't", "is": "is not", "has": "hasn't"}  # fmt: skip
_ALWAYS = {"are": "am", "have": "have", "can": "can", "were": "was", "is": "is", "has": "has"}
_WHERE = {"live": "in", "work": "at", "study": "at", "come": "from"}


def written_out(answer: str, question: str, before: str) -> str | None:
    """The statement in the first person; None where the answer does not lean on the question, or says nothing."""
    said = answer.strip(" .!?\t\n").replace("’", "'")
    asked = question.strip(" .!?\t\n").replace("’", "'")
    if not said or len(said) > 60:
        return None
    match = _YES_NO.fullmatch(asked)
    if match is not None:
        if _YES.fullmatch(said):
            return _told(match, positive=True)
        return _told(match, positive=False) if _NO.fullmatch(said) else None
    if (
        len(said.split()) > 6
        or _EVADES.search(said)
        or _YES.fullmatch(said)
        or _NO.fullmatch(said)
        or _EXCLAIMS.match(said)
        or re.match(r"(?:i|i'm|my|we|it|it's|he|she|they|that|yes|no)\b", said, re.IGNORECASE)
    ):
        return None
    return _filled(asked, said)


def _told(match: re.Match[str], *, positive: bool) -> str:
    aux, rest = (
        match["aux"].lower(),
        _turned(re.sub(r"^(?:ever|currently|still|really|also)\s+", "", match["rest"], flags=re.IGNORECASE)),
    )
    subject = _turned(match["s"])
    subject = subject[:1].upper() + subject[1:]
    if aux in {"do", "does", "did"} and positive:
        return (
            f"{subject} {rest}"
            if aux == "do"
            else f"{subject} {_third(rest) if aux == 'does' else 'did ' + rest}"
        )
    verb = _ALWAYS[aux] if positive else _NEVER[aux]
    return f"{subject} {verb} {rest}"


def _third(rest: str) -> str:
    verb, _, more = rest.partition(" ")
    form = "has" if verb == "have" else f"{verb}es" if re.search(r"(?:s|sh|ch|x|o)$", verb) else f"{verb}s"
    return f"{form} {more}".strip()


def _turned(text: str) -> str:
    return re.sub(
        r"\b(?:you|your|yours|yourself)\b", lambda found: _MINE[found[0].lower()], text, flags=re.IGNORECASE
    )


def _filled(asked: str, said: str) -> str | None:
    bare = re.sub(r"^(?:in|at|from|for|on|an?|the|about|around)\s+", "", said, flags=re.IGNORECASE)
    asked = re.sub(rf"^{_LEAD}", "", asked, flags=re.IGNORECASE)
    if match := re.fullmatch(
        r"where\s+do\s+you\s+(?:currently\s+|now\s+)?(?P<v>live|work|study|come)(?:\s+from|\s+now|\s+these days)?",
        asked,
        re.IGNORECASE,
    ):
        return f"I {match['v']} {_WHERE[match['v'].lower()]} {bare}"
    if re.fullmatch(r"where\s+are\s+you\s+from(?:\s+originally)?", asked, re.IGNORECASE):
        return f"I am from {bare}"
    if re.fullmatch(r"how\s+old\s+are\s+you(?:\s+now)?", asked, re.IGNORECASE):
        return f"I am {bare.split()[0]} years old" if re.match(r"\d", bare) else None
    if re.fullmatch(r"what\s+do\s+you\s+do(?:\s+for\s+(?:a\s+living|work))?", asked, re.IGNORECASE):
        article = "an" if re.match("[aeiou]", bare, re.IGNORECASE) else "a"
        return f"I am {article} {bare}" if len(bare.split()) <= 3 else None
    if match := re.fullmatch(
        r"(?:what|who|when|where|how much|which)(?P<be>'s|\s+is|\s+are)\s+your\s+(?P<what>[\w\s'-]{2,40})",
        asked,
        re.IGNORECASE,
    ):
        return f"My {match['what']} {'are' if match['be'].strip().lower() == 'are' else 'is'} {said}"
    if match := re.fullmatch(
        r"(?:what|which)\s+(?:(?:kind|type|sort)\s+of\s+)?(?:\w+\s+)?do\s+you\s+(?P<v>like|love|prefer|speak|drive|play|use|study|own|hate)(?:\s+(?:most|best|the most))?",
        asked,
        re.IGNORECASE,
    ):
        return f"I {match['v']} {said}"
    return None
