"""The operators' pages of accounts."""

from accounts.admin import audit, keys, members, people  # noqa: F401  (importing registers)
