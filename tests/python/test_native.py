"""The extension module where it is built: its home, and processors that it cannot use."""

import os
import pathlib
import platform
import shutil
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def python(code, *before, **environment):
    return subprocess.run(
        [*before, sys.executable, "-c", code],
        env={"HOME": "/nonexistent", "PATH": "/usr/bin:/bin", "PYTHONPATH": f"{ROOT}/python", **environment},
        capture_output=True,
        text=True,
    )


def test_home_is_the_clone_unless_another_is_named(tmp_path):
    code = """
from okbench import _native, home
print(_native.home(), home.home_folder(), home.package_home())
"""
    assert python(code).stdout.split() == [str(ROOT)] * 3
    assert python(code, OKBENCH_HOME=str(tmp_path)).stdout.split() == [str(tmp_path), str(tmp_path), str(ROOT)]


def test_a_package_without_its_data_is_an_error(tmp_path):
    folder = tmp_path / "a" / "b" / "c" / "okbench"
    ignored = shutil.ignore_patterns("*.so", "__pycache__", "node_modules")
    shutil.copytree(ROOT / "python" / "okbench", folder, ignore=ignored)
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(folder.parent)}
    done = subprocess.run([sys.executable, "-m", "okbench"], env=environment, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert f"okbench: {folder} is without its data" in done.stderr


def test_a_missing_module_is_reported_with_its_remedy(tmp_path):
    """In a clone near the root of the file system, too, whose folders have few parents."""
    folder = tmp_path / "okbench"
    ignored = shutil.ignore_patterns("*.so", "__pycache__", "node_modules")
    shutil.copytree(ROOT / "python" / "okbench", folder, ignore=ignored)

    def error(code):
        environment = {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(tmp_path)}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        return done.stderr.splitlines()

    code = "from okbench.native import module"
    remedy = f"run `make build PYTHON={sys.executable}` in the clone, or install a wheel"
    assert error(code)[-1] == f"ImportError: okbench has no compiled module: {remedy}"
    # A verb prints the same in one line.
    (tmp_path / "x.csv").write_text("a,y\n1,b\n2,c\n" * 20)
    verb = f"import sys, okbench.cli; sys.exit(okbench.cli.call('league', ['{tmp_path}/x.csv', '--label', 'y']))"
    only = error(f"import os; os.environ['OKBENCH_HOME'] = {str(ROOT)!r}; os.chdir({str(tmp_path)!r}); {verb}")[-1]
    assert only == f"okbench: okbench has no compiled module: {remedy}"
    (folder / "_native.cpython-27-other.so").touch()
    assert (
        error(code)[-1]
        == f"ImportError: okbench's compiled module _native.cpython-27-other.so is of another Python: {remedy}"
    )


def test_few_parents_are_no_error():
    code = """
import pathlib
from okbench import errors, home
home.PACKAGE = pathlib.Path("/okbench")
try:
    home.package_home()
except errors.OkbenchError as error:
    print(error)
"""
    assert "/okbench is without its data" in python(code).stdout


def test_a_verb_without_the_program_is_one_line(tmp_path):
    (tmp_path / "datasets").mkdir()
    (tmp_path / "datasets" / "catalog.toml").touch()
    code = f"""
import pathlib
from okbench import console, home
home.PACKAGE = pathlib.Path({str(tmp_path / "python" / "okbench")!r})
print(console.run(home.program))
"""
    done = python(code)
    assert done.stdout == "1\n" and done.stderr == "okbench: the program is not built; run make build\n"


@pytest.mark.skipif(platform.machine() != "x86_64" or not shutil.which("qemu-x86_64"), reason="needs qemu-x86_64")
def test_a_processor_without_fused_multiply_add_imports_and_is_refused():
    code = """
import okbench, okbench._native as native
print(native.version())
try:
    native.target()
except RuntimeError as error:
    print(error)
"""
    done = python(code, "qemu-x86_64", "-cpu", "Nehalem")
    assert done.returncode == 0, done.stderr
    version, error = done.stdout.splitlines()
    assert version.startswith("okbench ") and "no fused multiply-add" in error


def test_the_target_is_a_known_instruction_set(okbench):
    target = python("from okbench import _native; print(_native.target())").stdout.strip()
    assert target and okbench("--isa", target, "help", "kernels").returncode == 0
    assert os.path.exists(python("from okbench import home; print(home.program())").stdout.strip())


def test_without_the_compiled_module_the_cause_is_named():
    blocked = "import sys; sys.modules['okbench._native'] = None\n"
    for code in ("from okbench import SVMD", "import okbench; okbench.load()", "import okbench; okbench.claims"):
        assert "okbench._native halted" in python(blocked + code).stderr


def test_scores_beyond_single_precision_are_refused():
    """Clipped to its range, these two would be a tie, with an AUC of 1/2."""
    from okbench import _native

    arguments = ([], np.array([0, 1]), np.array([1, 1]), np.array([2]))
    assert _native.measured("auc", 0, "margins", 2, [[1e30], [2e30]], *arguments) == [1]
    with pytest.raises(ValueError, match="scores: must be between"):
        _native.measured("auc", 0, "margins", 2, [[1e39], [2e39]], *arguments)
