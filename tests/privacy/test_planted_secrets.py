"""Two hundred secrets through every door of the running system: none is found in the clear in anything that is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection

from accounts.actor import Actor, system_actor
from memories.adapters.embedding_openai import OpenAIEmbedder
from memories.adapters.factory import override
from memories.core.errors import SensitiveBlocked
from memories.core.pii import detection as pii
from memories.models import Approval, Memory
from memories.services import embedding_space, policies
from memories.services.approve import decide_approval
from memories.services.declare_constraint import declare_tenant_constraint
from memories.services.edit import edit
from memories.services.experiments.create_experiment import create_experiment
from memories.services.forget_by_words import forget_by_words
from memories.services.import_memories import Given, import_memories
from memories.services.policies import set_policy
from memories.services.recall import recall
from memories.services.remember import remember
from memoryhub.common.db import tenant_transaction
from memoryhub.embedded import ephemeral
from sessions_app.generation import generate
from sessions_app.services.compact_session import compact_session
from sessions_app.services.open_session import open_session
from sessions_app.services.post_message import post_message
from sessions_app.services.record_turn import record_turn
from sessions_app.services.rename_session import rename_session
from tests.support.dump import database_dump, places_of, valkey_dump
from tests.support.model_server import ModelServer, model_server
from tests.support.people import House, make_house
from tests.support.secrets import Maker, Planted
from tests.support.worker import wait_until_done, worker

pytestmark = pytest.mark.django_db(transaction=True)

POLICY = {"pii.action.phone": "encrypt", "pii.action.email": "ask"}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """An endpoint for embeddings, of which we see what it is sent; it takes no time."""
    with model_server() as running:
        yield running


@pytest.fixture
def house(transactional_db: None, server: ModelServer) -> Iterator[House]:
    policies.forget_cached()
    embedding_space.forget_cached()
    with override(embedder=OpenAIEmbedder(server.base_url, "test-model", "k")):
        yield from _house()
    embedding_space.forget_cached()


def _house() -> Iterator[House]:
    made = make_house("acme")
    set_policy(actor=system_actor(made.id), overrides=POLICY)
    yield made
    policies.forget_cached()


async def nobody(frame: dict[str, Any]) -> None:
    """A reader that is not there."""


class Doors:
    """Every way in; each call takes one thing that somebody says."""

    def __init__(self, house: House) -> None:
        self.house, self.me = house, house.actor("user")
        assert self.me.subject_id is not None
        self.subject_id = self.me.subject_id
        self.system: Actor = system_actor(house.id, door="rest")
        self.session = open_session(actor=self.me, subject_id=self.subject_id)
        self.api = house.api("read", "write")
        self.who = str(house.user_of("user").pk)
        self.note = remember(
            actor=self.me, subject_id=self.subject_id, content="A plain note to be edited", infer=False
        )[0].memory_id

    def all(self) -> list[Any]:
        return [getattr(self, name) for name in dir(self) if name.startswith("by_")]

    def by_message(self, one: Planted) -> None:
        posted = post_message(actor=self.me, session_id=self.session.pk, content=one.text)
        async_to_sync(generate)(posted, actor=self.me, publish=nobody)

    def by_turn(self, one: Planted) -> None:
        record_turn(
            actor=self.me, session_id=self.session.pk, role="user", content=one.text, speaker=one.text[:190]
        )

    def by_answer(self, one: Planted) -> None:
        record_turn(actor=self.me, session_id=self.session.pk, role="assistant", content=one.text)

    def by_tool(self, one: Planted) -> None:
        rows = "\n".join(f"row {number}: nothing to see here" for number in range(60))
        record_turn(
            actor=self.me, session_id=self.session.pk, role="tool", content=f"{rows}\n{one.text}\n{rows}"
        )

    def by_title(self, one: Planted) -> None:
        title = one.text[:190] if len(one.text) > 190 else one.text
        session = open_session(actor=self.me, subject_id=self.subject_id, title=title)
        rename_session(actor=self.me, session_id=session.pk, title=title)

    def by_remember(self, one: Planted) -> None:
        remember(actor=self.system, subject_id=self.subject_id, content=one.text)

    def by_note(self, one: Planted) -> None:
        remember(actor=self.system, subject_id=self.subject_id, content=f"Note: {one.text}", infer=False)

    def by_constraint(self, one: Planted) -> None:
        content = f"Always remember: {one.text}"
        remember(
            actor=self.system, subject_id=self.subject_id, content=content, kind="constraint", infer=False
        )

    def by_tags_and_metadata(self, one: Planted) -> None:
        # As people fill forms: the label is the key.
        remember(
            actor=self.system,
            subject_id=self.subject_id,
            content="A note with a lot beside it",
            infer=False,
            tags=[one.text] if len(one.text) <= 64 and "\n" not in one.text else [],
            metadata={one.label: one.value, "said": [{"text": one.text}]},
        )

    def by_edit(self, one: Planted) -> None:
        assert self.note is not None
        try:
            edit(actor=self.system, memory_id=self.note, content=f"Edited: {one.text}")
        except SensitiveBlocked:
            edit(actor=self.system, memory_id=self.note, content=f"A plain note, edited {one.kind}")

    def by_question(self, one: Planted) -> None:
        recall(actor=self.system, subject_id=self.subject_id, query=f"Did I say this? {one.text}")

    def by_import(self, one: Planted) -> None:
        rows = [Given(one.text), Given(f"Noted: {one.value}", tags=["old"], metadata={one.label: one.value})]
        import_memories(actor=self.system, subject_id=self.subject_id, memories=rows)

    def by_asking_to_forget(self, one: Planted) -> None:
        forget_by_words(actor=self.me, subject_id=self.subject_id, text=f"Forget this please: {one.text}")

    def by_tenant_rule(self, one: Planted) -> None:
        if len(one.text) <= 900:
            declare_tenant_constraint(actor=self.system, content=f"Nobody may write: {one.text}")

    def by_experiment(self, one: Planted) -> None:
        text = one.text[:90] if len(one.text) > 90 else one.text
        create_experiment(
            actor=self.system, name=text, hypothesis=f"It gets better. {text}", overrides={"recall.k": 9}
        )

    def by_rest(self, one: Planted) -> None:
        self._post("/api/v1/memories/", {"content": one.text, "subject": self.who}, {200, 201, 404})

    def by_rest_question(self, one: Planted) -> None:
        self._post("/api/v1/recall/", {"query": one.text, "subject": self.who}, {200, 404})

    def by_rest_message(self, one: Planted) -> None:
        client = self.house.client("user")
        url = f"/api/v1/sessions/{self.session.pk}/messages/"
        answer = client.post(url, {"content": one.text, "reply": False}, content_type="application/json")
        assert answer.status_code in {200, 201}, answer.content

    def by_rest_mistake(self, one: Planted) -> None:
        """What is refused is not kept either: not in a log, not in the answer."""
        answer = self._post("/api/v1/memories/", {"content": "x", "kind": one.text}, {400})
        assert one.needles[0].encode() not in answer.content

    def _post(self, url: str, body: dict[str, Any], allowed: set[int]) -> Any:
        answer = self.api.post(url, body, content_type="application/json")
        assert answer.status_code in allowed, answer.content
        return answer


def test_no_planted_secret_is_kept_in_the_clear(
    house: House, server: ModelServer, log_lines: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    planted = Maker(7731).all(200)
    unseen = [one for one in planted if one.kind not in pii.apply(one.text).types]
    assert unseen == [], "the detector has to know what is planted"
    doors = Doors(house)
    endpoint = {
        "EMBEDDINGS_BASE_URL": server.base_url,
        "EMBEDDINGS_MODEL": "test-model",
        "EMBEDDINGS_API_KEY": "k",
    }
    with worker(tmp_path / "worker.log", **endpoint) as process:
        ways_in = doors.all()
        # Each door meets each kind: their numbers have no common divisor.
        assert len(ways_in) == 19
        for number, one in enumerate(planted):
            ways_in[(number + number // 20) % len(ways_in)](one)
        wait_until_done(house.id, process)
        compact_session(actor=doors.system, session_id=doors.session.pk, closing=True)
        wait_until_done(house.id, process)
    needles = {needle for one in planted for needle in one.needles}
    dump = database_dump(str(connection.settings_dict["NAME"]))
    assert sum(len(text) for text in dump.values()) > 50_000
    assert places_of(needles, dump) == {}
    assert places_of(needles, valkey_dump()) == {}
    sent = {str(number): json.dumps(request) for number, request in enumerate(server.requests)}
    assert len(sent) > 100
    assert places_of(needles, sent) == {}
    captured = capfd.readouterr()
    logs = {"here": "\n".join(log_lines), "stdout": captured.out, "stderr": captured.err}
    logs["worker"] = (tmp_path / "worker.log").read_text(errors="replace")
    assert "memories.tasks.run_job" in logs["worker"], "the worker had nothing to do"
    for running in ephemeral._running.values():
        logs |= {str(path): path.read_text(errors="replace") for path in running.folder.glob("*.log")}
    assert places_of(needles, logs) == {}

    # What is to be encrypted, or asked about, is not lost by that: it waits, and only who asks in the tenant reads it.
    with tenant_transaction(house.id):
        sealed = [str(row.content_encrypted) for row in Memory.objects.exclude(content_encrypted=None)]
        asked = list(Approval.objects.filter(state="waiting", rule="pii.ask").select_related("memory"))
    phones = [one.value for one in planted if one.kind == "phone"]
    assert sum(any(phone in text for text in sealed) for phone in phones) >= 4
    assert asked
    waiting = next(one for one in asked if "[email]" in one.memory.content)
    clear = str(waiting.memory.content_encrypted)
    memory = decide_approval(actor=doors.me, approval_id=waiting.pk, approve=True)
    assert (memory.content, memory.content_encrypted) == (clear, None)
