"""Describes result folders as RO-Crates for archives and their search engines.

`make` returns the metadata of a folder (RO-Crate 1.1, profile Process Run Crate 0.5): its files with their digests,
the programs, the data sets, and one action per trial that ran. `write` writes the metadata into the folder.
"""

from .contents import METADATA, Options, make, write

__all__ = ["METADATA", "Options", "make", "write"]
