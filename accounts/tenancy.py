"""The tenant base model and its manager, which fails closed: outside a tenant transaction it raises, never returns all."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from django import forms
from django.db import models
from django.db.models import F
from django.db.models.base import ModelBase

from memoryhub.common.db import current_tenant_id
from memoryhub.common.ids import uuid7

M = TypeVar("M", bound=models.Model)


class TenantQuerySet(models.QuerySet[M], Generic[M]):
    """A queryset of one tenant's rows; each model's own queryset derives from it."""

    def bulk_create(self, objs: Any, *args: Any, **kwargs: Any) -> list[M]:
        rows = list(objs)
        for row in rows:
            row.tenant_id = current_tenant_id()
        return super().bulk_create(rows, *args, **kwargs)


class TenantManager(models.Manager[M], Generic[M]):
    """Rows of the open scope's tenant; TenantNotSet without one."""

    queryset_class: type[TenantQuerySet[Any]] = TenantQuerySet

    def get_queryset(self) -> TenantQuerySet[M]:
        return self.queryset_class(self.model, using=self._db).filter(tenant_id=current_tenant_id())

    @classmethod
    def of_queryset(cls, queryset_class: type[TenantQuerySet[Any]]) -> TenantManager[Any]:
        """A manager that also offers the queryset's own methods (`Memory.objects.of(subject)`)."""
        made: Any = type(f"{queryset_class.__name__}Manager", (cls.from_queryset(queryset_class),), {})
        made.queryset_class = queryset_class
        manager: TenantManager[Any] = made()
        return manager


NEWEST = F("id").desc(nulls_last=True)
"""A tenant's rows, the newest first, by an index (tenant, id) in just this order (the memories' and facts' are).

Ids are never null; but the primary key's index has them in another order than this one, so that PostgreSQL cannot mean to walk it
backwards to the tenant's newest rows, which takes as long as others have written since.
"""


class TenantModelBase(ModelBase):
    """Gives each tenant table the unique (tenant, id) that composite foreign keys point at."""

    def __new__(mcs, name: str, bases: tuple[type, ...], attrs: dict[str, Any], **kwargs: Any) -> Any:
        model: Any = super().__new__(mcs, name, bases, attrs, **kwargs)
        # Tables that nothing points at are spared the index (`referenced = False`).
        if not model._meta.abstract and model.referenced:
            unique = models.UniqueConstraint(
                fields=["tenant", "id"], name=f"{model._meta.db_table}_tenant_id_key"[:63]
            )
            if all(constraint.name != unique.name for constraint in model._meta.constraints):
                model._meta.constraints = [*model._meta.constraints, unique]
                model._meta.original_attrs["constraints"] = model._meta.constraints
        return model


class TenantModel(models.Model, metaclass=TenantModelBase):
    """A row that belongs to one tenant: UUIDv7 id, tenant filled from the open scope."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant = models.ForeignKey("accounts.Tenant", on_delete=models.CASCADE, related_name="+", editable=False)

    objects: TenantManager[Any] = TenantManager()
    referenced = True

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        scope_tenant = current_tenant_id()
        if self.tenant_id is None:
            self.tenant_id = scope_tenant
        super().save(*args, **kwargs)

    def __str__(self) -> str:
        # Admin log entries and error pages print this: an id, never content.
        return f"{self._meta.model_name} {self.pk}"


class TenantForeignKey(models.ForeignKey):
    """A key to another tenant row; the constraint over (tenant, id) is made by SQL in the migration (common/rls.py)."""

    def __init__(self, to: Any, on_delete: Any = models.CASCADE, **kwargs: Any) -> None:
        kwargs["db_constraint"] = False
        kwargs.setdefault("related_name", "+")
        super().__init__(to, on_delete, **kwargs)

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        kwargs.pop("db_constraint", None)
        return name, path, args, kwargs

    def formfield(self, **kwargs: Any) -> Any:
        """Without the caller's queryset there is no choice: a form class is made outside of any tenant's scope."""
        kwargs.setdefault("queryset", self.remote_field.model._base_manager.none())
        kwargs.setdefault("form_class", forms.ModelChoiceField)
        kwargs.pop("using", None)
        # ForeignKey's own formfield asks the fail-closed manager first.
        return super(models.ForeignKey, self).formfield(
            to_field_name=self.remote_field.field_name, **{**kwargs, "blank": self.blank}
        )
