"""Made-up secrets and personal numbers with valid check digits, each in a sentence that people would write."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Planted:
    """`value` must not be found in the clear; `kind` is the detector's type; `text` is what somebody says."""

    kind: str
    value: str
    text: str
    label: str

    @property
    def needles(self) -> list[str]:
        """The value as it is written, and without its separators; of several lines the longest."""
        line = max(self.value.splitlines(), key=len)
        bare = line.replace(" ", "").replace("-", "")
        return [line, bare] if self.kind in {"card", "bank_account", "id_number", "phone"} else [line]


class Maker:
    """Different ones at each call, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def all(self, number: int) -> list[Planted]:
        """That many, of every kind in turn, Chinese and English in turn."""
        made: list[Planted] = []
        while len(made) < number:
            for kind, label, value, texts in self._kinds:
                planted = value()
                for text in (texts[0], texts[1]):
                    if text is texts[1]:
                        planted = value()
                    made.append(Planted(kind, planted, text.format(planted), label))
        return made[:number]

    @property
    def _kinds(self) -> list[tuple[str, str, Callable[[], str], tuple[str, str]]]:
        return [
            ("secret", "api key", self.api_key, ("My API key is {}, use it.", "我的API密钥是{},先用着。")),
            ("credential", "password", self.password, ("The wifi password is {}.", "邮箱密码是{},记一下。")),
            ("card", "card", self.card, ("I pay with my card {}.", "我的信用卡卡号是{},扣款用。")),
            ("id_number", "id", self.zh_id, ("My national ID card number is {}.", "我的身份证号是{}。")),
            (
                "bank_account",
                "iban",
                self.iban,
                ("Send it to my bank account {}.", "请汇款到我的银行账户{}。"),
            ),
            ("secret", "private key", self.private_key, ("Here is the key:\n{}\n", "私钥如下:\n{}\n")),
            ("secret", "token", self.jwt, ("The session token is {}.", "令牌是{}。")),
            ("secret", "address", self.dsn, ("The database is at {} for now.", "数据库地址是 {} 。")),
            ("phone", "phone", self.phone, ("Call me on {} after six.", "我的手机号是{},六点后打。")),
            ("email", "email", self.email, ("Write to {} please.", "我的邮箱是{}。")),
        ]

    def _of(self, alphabet: str, length: int) -> str:
        return "".join(self._random.choice(alphabet) for _ in range(length))

    def api_key(self) -> str:
        return "sk-proj-" + self._of(string.ascii_letters + string.digits, 36) + "7aB"

    def password(self) -> str:
        return f"{self._of(string.ascii_letters, 6)}{self._of(string.digits, 3)}!{self._of(string.ascii_letters, 3)}"

    def card(self) -> str:
        body = "4" + self._of(string.digits, 14)
        digits = body + str(_luhn_digit(body))
        return " ".join(digits[at : at + 4] for at in range(0, 16, 4))

    def zh_id(self) -> str:
        born = f"{self._random.randint(1950, 2005)}{self._random.randint(1, 12):02}{self._random.randint(1, 28):02}"
        body = f"{self._random.choice(['110101', '310104', '440305'])}{born}{self._of(string.digits, 3)}"
        weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
        return body + "10X98765432"[sum(int(d) * w for d, w in zip(body, weights, strict=True)) % 11]

    def iban(self) -> str:
        body = self._of(string.digits, 18)
        check = 98 - int(body + "131400") % 97  # DE00
        return f"DE{check:02}{body}"

    def private_key(self) -> str:
        lines = "\n".join(self._of(string.ascii_letters + string.digits + "+/", 64) for _ in range(3))
        return f"-----BEGIN PRIVATE KEY-----\n{lines}\n-----END PRIVATE KEY-----"

    def jwt(self) -> str:
        head = (
            base64.urlsafe_b64encode(json.dumps({"alg": "HS256", "typ": "JWT"}).encode()).decode().rstrip("=")
        )
        body = base64.urlsafe_b64encode(json.dumps({"sub": self._of(string.digits, 12)}).encode()).decode()
        return f"{head}.{body.rstrip('=')}.{self._of(string.ascii_letters + string.digits, 32)}"

    def dsn(self) -> str:
        return f"postgres://app:{self._of(string.ascii_letters + string.digits, 14)}@db.example.org:5432/main"

    def phone(self) -> str:
        return "13" + self._of(string.digits, 9)

    def email(self) -> str:
        return f"{self._of(string.ascii_lowercase, 9)}@{self._of(string.ascii_lowercase, 7)}.example.org"


def _luhn_digit(body: str) -> int:
    total = 0
    for at, char in enumerate(reversed(body)):
        number = int(char) * (2 if at % 2 == 0 else 1)
        total += number - 9 if number > 9 else number
    return (10 - total % 10) % 10
