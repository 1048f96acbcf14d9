"""Fetching files of data sets: catalogues, where files lie, what their content must be, and downloads. For fetch.py."""
