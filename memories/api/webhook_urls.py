"""REST URLs of webhooks, under /api/v1/webhooks/."""

from django.urls import path

from memories.api.webhooks import (
    WebhookDeliveries,
    WebhookDetail,
    WebhookList,
    WebhookReplay,
    WebhookRotate,
    WebhookTest,
)

urlpatterns = [
    path("", WebhookList.as_view(), name="api_webhooks"),
    path("<uuid:webhook_id>/", WebhookDetail.as_view(), name="api_webhook"),
    path("<uuid:webhook_id>/rotate/", WebhookRotate.as_view(), name="api_webhook_rotate"),
    path("<uuid:webhook_id>/test/", WebhookTest.as_view(), name="api_webhook_test"),
    path("<uuid:webhook_id>/deliveries/", WebhookDeliveries.as_view(), name="api_webhook_deliveries"),
    path("<uuid:webhook_id>/replay/", WebhookReplay.as_view(), name="api_webhook_replay"),
]
