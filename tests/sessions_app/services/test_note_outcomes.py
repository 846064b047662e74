"""What a model made of a turn stands on the turn beside what the rules made of it, and a later reading replaces it."""

from __future__ import annotations

from memories import turn_notes
from memories.services.outcome import Outcome, Reason
from memoryhub.common.db import tenant_transaction
from sessions_app.models import Turn
from tests.sessions_app.conftest import Chat


def test_the_models_outcomes_stand_beside_those_of_the_rules(chat: Chat) -> None:
    turn = chat.say("I live in Coimbra")
    chat.work()
    for rule in ("model.unavailable", "model.nothing"):
        with tenant_transaction(turn.tenant_id):
            turn_notes.note(turn.pk, [Outcome(Reason.ERROR, rule=rule)])
    with tenant_transaction(turn.tenant_id):
        rows = Turn.objects.get(pk=turn.pk).outcomes
    assert [row["code"] for row in rows] == ["stored", "error"]
    assert rows[-1]["rule"] == "model.nothing"
