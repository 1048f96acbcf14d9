"""Types: the stub of the extension module against the module, and a typed program against the package."""

import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STUB = ROOT / "python" / "okbench" / "_native.pyi"
# pybind11's classes have a metaclass of their own.
ALLOWED = pathlib.Path(__file__).parent / "stubtest_allowed.txt"
STUBTEST = ("okbench._native", "--concise", "--mypy-config-file", ROOT / "pyproject.toml", "--allowlist", ALLOWED)


def mypy(module, *words, folder, packages=ROOT / "python"):
    """What a checker of mypy's says, and its status."""
    path = {"PYTHONPATH": str(packages), "MYPYPATH": str(packages)}
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, words)],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), **path},
        capture_output=True,
        text=True,
    )
    return done.stdout + done.stderr, done.returncode


def test_the_packages_stub_has_the_estimators_of_the_registry():
    from okbench.estimators import stubs

    assert stubs.text() == (STUB.parent / "estimators" / "__init__.pyi").read_text(), "make build writes it"


def test_the_stub_says_what_the_module_has(tmp_path):
    output, status = mypy("mypy.stubtest", *STUBTEST, folder=tmp_path)
    assert status == 0, f"{STUB.relative_to(ROOT)} and the module differ:\n{output}"


def test_a_stub_that_lacks_something_is_noticed(tmp_path):
    packages = tmp_path / "packages"
    shutil.copytree(STUB.parent, packages / "okbench", ignore=shutil.ignore_patterns("__pycache__"))
    # Where it looks for its data.
    (packages.parent / "datasets").mkdir()
    (packages.parent / "datasets" / "catalog.toml").touch()
    text = STUB.read_text()
    (packages / "okbench" / "_native.pyi").write_text(text.replace("def home() -> str:", "def homes() -> str:"))
    output, status = mypy("mypy.stubtest", *STUBTEST, folder=tmp_path, packages=packages)
    assert status == 1
    assert "okbench._native.home is not present in stub" in output
    assert "okbench._native.homes is not present at runtime" in output


def test_a_typed_program_is_clean(tmp_path):
    example = pathlib.Path(__file__).parent / "typed_example.py"
    output, status = mypy("mypy", "--strict", "--config-file", ROOT / "pyproject.toml", example, folder=tmp_path)
    assert status == 0, output
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from okbench import _native\nlength: int = _native.version()\n")
    output, status = mypy("mypy", "--strict", "--config-file", ROOT / "pyproject.toml", wrong, folder=tmp_path)
    assert status == 1 and 'expression has type "str", variable has type "int"' in output
