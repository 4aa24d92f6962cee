"""The one settings file. Everything that differs between machines comes from the environment."""

import os
from pathlib import Path

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

# Read when NumPy is loaded, which is later. Requests share the cores already, and a product of the
# bootstrap's size takes three times as long on two threads as on one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

BASE_DIR = Path(__file__).resolve().parent.parent


def _flag(name: str, default: str) -> bool:
    value = os.environ.get(name, default).strip().lower()
    if value in ("1", "true", "yes", "on"):
        return True
    if value in ("0", "false", "no", "off", ""):
        return False
    raise ImproperlyConfigured(f"{name} must be on or off.")


def _count(name: str, default: str) -> int:
    value = os.environ.get(name, default).strip()
    if not value.isdigit():
        raise ImproperlyConfigured(f"{name} must be a whole number, 0 or more.")
    return int(value)


DEBUG = _flag("DEBUG", "off")

# Commands that serve nothing run under a key made for them; mtcalc.wsgi refuses to serve with it.
SECRET_KEY = os.environ.get("SECRET_KEY", "")
SECRET_KEY_IS_TEMPORARY = not SECRET_KEY
if SECRET_KEY_IS_TEMPORARY:
    SECRET_KEY = get_random_secret_key()

ALLOWED_HOSTS = [
    host.strip()
    for host in os.environ.get("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]").split(",")
    if host.strip()
]

MTCALC_DATA = Path(os.environ.get("MTCALC_DATA", BASE_DIR / "data"))
MTCALC_ADMIN_PATH = os.environ.get("MTCALC_ADMIN_PATH", "admin/").strip("/") + "/"
MTCALC_CONTACT = os.environ.get("MTCALC_CONTACT", "")
MTCALC_HTTPS = _flag("MTCALC_HTTPS", "on")
TRUSTED_PROXY_HOPS = _count("TRUSTED_PROXY_HOPS", "0")

# Feedback: whether visitors' comments are read before they show, and whether floods of them are
# counted (off for load tests; log-ins to the admin are counted all the same).
MTCALC_PREMODERATE = _flag("MTCALC_PREMODERATE", "on")
MTCALC_RATE_LIMITS = _flag("MTCALC_RATE_LIMITS", "on")

# The bound on one request's calculation: see calculators/scoring/budget.py. One text has so much of
# the processor's time besides: with what showing the answer takes, nobody waits two seconds.
MTCALC_WORK_SECONDS = 5.0
MTCALC_TEXT_SECONDS = 1.6
# How long a heavy request waits for the one before it: see mtcalc/turns.py.
MTCALC_WAIT_SECONDS = 1.0

# What /files/ and the API read at once: see calculators/files/limits.py. The bytes stand within
# the limit of a whole request, DATA_UPLOAD_MAX_MEMORY_SIZE.
MTCALC_FILES_BYTES = _count("MTCALC_FILES_BYTES", str(3_900_000))
MTCALC_FILES_SEGMENTS = _count("MTCALC_FILES_SEGMENTS", "10000")
MTCALC_FILES_WORK_SECONDS = float(_count("MTCALC_FILES_WORK_SECONDS", "60"))

INSTALLED_APPS = [
    "calculators.apps.CalculatorsConfig",
    "calculators.feedback.apps.ModerationAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    # WhiteNoise serves the files in development too, so that both ways show the same pages.
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "mtcalc.middleware.ContentSecurityPolicy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "mtcalc.compression.Compression",
    "mtcalc.middleware.BodyLimit",
    "mtcalc.middleware.NoVisitorCookies",
    "mtcalc.middleware.FormsInUtf8",
    "mtcalc.middleware.SameOriginPosts",
    "mtcalc.turns.Turns",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "mtcalc.urls"
WSGI_APPLICATION = "mtcalc.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "calculators.context.site",
            ],
        },
    },
]

DATABASES = {
    "default": dj_database_url.config(
        default=f"sqlite:///{MTCALC_DATA / 'mtcalc.sqlite3'}",
        conn_max_age=60,
        conn_health_checks=True,
    )
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A write takes its lock when its transaction begins: with SQLite's own default, WAL refuses
    # a transaction that read before another one wrote, without waiting for the timeout.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # secure_delete overwrites what is deleted: erased words and the keys of past days.
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON;"
        ),
    }
else:
    # A server that does not answer must not hold up pages that can do without it.
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 3)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# Mail to those who moderate: how much waits, never what was written. Without MANAGERS, none.
MANAGERS = [
    ("", address.strip())
    for address in os.environ.get("MANAGERS", "").split(",")
    if address.strip()
]
EMAIL_HOST = os.environ.get("EMAIL_HOST", "localhost")
EMAIL_PORT = _count("EMAIL_PORT", "25")
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = _flag("EMAIL_USE_TLS", "off")
EMAIL_USE_SSL = _flag("EMAIL_USE_SSL", "off")
EMAIL_TIMEOUT = 5  # seconds, for which a visitor waits
EMAIL_SUBJECT_PREFIX = "[mtcalc] "
DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", "mtcalc@localhost")

# Memory of the process. "words" holds what is rendered from our own content, a few entries a page;
# nothing that a visitor typed is ever put in a cache.
_MEMORY = "django.core.cache.backends.locmem.LocMemCache"
CACHES = {
    "default": {"BACKEND": _MEMORY},
    "words": {
        "BACKEND": "django.core.cache.backends.dummy.DummyCache" if DEBUG else _MEMORY,
        "LOCATION": "words",
    },
}

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG
            else "whitenoise.storage.CompressedManifestStaticFilesStorage"
        )
    }
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG

# Requests: six boxes of 50,000 characters and a corpus for the API fit; nothing is ever written
# to a temporary file, since what visitors send is not to touch the disk.
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = DATA_UPLOAD_MAX_MEMORY_SIZE
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]

# Transport and cookies. Visitors get no cookie at all; these are the admin's.
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = f"/{MTCALC_ADMIN_PATH}"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = MTCALC_HTTPS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_HSTS_SECONDS = 31_536_000 if MTCALC_HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"  # no-referrer makes browsers send "Origin: null"
X_FRAME_OPTIONS = "DENY"
if TRUSTED_PROXY_HOPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SILENCED_SYSTEM_CHECKS = [
    # The proxy that ends TLS also redirects to it; a redirect made here would loop behind one
    # that does not pass the scheme on.
    "security.W008",
    # Whether subdomains speak TLS, and whether the name goes on the browsers' own lists, is for
    # the owner of the domain to say.
    "security.W005",
    "security.W021",
]

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"private": {"()": "mtcalc.logging.PrivateFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "private"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        # Replaces Django's own handlers, which mail whole requests and print exceptions' messages.
        "django": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "django.server": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        # 4xx answers are the visitor's affair, and their addresses may hold what was typed.
        "django.request": {"handlers": ["stderr"], "level": "ERROR", "propagate": False},
        # So are hosts that are none and forms of a thousand fields, which scanners send all day.
        "django.security": {"handlers": ["stderr"], "level": "CRITICAL", "propagate": False},
    },
}
