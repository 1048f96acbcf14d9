"""Reading files of TOML."""

import pathlib
import tomllib

from .errors import ClaimError


def read_toml(path):
    """The content of a file; raises ClaimError."""
    try:
        return tomllib.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except RecursionError as error:
        raise ClaimError(f"{path}: is nested too deeply") from error
    except (OSError, ValueError) as error:
        raise ClaimError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
