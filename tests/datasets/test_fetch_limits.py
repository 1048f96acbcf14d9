"""okbench data fetch where servers, caches and catalogs are bad: one line each, in time, and nothing half-written."""

import bz2
import gzip
import hashlib
import http.server
import lzma
import os
import pathlib
import re
import resource
import subprocess
import sys
import threading
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

from okbench.data import catalog, unpacking  # noqa: E402
from okbench.errors import FetchError, one_line  # noqa: E402

CONTENT = b"1 1:1\n" * 5000
PACKED = gzip.compress(CONTENT, mtime=0)  # the same at every import


class Handler(http.server.BaseHTTPRequestHandler):
    """A bad server; what it does is in the path."""

    def do_GET(self):
        try:
            getattr(self, self.path.strip("/"))()
        except (ConnectionError, TimeoutError):
            pass  # the client has seen enough

    def begin(self, status=200, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def data(self):
        self.begin(Content_Length=str(len(PACKED)))
        self.wfile.write(PACKED)

    def length(self):
        self.begin(Content_Length="abc")
        self.wfile.write(PACKED)

    def negative(self):
        self.begin(Content_Length="-5")

    def location(self):
        self.begin(302, Location="http://[::bad")

    def scheme(self):
        self.begin(302, Location="file:///etc/passwd")

    def circle(self):
        self.begin(302, Location="/circle")

    def drip(self):
        self.begin()
        while True:
            self.wfile.write(b"x")
            time.sleep(0.1)

    def slow_head(self):
        self.wfile.write(b"HTTP/1.0 200 OK\r\nX-Long: ")
        while True:
            self.wfile.write(b"x")
            time.sleep(0.1)

    def endless(self):
        self.begin()
        while True:
            self.wfile.write(bytes(1 << 16))

    def large(self):
        self.begin(Content_Length=str(1 << 40))

    def reason(self):
        self.wfile.write(b"HTTP/1.0 404 \x1b[31mred\x07\r\n\r\n")

    def none(self):
        self.wfile.write(b"\0\1\2")

    def bomb(self):
        body = gzip.compress(bytes(unpacking.AT_LEAST + 1))
        self.begin(Content_Length=str(len(body)))
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        httpd.daemon_threads = True
        httpd.block_on_close = False
        threading.Thread(target=httpd.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{httpd.server_port}"
        httpd.shutdown()


@pytest.fixture
def fetch(tmp_path):
    def run(*urls, more="", most=None, content=CONTENT, **environment):
        catalog, sha = tmp_path / "catalog.toml", hashlib.sha256(content).hexdigest()
        catalog.write_text(f"[toy.train]\nfiles=[{{name='toy/toy.gz', urls={list(urls)}, sha256='{sha}'{more}}}]\n")
        env = {**os.environ, "OKBENCH_CACHE": str(tmp_path / "cache"), "OKBENCH_MIRROR": "", "NO_PROXY": "*"}

        def small_files():
            if most is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        return subprocess.run(
            [
                sys.executable,
                "-B",
                "-m",
                "okbench",
                "data",
                "fetch",
                "--catalog",
                catalog,
            ],  # the limit would cut bytecode
            capture_output=True,
            text=True,
            env={**env, **environment},
            preexec_fn=small_files,
            timeout=60,
        )

    run.file = tmp_path / "cache" / "toy" / "toy.gz"
    run.file.parent.mkdir(parents=True)
    return run


def refusal(fetch, *urls, **options):
    """The line that says why a file is not available; the folder is empty then."""
    done = fetch(*urls, **options)
    lines = done.stderr.splitlines()
    assert done.returncode == 1 and len(lines) == 2, done.stderr
    assert lines[0].startswith("fetch: toy: toy/toy.gz is not available: ") and "synthetic fallbacks" in lines[1]
    assert os.listdir(fetch.file.parent) == []
    assert lines[0].isprintable()
    return lines[0].removeprefix("fetch: toy: toy/toy.gz is not available: ")


@pytest.mark.parametrize(
    ("path", "cause"),
    [
        ("length", "/length: invalid Content-Length 'abc'"),
        ("negative", "/negative: invalid Content-Length '-5'"),
        ("location", "/location: invalid address: Invalid IPv6 URL"),
        ("scheme", "/scheme: invalid address: No connection adapters were found for 'file:///etc/passwd'"),
        ("circle", "/circle: Exceeded 30 redirects."),
        ("large", "/large: larger than the limit of 1073741824 bytes"),
        ("reason", "/reason: 404 Client Error"),
        ("none", "cannot be reached"),
        ("bomb", f"/bomb: unpacks to more than {unpacking.AT_LEAST} bytes (200 times its size, or 64 MiB)"),
    ],
)
def test_bad_servers_are_one_line(server, fetch, path, cause):
    assert cause in refusal(fetch, f"{server}/{path}")


@pytest.mark.parametrize("path", ["drip", "slow_head"])
def test_a_file_has_a_time(server, fetch, path):
    start = time.monotonic()
    said = refusal(fetch, f"{server}/{path}", OKBENCH_FETCH_SECONDS="1.5")
    assert said == f"{server}/{path}: not complete after 1.5 s (OKBENCH_FETCH_SECONDS)"
    assert time.monotonic() - start < 15


@pytest.mark.parametrize("text", ["0", "-1", "nan", "x", "1e9"])
def test_the_time_is_a_number(fetch, text):
    done = fetch("http://127.0.0.1:9/data", OKBENCH_FETCH_SECONDS=text)
    assert done.returncode == 1
    assert done.stderr == f"okbench: OKBENCH_FETCH_SECONDS={text}: must be a number above 0\n"


def test_a_body_without_a_length_has_an_end(server, fetch):
    said = refusal(fetch, f"{server}/endless", more=", bytes=100000")
    assert said == f"{server}/endless: larger than the limit of 200000 bytes"


def test_the_next_address_is_taken_after_a_bad_one(server, fetch):
    bad = [f"{server}/{path}" for path in ("length", "location", "endless", "bomb")] + ["http://[::bad", "x"]
    done = fetch(*bad, f"{server}/data", more=", bytes=100000")
    assert done.returncode == 0 and fetch.file.read_bytes() == PACKED and os.listdir(fetch.file.parent) == ["toy.gz"]


def test_a_full_disk_is_one_line(server, fetch):
    assert refusal(fetch, f"{server}/data", most=10) == "the cache cannot be written: File too large"
    fetch.file.parent.rmdir()
    fetch.file.parent.write_text("in the way")
    done = fetch(f"{server}/data")
    assert done.returncode == 1 and "cannot be written" in done.stderr and "Traceback" not in done.stderr


FLIPPED = bytearray(PACKED)
FLIPPED[20] ^= 0xFF


@pytest.mark.parametrize(
    "damaged",
    [bytes(FLIPPED), PACKED[:-9], PACKED[:12], PACKED[:-8] + b"12345678", PACKED + b"\x1f\x8b\x08", b"", b"\x1f\x8b"]
    + [bz2.compress(CONTENT)[:-5], lzma.compress(CONTENT)[:-5], b"BZh9xyz", b"\xfd7zXZ\x00xyz", b"no archive"],
)
def test_a_damaged_file_is_fetched_again(server, fetch, damaged):
    fetch.file.write_bytes(damaged)
    done = fetch(f"{server}/data")
    assert done.returncode == 0 and done.stderr == "" and fetch.file.read_bytes() == PACKED
    lines = done.stdout.splitlines()
    assert (
        re.fullmatch(rf"fetch: {re.escape(str(fetch.file))} is damaged; removed \(.+\)", lines[0]) and len(lines) == 2
    )


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_no_bomb_is_unpacked(fetch, pack):
    content = bytes(unpacking.AT_LEAST + 1)
    fetch.file.write_bytes(pack(content))
    start = time.monotonic()
    done = fetch(content=content)  # the catalog has its very digest
    assert done.returncode == 1 and f"unpacks to more than {unpacking.AT_LEAST} bytes" in done.stdout
    assert not fetch.file.exists() and time.monotonic() - start < 30


def test_a_locale_without_the_characters(server, fetch, tmp_path):
    cache = tmp_path / "Ångström"
    done = fetch(f"{server}/data", OKBENCH_CACHE=str(cache), LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0, done.stderr
    assert (cache / "toy" / "toy.gz").read_bytes() == PACKED


def test_a_full_standard_output_is_one_line(fetch, tmp_path):
    fetch.file.write_bytes(PACKED)
    assert fetch().returncode == 0
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "okbench", "data", "fetch", "--catalog", tmp_path / "catalog.toml"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "OKBENCH_CACHE": str(tmp_path / "cache")},
        )
    assert done.returncode == 1 and done.stderr == "okbench: standard output: No space left on device\n"


# Catalogs and specs.


FILE = "[t.train]\nfiles = [{ name = 'a'%s }]\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("t = 1", "t: a set must be a table"),
        ("[t]\ntrain = 1", "t.train must be a table, and its files a list"),
        ("[t.train]\nfiles = 1", "t.train must be a table, and its files a list"),
        ("[t.train]\nfiles = ['a']", "a file needs a name"),
        ("[t.train]\nfiles = [{ name = 1 }]", "a file needs a name"),
        (FILE % ", urls = 'x'", "a: urls must be a list of addresses"),
        (FILE % ", urls = [1]", "a: urls must be a list of addresses"),
        (FILE % ", sha256 = 1", "a: sha256 must be a string"),
        (FILE % ", bytes = 0", "a: bytes must be an integer above 0"),
        (FILE % ", bytes = inf", "a: bytes must be an integer above 0"),
        (FILE % ", on_request = 1", "a: on_request must be true or false"),
        (FILE % ", alternatives = [1]", "a file needs a name"),
        (FILE % ", alternatives = [{ name = '../b' }]", "'../b' is not a relative path inside the cache"),
        (FILE % ", alternatives = [{ name = 'b', alternatives = [{ name = 'c' }] }]", "files without alternatives"),
        ("[t]\nlike = 1", "t.like must name a set"),
        ("[t]\nlike = 't'", "t.like must name a set"),
        ('["a\\nb"]\nlike = "x"', "a b.like must name a set"),
        ("x = " + "[" * 3000, "nested too deeply"),
        ("x = \xff", "'utf-8' codec can't decode"),
        ("[", "Invalid initial character"),
    ],
)
def test_catalogs_that_are_none(tmp_path, text, cause):
    (tmp_path / "c.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(FetchError) as raised:
        catalog.read_catalogs([tmp_path / "c.toml"])
    assert cause in str(raised.value) and str(raised.value).isprintable() and len(str(raised.value)) < 500


@pytest.mark.parametrize("text", ["data = 1", "[data]\nname = 1", "[data]\nname = [1]", "data", "x = " + "{x=" * 2000])
def test_specs_that_are_none(tmp_path, text):
    (tmp_path / "s.toml").write_text(text)
    with pytest.raises(FetchError) as raised:
        catalog.names_in_specs([tmp_path / "s.toml"])
    assert str(raised.value).startswith(str(tmp_path)) and str(raised.value).isprintable()


def test_missing_files_are_one_line(tmp_path):
    for name in ("none", "x" * 300):
        with pytest.raises(FetchError, match="No such file|File name too long"):
            catalog.read_toml(tmp_path / name)
    assert one_line("a\x1b[31m\nb") == "a?[31m b"
