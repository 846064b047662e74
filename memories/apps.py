"""The memories app."""

from django.apps import AppConfig


class MemoriesConfig(AppConfig):
    name = "memories"
    verbose_name = "Memories"

    def ready(self) -> None:
        """Register what forget and erase must reach, and the handlers of this app's jobs."""
        from accounts.audit import ring_when_told
        from accounts.kept_answers import use_answers
        from memories.content import register_content
        from memories.services import (  # noqa: F401
            carry_out_erasure,
            forget_wide,
            index_pending,
            learn_with_model,
            merge_confirmations,
            meters,
            redact_run,
            remember_later,
            start_sweep,
            undo_texts,
        )
        from memories.services.answer_once import answer_once
        from memories.services.reembedding import drop  # noqa: F401
        from memories.services.text_holders import register_texts
        from memories.services.webhooks.bell import ring_soon

        meters.register()
        use_answers(answer_once)
        ring_when_told(ring_soon)
        register_content()
        register_texts()
