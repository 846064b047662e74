"""Django's settings: one file, everything that differs between machines comes from the environment (memoryhub/env.py)."""

from __future__ import annotations

import os
from pathlib import Path

from memoryhub import env
from memoryhub.embedded.runtime import load_runtime_env

BASE_DIR = Path(__file__).resolve().parent.parent
HOME = Path(os.environ.get("MEMORYHUB_HOME", BASE_DIR / ".memoryhub"))

# What `manage.py up` wrote (addresses and secrets of the running services) serves commands in a second terminal.
for _name, _value in load_runtime_env(HOME).items():
    os.environ.setdefault(_name, _value)

DEBUG = env.boolean("DEBUG", False)
SECRET_KEY = env.text("SECRET_KEY")
# Key material of the encrypted fields, of the dedup fingerprints and of the audit chain: three keys, none derived from
# another, so that one can be rotated or kept elsewhere. 32 bytes each, base64.
FIELD_ENCRYPTION_KEY = env.text("FIELD_ENCRYPTION_KEY")
FINGERPRINT_KEY = env.text("FINGERPRINT_KEY")
AUDIT_KEY = env.text("AUDIT_KEY")
AUDIT_ANCHOR_DIR = Path(os.environ.get("AUDIT_ANCHOR_DIR", HOME / "anchors"))
# Signs the receipts of erasures; RECEIPT_PUBLIC_KEYS are those of earlier keys, whose receipts stay verifiable.
RECEIPT_KEY = env.text("RECEIPT_KEY")
RECEIPT_PUBLIC_KEYS = env.words("RECEIPT_PUBLIC_KEYS")
ERASURE_LEDGER_DIR = Path(os.environ.get("ERASURE_LEDGER_DIR", HOME / "erasures"))

ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
SITE_URL = os.environ.get("SITE_URL", "http://127.0.0.1:8000")
BEHIND_TLS = env.boolean("BEHIND_TLS", False)
NUM_PROXIES = env.integer("NUM_PROXIES", 0, 0, 10)

INSTALLED_APPS = [
    "memoryhub.apps.MemoryHubConfig",
    "accounts.apps.AccountsConfig",
    "memories.apps.MemoriesConfig",
    "sessions_app.apps.SessionsAppConfig",
    "memoryhub.apps.MemoryHubAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "channels",
    "django_celery_beat",
    "csp",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "memoryhub.common.middleware.StaticFilesMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.ActiveTenantMiddleware",
    "memoryhub.common.middleware.EdgeMiddleware",
]

ROOT_URLCONF = "memoryhub.urls"
ASGI_APPLICATION = "memoryhub.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
            ],
        },
    },
]

# The app serves as a role that owns nothing; DATABASE_ROLE=owner is for migrations alone.
APP_DB_ROLE = os.environ.get("APP_DB_ROLE", "memoryhub_app")
_url = "DATABASE_OWNER_URL" if os.environ.get("DATABASE_ROLE") == "owner" else "DATABASE_URL"
DATABASES = {
    "default": {
        **env.database(_url),
        # Pooled connections instead of persistent ones, which leak under ASGI; the worker and tests turn the pool off.
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,
    }
}
DB_POOL = env.boolean("DB_POOL", False)
if DB_POOL:
    DATABASES["default"]["OPTIONS"]["pool"] = {  # type: ignore[index]
        "min_size": 1,
        "max_size": env.integer("DB_POOL_SIZE", 12, 1, 200),
        "timeout": 10,
    }
# Threads in which async edges call services; none waits for a connection while the pool has one for each.
SERVICE_THREADS = env.integer("SERVICE_THREADS", 10, 1, 200)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.text("REDIS_URL")
CACHES = {
    "default": {
        "BACKEND": "memoryhub.common.cache.SurvivingCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {"socket_timeout": 0.5, "socket_connect_timeout": 0.5},
    }
}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": "memoryhub"},
    }
}

# Celery is the doorbell; the work itself is a Job row, so losing the broker loses nothing.
_broker = os.environ.get("CELERY_BROKER_URL", REDIS_URL)
CELERY_BROKER_URL = _broker.replace("unix://", "redis+socket://").replace("?db=", "?virtual_host=")
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_TIME_LIMIT = 900
CELERY_TASK_SOFT_TIME_LIMIT = 840
# Above the longest task, so that a message is not delivered twice; restoring is checked at each poll.
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 1200, "unacked_restore_throttle": 1}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"
CELERY_ENABLE_UTC = True
DJANGO_CELERY_BEAT_TZ_AWARE = True

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = (
    "none"  # An invitation was sent to the address already, and no SMTP may be configured.
)
ACCOUNT_ADAPTER = "accounts.adapter.InvitationOnlyAdapter"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_RATE_LIMITS = {"login": "30/m/ip", "login_failed": "10/m/ip,5/5m/key"}
ALLAUTH_TRUSTED_PROXY_COUNT = NUM_PROXIES
PASSWORD_RESET_TIMEOUT = 24 * 3600  # One-time links that an admin hands over; see `manage.py reset_link`.
INVITATION_DAYS = env.integer("INVITATION_DAYS", 7, 1, 90)
ACCOUNT_REAUTHENTICATION_METHODS = {"password", "mfa"}
MFA_TOTP_ISSUER = "MemoryHub"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
# On a machine of one's own a password will do; whoever serves over TLS serves others.
OPERATORS_NEED_MFA = env.boolean("OPERATORS_NEED_MFA", BEHIND_TLS)
EMAIL_BACKEND = os.environ.get("EMAIL_BACKEND", "django.core.mail.backends.console.EmailBackend")

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = BEHIND_TLS
CSRF_COOKIE_SECURE = BEHIND_TLS
CSRF_COOKIE_SAMESITE = "Lax"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_TLS else None
SECURE_SSL_REDIRECT = BEHIND_TLS
SECURE_HSTS_SECONDS = env.integer("SECURE_HSTS_SECONDS", 31536000 if BEHIND_TLS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = BEHIND_TLS
SECURE_HSTS_PRELOAD = BEHIND_TLS
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "manifest-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [BASE_DIR / "templates" / "locale"]

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = HOME / "static"
# Files are served from the apps' own folders, so that no collectstatic step stands between `make up` and a page.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.authentication.ApiKeyAuthentication",
        "accounts.authentication.MemberSessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["accounts.api.permissions.HasCapability"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "EXCEPTION_HANDLER": "memoryhub.common.problems.exception_handler",
    "DEFAULT_THROTTLE_CLASSES": ["accounts.api.throttling.KeyThrottle"],
    "NUM_PROXIES": NUM_PROXIES,
}
API_REQUESTS_PER_MINUTE = env.integer("API_REQUESTS_PER_MINUTE", 600, 1)
API_TENANT_REQUESTS_PER_MINUTE = env.integer("API_TENANT_REQUESTS_PER_MINUTE", 3000, 1)
SPECTACULAR_SETTINGS = {
    "TITLE": "MemoryHub",
    "DESCRIPTION": "Layered memory for assistants: what it knows, why, and how to correct or erase it.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "accounts.api.schema.with_problems",
    ],
    "ENUM_NAME_OVERRIDES": {
        "KindEnum": "memories.api.serializers.KINDS",
        "SourceEnum": "memories.models.memory.Source",
        "SubjectKindEnum": "accounts.api.parameters.KINDS",
        "SaidByEnum": "memories.api.serializers.SAID_BY",
        "ReachEnum": "memories.api.serializers.REACHES",
        "SaidRoleEnum": "sessions_app.api.serializers.ROLES",
        "WebhookStateEnum": "memories.models.webhook.Webhook.State",
        "DeliveryStateEnum": "memories.models.webhook.WebhookDelivery.State",
    },
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
}

# Models. Without a base URL the offline responder answers and rules extract; nothing leaves the machine.
OPENAI_BASE_URL = os.environ.get("OPENAI_BASE_URL", "")
OPENAI_API_KEY = os.environ.get("OPENAI_API_KEY", "")
CHAT_MODEL = os.environ.get("CHAT_MODEL", "")
CHAT_TIMEOUT_SECONDS = env.integer("CHAT_TIMEOUT_SECONDS", 60, 1, 3600)
CHAT_CONTEXT_TOKENS = env.integer("CHAT_CONTEXT_TOKENS", 16000, 2000)
EMBEDDINGS_BASE_URL = os.environ.get("EMBEDDINGS_BASE_URL", "")
EMBEDDINGS_API_KEY = os.environ.get("EMBEDDINGS_API_KEY", "")
EMBEDDINGS_MODEL = os.environ.get("EMBEDDINGS_MODEL", "")
EMBEDDINGS_DIMENSION = env.integer("EMBEDDINGS_DIMENSION", 0, 0, 4096)
# Processes beside each web process that run the bundled models; 0: they run inside of it.
EMBEDDER_PROCESSES = env.integer("EMBEDDER_PROCESSES", 2, 0, 64)
# The embedder that `manage.py reembed` changes to, while the one above still answers.
EMBEDDINGS_NEXT_BASE_URL = os.environ.get("EMBEDDINGS_NEXT_BASE_URL", "")
EMBEDDINGS_NEXT_API_KEY = os.environ.get("EMBEDDINGS_NEXT_API_KEY", "")
EMBEDDINGS_NEXT_MODEL = os.environ.get("EMBEDDINGS_NEXT_MODEL", "")
EMBEDDINGS_NEXT_DIMENSION = env.integer("EMBEDDINGS_NEXT_DIMENSION", 0, 0, 4096)
# An HTTP rerank endpoint (Cohere's and Jina's shape), which has its say in every recall. Off without an URL.
RERANK_URL = os.environ.get("RERANK_URL", "")
RERANK_API_KEY = os.environ.get("RERANK_API_KEY", "")
RERANK_MODEL = os.environ.get("RERANK_MODEL", "")
RERANK_MILLISECONDS = env.integer("RERANK_MILLISECONDS", 800, 10, 60000)
# The OpenAI-compatible door. Endpoints that callers may reach with keys of their own (base URLs; OPENAI_BASE_URL is one anyway),
# the silence (seconds) that an endpoint may keep, the answers that a process passes on at once, the bytes of a request, and the
# seconds after which an answer does without memory.
OPENAI_UPSTREAMS = env.words("OPENAI_UPSTREAMS")
OPENAI_UPSTREAM_SECONDS = env.integer("OPENAI_UPSTREAM_SECONDS", 600, 1, 7200)
OPENAI_ANSWERS = env.integer("OPENAI_ANSWERS", 200, 1, 100_000)
OPENAI_BODY_BYTES = env.integer("OPENAI_BODY_BYTES", 20 * 1024 * 1024, 1024)
OPENAI_MEMORY_SECONDS = env.integer("OPENAI_MEMORY_SECONDS", 10, 1, 600)
# Webhooks: whether they may go to addresses that are not public (a receiver in the same network), and without TLS; the seconds of one
# message in all, the attempts after which it is a dead letter, endpoints of a tenant, and events that may wait for one of them.
WEBHOOK_PRIVATE_ADDRESSES = env.boolean("WEBHOOK_PRIVATE_ADDRESSES", False)
WEBHOOK_PLAIN_HTTP = env.boolean("WEBHOOK_PLAIN_HTTP", False)
WEBHOOK_SECONDS = env.integer("WEBHOOK_SECONDS", 10, 1, 60)
WEBHOOK_ATTEMPTS = env.integer("WEBHOOK_ATTEMPTS", 50, 1, 1000)
WEBHOOKS_PER_TENANT = env.integer("WEBHOOKS_PER_TENANT", 10, 1, 1000)
WEBHOOK_PENDING = env.integer("WEBHOOK_PENDING", 100_000, 10, 10_000_000)
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")

LOG_LEVEL = os.environ.get("LOG_LEVEL", "INFO")
LOGGING_CONFIG = "memoryhub.common.logging.configure"
LOGGING = {"level": LOG_LEVEL, "json": env.boolean("LOG_JSON", not DEBUG)}
