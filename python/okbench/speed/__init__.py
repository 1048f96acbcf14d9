"""The speed history of okbench: what `make speed RECORD=1` measured at each commit, and where speed changed."""
