"""`okbench league FILE`: from a raw file to a ranking, on the real binary."""

import json
import tomllib

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes

from okbench import cli, load_data
from okbench.league import own_data


@pytest.fixture
def league(okbench, tmp_path):
    env = {"OKBENCH_DATA": str(tmp_path / "own")}
    return lambda *arguments, check=0: okbench("league", *arguments, env=env, check=check)


def shop(rows=400):
    """Two classes as text, a category with holes, and a column of numbers with holes."""
    random = np.random.RandomState(0)
    frame = pd.DataFrame(
        {
            "age": random.randint(18, 80, rows).astype(float),
            "city": random.choice(["Rome", "Oslo", "Bonn"], rows),
            "income": random.lognormal(3, 1, rows),
            "note": [f"text {row}" for row in range(rows)],
        }
    )
    frame["buys"] = np.where((frame.age > 45) ^ (frame.city == "Oslo"), "yes", "no")
    frame.loc[random.rand(rows) < 0.1, "income"] = np.nan
    frame.loc[random.rand(rows) < 0.05, "city"] = None
    return frame


def ranking(league, *arguments):
    return json.loads(league(*arguments, "--json").stdout)["one_set"]


def test_text_labels_categories_and_holes(league, tmp_path):
    shop().to_csv(tmp_path / "shop.csv", index=False)
    out = league("shop.csv", "--label", "buys", "--budget", "32,64").stdout
    assert "city: one feature per category: Bonn, Oslo, Rome, missing" in out
    assert "income: missing values are the mean" in out and "note: left out, text with 400 different values" in out
    assert "has the best error" in out
    spec = tomllib.loads((tmp_path / "results/shop/shop.toml").read_text())
    assert spec["lists"] == {"budget": [32, 64], "expensive": [32, 64], "features": [32, 64], "second_order": [32, 64]}
    assert "cross_validation" not in spec
    rows = ranking(league, "shop.csv", "--label", "buys", "--budget", "32,64")["rows"]
    assert {row["budget"] for row in rows} <= {None, 32, 64} and all(row["orders"] == 10 for row in rows)
    assert all(row["interval"][0] <= row["error"] <= row["interval"][1] for row in rows)


def test_the_spec_repeats_the_run(league, okbench, tmp_path):
    shop().to_csv(tmp_path / "shop.csv", index=False)
    first = league("shop.csv", "--label", "buys", "--tier", "quick")
    env = {"OKBENCH_DATA": str(tmp_path / "own")}
    spec = "results/shop/shop.toml"
    again = okbench("run", spec, "--tier", "quick", "--out", "results/shop", env=env, check=0)
    assert " 0 to run" in again.stderr
    okbench("run", spec, "--tier", "quick", "--out", "copy", env=env, check=0)
    assert okbench("compare", "results/shop", "copy", env=env).returncode == 0
    # An edited spec is kept when the command writes it anew.
    (tmp_path / spec).write_text((tmp_path / spec).read_text() + "# mine\n")
    assert (
        "the old one is results/shop/shop.toml.old" in league("shop.csv", "--label", "buys", "--tier", "quick").stdout
    )
    assert (tmp_path / f"{spec}.old").read_text().endswith("# mine\n")
    assert "shop.toml: is a spec; okbench run runs it" in league(spec, check=2).stderr
    assert "over 10 blocks of the stream" in first.stdout
    # The file may change; its old results do not count then.
    shop(300).to_csv(tmp_path / "shop.csv", index=False)
    assert "added     shop: 300 rows" in league("shop.csv", "--label", "buys", "--tier", "quick").stdout


def test_raw_breast_cancer(league, tmp_path):
    cancer = load_breast_cancer(as_frame=True)
    frame = cancer.data.assign(diagnosis=np.where(cancer.target == 1, "benign", "malignant"))
    frame.to_csv(tmp_path / "cancer.csv", index=False)
    rows = ranking(league, "cancer.csv", "--label", "diagnosis", "--budget", "64")["rows"]
    by_name = {row["learner"]: row["error"] for row in rows}
    learners = [row for row in rows if not row["baseline"]]
    assert len(learners) == 21 and by_name["majority"] == pytest.approx(0.3768, abs=0.01)
    assert all(row["error"] < (0.3 if row["learner"] == "pros-n-kons" else 0.12) for row in learners)


def test_raw_diabetes_is_a_regression(league, tmp_path):
    load_diabetes(as_frame=True, scaled=False).frame.to_csv(tmp_path / "diabetes.csv", index=False)
    out = league("diabetes.csv").stdout
    assert "diabetes-file" in out and "so this is regression" in out
    assert "linear least squares" in out and "has the best rmse" in out
    standings = ranking(league, "diabetes.csv", "--regression")
    assert standings["real"] and standings["rows"][0]["error"] < 0.85


def test_chosen_learners_and_the_baselines_are_ranked(league, tmp_path):
    shop().to_csv(tmp_path / "shop.csv", index=False)
    words = ["shop.csv", "--label", "buys", "--tier", "quick"]
    everyone = {row["learner"]: row["error"] for row in ranking(league, *words)["rows"]}
    chosen = {row["learner"]: row["error"] for row in ranking(league, *words, "--learners", "bpas,fogd")["rows"]}
    assert set(chosen) == {"bpas", "fogd", "majority", "last-label", "linear-passive-aggressive", "knn"}
    assert chosen.items() <= everyone.items()
    one = league(*words, "--learners", "bpas", "--timeout", "1000").stdout
    assert "BPA-S" in one and "other learner" not in one and "FOGD" not in one


def test_a_learner_over_the_limit_is_given_up(league, tmp_path):
    shop().to_csv(tmp_path / "shop.csv", index=False)
    words = ["shop.csv", "--label", "buys", "--tier", "quick", "--learners", "bpas", "--timeout", "1e-9"]
    done = league(*words, check=1)
    assert "bpas[budget=64]/r0: FAILED (timeout): candidate" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("okbench: no results of the league")


def test_the_width_is_the_median_distance(league, tmp_path):
    """Rows at 0 and 2, scaled to -1 and 1: all distances that are not 0 are 2, so gamma is 1 / 8."""
    rows = "\n".join(f"{2 * (row % 2)},{row % 2}" for row in range(40))
    (tmp_path / "two.csv").write_text("size,y\n" + rows + "\n")
    league("two.csv", "--tier", "quick", "--scale-on", "all")
    spec = tomllib.loads((tmp_path / "results/two/two.toml").read_text())
    assert spec["kernel"]["gamma"] == 0.125
    league("two.csv", "--tier", "quick", "--gamma", "3", "--out", "r3", "--order", "file")
    spec = tomllib.loads((tmp_path / "r3/two.toml").read_text())
    assert spec["lists"]["width"] == [1] and spec["cross_validation"]["search"] == "grid"
    assert spec["kernel"]["gamma"] == 3 and spec["data"]["order"] == "file" and spec["repetitions"] == 1


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["shop.csv"], "shop.csv: choose the label by --label; columns of text are city, note, buys"),
        (["shop.csv", "--label", "bys"], "shop.csv: has no column 'bys'; the columns are age, city"),
        (["shop.csv", "--label", "buys", "--drop", "x"], "--drop: there is no column 'x'; the columns are age, city"),
        (["shop.csv", "--label", "buys", "--drop", "age,note"], "repeat --drop for each column"),
        (
            ["shop.csv", "--label", "buys", "--missing", "error"],
            "shop.csv:4: column 3 ('income'): the value is",
        ),
        (["shop.csv", "--label", "buys", "--regression"], "the label 'no' is not a number"),
        (["shop.csv", "--label", "buys", "--measure", "gmean"], "unknown measure 'gmean'"),
        (["shop.csv", "--label", "buys", "--out", "shop.csv/out"], "shop.csv/out/shop.toml: cannot be written"),
        (["none.csv"], "none.csv: no such file or result folder"),
        (["shop.csv", "--label", "buys", "--learners", "BPAS"], "'BPAS' for these labels; did you mean bpas"),
        (["shop.csv", "--label", "buys", "--timeout", "0"], "argument --timeout: '0': expected seconds"),
        (["shop.csv", "--label", "buys", "--gamma", "-1"], "--gamma: '-1': expected a number > 0 or median"),
        (["shop.csv", "--label", "buys", "--name", "a b"], "--name 'a b': use letters"),
        (
            ["shop.csv", "--label", "buys", "--budget", "64,32"],
            "argument --budget: '64,32': expected increasing integers >= 1",
        ),
    ],
)
def test_a_mistake_is_one_line(league, tmp_path, arguments, message):
    """It leaves no data set and no folder."""
    shop().to_csv(tmp_path / "shop.csv", index=False)
    done = league(*arguments, check=1 if "out" in arguments[-1] else 2)
    assert len(done.stderr.splitlines()) == 1 and message in done.stderr, done.stderr
    assert not (tmp_path / "results").exists()
    catalog = tmp_path / "own/catalog.toml"
    assert not catalog.exists() or tomllib.loads(catalog.read_text()) == {}
    assert not list((tmp_path / "own").glob("*/*"))


def test_fractions_are_real_targets_on_any_scale(league, tmp_path):
    """Without scaled targets, the steps of the Huber loss would be too small for prices."""
    random = np.random.RandomState(0)
    x = random.normal(size=(300, 2))
    prices = 200000.5 + 50000 * np.sin(x[:, 0]) + 1000 * random.normal(size=300)
    pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "price": prices}).to_csv(tmp_path / "prices.csv", index=False)
    out = league("prices.csv", "--label", "price").stdout
    assert "regression" in out
    rows = {row["learner"]: row["error"] for row in ranking(league, "prices.csv", "--label", "price")["rows"]}
    assert all(error < rows["running-mean"] for name, error in rows.items() if not name.startswith(("last", "running")))
    two = pd.DataFrame({"a": x[:, 0], "y": np.where(x[:, 0] > 0, 0.5, 1.5)})
    two.to_csv(tmp_path / "half.csv", index=False)
    assert not ranking(league, "half.csv", "--classification", "--tier", "quick")["real"]
    assert ranking(league, "half.csv", "--tier", "quick")["real"]


def test_two_data_sets_may_share_a_folder(league, tmp_path):
    for name in ("one", "two"):
        shop(100).to_csv(tmp_path / f"{name}.csv", index=False)
        arguments = ("--label", "buys", "--tier", "quick", "--out", "shared")
        assert f"The league on {name}" in league(f"{name}.csv", *arguments).stdout
    assert "over 2 data sets" in league("shared").stdout


def test_the_measure_of_the_ranking(league, tmp_path):
    shop(200).to_csv(tmp_path / "shop.csv", index=False)
    out = league("shop.csv", "--label", "buys", "--measure", "g-mean", "--budget", "32").stdout
    assert "has the best g-mean" in out
    assert "did you mean" in league("shop.csv", "--label", "buys", "--measure", "gmean", check=2).stderr
    assert "ranked by rmse" in league("shop.csv", "--label", "age", "--measure", "auc", check=2).stderr


def test_a_libsvm_file_needs_no_suffix(league, tmp_path):
    random = np.random.RandomState(0)
    lines = (f"{label:+d} 1:{label + random.normal():.3f} 3:1\n" for label in random.choice([-1, 1], 120))
    (tmp_path / "a9a").write_text("".join(lines))
    assert "columns of this format are not scaled" in league("a9a", "--tier", "quick").stdout


def test_baselines_that_are_best(league, tmp_path):
    """Labels that no column explains: with 95 % of one class, the majority class is hard to beat."""
    random = np.random.RandomState(0)
    frame = pd.DataFrame({"a": random.normal(size=300), "y": random.choice(["a", "b"], 300, p=[0.95, 0.05])})
    frame.to_csv(tmp_path / "noise.csv", index=False)
    rows = ranking(league, "noise.csv", "--budget", "16")["rows"]
    majority = next(row for row in rows if row["learner"] == "majority")
    assert majority["error"] == pytest.approx(rows[0]["error"], abs=0.01) and not majority["best"]
    assert any(row["best"] for row in rows)


def walk(path, rows=300):
    """A random walk with an input that moves it."""
    random = np.random.RandomState(0)
    step, level = random.normal(size=rows), [0.0]
    for row in range(1, rows):
        level.append(0.97 * level[-1] + 0.3 * step[row] + 0.05 * random.normal())
    pd.DataFrame({"step": step, "load": 100 + 10 * np.array(level)}).to_csv(path, index=False)


def test_the_last_targets_become_columns(league, monkeypatch, tmp_path):
    walk(tmp_path / "load.csv")
    words = ("load.csv", "--label", "load", "--order", "file", "--budget", "32")
    plain = league(*words).stdout
    out = league(*words, "--lags", "2", "--out", "lagged").stdout
    assert "300 rows, 3 features, real" in out and "table['load lag 2'] = table['load'].shift(2)" in out
    best = [ranking(league, *words, *more)["rows"][0]["error"] for more in ([], ["--lags", "2", "--out", "lagged"])]
    assert best[1] < 0.6 * best[0], (plain, out)
    monkeypatch.setenv("OKBENCH_DATA", str(tmp_path / "own"))
    X, _ = load_data("load")
    frame = pd.read_csv(tmp_path / "load.csv")
    lag = frame["load"].shift(1)
    tenth = lag[:30].dropna()
    np.testing.assert_allclose(X[1:, 1], ((lag - tenth.mean()) / tenth.std(ddof=0))[1:], rtol=1e-5)


@pytest.mark.parametrize(
    "words, message",
    [
        (["--label", "load"], "--lags: the rows must keep their order: add --order file"),
        (["--label", "load", "--classification", "--order", "file"], "--lags: the label has classes"),
    ],
)
def test_lags_that_have_no_meaning_are_refused(league, tmp_path, words, message):
    frame = pd.DataFrame({"step": np.arange(60) % 7 * 1.5, "load": np.arange(60) % 3})
    frame.to_csv(tmp_path / "load.csv", index=False)
    assert message in league("load.csv", "--lags", "1", *words, check=2).stderr


def code_of(output):
    """The lines of Python in the output."""
    lines = output.split("The best learner in Python:\n")[1].split("\n\n")[0].splitlines()
    return "\n".join(line.removeprefix("    ") for line in lines)


def test_many_words_are_classes_only_on_request(league, tmp_path, monkeypatch):
    rows = "".join(f"{i % 7},w{i % 1100}\n" for i in range(2200))
    (tmp_path / "words.csv").write_text("x,word\n" + rows)
    words = ("words.csv", "--label", "word")
    assert "has 1100 different words" in (refused := league(*words, check=2).stderr)
    assert "okbench league: --classification" in refused
    # 1100 functions would learn for long, so this only imports.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OKBENCH_DATA", str(tmp_path / "own"))
    options = cli.load("league")[1].parse_args([*words, "--classification"])
    lines, entry = own_data.imported(options, "terms", False)
    assert entry["kind"] == "multiclass" and len(entry["labels"]) == 1100, lines


def test_rows_in_time_order(league, tmp_path):
    days = pd.date_range("2024-01-01", periods=300).strftime("%Y-%m-%d")
    frame = pd.DataFrame({"day": days, "order": np.arange(300) * 3, "x": np.arange(300) % 7, "y": np.arange(300) % 2})
    frame.to_csv(tmp_path / "days.csv", index=False, sep=";")
    out = league("days.csv", "--label", "y", "--tier", "quick").stdout
    assert "day: left out, text with 300 different values, in rising order" in out
    assert "--order file keeps that of the file" in out and "use --drop order" in out and "--drop x" not in out
    assert "table = pandas.read_csv('days.csv', sep=';')" in code_of(out)


@pytest.mark.parametrize("scale", ["none", "clipped"])
@pytest.mark.parametrize("label, measure", [("buys", "error"), ("income", "mse")])
def test_the_code_of_the_winner_gives_its_error(league, tmp_path, monkeypatch, label, measure, scale):
    frame = shop().dropna(subset=["income"])
    frame.loc[frame.index[-40:], "age"] = 150  # far beyond the first rows
    frame["income"] = frame["age"] / 20 + (frame["city"] == "Oslo")
    frame.to_csv(tmp_path / "shop.csv", index=False)
    words = ("shop.csv", "--label", label, "--order", "file", "--scale", scale)
    code = code_of(league(*words, "--out", "text").stdout)
    rows = ranking(league, *words, "--out", "text")["rows"]
    monkeypatch.chdir(tmp_path)
    printed = {}
    exec(code.replace("print(", "printed['frame'] = ("), {"printed": printed})
    error = printed["frame"][measure][0] ** (0.5 if measure == "mse" else 1)
    errors = [row["error"] for row in rows if row["learner"] not in ("knn", "fogd", "raker")]
    random = "FOGD" in code or "Raker" in code  # other seeds
    assert error == pytest.approx(rows[0]["error"], rel=0.5) if random else error == pytest.approx(errors[0], abs=1e-6)
    model = next(line for line in code.splitlines() if line.startswith("model = "))
    assert model in (tmp_path / "text" / "index.html").read_text().replace("&#39;", "'")


def test_rows_grouped_by_class_need_a_random_order(okbench, tmp_path):
    rows = [f"{i % 7 / 3 + (i < 150)},{'u' if i < 150 else 'v' if i < 290 else 'w'}" for i in range(300)]
    (tmp_path / "late.csv").write_text("a,kind\n" + "\n".join(rows) + "\n")
    done = okbench(
        "league", "late.csv", "--order", "file", "--learners", "bpas", env={"OKBENCH_DATA": str(tmp_path / "d")}
    )
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "late.csv: rows are grouped by class" in done.stderr and "omit --order file" in done.stderr
    assert not (tmp_path / "results").exists() and "late" not in (tmp_path / "d" / "catalog.toml").read_text()


@pytest.mark.parametrize(
    "value, label",
    [("?", "{kind}"), ("NONE", "{kind}"), ("{flag}", "{kind}"), ("{n}.5", "0{kind}"), ("{n}.5", "{kind}")],
    ids=["mark", "none", "flags", "codes", "numbers"],
)
def test_code_that_pandas_would_read_otherwise_is_not_printed(okbench, tmp_path, value, label):
    lines = ["a,b,kind"]
    for n in range(120):
        odd = value.format(flag=n % 2 == 0, n=n % 5) if n % 10 == 0 or "{" in value else n % 5
        lines.append(f"{n % 7 / 2},{odd},{(label if n % 3 == 0 else '{kind}').format(kind=1 + n % 2)}")
    (tmp_path / "m.csv").write_text("\n".join(lines) + "\n")
    done = okbench(
        *("league", "m.csv", "--label", "kind", "--tier", "quick", "--learners", "bpas"),
        env={"OKBENCH_DATA": str(tmp_path / "d")},
        check=0,
    )
    alike = value == "{n}.5" and label == "{kind}"
    assert ("pandas.read_csv" in done.stdout) == alike, done.stdout
    assert "model = okbench." in done.stdout
