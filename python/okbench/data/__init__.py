"""Data sets: downloads of files (fetch.py, fetching/) and imports of user-defined data sets (add.py, adding/)."""
