"""Whether something sensitive was given is a question of its own, and a mask answers it."""

from __future__ import annotations

import pytest

from memories.core.pii import detection as pii
from memories.core.questions.sensitive import asks_whether_given, tells_given


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("did I give you my card number?", "card"),
        ("Have I ever told you my passport number?", "passport"),
        ("do you have my bank account on file?", "bank_account"),
        ("did we share the api key with you", "secret"),
        ("is my social security number stored?", "id_number"),
        ("我给过你卡号吗", "card"),
        ("我有没有告诉过你身份证号?", "id_number"),
        ("你有我的护照号吗", "passport"),
        ("我发过密码给你没有?", "credential"),
        ("我是不是跟你说过银行账号", "bank_account"),
    ],
)
def test_the_type_that_is_asked_about(question: str, kind: str) -> None:
    assert kind in asks_whether_given(question)


@pytest.mark.parametrize(
    "question",
    ["what is my card number?", "我的卡号是多少", "did I give you my umbrella?", "我给过你雨伞吗", "hello"],
)
def test_other_questions_are_not_taken_for_it(question: str) -> None:
    assert not asks_whether_given(question)


@pytest.mark.parametrize("kind", ["card", "id_number", "passport", "bank_account", "secret", "credential"])
@pytest.mark.parametrize("harmless", [True, False])
def test_every_mask_answers_for_its_type(kind: str, harmless: bool) -> None:
    text = f"it is {pii.mask(kind, 'AB12345678', harmless=harmless)}"
    assert tells_given(text, {kind})
    assert not tells_given(text, {"phone"})
