"""The pages: what each shows, and that nothing sent to one is answered with a 500."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client, override_settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

# The page of a metric shows what visitors said of it.
pytestmark = [pytest.mark.usefixtures("words"), pytest.mark.django_db]

PAGE = "/words/"
TEXTS = {"hypothesis": "The cat sang", "references": "the cat sat\r\na dog"}


def post(fields: dict[str, Any], path: str = PAGE, **more: Any) -> Any:
    return Client(raise_request_exception=False).post(path, fields, **more)


def text_of(response: Any) -> str:
    """The words of a page without its tags."""
    return unescape(re.sub(r"<[^>]*>", " ", response.content.decode()))


def test_the_page_of_a_metric_shows_a_form_and_no_result() -> None:
    response = Client().get(PAGE)
    assert response.status_code == 200
    assert response.context["run"] is None
    assert not response.context["has_errors"]
    page = response.content.decode()
    for name in ("hypothesis", "references", "preset", "preset_shown", "lowercase", "repeat"):
        assert f'name="{name}"' in page
    assert 'id="result"' not in page


def test_other_query_strings_are_no_submission() -> None:
    response = Client().get(PAGE, {"utm_source": "x", "hypothesis": "a", "references": "a"})
    assert response.status_code == 200
    assert not response.context["form"].is_bound
    assert response.context["run"] is None


def test_a_text_that_is_sent_is_scored_and_kept() -> None:
    response = post(TEXTS | {"preset": "twice", "preset_shown": "page", "repeat": "1"})
    assert response.status_code == 200
    assert response.context["run"].result.value == 2 / 3
    assert response.context["run"].options.repeat == 2
    assert "66.67" in text_of(response)
    assert "The cat sang" in text_of(response)
    assert response.headers["Cache-Control"] == "no-store"
    assert response.context["signature"].startswith("words|refs:2|")


def test_the_parts_beside_the_score_and_the_working_are_apart() -> None:
    context = post(TEXTS).context
    assert [section.kind for section in context["summary"]] == ["tiles"]
    assert [section.kind for section in context["sections"]] == ["derivation", "table"]
    assert [other.tool for other in context["elsewhere"]] == [
        "A cased tool",
        "A tool without a number",
    ]


def test_an_example_is_shown_filled_in_and_scored() -> None:
    response = Client().get(PAGE, {"example": "two-of-three"})
    assert response.status_code == 200
    assert response.context["example"].slug == "two-of-three"
    assert response.context["run"].result.value == pytest.approx(2 / 3 + 0.125)
    assert response.context["run"].options.repeat == 2
    assert response.context["form"]["references"].value() == "the cat sat\na dog"
    assert response.headers["Cache-Control"] == "no-store"


def test_an_unknown_example_is_404() -> None:
    assert Client().get(PAGE, {"example": "nothing"}).status_code == 404


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"hypothesis": "only"},
        {"references": "only"},
        TEXTS | {"repeat": "many"},
        TEXTS | {"preset": "nothing"},
        TEXTS | {"hypothesis": ""},
        TEXTS | {"hypothesis": "a\0b"},
        TEXTS | {"references": "long " * 100},
    ],
)
def test_an_error_is_400_and_keeps_everything_typed(fields: dict[str, str]) -> None:
    response = post(fields)
    assert response.status_code == 400
    assert response.context["has_errors"]
    assert response.context["run"] is None
    page = response.content.decode()
    assert re.search(r"<title>\s*Error:", page)
    assert 'id="result"' not in page
    for name, value in fields.items():
        if "\0" not in value:
            shown = response.context["form"].data[name]
            assert shown == value
    for error in response.context["form"].error_list:
        assert error.message in unescape(page)


@pytest.mark.parametrize("bound", ["MTCALC_WORK_SECONDS", "MTCALC_TEXT_SECONDS"])
def test_too_much_work_is_400_with_the_text_kept(bound: str) -> None:
    with override_settings(**{bound: -1}):
        response = post(TEXTS)
    assert response.status_code == 400
    assert "longer to score than is allowed" in text_of(response)
    assert "The cat sang" in response.content.decode()


def test_markup_in_a_text_stays_text() -> None:
    attack = "<script>alert(1)</script>"
    for fields in (TEXTS | {"hypothesis": attack}, {"hypothesis": attack, "references": ""}):
        assert "<script>alert" not in post(fields).content.decode()


@pytest.mark.parametrize("path", ["/nothing/", "/words/more/", "/%00/"])
def test_an_address_of_nothing_is_404(path: str) -> None:
    assert Client().get(path).status_code == 404


def test_other_methods_are_refused() -> None:
    for method in ("PUT", "PATCH", "DELETE"):
        assert Client().generic(method, PAGE).status_code == 405
    assert Client().head(PAGE).status_code == 200


def test_the_site_is_alive_without_a_database() -> None:
    response = Client().get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok")
    assert response.headers["Content-Type"].startswith("text/plain")


@pytest.mark.parametrize("path", ["/", "/about/", "/privacy/", "/api/"])
def test_the_other_pages_are_there(path: str) -> None:
    response = Client().get(path)
    assert response.status_code == 200
    assert "<h1>" in response.content.decode()


def test_the_api_is_shown_with_calls_that_run_as_they_stand() -> None:
    page = unescape(Client().get("/api/").content.decode())
    calls = re.findall(r"curl -s 'http://testserver(\S+)' .*?-d '(.*?)'", page, re.DOTALL)
    assert len(calls) == 3
    for path, body in calls:
        response = Client().post(path, body, content_type="application/json")
        assert response.status_code == 200
    answer = Client().post(calls[0][0], calls[0][1], content_type="application/json").json()
    assert repr(answer["score"]) in page


def test_public_pages_set_no_cookie_and_vary_on_none() -> None:
    client = Client()
    answers = [client.get(path) for path in ("/", PAGE, "/api/", "/about/", "/api/v1/metrics")]
    for response in [*answers, post(TEXTS), post({})]:
        assert not response.cookies
        assert "Cookie" not in response.headers.get("Vary", "")


# Whatever is sent

NAMES = "hypothesis references preset preset_shown lowercase repeat bonus cut scale weights __all__"
FIELD = st.sampled_from(NAMES.split())
GENEROUS = settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@GENEROUS
@given(
    st.dictionaries(FIELD, st.text() | st.sampled_from(["on", "1", "9", "char", "cased", "0.5"])),
    st.sampled_from([{}, TEXTS]),
)
def test_no_form_is_answered_with_a_500(fields: dict[str, str], texts: dict[str, str]) -> None:
    assert post(texts | fields).status_code in (200, 400)


@GENEROUS
@given(st.binary(), st.sampled_from(["multipart/form-data; boundary=x", "multipart/form-data"]))
def test_no_broken_body_is_answered_with_a_500(body: bytes, content_type: str) -> None:
    response = Client(raise_request_exception=False).generic("POST", PAGE, body, content_type)
    assert response.status_code == 400


@pytest.mark.parametrize(
    "charset", ["utf-16", "base64", "idna", "rot13", "unicode_escape", "nothing", "\xe9", "a" * 500]
)
@pytest.mark.parametrize(
    "kind", ["multipart/form-data; boundary=x", "application/x-www-form-urlencoded"]
)
def test_no_charset_is_answered_with_a_500(charset: str, kind: str) -> None:
    body = (
        b'--x\r\nContent-Disposition: form-data; name="hypothesis"\r\n\r\n\xff\\xa\r\n'
        b'--x\r\nContent-Disposition: form-data; name="references"\r\n\r\na\r\n--x--\r\n'
    )
    response = Client(raise_request_exception=False).generic(
        "POST", PAGE, body, f"{kind}; charset={charset}"
    )
    assert response.status_code in (200, 400)


def test_the_drawing_of_the_site_is_found_at_the_address_of_old() -> None:
    response = Client().get("/favicon.ico")
    assert response.status_code == 302
    assert response.headers["Location"].endswith("favicon.svg")
