"""Result folders as RO-Crates, for archives and those who search them.

`make` describes a folder as RO-Crate 1.1 with the profile Process Run Crate 0.5: its files with their digests, the
programs, data sets, and each trial that ran as an action that made a trace; `write` puts that into the folder.
"""

from .contents import METADATA, Options, make, write

__all__ = ["METADATA", "Options", "make", "write"]
