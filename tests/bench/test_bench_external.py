"""bench/bench_external.py on small generated sets: the whole script, what it counts and compares, its limit, and its
place in a document."""

import json
import os
import pathlib
import subprocess
import sys
import time

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
    for module, group in (("okbench._native", "make python"), ("sklearn", "tools/setup.sh python")):
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
    assert content["format"] == 2 and [one["data"]["name"] for one in content["sets"]] == ["a8a", "ijcnn1"]
    for one in content["sets"]:
        assert one["data"]["synthetic"] and one["data"]["train"] == ROWS
        for row in one["tools"]:
            assert row["status"] == "ok" and row["kind"] in ("linear", "rbf"), row
            assert 0 <= row["test_error"] <= 100, row
            assert row["vectors"] >= 0 and row["predict_seconds_per_row"] >= 0, row
            assert len(row["fit_seconds_of_runs"]) == 2 and min(row["fit_seconds_of_runs"]) >= 0, row
            assert all(row[name] is None or row[name] >= 0 for name in ("requested", "computed")), row


def test_every_binary_classifier_is_there_and_counted_as_it_counts_itself(comparison, results):
    from external.own import binary_classifiers
    from okbench.estimators.defaults import of_specs

    classifiers = binary_classifiers()
    for one in results[0]["sets"]:
        rows = [row for row in one["tools"] if row["library"] == "okbench"]
        assert {row["method"] for row in rows} == set(classifiers)
        data = comparison.load(one["data"]["name"], ROWS, True)
        for row in rows:
            made = classifiers[row["method"]]
            model = made(**{**of_specs(made), **row["parameters"]}).fit(data.train, data.train_labels)
            counts = model.kernel_evaluations_
            assert (row["requested"], row["computed"]) == (counts.requested, counts.computed), row
            assert row["wrong"] == (model.predict(data.test) != data.test_labels).sum(), row


def test_an_estimator_without_parameters_of_its_own_gets_the_kernel_s(comparison):
    from external.own import binary_classifiers, variants

    data, classifiers = comparison.load("ijcnn1", ROWS, True), binary_classifiers()
    assert variants("New", classifiers["SFD"], data) == [{"gamma": 1.0}]
    assert variants("New", classifiers["LinearOnlineSVM"], data) == [{}]
    for made in (classifiers["SFD"], classifiers["LinearOnlineSVM"]):
        made(**variants("New", made, data)[0]).fit(data.train, data.train_labels)


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


def test_the_fastest_with_as_few_errors_is_compared(comparison):
    rows = [own("slow", 150, 4.0), own("quick", 155, 1.0), own("line", 156, 0.5, "linear")]
    rows += [other("a", 150, 8.0), other("b", 155, 8.0), other("c", 156, 8.0), other("d", 149, 8.0)]
    comparison.add_ratios(rows)
    found = {row["method"]: (row["beside_fastest"], row["beside_fastest_of_kind"]) for row in rows[3:]}
    assert found["a"] == ({"learner": "slow", "ratio": 2.0},) * 2
    assert found["b"] == ({"learner": "quick", "ratio": 8.0},) * 2  # the same number is enough
    assert found["c"] == ({"learner": "line", "ratio": 16.0}, {"learner": "quick", "ratio": 8.0})
    assert found["d"] == (None, None)


def test_the_claim_can_hold_and_fail(comparison):
    mine = [own("rbf", 155, 1.0), own("line", 150, 0.5, "linear"), own("late", 156, 0.001)]
    slow = [other("svc", 155, 10.0), other("missed", 156, 0.1), other("machine", 150, 5.0, "linear", "LIBLINEAR")]
    claim = comparison.claim_of([*mine, *slow], 15.5, 1000)
    assert claim["best"]["method"] == "line" and claim["best_of_kind"]["rbf"]["method"] == "rbf"
    assert claim["met"] and [one["met"] for one in claim["verdicts"]] == [True] * 5
    assert [one["method"] for one in claim["tools"]] == ["svc", "machine"]
    # Nine times is too little, and of the kernel's learners alone.
    claim = comparison.claim_of([*mine, other("svc", 155, 9.0)], 15.5, 1000)
    assert [one["met"] for one in claim["verdicts"]] == [True, True, False, False, None]
    assert [one["ratio"] for one in claim["verdicts"][2]["missed"]] == [9.0]
    claim = comparison.claim_of([*mine, *slow, other("krls", 100, 0.2, "rbf", "dlib")], 15.5, 1000)
    assert claim["met"] is False and [one["met"] for one in claim["verdicts"]] == [True, False, True, False, True]
    # Without a learner that gets there it fails, without LIBSVM it is open.
    assert comparison.claim_of([mine[2], *slow], 15.5, 1000)["met"] is False
    stopped = other("svc", None, None, status="over")
    claim = comparison.claim_of([*mine, stopped], 15.5, 1000)
    quick = other("krls", 100, 0.2, "rbf", "dlib")
    assert comparison.claim_of([*mine, stopped, quick], 15.5, 1000)["met"] is False
    assert claim["met"] is None and [one["method"] for one in claim["unknown"]] == ["svc"]


def test_what_is_claimed_is_reported(comparison, results, a8a):
    assert a8a["claim"]["target"] == 15.5 and results[0]["sets"][1]["claim"] is None
    assert results[2].count("**Claim: to 15.5 % test error") == 1
    from external.claim_text import claim_lines

    rows = [own("sfd", 150, 1.0), other("svc", 150, 9.0), other("late", None, None, status="over")]
    text = "\n".join(claim_lines(comparison.claim_of(rows, 15.5, 1000)))
    assert "reaches it: not met.**" in text and "the smallest ratio is 9, against LIBSVM svc (p=1)" in text
    assert "not compared: LIBSVM late (p=1)." in text
    text = "\n".join(claim_lines(comparison.claim_of([own("sfd", 150, 1.0), other("svc", 150, 10.0)], 15.5, 1000)))
    assert "reaches it: met.**" in text and "linear: none" in text


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
    made = [Tool("here", name, {}, "rbf", run) for name, run in runs.items()]
    over, failed, short = comparison.measure(made, data, 2, 0.2, 0)
    assert (over.status, over.outcomes) == ("over", [])
    assert (failed.status, failed.message) == ("failed", "ValueError: no such parameter")
    assert short.status == "ok" and [one.wrong for one in short.outcomes] == [0, 0]
    rows = [row_of(tool, mine, ROWS) for tool, mine in zip(made, (over, failed, short))]
    comparison.add_ratios(rows)
    lines = tool_table(rows, 0.2)
    assert "| over 0.2 s |" in lines[2] and "| failed |" in lines[3] and "fail: failed: ValueError" in lines[-1]


@pytest.mark.parametrize("library", PROGRAMS)
def test_programs_stop_at_the_limit(comparison, programs, tmp_path, library):
    if not (programs / PROGRAMS[library]).is_file():
        pytest.skip(f"{PROGRAMS[library]} is not built: make bench-external")
    from external.programs import LIBRARIES, Programs

    # Reading the rows is not part of the fit, and may take longer than the limit.
    data = comparison.load("a8a", 20000, True)
    ready = Programs(programs, data, tmp_path)
    tool = list(LIBRARIES[library][1](ready, data))[0]
    (found,) = comparison.measure([tool], data, 1, 0.001 if library == "LIBLINEAR" else 0.05, 0)
    assert found.status == "over" and any(one.startswith(f"{library} ") for one in ready.versions())


def test_long_fits_are_run_once(comparison):
    from external.measuring import Outcome, Tool

    data = comparison.load("a8a", ROWS, True)
    made = [
        Tool("here", name, {}, "rbf", lambda data, limit, took=took: Outcome(took, 0.0, 1, 1, 0, 0), forked=False)
        for name, took in (("long", 3.0), ("short", 1.0))
    ]
    assert [len(one.outcomes) for one in comparison.measure(made, data, 3, 0, 2)] == [1, 3]
    assert [len(one.outcomes) for one in comparison.measure(made, data, 3, 0, 0)] == [3, 3]


def test_the_document_has_the_table_in_its_place(comparison, results, tmp_path):
    content, document, printed, written = results
    assert document.startswith(f"# Before\n\n{comparison.BEGIN}\n\nMachine: ") and document.endswith(
        f"\n\n{comparison.END}\n\nAfter.\n"
    )
    assert printed.strip() in document and "old" not in document.split(comparison.END)[0].split()
    tables = document[: document.index("**Claim")] + document[document.index("Generated rows of the shape of ijcnn1") :]
    assert sum(line.startswith("| okbench |") for line in tables.splitlines()) == sum(
        row["library"] == "okbench" for one in content["sets"] for row in one["tools"]
    )
    again = subprocess.run([sys.executable, SCRIPT, "--from", written], capture_output=True, text=True)
    assert again.returncode == 0 and again.stdout == printed
    (tmp_path / "other.json").write_text('{"format": 1}')
    again = subprocess.run([sys.executable, SCRIPT, "--from", tmp_path / "other.json"], capture_output=True, text=True)
    assert again.returncode == 1 and "not of format 2" in again.stderr and "Traceback" not in again.stderr


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
    assert "unknown data set 'a9'; known: a8a, w8a, ijcnn1" in messages_of("--data", "a8a,a9")
    assert "must be at least 0" in messages_of("--limit", "-1")
