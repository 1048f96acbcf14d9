"""Streams: late labels, drifting generators, reaction to changes, shares of positives, and the memory of learners."""

import json

import numpy as np
import pytest
from okbench.results import Results, read_trace

import okbench as package

SPEC = """
format = 2
experiment = "streams/test"
title = "Streams"
[data]
name = "DATA"
order = "file"
MORE
[kernel]
name = "rbf"
gamma = 2
[trace]
predictions = true
record_all_until = 100000
"""
NORMA = '[learners.norma]\nlearner = "norma"\nschedule = "constant"\neta0 = 0.3\nbuffer = 40\nc = 0.01\n'


def run(okbench, folder, data, more="", learners=NORMA, out="r", sections="", check=0):
    text = SPEC.replace("DATA", data).replace("MORE", more)
    (folder / "spec.toml").write_text(text + sections + learners)
    done = okbench("run", "spec.toml", "--out", out, "--quiet", check=check)
    return done if check else {path.name.split("-r0")[0]: read_trace(path) for path in (folder / out).rglob("*.h5")}


def labels_of(trace):
    return trace.tables["predictions"]["label"]


@pytest.mark.parametrize("delay", [1, 7, 500])
def test_late_labels_are_those_of_a_simulation(okbench, tmp_path, delay):
    """Predicts with the estimator, and learns each row when its label arrives."""
    trace = run(okbench, tmp_path, "sine-recurring", f"max_examples = 300\ndelay = {delay}")["norma"]
    X, y = package.load_data("sine-recurring", rows=300)
    estimator = package.NORMA(schedule="constant", eta0=0.3, buffer=40, c=0.01, gamma=2.0)
    wrong, predicting, waiting = [], [], []
    for t in range(300):
        vectors, score = 0, 0.0
        if t >= delay:
            score = estimator.decision_function(X[t : t + 1])[0] if hasattr(estimator, "classes_") else 0.0
            vectors = len(estimator.support_vectors_) if hasattr(estimator, "classes_") else 0
        wrong.append(score * y[t] <= 0)
        predicting.append(vectors)
        known = range(max(0, t - delay), 300 if t == 299 else max(0, t + 1 - delay))
        for i in known:
            estimator.partial_fit(X[i : i + 1], y[i : i + 1], classes=[-1, 1])
        waiting.append(min(t + 1, delay) if t < 299 else 0)
    assert trace["mistakes"].tolist() == np.cumsum(wrong).tolist()
    assert trace["kernel_predicting"].tolist() == np.cumsum(predicting).tolist()
    assert trace["waiting"].tolist() == waiting
    counts = trace.summary["kernel_evaluations"]
    assert counts["predicting"] == sum(predicting) and counts["evaluation"] == 0
    assert trace["kernel_requested"][-1] == counts["requested"]


def test_no_delay_is_the_plain_stream(okbench, tmp_path):
    plain = run(okbench, tmp_path, "sea", "max_examples = 200")["norma"]
    none = run(okbench, tmp_path, "sea", "max_examples = 200\ndelay = 0", out="none")["norma"]
    assert none.digest == plain.digest and none.trial_id == plain.trial_id


def test_delays_are_an_axis(okbench, tmp_path):
    run(okbench, tmp_path, "sea", "max_examples = 200\ndelay = [0, 5]")
    frame = package.load(tmp_path / "r")
    assert set(frame["grid_point"]) == {"delay=0", "delay=5"}
    results = Results(tmp_path / "r")
    for delay in (0, 5):
        (trace,) = results.find(f"streams/test/norma[delay={delay}]")
        assert trace.spec["data"].get("delay", 0) == delay


def test_baselines_know_late_labels_only(okbench, tmp_path):
    learners = '[learners.last]\nlearner = "last-label"\n[learners.majority]\nlearner = "majority"\n'
    traces = run(okbench, tmp_path, "sea", "max_examples = 300\ndelay = 3", learners)
    label = labels_of(traces["last"])
    expected = np.concatenate([np.zeros(4), label[:-4]])[:300]  # label t - 1 - delay
    assert traces["last"].tables["predictions"]["score_0"].tolist() == expected.tolist()
    known = [label[: max(0, t - 3)] for t in range(300)]
    majority = [0 if not len(k) else 1 if np.sum(k > 0) > np.sum(k < 0) else -1 for k in known]
    assert traces["majority"].tables["predictions"]["score_0"].tolist() == majority


def add_with_delays(okbench, folder, rows=200):
    """A data set of the user's with a column of delays; returns (label, delay)."""
    random = np.random.default_rng(0)
    X, delay = random.normal(size=(rows, 2)), random.integers(0, 30, size=rows)
    label = np.where(X.sum(axis=1) > 0, 1, -1)
    lines = "".join(f"{a!r},{d},{b!r},{y}\n" for (a, b), d, y in zip(X.tolist(), delay.tolist(), label.tolist()))
    (folder / "late.csv").write_text("a,wait,b,label\n" + lines)
    place = {"OKBENCH_DATA": str(folder / "data")}
    added = okbench(
        "data", "add", "late.csv", "--name", "late", "--delay", "wait", "--change-points", "50,120", env=place
    )
    assert added.returncode == 0, added.stderr
    return label, delay, place


def test_delays_of_rows_come_from_the_data(okbench, tmp_path):
    label, delay, place = add_with_delays(okbench, tmp_path)
    learners = '[learners.last]\nlearner = "last-label"\n'
    text = SPEC.replace("DATA", "late").replace("MORE", 'delay = "column"') + "[measures]\nreaction = 20\n" + learners
    (tmp_path / "spec.toml").write_text(text)
    okbench("run", "spec.toml", "--out", "r", "--quiet", env=place, check=0)
    trace = read_trace(next((tmp_path / "r").rglob("*.h5")))
    # Labels are learned in the order of their arrival, then of the stream.
    arrival = sorted((t + delay[t], t) for t in range(200))
    expected, waiting = [], []
    for t in range(200):
        known = [i for at, i in arrival if at < t]  # after the prediction of the step before
        expected.append(label[known[-1]] if known else 0)
        waiting.append(sum(at > t for at, i in arrival if i <= t) if t < 199 else 0)
    assert trace.tables["predictions"]["score_0"].tolist() == expected
    assert trace["waiting"].tolist() == waiting
    assert len(trace.spec["data"]["delays"]) == 64 and trace.provenance["data_shape"]["features"] == 2
    assert trace.tables["changes"]["step"].tolist() == [51, 121]


def test_delays_that_are_not_there(okbench, tmp_path):
    done = run(okbench, tmp_path, "sea", 'delay = "column"', check=2)
    assert "'sea' has no delays of its labels; okbench data add --delay adds them" in done.stderr
    done = run(okbench, tmp_path, "sea", 'delay = "late"', check=2)
    assert 'must be numbers of steps from 0 to 1e9, or "column"' in done.stderr
    (tmp_path / "bad.csv").write_text("a,wait,label\n1,2,x\n2,-1,y\n")
    place = {"OKBENCH_DATA": str(tmp_path / "data")}
    done = okbench("data", "add", "bad.csv", "--name", "bad", "--delay", "wait", env=place, check=2)
    assert "bad.csv:3: wait: a delay must be an integer >= 0" in done.stderr
    done = okbench("data", "add", "bad.csv", "--name", "bad", "--delay", "wai", env=place, check=2)
    assert "no column has this name" in done.stderr
    add_with_delays(okbench, tmp_path)
    file = next((tmp_path / "data" / "late").glob("*delays*"))
    file.write_bytes(file.read_bytes()[:-9])
    text = SPEC.replace("DATA", "late").replace("MORE", 'delay = "column"') + NORMA
    (tmp_path / "spec.toml").write_text(text)
    done = okbench("run", "spec.toml", "--out", "broken", env=place, check=1)
    assert "train-delays.txt.gz" in done.stderr


def test_learners_in_rounds_refuse_delays(okbench, tmp_path):
    learners = '[learners.pegasos]\nlearner = "pegasos"\n'
    done = run(okbench, tmp_path, "sea", "delay = 3\nbatch = 5", learners, check=2)
    assert "does not learn from a stream: remove data.delay" in done.stderr


def test_shares_of_positives(okbench, tmp_path):
    trace = run(okbench, tmp_path, "sine-recurring", "max_examples = 2000\npositive_share = 0.1")["norma"]
    label, rows = labels_of(trace), trace["example"]
    assert abs(np.mean(label > 0) - 0.1) < 4 * np.sqrt(0.09 / 2000)
    for sign in (-1, 1):  # rows of each class keep their order
        assert np.all(np.diff(rows[label == sign]) > 0)
    again = run(okbench, tmp_path, "sine-recurring", "max_examples = 2000\npositive_share = 0.1", out="again")["norma"]
    assert again.digest == trace.digest
    done = run(okbench, tmp_path, "sine-recurring", "positive_share = 0.1", out="no", check=2)
    assert "needs data.max_examples" in done.stderr
    done = run(okbench, tmp_path, "sine-recurring", "max_examples = 100\npositive_share = 1", out="all", check=2)
    assert "1 is out of range; it must be a number > 0 and < 1" in done.stderr
    done = run(okbench, tmp_path, "sine-recurring", "max_examples = 20000\npositive_share = 0.9", out="few", check=1)
    assert "the data has no positive row left" in done.stderr
    done = run(okbench, tmp_path, "led", "max_examples = 100\npositive_share = 0.9", out="led", check=2)
    assert "needs binary labels" in done.stderr


def concept(rows, changes):
    return np.searchsorted(changes, np.arange(rows), side="right")


def test_sea_and_sine_have_the_published_concepts():
    X, y = package.load_data("sea", dtype="float64")
    thetas = np.array([8, 9, 7, 9.5])[concept(20000, [5000, 10000, 15000])]
    clean = np.where(X[:, 0] + X[:, 1] <= thetas, 1, -1)
    assert 0 <= X.min() and X.max() <= 10 and X.shape == (20000, 3)
    assert abs(np.mean(clean != y) - 0.1) < 0.01  # one label in ten is wrong
    X, y = package.load_data("sine-recurring", dtype="float64")
    below = np.where(X[:, 1] < np.sin(X[:, 0]), 1, -1)
    reversed_ = concept(20000, [4000, 8000, 12000, 16000]) % 2 == 1
    assert np.array_equal(y, np.where(reversed_, -below, below))


def test_gradual_changes_mix_the_concepts():
    X, y = package.load_data("sea-gradual", dtype="float64")
    around = slice(4500, 5500)
    between = (X[:, 0] + X[:, 1] > 8) & (X[:, 0] + X[:, 1] <= 9)  # positive only after the change
    share = np.mean(y[around][between[around]] > 0)
    assert 0.3 < share < 0.7
    assert np.mean(y[:2000][between[:2000]] > 0) < 0.2 and np.mean(y[8000:9000][between[8000:9000]] > 0) > 0.75


def test_stagger_and_led_have_the_published_concepts():
    X, y = package.load_data("stagger")
    size, colour, shape = (X[:, 3 * a : 3 * a + 3].argmax(axis=1) for a in range(3))
    assert np.array_equal(X.reshape(-1, 3, 3).sum(axis=2), np.ones((20000, 3)))
    rules = [(size == 0) & (colour == 0), (colour == 1) | (shape == 0), size > 0]
    which = concept(20000, [4000, 8000, 12000, 16000]) % 3
    assert np.array_equal(y > 0, np.choose(which, rules))
    X, y = package.load_data("led")
    segments = np.array([[int(c) for c in text] for text in SEGMENTS])
    assert abs(np.mean(X[:7000, :7] != segments[y[:7000]]) - 0.1) < 0.005
    assert abs(np.mean(X[7000:14000, :7] != segments[y[7000:14000]]) - 0.5) < 0.02  # they have moved
    moved = [7 + (j + 3) % 17 for j in range(7)]
    assert abs(np.mean(X[7000:14000][:, moved] != segments[y[7000:14000]]) - 0.1) < 0.005


SEGMENTS = "1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011".split()


def test_shares_of_positives_change():
    _, y = package.load_data("sine-imbalance")
    shares = [np.mean(y[a:b] > 0) for a, b in ((0, 7000), (7000, 14000), (14000, 20000))]
    # 2 % of the labels are wrong.
    assert shares == pytest.approx([0.5, 0.05 * 0.98 + 0.95 * 0.02, 0.5], abs=0.02)


def test_moving_streams_move():
    """A linear model of the first rows of the hyperplane is worse on later rows; clusters leave their places."""
    X, y = package.load_data("hyperplane", dtype="float64")
    A = np.c_[X - 0.5, np.ones(len(X))]
    w = np.linalg.lstsq(A[:1000], y[:1000], rcond=None)[0]
    errors = [np.mean(np.sign(A[a : a + 1000] @ w) != y[a : a + 1000]) for a in (0, 2500, 5000)]
    assert errors[0] < 0.15 and errors[1] > errors[0] + 0.1
    X, y = package.load_data("random-rbf")
    assert set(np.unique(y)) == {0, 1, 2, 3} and X.shape == (20000, 10)
    centre = [X[a : a + 2000][y[a : a + 2000] == 0].mean(axis=0) for a in (0, 8000)]
    assert np.linalg.norm(centre[0] - centre[1]) > 0.05


def test_rows_do_not_depend_on_the_rows_before(okbench, tmp_path):
    """A longer stream has the same first rows."""
    short, long = package.load_data("led", rows=300), package.load_data("led", rows=900)
    assert np.array_equal(short[0], long[0][:300]) and np.array_equal(short[1], long[1][:300])


def test_reaction_by_brute_force(okbench, tmp_path):
    sections = "[measures]\nreaction = 200\n"
    trace = run(okbench, tmp_path, "sine-recurring", "", sections=sections)["norma"]
    wrong = np.diff(np.concatenate([[0], trace["mistakes"]]))
    table = trace.tables["changes"]
    assert trace.provenance["changes"] == [4001, 8001, 12001, 16001] == table["step"].tolist()
    for k, change in enumerate([4000, 8000, 12000, 16000]):
        before = wrong[change - 200 : change].mean()
        end = [8000, 12000, 16000, 20000][k]
        after = [wrong[max(change, t - 200) : t].mean() for t in range(change + 100, end + 1)]
        peak = int(np.argmax(after))
        start = peak if after[peak] > 1.1 * before else 0  # an error that stays low is back at once
        back = [i for i in range(start, len(after)) if after[i] <= 1.1 * before + 1e-12]
        assert table["error_before"][k] == pytest.approx(before)
        assert table["peak_error"][k] == pytest.approx(after[peak])
        assert table["examples"][k] == (back[0] + 100 if back else -1)
    measures = trace.summary["measures"]
    assert measures["peak-after-change"] == pytest.approx(table["peak_error"].mean())
    expected = table["examples"].mean() if np.all(table["examples"] > 0) else None
    assert measures["examples-after-change"] == (pytest.approx(expected) if expected else None)
    done = run(okbench, tmp_path, "moving-border", "", sections=sections, out="none", check=2)
    assert "no stream has known changes" in done.stderr


def test_learners_report_their_memory(okbench, tmp_path):
    """A buffer twice as large needs about twice the memory, and rows that wait for labels count."""

    def peak(buffer, more, out):
        learners = NORMA.replace("buffer = 40", f"buffer = {buffer}")
        learners = learners.replace('norma"', 'norma"\nloss = "multiclass-hinge"')
        trace = run(okbench, tmp_path, "random-rbf", more, learners, out)
        if "learner_peak_bytes" not in trace["norma"].provenance:
            pytest.skip("sanitizers count no memory")
        return trace["norma"].provenance["learner_peak_bytes"], trace["norma"].summary["support_vectors"]

    (small, few), (large, many) = peak(1000, "max_examples = 4000", "a"), peak(2000, "max_examples = 4000", "b")
    assert (few, many) == (1000, 2000)
    # Rows of 10 single-precision values, and four coefficients.
    assert large - small > 1000 * (10 * 4 + 4 * 8) and 1.5 * small < large < 3 * small
    late, _ = peak(1000, "max_examples = 4000\ndelay = 2000", "c")
    assert late >= small + 2000 * 10 * 4 - 4096


def test_the_league_ranks_by_a_measure(okbench, tmp_path):
    (tmp_path / "league").mkdir()
    learners = NORMA + '[learners.majority]\nlearner = "majority"\n'
    for data in ("sea", "sine-imbalance"):
        text = (
            SPEC.replace("DATA", data).replace("MORE", "max_examples = 3000").replace("streams/test", f"league/{data}")
        )
        (tmp_path / "league" / f"{data}.toml").write_text(text + learners)
    okbench("run", "league/sea.toml", "league/sine-imbalance.toml", "--measure", "g-mean", "--out", "r", check=0)
    table = json.loads(okbench("league", "r", "--measure", "g-mean", "--json", check=0).stdout)
    assert [row["learner"] for row in table["learners"]] == ["norma", "majority"]
    values = [read_trace(path).summary["measures"]["g-mean"] for path in sorted((tmp_path / "r").rglob("norma*.h5"))]
    assert table["learners"][0]["value"] == pytest.approx(np.mean(values))
    assert "g-mean" in okbench("league", "r", "--measure", "g-mean", check=0).stdout
    refused = okbench("league", "r", "--measure", "g-men", check=2)
    assert "did you mean g-mean?" in refused.stderr


def test_memory_and_time_are_in_the_summary(okbench, tmp_path):
    trace = run(okbench, tmp_path, "sea", "max_examples = 500")["norma"]
    (row,) = json.loads(okbench("summary", "r", "--json", check=0).stdout)["trials"]
    assert row["learner_peak_bytes"] == trace.provenance.get("learner_peak_bytes")
    assert row["cpu_seconds"] == trace.provenance["cpu_seconds"] > 0
    shown = okbench("summary", "r", "--mean", "--costs", check=0).stdout.splitlines()
    assert "peak KB" in shown[0] and "cpu s" in shown[0] and "evaluations/s" in shown[0]
