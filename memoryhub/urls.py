"""The URL table: each app keeps its own; this one says where they hang."""

from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

import accounts.api.schema  # noqa: F401 - names the authentication classes in the OpenAPI document.
from memoryhub.admin_site import site
from memoryhub.common.health import health
from memoryhub.common.metrics import metrics

handler400 = "memoryhub.common.problems.bad_request"
handler403 = "memoryhub.common.problems.forbidden"
handler404 = "memoryhub.common.problems.not_found"
handler500 = "memoryhub.common.problems.server_error"

api: list[URLPattern | URLResolver] = [
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(), name="docs"),
    path("", include("accounts.api.urls")),
    path("", include("memories.api.urls")),
    path("", include("sessions_app.api.urls")),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("health", health, name="health"),
    path("metrics", metrics, name="metrics"),
    path("admin/", site.urls),
    path("api/v1/", include(api)),
    path("v1/", include("sessions_app.openai.urls")),
    path("", include("memories.mem0.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("accounts.urls")),
    path("", include("sessions_app.urls")),
]
