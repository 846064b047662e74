"""The compaction suite: how much of the evidence survives in digests of a quarter of the tokens, beside plain extracts."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from memories.core.digests.making import DigestTurn, make_digest
from memories.core.policy import Policy
from memories.core.text.lexical import terms
from memories.core.text.sentences import sentences
from memories.core.text.tokens import count
from memories.evaluation.datasets import Conversation, Question, SaidTurn, read_set
from memories.evaluation.sets import sets_there
from memories.evaluation.suites import SuiteOptions, SuiteResult
from sessions_app.evaluation.evidence import Tally, scored, share_standing

SHARE = 0.25
SETS = ("locomo", "beam_100k", "memdaily_pool_zh", "memorybank_zh")
SYSTEMS = ("memoryhub", "held", "lead", "centroid")

Condense = Callable[[Sequence[SaidTurn]], str]


def run(options: SuiteOptions) -> SuiteResult:
    """Share of the evidence whose turn stands in the digest of its own span; tokens as a share of the source's.

    A span is one session's turns up to a full window. *memoryhub* is the digest as compaction makes it: its sentences take
    SHARE, or 150 characters where that is more, key values come on top. *held* is the same digest held to SHARE of the tokens as
    a whole, as far as key values leave room; *lead* the first sentences, *centroid* those nearest to the span's middle.
    """
    result = SuiteResult(columns=SYSTEMS)
    systems: dict[str, Condense] = {
        "memoryhub": by_policy,
        "held": held,
        "lead": lead,
        "centroid": centroid,
    }
    for name, folder in sets_there(options, "compaction", dict.fromkeys(SETS, "q")).items():
        _measure(result, name, folder, options, systems)
    return result


def _measure(
    result: SuiteResult, name: str, folder: Path, options: SuiteOptions, systems: dict[str, Condense]
) -> None:
    tally, started = Tally(), time.perf_counter()
    for at, conversation in enumerate(read_set(folder, options.split, options.limit)):
        questions = scored(name, conversation)
        if questions:
            _play(conversation, questions, tally, at, result, systems)
    tally.tell(result, f"compaction.{name}", tuple(systems))
    result.info[f"compaction.{name}.seconds"] = round(time.perf_counter() - started, 1)


def _play(
    conversation: Conversation,
    questions: list[Question],
    tally: Tally,
    number: int,
    result: SuiteResult,
    systems: dict[str, Condense],
) -> None:
    turns = {turn.id: turn.text for turn in conversation.turns}
    parts = list(spans(conversation.turns))
    tokens = sum(count(text) for text in turns.values())
    tally.groups.extend([number] * len(questions))
    for system, condense in systems.items():
        digests = [condense(part) for part in parts]
        texts = {turn.id: digest for part, digest in zip(parts, digests, strict=True) for turn in part}
        share = sum(count(digest) for digest in digests) / max(1, tokens)
        for question in questions:
            tally.shares[system].append(share_standing(question, turns, texts))
            tally.tokens[system].append(share)
            if system == "memoryhub" and tally.shares[system][-1] < 1:
                evidence = sorted(turn for turn in question.main if turn in turns)
                result.failures.append(
                    {
                        "suite": "compaction",
                        "question": question.text,
                        "answer": question.answer,
                        "evidence": [turns[turn] for turn in evidence],
                        "digests": list(dict.fromkeys(texts[turn] for turn in evidence)),
                    }
                )


def spans(turns: Sequence[SaidTurn], most: int | None = None) -> Iterator[list[SaidTurn]]:
    """Neighbouring turns of one session, up to `most` tokens (the policy's window); a longer turn stands alone."""
    most = most or Policy.default().integer("window.tokens")
    part: list[SaidTurn] = []
    tokens = 0
    for turn in turns:
        size = count(turn.text)
        if part and (turn.session != part[-1].session or tokens + size > most):
            yield part
            part, tokens = [], 0
        part.append(turn)
        tokens += size
    if part:
        yield part


def held(span: Sequence[SaidTurn]) -> str:
    """The digest without the allowance for short sources, and with the key values inside the share where they fit."""
    most = int(_room(span))
    return make_digest(_turns(span), max_chars=0, max_words=0, max_share=SHARE, max_tokens=most).text


def by_policy(span: Sequence[SaidTurn]) -> str:
    """The digest as compaction makes it without a model."""
    policy = Policy.default()
    return make_digest(
        _turns(span),
        max_chars=policy.integer("digest.max_chars"),
        max_words=policy.integer("digest.max_words"),
        max_share=policy.number("digest.max_share"),
    ).text


def _turns(span: Sequence[SaidTurn]) -> list[DigestTurn]:
    return [DigestTurn(turn.role, turn.name, turn.text, turn.time) for turn in span]


def _sentences(span: Sequence[SaidTurn]) -> list[str]:
    return [
        turn.text[a:b].strip() for turn in span for a, b in sentences(turn.text) if turn.text[a:b].strip()
    ]


def _room(span: Sequence[SaidTurn]) -> float:
    return SHARE * sum(count(turn.text) for turn in span)


def lead(span: Sequence[SaidTurn]) -> str:
    """The first sentences, as many as fit a quarter of the span's tokens."""
    room, taken = _room(span), []
    for sentence in _sentences(span):
        room -= count(sentence) + 1
        if room < 0:
            break
        taken.append(sentence)
    return "\n".join(taken)


def centroid(span: Sequence[SaidTurn]) -> str:
    """The sentences nearest to the span's centroid of weighted words, each where it fits, in their order (Radev et al. 2004)."""
    found, room = _sentences(span), _room(span)
    bags = [terms(sentence) for sentence in found]
    spread = Counter(term for bag in bags for term in bag)
    weight = {term: math.log(1 + len(found) / seen) for term, seen in spread.items()}
    middle = {term: seen * weight[term] for term, seen in sum(bags, Counter[str]()).items()}

    def nearness(at: int) -> float:
        length = math.sqrt(sum((n * weight[term]) ** 2 for term, n in bags[at].items()))
        return (
            sum(n * weight[term] * middle[term] for term, n in bags[at].items()) / length if length else 0.0
        )

    taken = []
    for at in sorted(range(len(found)), key=lambda at: (-nearness(at), at)):
        cost = count(found[at]) + 1
        if cost <= room:
            room -= cost
            taken.append(at)
    return "\n".join(found[at] for at in sorted(taken))
