"""The app role's grants on the frameworks' own tables, which belong to no tenant and hold no content."""

from __future__ import annotations

from django.db import migrations

from memoryhub.common.rls import grant_everything

TABLES = [
    "auth_group",
    "auth_group_permissions",
    "auth_permission",
    "django_content_type",
    "django_session",
    "django_admin_log",
    "account_emailaddress",
    "account_emailconfirmation",
    "mfa_authenticator",
    "django_celery_beat_clockedschedule",
    "django_celery_beat_crontabschedule",
    "django_celery_beat_intervalschedule",
    "django_celery_beat_periodictask",
    "django_celery_beat_periodictasks",
    "django_celery_beat_solarschedule",
]


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_tenant_wall"),
        ("account", "0009_emailaddress_unique_primary_email"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("django_celery_beat", "0019_alter_periodictasks_options"),
        ("mfa", "0003_authenticator_type_uniq"),
        ("sessions", "0001_initial"),
    ]

    operations = [
        *grant_everything(TABLES),
    ]
