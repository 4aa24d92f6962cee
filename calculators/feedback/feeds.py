"""Atom feeds of published comments: one of the site, one a tool."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import linebreaks
from django.views.decorators.http import require_safe

from ..scoring import AnyMetric, find
from .models import Feedback
from .published import DOWN

ENTRIES = 30


class CommentsFeed(Feed):
    """The newest comments, of one tool where one is named."""

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, page: str | None = None) -> AnyMetric | None:
        metric = find(page) if page else None
        if page and metric is None:
            raise Http404
        return metric

    def title(self, metric: AnyMetric | None) -> str:
        return f"mtcalc: comments on {metric.name}" if metric else "mtcalc: all comments"

    def link(self, metric: AnyMetric | None) -> str:
        return reverse("feedback:tool", args=[metric.slug]) if metric else reverse("home")

    def items(self, metric: AnyMetric | None) -> Iterable[Feedback]:
        published = Feedback.objects.published()
        return (published.filter(page=metric.slug) if metric else published)[:ENTRIES]

    def item_title(self, item: Feedback) -> str:
        metric = find(item.page)
        return f"{item.get_kind_display()} on {metric.name if metric else item.page}"

    def item_description(self, item: Feedback) -> str:
        # Readers take a summary for HTML.
        return linebreaks(item.text, autoescape=True)

    def item_link(self, item: Feedback) -> str:
        return reverse("feedback:tool", args=[item.page]) + f"#comment-{item.reference}"

    def item_author_name(self, item: Feedback) -> str:
        return item.name or "Anonymous"

    def item_pubdate(self, item: Feedback) -> datetime:
        return item.created

    def item_updateddate(self, item: Feedback) -> datetime:
        return item.changed


_answer = CommentsFeed()


@require_safe
def comments_feed(request: HttpRequest, **kwargs: Any) -> HttpResponse:
    """A feed, which readers may keep for five minutes."""
    try:
        response = _answer(request, **kwargs)
    except DOWN:
        return HttpResponse(
            "Feedback can't be read just now.\n",
            status=503,
            content_type="text/plain",
            headers={"Retry-After": "30"},
        )
    response.headers["Cache-Control"] = "public, max-age=300"
    return response
