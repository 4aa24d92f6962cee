"""Ctrl+C in a terminal, which every process of the server gets at once."""

import os
import signal
import subprocess
import sys

from tests.browser.server import ROOT, free_port, wait_until_it_answers


def test_the_server_stops_at_once_and_kills_no_worker(tmp_path):
    environment = {**os.environ, "MTCALC_DATA": str(tmp_path), "SECRET_KEY": "k" * 60}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    for number in range(3):  # without the signal kept from the workers two of three hang
        port, log = free_port(), tmp_path / f"log-{number}"
        with log.open("w") as written:
            server = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--port", str(port)],
                cwd=ROOT,
                env=environment,
                stdout=written,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            wait_until_it_answers(f"http://127.0.0.1:{port}/healthz", server, log)
        finally:
            os.killpg(server.pid, signal.SIGINT)
            server.wait(timeout=30)
        assert "Killing" not in log.read_text()
