"""Signatures as Standard Webhooks has them, back-off within its bounds, and what counts as masked."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.pii.detection import mask
from memories.core.webhooks import BACKOFF, BACKOFF_CAP, delay, holds_mask, secret_text, signature, verifies

# The example of the specification.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
MESSAGE = "msg_p5jXN8AQM9LWM0D4loKWxJek"
AT = 1614265330
BODY = b'{"test": 2432232314}'
SIGNED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_signature_is_that_of_the_specification() -> None:
    assert signature(SECRET, message_id=MESSAGE, timestamp=AT, body=BODY) == SIGNED


@pytest.mark.parametrize("header", [SIGNED, f"v1,other {SIGNED}", f"v1a,x {SIGNED} v2,y"])
def test_one_fitting_signature_among_several_is_enough(header: str) -> None:
    assert verifies(SECRET, message_id=MESSAGE, timestamp=str(AT), header=header, body=BODY, now=AT + 10)


@pytest.mark.parametrize(
    ("timestamp", "header", "now"),
    [
        (str(AT), "", AT),
        (str(AT), SIGNED[:-2], AT),
        (str(AT), SIGNED.replace("v1", "v2"), AT),
        (str(AT), SIGNED, AT + 301),
        (str(AT), SIGNED, AT - 301),
        (str(AT + 1), SIGNED, AT),
        ("٣", SIGNED, AT),
        ("", SIGNED, AT),
        ("1e9", SIGNED, AT),
    ],
)
def test_anything_else_is_refused(timestamp: str, header: str, now: float) -> None:
    given = {"message_id": MESSAGE, "timestamp": timestamp, "header": header, "body": BODY, "now": now}
    assert not verifies(SECRET, **given)  # type: ignore[arg-type]


@given(key=st.binary(min_size=24, max_size=64), body=st.binary(max_size=200), other=st.binary(max_size=200))
def test_another_body_never_verifies(key: bytes, body: bytes, other: bytes) -> None:
    secret = secret_text(key)
    header = signature(secret, message_id="a", timestamp=AT, body=body)
    found = verifies(secret, message_id="a", timestamp=str(AT), header=header, body=other, now=AT)
    assert found == (body == other)


@given(attempts=st.integers(1, 10_000), chance=st.floats(0, 1, exclude_max=True))
def test_each_wait_lies_between_half_and_all_of_its_step(attempts: int, chance: float) -> None:
    step = min(BACKOFF_CAP, BACKOFF * 2 ** min(attempts - 1, 20))
    assert step / 2 <= delay(attempts, chance=chance) <= step


def test_thirty_failures_end_long_before_the_attempts_do() -> None:
    waited = sum((delay(number, chance=0.0) for number in range(1, 31)), timedelta())
    assert timedelta(hours=20) < waited < timedelta(days=1)


@pytest.mark.parametrize(
    "text",
    [
        f"My card is {mask('card', '4111111111111111')}.",
        f"{mask('id_number', '11010119900307123X')} is mine",
        f"the key is {mask('secret', 'x')}",
        f"{mask('own:badge', 'BD-1')} opens it",
        f"{mask('bank_account', 'DE89370400440532013000')}",
        f"{mask('passport', 'C01X00T47')}",
        f"{mask('person', 'Ada', harmless=False)}",
        "I met [redacted] at noon.",
        "[已忘记]在杭州",
        "[已删除 0123456789ab]",
    ],
)
def test_a_text_with_something_masked_is_known(text: str) -> None:
    assert holds_mask(text)


@pytest.mark.parametrize(
    "text", ["My desk is on the third floor.", "a[0] = b[1]", "我住在杭州。", "[2026-12-01] met Ada"]
)
def test_other_texts_are_not_taken_for_it(text: str) -> None:
    assert not holds_mask(text)
