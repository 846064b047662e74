"""What held once and holds no longer, in English: "I no longer live in X", "she used to work at Y", "I quit smoking"."""

from __future__ import annotations

import re
from dataclasses import replace

from memories.core.extraction.en import forms as forms_en
from memories.core.extraction.en.attributes import read_attribute
from memories.core.extraction.en.predicates import predicates, scheduled
from memories.core.extraction.en.rules import clean_value
from memories.core.extraction.en.subjects import stated, subject
from memories.core.extraction.en.verbs import lemma
from memories.core.extraction.raw import Raw, Turn
from memories.core.kinds import Kind

ENDED = re.compile(
    r"(?P<s>.{1,50}?)\s+(?:(?P<no>no longer|(?:do|does|did) not|(?:am|is|are) not)\s+(?P<p>[a-z].{2,80}?)(?P<any>\s+(?:any\s?more|any longer))?"
    r"|(?P<used>used to)\s+(?P<p2>(?!be\b)[a-z].{2,80}?)|(?:have\s+|has\s+|recently\s+|just\s+|finally\s+)*(?P<quit>quit|stopped|gave up|given up)\s+(?P<p3>[a-z]+ing\b.{0,60}?))",
    re.IGNORECASE,
)


def over(text: str, match: re.Match[str], turn: Turn) -> list[Raw]:
    """What held once: "I no longer live in X", "she used to work at Y", "I quit smoking"; the statement without the words that end it."""
    said = next(match[name] for name in ("p", "p2", "p3") if match[name])
    sure = match["no"] is None or match["no"].lower() == "no longer" or match["any"] is not None
    if not sure:  # "I do not like X" is a present fact of its own
        work = match[0]
        return (
            _is_none(text, match, turn)
            or forms_en.read_form(text, work, turn)
            or predicates(text, work, turn)
            or read_attribute(text, work, turn)
            or scheduled(text, work, turn)
        )
    if match["quit"]:
        found = subject(f"{match['s']} x", turn)
        value = clean_value(re.sub(r"\s+(?:last|this|in|on|since|after|a|two|three|and)\s.*$", "", said))
        if found is None or found[1] != "x" or value is None or found[0].key == turn.listener:
            return []
        turn.mention(found[0])
        first, _, rest = said.partition(" ")
        verb = {"be": "am" if found[0].key == turn.speaker else "is"}.get(lemma(first), lemma(first))
        be = "am" if found[0].key == turn.speaker else "is"
        # "stopped using X": uses X no longer; "stopped learning X": is learning it no longer.
        known = predicates(text, f"{match['s']} {verb} {rest}", turn)
        known = known or predicates(text, f"{match['s']} {be} {said}", turn)
        if known:
            return [replace(raw, ended=True, update=True, stated=stated(text, raw.who)) for raw in known]
        return [
            Raw(
                found[0],
                "habit",
                value,
                "en.quit",
                Kind.PREFERENCE,
                stated(text, found[0]),
                ended=True,
                update=True,
            )
        ]
    verb = (
        ""
        if match["used"] or not re.match(r"(?:am|is|are)\b", match["no"] or "", re.IGNORECASE)
        else f"{match['no'].split()[0]} "
    )
    plain = f"{match['s']} {verb}{said}"
    found_raws = predicates(text, plain, turn) or read_attribute(text, plain, turn)
    if not found_raws:
        return predicates(text, match[0], turn)
    return [
        replace(raw, ended=True, update=True, stated=stated(text, raw.who))
        for raw in found_raws
        if raw.attribute != "plan"
    ]


def _is_none(text: str, match: re.Match[str], turn: Turn) -> list[Raw]:
    """ "Tom is not a vegetarian", "I don't use Slack": no to what would stand there with yes."""
    no = match["no"].lower().split()
    plain = f"{match['s']} {no[0] if no[0] in {'am', 'is', 'are'} else ''} {match['p']}".replace("  ", " ")
    raws = predicates(text, plain, turn)
    if not raws or any(raw.attribute not in _DENIABLE or raw.negated for raw in raws):
        return []
    return [replace(raw, negated=True, stated=stated(text, raw.who)) for raw in raws]


_DENIABLE = frozenset({"diet", "allergy", "marital_status", "uses"})
"""Attributes that are worth knowing where the answer is no."""
