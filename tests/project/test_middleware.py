import logging

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory, override_settings

from calculators.scoring import METRICS
from mtcalc.middleware import POLICY, BodyLimit, ContentSecurityPolicy, SameOriginPosts


def status_of(middleware, **headers) -> int:
    request = RequestFactory().post("/anything/", headers=headers)
    return middleware(lambda request: HttpResponse("in"))(request).status_code


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),  # no browser
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://evil.example"}, 403),
        ({"Origin": "http://testserver"}, 200),
        ({"Origin": "https://testserver"}, 200),
        ({"Origin": "http://testserver:8000"}, 403),
        ({"Origin": "http://testserver.evil.example"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": "http://[::1"}, 403),
        ({"Origin": "http://testserver]"}, 403),
    ],
)
def test_a_post_is_let_in_from_here_and_refused_from_elsewhere(headers, status):
    assert status_of(SameOriginPosts, **headers) == status


def test_reading_is_never_refused():
    request = RequestFactory().get("/", headers={"Sec-Fetch-Site": "cross-site"})
    assert SameOriginPosts(lambda request: HttpResponse("in"))(request).status_code == 200


def test_a_refused_json_request_is_answered_in_json():
    request = RequestFactory().post(
        "/api/", "{}", content_type="application/json", headers={"Origin": "http://evil.example"}
    )
    response = SameOriginPosts(lambda request: HttpResponse("in"))(request)
    assert response.status_code == 403
    assert response["Content-Type"] == "application/json"


@override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=100)
@pytest.mark.parametrize(("size", "status"), [(100, 200), (101, 413)])
def test_a_body_over_the_limit_is_refused_unread(size, status):
    request = RequestFactory().post("/x/", b"a" * size, content_type="application/json")
    response = BodyLimit(lambda request: HttpResponse("in"))(request)
    assert response.status_code == status


def test_every_answer_carries_the_policy():
    response = ContentSecurityPolicy(lambda request: HttpResponse())(RequestFactory().get("/"))
    assert response["Content-Security-Policy"] == POLICY


def test_the_policy_allows_the_sites_own_files_and_nothing_else():
    directives = dict(part.split(" ", 1) for part in POLICY.split("; "))
    assert directives == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": "'self'",
        "font-src": "'self'",
        "manifest-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }


@pytest.mark.django_db
def test_refusals_carry_the_policy_too(client):
    client.raise_request_exception = False
    page = f"/{METRICS[0].slug}/"
    seen = []
    for response in (
        client.post(page, {}),
        client.post(page, {}, headers={"Origin": "http://evil.example"}),
        client.get("/nowhere/"),
        client.put(page),
        client.post(page, {"hypothesis": "a" * 4 * 1024**2}),
        client.get(page, headers={"host": "evil.example"}),
        client.get("/admin/login/"),
    ):
        seen.append(response.status_code)
        assert response["Content-Security-Policy"] == POLICY
    assert seen == [400, 403, 404, 405, 413, 400, 200]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/gate/", "/files/", *(f"/{m.slug}/" for m in METRICS)])
def test_a_page_over_the_limit_says_so(client, path):
    response = client.post(path, {"hypothesis": "a" * 4 * 1024**2})
    assert response.status_code == 413
    assert "larger than the 4 MiB" in response.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/gate/", "/files/", *(f"/{m.slug}/" for m in METRICS)])
def test_a_text_that_another_site_sends_comes_back_and_is_not_kept(client, path):
    fields = dict.fromkeys(("hypothesis", "references", "items", "system_1"), "a canary")
    response = client.post(path, fields, headers={"Origin": "http://evil.example"})
    assert response.status_code == 403
    assert response["Cache-Control"] == "no-store"
    assert "a canary</textarea>" in response.content.decode()


# Other programs on the same host, such as another Django on localhost, set cookies of these names.
FOREIGN = {"sessionid": "abc", "csrftoken": "x" * 64, "messages": "x"}


@pytest.mark.parametrize(
    "path", ["/", "/gate/", "/api/v1/metrics", *(f"/{m.slug}/" for m in METRICS)]
)
@pytest.mark.django_db
def test_a_public_page_does_not_look_at_cookies(client, path):
    client.cookies.load(FOREIGN)
    for response in (client.get(path), client.post(path, {"hypothesis": "a", "references": "a"})):
        assert not response.cookies
        assert "cookie" not in response.get("Vary", "").lower()


def test_a_post_where_none_is_taken_is_told_so_and_asked_for_no_token():
    assert Client(enforce_csrf_checks=True).post("/about/").status_code == 405


@pytest.mark.django_db
def test_the_admin_keeps_its_tokens():
    browser = Client(enforce_csrf_checks=True)
    assert browser.post("/admin/login/", {"username": "a", "password": "b"}).status_code == 403


@pytest.mark.parametrize("encoding", ["utf-7", "raw_unicode_escape", "latin-1", "utf-16", "rot13"])
@pytest.mark.parametrize("path", ["/gate/", *(f"/{m.slug}/" for m in METRICS)])
def test_a_form_in_another_encoding_is_refused(client, path, encoding):
    # In UTF-7 and in Python's escapes these are half characters, which no page can show again.
    body = rb"hypothesis=+2AA-\ud800&references=+2AA-\ud800&items=\ud800"
    kind = f"application/x-www-form-urlencoded; charset={encoding}"
    client.raise_request_exception = False
    assert client.generic("POST", path, body, content_type=kind).status_code == 400


@pytest.mark.parametrize("kind", ["DisallowedHost", "TooManyFieldsSent", "csrf"])
def test_scanners_do_not_fill_the_log(kind):
    assert not logging.getLogger(f"django.security.{kind}").isEnabledFor(logging.ERROR)
