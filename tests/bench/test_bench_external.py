"""bench/bench_external.py on small generated sets: the whole script, what it counts and compares, its limit, and its
place in a document."""

import json
import os
import pathlib
import re
import subprocess
import sys
import time

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "bench" / "bench_external.py"
ROWS = 200
PROGRAMS = {
    "LIBSVM": "okbench_libsvm_external",
    "LIBLINEAR": "okbench_liblinear_external",
    "dlib": "okbench_dlib_external",
}


@pytest.fixture(scope="module")
def comparison():
    """The script as a module, and with it the package that it is made of."""
    for module, group in (("okbench._native", "make build"), ("sklearn", "tools/setup.sh python")):
        pytest.importorskip(module, reason=f"{module} is not there: {group}")
    sys.path.insert(0, str(ROOT / "bench"))
    try:
        import bench_external
    finally:
        sys.path.pop(0)
    return bench_external


@pytest.fixture(scope="module")
def programs(binary):
    return pathlib.Path(binary).resolve().parent


@pytest.fixture(scope="module")
def results(comparison, programs, tmp_path_factory):
    """(JSON output, updated document, standard output, path of the JSON file)."""
    folder = tmp_path_factory.mktemp("external")
    document = folder / "doc.md"
    document.write_text(f"# Before\n\n{comparison.BEGIN}\nold\n{comparison.END}\n\nAfter.\n")
    script = [
        sys.executable,
        SCRIPT,
        "--rows",
        str(ROWS),
        "--synthetic",
        "--runs",
        "2",
        "--data",
        "a8a,ijcnn1",
    ]
    done = subprocess.run(
        [*script, "--programs", programs, "--json", folder / "external.json", "--update", document],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    output = folder / "external.json"
    return json.loads(output.read_text()), document.read_text(), done.stdout, output


@pytest.fixture(scope="module")
def a8a(results):
    return results[0]["sets"][0]


def test_errors_and_counts_are_in_their_ranges(results):
    content = results[0]
    assert content["format"] == 4 and [data_set["data"]["name"] for data_set in content["sets"]] == ["a8a", "ijcnn1"]
    for data_set in content["sets"]:
        assert data_set["data"]["synthetic"] and data_set["data"]["train"] == ROWS
        for row in data_set["tools"]:
            assert row["status"] == "ok" and row["kind"] in ("linear", "rbf"), row
            assert 0 <= row["test_error"] <= 100, row
            assert row["vectors"] >= 0 and row["predict_seconds_per_row"] >= 0, row
            assert len(row["fit_seconds_of_runs"]) == 2 and min(row["fit_seconds_of_runs"]) >= 0, row
            assert all(row[name] is None or row[name] >= 0 for name in ("requested", "computed")), row


def test_evaluations_of_every_binary_classifier_are_its_own_count(comparison, results):
    from external.own import binary_classifiers
    from okbench.estimators.defaults import of_specs

    classifiers = binary_classifiers()
    for data_set in results[0]["sets"]:
        rows = [row for row in data_set["tools"] if row["library"] == "okbench"]
        assert {row["method"] for row in rows} == set(classifiers)
        data = comparison.load(data_set["data"]["name"], ROWS, True)
        for row in rows:
            classifier = classifiers[row["method"]]
            model = classifier(**{**of_specs(classifier), **row["parameters"]}).fit(data.train, data.train_labels)
            counts = model.kernel_evaluations_
            assert (row["requested"], row["computed"]) == (counts.requested, counts.computed), row
            assert row["wrong"] == (model.predict(data.test) != data.test_labels).sum(), row


def test_estimators_without_parameters_get_those_of_the_kernel(comparison):
    from external.own import binary_classifiers, variants

    data, classifiers = comparison.load("ijcnn1", ROWS, True), binary_classifiers()
    assert variants("New", classifiers["SFD"], data) == [{"gamma": 1.0}]
    assert variants("New", classifiers["LinearOnlineSVM"], data) == [{}]
    for classifier in (classifiers["SFD"], classifiers["LinearOnlineSVM"]):
        classifier(**variants("New", classifier, data)[0]).fit(data.train, data.train_labels)


def test_the_same_problem_has_the_same_solution(a8a):
    errors = {}
    for row in a8a["tools"]:
        errors.setdefault((row["library"], row["method"]), row["test_error"])
    svc = errors["scikit-learn", "SVC"]
    assert abs(errors["okbench", "LaSVM"] - svc) <= 1
    if ("LIBSVM", "C-SVC") in errors:
        assert errors["LIBSVM", "C-SVC"] == svc
    if ("LIBLINEAR", "L2R_L1LOSS_SVC_DUAL") in errors:
        assert abs(errors["LIBLINEAR", "L2R_L1LOSS_SVC_DUAL"] - errors["okbench", "LibLinear"]) <= 1
    if ("dlib", "svm_c_trainer") in errors:
        assert abs(errors["dlib", "svm_c_trainer"] - svc) <= 1


@pytest.mark.parametrize("library", PROGRAMS)
def test_programs_count_every_kernel_value(results, a8a, programs, library):
    if not (programs / PROGRAMS[library]).is_file():
        assert library in results[0]["missing"] and f"left out: {', '.join(results[0]['missing'])}." in results[2]
        pytest.skip(f"{PROGRAMS[library]} is not built: make bench-external")
    rows = {}
    for row in a8a["tools"]:
        if row["library"] == library:
            rows.setdefault(row["method"], []).append(row)
    if library == "LIBSVM":
        # The diagonal, and whole or shortened rows; a looser tolerance does not need more.
        exact, loose = rows["C-SVC"]
        assert ROWS <= loose["computed"] <= exact["computed"] <= ROWS * (ROWS + 1)
    elif library == "LIBLINEAR":
        assert all(row["computed"] == row["requested"] == 0 for mine in rows.values() for row in mine)
    else:
        # A row against itself and the dictionary so far: with all rows kept, every pair once.
        exact, loose = rows["krls"]
        assert ROWS <= loose["computed"] <= exact["computed"] <= ROWS * (ROWS + 1) // 2
        assert exact["vectors"] < ROWS or exact["computed"] == ROWS * (ROWS + 1) // 2
        # The diagonal, and whole rows.
        assert all(row["computed"] % ROWS == 0 and row["requested"] is None for row in rows["svm_c_trainer"])


def own(method, wrong, seconds, kind="rbf", library="okbench", status="ok"):
    """An entry as external.measuring writes it, as far as comparing needs it."""
    row = {"library": library, "method": method, "parameters": {"p": 1}, "kind": kind, "status": status}
    return {**row, "wrong": wrong, "test_error": wrong and wrong / 10, "fit_seconds": seconds}


def other(method, wrong, seconds, kind="rbf", library="LIBSVM", status="ok"):
    return own(method, wrong, seconds, kind, library, status)


def of(rows, limit=0):
    from external.claim import summary

    return summary(rows, 1000, limit)


def verdicts(rows, limit=0):
    from external.claim import CLAIMS, judged

    return [judged(claim, of(rows, limit))["met"] for claim in CLAIMS]


def test_the_target_is_the_exact_solution_plus_two_standard_errors():
    mine = [own("sfd", 120, 1.0), own("line", 200, 1.0, "linear")]
    summaries = of([*mine, other("C-SVC", 100, 10.0), other("C-SVC", 90, 5.0)])
    assert summaries["rbf"]["source"] == "LIBSVM"  # its first row has the default tolerance
    assert summaries["rbf"]["target"] == pytest.approx(10 + 200 * (0.1 * 0.9 / 1000) ** 0.5)
    assert summaries["rbf"]["own"] is None and summaries["linear"]["own"]["method"] == "line"
    summaries = of([*mine, other("C-SVC", None, None, status="over")])
    assert summaries["rbf"]["source"] == "lowest" and summaries["rbf"]["target"] > 12
    assert of(mine[:1])["linear"] is None


def test_the_fastest_variant_at_the_target_counts():
    mine = [own("late", 130, 0.1), own("slow", 100, 4.0), own("quick", 105, 1.0)]
    svc = [other("C-SVC", 100, 12.0), other("C-SVC", 101, 8.0), other("C-SVC", 200, 2.0)]
    more = [other("krls", 300, 1.0, library="dlib"), other("krls", None, None, library="dlib", status="over")]
    kind_summary = of([*mine, *svc, *more], limit=50)["rbf"]
    assert kind_summary["own"]["method"] == "quick"
    assert (
        kind_summary["others"]["LIBSVM C-SVC"]["ratio"] == 8
        and kind_summary["others"]["LIBSVM C-SVC"]["state"] == "reached"
    )
    assert kind_summary["others"]["dlib krls"] == {"state": "stopped", "ratio": 50, "row": None}
    assert of([*mine, *svc, more[0]])["rbf"]["others"]["dlib krls"]["state"] == "missed"


def test_each_claim_can_hold_fail_and_be_open():
    mine = [own("rbf", 100, 1.0), own("line", 100, 0.5, "linear")]
    slow = [
        other("C-SVC", 100, 10.0),
        other("SVC", 100, 30.0, library="scikit-learn"),
        other("Nystroem, SGDClassifier", 100, 3.0, library="scikit-learn"),
        other("SGDClassifier", 100, 0.5, "linear", "scikit-learn"),
    ]
    assert verdicts([*mine, *slow]) == [True, True, True]
    assert verdicts([*mine, *slow, other("krls", 100, 9.9, library="dlib")]) == [False, True, True]
    assert verdicts([*mine, *slow, other("RBFSampler, SGDClassifier", 100, 2.9)]) == [True, False, True]
    assert verdicts([*mine, *slow, other("L2R_L2LOSS_SVC", 100, 0.49, "linear")]) == [True, True, False]
    # Without a learner of okbench at the target it fails; a method above the target is not compared.
    assert verdicts(slow) == [False, False, False]
    assert verdicts([*mine, slow[0], other("krls", 900, 0.1, library="dlib")]) == [True, None, None]
    # A fit that was stopped is a bound, which may be too small to decide.
    stopped = other("SVC", None, None, library="scikit-learn", status="over")
    assert verdicts([*mine, slow[0], stopped], limit=10)[0] is True
    # Also if no learner of okbench reaches the target: then a method that was stopped is open.
    from external.claim import CLAIMS, judged

    late = other("RBFSampler, SGDClassifier", None, None, library="scikit-learn", status="over")
    verdict = judged(CLAIMS[1], of([mine[1], slow[0], late], 10))
    assert verdict["met"] is None and verdict["open"] == ["scikit-learn RBFSampler, SGDClassifier"]
    # If a learner of okbench was stopped, it might have reached the target soon enough.
    assert verdicts([own("rbf", None, None, status="over"), *slow])[:2] == [None, None]
    assert verdicts([*mine, slow[0], stopped], limit=9)[0] is None
    assert verdicts([*mine, slow[0], stopped, other("krls", 100, 2.0)], limit=9)[0] is False


def test_the_summary_names_where_a_claim_fails(comparison):
    from external.table import claim_lines, ratio_table, target_table

    data = {"name": "a", "synthetic": False, "train": 5000, "test": 1000, "features": 9}
    quick = other("RBFSampler, SGDClassifier", 100, 2.5, library="scikit-learn")
    over = other("svm_c_trainer", None, None, library="dlib", status="over")
    rows = [own("sfd", 100, 1.0), other("C-SVC", 100, 20.0), quick, over, other("krls", 400, 1.0, library="dlib")]
    sets = [({"data": data}, of(rows, 60))]
    text = "\n".join(claim_lines(sets))
    assert "**10 times as fast as LIBSVM, scikit-learn's SVC, oneDAL and dlib's trainers**: met on a." in text
    assert "not met on a (2.5, scikit-learn RBFSampler, SGDClassifier)." in text and "on a none of these" in text
    lines = ratio_table(sets, "rbf")
    assert lines[0] == "| times okbench's fit | a |" and "| LIBSVM C-SVC | 20 |" in lines
    assert "| dlib svm_c_trainer | over 60 |" in lines and "| dlib krls | – |" in lines
    assert target_table(sets, "rbf")[2] == "| a | 5,000 | 1,000 | 9 | 11.90 | 10.00 | sfd | 1.00 |"


def test_forest_rows_are_reproducible_and_need_a_kernel(comparison):
    from external.data import SETTINGS, forest
    from sklearn.linear_model import LinearRegression
    from sklearn.svm import SVC

    rows, labels = forest(4000, 1)
    assert all((a == b).all() for a, b in zip(forest(4000, 1), (rows, labels)))
    assert rows.shape == (4000, 54) and (rows[:, 10:14].sum(1) == 1).all() and (rows[:, 14:].sum(1) == 1).all()
    assert 0.3 < (labels == 1).mean() < 0.7 and 0 <= rows.min() and rows.max() <= 1
    test, truth = forest(1000, 2)
    assert not (test[:, :10] == rows[:1000, :10]).any(1).all()
    line = np.mean(np.sign(LinearRegression().fit(rows, labels).predict(test)) != truth)
    setting = SETTINGS["forest"]
    curve = np.mean(SVC(C=setting.c, gamma=setting.gamma).fit(rows, labels).predict(test) != truth)
    assert curve < line - 0.04


def spin(data, limit):
    """A fit of two seconds of processor time, and of none to warm up, where there is no limit."""
    from external.measuring import outcome

    def fit():
        end = time.process_time() + (2 if limit else 0)
        while time.process_time() < end:
            pass

    return outcome(data, limit, fit, lambda: data.test_labels, lambda: 1, lambda: (0, 0))


def fail(data, limit):
    raise ValueError("no such\nparameter")


def test_a_fit_over_the_limit_is_stopped_and_a_failure_kept(comparison):
    from external.measuring import Tool, row_of
    from external.table import tool_table

    data = comparison.load("a8a", ROWS, True)
    runs = {"spin": spin, "fail": fail, "short": lambda data, limit: spin(data, 0)}
    tools = [Tool("here", name, {}, "rbf", run) for name, run in runs.items()]
    over, failed, short = comparison.measure(tools, data, 2, 0.2, 0)
    of_okbench = tools[0]._replace(library="okbench")
    measurements = comparison.measure([of_okbench, tools[0]], data, 1, 100, 0, own_limit=0.2)
    assert [measurement.status for measurement in measurements] == ["over", "ok"]
    assert (over.status, over.outcomes) == ("over", [])
    assert (failed.status, failed.message) == ("failed", "ValueError: no such parameter")
    assert short.status == "ok" and [result.wrong for result in short.outcomes] == [0, 0]
    rows = [row_of(tool, mine, ROWS) for tool, mine in zip(tools, (over, failed, short))]
    lines = tool_table(rows)
    assert "| stopped |" in lines[2] and "| failed |" in lines[3] and "fail: failed: ValueError" in lines[-1]


@pytest.mark.parametrize("library", PROGRAMS)
def test_programs_stop_at_the_limit(comparison, programs, tmp_path, library):
    if not (programs / PROGRAMS[library]).is_file():
        pytest.skip(f"{PROGRAMS[library]} is not built: make bench-external")
    from external.programs import LIBRARIES, Programs

    # Reading the rows is not part of the fit, and may take longer than the limit.
    data = comparison.load("a8a", 20000, True)
    ready = Programs(programs, data, tmp_path)
    tool = list(LIBRARIES[library][1](ready, data))[0]
    (measurement,) = comparison.measure([tool], data, 1, 0.001 if library == "LIBLINEAR" else 0.05, 0)
    assert measurement.status == "over" and any(version.startswith(f"{library} ") for version in ready.versions())


def test_long_fits_are_run_once(comparison):
    from external.measuring import Outcome, Tool

    data = comparison.load("a8a", ROWS, True)
    tools = [
        Tool("here", name, {}, "rbf", lambda data, limit, took=took: Outcome(took, 0.0, 1, 1, 0, 0), forked=False)
        for name, took in (("long", 3.0), ("short", 1.0))
    ]
    assert [len(measurement.outcomes) for measurement in comparison.measure(tools, data, 3, 0, 2)] == [1, 3]
    assert [len(measurement.outcomes) for measurement in comparison.measure(tools, data, 3, 0, 0)] == [3, 3]


def test_the_page_states_both_limits(comparison, results):
    from external.table import markdown

    def stated(limit, own_limit):
        page = markdown({**results[0], "limit_seconds": limit, "own_limit_seconds": own_limit})
        match = re.search(r"Longer fits are stopped: (.*?);", " ".join(page.split()))
        return match and match[1]

    assert stated(90, 12) == "those of other libraries after 90 s, those of okbench after 12 s"
    assert stated(0, 12) == "those of okbench after 12 s" and stated(0, 0) is None


def test_the_document_has_the_table_in_its_place(comparison, results, tmp_path):
    content, document, printed, written = results
    assert document.startswith(f"# Before\n\n{comparison.BEGIN}\n\nMachine: ") and document.endswith(
        f"\n\n{comparison.END}\n\nAfter.\n"
    )
    block = document.split(comparison.BEGIN)[1].split(comparison.END)[0].strip()
    assert printed.strip().endswith(block) and "old" not in block.split()
    assert "| a8a (generated) | 200 | 200 | 123 |" in block and block.count("\n- **") == 3
    assert sum(line.startswith("| okbench |") for line in printed.splitlines()) == sum(
        row["library"] == "okbench" for data_set in content["sets"] for row in data_set["tools"]
    )
    again = subprocess.run([sys.executable, SCRIPT, "--from", written], capture_output=True, text=True)
    assert again.returncode == 0 and again.stdout == printed
    (tmp_path / "other.json").write_text('{"format": 1}')
    again = subprocess.run([sys.executable, SCRIPT, "--from", tmp_path / "other.json"], capture_output=True, text=True)
    assert again.returncode == 1 and "not of format 4" in again.stderr and "Traceback" not in again.stderr


def test_bad_requests(comparison, tmp_path):
    document = tmp_path / "doc.md"
    for text in ("", f"{comparison.END} {comparison.BEGIN}", f"{comparison.BEGIN} {comparison.BEGIN} {comparison.END}"):
        document.write_text(text)
        with pytest.raises(SystemExit, match="needs"):
            comparison.update(document, "table")
        assert document.read_text() == text
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT / "python"),
        "OKBENCH_CACHE": str(tmp_path),
        "OKBENCH_DATA": str(tmp_path),
    }

    def messages_of(*words):
        script = [sys.executable, SCRIPT, *words]
        done = subprocess.run(script, capture_output=True, text=True, env=environment)
        assert done.returncode and "Traceback" not in done.stderr
        return done.stderr

    assert "bench_external: adult/a8a" in messages_of("--only", "none")
    assert "unknown data set 'a9'; known: a8a, w8a, ijcnn1, usps, letter, forest" in messages_of("--data", "a8a,a9")
    assert "must be at least 0" in messages_of("--limit", "-1")
