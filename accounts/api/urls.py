"""REST URLs of the accounts app, under /api/v1/."""

from django.urls import path

from accounts.api.audit import AuditExport, AuditList
from accounts.api.keys import ApiKeyDetail, ApiKeyList, ApiKeyRotate
from accounts.api.me import Me

urlpatterns = [
    path("me/", Me.as_view(), name="api_me"),
    path("keys/", ApiKeyList.as_view(), name="api_keys"),
    path("keys/<uuid:key_id>/", ApiKeyDetail.as_view(), name="api_key"),
    path("keys/<uuid:key_id>/rotate/", ApiKeyRotate.as_view(), name="api_key_rotate"),
    path("audit/", AuditList.as_view(), name="api_audit"),
    path("audit/export/", AuditExport.as_view(), name="api_audit_export"),
]
