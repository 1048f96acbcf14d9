"""The leaderboard: entries that contributors pack, and that anyone can verify by rerunning trials.

entry.py reads the folder of an entry and makes its specs. running.py builds and runs learners, other people's in a
sandbox (sandbox.py). bundle.py packs and unpacks, verify.py checks a bundle, board.py makes the page.
"""
