"""gzip, bzip2 and xz, known by a file's first bytes, unpacked in pieces and within a limit. For fetch.py and add.py."""

import bz2
import contextlib
import gzip
import lzma
import zlib

OPENERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
# What a packed file may come to: text rarely packs better than a hundred times, and a few bytes may pack any pattern.
TIMES, AT_LEAST = 200, 64 << 20
PIECE = 1 << 20


class UnpackError(Exception):
    """Why a file cannot be unpacked, as the end of a line that names it."""


def most_of(size):
    """How many bytes a packed file of this size may unpack to."""
    return max(AT_LEAST, TIMES * size)


def too_large(most):
    return UnpackError(f"unpacks to more than {most} bytes ({TIMES} times its size, or {AT_LEAST >> 20} MiB)")


def pieces(file, size):
    """The content of an open binary file of this size, in pieces, unpacked if it is packed. Raises UnpackError."""
    head = file.read(6)
    file.seek(0)
    opener = next((opener for magic, opener in OPENERS.items() if head.startswith(magic)), None)
    total, most = 0, most_of(size)
    try:
        with opener(file, "rb") if opener else contextlib.nullcontext(file) as stream:
            while piece := stream.read(PIECE):
                total += len(piece)
                if opener and total > most:
                    raise too_large(most)
                yield piece
    except (OSError, EOFError, ValueError, MemoryError, zlib.error, lzma.LZMAError) as error:
        raise UnpackError(f"cannot be unpacked: {' '.join(str(error).split()) or type(error).__name__}") from None
