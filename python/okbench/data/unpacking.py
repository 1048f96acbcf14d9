"""Decompresses gzip, bzip2 and xz in pieces, with a size limit. The first bytes of a file determine its format."""

import bz2
import contextlib
import gzip
import lzma
import zlib

OPENERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
# Limit of the decompressed size: max(AT_LEAST bytes, TIMES * compressed size). Text rarely exceeds a factor of 100.
TIMES, AT_LEAST = 200, 64 << 20
PIECE = 1 << 20


class UnpackError(Exception):
    """A file cannot be decompressed. The message is the end of a line that starts with the file name."""


def most_of(size):
    """Maximum decompressed size in bytes of a compressed file of `size` bytes."""
    return max(AT_LEAST, TIMES * size)


def too_large(most):
    return UnpackError(f"unpacks to more than {most} bytes ({TIMES} times its size, or {AT_LEAST >> 20} MiB)")


def pieces(file, size):
    """Yields the content of an open binary file of `size` bytes in pieces, decompressed. Raises UnpackError."""
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
