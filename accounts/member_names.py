"""What members are called on pages that show only ids otherwise."""

from __future__ import annotations

from collections.abc import Iterable

from accounts.models import Membership
from memoryhub.common.ids import uuid_of


def names_of(ids: Iterable[str]) -> dict[str, str]:
    """The names, or else the addresses, of those who are or were members of the open tenant, by their ids as text; what is no
    id, or nobody's, is left out. One statement, none where there is no id."""
    people = {found for one in ids if (found := uuid_of(one))}
    rows = Membership.objects.filter(user_id__in=people).select_related("user") if people else ()
    return {str(row.user_id): row.user.name or row.user.email for row in rows}
