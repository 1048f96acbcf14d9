"""okbench data fetch against a server on this machine: download, resume, retry, verification, mirror."""

import bz2
import concurrent.futures
import hashlib
import http.server
import os
import pathlib
import platform
import subprocess
import sys
import threading
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CONTENT = b"1 1:1\n" * 50000
PACKED = bz2.compress(CONTENT)


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves PACKED at /data, with ranges; /flaky closes the connection half-way the first time."""

    log = []

    def do_GET(self):
        self.log.append((self.path, self.headers.get("Range")))
        body, start = PACKED, 0
        if self.path == "/wrong":
            body = b"something else"
        if self.path == "/none":
            self.send_error(404)
            return
        if self.headers.get("Range"):
            start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        rest = body[start:]
        if self.path == "/flaky" and start == 0:
            rest = rest[: len(rest) // 2]
        if self.path == "/slow":  # no download ends before another one has begun
            self.wfile.write(rest[:6])
            end = time.monotonic() + 60
            while sum(path == "/slow" for path, _ in Handler.log) < 2 and time.monotonic() < end:
                time.sleep(0.01)
            rest = rest[6:]
        self.wfile.write(rest)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    Handler.log = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        threading.Thread(target=httpd.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{httpd.server_port}"
        httpd.shutdown()


@pytest.fixture
def fetch(tmp_path):
    def run(urls, *options, mirror="", sha=hashlib.sha256(CONTENT).hexdigest(), name="toy/toy.bz2"):
        catalog = tmp_path / "catalog.toml"
        catalog.write_text(f"[toy]\n[toy.train]\nfiles=[{{name='{name}', urls={urls}, sha256='{sha}'}}]\n")
        env = {**os.environ, "OKBENCH_CACHE": str(tmp_path / "cache"), "OKBENCH_MIRROR": mirror, "NO_PROXY": "*"}
        return subprocess.run(
            [sys.executable, "-m", "okbench", "data", "fetch", "--catalog", catalog, *options],
            capture_output=True,
            text=True,
            env=env,
            timeout=60,
        )

    run.file = tmp_path / "cache" / "toy" / "toy.bz2"
    return run


def test_downloads_once(server, fetch):
    assert fetch([f"{server}/data"]).returncode == 0
    assert fetch.file.read_bytes() == PACKED
    assert fetch([f"{server}/data"]).returncode == 0
    assert len(Handler.log) == 1
    assert os.listdir(fetch.file.parent) == ["toy.bz2"]


def test_resumes_after_a_broken_connection(server, fetch):
    assert fetch([f"{server}/flaky"]).returncode == 0
    assert fetch.file.read_bytes() == PACKED
    assert Handler.log == [("/flaky", None), ("/flaky", f"bytes={len(PACKED) // 2}-")]


def test_several_at_once_do_not_mix_their_parts(server, fetch):
    with concurrent.futures.ThreadPoolExecutor() as pool:
        assert [done.returncode for done in pool.map(lambda _: fetch([f"{server}/slow"]), range(3))] == [0, 0, 0]
    assert len([path for path, _ in Handler.log if path == "/slow"]) > 1
    assert fetch.file.read_bytes() == PACKED
    assert os.listdir(fetch.file.parent) == ["toy.bz2"]


def test_a_fetch_resumes_after_a_kill(server, fetch):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    fetch.file.parent.mkdir(parents=True)
    parts = {
        owner: fetch.file.with_name(f"toy.bz2.part-{platform.node()}-{owner}") for owner in (dead.pid, os.getpid())
    }
    for part in parts.values():
        part.write_bytes(PACKED[:30])
    assert fetch([f"{server}/data"]).returncode == 0
    assert fetch.file.read_bytes() == PACKED
    assert Handler.log == [("/data", "bytes=30-")]
    assert not parts[dead.pid].exists() and parts[os.getpid()].exists()  # that of a living process stays


def test_takes_the_next_address(server, fetch):
    assert fetch([f"{server}/none", f"{server}/data"]).returncode == 0
    assert fetch.file.exists()


def test_refuses_wrong_content(server, fetch):
    done = fetch([f"{server}/wrong"])
    assert done.returncode == 1 and "expected" in done.stderr and "sha256" in done.stderr
    assert not fetch.file.exists()


def test_repairs_a_damaged_cache(server, fetch):
    fetch.file.parent.mkdir(parents=True)
    fetch.file.write_bytes(PACKED[:30])
    done = fetch([f"{server}/data"])
    assert done.returncode == 0 and "damaged" in done.stdout
    assert fetch.file.read_bytes() == PACKED


def test_no_network_is_reported_and_can_be_tolerated(fetch):
    urls = ["http://127.0.0.1:9/data"]
    done = fetch(urls)
    assert done.returncode == 1 and "cannot be reached" in done.stderr and "synthetic fallbacks" in done.stderr
    assert fetch(urls, "--optional").returncode == 0


def test_the_mirror_is_enough(fetch, tmp_path):
    (tmp_path / "mirror" / "toy").mkdir(parents=True)
    (tmp_path / "mirror" / "toy" / "toy.bz2").write_bytes(PACKED)
    done = fetch(["http://127.0.0.1:9/data"], mirror=str(tmp_path / "mirror"))
    assert done.returncode == 0 and str(tmp_path / "mirror") in done.stdout


@pytest.fixture
def fetch_either(tmp_path):
    """A file whose sha256 is known of the packed file alone, and an alternative to it."""

    def run(urls, other_urls, sha=hashlib.sha256(PACKED).hexdigest(), mirror=""):
        catalog = tmp_path / "catalog.toml"
        other = f"{{name='toy/b.gz', urls={other_urls}, sha256='{hashlib.sha256(CONTENT).hexdigest()}'}}"
        catalog.write_text(
            f"[toy.train]\nfiles=[{{name='toy/a.bz2', urls={urls}, file_sha256='{sha}', alternatives=[{other}]}}]\n"
        )
        env = {**os.environ, "OKBENCH_CACHE": str(tmp_path / "cache"), "OKBENCH_MIRROR": mirror, "NO_PROXY": "*"}
        return subprocess.run(
            [sys.executable, "-m", "okbench", "data", "fetch", "--catalog", catalog],
            capture_output=True,
            text=True,
            env=env,
            timeout=60,
        )

    run.folder = tmp_path / "cache" / "toy"
    return run


def test_upstream_is_tried_before_the_alternative(server, fetch_either):
    assert fetch_either([f"{server}/data"], [f"{server}/data"]).returncode == 0
    assert os.listdir(fetch_either.folder) == ["a.bz2"]


def test_the_alternative_replaces_a_file_that_cannot_be_fetched(server, fetch_either):
    assert fetch_either([f"{server}/none"], [f"{server}/data"]).returncode == 0
    assert os.listdir(fetch_either.folder) == ["b.gz"]
    # What is there is enough.
    done = fetch_either(["http://127.0.0.1:9/data"], [])
    assert done.returncode == 0 and str(fetch_either.folder / "b.gz") in done.stdout
    # Damaged, it is fetched anew; upstream's file is asked for first again.
    (fetch_either.folder / "b.gz").write_bytes(b"cut")
    done = fetch_either([f"{server}/data"], [])
    assert done.returncode == 0 and "damaged" in done.stdout
    assert os.listdir(fetch_either.folder) == ["a.bz2"]


def test_the_sha256_of_the_file_is_not_that_of_its_content(server, fetch_either):
    done = fetch_either([f"{server}/data"], [], sha=hashlib.sha256(CONTENT).hexdigest())
    assert done.returncode == 1 and "the file has sha256" in done.stderr and done.stderr.count("is not available") == 1


def test_the_mirror_may_have_either(fetch_either, tmp_path):
    (tmp_path / "mirror").mkdir()
    (tmp_path / "mirror" / "b.gz").write_bytes(PACKED)
    done = fetch_either([], [], mirror=str(tmp_path / "mirror"))
    assert done.returncode == 0 and str(tmp_path / "mirror" / "b.gz") in done.stdout


def test_unknown_names_are_refused():
    done = subprocess.run([sys.executable, "-m", "okbench", "data", "fetch", "uspss"], capture_output=True, text=True)
    assert done.returncode == 2 and "unknown data set 'uspss'" in done.stderr


@pytest.mark.parametrize("name", ["../precious.txt", "/etc/passwd", "a/../../b", "a//b", ""])
def test_no_name_reaches_outside_the_cache(fetch, tmp_path, name):
    precious = tmp_path / "precious.txt"
    precious.write_text("keep me")
    (tmp_path / "cache").mkdir()
    done = fetch([], sha="0" * 64, name=name)
    assert done.returncode == 1 and "is not a relative path inside the cache" in done.stderr
    assert done.stderr.count("\n") == 1 and precious.read_text() == "keep me"
