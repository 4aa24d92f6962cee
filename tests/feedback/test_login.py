import itertools

import pytest
from django.test import Client

from calculators.feedback import limits
from calculators.feedback.models import Counter

from .conftest import PASSWORD

pytestmark = pytest.mark.django_db


def login(name="mia", password="wrong", address="192.0.2.1", forwarded=None):
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    values = {"username": name, "password": password}
    return Client().post("/admin/login/", values, REMOTE_ADDR=address, headers=headers)


def test_the_eleventh_attempt_is_refused_whatever_address_it_claims(moderator):
    claimed = (f"203.0.113.{n}, 198.51.{n}.7" for n in itertools.count(1))
    statuses = [login(forwarded=next(claimed)).status_code for _ in range(10)]
    assert statuses == [200] * 10
    response = login(password=PASSWORD, forwarded=next(claimed))
    assert response.status_code == 429
    assert 800 < int(response["Retry-After"]) <= 900
    assert "sessionid" not in response.cookies


def test_behind_a_proxy_too_only_what_the_proxy_says_counts(moderator, settings):
    settings.TRUSTED_PROXY_HOPS = 1
    for n in range(10):
        login(forwarded=f"203.0.113.{n}, 198.51.100.7")
    assert login(forwarded="203.0.113.99, 198.51.100.7").status_code == 429
    assert login(PASSWORD, forwarded="203.0.113.99, 198.51.101.7").status_code == 200


def test_the_right_password_opens_and_closes_the_count(moderator):
    for _ in range(9):
        login()
    assert login(password=PASSWORD).status_code == 302
    assert login().status_code == 200
    assert login(password=PASSWORD).status_code == 302


def test_the_admins_cookies_are_sent_to_the_admin_alone(moderator):
    response = login(password=PASSWORD)
    assert set(response.cookies) == {"sessionid", "csrftoken"}
    for cookie in response.cookies.values():
        assert (cookie["path"], cookie["samesite"]) == ("/admin/", "Lax")
        assert cookie["secure"]
    assert response.cookies["sessionid"]["httponly"]


def test_the_owner_gets_in_from_elsewhere_while_somebody_guesses(moderator):
    for _ in range(12):
        login()
    assert login(password=PASSWORD, address="198.51.100.1").status_code == 302


def test_many_names_from_one_network_are_refused_too(moderator):
    for n in range(limits.LOGINS_FROM_NETWORK.hits):
        assert login(name=f"user{n}").status_code == 200
    assert login(name="another", address="192.0.2.200").status_code == 429


def test_one_name_from_many_networks_is_refused_in_the_end(moderator):
    for n in range(limits.LOGINS_OF_USER.hits):
        login(address=f"10.0.{n}.1")
    assert login(password=PASSWORD, address="10.9.9.1").status_code == 429


def test_log_ins_are_counted_even_where_other_limits_are_off(moderator, settings):
    settings.MTCALC_RATE_LIMITS = False
    for _ in range(10):
        login()
    assert login().status_code == 429


def test_no_name_is_kept_since_people_type_passwords_there(moderator):
    login(name="hunter2-canary")
    assert "canary" not in repr(list(Counter.objects.values_list()))
