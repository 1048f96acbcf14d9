"""Estimators with the newest scikit-learn: frames of polars and pyarrow, metadata routing, set_output, tags."""

import numpy as np
import pytest
import sklearn

import okbench

polars = pytest.importorskip("polars", reason="polars is not installed: make test-external")
pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: make test-external")
import pandas as pd  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_validate  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

X = np.random.RandomState(0).normal(size=(200, 3))
Y = (X[:, 0] * X[:, 1] > 0).astype(int)
COLUMNS = dict(zip("abc", X.T))
FRAMES = {
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "pandas-arrow": lambda: pd.DataFrame(COLUMNS).convert_dtypes(dtype_backend="pyarrow"),
    "polars": lambda: polars.DataFrame(COLUMNS),
    "pyarrow": lambda: pyarrow.table(COLUMNS),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_frames_have_the_bits_of_arrays(kind):
    frame = FRAMES[kind]()
    right = okbench.BPAS(gamma=0.5).fit(X, Y)
    model = okbench.BPAS(gamma=0.5).fit(frame, Y)
    assert model.trace_digest_ == right.trace_digest_
    assert model.predict(frame).tolist() == right.predict(X).tolist()
    if kind != "pyarrow":  # scikit-learn takes no names from it
        assert list(model.feature_names_in_) == list("abc")
        with pytest.raises(ValueError, match="feature names"):
            model.predict(frame[["b", "a", "c"]])


def test_sample_weights_are_routed():
    with sklearn.config_context(enable_metadata_routing=True):
        model = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False),
            okbench.Pegasos(gamma=0.5).set_fit_request(sample_weight=True).set_score_request(sample_weight=True),
        )
        weights = np.where(Y == 1, 1.0, 0.01)
        scores = cross_validate(model, X, Y, params={"sample_weight": weights}, return_estimator=True)
        shares = [np.mean(estimator.predict(X)) for estimator in scores["estimator"]]
        plain = np.mean(make_pipeline(StandardScaler(), okbench.Pegasos(gamma=0.5)).fit(X, Y).predict(X))
        assert min(shares) > plain


def test_pipelines_searches_and_tags():
    scaler = StandardScaler().set_output(transform="polars")
    search = GridSearchCV(make_pipeline(scaler, okbench.BPAS(gamma=0.5)), {"bpas__C": [0.1, 1.0]}, cv=3)
    assert search.fit(FRAMES["polars"](), Y).best_score_ > 0.7
    tags = okbench.BPAS().__sklearn_tags__()
    assert tags.input_tags.sparse and tags.classifier_tags.multi_class
    assert not okbench.SVMD.__dict__.get("_get_tags")
