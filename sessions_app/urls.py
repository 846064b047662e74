"""URLs of the pages."""

from django.urls import path

from sessions_app.views import chat, memories

urlpatterns = [
    path("", chat.new_chat, name="new_chat"),
    path("c/", chat.sessions, name="sessions"),
    path("c/new/", chat.open_new, name="open_new"),
    path("c/<uuid:session_id>/", chat.conversation, name="conversation"),
    path("c/<uuid:session_id>/earlier/", chat.earlier, name="earlier"),
    path("c/<uuid:session_id>/rename/", chat.rename, name="rename_session"),
    path("c/<uuid:session_id>/end/", chat.end, name="end_session"),
    path("turns/<uuid:turn_id>/", chat.source, name="turn_source"),
    path("memories/", memories.listing, name="memories"),
    path("memories/<uuid:memory_id>/edit/", memories.change, name="edit_memory"),
    path("memories/<uuid:memory_id>/pin/", memories.set_pin, name="pin_memory"),
    path("memories/<uuid:memory_id>/forget/", memories.let_go, name="forget_memory"),
    path("memories/<uuid:memory_id>/restore/", memories.bring_back, name="restore_memory"),
]
