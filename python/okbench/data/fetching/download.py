"""Downloads files with pooch: resumes, retries and verifies them, with limits on time and size."""

import contextlib
import errno
import glob
import os
import platform
import re
import signal
import sys
import time
import urllib.parse

from .content import fault
from ...errors import FetchError, one_line

CONNECT_TIMEOUT = 10  # seconds to connect, and between two packets
SECONDS = 3600  # default of OKBENCH_FETCH_SECONDS: time limit per file, all addresses and attempts together
RETRIES = 3
# Errors of the local machine rather than of a server.
LOCAL_ERRORS = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.ENAMETOOLONG}
MAX_BYTES = 1 << 30  # size limit of a file without `bytes` in the catalog; otherwise the limit is 2 * bytes


class BadResponse(Exception):
    """The server's response is unacceptable. A retry would not help."""


class DeadlineExceeded(Exception):
    """The time limit has passed."""


class Unwritable(Exception):
    """A file in the cache cannot be written."""


def seconds():
    """The time limit per file in seconds. Raises FetchError if OKBENCH_FETCH_SECONDS is not a positive number."""
    text = os.environ.get("OKBENCH_FETCH_SECONDS") or str(SECONDS)
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]+)?", text) or float(text) == 0:
        raise FetchError(one_line(f"OKBENCH_FETCH_SECONDS={text}: must be a number above 0"))
    return float(text)


@contextlib.contextmanager
def deadline(span):
    """Context that raises DeadlineExceeded after `span` seconds, even in a blocking call. Main thread only."""

    def over(*_):
        raise DeadlineExceeded

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, span, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def length_of(response):
    """The Content-Length of a response in bytes; None if it has none. Raises BadResponse."""
    text = response.headers.get("Content-Length")
    if text is not None and not re.fullmatch(r"[0-9]{1,18}", text.strip()):
        raise BadResponse(f"invalid Content-Length '{text}'")
    return None if text is None else int(text)


class ResumingDownloader:
    """A pooch downloader that resumes. It appends to the file `part` and requests only the missing bytes.

    `most` is the maximum size of the file in bytes.
    """

    def __init__(self, part, most):
        self.part, self.most = part, most

    def __call__(self, url, output_file, _pooch):
        import requests

        have = self.part.stat().st_size if self.part.exists() else 0
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
        with requests.get(url, headers=headers, stream=True, timeout=CONNECT_TIMEOUT) as response:
            if response.status_code == 416:  # the partial file is complete, or belongs to another file
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
            raise BadResponse(f"larger than the limit of {self.most} bytes")

    def receive(self, response, have, total):
        """Appends the body of the response to the partial file of `have` bytes. Raises BadResponse and Unwritable."""
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


def is_alive(process):
    """Whether a process of this machine exists."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # of another user
        pass
    return True


def own_part(target):
    """The path of this process's partial download: machine and process are part of the name.

    Takes over a partial download that a dead process of this machine has left. Several processes may call this.
    """
    start = f"{target.name}.part-{platform.node()}-"
    own = target.with_name(start + str(os.getpid()))
    for left in target.parent.glob(glob.escape(start) + "*"):
        owner = left.name.removeprefix(start)
        if not owner.isdigit() or is_alive(int(owner)):
            continue
        try:
            os.rename(left, own)
            break
        except OSError:  # another process has taken it over
            continue
    return own


def download(entry, target, dead_hosts):
    """Downloads a file to `target` within the time limit. Returns None on success, else the last error as text.

    `dead_hosts`: hosts that could not be reached; they are skipped, and new ones are added.
    """
    span = seconds()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = own_part(target)
        with deadline(span), contextlib.ExitStack() as last:
            last.callback(remove_new, part)
            return try_urls(entry, target, part, dead_hosts)
    except DeadlineExceeded:
        error = f"{entry['urls'][0]}: not complete after {span:g} s (OKBENCH_FETCH_SECONDS)"
    except Unwritable as failure:
        error = f"the cache cannot be written: {failure}"
    except OSError as failure:
        return f"the cache cannot be written: {failure.filename}: {failure.strerror}"
    remove(part)
    return one_line(error)


def remove(part):
    """Removes a partial download and its ".new" file."""
    remove_new(part)
    with contextlib.suppress(OSError):
        part.unlink()


def remove_new(part):
    """Removes only the ".new" file of a partial download: other processes do not take it over."""
    with contextlib.suppress(OSError):
        part.with_name(part.name + ".new").unlink()


def try_urls(entry, target, part, dead_hosts):
    """Tries every address, RETRIES times each, without a time limit. Returns as download() does."""
    import pooch
    import requests

    pooch.get_logger().setLevel("ERROR")
    most = 2 * entry["bytes"] if "bytes" in entry else MAX_BYTES
    error = "the catalog has no address; see docs/howto/add-a-data-set.md for how to add the file by hand"
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
            except BadResponse as failure:
                error = f"{url}: {failure}"
                remove(part)
                break
            except ValueError as failure:  # an invalid address in the catalog or in a redirect
                error = f"{url}: invalid address: {failure}"
                break
            except OSError as failure:  # base class of requests' errors
                if failure.errno in LOCAL_ERRORS:
                    raise Unwritable(failure.strerror) from failure
                error = f"{url}: {failure}"
            time.sleep(0.2 * 2**attempt)
    return one_line(error)
