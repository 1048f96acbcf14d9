"""The leaderboard's page: one bundle with a bad value is refused, and the others stay."""

import io
import tarfile
import types

import numpy as np
import pytest
from league_files import run, write

from okbench.leaderboard import board, bundle
from okbench.leaderboard.bundle import BundleError
from okbench.results import Results

FLAT = 100 * np.arange(1, 13)


def verified(folder, name, grid=(), start_time="2026-01-01T00:00:00Z"):
    """A verified bundle of a learner with a trial for each of the parameters in `grid`."""
    trials = []
    for parameters in grid or ({},):
        point = ",".join(f"{key}={value}" for key, value in parameters.items())
        trial = run("league/x", name, 0, 10 * np.arange(1, 13), FLAT, parameters, grid_point=point)
        trial.trace.provenance["start_time"] = start_time
        trials.append(trial)
    entry = types.SimpleNamespace(name=name, title=name, author="", language="C++", blas=False)
    experiment = Results(write(folder / name, trials)).read("league/x")
    content = {"entry": entry, "experiments": [experiment], "trials": 1, "rerun": 1}
    return types.SimpleNamespace(**content, signer="", version="", rounding="")


@pytest.fixture
def checked(tmp_path, monkeypatch):
    def run(**bundles):
        for name in bundles:
            (tmp_path / f"{name}.tar.xz").write_bytes(b"")
        monkeypatch.setattr(board, "verify", lambda path, *_: bundles[path.name.removesuffix(".tar.xz")])
        (tmp_path / "work").mkdir()
        return board.checked(tmp_path, tmp_path / "work", 1, False, None)

    return run


def test_a_bad_value_refuses_its_bundle_only(checked, tmp_path):
    good, refused = checked(fine=verified(tmp_path, "fine"), bad=verified(tmp_path, "bad", start_time=5))
    assert [path.name for path in good] == ["fine.tar.xz"]
    assert refused[0][0] == "bad.tar.xz" and "has a value that the page cannot show" in refused[0][1]
    assert [row["learner"] for row in board.content(good)[1]] == ["fine"]


def test_a_learner_with_two_budgets_is_on_the_page(checked, tmp_path):
    """`budget` is the budget; `features` is a further axis, in brackets after the learner's name."""
    grid = [{"budget": 8, "features": features} for features in (16, 32)]
    good, refused = checked(both=verified(tmp_path, "both", grid))
    assert not refused
    rows = board.content(good)[1]
    assert sorted(row["learner"] for row in rows) == ["both[features=16]", "both[features=32]"]
    assert all(row["title"] == "both" for row in rows)


@pytest.mark.parametrize("size", ["-9", "5"])
def test_sparse_members_are_refused(tmp_path, size):
    """Their size on disk is another one than in the archive, and can be negative."""
    path = tmp_path / "sparse.tar.xz"
    with tarfile.open(path, "w:xz", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("entry/bundle.json")
        info.size = 2
        info.pax_headers = {"GNU.sparse.map": "0,2", "GNU.sparse.size": size}
        archive.addfile(info, io.BytesIO(b"{}"))
    with pytest.raises(BundleError, match="not regular files"):
        bundle.unpack(path, tmp_path / "out")
