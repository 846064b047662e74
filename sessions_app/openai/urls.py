"""URLs of the OpenAI-compatible door, under /v1/."""

from django.urls import path, re_path

from sessions_app.openai.views import chat_completions, models, not_offered

_OTHERS = (
    "completions|embeddings|responses|moderations|audio|images|files|uploads|batches|fine_tuning|assistants|threads|"
    "vector_stores|realtime|conversations|videos|chat/completions/"
)

urlpatterns = [
    path("chat/completions", chat_completions, name="openai_chat"),
    path("models", models, name="openai_models"),
    path("models/<path:model>", models, name="openai_model"),
    re_path(rf"(?:{_OTHERS})(?:/.*)?$", not_offered, name="openai_not_offered"),
]
