"""The embedding spaces and which items have a vector in them; the vectors themselves are not shown."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from accounts.admin_base import TenantModelAdmin
from memories.models import Embedding, EmbeddingSpace


@admin.register(EmbeddingSpace)
class EmbeddingSpaceAdmin(TenantModelAdmin):
    holds_content = False
    list_display = ["id", "name", "revision", "dimension", "state", "created_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        # Global rows that name a model and hold nothing of any tenant.
        return EmbeddingSpace.objects.all()


@admin.register(Embedding)
class EmbeddingAdmin(TenantModelAdmin):
    holds_content = False
    list_display = ["id", "item_kind", "item_id", "space", "subject_id"]
    list_select_related = ["space"]
    exclude = ["vector"]
    # As the index runs that finds an item's vector: there is none by age.
    ordering = ["-tenant_id", "-space_id", "-item_id"]
    search_fields = ["=item_id"]

    def matching(self, request: HttpRequest, path: str, term: str) -> Q:
        spaces = list(EmbeddingSpace.objects.values_list("pk", flat=True))
        return super().matching(request, path, term) & Q(space_id__in=spaces)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("vector")
