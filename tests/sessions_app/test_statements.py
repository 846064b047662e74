"""How often the hot path goes to the database: a message and its learning, each under a ceiling that a change may only lower."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sessions_app.services.learn_turn import learn_turn
from tests.sessions_app.conftest import Chat

pytestmark = pytest.mark.django_db(transaction=True)

_BOOKKEEPING = ("SAVEPOINT", "RELEASE SAVEPOINT", "BEGIN", "COMMIT", "SELECT set_config(")
FACT, SMALL_TALK, QUESTION, RECORD, LEARN, LEARN_OTHER = 71, 35, 45, 11, 41, 36


@pytest.fixture
def talked(chat: Chat) -> Chat:
    """A person of whom some things are known, and caches that are warm."""
    for text in ("My name is Bo.", "I live in Lisbon.", "My boss Ann likes tea.", "我妈妈住在苏州。"):
        chat.post(text)
    return chat


def statements(work: Callable[[], object]) -> list[str]:
    """Trips of the work to the database (that for the lock is two statements, the speakers are read in that of the search), but for what opens, scopes and ends transactions."""
    with CaptureQueriesContext(connection) as seen:
        work()
    return [one["sql"] for one in seen.captured_queries if not one["sql"].lstrip().startswith(_BOOKKEEPING)]


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("I moved to Porto last week.", FACT),
        ("我搬到无锡了。", FACT),
        ("thanks", SMALL_TALK),
        ("Where do I live?", QUESTION),
    ],
)
def test_a_message_stays_under_its_ceiling(talked: Chat, text: str, most: int) -> None:
    sent = statements(lambda: talked.post(text))
    assert len(sent) <= most, "\n".join(" ".join(one.split())[:160] for one in sent)


def test_recording_and_learning_a_turn_stay_under_theirs(talked: Chat) -> None:
    recorded = []
    assert len(statements(lambda: recorded.append(talked.say("I moved to Porto last week.")))) <= RECORD
    [turn] = recorded
    sent = statements(lambda: learn_turn(actor=talked.actor, turn_id=turn.pk))
    assert len(sent) <= LEARN, "\n".join(" ".join(one.split())[:160] for one in sent)
    other = talked.say("My sister Eva works at Nokia.")
    sent = statements(lambda: learn_turn(actor=talked.actor, turn_id=other.pk))
    assert len(sent) <= LEARN_OTHER, "\n".join(" ".join(one.split())[:160] for one in sent)
