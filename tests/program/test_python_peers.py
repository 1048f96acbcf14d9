"""bench/python_peers.py on a small generated set: the whole script, what it counts, and its place in a document."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROWS = 200


@pytest.fixture(scope="module")
def peers():
    """The script as a module."""
    for module, group in (("okbench._native", "make python"), ("sklearn", "tools/setup.sh python")):
        pytest.importorskip(module, reason=f"{module} is not there: {group}")
    sys.path.insert(0, str(ROOT / "bench"))
    try:
        import python_peers
    finally:
        sys.path.pop(0)
    return python_peers


@pytest.fixture(scope="module")
def programs(binary):
    return pathlib.Path(binary).resolve().parent


@pytest.fixture(scope="module")
def told(peers, programs, tmp_path_factory):
    """(what the script has written as JSON, the document that it has updated)."""
    folder = tmp_path_factory.mktemp("peers")
    document = folder / "doc.md"
    document.write_text(f"# Before\n\n{peers.BEGIN}\nold\n{peers.END}\n\nAfter.\n")
    script = [sys.executable, ROOT / "bench" / "python_peers.py", "--rows", str(ROWS), "--stand-in", "--runs", "2"]
    done = subprocess.run(
        [*script, "--programs", programs, "--json", folder / "peers.json", "--update", document],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "peers.json").read_text()), document.read_text(), done.stdout


def test_errors_and_counts_are_in_their_ranges(told):
    content, _, _ = told
    assert content["format"] == 1 and content["data"]["stand_in"] and content["data"]["train"] == ROWS
    for row in content["peers"]:
        assert 0 <= row["test_error"] <= 100, row
        assert row["vectors"] >= 0 and row["predict_seconds_per_row"] >= 0, row
        assert len(row["fit_seconds_of_runs"]) == 2 and min(row["fit_seconds_of_runs"]) >= 0, row
        assert all(row[name] is None or row[name] >= 0 for name in ("requested", "computed")), row


def test_every_binary_classifier_is_there_and_counted_as_it_counts_itself(peers, told):
    rows = [row for row in told[0]["peers"] if row["library"] == "okbench"]
    classifiers = peers.binary_classifiers()
    assert {row["method"] for row in rows} == set(classifiers)
    data = peers.load(ROWS, True)
    for row in rows:
        model = classifiers[row["method"]](**row["parameters"]).fit(data.train, data.train_labels)
        counts = model.kernel_evaluations_
        assert (row["requested"], row["computed"]) == (counts.requested, counts.computed), row
        assert row["test_error"] == pytest.approx(100 * (model.predict(data.test) != data.test_labels).mean()), row


def test_the_same_problem_has_the_same_solution(told):
    errors = {(row["library"], row["method"]): row["test_error"] for row in told[0]["peers"]}
    svc = errors["scikit-learn", "SVC"]
    assert abs(errors["okbench", "LaSVM"] - svc) <= 1
    if ("LIBSVM", "C-SVC") in errors:
        assert errors["LIBSVM", "C-SVC"] == svc


@pytest.mark.parametrize("library, program", [("LIBSVM", "okbench_libsvm_peer"), ("dlib", "okbench_dlib_peer")])
def test_programs_count_every_kernel_value(told, programs, library, program):
    if not (programs / program).is_file():
        assert library in told[0]["missing"] and f"left out: {', '.join(told[0]['missing'])}." in told[2]
        pytest.skip(f"{program} is not built: make peers")
    rows = {row["method"]: row for row in told[0]["peers"] if row["library"] == library}
    if library == "LIBSVM":
        # The diagonal, and whole or shortened rows.
        assert ROWS <= rows["C-SVC"]["computed"] <= ROWS * (ROWS + 1)
    else:
        # A row against itself and the dictionary so far: with all rows kept, every pair once.
        krls = rows["krls"]
        assert ROWS <= krls["computed"] <= ROWS * (ROWS + 1) // 2
        assert krls["vectors"] < ROWS or krls["computed"] == ROWS * (ROWS + 1) // 2


def test_the_document_has_the_table_in_its_place(peers, told):
    content, document, printed = told
    assert document.startswith(f"# Before\n\n{peers.BEGIN}\n\nGenerated rows") and document.endswith(
        f"\n\n{peers.END}\n\nAfter.\n"
    )
    assert printed.strip() in document and "old" not in document.split(peers.END)[0].split()
    assert sum(line.startswith("| okbench |") for line in document.splitlines()) == sum(
        row["library"] == "okbench" for row in content["peers"]
    )


def test_bad_requests(peers, tmp_path):
    document = tmp_path / "doc.md"
    for text in ("", f"{peers.END} {peers.BEGIN}", f"{peers.BEGIN} {peers.BEGIN} {peers.END}"):
        document.write_text(text)
        with pytest.raises(SystemExit, match="needs"):
            peers.update(document, "table")
        assert document.read_text() == text
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "python_peers.py", "--only", "none"],
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "OKBENCH_CACHE": str(tmp_path), "OKBENCH_DATA": str(tmp_path)},
    )
    assert done.returncode == 1 and "python_peers: adult/a8a" in done.stderr and "Traceback" not in done.stderr
