import pytest
from django.http import HttpResponse
from django.test import RequestFactory, override_settings

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
    assert "unsafe" not in POLICY
    assert POLICY.startswith("default-src 'none'")
