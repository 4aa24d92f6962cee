"""What a page is about, in schema.org's words, for search engines: a block of data, no script."""

from __future__ import annotations

import json
from typing import Any

from .content import Page
from .scoring import AnyMetric

# JSON may write any character by its number; so written, none of these ends a block of data.
_NUMBERED = [(mark, f"\\u{ord(mark):04x}") for mark in "<>&\u2028\u2029"]


class LinkedData(str):
    """JSON-LD. Django's autoescaping prints it as it is."""

    __slots__ = ()

    @classmethod
    def of(cls, data: Any) -> LinkedData:
        """``data`` as JSON without a character that could end its block."""
        written = json.dumps(data, ensure_ascii=False)
        for mark, number in _NUMBERED:  # str.translate takes ten times as long
            written = written.replace(mark, number)
        return cls(written)

    def __html__(self) -> str:
        return str(self)


def linked_data(metric: AnyMetric, page: Page, address: str) -> LinkedData:
    """The calculator and the questions on its page. It holds no rating: those are few, or none."""
    application = {
        "@type": "SoftwareApplication",
        "name": f"{metric.name} calculator",
        "alternateName": metric.full_name,
        "description": page.description,
        "url": address,
        "applicationCategory": "EducationalApplication",
        "operatingSystem": "Any",
        "isAccessibleForFree": True,
        "offers": {"@type": "Offer", "price": "0", "priceCurrency": "EUR"},
    }
    questions = {
        "@type": "FAQPage",
        "mainEntity": [
            {
                "@type": "Question",
                "name": question.ask,
                "acceptedAnswer": {"@type": "Answer", "text": question.answer.__html__()},
            }
            for question in page.questions
        ],
    }
    parts = [application, questions] if page.questions else [application]
    return LinkedData.of({"@context": "https://schema.org", "@graph": parts})
