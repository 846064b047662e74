"""What a tenant's calls to chat models cost, by calendar month and use: numbers, of nobody in particular."""

from __future__ import annotations

from django.db import models

from accounts.tenancy import TenantModel


class ModelUsage(TenantModel):
    """One row a month and use, added to in the transaction that stores what a call came to.

    `month` is its first day, in UTC; of `estimated` of the `calls` the endpoint told no tokens, and they were counted here.
    """

    class Use(models.TextChoices):
        ANSWER = "answer"
        LEARNING = "learning"
        DIGEST = "digest"

    month = models.DateField()
    use = models.CharField(max_length=16, choices=Use)
    prompt_tokens = models.BigIntegerField(default=0)
    completion_tokens = models.BigIntegerField(default=0)
    calls = models.BigIntegerField(default=0)
    estimated = models.BigIntegerField(default=0)
    referenced = False

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "month", "use"], name="one_usage_a_month_and_use")
        ]
