"""Figures of one's own: a folder of them that cannot be read is told."""

import os

import okplots.figures
import pytest


def test_a_folder_that_cannot_be_read_is_one_line(tmp_path, monkeypatch):
    real = os.listdir

    def refused(folder="."):
        if os.fspath(folder) == str(tmp_path):
            raise PermissionError(13, "Permission denied", folder)
        return real(folder)

    monkeypatch.setattr(os, "listdir", refused)
    monkeypatch.setenv("OKBENCH_FIGURES", f":{tmp_path}")
    with pytest.raises(SystemExit) as stopped:
        okplots.figures.load_own()
    assert stopped.value.code == f"okplots: {tmp_path}: Permission denied"
