"""Parts of add.py: readers of file formats, classes, train/test split and the catalog entry."""
