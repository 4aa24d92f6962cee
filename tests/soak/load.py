"""Many visitors at once."""

from __future__ import annotations

import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from calculators.scoring import METRICS
from tests.browser.server import Site

from .figures import Figure, percentile

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
TAKES = {"Accept-Encoding": "gzip, deflate, br"}  # as browsers do
MINUTES = float(os.environ.get("SOAK_MINUTES", "10"))
FAILED = 0  # stands for the status of an answer that did not come


def ask(site: Site, path: str, body: str | None = None, timeout: float = 60) -> tuple[int, float]:
    """The status of the answer, and the seconds that it took."""
    started = time.monotonic()
    connection = HTTPConnection(urlsplit(site.url).netloc, timeout=timeout)
    try:
        headers = TAKES | FORM if body else TAKES
        connection.request("GET" if body is None else "POST", path, body, headers)
        response = connection.getresponse()
        response.read()
        status = response.status
    except (OSError, HTTPException):
        status = FAILED
    finally:
        connection.close()
    return status, time.monotonic() - started


def steadily(seconds: float, a_second: float, do: Callable[[int], None]) -> None:
    """Call ``do`` with a running number so often a second, each call in a thread of its own."""
    threads, started = [], time.monotonic()
    for number in range(int(seconds * a_second)):
        time.sleep(max(0.0, started + number / a_second - time.monotonic()))
        threads.append(threading.Thread(target=do, args=(number,)))
        threads[-1].start()
    for thread in threads:
        thread.join()


def calculation(characters: int, seed: int) -> str:
    """The body of a form with two texts of so many characters."""
    drawn = random.Random(seed)
    words = [f"w{drawn.randrange(3000)}" for _ in range(characters // 6 + 1)]
    hypothesis = " ".join(words)[:characters]
    drawn.shuffle(words)
    return urlencode({"hypothesis": hypothesis, "references": " ".join(words)[:characters]})


def typical(seed: int) -> str:
    """A text of 2,000 characters in which each tenth word is another than in the reference."""
    drawn = random.Random(seed)
    words = [f"w{drawn.randrange(3000)}" for _ in range(400)]
    other = [word if drawn.random() > 0.1 else "other" for word in words]
    return urlencode({"hypothesis": " ".join(other)[:2_000], "references": " ".join(words)[:2_000]})


def pages(site: Site) -> Iterator[Figure]:
    """A calculator's page at 100 requests a second, then typical calculations one by one."""
    path = f"/{METRICS[0].slug}/"
    for _ in range(20):
        ask(site, path)
    before, took = cpu_seconds(site), []
    steadily(10, 100, lambda number: took.append(ask(site, path)))
    used = cpu_seconds(site) - before
    yield Figure("a page, CPU", used / len(took) * 1000, 3, "ms")
    yield Figure("a page at 100/s, p99", percentile([s for _, s in took], 99) * 1000, 50, "ms")
    yield Figure("answers other than 200", sum(status != 200 for status, _ in took), 0)
    for metric in METRICS:
        done = [ask(site, f"/{metric.slug}/", typical(seed)) for seed in range(40)]
        p95 = percentile([taken for _, taken in done], 95) * 1000
        yield Figure(f"{metric.name} of 2 x 2,000 characters, p95", p95, 200, "ms")


def overload(site: Site) -> Iterator[Figure]:
    """Sixteen who send the heaviest texts without a pause, and one who looks at a page."""
    seen: Counter[int] = Counter()
    end = time.monotonic() + 20

    def send(seed: int) -> None:
        metric = METRICS[seed % len(METRICS)]
        body = calculation(metric.max_characters, seed)
        while time.monotonic() < end:
            seen[ask(site, f"/{metric.slug}/", body)[0]] += 1

    threads = [threading.Thread(target=send, args=(seed,)) for seed in range(16)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    plain, small = [], []
    while time.monotonic() < end:
        plain.append(ask(site, f"/{METRICS[0].slug}/"))
        small.append(ask(site, f"/{METRICS[0].slug}/", typical(len(small))))
        time.sleep(0.1)
    for thread in threads:
        thread.join()
    told = ", ".join(f"{count} x {status}" for status, count in sorted(seen.items()))
    faulty = sum(count for status, count in seen.items() if status not in (200, 400, 503))
    yield Figure(f"heavy ones: faults ({told})", faulty, 0)
    yield Figure("a page meanwhile, p95", percentile([s for _, s in plain], 95), 1.5, "s")
    yield Figure("a small text meanwhile, p95", percentile([s for _, s in small], 95), 2, "s")
    others = sum(status != 200 for status, _ in plain + small)
    yield Figure("of those, answers other than 200", others, 0)


def steady(site: Site) -> Iterator[Figure]:
    """Fifty requests a second of all kinds for minutes."""
    paths = ["/", "/healthz", "/api/v1/metrics", *(f"/{metric.slug}/" for metric in METRICS)]
    seen: Counter[int] = Counter()

    def one(number: int) -> None:
        path = paths[number % len(paths)]
        body = typical(number) if number % 10 == 9 and len(path) > 1 and path[-1] == "/" else None
        seen[ask(site, path, body)[0]] += 1

    steadily(30, 50, one)  # until all is loaded
    before = memory(site)
    steadily(MINUTES * 60, 50, one)
    yield Figure("growth of memory", (memory(site) / before - 1) * 100, 10, "%")
    yield Figure("answers other than 200", sum(n for s, n in seen.items() if s != 200), 0)


def processes(site: Site) -> list[int]:
    """The server's process and its workers."""
    return [site.pid, *workers(site)]


def workers(site: Site) -> list[int]:
    """The processes that the server has started."""
    children = Path(f"/proc/{site.pid}/task/{site.pid}/children").read_text().split()
    return [int(child) for child in children]


def cpu_seconds(site: Site) -> float:
    """The processor's time that the server has used so far."""
    ticks = 0
    for process in processes(site):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(site: Site) -> int:
    """Pages of memory that the server holds."""
    return sum(int(Path(f"/proc/{p}/statm").read_text().split()[1]) for p in processes(site))
