"""Check digits and other arithmetic that tell a real card, identity number or IBAN from any row of digits."""

from __future__ import annotations

from datetime import date
from typing import Final

from memories.core.text.stopwords import word_set

_ID_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ID_CHECKS: Final = "10X98765432"
_PROVINCES: Final = word_set(
    "11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83"
)


def digits_of(value: str) -> str:
    """The ASCII digits alone."""
    return "".join(char for char in value if char in "0123456789")


def luhn(value: str) -> bool:
    """The mod-10 check of payment cards (ISO/IEC 7812)."""
    total = 0
    for at, char in enumerate(reversed(digits_of(value))):
        number = int(char) * (2 if at % 2 else 1)
        total += number - 9 if number > 9 else number
    return total % 10 == 0


def zh_id(value: str) -> bool:
    """A resident identity number of the PRC: province, birth date and check character (GB 11643), 18 characters."""
    return zh_id_shape(value) and _check_char(value) == value[17].upper()


def zh_id_shape(value: str) -> bool:
    """The same without the check character, which people mistype."""
    if len(value) != 18 or not value[:17].isdigit() or value[:2] not in _PROVINCES:
        return False
    return _is_date(int(value[6:10]), int(value[10:12]), int(value[12:14]))


def _check_char(value: str) -> str:
    return _ID_CHECKS[sum(int(char) * weight for char, weight in zip(value, _ID_WEIGHTS, strict=False)) % 11]


def _is_date(year: int, month: int, day: int) -> bool:
    try:
        return 1900 <= date(year, month, day).year <= 2100
    except ValueError:
        return False


def us_ssn(value: str) -> bool:
    """Area, group and serial of a US social security number are never zero, and area 666 was never given."""
    digits = digits_of(value)
    return (
        len(digits) == 9 and digits[:3] not in {"000", "666"} and digits[3:5] != "00" and digits[5:] != "0000"
    )


def iban(value: str) -> bool:
    """The mod-97 check of ISO 13616."""
    compact = value.replace(" ", "").upper()
    if not 15 <= len(compact) <= 34 or not compact.isalnum() or not compact.isascii():
        return False
    moved = compact[4:] + compact[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def ipv4(value: str) -> bool:
    """Four octets that name a host somewhere: not the local one, not the unspecified address."""
    parts = value.split(".")
    if len(parts) != 4 or any(len(part) > 1 and part[0] == "0" for part in parts):
        return False
    return all(int(part) <= 255 for part in parts) and parts[0] != "0" and parts[:2] != ["127", "0"]
