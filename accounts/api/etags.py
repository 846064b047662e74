"""ETag and If-Match: an object's version as an entity tag, and 412 where a caller changes another one than it read."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from memoryhub.common.errors import DomainError, Invalid

_TAGS = re.compile(r'\s*"v(\d{1,9})"\s*')
IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of the version that was read; 412 where that is not the newest any more. `*` takes any.",
    # What is none of ours matches nothing: also 412.
)


class PreconditionFailed(DomainError):
    """The object is not the one that If-Match names."""

    code = "precondition_failed"
    status = 412


def etag(version: int) -> str:
    """The tag of a version."""
    return f'"v{version}"'


def matched(request: Request) -> set[int] | None:
    """The versions that If-Match allows; None where it is left out or `*`. Tags of other forms match nothing."""
    given = request.headers.get("If-Match")
    if given is None or given.strip() == "*":
        return None
    if not given.strip():
        raise Invalid("If-Match is empty", fields={"If-Match": 'an ETag such as "v3"'})
    found = (_TAGS.fullmatch(part) for part in given.split(","))
    return {int(match[1]) for match in found if match}


def check_match(request: Request, version: int) -> None:
    """PreconditionFailed unless the request allows this version."""
    allowed = matched(request)
    if allowed is not None and version not in allowed:
        raise PreconditionFailed(
            f"the object is at version {version}, which If-Match does not name",
            hint="Read it again, decide anew, and send the new ETag.",
        )


def with_etag(response: Any, version: int) -> Any:
    """The response with the version's tag."""
    response["ETag"] = etag(version)
    return response
