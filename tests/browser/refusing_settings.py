"""The site's own settings, with an address for every page of refusal."""

from mtcalc.settings import *  # noqa: F403

ROOT_URLCONF = "tests.browser.refusals"
