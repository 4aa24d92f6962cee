"""How the site is started: its key, its refusals, its settings."""

import os
import stat
import subprocess
import sys

import pytest
from django.conf import settings

from calculators.management.commands.serve import _kept_key, _static_fingerprint


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in ("SECRET_KEY", "DEBUG", "DJANGO_SETTINGS_MODULE", "OPENBLAS_NUM_THREADS")
    }
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=settings.BASE_DIR,
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    code = f"import sys; sys.argv = ['manage.py', *{arguments!r}]; import manage; manage.main()"
    return run_python(code, **environment)


def test_serving_without_a_key_is_refused():
    done = run_python("import mtcalc.wsgi")
    assert done.returncode != 0
    assert "Set SECRET_KEY" in done.stderr


def test_what_even_the_page_for_faults_fails_at_is_logged_without_its_words():
    code = """
import mtcalc.wsgi
def fail(environ, start_response):
    raise ValueError("canary")
mtcalc.wsgi._django = fail
mtcalc.wsgi.application({}, lambda status, headers: print(status))
"""
    done = run_python(code, SECRET_KEY="k" * 60)
    assert done.stdout == "500 Internal Server Error\n"
    assert "ValueError at" in done.stderr
    assert "canary" not in done.stderr


def test_serving_with_a_key_is_not_refused():
    done = run_python("import mtcalc.wsgi", SECRET_KEY="k" * 60)
    assert done.returncode == 0, done.stderr


def test_a_command_that_serves_nothing_needs_no_key():
    assert manage("check").returncode == 0


def test_numbers_are_worked_out_on_the_threads_of_the_server_and_on_no_others():
    code = "import os, mtcalc.wsgi, numpy; print(len(os.listdir('/proc/self/task')))"
    assert run_python(code, SECRET_KEY="k" * 60).stdout.strip() == "1"


def test_a_wrong_worked_example_stops_the_site_from_starting():
    code = """
import django.core.checks as checks
checks.register(lambda **_: [checks.Error("The example prints a wrong number.")])
import mtcalc.wsgi
"""
    done = run_python(code, SECRET_KEY="k" * 60)
    assert done.returncode != 0
    assert "wrong number" in done.stderr


def test_the_key_is_made_once_and_readable_by_its_owner_alone(tmp_path):
    file = tmp_path / "secret_key"
    key = _kept_key(file)
    assert len(key) >= 50
    assert _kept_key(file) == key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


ADMIN = """
import django
django.setup()
from django.conf import settings
from django.test import RequestFactory
from django.urls import resolve, reverse
from mtcalc.middleware import is_admin
print(reverse("admin:login"), settings.SESSION_COOKIE_PATH, settings.CSRF_COOKIE_PATH)
print(is_admin(RequestFactory().get("/desk/login/")), is_admin(RequestFactory().get("/admin/")))
"""


@pytest.mark.parametrize("path", ["desk", "desk/", "/desk/"])
def test_the_admin_is_where_the_owner_wants_it_with_its_cookies(path):
    told = run_python(ADMIN, DJANGO_SETTINGS_MODULE="mtcalc.settings", MTCALC_ADMIN_PATH=path)
    assert told.stdout.split() == ["/desk/login/", "/desk/", "/desk/", "True", "False"]


SCHEME = """
import django
django.setup()
from django.test import RequestFactory
print(RequestFactory().get("/", headers={"X-Forwarded-Proto": "https"}).is_secure())
"""


@pytest.mark.parametrize(("hops", "secure"), [("0", "False"), ("1", "True")])
def test_the_scheme_is_taken_from_a_proxy_where_there_is_one(hops, secure):
    told = run_python(SCHEME, DJANGO_SETTINGS_MODULE="mtcalc.settings", TRUSTED_PROXY_HOPS=hops)
    assert told.stdout.strip() == secure


def test_static_files_are_collected_anew_for_another_way_to_store_them(settings):
    before = _static_fingerprint()
    assert _static_fingerprint() == before
    plain = {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    assert _static_fingerprint() != before


PRODUCTION = {"SECRET_KEY": "aB3" * 20 + "xyz0123456789", "ALLOWED_HOSTS": "mt.example"}


def deploy_check(**changes: str) -> int:
    arguments = ("check", "--deploy", "--fail-level", "WARNING")
    return manage(*arguments, **{**PRODUCTION, **changes}).returncode


def test_the_deployment_check_passes_in_production_settings():
    assert deploy_check() == 0


@pytest.mark.parametrize(
    "weakened", [{"SECRET_KEY": "short"}, {"DEBUG": "on"}, {"MTCALC_HTTPS": "off"}]
)
def test_the_deployment_check_fails_on_weakened_settings(weakened):
    assert deploy_check(**weakened) != 0


def test_a_setting_that_is_neither_on_nor_off_is_named():
    done = manage("check", DEBUG="perhaps")
    assert done.returncode != 0
    assert "DEBUG must be on or off" in done.stderr
