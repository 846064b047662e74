"""Short answers, read together with the question asked just before: "你住哪？" "上海" says "我住在上海"."""

from __future__ import annotations

from memories.core.extraction.en import answers as answers_en
from memories.core.extraction.sentences import Clause, split_clauses
from memories.core.extraction.zh import answers as answers_zh
from memories.core.text.language import cjk_share

MAX_ASKED = 400
"""Of a longer turn only its end is looked at: the question that an answer answers stands there."""


def answered(clauses: list[Clause], asked: str) -> list[Clause]:
    """The clauses with the first one written out, where it only answers the question that `asked` ends with.

    `asked` is what the other one said just before. The clause keeps its place in the text, so that its quote stays what was
    said. Without a question, or where the answer stands alone, nothing changes.
    """
    if not clauses or not asked or clauses[0].asks:
        return clauses
    before = split_clauses(asked[-MAX_ASKED:])
    if not before or not before[-1].asks or (len(before) > 1 and before[-2].asks):
        return clauses  # of two questions it is not known which one is answered
    chinese = cjk_share(before[-1].text) >= 0.4
    first = clauses[0]
    said = (answers_zh if chinese else answers_en).written_out(
        first.text, before[-1].text, before[-2].text if len(before) > 1 else ""
    )
    if said is None:
        return clauses
    full = Clause(said, first.start, first.end, first.sentence, first.sentence_start)
    return [full, *clauses[1:]]
