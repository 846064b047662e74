"""The sessions app."""

from django.apps import AppConfig


class SessionsAppConfig(AppConfig):
    """Registers, when Django is ready, what the memories app walks: content holders, periodic tasks, job handlers."""

    name = "sessions_app"
    verbose_name = "Sessions"

    def ready(self) -> None:
        # Models are loaded only now.
        from memories import holders, schedule, session_numbers, texts, turn_notes
        from memories.benchmark import cases
        from memories.evaluation import suites
        from sessions_app import (
            jobs,  # noqa: F401  (registers its handlers)
            tasks,
        )
        from sessions_app.benchmark.registry import CASES
        from sessions_app.evaluation.suite import SUITES
        from sessions_app.experiment_numbers import experiment_numbers
        from sessions_app.holders import SessionHolder, TurnHolder
        from sessions_app.models import ChatSession, Digest, Turn
        from sessions_app.places import ChatPlace
        from sessions_app.services.note_outcomes import note_outcomes
        from sessions_app.text_rows import TitleTexts, TurnTexts

        for name, runner in SUITES.items():
            suites.register(name, runner)
        for name, case in CASES.items():
            cases.register(name, case)
        holders.register(TurnHolder())
        holders.register(SessionHolder())
        holders.register_place(ChatPlace())
        turn_notes.register(note_outcomes)
        session_numbers.register(experiment_numbers)
        texts.register(TurnTexts())
        texts.register(TitleTexts())
        codes, ids = "names of states, rules and models", "ids, numbers and codes only"
        turns, sessions = Turn._meta.db_table, ChatSession._meta.db_table
        holders.register_plain(turns, codes, "role", "language", "state", "error_code", "model")
        holders.register_plain(turns, ids, "client_msg_id", "lease_owner", "usage", "used", "outcomes")
        holders.register_plain(
            sessions, codes, "mode", "preset", "state", "ended_reason", "outcome", "policy_variant"
        )
        holders.register_plain(sessions, "a keyed fingerprint", "conversation")
        holders.register_plain(Digest._meta.db_table, codes, "method")
        for periodic in tasks.PERIODIC:
            schedule.add(periodic)
