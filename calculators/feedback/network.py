"""Who sent a request, as far as this site wants to know: a hash that nobody can undo tomorrow."""

from __future__ import annotations

import ipaddress

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from .models import DailyKey, today

IPV4_PREFIX, IPV6_PREFIX = 24, 64  # what one household, school or provider's pool shares
UNKNOWN = "unknown"  # a Unix socket, or a proxy that sends nonsense

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def client_address(request: HttpRequest) -> Address | None:
    """The address that the outermost trusted proxy saw, or None where nobody told one.

    Every proxy adds the address of its client at the right of X-Forwarded-For, and whatever
    stands further left is the client's own invention. Without trusted proxies all of it is.
    """
    remote = _parsed(request.META.get("REMOTE_ADDR", ""))
    hops = settings.TRUSTED_PROXY_HOPS
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    if hops == 0 or len(forwarded) < hops:
        return remote
    return _parsed(forwarded[-hops]) or remote


def network(address: Address | None) -> str:
    """The /24 of an IPv4 address, the /64 of an IPv6 one."""
    if address is None:
        return UNKNOWN
    prefix = IPV4_PREFIX if address.version == 4 else IPV6_PREFIX
    return str(ipaddress.ip_network(f"{address}/{prefix}", strict=False))


def sender_key(request: HttpRequest) -> str:
    """The sender's network under the key of the day: the same all day, another one tomorrow."""
    return keyed(network(client_address(request)))


def keyed(value: str) -> str:
    """``value`` under the key of the day and the site's own secret key, in hexadecimal."""
    return salted_hmac(_key_of_the_day(), value, algorithm="sha256").hexdigest()


def _key_of_the_day() -> str:
    day = today()
    DailyKey.objects.filter(day__lt=day).delete()
    # Two processes may both find none; one row wins, and both read that one.
    if not (found := DailyKey.objects.filter(day=day).first()):
        DailyKey.objects.bulk_create([DailyKey(day=day)], ignore_conflicts=True)
        found = DailyKey.objects.get(day=day)
    return found.secret


def _parsed(text: str) -> Address | None:
    """An address from ``1.2.3.4``, ``1.2.3.4:80``, ``2001:db8::1``, ``[2001:db8::1]:80``."""
    host = text.strip().split("%")[0]
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address
