"""What a typed program may write; test_typing.py has mypy check it strictly."""

import okbench.home
from okbench import _native


def described() -> str:
    version: str = _native.version()
    return f"{version.upper()} in {okbench.home.home_folder()}, {_native.target()}"


def program() -> list[str]:
    return [okbench.home.program(), "list", "learners"]
