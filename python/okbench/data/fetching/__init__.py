"""Parts of fetch.py: file locations, digests and downloads."""
