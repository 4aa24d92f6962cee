"""The site's own settings, less what only a built site has."""

from mtcalc.settings import *  # noqa: F403
from mtcalc.settings import CACHES, STORAGES

# Hashed file names need a run of collectstatic; the tests read static/ as it is.
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
# A password costs a test 0.2 s otherwise.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Tests change the content under the pages.
CACHES = {**CACHES, "words": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
