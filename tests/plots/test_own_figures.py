"""Figure scripts of the user: errors are one line."""

import os

import pytest

from okbench.errors import ScriptError
from okbench.plotting import scripts
from okbench.plotting.registry import FIGURES


def test_a_folder_that_cannot_be_read_is_one_line(tmp_path, monkeypatch):
    real = os.listdir

    def refused(folder="."):
        if os.fspath(folder) == str(tmp_path):
            raise PermissionError(13, "Permission denied", folder)
        return real(folder)

    monkeypatch.setattr(os, "listdir", refused)
    monkeypatch.setenv("OKBENCH_FIGURES", f":{tmp_path}")
    with pytest.raises(ScriptError) as stopped:
        scripts.load()
    assert str(stopped.value) == f"{tmp_path}: Permission denied"


def test_a_script_that_fails_is_one_line(tmp_path, monkeypatch):
    (tmp_path / "broken.py").write_text("1 / 0\n")
    monkeypatch.setenv("OKBENCH_FIGURES", str(tmp_path))
    with pytest.raises(ScriptError) as stopped:
        scripts.load()
    assert str(stopped.value) == f"{tmp_path}/broken.py: cannot be imported: ZeroDivisionError: division by zero"


def test_every_paper_has_its_figures():
    scripts.load()
    assert {"svmd-2006/fig3", "norma-2001/fig1", "sfd-2013/fig5-1", "budget-2003/fig4"} <= set(FIGURES)
