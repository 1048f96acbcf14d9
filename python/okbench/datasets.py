"""Data sets of the catalog: `okbench.datasets.load("usps")`."""

from . import home
from .reading import read_toml


def load(name, part="train", **options):
    """(X, y) of a part of a data set; options as in okbench.load_data. Raises ValueError for an unknown name."""
    from . import load_data

    return load_data(name, part, **options)


def names():
    """Names of all data sets, sorted."""
    return sorted({name for path in home.catalog_paths() for name in read_toml(path)})
