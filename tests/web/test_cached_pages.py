"""What is kept of pages between requests: our own words, and never a visitor's."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.core.cache import caches
from django.core.cache.backends.locmem import LocMemCache
from django.template.loader import render_to_string
from django.test import Client, override_settings

from calculators.scoring import METRICS
from mtcalc.settings import CACHES

CANARY = "zwetschgenkuchen"
PATHS = ("/", "/about/", "/files/", "/gate/", "/api/", *(f"/{m.slug}/" for m in METRICS))


@pytest.fixture(autouse=True)
def kept(db: None) -> Iterator[LocMemCache]:
    """The cache of pages as the server has it; the other tests run without."""
    place = {**CACHES["words"], "BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    with override_settings(CACHES={**CACHES, "words": place}):
        words = caches["words"]
        words.clear()
        yield words
        words.clear()


def shown(path: str) -> str:
    """The page less the time at which its form was shown."""
    html = Client().get(path).content.decode()
    return re.sub(r'name="token" value="[^"]*"', "", html)


def test_a_page_out_of_the_cache_is_the_page_without_one(kept):
    without = {}
    dummy = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
    with override_settings(CACHES={**CACHES, "words": dummy}):
        without = {path: shown(path) for path in PATHS}
    for _ in range(2):
        assert {path: shown(path) for path in PATHS} == without
    assert kept._cache


@pytest.mark.parametrize("path", [f"/{metric.slug}/" for metric in METRICS])
def test_nothing_that_is_typed_is_kept(kept, path):
    fields = ("hypothesis", "references", "preset", "preset_shown", "text", "name", "token")
    faulty = dict.fromkeys(fields, CANARY)
    fine = {**faulty, "preset": "", "preset_shown": ""}
    query = f"{path}?example={CANARY}&hypothesis={CANARY}"
    asked = [(to, sent) for to in (path, f"/feedback{path}", query) for sent in (faulty, fine)]
    for to, sent in asked:
        kept.clear()  # what is kept is rendered anew, in this request
        assert CANARY in Client().post(to, sent).content.decode()
        assert not [key for key, value in kept._cache.items() if CANARY.encode() in value]
    Client().get(query, headers={"referer": CANARY})
    assert CANARY not in shown(path)


def test_a_page_that_failed_without_its_words_leaves_the_next_one_whole():
    render_to_string("500.html")
    assert all(f'href="/{metric.slug}/"' in shown("/about/") for metric in METRICS)


@pytest.mark.parametrize("path", PATHS)
def test_the_address_of_the_site_is_not_kept_for_another(path):
    with override_settings(ALLOWED_HOSTS=["one.example", "two.example"]):
        Client().get(path, headers={"host": "one.example"})
        html = Client().get(path, headers={"host": "two.example"}).content.decode()
    assert "two.example" in html
    assert "one.example" not in html
