"""What a typed program may write; test_typing.py has mypy check it strictly."""

import okbench
import okbench.home
from okbench import _native


def described() -> str:
    version: str = _native.version()
    return f"{version.upper()} in {okbench.home.home_folder()}, {_native.target()}"


def program() -> list[str]:
    return [okbench.home.program(), "help", "learners"]


def learned(X: object, y: object) -> int:
    classifier = okbench.SVMD(c=0.01, kernel="rbf", gamma=0.5).partial_fit(X, y, classes=[0, 1])
    return classifier.kernel_evaluations_.requested
