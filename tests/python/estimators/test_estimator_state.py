"""Estimators that are kept and go on: pickle, deepcopy, files; and fit and partial_fit after one another."""

import copy
import hashlib
import json
import os
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest
from estimator_cases import RESUMABLE, WHOLE, partial_fit_rows, kind, rows_for, scores, settings
from sklearn.base import clone

from okbench.estimators import ESTIMATORS, SVMD, load_estimator

WAYS = ("pickle", "deepcopy", "file")
LAYOUTS = {"float32": (np.float32, False), "float64": (np.float64, False), "csr": (np.float32, True)}


def kept(estimator, way, folder):
    if way == "pickle":
        return pickle.loads(pickle.dumps(estimator))
    if way == "deepcopy":
        return copy.deepcopy(estimator)
    estimator.save(folder / "learner")
    return load_estimator(folder / "learner")


def require_same(estimator, two, X):
    """The same scores to the last bit, counts, model and parameters."""
    np.testing.assert_array_equal(scores(estimator, X), scores(two, X))
    assert estimator.kernel_evaluations_ == two.kernel_evaluations_
    np.testing.assert_array_equal(estimator.dual_coef_, two.dual_coef_)
    np.testing.assert_array_equal(estimator.intercept_, two.intercept_)
    assert type(estimator) is type(two) and estimator.get_params() == two.get_params()
    assert estimator.n_features_in_ == two.n_features_in_
    if hasattr(estimator, "classes_"):
        np.testing.assert_array_equal(estimator.classes_, two.classes_)
        assert estimator.classes_.dtype == two.classes_.dtype


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", (0, 1))
@pytest.mark.parametrize("estimator_class, parameters", settings())
def test_going_on_is_as_if_never_interrupted(estimator_class, parameters, seed, layout, tmp_path):
    dtype, compressed = LAYOUTS[layout]
    classes = 2 if estimator_class._kinds != ("multiclass",) else 4
    X, y = rows_for(estimator_class, 150, seed, classes=classes, dtype=dtype, compressed=compressed)
    whole = estimator_class(**parameters, random_state=seed)
    partial_fit_rows(whole, X, y, 0, 80)
    parts = {way: kept(whole, way, tmp_path) for way in WAYS}
    partial_fit_rows(whole, X, y, 80, 150)
    for part in parts.values():
        partial_fit_rows(part, X, y, 80, 150)
        # Scores count as evaluation, of the whole one too.
        require_same(part, copy.deepcopy(whole), X)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ("SVMD", "NORMA", "MIRA"))
def test_partial_fit_continues_with_many_classes(name, way, tmp_path):
    estimator_class = ESTIMATORS[name]
    X, y = rows_for(estimator_class, 600, 5, classes=40, features=8)
    more = {"buffer": 60, "dropped_terms": "subtracted"} if name != "MIRA" else {"cache": "fixed", "budget": 80}
    whole = partial_fit_rows(estimator_class(**more), X, y, 0, 300)
    part = kept(whole, way, tmp_path)
    for estimator in (whole, part):
        partial_fit_rows(estimator, X, y, 300, 600)
    require_same(part, whole, X)
    assert len(whole.classes_) == 40 and whole.decision_function(X).shape == (600, 40)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_fitted_attributes_are_saved(name, way, tmp_path):
    X, y = rows_for(ESTIMATORS[name], 60, 2)
    whole = ESTIMATORS[name](random_state=5).fit(X, y)
    part = kept(whole, way, tmp_path)
    require_same(part, copy.deepcopy(whole), X)
    if way != "file":
        assert part.trace_digest_ == whole.trace_digest_ and part.trace_.equals(whole.trace_)
    for estimator in (whole, part) if name in RESUMABLE else ():
        partial_fit_rows(estimator, X, y, 0, 60)
    np.testing.assert_array_equal(scores(part, X), scores(whole, X))
    assert not hasattr(clone(part), "_session")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ("SVMD", "FOGD", "NORMARegressor", "SFD", "LinearOnlineSVM"))
def test_the_trace_of_a_loaded_estimator_continues(name, way, tmp_path):
    estimator_class = ESTIMATORS[name]
    width = {} if estimator_class._learner["linear"] else {"gamma": 0.2}
    X, y = rows_for(estimator_class, 200, 4)
    whole = partial_fit_rows(estimator_class(**width), X, y, 0, 200).trace_
    part = kept(partial_fit_rows(estimator_class(**width), X, y, 0, 120), way, tmp_path)
    rest = partial_fit_rows(part, X, y, 120, 200).trace_
    # Kernel values that look-ahead computes depend on the chunks.
    counts = [name for name in whole if "seconds" not in name and "computed" not in name]
    if estimator_class._learner["protocol"] == "stream":
        assert list(rest["step"]) == list(range(121, 201))
    last = whole.iloc[-1][counts]
    assert rest.iloc[-1][counts].equals(last), (rest.iloc[-1][counts] - last).abs().max()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name, parameters", WHOLE)
def test_learners_without_partial_fit_are_saved(name, parameters, way, tmp_path):
    estimator_class = ESTIMATORS[name]
    X, y = rows_for(estimator_class, 60, 2)
    whole = estimator_class(**parameters).fit(X, y)
    part = kept(whole, way, tmp_path)
    require_same(part, copy.deepcopy(whole), X)
    for estimator in (whole, part, estimator_class(**parameters)):
        with pytest.raises(ValueError, match="not chunks|length of the stream") as error:
            partial_fit_rows(estimator, X, y, 0, 60)
        assert "\n" not in str(error.value)
    np.testing.assert_array_equal(scores(part, X), scores(whole, X))


def test_names_texts_and_widths_are_kept_in_a_file(tmp_path):
    import pandas as pd

    X, y = rows_for(SVMD, 60)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    estimator = SVMD(c=np.float32(0.25), buffer=np.int64(30)).fit(frame, np.array(["no", "yes"])[y])
    estimator.save(tmp_path / "learner")
    loaded = load_estimator(tmp_path / "learner")
    assert list(loaded.feature_names_in_) == list("abcdef") and list(loaded.predict(frame[:3]))[0] in ("no", "yes")
    assert loaded.gamma_ == estimator.gamma_ and loaded.get_params()["c"] == 0.25
    with pytest.raises(ValueError, match="feature names"):
        loaded.predict(frame[list("bacdef")])


def test_a_file_is_the_same_in_another_process(tmp_path):
    X, y = rows_for(SVMD, 100)
    estimator = partial_fit_rows(SVMD(buffer=20, gamma=0.2), X, y, 0, 50)
    estimator.save(tmp_path / "learner")
    np.savez(tmp_path / "rows.npz", X=X, y=y)
    code = (
        "import numpy as np; from okbench.estimators import load_estimator; rows = np.load('rows.npz');"
        "e = load_estimator('learner').partial_fit(rows['X'][50:], rows['y'][50:]);"
        "print(e.decision_function(rows['X']).tobytes().hex())"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, env=environment())
    assert done.returncode == 0, done.stderr
    partial_fit_rows(estimator, X, y, 50, 100)
    assert done.stdout.strip() == estimator.decision_function(X).tobytes().hex()


def environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


# Files that cannot be read, or written -------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path):
    X, y = rows_for(SVMD, 60)
    SVMD().fit(X, y).save(tmp_path / "learner")
    return tmp_path / "learner"


def damaged(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def sealed(data):
    """With the digest of what it has now."""
    content = data[:-64]
    return content + hashlib.sha256(content).hexdigest().encode()


CHANGES = {
    "damaged": lambda data: damaged(data, len(data) // 2),
    "digest": lambda data: damaged(data, len(data) - 1),
    "head": lambda data: damaged(data, 3),
    "version": lambda data: data.replace(b"okbench learner 6\n", b"okbench learner 7\n", 1),
    "truncated": lambda data: data[: len(data) // 2],
    "one byte short": lambda data: data[:-1],
    "one byte more": lambda data: data + b"x",
    "head alone": lambda data: data[:30],
    "empty": lambda data: b"",
    "text": lambda data: b"this is a text\n" * 100,
    "pickle": lambda data: pickle.dumps({"a": 1}),
    "revision": lambda data: sealed(data.replace(b"fmethod\x01", b"fmethod\x02")),
    "engine": lambda data: sealed(data.replace(b"fengine", b"fengima")),
    "learner": lambda data: sealed(data.replace(b"glearnerdsvmd", b"glearnerdsvme")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_files_that_are_none_are_reported(change, saved):
    before = saved.read_bytes()
    saved.write_bytes(CHANGES[change](before))
    assert saved.read_bytes() != before
    with pytest.raises(ValueError) as error:
        load_estimator(saved)
    assert str(saved) in str(error.value) and "\n" not in str(error.value)


def test_a_saved_session_without_an_estimator_is_refused(saved):
    saved.write_bytes(load_estimator(saved)._session.save())
    with pytest.raises(ValueError) as error:
        load_estimator(saved)
    assert str(saved) in str(error.value) and "\n" not in str(error.value)
    assert not isinstance(error.value, json.JSONDecodeError)


def test_a_missing_file_is_reported(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_estimator(tmp_path / "none")


def test_a_failed_save_leaves_no_file(saved, tmp_path, monkeypatch):
    estimator, before = load_estimator(saved), saved.read_bytes()
    with pytest.raises(OSError):
        estimator.save(tmp_path / "none" / "learner")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        estimator.save(tmp_path / "folder")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        estimator.save(saved)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "learner"]
    assert saved.read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_not_writable(saved, tmp_path):
    (tmp_path / "closed").mkdir(mode=0o500)
    with pytest.raises(PermissionError):
        load_estimator(saved).save(tmp_path / "closed" / "learner")
    assert not list((tmp_path / "closed").iterdir())


def test_a_file_has_the_rights_that_new_files_have(saved, tmp_path):
    (tmp_path / "plain").write_text("")
    assert saved.stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_unfitted_estimators_and_objects_as_parameters_are_not_saved(tmp_path):
    with pytest.raises(ValueError, match="not fitted"):
        SVMD().save(tmp_path / "learner")
    X, y = rows_for(SVMD, 30)
    with pytest.raises(ValueError, match="only numbers and strings"):
        SVMD(random_state=np.random.RandomState(0)).fit(X, y).save(tmp_path / "learner")
    assert not list(tmp_path.iterdir())


# fit and partial_fit --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("estimator_class, parameters", settings())
def test_fit_restarts(estimator_class, parameters):
    X, y = rows_for(estimator_class, 120, 4)
    fresh = estimator_class(**parameters).fit(X, y)
    again = partial_fit_rows(estimator_class(**parameters), X, y, 0, 60).fit(X, y)
    require_same(again, fresh, X)
    assert again.trace_digest_ == fresh.trace_digest_
    fewer, targets = rows_for(estimator_class, 120, 4, features=3)
    assert partial_fit_rows(again, X, y, 60, 120).fit(fewer, targets).n_features_in_ == 3


@pytest.mark.parametrize("estimator_class, parameters", settings())
def test_partial_fit_continues_after_fit(estimator_class, parameters):
    X, y = rows_for(estimator_class, 120, 6)
    options = {"order": "file", "epochs": 1, "gamma": 0.3}
    options = {key: value for key, value in options.items() if key in estimator_class().get_params()}
    both = estimator_class(**{**parameters, **options})
    both.fit(X[:60], None if y is None else y[:60])
    before = both.kernel_evaluations_
    partial_fit_rows(both, X, y, 60, 120)
    stream = partial_fit_rows(estimator_class(**{**parameters, **options}), X, y, 0, 120)
    np.testing.assert_array_equal(scores(both, X), scores(stream, X))
    after = stream.kernel_evaluations_
    assert both.kernel_evaluations_.requested == after.requested and both.kernel_evaluations_.features == after.features
    assert after.requested > before.requested or after.features > before.features or estimator_class._learner["linear"]
    assert kind(estimator_class) != "binary" or len(both.classes_) == 2


def test_a_forged_file_is_loaded_or_refused(saved):
    """Bytes that are changed below a digest that fits: a file loads and predicts, or is a ValueError."""
    content, draw, refused = saved.read_bytes(), random.Random(5), 0
    X, _ = rows_for(SVMD, 60)
    start = content.index(b'{"class"')  # the description of the estimator
    for attempt in range(600):
        data = bytearray(content)
        low = start if attempt % 2 else 20
        for _ in range(draw.randrange(1, 4)):
            data[draw.randrange(low, len(data) - 64)] = draw.choice(b'"0[]{}:,nt\x00\xff')
        saved.write_bytes(sealed(bytes(data)))
        try:
            assert len(load_estimator(saved).predict(X)) == 60
        except ValueError as error:
            refused += 1
            assert "\n" not in str(error) or "features" in str(error)
    assert refused > 300


def test_a_classifier_without_classes_is_refused(saved):
    content = saved.read_bytes()
    assert content.count(b'"classes_"') == 1
    saved.write_bytes(sealed(content.replace(b'"classes_"', b'"klasses_"')))
    with pytest.raises(ValueError, match="not a saved estimator: .*unknown key 'klasses_'"):
        load_estimator(saved)


def test_a_description_of_another_type_is_refused(saved):
    content = saved.read_bytes()
    for old, new in ((b'"n_features_in_": ', b'"m_features_in_": '), (b'"fitted": {', b'"fitte_": {')):
        assert content.count(old) == 1
        saved.write_bytes(sealed(content.replace(old, new)))
        with pytest.raises(ValueError, match="not a saved estimator: KeyError"):
            load_estimator(saved)
