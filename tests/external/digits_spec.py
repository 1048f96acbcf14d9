"""A spec of two classes of 200 generated rows, for trials of learners of other programs."""

SPEC = {
    "format": 2,
    "experiment": "mine/digits",
    "data": {"name": "usps", "positive": [0, 1, 2, 3, 4], "synthetic": True, "synthetic_rows": 200, "order": "file"},
    "kernel": {"name": "rbf", "sigma": 8},
    "learners": {"perceptron": {"learner": "perceptron"}},
}
