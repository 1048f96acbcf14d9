"""Downloads through pooch: resumed, tried again, verified, and within limits of time and size."""

import contextlib
import errno
import glob
import os
import pathlib
import platform
import re
import signal
import sys
import time
import urllib.parse

from .content import fault
from ...errors import FetchError, one_line

CONNECT_TIMEOUT = 10  # seconds; also the longest silence of a server
SECONDS = 3600  # that a file may take, all addresses and tries together; OKBENCH_FETCH_SECONDS says otherwise
RETRIES = 3
# Errors that are of this machine, not of a server.
OURS = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.ENAMETOOLONG}
MOST_BYTES = 1 << 30  # of a file whose catalogue entry has no `bytes`; of one with, twice as many


class Refused(Exception):
    """What a server gives is not taken; it would give the same again."""


class Late(Exception):
    """The time is over."""


class Unwritable(Exception):
    """The cache cannot be written."""


def seconds():
    """What a file may take. Raises FetchError."""
    text = os.environ.get("OKBENCH_FETCH_SECONDS") or str(SECONDS)
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]+)?", text) or float(text) == 0:
        raise FetchError(one_line(f"OKBENCH_FETCH_SECONDS={text}: must be a number above 0"))
    return float(text)


@contextlib.contextmanager
def deadline(span):
    """Raises Late in what is done within when the time is over: whatever it waits for."""

    def over(*_):
        raise Late

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, span, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def length_of(response):
    """What the server says that it sends, or None. Raises Refused."""
    text = response.headers.get("Content-Length")
    if text is not None and not re.fullmatch(r"[0-9]{1,18}", text.strip()):
        raise Refused(f"its Content-Length is '{text}', no number of bytes")
    return None if text is None else int(text)


class ResumingDownloader:
    """A pooch downloader that keeps what it has got in a part of the file and asks only for the rest next time."""

    def __init__(self, part, most):
        self.part, self.most = part, most

    def __call__(self, url, output_file, _pooch):
        import requests

        have = self.part.stat().st_size if self.part.exists() else 0
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
        with requests.get(url, headers=headers, stream=True, timeout=CONNECT_TIMEOUT) as response:
            if response.status_code == 416:  # the part is already whole, or not of this file
                self.part.unlink()
                raise OSError("the partial download does not fit; starting over")
            response.raise_for_status()
            have = have if response.status_code == 206 else 0
            length = length_of(response)
            total = None if length is None else length + have
            self.check(total or have)
            self.receive(response, have, total)
            if total and self.part.stat().st_size < total:
                raise OSError("the server closed the connection early")
        target = output_file if isinstance(output_file, (str, os.PathLike)) else output_file.name
        os.replace(self.part, target)

    def check(self, size):
        if size > self.most:
            raise Refused(f"has more than {self.most} bytes, which are the most that are taken of it")

    def receive(self, response, have, total):
        """Writes what comes behind what is there. Raises Refused and Unwritable."""
        from tqdm import tqdm

        bar = tqdm(
            total=total or None,
            initial=have,
            unit="B",
            unit_scale=True,
            desc=self.part.name.split(".part-")[0],
            disable=not sys.stderr.isatty(),
        )
        try:
            file = open(self.part, "ab" if have else "wb")
        except OSError as error:
            raise Unwritable(error.strerror) from error
        with bar, contextlib.closing(file):
            for chunk in response.iter_content(1 << 16):
                have += len(chunk)
                self.check(have)
                try:
                    file.write(chunk)
                    file.flush()
                except OSError as error:
                    raise Unwritable(error.strerror) from error
                bar.update(len(chunk))


def own_part(target):
    """The name of a partial download, of this machine and process: several may fetch the same file at once.

    One that a dead process of this machine left is taken over.
    """
    start = f"{target.name}.part-{platform.node()}-"
    own = target.with_name(start + str(os.getpid()))
    for left in target.parent.glob(glob.escape(start) + "*"):
        owner = left.name.removeprefix(start)
        if not owner.isdigit() or pathlib.Path(f"/proc/{owner}").exists():
            continue
        try:
            os.rename(left, own)
            break
        except OSError:  # another process was first
            continue
    return own


def download(entry, target, dead_hosts):
    """Tries every address; returns None on success, else the last error as text."""
    span = seconds()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = own_part(target)
        with deadline(span), contextlib.ExitStack() as last:
            last.callback(remove_new, part)
            return tried(entry, target, part, dead_hosts)
    except Late:
        error = f"{entry['urls'][0]}: was not whole after {span:g} s (OKBENCH_FETCH_SECONDS)"
    except Unwritable as failure:
        error = f"the cache cannot be written: {failure}"
    except OSError as failure:
        return f"the cache cannot be written: {failure.filename}: {failure.strerror}"
    remove(part)
    return one_line(error)


def remove(part):
    """A part that will not become a file, and what it was to be renamed to."""
    remove_new(part)
    with contextlib.suppress(OSError):
        part.unlink()


def remove_new(part):
    """What a part was to be renamed to alone: nobody would take it over."""
    with contextlib.suppress(OSError):
        part.with_name(part.name + ".new").unlink()


def tried(entry, target, part, dead_hosts):
    """The same, without an end to the time that it takes."""
    import pooch
    import requests

    pooch.get_logger().setLevel("ERROR")
    most = 2 * entry["bytes"] if "bytes" in entry else MOST_BYTES
    error = "no address is known; docs/adding-a-dataset.md says how to put own files in place"
    for url in entry.get("urls", []):
        for attempt in range(RETRIES):
            try:
                host = urllib.parse.urlsplit(url).netloc
                if host in dead_hosts:
                    error = f"{host} cannot be reached"
                    break
                path = pooch.retrieve(
                    url,
                    known_hash=None,
                    fname=part.name + ".new",
                    path=target.parent,
                    downloader=ResumingDownloader(part, most),
                )
                wrong = fault(path, entry)
                if wrong is None:
                    os.replace(path, target)
                    return None
                os.unlink(path)
                error = f"{url}: {wrong}"
                break
            except requests.exceptions.ConnectionError:
                if not part.exists():
                    dead_hosts.add(host)
                error = f"{host} cannot be reached"
            except Refused as failure:
                error = f"{url}: {failure}"
                remove(part)
                break
            except ValueError as failure:  # of addresses, here or where a server sends us, that are none
                error = f"{url}: leads to what is no address: {failure}"
                break
            except OSError as failure:  # requests' errors are of this kind, too
                if failure.errno in OURS:
                    raise Unwritable(failure.strerror) from failure
                error = f"{url}: {failure}"
            time.sleep(0.2 * 2**attempt)
    return one_line(error)
