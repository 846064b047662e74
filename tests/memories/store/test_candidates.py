"""The recall statement: what it finds, what it leaves out, and how it scores, against the oracles in core."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories.core.decay import half_life_days, strength_at
from memories.core.policy import Policy
from memories.core.scoring import ScoreParts, graded_pin, saturated, score
from memories.core.text import lexical
from memories.models import Contradiction, Evidence, Memory, MemoryVersion
from memories.services.versioning import state_of
from memories.store import candidates as candidates_module
from memories.store import candidates_sql, evidence_sql
from memories.store.candidates import Candidate, Form, Search, candidates
from memoryhub.common.db import _scope, current_tenant_id, tenant_transaction
from tests.support.factories import (
    NOW,
    active_space,
    axis,
    make_episode,
    make_memory,
    make_subject,
    make_tenant,
)

POLICY = Policy.default()
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_tenant")]


def search(
    subject_id: uuid.UUID, text: str = "zzz", vector: Sequence[float] | None = None, **fields: Any
) -> list[Candidate]:
    policy = fields.pop("policy", POLICY)
    wanted = Search(
        subject_id=subject_id,
        forms=[Form(text, vector)],
        space_id=active_space().id if vector is not None else None,
        now=NOW,
        returned=20,
    )
    return candidates(replace(wanted, **fields), policy)


def test_the_nearest_memory_comes_first_and_carries_its_text(subject_id: uuid.UUID) -> None:
    near = make_memory(subject_id, "likes green tea", axis(0.9, 0.4))
    make_memory(subject_id, "owns a bicycle", axis(0.3, 0.9))
    found = search(subject_id, vector=axis(1))
    assert [row.text for row in found] == ["likes green tea", "owns a bicycle"]
    assert found[0].item_id == near.id
    assert found[0].cosine == pytest.approx(0.9 / 0.97**0.5, abs=2e-3)


def test_bm25_equals_the_oracle(subject_id: uuid.UUID) -> None:
    texts = [
        "the invoice of the garage arrived in March",
        "the garage repaired the brakes, brakes and brakes",
        "she paints with oil",
        "修车厂的发票三月到了",
        "发票和合同都在抽屉里",
    ]
    for text in texts:
        make_memory(subject_id, text)
    for question in ("garage invoice brakes", "修车厂的发票在哪里"):
        expected = lexical.bm25(lexical.query_terms(question), [lexical.terms(text) for text in texts])
        top = max(expected)
        found = {row.text: row.lexical for row in search(subject_id, question)}
        assert found == pytest.approx(
            {t: s / top for t, s in zip(texts, expected, strict=True) if s}, rel=1e-9
        )


def test_the_score_equals_the_oracle_for_every_part(subject_id: uuid.UUID) -> None:
    kinds = ("preference", "profile", "fact", "todo", "constraint", "made-up", "digest")
    for at, kind in enumerate(kinds):
        make_memory(
            subject_id,
            f"thing number{at} about tea",
            axis(1, 0.2 * at),
            kind=kind,
            importance=0.1 * at,
            importance_level="high" if at == 2 else "",
            strength=0.3 + at,
            source=("user", "assistant", "tool", "import", "operator")[at % 5],
            pinned=at == 3,
            said_at=NOW - timedelta(days=3 * at),
            last_hit_at=NOW - timedelta(days=at) if at % 2 else None,
        )
    found = search(subject_id, "tea", axis(1))
    assert len(found) == len(kinds)
    best = max(row.relevance for row in found)
    for row in found:
        memory = Memory.objects.get(id=row.item_id)
        strength = strength_at(
            strength=memory.strength,
            last_hit_at=memory.last_hit_at,
            created_at=memory.created_at,
            now=NOW,
            half_life_days=half_life_days(POLICY, memory.kind, memory.importance_level or None),
        )
        assert row.strength == pytest.approx(strength)
        parts = ScoreParts(
            similarity=row.cosine,
            lexical=row.lexical,
            strength=saturated(strength),
            recency=row.recency,
            importance=memory.importance,
            credibility=POLICY.number(f"credibility.{memory.source}"),
            pin=graded_pin(row.relevance, best) if memory.pinned else 0.0,
            context=row.context,
        )
        assert row.score == pytest.approx(score(parts, POLICY))


def test_a_pin_decides_between_equals_but_never_beats_what_fits_clearly_better(subject_id: uuid.UUID) -> None:
    fits = make_memory(subject_id, "one", axis(0.6, 0.8))
    make_memory(subject_id, "two", axis(0.6, 0, 0.8), pinned=True)
    weak = make_memory(subject_id, "three", axis(0.25, 0, 0, 0.95), pinned=True, importance=0.9, strength=5.0)
    found = [row.text for row in search(subject_id, vector=axis(1))]
    assert found[0] == "two"
    assert found.index("one") < found.index("three"), (fits.id, weak.id)


def test_a_permanent_but_unimportant_memory_does_not_dominate(subject_id: uuid.UUID) -> None:
    make_memory(
        subject_id,
        "profile",
        axis(0.3, 0.95),
        kind="profile",
        importance=0.2,
        strength=5.0,
        said_at=NOW - timedelta(days=400),
    )
    make_memory(subject_id, "fresh", axis(0.5, 0, 0.86), importance=0.5)
    assert search(subject_id, vector=axis(1))[0].text == "fresh"


def test_only_current_memories_that_have_not_expired_are_found(subject_id: uuid.UUID) -> None:
    for status in (
        "superseded",
        "archived",
        "expired",
        "forgotten",
        "merged",
        "pending",
        "quarantined",
        "redacted",
    ):
        make_memory(subject_id, f"tea {status}", axis(1), status=status)
    make_memory(subject_id, "tea over", axis(1), expires_at=NOW)
    make_memory(subject_id, "tea over but pinned", axis(0.9, 0.1), expires_at=NOW, pinned=True)
    make_memory(subject_id, "tea soon over", axis(1), expires_at=NOW + timedelta(seconds=1))
    make_episode(subject_id, "tea gone", axis(1), status="forgotten")
    assert {row.text for row in search(subject_id, "tea", axis(1))} == {
        "tea over but pinned",
        "tea soon over",
    }


def test_many_superseded_memories_do_not_crowd_out_the_current_one(subject_id: uuid.UUID) -> None:
    for _ in range(80):
        make_memory(subject_id, "tea", axis(1), status="superseded")
    make_memory(subject_id, "tea now", axis(0.5, 0.8))
    policy = Policy.from_overrides({"recall.candidates": 10})
    assert [row.text for row in search(subject_id, "tea", axis(1), policy=policy)] == ["tea now"]


def test_scope_is_never_widened(subject_id: uuid.UUID) -> None:
    here, elsewhere = uuid.uuid4(), uuid.uuid4()
    agent = make_subject(current_tenant_id())
    make_memory(subject_id, "of this session", axis(1), scope="session", session_id=here)
    make_memory(subject_id, "of another session", axis(1), scope="session", session_id=elsewhere)
    make_memory(subject_id, "of the agent", axis(1), scope="agent", agent_id=agent)
    make_memory(subject_id, "of the user, said there", axis(1), session_id=elsewhere)
    texts = lambda **fields: {row.text for row in search(subject_id, vector=axis(1), **fields)}  # noqa: E731
    assert texts() == {"of the user, said there"}
    assert texts(session_id=here) == {"of the user, said there", "of this session"}
    assert texts(agent_id=agent) == {"of the user, said there", "of the agent"}
    assert texts(agent_id=subject_id) == {"of the user, said there"}


def test_another_subject_and_another_tenant_are_never_found(subject_id: uuid.UUID) -> None:
    other = make_subject(current_tenant_id())
    make_memory(other, "tea of a neighbour", axis(1))
    make_memory(subject_id, "tea of mine", axis(0.5, 0.8))
    assert [row.text for row in search(subject_id, "tea", axis(1))] == ["tea of mine"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"kinds": ["todo"]}, {"todo"}),
        ({"kinds": ["todo", "turn"]}, {"todo", "turn"}),
        ({"kinds": ["turn"]}, {"turn"}),
        ({"kinds": []}, set()),
        ({"tags": ["home"]}, {"todo"}),
        ({"metadata": {"project": "x"}}, {"fact"}),
        ({"since": NOW - timedelta(days=2)}, {"todo", "turn"}),
        ({"until": NOW - timedelta(days=2)}, {"fact"}),
        ({"episodes": False}, {"todo", "fact"}),
        ({"memories": False}, {"turn"}),
    ],
)
def test_filters(subject_id: uuid.UUID, fields: dict[str, Any], expected: set[str]) -> None:
    make_memory(subject_id, "todo", axis(1), kind="todo", tags=["home", "garden"])
    make_memory(
        subject_id, "fact", axis(1), metadata={"project": "x", "n": 1}, said_at=NOW - timedelta(days=9)
    )
    make_episode(subject_id, "turn", axis(1))
    assert {row.text for row in search(subject_id, vector=axis(1), **fields)} == expected


def test_turns_that_stand_in_the_window_already_can_be_left_out(subject_id: uuid.UUID) -> None:
    seen, other = uuid.uuid4(), uuid.uuid4()
    make_episode(subject_id, "seen", axis(1), source_id=seen)
    make_episode(subject_id, "other", axis(1), source_id=other)
    found = search(subject_id, vector=axis(1), excluded_turn_ids=[seen])
    assert [(row.text, row.source_ids) for row in found] == [("other", [other])]


def version(memory: Memory, number: int, at: datetime, **state: Any) -> None:
    """What the memory was from `at` on; `state` over its columns as they stand."""
    MemoryVersion.objects.create(
        memory=memory,
        number=number,
        change="made",
        content=state.pop("content", memory.content),
        state={**state_of(memory), **state},
        actor_kind="system",
        at=at,
    )


def test_as_of_answers_what_was_believed_then(subject_id: uuid.UUID) -> None:
    new = make_memory(subject_id, "lives in Porto", axis(1), said_at=NOW - timedelta(days=2))
    old = make_memory(
        subject_id,
        "lives in Lyon",
        axis(1),
        said_at=NOW - timedelta(days=90),
        status="superseded",
        superseded_by=new,
    )
    version(new, 1, new.said_at)
    version(old, 1, old.said_at, status="current", superseded_by_id=None)
    version(old, 2, new.said_at)
    then = search(subject_id, vector=axis(1), as_of=NOW - timedelta(days=10))
    assert [row.text for row in then] == ["lives in Lyon"]
    assert [row.text for row in search(subject_id, vector=axis(1))] == ["lives in Porto"]
    assert search(subject_id, vector=axis(1), as_of=NOW - timedelta(days=91)) == []


def test_as_of_never_brings_back_what_was_taken_out_on_purpose(subject_id: uuid.UUID) -> None:
    for status in ("forgotten", "redacted", "quarantined"):
        gone = make_memory(subject_id, f"was {status}", axis(1), status=status)
        version(gone, 1, gone.said_at, status="current")
    assert search(subject_id, "was", axis(1), as_of=NOW) == []


@pytest.mark.parametrize("few", [100, 0])
def test_a_turn_that_taught_only_what_was_superseded_is_out_of_the_present(
    subject_id: uuid.UUID, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the turns of what was replaced are few enough to be listed, or each turn is looked behind."""
    monkeypatch.setattr(evidence_sql, "FEW", few)
    monkeypatch.setattr(candidates_module, "_statement", candidates_sql.statement)
    old_turn, new_turn, mixed = uuid.uuid4(), uuid.uuid4(), uuid.uuid4()
    new = make_memory(subject_id, "lives in Porto", axis(0, 1), turn_ids=[new_turn, mixed])
    until = NOW - timedelta(days=2)
    make_memory(
        subject_id,
        "lives in Lyon",
        axis(0, 0, 1),
        turn_ids=[old_turn, mixed],
        status="superseded",
        superseded_by=new,
        valid_to=until,
    )
    for text, turn_id in (("I live in Lyon", old_turn), ("I moved to Porto", new_turn), ("both", mixed)):
        make_episode(subject_id, text, axis(1), source_id=turn_id)
    turns = {row.text for row in search(subject_id, vector=axis(1), memories=False)}
    assert turns == {"I moved to Porto", "both"}
    past = {row.text: row for row in search(subject_id, vector=axis(1), past=True)}
    assert (past["I live in Lyon"].superseded, past["I live in Lyon"].valid_to) == (True, until)
    assert (past["lives in Lyon"].superseded, past["I moved to Porto"].superseded) == (True, False)


def test_a_long_turn_stays_when_only_a_part_of_it_was_superseded(subject_id: uuid.UUID) -> None:
    turn_id = uuid.uuid4()
    new = make_memory(subject_id, "lives in Porto", axis(0, 1))
    old = make_memory(subject_id, "lives in Lyon", None, status="superseded", superseded_by=new)
    Evidence.objects.create(
        memory=old, turn_id=turn_id, role="user", quote="I live in Lyon", said_at=NOW, created_at=NOW
    )
    make_episode(
        subject_id, "I live in Lyon. " + "And the garden needs water. " * 12, axis(1), source_id=turn_id
    )
    [row] = search(subject_id, vector=axis(1), memories=False)
    assert (row.superseded, row.partly) == (False, True)


def test_a_successor_is_found_by_the_words_that_it_replaced(subject_id: uuid.UUID) -> None:
    newest = make_memory(subject_id, "moved to Porto", axis(0, 1))
    middle = make_memory(
        subject_id, "moved to Lyon", axis(0, 0, 1), status="superseded", superseded_by=newest
    )
    make_memory(subject_id, "the flat is in Turin", axis(1), status="superseded", superseded_by=middle)
    for at in range(70):
        make_memory(subject_id, f"other {at}", axis(0.3, 0, 0, 1))
    found = search(subject_id, "where is the flat", axis(1))
    assert found[0].item_id == newest.id
    assert found[0].cosine == pytest.approx(1.0, abs=2e-3)
    assert {row.text for row in found}.isdisjoint({"the flat is in Turin", "moved to Lyon"})


def test_both_sides_of_a_contradiction_are_found_by_the_words_of_one(subject_id: uuid.UUID) -> None:
    one, other = (
        make_memory(subject_id, "likes tea", axis(1)),
        make_memory(subject_id, "hates it", axis(0, 1)),
    )
    turn_id = uuid.uuid4()
    Evidence.objects.create(memory=one, turn_id=turn_id, role="user", said_at=NOW, created_at=NOW)
    make_episode(subject_id, "tea please", axis(0.9, 0.1), source_id=turn_id)
    for at in range(70):
        make_memory(subject_id, f"noise {at}", axis(0.5, 0, 1))
    Contradiction.objects.create(subject_id=subject_id, older=one, newer=other, opened_at=NOW)
    found = {row.text: row for row in search(subject_id, vector=axis(1))}
    assert found["hates it"].contradicts == [one.id]
    assert found["likes tea"].contradicts == [other.id]
    assert found["tea please"].contradicts == [other.id]


def test_as_of_a_contradiction_is_as_open_as_it_was(subject_id: uuid.UUID) -> None:
    one, other = make_memory(subject_id, "a", axis(1)), make_memory(subject_id, "b", axis(1))
    for memory in (one, other):
        version(memory, 1, memory.said_at)
    opened, resolved = NOW - timedelta(hours=20), NOW - timedelta(hours=10)
    Contradiction.objects.create(
        subject_id=subject_id,
        older=one,
        newer=other,
        opened_at=opened,
        state="resolved",
        resolved_at=resolved,
    )
    marked = lambda at: {row.contradicted for row in search(subject_id, vector=axis(1), as_of=at)}  # noqa: E731
    assert marked(opened - timedelta(minutes=1)) == {False}
    assert marked(opened + timedelta(minutes=1)) == {True}
    assert marked(resolved) == {False}


def test_a_turn_is_found_by_what_was_said_around_it(subject_id: uuid.UUID) -> None:
    session = uuid.uuid4()
    make_episode(subject_id, "When is the boat?", axis(0.8, 0.6), session_id=session, seq=4)
    make_episode(subject_id, "At nine.", axis(0.05, 0, 1), session_id=session, seq=5)
    make_episode(subject_id, "Nine lives.", axis(0.06, 0, 0, 1), session_id=uuid.uuid4(), seq=5)
    found = search(subject_id, vector=axis(1))
    assert [row.text for row in found] == ["When is the boat?", "At nine.", "Nine lives."]
    assert found[1].context > 0
    assert found[2].context == 0


def test_a_turn_is_found_by_what_was_said_two_turns_before(subject_id: uuid.UUID) -> None:
    session = uuid.uuid4()
    for seq, (text, vector) in enumerate(
        [
            ("When is the boat?", axis(0.9, 0.4)),
            ("Let me look.", axis(0, 0, 1)),
            ("At nine.", axis(0.05, 0, 0, 1)),
        ]
    ):
        make_episode(subject_id, text, vector, session_id=session, seq=seq)
    make_episode(subject_id, "Nine lives.", axis(0.06, 0, 0, 1), session_id=uuid.uuid4(), seq=9)
    context = {row.text: row.context for row in search(subject_id, vector=axis(1))}
    assert context["Let me look."] > context["At nine."] > context["Nine lives."] == 0


def test_the_turn_beside_a_hit_is_found_though_it_is_far_from_the_question(subject_id: uuid.UUID) -> None:
    session = uuid.uuid4()
    policy = Policy.from_overrides({"recall.candidates": 6})
    for at in range(8):
        make_episode(subject_id, f"noise {at}", axis(0.2, 0.9), session_id=uuid.uuid4(), seq=1)
    make_episode(subject_id, "the question", axis(0.9, 0, 0.4), session_id=session, seq=1)
    make_episode(subject_id, "the answer", axis(0, 0, 0, 1), session_id=session, seq=2)
    assert "the answer" in {row.text for row in search(subject_id, vector=axis(1), policy=policy)}


def test_a_turn_by_a_named_speaker_counts_more(subject_id: uuid.UUID) -> None:
    make_episode(subject_id, "I planted beans", axis(0.5, 0.8), speaker="Ruth")
    make_episode(subject_id, "I planted peas", axis(0.5, 0, 0.8), speaker="Omar")
    found = search(subject_id, "planted", axis(1), speakers=["@omar"])
    assert [row.text for row in found] == ["I planted peas", "I planted beans"]


def test_without_vectors_the_search_is_lexical(subject_id: uuid.UUID) -> None:
    make_memory(subject_id, "the contract number is KX-9", axis(1))
    make_memory(subject_id, "the cat sleeps", axis(1))
    found = search(subject_id, "contract number")
    assert [(row.text, row.cosine) for row in found] == [("the contract number is KX-9", None)]


def test_an_item_whose_vector_is_not_made_yet_does_not_outrank_a_better_match(subject_id: uuid.UUID) -> None:
    make_memory(subject_id, "the tea contract is signed", axis(0.9, 0.4))
    make_memory(subject_id, "tea", None)
    found = search(subject_id, "tea contract", axis(1))
    assert [row.text for row in found] == ["the tea contract is signed", "tea"]


def test_two_forms_of_a_question_both_search(subject_id: uuid.UUID) -> None:
    make_memory(subject_id, "umbrella is in the car", axis(0, 1))
    make_memory(subject_id, "rain tomorrow", axis(1))
    forms = [Form("do I need it", axis(0, 0, 1)), Form("umbrella rain", axis(0.7, 0.7))]
    found = search(subject_id, vector=axis(1), forms=forms)
    assert {row.text for row in found} == {"umbrella is in the car", "rain tomorrow"}
    assert all(row.cosine == pytest.approx(0.707, abs=2e-3) for row in found)


def test_an_open_contradiction_marks_both_sides(subject_id: uuid.UUID) -> None:
    older, newer = make_memory(subject_id, "a", axis(1)), make_memory(subject_id, "b", axis(1))
    make_memory(subject_id, "c", axis(1))
    Contradiction.objects.create(subject_id=subject_id, older=older, newer=newer, opened_at=NOW)
    assert {row.text: row.contradicted for row in search(subject_id, vector=axis(1))} == {
        "a": True,
        "b": True,
        "c": False,
    }


def test_near_rows_are_reported_with_their_cosine(subject_id: uuid.UUID) -> None:
    make_memory(subject_id, "a", axis(0.9, 0.1))
    make_memory(subject_id, "b", axis(0.89, 0.12))
    make_memory(subject_id, "c", axis(0.2, 0, 0.9))
    found = search(subject_id, vector=axis(1))
    assert found[0].near == {}
    assert found[1].near == pytest.approx({0: 1.0}, abs=5e-3)
    assert found[2].near == {}


def test_a_turn_said_long_ago_ranks_lower_but_stays(subject_id: uuid.UUID) -> None:
    make_episode(subject_id, "old", axis(1), said_at=NOW - timedelta(days=900))
    make_episode(subject_id, "new", axis(1))
    found = search(subject_id, vector=axis(1))
    assert [row.text for row in found] == ["new", "old"]
    assert found[1].strength == pytest.approx(2 ** (-900 / 180), rel=1e-6)


def test_a_clock_that_steps_back_strengthens_nothing(subject_id: uuid.UUID) -> None:
    make_memory(subject_id, "later", axis(1), said_at=NOW + timedelta(days=30))
    assert search(subject_id, vector=axis(1))[0].strength == pytest.approx(1.0)


def test_it_is_one_statement_once_the_size_of_the_subject_is_known(subject_id: uuid.UUID) -> None:
    make_memory(subject_id, "tea", axis(1))
    wanted = Search(
        subject_id=subject_id, forms=[Form("tea", axis(1))], space_id=active_space().id, now=NOW, returned=5
    )
    candidates(wanted, POLICY)
    with CaptureQueriesContext(connection) as queries:
        candidates(wanted, POLICY)
    statements = [query["sql"] for query in queries if "set_config" not in query["sql"]]
    assert len(statements) == 1


def test_a_search_without_a_question_is_an_error(subject_id: uuid.UUID) -> None:
    with pytest.raises(ValueError, match="at least one form"):
        search(subject_id, forms=[])


def test_the_same_search_in_another_tenant_finds_nothing() -> None:
    subject = make_subject(current_tenant_id())
    make_memory(subject, "tea", axis(1))
    assert search(subject, "tea", axis(1))
    foreign = make_tenant("globex")
    wanted = Search(
        subject_id=subject, forms=[Form("tea", axis(1))], space_id=active_space().id, now=NOW, returned=5
    )
    token = _scope.set(None)
    try:
        with tenant_transaction(foreign):
            assert candidates(wanted, POLICY) == []
    finally:
        _scope.reset(token)
