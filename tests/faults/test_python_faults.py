"""Calls of the system that fail while data is fetched or added, figures are drawn and the report is made."""

import errno
import http.server
import threading

import pytest
import verbs

CONTENT = b"1 1:1\n" * 40000


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()
        self.wfile.write(CONTENT)

    def log_message(self, *_):
        pass


def test_fetching(fault_runner):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        verb = verbs.Fetch(fault_runner, f"http://127.0.0.1:{server.server_port}/data", CONTENT)
        fault_runner.try_faults(verb, 3)
        server.shutdown()


def test_adding_data(fault_runner):
    fault_runner.try_faults(verbs.Add(fault_runner), 3)


def test_added_data_stays_when_the_catalog_cannot_be_read_again(fault_runner):
    verb = verbs.Add(fault_runner)
    last = fault_runner.counts(verb)["close"]
    for at in range(last - 2, last + 1):
        met, wrong = fault_runner.fault(verb, "close", at, verbs.FOR_GOOD, errno.EIO)
        assert met and not wrong


@pytest.mark.parametrize(
    ("verb", "calls"),
    [(verbs.Draw, ("read", "rename")), (verbs.Report, ("write",))],
    ids=["figures", "report"],
)
def test_drawing(fault_runner, verb, calls):
    fault_runner.try_faults(verb(fault_runner), 1, None if verbs.FULL else calls)
