"""Query parameters that several operations describe alike."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from accounts.models import SubjectKind

PAGE = (
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": 200, "default": 50},
        description="Rows of a page.",
    ),
    OpenApiParameter("cursor", str, description="From `next` or `previous` of another page."),
)
KINDS = list(SubjectKind.values)
_TEXT = {"type": "string", "minLength": 1, "maxLength": 512}
SUBJECT = OpenApiParameter(
    "subject",
    _TEXT,
    description="External id of the subject, taken literally; the caller's own subject, when left out.",
)
SUBJECT_KIND = OpenApiParameter("subject_kind", str, enum=KINDS, description="`user`, when left out.")
OF_SUBJECT = (SUBJECT, SUBJECT_KIND)
SINCE = OpenApiParameter("since", OpenApiTypes.DATETIME, description="Then or later.")
UNTIL = OpenApiParameter("until", OpenApiTypes.DATETIME, description="Before.")


def short_text(name: str, most: int, description: str) -> OpenApiParameter:
    """A parameter that is a text of at most so many characters."""
    return OpenApiParameter(name, {"type": "string", "maxLength": most}, description=description)
