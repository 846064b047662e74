"""URLs of the pages."""

from django.urls import path

from sessions_app.views import about, chat, forgetting, memories, questions

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
    path("memories/about/", about.about, name="about_me"),
    path("memories/rules/", about.lay_down, name="lay_down_rule"),
    path("memories/rules/<uuid:memory_id>/remove/", about.take_back, name="remove_rule"),
    path("memories/<uuid:memory_id>/edit/", memories.change, name="edit_memory"),
    path("memories/<uuid:memory_id>/pin/", memories.set_pin, name="pin_memory"),
    path("memories/<uuid:memory_id>/forget/", memories.let_go, name="forget_memory"),
    path("memories/<uuid:memory_id>/restore/", memories.bring_back, name="restore_memory"),
    path("memories/forgetting/", forgetting.forgetting, name="forgetting"),
    path("memories/forgetting/<uuid:request_id>/", forgetting.answer, name="answer_forgetting"),
    path("memories/forgetting/<uuid:request_id>/undo/", forgetting.bring_back, name="undo_forgetting"),
    path("memories/forgetting/rules/<uuid:rule_id>/remove/", forgetting.remove, name="remove_forget_rule"),
    path("memories/questions/", questions.questions, name="questions"),
    path("memories/<uuid:memory_id>/undo/", questions.take_back, name="undo_memory"),
    path("memories/<uuid:memory_id>/confirm/", questions.still_true, name="still_true"),
    path("memories/contradictions/<uuid:contradiction_id>/resolve/", questions.settle, name="settle"),
    path("memories/contradictions/<uuid:contradiction_id>/undo/", questions.unsettle, name="unsettle"),
]
