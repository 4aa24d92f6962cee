from datetime import timedelta

import pytest
from django.db import connection
from django.test import RequestFactory
from django.utils import timezone

from calculators.feedback import network as networks
from calculators.feedback.models import DailyKey
from calculators.feedback.network import client_address, keyed, network, sender_key

FORWARDED = "203.0.113.9, 198.51.100.7, 192.0.2.5"


def request_from(address="10.0.0.1", forwarded=None):
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    return RequestFactory().get("/", REMOTE_ADDR=address, headers=headers)


@pytest.mark.parametrize(
    ("hops", "forwarded", "expected"),
    [
        (0, FORWARDED, "10.0.0.1"),
        (0, None, "10.0.0.1"),
        (1, FORWARDED, "192.0.2.5"),
        (2, FORWARDED, "198.51.100.7"),
        (1, None, "10.0.0.1"),
        (2, "203.0.113.9", "10.0.0.1"),  # came around one of the proxies
        (1, "1.2.3.4, nonsense", "10.0.0.1"),
        (1, "192.0.2.5:4711", "192.0.2.5"),
        (1, "[2001:db8::1]:4711", "2001:db8::1"),
        (1, "2001:db8::1", "2001:db8::1"),
        (1, "::ffff:192.0.2.5", "192.0.2.5"),
    ],
)
def test_the_address_is_counted_from_the_right_of_what_the_proxies_say(
    settings, hops, forwarded, expected
):
    settings.TRUSTED_PROXY_HOPS = hops
    assert str(client_address(request_from(forwarded=forwarded))) == expected


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("192.0.2.5", "192.0.2.0/24"),
        ("192.0.2.255", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("", "unknown"),
    ],
)
def test_neighbours_share_a_network(address, expected):
    assert network(client_address(request_from(address))) == expected


@pytest.mark.django_db
def test_a_sender_has_the_same_key_all_day_and_another_one_tomorrow(monkeypatch):
    request = request_from("192.0.2.5")
    first = sender_key(request)
    assert sender_key(request_from("192.0.2.77")) == first
    assert sender_key(request_from("192.0.3.5")) != first
    tomorrow = timezone.now().date() + timedelta(days=1)
    monkeypatch.setattr(networks, "today", lambda: tomorrow)
    assert sender_key(request) != first
    assert [key.day for key in DailyKey.objects.all()] == [tomorrow]


@pytest.mark.django_db
def test_a_deleted_key_can_not_be_made_again():
    first = keyed("192.0.2.0/24")
    DailyKey.objects.all().delete()
    assert keyed("192.0.2.0/24") != first


@pytest.mark.django_db
def test_the_database_holds_no_address(sent, client, tool):
    for text in ("one", "two"):
        sent(text=text, headers={"X-Forwarded-For": "198.51.100.77"})
    client.post("/admin/login/", {"username": "x", "password": "y"}, REMOTE_ADDR="198.51.100.77")
    for table in connection.introspection.table_names():
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT * FROM "{table}"')
            held = repr(cursor.fetchall())
        assert "198.51.100" not in held
        assert "127.0.0" not in held
