"""A tenant's month of model tokens: what calls cost, against the limit and the prices of its policy (R32)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum

from memories.core.policy import Policy

LIMIT, PRICE_PROMPT, PRICE_COMPLETION = (
    "budget.tokens_month",
    "budget.price_prompt",
    "budget.price_completion",
)
KEYS = (LIMIT, PRICE_PROMPT, PRICE_COMPLETION)
RULE = "model.budget"
"""Names the decision not to ask the model, wherever one is noted."""
NEAR = 0.8
"""From this share of the limit on people are warned."""
PER = 1_000_000
"""Prices are for so many tokens."""


class Use(StrEnum):
    """What a chat model is called for; embeddings are no use of it."""

    ANSWER = "answer"
    LEARNING = "learning"
    DIGEST = "digest"


@dataclass(frozen=True, slots=True)
class Spent:
    """What requests to a model cost, also those that failed; of `estimated` of the `calls` the tokens were counted here."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    calls: int = 0
    estimated: int = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.calls + other.calls,
            self.estimated + other.estimated,
        )

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


class Meter:
    """Adds up what the calls of one piece of work cost: handed to a model, it tells also of calls that raised."""

    def __init__(self) -> None:
        self.spent = Spent()

    def add(self, prompt_tokens: int = 0, completion_tokens: int = 0, *, estimated: bool = False) -> None:
        """One request that was sent; without tokens where the endpoint refused it, which costs none."""
        self.spent += Spent(max(0, prompt_tokens), max(0, completion_tokens), 1, int(estimated))


class Level(StrEnum):
    """How a month stands: `free` without a limit, `near` from NEAR of it on."""

    FREE = "free"
    FINE = "fine"
    NEAR = "near"
    SPENT = "spent"


@dataclass(frozen=True, slots=True)
class Standing:
    """A tenant's month: what each use took, against `limit` tokens (0: none); prices are per PER tokens, in no currency of ours."""

    month: date
    limit: int
    price_prompt: float
    price_completion: float
    uses: Mapping[Use, Spent]

    @classmethod
    def of(cls, policy: Policy, month: date, uses: Mapping[Use, Spent]) -> Standing:
        return cls(
            month,
            policy.integer(LIMIT),
            policy.number(PRICE_PROMPT),
            policy.number(PRICE_COMPLETION),
            uses,
        )

    @property
    def total(self) -> Spent:
        return sum(self.uses.values(), Spent())

    @property
    def share(self) -> float:
        """Of the limit, 1 and more when it is spent; 0 without one."""
        return self.total.tokens / self.limit if self.limit else 0.0

    @property
    def level(self) -> Level:
        if not self.limit:
            return Level.FREE
        if self.total.tokens >= self.limit:
            return Level.SPENT
        return Level.NEAR if self.share >= NEAR else Level.FINE

    @property
    def renews(self) -> datetime:
        """When the next month begins."""
        return after(self.month)

    def cost(self, spent: Spent) -> float:
        """In the currency of the prices."""
        return (
            spent.prompt_tokens * self.price_prompt + spent.completion_tokens * self.price_completion
        ) / PER


def month_of(now: datetime) -> date:
    """The first day of the calendar month, in UTC."""
    return now.astimezone(UTC).date().replace(day=1)


def after(month: date) -> datetime:
    """When the month behind this one begins, in UTC."""
    year, number = divmod(month.year * 12 + month.month, 12)
    return datetime(year, number + 1, 1, tzinfo=UTC)


def months_until(month: date, count: int) -> list[date]:
    """`count` months, oldest first, `month` the last."""
    last = month.year * 12 + month.month - 1
    return [date(one // 12, one % 12 + 1, 1) for one in range(last - count + 1, last + 1)]
