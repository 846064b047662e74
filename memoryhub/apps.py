"""The project itself as an app: commands, start-up checks and the operators' admin site."""

from importlib import import_module
from importlib.util import find_spec

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig

ADMIN_MODULES = ("accounts.admin", "memories.admin", "sessions_app.admin")


class MemoryHubConfig(AppConfig):
    name = "memoryhub"
    verbose_name = "MemoryHub"

    def ready(self) -> None:
        import_module("memoryhub.checks")  # Registers the system checks.
        # Shared tasks bind to the app that exists; the package itself does not import it, so that `manage.py up` stays light.
        import_module("memoryhub.celery")
        from memories.schedule import Periodic, add

        # Declared here, since accounts stands below memories.
        add(Periodic("anchor the audit chain", "accounts.tasks.anchor_audit", every_seconds=900))


class MemoryHubAdminConfig(SimpleAdminConfig):
    """Our own apps only: the admins of third-party apps know nothing of tenants."""

    default_site = "memoryhub.admin_site.MemoryHubAdminSite"

    def ready(self) -> None:
        super().ready()
        for module in ADMIN_MODULES:
            if find_spec(module) is not None:
                import_module(module)
        from django.contrib.admin import site

        from accounts.admin_names import translate_names

        translate_names(site)
