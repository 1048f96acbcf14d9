"""Results made up for tests."""

import pathlib

import numpy as np

from okbench.results import Experiment, Results, Trace


class FakeResults(Results):
    """Two repetitions of a learner with a grid over x, and one on generated data."""

    def __init__(self):
        super().__init__("/nonexistent")

        def trace(key, x, error, stand_in=False):
            return Trace(
                pathlib.Path(),
                {"parameters": {"x": x}, "data": {"name": "set"}},
                {
                    "test_error": error,
                    "examples": 100,
                    "kernel_evaluations": {"requested": 10},
                    "tuned": {"kernel_evaluations": {"requested": 5}, "chosen": {"y": 2.5}},
                },
                {"learner_key": key, "stand_in": stand_in},
                {
                    "trace": {
                        "step": np.array([1, 2, 4]),
                        "a": np.array([1.0, 2.0, 3.0]),
                        "step_size": np.array([0.5, 0.4, 0.3]),
                        "b": np.array([2.0, 2.0, 2.0]),
                    },
                    "checkpoints": {"examples": np.array([50, 100]), "test_error": np.array([0.5, error])},
                },
            )

        self.experiments["p/e"] = Experiment(
            "p/e",
            "",
            "default",
            [trace("l", 1, 0.1), trace("l", 1, 0.3), trace("l", 0.5, 0.7), trace("s", 1, 0.1, True)],
            [],
        )
