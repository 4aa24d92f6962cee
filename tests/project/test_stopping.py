"""Ctrl+C in a terminal, which every process of the server gets at once."""

import os
import signal
import time

from tests.browser.server import serving


def test_the_server_stops_at_once_and_kills_no_worker(tmp_path):
    for number in range(5):  # without the signal kept from the workers some hang
        data = tmp_path / str(number)
        data.mkdir()
        with serving(data) as site:
            time.sleep(1)  # until both workers are up: one that is not yet stops in any case
            os.killpg(site.pid, signal.SIGINT)
            os.waitid(
                os.P_PID, site.pid, os.WEXITED | os.WNOWAIT
            )  # a second signal would hasten it
        assert "Killing" not in (data / "server.log").read_text()
