"""Personal data is found and masked before anything is stored; what only looks like it is left alone."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.pii import detection as pii
from memories.core.pii.checks import iban, luhn, us_ssn, zh_id
from memories.core.pii.detection import Span, apply, detect


def types(text: str) -> list[str]:
    return [span.type for span in detect(text)]


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in detect(text)]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("我的密码是 Tr0ub4dor，别告诉别人", "credential", "Tr0ub4dor"),
        ("路由器口令改成了m0on!light", "credential", "m0on!light"),
        ("验证码 839201，五分钟内有效", "credential", "839201"),
        ("my password is lighthouse.", "credential", "lighthouse"),
        ("The password for the build server is gr33n-apple!", "credential", "gr33n-apple"),
        ("my PIN is 4821", "credential", "4821"),
        ("用这个 key：ghp_1a2B3c4D5e6F7g8H9i0JkLmNoPqRsTu", "secret", "ghp_1a2B3c4D5e6F7g8H9i0JkLmNoPqRsTu"),
        (
            "db is postgres://app:s3cr3t@db.internal:5432/main",
            "secret",
            "postgres://app:s3cr3t@db.internal:5432/main",
        ),
        ("access token: 9f8a7b6c5d4e3f2a1b0c", "secret", "9f8a7b6c5d4e3f2a1b0c"),
        ("刷的是我的卡 4111 1111 1111 1111", "card", "4111 1111 1111 1111"),
        ("please bill 5500005555555559", "card", "5500005555555559"),
        ("身份证号11010119900307123X，请核对", "id_number", "11010119900307123X"),
        ("Her SSN is 536-22-8731", "id_number", "536-22-8731"),
        ("护照 E12345678 十月到期", "passport", "E12345678"),
        ("passport no. C01234567 expires in May", "passport", "C01234567"),
        ("开户行是工商银行，账号 1202 0202 1990 0234 567", "bank_account", "1202 0202 1990 0234 567"),
        ("My IBAN is GB82 WEST 1234 5698 7654 32", "bank_account", "GB82 WEST 1234 5698 7654 32"),
        ("有事打我手机138-0013-8000", "phone", "138-0013-8000"),
        ("传真 0571-87654321", "phone", "0571-87654321"),
        ("call me on +1 (415) 555-0132", "phone", "+1 (415) 555-0132"),
        ("邮箱是wei.lin@example.com收发都行", "email", "wei.lin@example.com"),
        ("服务器 203.0.113.9 又挂了", "ip", "203.0.113.9"),
        ("我的车牌是浙A8K21F", "plate", "浙A8K21F"),
        ("我住在绍兴市越城区延安路90号3幢501室，快递放门口", "address", "绍兴市越城区延安路90号3幢501室"),
        ("She lives at 12 Baker Street, London", "address", "12 Baker Street, London"),
    ],
)
def test_personal_data_is_found_whole(text: str, kind: str, value: str) -> None:
    assert (kind, value) in [(span.type, text[span.start : span.end]) for span in detect(text)]


@pytest.mark.parametrize(
    "text",
    [
        "合同编号 KX-7731，订单号 6222021234567890123",
        "order #4111111111111111 has shipped",
        "快递单号YT8837261554201，明天到",
        "商品编码 110101199003071233 缺货",
        "会议号 917 322 838，周三 10:00",
        "预算是 1,200,000 元，不是 4800 元",
        "release 2.14.17.3 fixes 23 bugs",
        "timestamp 1700000000000",
        "我的密码是多少？",
        "密码是8位以上，包含数字",
        "I forgot my password and the password is not working",
        "password must be at least 8 characters",
        "password = request.json['password']",
        "客服热线 400-820-8820",
        "3.14159265358979 is pi",
        "commit 3f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39",
        "从 2024-05-03 到 2024-06-04 一共 32 天",
        "坐 G1619 次高铁去看西湖",
    ],
)
def test_numbers_that_identify_nobody_are_left_alone(text: str) -> None:
    assert detect(text) == []


def test_full_width_digits_and_invisible_characters_hide_nothing() -> None:
    text = "手机１３８００１３８０００，卡 4111\u200b1111 1111 1111"
    assert found(text) == ["１３８００１３８０００", "4111\u200b1111 1111 1111"]


def test_secrets_block_numbers_are_masked_and_contacts_stay_by_default() -> None:
    screened = apply("密码是 Abc@12345，卡号 4111111111111111，电话 13800138000")
    assert screened.text_masked == "密码是 [secret]，卡号 [card ••1111]，电话 13800138000"
    assert screened.blocked
    assert screened.types == {"credential", "card", "phone"}
    assert not screened.needs_encryption


def test_a_stricter_tenant_masks_contacts_and_encrypts_papers() -> None:
    screened = apply("护照 E12345678，电话 13800138000", {"phone": "mask", "passport": "encrypt"})
    assert screened.text_masked == "护照 [passport]，电话 [phone ••8000]"
    assert screened.needs_encryption
    assert not screened.blocked


def test_a_tenants_own_pattern_is_masked() -> None:
    screened = apply("staff no. EMP-0042 left", custom=[re.compile(r"EMP-\d{4}")])
    assert screened.text_masked == "staff no. [custom] left"


def test_an_unknown_action_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown action"):
        apply("x", {"card": "shred"})


def test_a_span_never_holds_the_text() -> None:
    assert Span.__slots__ == ("start", "end", "type")


def test_policy_values_become_actions() -> None:
    assert pii.actions_of({"pii.action.card": "block", "recall.k": "6"}) == {"card": "block"}


SAMPLES = [
    "我的密码是 Tr0ub4dor",
    "卡 4111 1111 1111 1111",
    "SSN 536-22-8731",
    "护照 E12345678",
    "token: 9f8a7b6c5d4e3f2a1b0c",
    "电话 13800138000",
    "a@b.io",
]


@given(st.lists(st.one_of(st.sampled_from(SAMPLES), st.text(max_size=20)), max_size=6).map("，".join))
def test_screening_twice_changes_nothing_and_spans_are_in_order(text: str) -> None:
    actions = dict.fromkeys(pii.DEFAULT_ACTIONS, "mask")
    once = apply(text, actions).text_masked
    assert apply(once, actions).text_masked == once
    ends = 0
    for span in detect(text):
        assert ends <= span.start < span.end <= len(text)
        ends = span.end


def test_check_digits_tell_a_mistyped_number() -> None:
    assert luhn("4111 1111 1111 1111") and not luhn("4111 1111 1111 1112")
    assert zh_id("11010119900307123X") is zh_id("11010119900307123x")
    assert not zh_id("110101199002301230")
    assert us_ssn("536-22-8731") and not us_ssn("000-22-8731")
    assert iban("GB82WEST12345698765432") and not iban("GB83WEST12345698765432")
