"""The admin's log-in: ten attempts in a quarter of an hour, whatever the client says of itself."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.core.exceptions import ValidationError

from .limits import (
    LOGINS_FROM_NETWORK,
    LOGINS_OF_USER,
    LOGINS_OF_USER_FROM_NETWORK,
    Limit,
    Tally,
    forget,
    hit,
)
from .network import client_address, keyed, network


class ThrottledLoginForm(AdminAuthenticationForm):
    """Counts an attempt before it looks at the password, so that it can't be tried for free.

    Limits hold for load tests too. Whom the counters are about is hashed like any sender: people
    type passwords into the field for the name.
    """

    refused: Tally | None = None

    def clean(self) -> dict[str, Any]:
        attempts = self._attempts()
        for limit, who in attempts:
            tally = hit(limit, who)
            if tally.is_over(limit):
                self.refused = tally
                raise ValidationError("Too many attempts. Try again later.", code="throttled")
        data = super().clean()
        for limit, who in attempts[:1]:
            forget(limit, who)
        return data

    def _attempts(self) -> list[tuple[Limit, str]]:
        name = str(self.cleaned_data.get("username", "")).casefold()
        where = network(client_address(self.request))
        user = keyed(f"user {name}")
        return [
            (LOGINS_OF_USER_FROM_NETWORK, keyed(f"user {name} at {where}")),
            (LOGINS_FROM_NETWORK, keyed(where)),
            (LOGINS_OF_USER, user),
        ]
