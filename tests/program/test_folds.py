"""Cross validation whose folds end when the error settles."""

import json

SPEC = """
format = 2
experiment = "mine/folds"
[data]
name = "a8a"
synthetic_rows = 400
order = "uniform"
batch = 20
epochs = 2
test = "test"
[kernel]
name = "rbf"
gamma = 0.05
[cross_validation]
folds = 3
{validation}
[learners.p]
learner = "pegasos"
average = "polynomial-decay"
[learners.p.tune]
lambda = [0.01, 0.1]
"""


def summaries(okbench, tmp_path, name, validation):
    """(of each fold its examples, the tuned trial's summary)"""
    spec = tmp_path / f"{name}.toml"
    spec.write_text(SPEC.format(validation=validation))
    okbench("run", spec, "--out", name, check=0)
    rows = json.loads(okbench("summary", name, "--folds", "--json", check=0).stdout)["trials"]
    folds = [row for row in rows if row["fold"] is not None]
    assert len(folds) == 6
    tuned = next(row for row in rows if row["fold"] is None)
    return {row["id"]: row["examples"] for row in folds}, tuned


def test_folds_end_when_their_error_settles(okbench, tmp_path):
    plain, tuned = summaries(okbench, tmp_path, "plain", "")
    longer, _ = summaries(okbench, tmp_path, "longer", "epochs = 12")
    reached, settled = summaries(okbench, tmp_path, "until", "epochs = 12\ntolerance = 0.02")
    # Two epochs of about 267 examples, twelve of them, and two to twelve.
    assert all(500 < examples < 560 for examples in plain.values())
    assert all(3100 < examples < 3300 for examples in longer.values())
    assert min(reached.values()) < 3100 and all(500 < examples < 3300 for examples in reached.values())
    # How the search is made is part of the ids: of the folds, and of the trial that is tuned.
    assert not set(plain) & set(longer) and not set(longer) & set(reached) and tuned["id"] != settled["id"]
    assert settled["examples"] == tuned["examples"]


def test_folds_refuse_keys_that_they_cannot_have(okbench, tmp_path):
    spec = tmp_path / "bad.toml"
    for validation, cause in (
        ("tolerance = 2", "tolerance"),
        ("epochs = -1", "epochs"),
        ("untl = 0.1", "untl"),
    ):
        spec.write_text(SPEC.format(validation=validation))
        done = okbench("run", spec, "--out", "r", check=2)
        assert cause in done.stderr and done.stderr.count("\n") == 1
    spec.write_text(
        SPEC.format(validation="tolerance = 0.1")
        .replace('"pegasos"', '"multiclass-svm"')
        .replace('average = "polynomial-decay"\n', "")
        .replace("lambda = [0.01, 0.1]", "C = [1, 10]")
        .replace('"a8a"', '"usps"')
        .replace("epochs = 2", "epochs = 1")
        .replace('"uniform"', '"file"')
    )
    assert "does not learn in rounds" in okbench("run", spec, "--out", "r", check=2).stderr
