"""Sessions of two arms through the real services: other policies in recall, context, window and slots, and numbers by hand."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories.core.experiments import Arm, ArmNumbers
from memories.models import Experiment, Feedback, Memory, RecallTrace, Slot
from memories.ports import FixedClock
from memories.services.experiments.create_experiment import create_experiment
from memories.services.experiments.results import experiment_results
from memories.services.experiments.start_experiment import start_experiment
from memories.services.experiments.stop_experiment import stop_experiment
from memories.services.feedback import give_feedback
from memories.services.policies import forget_cached
from memories.services.recall import recall
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession, Digest, Turn
from sessions_app.services.assemble_context import assemble_context
from sessions_app.services.compact_session import compact_session
from sessions_app.services.set_outcome import set_outcome
from tests.sessions_app.conftest import Chat, chat_of
from tests.support.people import House

pytestmark = pytest.mark.django_db


def run(house: House, **overrides: object) -> Experiment:
    admin = house.actor("admin")
    row = create_experiment(actor=admin, name="x", hypothesis="y", overrides={
        key.replace("__", "."): value for key, value in overrides.items()
    })  # fmt: skip
    row = start_experiment(actor=admin, experiment_id=row.pk)
    forget_cached()
    return row


def two_chats(house: House, clock: FixedClock) -> dict[Arm, Chat]:
    """One session in each arm, opened by the real service."""
    found: dict[Arm, Chat] = {}
    while len(found) < 2:
        made = chat_of(house, clock)
        found.setdefault(Arm(made.session.policy_variant), made)
    return found


def traces(house: House, session_id: uuid.UUID) -> list[RecallTrace]:
    with tenant_transaction(house.id):
        return list(RecallTrace.objects.filter(session_id=session_id).order_by("id"))


FACTS = [
    f"My {thing} lives in {town}."
    for thing, town in [
        ("aunt", "Lisbon"),
        ("uncle", "Porto"),
        ("sister", "Madrid"),
        ("brother", "Paris"),
        ("cousin", "Vienna"),
        ("niece", "Prague"),
    ]
]


def test_a_session_knows_its_arm_from_its_opening_on(acme: House, clock: FixedClock) -> None:
    before = chat_of(acme, clock)
    assert (before.session.experiment_id, before.session.policy_variant) == (None, "")
    row = run(acme, recall__k=2)
    arms = {
        (one.session.experiment_id, one.session.policy_variant) for one in two_chats(acme, clock).values()
    }
    assert arms == {(row.pk, "a"), (row.pk, "b")}
    stop_experiment(actor=acme.actor("admin"), experiment_id=row.pk)
    forget_cached()
    assert chat_of(acme, clock).session.policy_variant == ""


def test_recall_within_a_session_goes_by_its_arm(acme: House, clock: FixedClock, chat: Chat) -> None:
    for text in FACTS:
        chat.say(text)
    chat.work()
    row = run(acme, recall__k=2)
    chats = two_chats(acme, clock)
    assert chat.actor.subject_id is not None
    counts = {}
    for arm, one in [*chats.items(), (None, None)]:
        found = recall(
            actor=chat.actor,
            subject_id=chat.actor.subject_id,
            query="Where does my aunt, uncle, sister, brother, cousin or niece live?",
            session_id=one.id if one else None,
            reinforce=False,
        )
        counts[arm] = len(found.items)
        with tenant_transaction(acme.id):
            trace = RecallTrace.objects.get(pk=found.trace_id)
        assert (trace.arm, trace.experiment_id) == ((arm, row.pk) if arm else ("", None))
    assert counts == {Arm.A: 6, Arm.B: 2, None: 6}


def test_contexts_of_the_two_arms_differ_and_their_traces_say_by_which_they_went(
    acme: House, clock: FixedClock, chat: Chat
) -> None:
    """B reads some 100 tokens of memories and one round of what was said; its trace names version, experiment and arm."""
    for text in FACTS:
        chat.say(text)
    chat.work()
    row = run(acme, context__memory_tokens=100, window__new_topic_rounds=1, window__no_recall_rounds=1)
    made: dict[Arm, Any] = {}
    for arm, one in two_chats(acme, clock).items():
        for text in ("Thanks!", "Hello!", "Good morning!"):
            one.say(text)
        made[arm] = assemble_context(
            actor=one.actor, session_id=one.id, question="Where do my aunt, uncle, sister and brother live?"
        )
        (trace,) = traces(acme, one.id)
        assert (trace.policy_version, trace.experiment_id, trace.arm) == (0, row.pk, arm)
        skipped = assemble_context(actor=one.actor, session_id=one.id, question="Thanks!")
        assert skipped.recall is None
        assert {(each.experiment_id, each.arm) for each in traces(acme, one.id)} == {(row.pk, arm)}
        made[arm] = (made[arm], len(skipped.turn_ids))
    (in_a, rounds_a), (in_b, rounds_b) = made[Arm.A], made[Arm.B]
    assert in_b.sections["memories"] < 120 < 150 < in_a.sections["memories"]
    assert rounds_b < rounds_a


def test_a_window_is_compacted_by_the_policy_of_its_arm(acme: House, clock: FixedClock) -> None:
    run(acme, window__rounds=3, window__keep_turns=2, window__least_leaving=1, digest__max_chars=60)
    digests: dict[Arm, list[Digest]] = {}
    for arm, one in two_chats(acme, clock).items():
        for number in range(5):
            one.say(f"On floor {number} stand {number + 2} blue chairs.")
            one.say("I see.", role="assistant")
        report = compact_session(actor=one.actor, session_id=one.id)
        assert (report.reason == "compacted") == (arm == Arm.B)
        with tenant_transaction(acme.id):
            digests[arm] = list(Digest.objects.filter(session_id=one.id))
    assert digests[Arm.A] == [] and digests[Arm.B]


def test_turns_ring_for_a_compaction_by_the_policy_of_their_arm(acme: House, clock: FixedClock) -> None:
    run(acme, window__rounds=3, window__keep_turns=2, window__least_leaving=1)
    for arm, one in two_chats(acme, clock).items():
        for number in range(5):
            one.say(f"On floor {number} stand {number + 2} blue chairs.")
            one.say("I see.", role="assistant")
        one.work()
        with tenant_transaction(acme.id):
            assert Digest.objects.filter(session_id=one.id).exists() == (arm == Arm.B)


def test_slots_live_as_long_as_the_arm_of_their_session_says(acme: House, clock: FixedClock) -> None:
    run(acme, slots__ttl__entity_minutes=10)
    ends = {}
    for arm, one in two_chats(acme, clock).items():
        topic = {"a": "Lisbon", "b": "Porto"}[arm.value]
        turn = one.say(f"I work in {topic}.")
        one.work()
        with tenant_transaction(acme.id):
            slot = Slot.objects.filter(session_id=one.id, kind="entity", value__icontains=topic).first()
        assert slot is not None
        ends[arm] = (slot.expires_at - turn.said_at).total_seconds() / 60
    assert ends[Arm.B] <= 30 < 600 < ends[Arm.A]


def test_what_is_used_is_strengthened_by_the_policy_of_its_arm(
    acme: House, clock: FixedClock, chat: Chat
) -> None:
    chat.say("My aunt lives in Lisbon.")
    chat.work()
    run(acme, reinforce__enabled="off")
    hits = []
    for arm in (Arm.B, Arm.A):
        one = two_chats(acme, clock)[arm]
        clock.advance(minutes=1)
        assemble_context(actor=one.actor, session_id=one.id, question="Where does my aunt live?")
        with tenant_transaction(acme.id):
            hits.append(sum(Memory.objects.values_list("hits", flat=True)))
    assert hits[0] == 0 < hits[1]


def test_a_session_that_was_open_before_is_not_counted(acme: House, clock: FixedClock, chat: Chat) -> None:
    row = run(acme, recall__k=2)
    assemble_context(actor=chat.actor, session_id=chat.id, question="Where does my aunt live?")
    (trace,) = traces(acme, chat.id)
    assert trace.experiment_id == row.pk
    found = experiment_results(actor=acme.actor("operator"), experiment_id=row.pk)
    assert (found.a.sessions, found.b.sessions) == (0, 0)
    assert (found.a.tokens.n, found.b.tokens.n) == (0, 0)


def row_of(arm: Arm, experiment: Experiment, subject_id: uuid.UUID, outcome: str = "") -> ChatSession:
    made: ChatSession = ChatSession.objects.create(
        subject_id=subject_id, experiment_id=experiment.pk, policy_variant=arm.value, outcome=outcome,
        started_at=experiment.started_at, last_activity_at=experiment.started_at,
    )  # fmt: skip
    return made


def test_numbers_are_those_of_the_sessions(acme: House, globex: House, clock: FixedClock) -> None:
    experiment, subject_id = run(acme, recall__k=2), acme.subjects["user"]
    assert experiment.started_at is not None
    with tenant_transaction(acme.id):
        for arm, outcomes in ((Arm.A, "done done failed reworked -"), (Arm.B, "done reworked - -")):
            rows = [row_of(arm, experiment, subject_id, one.strip("-")) for one in outcomes.split()]
            # The first session: three turns, of which one skipped the recall; the second: one turn.
            for row, tokens, abstained, ms in (
                (rows[0], 100, False, 10.0),
                (rows[0], 300, True, 30.0),
                (rows[0], 200, False, 0.0),
                (rows[1], 400, False, 40.0),
            ):
                RecallTrace.objects.create(
                    subject_id=subject_id, session_id=row.pk, experiment_id=experiment.pk, arm=arm.value,
                    used_tokens=tokens, abstained=abstained, milliseconds=ms, at=clock.now(),
                )  # fmt: skip
            at = {"said_at": clock.now(), "created_at": clock.now()}
            turn = Turn.objects.create(session=rows[0], seq=1, role="assistant", content="x", **at)
            for verdict in ("right", "wrong"):
                Feedback.objects.create(
                    subject_id=subject_id, turn_id=turn.pk, verdict=verdict, at=clock.now()
                )
            told = RecallTrace.objects.filter(session_id=rows[1].pk).get()
            Feedback.objects.create(subject_id=subject_id, trace_id=told.pk, verdict="right", at=clock.now())
        # Neither a verdict on no session, nor a session of no experiment, counts.
        Feedback.objects.create(subject_id=subject_id, turn_id=uuid.uuid4(), verdict="wrong", at=clock.now())
    chat_of(globex, clock)
    found = experiment_results(actor=acme.actor("operator"), experiment_id=experiment.pk)
    numbers = {Arm.A: found.a, Arm.B: found.b}
    for arm, (sessions, outcomes, done, reworked) in {Arm.A: (5, 4, 2, 1), Arm.B: (4, 2, 1, 1)}.items():
        one: ArmNumbers = numbers[arm]
        assert (one.sessions, one.outcomes, one.done, one.reworked) == (sessions, outcomes, done, reworked)
        assert (one.judged, one.bad) == (2, 1)
        # Sessions by their means: 200 and 400 tokens; half and none; 20 and 40 ms.
        assert (one.tokens.n, one.tokens.mean, one.tokens.variance) == (2, 300.0, 20_000.0)
        assert (one.abstained.n, one.abstained.mean) == (2, 0.25)
        assert (one.milliseconds.n, one.milliseconds.mean) == (2, 30.0)
    assert found.early and all(one.better is None for one in found.measures)


def test_the_numbers_are_read_in_a_bounded_number_of_queries_through_their_indexes(
    acme: House, clock: FixedClock
) -> None:
    experiment = run(acme, recall__k=2)
    operator = acme.actor("operator")

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            experiment_results(actor=operator, experiment_id=experiment.pk)
        return len(queries)

    few = count()
    with tenant_transaction(acme.id):
        for arm in Arm:
            for _ in range(40):
                row_of(arm, experiment, acme.subjects["user"], "done")
    assert count() == few <= 6
    with tenant_transaction(acme.id), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        for sql, index in (
            (
                "SELECT id FROM sessions_app_chatsession WHERE tenant_id = %s AND experiment_id = %s ORDER BY id DESC LIMIT 9",
                "session_of_experiment",
            ),
            (
                "SELECT id FROM memories_recalltrace WHERE tenant_id = %s AND experiment_id = %s ORDER BY at DESC LIMIT 9",
                "trace_of_experiment",
            ),
        ):
            cursor.execute(f"EXPLAIN {sql}", [acme.id, experiment.pk])
            assert index in str(cursor.fetchall())


@pytest.mark.django_db(transaction=True)
def test_an_outcome_by_the_service_and_a_verdict_count_at_once(acme: House, clock: FixedClock) -> None:
    experiment = run(acme, recall__k=2)
    one = two_chats(acme, clock)[Arm.B]
    turn = one.ask("Where does my aunt live?")
    assert one.actor.subject_id is not None
    give_feedback(actor=one.actor, subject_id=one.actor.subject_id, verdict="irrelevant", turn_id=turn.pk)
    set_outcome(actor=one.actor, session_id=one.id, outcome="reworked")
    found = experiment_results(actor=acme.actor("operator"), experiment_id=experiment.pk)
    assert (found.b.outcomes, found.b.reworked, found.b.judged, found.b.bad) == (1, 1, 1, 1)
    assert found.b.tokens.n == 1 and found.a.outcomes == 0
