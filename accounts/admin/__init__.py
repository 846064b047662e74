"""The operators' pages of accounts."""

from accounts.admin import audit, people  # noqa: F401  (importing registers)
