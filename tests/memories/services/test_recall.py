"""Recall: who may ask, what comes back, what is written down about it, and what happens when a part is down."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from memories.adapters import factory
from memories.adapters.embedding_openai import OpenAIEmbedder
from memories.core.policy import Policy
from memories.models import Memory, RecallTrace
from memories.ports import FixedClock
from memories.services.index_episode import index_episode
from memories.services.pin import pin
from memories.services.policies import set_policy
from memories.services.recall import recall
from memories.services.remember import remember
from memories.services.replay_trace import replay_trace
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, NotFound
from tests.memories.services.conftest import WordEmbedder
from tests.memories.services.helpers import keep
from tests.support.model_server import Reply, model_server
from tests.support.people import House

pytestmark = pytest.mark.django_db


def texts(actor: Actor, subject_id: uuid.UUID, query: str, **fields: object) -> list[str]:
    return [item.text for item in recall(actor=actor, subject_id=subject_id, query=query, **fields).items]  # type: ignore[arg-type]


def say_turn(actor: Actor, subject_id: uuid.UUID, text: str, **fields: object) -> uuid.UUID:
    turn_id = uuid.uuid4()
    values: dict[str, object] = {
        "source_kind": "turn",
        "source_id": turn_id,
        "role": "user",
        "speaker": "",
        "said_at": factory.get_clock().now(),
        "session_id": None,
        "seq": 1,
        **fields,
    }
    index_episode(actor=actor, subject_id=subject_id, text=text, **values)  # type: ignore[arg-type]
    return turn_id


def test_what_was_kept_answers_a_question_in_other_words(user: Actor, subject_id: uuid.UUID) -> None:
    keep(user, subject_id, "the contract number is KX-4410")
    keep(user, subject_id, "green tea in the morning")
    result = recall(actor=user, subject_id=subject_id, query="which number has the contract?")
    assert result.items[0].text == "the contract number is KX-4410"
    assert not result.abstained
    assert result.degraded == ""
    assert result.items[0].parts["relevance"] > 0.3


def test_chinese_is_found_as_english_is(user: Actor, subject_id: uuid.UUID) -> None:
    keep(user, subject_id, "合同编号是 KX-4410")
    keep(user, subject_id, "早上喝绿茶")
    assert texts(user, subject_id, "合同编号是多少")[0] == "合同编号是 KX-4410"


def test_nothing_relevant_is_said_so(user: Actor, subject_id: uuid.UUID) -> None:
    keep(user, subject_id, "green tea in the morning")
    result = recall(actor=user, subject_id=subject_id, query="passport expiry date")
    assert result.abstained
    assert result.items == []
    with tenant_transaction(user.tenant_id):
        assert RecallTrace.objects.get(id=result.trace_id).abstained


def test_an_empty_memory_abstains(user: Actor, subject_id: uuid.UUID) -> None:
    result = recall(actor=user, subject_id=subject_id, query="anything at all?")
    assert (result.abstained, result.items, result.considered) == (True, [], 0)


def test_a_colleague_may_not_ask_and_learns_nothing(acme: House, subject_id: uuid.UUID, user: Actor) -> None:
    keep(user, subject_id, "green tea in the morning")
    with pytest.raises(NotFound):
        recall(actor=acme.actor("other"), subject_id=subject_id, query="green tea")


def test_another_tenant_finds_nothing(acme: House, globex: House, subject_id: uuid.UUID, user: Actor) -> None:
    keep(user, subject_id, "green tea in the morning")
    with pytest.raises(NotFound):
        recall(actor=globex.actor("admin"), subject_id=subject_id, query="green tea")
    assert texts(acme.actor("operator"), subject_id, "green tea") == ["green tea in the morning"]


def test_a_session_keeps_its_own_memories(user: Actor, subject_id: uuid.UUID) -> None:
    here, there = uuid.uuid4(), uuid.uuid4()
    keep(user, subject_id, "the word is heron", scope="session", session_id=here)
    assert texts(user, subject_id, "the word heron", session_id=here) == ["the word is heron"]
    assert texts(user, subject_id, "the word heron", session_id=there) == []
    assert texts(user, subject_id, "the word heron") == []


def test_without_an_embedder_it_searches_by_words_and_says_so(
    user: Actor, subject_id: uuid.UUID, embedder: WordEmbedder
) -> None:
    keep(user, subject_id, "the contract number is KX-4410")
    embedder.down = True
    result = recall(actor=user, subject_id=subject_id, query="contract number")
    assert [item.text for item in result.items] == ["the contract number is KX-4410"]
    assert result.degraded == "no_embedding"
    assert "cosine" not in result.items[0].parts
    with tenant_transaction(user.tenant_id):
        assert RecallTrace.objects.get(id=result.trace_id).degraded == "no_embedding"


def test_a_wrong_embeddings_key_leaves_the_words_and_loses_no_write(
    user: Actor, subject_id: uuid.UUID
) -> None:
    with model_server() as server:
        server.script(*[Reply(status=401)] * 20)
        remote = OpenAIEmbedder(server.base_url, "m", "expired", sleep=lambda _: None)
        with factory.override(embedder=remote):
            assert keep(user, subject_id, "the contract number is KX-4410").code == "stored"
            result = recall(actor=user, subject_id=subject_id, query="contract number?")
    assert result.degraded == "no_embedding"
    assert [item.text for item in result.items] == ["the contract number is KX-4410"]


def test_a_secret_in_a_question_is_kept_nowhere(
    user: Actor, subject_id: uuid.UUID, embedder: WordEmbedder
) -> None:
    keep(user, subject_id, "the router stands in the hall")
    recall(
        actor=user,
        subject_id=subject_id,
        query="my password is hunter2xyz, isn't it?",
        standalone_query="is the router's password: hunter2xyz?",
    )
    with tenant_transaction(user.tenant_id):
        [trace] = RecallTrace.objects.all()
    assert "hunter2xyz" not in trace.query + trace.standalone_query
    assert "hunter2xyz" not in str(embedder.calls)


def test_a_chosen_row_far_down_the_ranking_stands_in_the_trace(user: Actor, subject_id: uuid.UUID) -> None:
    for _ in range(8):
        say_turn(user, subject_id, "the green paint is in the cellar on the left shelf")
    say_turn(user, subject_id, "the paint roller hangs beside the door")
    result = recall(actor=user, subject_id=subject_id, query="where is the green paint on the shelf?", k=2)
    with tenant_transaction(user.tenant_id):
        [trace] = RecallTrace.objects.all()
    assert result.items[1].text == "the paint roller hangs beside the door"
    assert {row["id"] for row in trace.considered if row["used"]} == {str(item.id) for item in result.items}


def test_what_is_kept_while_the_embedder_is_down_is_found_at_once(
    user: Actor, subject_id: uuid.UUID, embedder: WordEmbedder
) -> None:
    embedder.down = True
    keep(user, subject_id, "the contract number is KX-4410")
    embedder.down = False
    assert texts(user, subject_id, "contract number KX-4410") == ["the contract number is KX-4410"]


def test_the_embedder_works_outside_the_transaction(
    user: Actor, subject_id: uuid.UUID, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memoryhub.common.db import _scope

    seen: list[bool] = []
    embed = embedder.embed
    monkeypatch.setattr(
        embedder, "embed", lambda *a, **k: (seen.append(_scope.get() is not None), embed(*a, **k))[1]
    )
    recall(actor=user, subject_id=subject_id, query="contract number")
    assert seen == [False]


def test_the_trace_tells_what_was_considered_and_what_was_used(user: Actor, subject_id: uuid.UUID) -> None:
    for at in range(9):
        keep(user, subject_id, f"tea number {at}")
    turn_id = uuid.uuid4()
    result = recall(
        actor=user,
        subject_id=subject_id,
        query="and tea?",
        standalone_query="which tea number",
        turn_id=turn_id,
        k=3,
    )
    with tenant_transaction(user.tenant_id):
        trace = RecallTrace.objects.get(id=result.trace_id)
    assert (trace.query, trace.standalone_query, trace.turn_id) == ("and tea?", "which tea number", turn_id)
    assert len(trace.considered) == 6  # Twice what was asked for.
    assert [entry["id"] for entry in trace.considered if entry["used"]] == [
        str(item.id) for item in result.items
    ]
    assert len(result.items) == 3
    assert "tea number" not in str(trace.considered)
    assert set(trace.considered[0]["scores"]) >= {
        "similarity",
        "lexical",
        "strength",
        "recency",
        "importance",
        "credibility",
    }


def test_a_trace_replays_to_the_same_ranking_and_to_another_under_another_policy(
    user: Actor, subject_id: uuid.UUID
) -> None:
    keep(user, subject_id, "tea is important", importance=0.95)
    keep(user, subject_id, "tea is important to him", importance=0.05)
    result = recall(actor=user, subject_id=subject_id, query="tea is important to him")
    replay = replay_trace(actor=user, trace_id=result.trace_id or uuid.uuid4())
    assert [row.place_now for row in replay.rows] == [row.place_then for row in replay.rows]
    assert all(row.score_now == pytest.approx(row.score_then, abs=2e-4) for row in replay.rows)
    others = Policy.from_overrides({"recall.weight.importance": 1.0, "recall.weight.similarity": 0.0})
    changed = replay_trace(actor=user, trace_id=result.trace_id or uuid.uuid4(), policy=others)
    best = max(changed.rows, key=lambda row: row.score_now)
    with tenant_transaction(user.tenant_id):
        assert Memory.objects.get(id=best.item_id).importance == 0.95


def test_a_trace_is_not_another_persons_to_replay(acme: House, user: Actor, subject_id: uuid.UUID) -> None:
    result = recall(actor=user, subject_id=subject_id, query="tea")
    with pytest.raises(NotFound):
        replay_trace(actor=acme.actor("other"), trace_id=result.trace_id or uuid.uuid4())


def test_recall_reinforces_once_a_turn_and_never_when_told_not_to(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    kept = keep(user, subject_id, "green tea in the morning")

    def strength() -> float:
        with tenant_transaction(user.tenant_id):
            return Memory.objects.get(id=kept.memory_id).strength

    recall(actor=user, subject_id=subject_id, query="green tea", reinforce=False)
    assert strength() == pytest.approx(1.0)
    turn_id = uuid.uuid4()
    recall(actor=user, subject_id=subject_id, query="green tea", turn_id=turn_id)
    recall(actor=user, subject_id=subject_id, query="green tea", turn_id=turn_id)
    assert strength() == pytest.approx(1.5)
    recall(actor=user, subject_id=subject_id, query="green tea", turn_id=uuid.uuid4())
    assert strength() == pytest.approx(2.0)


def test_no_trace_is_left_when_none_is_wanted(user: Actor, subject_id: uuid.UUID) -> None:
    assert recall(actor=user, subject_id=subject_id, query="tea", trace=False).trace_id is None
    with tenant_transaction(user.tenant_id):
        assert not RecallTrace.objects.exists()


def test_near_identical_turns_do_not_crowd_out_the_rest(user: Actor, subject_id: uuid.UUID) -> None:
    for _ in range(6):
        say_turn(user, subject_id, "the ferry to the island leaves at nine")
    say_turn(user, subject_id, "the ferry leaves from pier four")
    found = texts(user, subject_id, "when does the ferry to the island leave", k=3)
    assert "the ferry leaves from pier four" in found


def test_the_same_sentence_with_another_number_is_no_duplicate(user: Actor, subject_id: uuid.UUID) -> None:
    say_turn(user, subject_id, "the ferry to the island leaves at 9:00")
    say_turn(user, subject_id, "the ferry to the island leaves at 9:30")
    assert len(texts(user, subject_id, "when does the ferry to the island leave", k=2)) == 2


def test_a_name_in_the_question_finds_what_that_person_said(user: Actor, subject_id: uuid.UUID) -> None:
    session = uuid.uuid4()
    say_turn(user, subject_id, "Ruth, that is lovely, Ruth!", speaker="Omar", session_id=session, seq=1)
    say_turn(user, subject_id, "planted beans by the wall", speaker="Ruth", session_id=uuid.uuid4(), seq=1)
    say_turn(user, subject_id, "planted peas by the wall", speaker="Omar", session_id=uuid.uuid4(), seq=1)
    assert texts(user, subject_id, "What was planted by Ruth?")[0] == "planted beans by the wall"


def test_a_chinese_name_does_so_too(user: Actor, subject_id: uuid.UUID) -> None:
    say_turn(user, subject_id, "在院子里种了豆子", speaker="周宁", session_id=uuid.uuid4(), seq=1)
    say_turn(user, subject_id, "在院子里种了番茄", speaker="何舒", session_id=uuid.uuid4(), seq=1)
    assert texts(user, subject_id, "何舒在院子里种了什么")[0] == "在院子里种了番茄"


def test_the_turns_in_the_window_are_left_out(user: Actor, subject_id: uuid.UUID) -> None:
    seen = say_turn(user, subject_id, "the ferry leaves at nine")
    assert texts(user, subject_id, "when does the ferry leave", exclude_turn_ids=[seen]) == []


def test_a_pinned_memory_comes_first_among_equals(user: Actor, subject_id: uuid.UUID) -> None:
    keep(user, subject_id, "walks by the river")
    second = keep(user, subject_id, "walks by the harbour")
    assert second.memory_id is not None
    pin(actor=user, memory_id=second.memory_id, pinned=True)
    assert texts(user, subject_id, "walks by the")[0] == "walks by the harbour"


def test_a_memory_names_the_turns_that_it_comes_from(user: Actor, subject_id: uuid.UUID) -> None:
    turn_id = uuid.uuid4()
    remember(
        actor=user, subject_id=subject_id, content="green tea in the morning", infer=False, turn_id=turn_id
    )
    [item] = recall(actor=user, subject_id=subject_id, query="green tea").items
    assert (item.source_ids, item.item_kind, item.source) == ([turn_id], "memory", "user")


def test_a_tenant_may_set_another_threshold(acme: House, user: Actor, subject_id: uuid.UUID) -> None:
    keep(user, subject_id, "green tea in the morning")
    assert texts(user, subject_id, "a green boat")
    set_policy(actor=acme.actor("admin"), overrides={"recall.threshold": 0.9})
    from memories.services import policies

    policies.forget_cached()
    assert texts(user, subject_id, "a green boat") == []


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"query": "  "}, "query"),
        ({"query": "tea", "k": 0}, "k"),
        ({"query": "tea", "k": 101}, "k"),
        ({"query": "tea", "metadata": {"a": {"b": "p\x00q"}}}, "metadata"),
        ({"query": "tea", "tags": ["\ud800"]}, "tags"),
        ({"query": "tea", "as_of": datetime(2026, 1, 1)}, "as_of"),  # noqa: DTZ001
    ],
)
def test_a_bad_question_is_refused_with_the_field(
    user: Actor, subject_id: uuid.UUID, fields: dict[str, object], field: str
) -> None:
    with pytest.raises(Invalid) as refused:
        recall(actor=user, subject_id=subject_id, **fields)  # type: ignore[arg-type]
    assert field in refused.value.fields


def test_a_question_of_punctuation_alone_searches_by_words_and_finds_nothing(
    user: Actor, subject_id: uuid.UUID
) -> None:
    keep(user, subject_id, "green tea in the morning")
    assert recall(actor=user, subject_id=subject_id, query="???").items == []


def test_the_search_is_one_statement_however_many_items_there_are(user: Actor, subject_id: uuid.UUID) -> None:
    for at in range(12):
        keep(user, subject_id, f"tea number {at}")
    recall(actor=user, subject_id=subject_id, query="tea number", reinforce=False)
    with CaptureQueriesContext(connection) as queries:
        recall(actor=user, subject_id=subject_id, query="tea number", reinforce=False, trace=False)
    reading = [q["sql"] for q in queries if "halfvec" in q["sql"]]
    assert len(reading) == 1
    # Besides it: whether the subject is there and which speakers are named (before anything is embedded, and with the
    # search), the embedding space, and the transactions of both (savepoints in a test).
    assert len(queries) <= 14


def test_as_of_reads_the_words_of_that_time(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    from memories.services.edit import edit

    kept = keep(user, subject_id, "the ferry leaves at nine")
    then = clock.now() + timedelta(hours=1)
    clock.advance(days=2)
    assert kept.memory_id is not None
    edit(actor=user, memory_id=kept.memory_id, content="the ferry leaves at ten")
    assert texts(user, subject_id, "when does the ferry leave") == ["the ferry leaves at ten"]
    assert texts(user, subject_id, "when does the ferry leave", as_of=then) == ["the ferry leaves at nine"]
