"""Memory trouble never breaks the answer: it fails open and says so. Budgets and full houses do refuse, in OpenAI's form."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import openai
import pytest

from accounts.models import ApiKey
from memories.core.budget import Use
from memories.services.model_usage import standing_of
from memories.services.policies import set_policy
from memoryhub.common.valkey import valkey
from tests.sessions_app.openai.conftest import MODEL, Door, running
from tests.support.model_server import ModelServer, Reply
from tests.support.site import Site, SiteDatabase

TEA = "Please remember that I prefer jasmine tea over coffee."


def test_a_recall_that_fails_leaves_the_request_as_it_came_and_the_round_is_kept(
    door: Door, model: ModelServer
) -> None:
    model.script(Reply(["Noted."]), Reply(["Which one?"]))
    door.say(TEA)
    door.learn()
    with door.as_owner() as owner:
        owner.execute("ALTER TABLE memories_recalltrace RENAME TO away")
        try:
            answer = door.say("Which drink do I prefer?")
        finally:
            owner.execute("ALTER TABLE away RENAME TO memories_recalltrace")
    assert answer.status_code == 200
    assert answer.json()["choices"][0]["message"]["content"] == "Which one?"
    assert answer.headers["x-memoryhub-memory"] == "degraded; database"
    assert model.requests[1]["messages"] == [{"role": "user", "content": "Which drink do I prefer?"}]
    assert [text for _, text, _ in door.turns()][2:] == ["Which drink do I prefer?", "Which one?"]


def test_a_recall_that_hangs_is_done_without_and_stored_when_it_can_be(
    door: Door, model: ModelServer
) -> None:
    model.script(Reply(["Hello", " there."]))
    door.say("Hello, my dear machine.", X_MemoryHub_Memory_Mode="read")
    with door.as_owner() as owner, owner.transaction():
        owner.execute("LOCK TABLE sessions_app_chatsession IN ACCESS EXCLUSIVE MODE")
        client = door.client(default_headers={"X-MemoryHub-Subject": "bob"})
        stream = client.chat.completions.with_raw_response.create(
            model=MODEL, messages=[{"role": "user", "content": "Is anybody there?"}], stream=True
        )
        assert stream.headers["x-memoryhub-memory"] == "degraded; timeout"
        chunks = list(stream.parse())
        assert chunks, "the answer came while memory stood still"
    assert door.wait_for_turns(2)[0][1] == "Is anybody there?"


def test_a_round_that_cannot_be_stored_does_not_break_the_answer(door: Door, model: ModelServer) -> None:
    model.script(Reply(["All is well."]))
    with door.as_owner() as owner:
        owner.execute(
            "ALTER TABLE sessions_app_turn ADD CONSTRAINT closed CHECK (content <> 'Are you well?')"
        )
        try:
            answer = door.say("Are you well?")
        finally:
            owner.execute("ALTER TABLE sessions_app_turn DROP CONSTRAINT closed")
    assert answer.json()["choices"][0]["message"]["content"] == "All is well."
    assert door.turns() == [] and door.sessions() == []


@pytest.mark.parametrize(
    ("body", "headers", "status", "code", "param"),
    [
        (b"{not json", {}, 400, "invalid", None),
        ({"model": "m", "user": "ann"}, {}, 400, "invalid", "messages"),
        ({"model": "m", "messages": [{"role": "user", "content": "x"}]}, {}, 400, "invalid", "user"),
        (
            {"model": "m", "messages": [{"role": "user", "content": "x"}], "user": 7},
            {},
            400,
            "invalid",
            "user",
        ),
        (
            {"model": "m", "messages": [{"role": "user", "content": "x"}], "user": "a"},
            {"X_MemoryHub_Memory_Mode": "some"},
            400,
            "invalid",
            "X-MemoryHub-Memory-Mode",
        ),
        (
            {"model": "m", "messages": [{"role": "user", "content": "x"}], "user": "a"},
            {
                "X_MemoryHub_Upstream": "http://169.254.169.254/latest",
                "X_MemoryHub_Upstream_Authorization": "k",
            },
            400,
            "invalid",
            "X-MemoryHub-Upstream",
        ),
    ],
)
def test_bad_input_is_told_in_openais_form(
    door: Door,
    model: ModelServer,
    body: object,
    headers: dict[str, str],
    status: int,
    code: str,
    param: str | None,
) -> None:
    answer = door.post(body, **headers)
    assert answer.status_code == status
    error = answer.json()["error"]
    assert (error["type"], error["code"], error["param"]) == ("invalid_request_error", code, param)
    assert error["message"].endswith((".", "off"))
    assert model.requests == []


def test_a_body_has_a_bound_that_leaves_room_for_pictures(door: Door, model: ModelServer) -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 5_000_000}}
    content = [picture, {"type": "text", "text": "What is this?"}]
    body = {"model": "m", "messages": [{"role": "user", "content": content}], "user": "ann"}
    assert door.post(body).status_code == 200
    assert [text for _, text, _ in door.turns()][:1] == ["What is this?"]
    refused = door.post(b" " * (20 * 1024 * 1024 + 1))
    assert (refused.status_code, refused.json()["error"]["code"]) == (413, "request_too_large")


def test_no_key_a_wrong_key_and_other_addresses(door: Door) -> None:
    for key in ("", "mh_none_such"):
        assert door.post({}, key=key).json()["error"]["code"] == "invalid_api_key"
    with pytest.raises(openai.AuthenticationError):
        door.client(api_key="sk-of-somebody-else").models.list()
    with pytest.raises(openai.NotFoundError, match="does not offer"):
        door.client().embeddings.create(model="e", input="x", encoding_format="float")
    with pytest.raises(openai.NotFoundError, match="does not offer"):
        door.client().responses.create(model="e", input="x")


def test_rate_limits_are_those_of_rest(door: Door, model: ModelServer) -> None:
    assert door.say("Hello there.").headers["ratelimit-limit"] == "600"
    with door.data():
        key_id = ApiKey.objects.get().pk
    window = int(time.time() // 60)
    for each in (window, window + 1):
        valkey().set(f"memoryhub:rate:caller:api_key:{key_id}:{each}", 10_000, ex=180)
    with pytest.raises(openai.RateLimitError) as caught:
        door.client().chat.completions.create(
            model=MODEL, messages=[{"role": "user", "content": "Hello again."}], user="ann"
        )
    assert caught.value.code == "rate_limit_exceeded"
    assert int(caught.value.response.headers["retry-after"]) > 0


def _limit(door: Door, tokens: int) -> None:
    with door.data():
        set_policy(actor=door.house.actor("admin"), overrides={"budget.tokens_month": tokens})


def test_calls_with_the_deployments_key_are_charged_and_refused_when_the_month_is_spent(
    door: Door, model: ModelServer, listed: ModelServer
) -> None:
    _limit(door, 40)
    door.say("Hello there.")
    with door.data():
        used = standing_of(door.house.id).uses[Use.ANSWER]
    assert (used.prompt_tokens, used.completion_tokens, used.calls, used.estimated) == (11, 7, 1, 0)
    # A stream tells no usage unless asked: it is counted here.
    model.script(Reply(["word "] * 60))
    ask = {"model": MODEL, "messages": [{"role": "user", "content": "Go on, please."}], "user": "ann"}
    list(door.client().chat.completions.create(**ask, stream=True))  # type: ignore[call-overload]
    with door.data():
        used = standing_of(door.house.id).uses[Use.ANSWER]
    assert used.calls == 2 and used.estimated == 1 and used.completion_tokens > 60
    with pytest.raises(openai.RateLimitError) as caught:
        door.client(max_retries=2).chat.completions.create(**ask)  # type: ignore[call-overload]
    assert caught.value.code == "insufficient_quota" and caught.value.type == "insufficient_quota"
    assert len(model.requests) == 2
    # A key of the caller's own costs the tenant nothing.
    own = {"X-MemoryHub-Upstream-Authorization": "Bearer sk-own", "X-MemoryHub-Upstream": listed.base_url}
    door.client(default_headers=own).chat.completions.create(**ask)  # type: ignore[call-overload]
    assert listed.requests[0]["auth"] == "Bearer sk-own"
    with door.data():
        assert standing_of(door.house.id).uses[Use.ANSWER].calls == 2


@pytest.fixture(scope="module")
def narrow(
    database: SiteDatabase,
    _endpoints: tuple[ModelServer, ModelServer],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Site]:
    """A site without an endpoint of its own, that lists one for callers' keys and passes on one answer at a time."""
    made = Site(database, tmp_path_factory.mktemp("openai-narrow"))
    with running(
        made, OPENAI_UPSTREAMS=_endpoints[1].base_url, OPENAI_ANSWERS="1", OPENAI_MEMORY_SECONDS="120"
    ) as started:
        yield started


def test_without_an_endpoint_there_is_an_honest_refusal_and_the_offline_model(
    narrow: Site, open_door: Callable[[Site], Door]
) -> None:
    door = open_door(narrow)
    client = door.client(max_retries=2)
    ask = {"messages": [{"role": "user", "content": TEA}], "user": "ann"}
    with pytest.raises(openai.InternalServerError, match="Set OPENAI_BASE_URL") as caught:
        client.chat.completions.create(model="gpt-x", **ask)  # type: ignore[call-overload]
    assert (caught.value.status_code, caught.value.code) == (503, "no_upstream")
    assert [one.id for one in client.models.list()] == ["memoryhub-offline"]
    client.chat.completions.create(model="memoryhub-offline", **ask)  # type: ignore[call-overload]
    door.learn()
    answer = client.chat.completions.with_raw_response.create(
        model="memoryhub-offline",
        messages=[{"role": "user", "content": "Which drink do I prefer?"}],
        user="ann",
        stream=True,
    )
    stream = answer.parse()
    said = "".join(chunk.choices[0].delta.content or "" for chunk in stream)
    assert "jasmine" in said, answer.headers
    assert {row.model for row in door.rows() if row.role == "assistant"} == {"offline"}


def test_a_callers_own_key_goes_to_a_listed_endpoint_which_sees_what_a_model_may(
    narrow: Site, open_door: Callable[[Site], Door], listed: ModelServer
) -> None:
    door = open_door(narrow)
    with door.data():
        set_policy(actor=door.house.actor("admin"), overrides={"pii.model.phone": "mask"})
    own = {"X_MemoryHub_Upstream_Authorization": "sk-of-the-caller"}
    door.say("Remember my phone number for deliveries: 13912345678.", **own)
    door.learn()
    answer = door.say("Which phone number is for deliveries? Not 13800001111.", **own)
    assert answer.status_code == 200
    assert [one["auth"] for one in listed.requests] == ["Bearer sk-of-the-caller"] * 2
    memory, said = listed.requests[1]["messages"]
    assert "deliveries" in memory["content"] and "13912345678" not in memory["content"]
    assert said["content"].endswith("13800001111."), "the caller's own words go as they are"
    assert "13912345678" in listed.requests[0]["messages"][0]["content"]


def test_a_full_house_says_so(narrow: Site, open_door: Callable[[Site], Door], listed: ModelServer) -> None:
    door = open_door(narrow)
    held = threading.Event()
    listed.script(Reply(["One", " two"], hold=held, hold_at=1))
    client = door.client(default_headers={"X-MemoryHub-Upstream-Authorization": "k"})
    ask = {"model": MODEL, "messages": [{"role": "user", "content": "Count."}], "user": "ann"}
    stream = client.chat.completions.create(**ask, stream=True)  # type: ignore[call-overload]
    next(iter(stream))
    try:
        with pytest.raises(openai.InternalServerError) as caught:
            client.chat.completions.create(**ask)  # type: ignore[call-overload]
    finally:
        held.set()
    assert (caught.value.status_code, caught.value.code) == (503, "overloaded")
    list(stream)
    door.wait_for_turns(2)
    client.chat.completions.create(**ask)  # type: ignore[call-overload]
