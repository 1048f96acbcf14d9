"""Data sets: fetch files (fetch.py, fetching/) and import the user's own (add.py, adding/)."""
