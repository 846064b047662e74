"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = "Accounts"

    def ready(self) -> None:
        """Encrypted fields, which stand below, seal and open with the tenants' keys, which stand here."""
        from accounts.keyring import TenantKeyring
        from memoryhub.common.fields import use_keyring

        use_keyring(TenantKeyring())
