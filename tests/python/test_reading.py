"""Finding files by pattern and by name, and errors for folders that cannot be read."""

import os

import pytest

from okbench.reading import files_like, files_named


@pytest.fixture
def tree(tmp_path):
    for name in ("b/x/plan.json", "a/y/plan.json", "a/plan.json", "a/y/z/plan.json", "a/y/other.json"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    (tmp_path / "a" / "w" / "plan.json").mkdir(parents=True)  # no file
    (tmp_path / "link").symlink_to(tmp_path / "a")
    return tmp_path


def relative(paths, folder):
    return [str(path.relative_to(folder)) for path in paths]


def test_files_by_patterns_and_by_names(tree):
    assert relative(files_like(tree, "[ab]", "*", "plan.json"), tree) == ["a/y/plan.json", "b/x/plan.json"]
    assert relative(files_like(tree, "link", "*", "*.json"), tree) == ["link/y/other.json", "link/y/plan.json"]
    assert files_like(tree / "nowhere", "*", "*") == files_like(tree / "a" / "plan.json", "*") == []
    assert relative(files_named(tree, "plan.json"), tree) == [
        "a/plan.json",
        "a/y/plan.json",
        "a/y/z/plan.json",
        "b/x/plan.json",
    ]
    assert files_named(tree / "nowhere", "*") == files_named(tree / "a" / "plan.json", "*") == []


def refuse(monkeypatch, call, error):
    """Makes a call of os fail for the folder y."""
    real = getattr(os, call)

    def refused(folder):
        if os.fspath(folder).endswith("/y"):
            raise error(None, "refused", os.fspath(folder))
        return real(folder)

    monkeypatch.setattr(os, call, refused)


@pytest.mark.parametrize("call", ["listdir", "scandir"])
def test_a_folder_that_cannot_be_read_is_reported(tree, monkeypatch, call):
    refuse(monkeypatch, call, PermissionError)
    with pytest.raises(PermissionError):
        files_like(tree, "*", "*", "*.json") if call == "listdir" else files_named(tree, "*.json")


def test_a_folder_removed_during_reading_is_reported(tree, monkeypatch):
    refuse(monkeypatch, "scandir", FileNotFoundError)
    with pytest.raises(FileNotFoundError):
        files_named(tree, "*.json")
