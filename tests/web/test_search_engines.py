"""What search engines and those who share a page are told."""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from django.test import Client

from calculators import content
from calculators.linked_data import LinkedData
from calculators.scoring import METRICS

pytestmark = pytest.mark.django_db


def addresses() -> list[str]:
    tree = ElementTree.fromstring(Client().get("/sitemap.xml").content)
    return [
        str(place.text) for place in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")
    ]


def test_the_site_map_names_every_page_and_each_is_there() -> None:
    paths = [urlsplit(address).path for address in addresses()]
    assert {f"/{metric.slug}/" for metric in METRICS} < set(paths)
    assert {"/", "/files/", "/gate/", "/api/", "/about/", "/privacy/"} < set(paths)
    for path in paths:
        assert Client().get(path).status_code == 200, path


def test_robots_are_told_where_the_site_map_is_and_nothing_of_the_admin() -> None:
    text = Client().get("/robots.txt").content.decode()
    assert "Sitemap: http://testserver/sitemap.xml" in text
    assert "admin" not in text


def test_titles_and_descriptions_are_there_and_each_is_its_pages_own() -> None:
    titles, descriptions = [], []
    for address in addresses():
        html = Client().get(urlsplit(address).path).content.decode()
        titles.append(re.search("<title>(.*?)</title>", html)[1])  # type: ignore[index]
        descriptions.append(re.search('<meta name="description" content="(.*?)"', html)[1])  # type: ignore[index]
        assert f'<link rel="canonical" href="{address}">' in html
    assert len(set(titles)) == len(titles)
    assert len(set(descriptions)) == len(descriptions)


def test_an_example_and_a_result_name_the_page_itself_as_the_one_to_keep() -> None:
    slug = METRICS[0].slug
    example = content.page(slug).examples[0].slug
    html = Client().get(f"/{slug}/", {"example": example}).content.decode()
    assert f'<link rel="canonical" href="http://testserver/{slug}/">' in html


def test_the_data_of_a_calculator_holds_its_questions_and_no_rating() -> None:
    for metric in METRICS:
        html = Client().get(f"/{metric.slug}/").content.decode()
        block = re.search(r'<script type="application/ld\+json">(.*?)</script>', html, re.S)
        assert block
        application, questions = json.loads(block[1])["@graph"]
        assert application["@type"] == "SoftwareApplication"
        assert "aggregateRating" not in application
        asked = [entry["name"] for entry in questions["mainEntity"]]
        assert asked == [question.ask for question in content.page(metric.slug).questions]
        for question in asked:
            assert question in unescape(html)


def test_no_text_ends_the_block_of_data() -> None:
    written = LinkedData.of({"text": "</script><script>alert(1)</script>&\u2028"})
    assert "<" not in written
    assert json.loads(written)["text"] == "</script><script>alert(1)</script>&\u2028"
