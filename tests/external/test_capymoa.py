"""okbench.capymoa with the real CapyMOA: the same numbers in its evaluation, in River's and in okbench's.

`make test-external` installs CapyMOA. Without it, or without Java, these tests are skipped.
"""

import shutil

import numpy as np
import pytest

import okbench
from digits_spec import SPEC

pytest.importorskip("capymoa._prepare_jpype", reason="CapyMOA is not installed: make test-external")
if shutil.which("java") is None:
    pytest.skip("CapyMOA needs Java", allow_module_level=True)
from capymoa.base import SKClassifier  # noqa: E402
from capymoa.classifier import HoeffdingTree  # noqa: E402
from capymoa.evaluation import prequential_evaluation  # noqa: E402
from capymoa.regressor import FIMTDD  # noqa: E402
from capymoa.stream import ARFFStream, NumpyStream  # noqa: E402

from okbench import capymoa as adapter  # noqa: E402


def rows(count=1000, classes=2):
    random = np.random.RandomState(0)
    X = random.normal(size=(count, 4))
    y = ((X[:, 0] * X[:, 1] > 0) + (X[:, 2] > 0.8) * (classes > 2)).astype(int)
    late = np.concatenate([[0] * 5, y[:-5]])  # labels that repeat, for kappa-t
    return X, np.where(random.rand(count) < 0.3, late, y)


def evaluated(learner, X, y, window=100):
    stream = NumpyStream(X, y, target_type="categorical")
    return prequential_evaluation(stream, learner(stream.get_schema()), window_size=window)


@pytest.mark.parametrize("classes", [2, 3])
def test_an_estimator_has_one_error_in_both_programs(classes):
    X, y = rows(classes=classes)
    estimator = okbench.BPAS(gamma=0.5, budget=50)
    evaluation = evaluated(lambda schema: adapter.wrap(estimator, schema), X, y).cumulative
    known = np.unique(y)
    ours = okbench.prequential(estimator, (X, y), ["error"], window=None, classes=known).frame.iloc[0]
    sk = evaluated(lambda schema: SKClassifier(okbench.BPAS(gamma=0.5, budget=50), schema), X, y).cumulative
    assert evaluation.accuracy() == sk.accuracy()
    # The first row has no prediction in CapyMOA; here its score is 0, and a score of 0 is a mistake.
    assert (100 - evaluation.accuracy()) / 100 == pytest.approx(ours["error"], abs=1.5 / len(y))


def test_a_regressor_and_probabilities():
    X, _ = rows()
    target = X[:, 0] * X[:, 1] + 3
    stream = NumpyStream(X, target, target_type="numeric")
    learner = adapter.wrap(okbench.PKAWVRegressor(gamma=0.5), stream.get_schema())
    results = prequential_evaluation(stream, learner, window_size=100)
    assert results.cumulative.rmse() < target.std()
    with pytest.raises(ValueError, match="learns classes, the stream does not"):
        adapter.wrap(okbench.BPAS(), stream.get_schema())
    stream = NumpyStream(*rows(), target_type="categorical")
    learner = adapter.wrap(okbench.BPAS(gamma=0.5), stream.get_schema())
    instance = stream.next_instance()
    assert learner.predict(instance) is None and learner.predict_proba(instance) is None
    learner.train(instance)
    assert learner.predict_proba(instance).sum() == pytest.approx(1) and str(learner) == "okbench.BPAS"


def test_an_arff_file_of_moa(tmp_path):
    X, y = rows(200)
    lines = ["@relation r", *(f"@attribute x{i} numeric" for i in range(4)), "@attribute y {no,yes}", "@data"]
    lines += [",".join([*map(repr, x.tolist()), ("no", "yes")[label]]) for x, label in zip(X, y)]
    (tmp_path / "r.arff").write_text("\n".join(lines) + "\n")
    stream = ARFFStream(str(tmp_path / "r.arff"))
    results = prequential_evaluation(stream, adapter.wrap(okbench.BPAS(gamma=0.5), stream.get_schema()))
    assert (
        results.cumulative.accuracy()
        == evaluated(lambda schema: adapter.wrap(okbench.BPAS(gamma=0.5), schema), X, y).cumulative.accuracy()
    )


@pytest.mark.parametrize("name", ["HoeffdingTree", "NaiveBayes", "KNN"])
def test_learners_of_capymoa_have_moas_numbers_here(name):
    import capymoa.classifier

    X, y = rows(classes=3)
    classifier = getattr(capymoa.classifier, name)
    theirs = evaluated(classifier, X, y)
    ours = okbench.prequential(adapter.FromCapyMoa(classifier), (X, y), ["error"], window=100)
    assert ours.frame["error"][0] == pytest.approx(1 - theirs.cumulative.accuracy() / 100, abs=1.5 / len(y))


def test_a_regressor_of_capymoa():
    X, _ = rows()
    target = X[:, 0] * 2 + 3
    stream = NumpyStream(X, target, target_type="numeric")
    theirs = prequential_evaluation(stream, FIMTDD(stream.get_schema()))
    ours = okbench.prequential(adapter.FromCapyMoa(FIMTDD), (X, target), "mse", window=None).frame["mse"][0]
    assert ours**0.5 == pytest.approx(theirs.cumulative.rmse(), rel=1e-2)


def test_a_learner_of_capymoa_in_the_trials_of_a_spec(tmp_path):
    def tree():
        return adapter.FromCapyMoa(HoeffdingTree, grace_period=50)

    results = okbench.run(SPEC, out=tmp_path / "out", learners={"tree": tree}, progress=False).set_index("learner")
    assert 0 < results["error_rate"]["tree"] < 0.6
