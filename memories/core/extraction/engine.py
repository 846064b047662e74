"""Turns one message into memory candidates: clause by clause, by the rules of its language, with the span that proves each."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, tzinfo

from memories.core.errors import NaiveTimeError
from memories.core.extraction import directives
from memories.core.extraction.answers import answered
from memories.core.extraction.candidate import Candidate
from memories.core.extraction.en import moods as en_moods
from memories.core.extraction.material import without_material
from memories.core.extraction.passing import blanked, names_a_while, passing_spans, with_end
from memories.core.extraction.raw import Turn
from memories.core.extraction.reader import SentenceReader
from memories.core.extraction.sentences import (
    Clause,
    is_jest,
    is_log,
    is_small_talk,
    split_clauses,
)
from memories.core.extraction.signals import CORRECTS
from memories.core.text.language import cjk_share, detect
from memories.core.text.signs import as_read
from memories.core.values.keyvalues import key_values

MAX_CHARS = 8_000
"""Longer turns are documents: they are chunked, and only their beginning is read for facts."""

_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_HOLE = re.compile(r"\s{2,}|\s+(?=[.,!?;，。！？；])")


def extract(
    text: str,
    *,
    role: str,
    speaker: str,
    said_at: datetime,
    tz: tzinfo,
    language: str | None = None,
    asked: str = "",
) -> list[Candidate]:
    """The memory candidates of one turn, in the order of the text; [] when it says nothing to keep.

    `role` is user, assistant, tool, import or operator. `speaker` is "" or "user" for the person whose memory it is, else the
    name of who spoke: "I" is then that name. `said_at` must be aware; `tz` is the speaker's zone. `asked` is what somebody
    else said just before: an answer that leans on its question is read with it. Pure and deterministic.
    """
    if said_at.tzinfo is None:
        raise NaiveTimeError("the time of speaking has no zone", hint="Pass an aware datetime.")
    whole, text = text, as_read(_CODE.sub(lambda m: " " * len(m[0]), text[:MAX_CHARS]))
    spans = passing_spans(text)
    text = blanked(text, spans)
    answers = bool(asked) and role not in {"assistant", "tool"}
    if is_log(text) or (is_small_talk(text) and not answers):
        return []
    text = en_moods.without_speech(without_material(text))
    turn = _turn(role, speaker)
    named = turn.speaker not in {"user", "assistant"}
    found: list[Candidate] = []
    carried = False
    correcting = False
    told = split_clauses(text)
    before = 0
    for clauses in _by_sentence(answered(told, asked) if answers else told):
        sentence = clauses[0].sentence
        if is_jest(sentence):
            alone = len(clauses) == 1  # "开玩笑的。" takes back the sentence before
            found = [one for one in found if not alone or one.start < before]
            continue
        before = clauses[0].sentence_start
        bare, explicit = directives.strip_explicit(sentence)
        if role == "assistant" or (named and not cjk_share(sentence)):
            explicit = False  # "remember, it is never too late" between two people is advice
        if explicit and (not bare or is_small_talk(bare)):
            carried = True
            continue
        correcting = correcting or CORRECTS.search(sentence) is not None
        # A number alone is of no language; the question that it answers is.
        written_out = clauses[0].text not in sentence
        spoken = language or (detect(clauses[0].text) if written_out else None)
        reader = SentenceReader(
            clauses, bare, turn, role, explicit or carried, correcting, said_at, tz, spoken
        )
        read = reader.candidates()
        if not read and role not in {"assistant", "tool"} and names_a_while(clauses, spans):
            read = reader.for_a_while()
        if reader.slips:
            found, read = _put_right(found, read, reader)
        # "I mixed that up. It's 62 kg": said of what comes; once it has come, the next sentence is none of it.
        correcting = correcting and not read and not key_values(sentence)
        found.extend(read)
        carried = False
    return _distinct(with_end([_sourced(candidate, whole) for candidate in found], whole, spans))


def _put_right(
    found: list[Candidate], read: list[Candidate], reader: SentenceReader
) -> tuple[list[Candidate], list[Candidate]]:
    """Both without the slips that the sentence put right; what came instead corrects nothing that was known before."""
    slips = {(raw.who.key, raw.attribute, raw.value) for raw in reader.slips}

    def kept(all_: list[Candidate]) -> list[Candidate]:
        return [one for one in all_ if (one.subject, one.attribute, one.value) not in slips]

    rest = reader.sentence
    for clause in reader.mending:
        rest = rest.replace(clause, " ", 1)
    if CORRECTS.search(rest) is None:
        read = [replace(one, correction=False) for one in read]
    return kept(found), kept(read)


def _sourced(candidate: Candidate, text: str) -> Candidate:
    """The quote as the turn has it: snippets were blanked for reading, which leaves no holes in what is remembered."""
    quote = text[candidate.start : candidate.end]
    if quote == candidate.quote:
        return candidate
    content, value = (_HOLE.sub(" ", words or "").strip() for words in (candidate.content, candidate.value))
    return replace(
        candidate, quote=quote, content=content, value=value if candidate.value else candidate.value
    )


def _turn(role: str, speaker: str) -> Turn:
    named = speaker if speaker not in {"", "user", "assistant"} else ""
    if role == "assistant":
        return Turn(speaker="assistant", speaker_surface=named, listener="user")
    return Turn(speaker=named or "user", speaker_surface="", listener="assistant")


def _by_sentence(clauses: list[Clause]) -> list[list[Clause]]:
    groups: list[list[Clause]] = []
    for clause in clauses:
        if groups and groups[-1][0].sentence_start == clause.sentence_start:
            groups[-1].append(clause)
        else:
            groups.append([clause])
    return groups


def _distinct(found: list[Candidate]) -> list[Candidate]:
    """Each statement once: the first of two with the same slot and value, or the same words and kind."""
    seen: set[tuple[str | None, ...]] = set()
    kept = []
    for candidate in found:
        if candidate.attribute:
            key: tuple[str | None, ...] = (candidate.slot, candidate.value, str(candidate.negated))
        else:
            key = (candidate.kind, candidate.content)
        if key not in seen:
            seen.add(key)
            kept.append(candidate)
    return kept
