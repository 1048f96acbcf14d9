"""Wheels: what pip makes of the clone, installed where nothing else of okbench is, and the one for other machines."""

import os
import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from installed import PYTHON, ROOT, check_installation, run  # noqa: E402

OFFLINE = (
    "--no-deps",
    "--no-index",
    "--no-build-isolation",
    "--quiet",
    "--disable-pip-version-check",
    "--no-cache-dir",
)
VERSION = re.search(r"project\(okbench VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def pip(*words, **environment):
    done = subprocess.run(
        [PYTHON, "-m", "pip", *map(str, words), *OFFLINE],
        env={**os.environ, "PIP_ROOT_USER_ACTION": "ignore", **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def installed(wheel, folder):
    words = [word for word in OFFLINE if word != "--no-build-isolation"]
    done = subprocess.run(
        [PYTHON, "-m", "pip", "install", wheel, "--target", folder, *words], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(binary, tmp_path_factory):
    """The wheel of the clone, made of what is built."""
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", ROOT, "--wheel-dir", folder, OKBENCH_BUILD=str(pathlib.Path(binary).resolve().parent))
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def portable(wheel, tmp_path_factory):
    done = subprocess.run(
        [PYTHON, ROOT / "tools" / "portable-wheel.py", wheel, tmp_path_factory.mktemp("portable")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return pathlib.Path(done.stdout.strip())


def test_the_wheel_has_the_package_the_program_and_its_data(wheel):
    assert wheel.name.startswith(f"okbench-{VERSION}-cp3") and wheel.name.endswith("-linux_x86_64.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = archive.read(f"okbench-{VERSION}.dist-info/METADATA").decode()
    sources = {str(path.relative_to(ROOT / "python")) for path in (ROOT / "python" / "okbench").rglob("*.py")}
    assert sources <= names and len(sources) > 10
    share = "okbench/share/okbench"
    data = {f"{share}/datasets/{name}.toml" for name in ("catalog", "replacements")}
    for folder in ("experiments", "results/reference"):
        listed = subprocess.run(["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True).stdout.split()
        data |= {f"{share}/{name}" for name in listed}
    assert data <= names, sorted(data - names)
    assert {"okbench/py.typed", "okbench/_native.pyi", "okbench/bin/okbench", "okbench/report/web/page.html"} <= names
    tops = {name.split("/")[0] for name in names}
    assert tops == {"okbench", f"okbench-{VERSION}.dist-info"}
    assert not [name for name in names if "__pycache__" in name or name.endswith((".a", ".h"))]
    assert f"\nVersion: {VERSION}\n" in metadata and "\nRequires-Dist: numpy\n" in metadata


def test_an_installed_wheel_works_outside_the_clone(wheel, tmp_path):
    target = installed(wheel, tmp_path / "target")
    (tmp_path / "work").mkdir()
    home = target / "okbench" / "share" / "okbench"
    check_installation([PYTHON, "-m", "okbench"], home, target, tmp_path / "work")
    # The command is the program.
    command = target / "bin" / "okbench"
    assert f"okbench {VERSION}" in run(command, "--version", folder=tmp_path, PYTHONPATH=str(target))
    assert "unknown verb 'nosuch'" in run(command, "nosuch", folder=tmp_path, check=2, PYTHONPATH=str(target))


def test_the_portable_wheel_needs_no_library_of_debian(portable, tmp_path):
    tag = re.search(r"manylinux_2_(\d+)_x86_64\.whl$", portable.name)
    assert tag and 28 <= int(tag[1]) <= int(os.confstr("CS_GNU_LIBC_VERSION").split(".")[1])
    target = installed(portable, tmp_path / "target")
    libraries = target / "okbench.libs"
    for file in (target / "okbench" / "bin" / "okbench", next((target / "okbench").glob("_native*.so"))):
        needs = re.findall(r"^\t(\S+) => (\S+)", run("ldd", file, folder=tmp_path), re.M)
        assert len(needs) > 10
        outside = {name.partition(".so")[0] for name, place in needs if not place.startswith(f"{target}/")}
        assert outside <= {"libc", "libm", "libstdc++", "libgcc_s", "libresolv", "libdl", "libpthread", "librt"}
    licences = {path.name for path in (libraries / "licences").iterdir()}
    assert {"libhdf5-103-1", "libarchive13", "libtbb12"} <= licences
    (tmp_path / "work").mkdir()
    home = target / "okbench" / "share" / "okbench"
    check_installation([PYTHON, "-m", "okbench"], home, target, tmp_path / "work")


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """An interpreter that has nothing but Python's own library."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", folder], check=True)
    return folder / "bin" / "python"


def test_an_interpreter_without_numpy_is_reported_in_one_line(bare, binary, okbench, tmp_path):
    for verb in (["claims"], ["figures", "--results", "r"], ["report"]):
        error = okbench(*verb, env={"OKBENCH_PYTHON": str(bare)}, check=2).stderr
        assert f"okbench: {bare} cannot import " in error and error.count("\n") == 1
        assert re.search(r"cannot import (numpy|matplotlib|jinja2); install it or set OKBENCH_PYTHON", error)
    error = run(ROOT / "tools" / "check-python.sh", bare, "tomllib", "numpy", folder=tmp_path, check=1)
    assert f"{bare} cannot import numpy; set PYTHON=" in error and error.count("\n") == 1
    # What needs no numbers works.
    code = "import okbench, okbench._native as n; print(n.version())"
    assert "okbench " in run(bare, "-c", code, folder=tmp_path, PYTHONPATH=str(ROOT / "python"))


def test_a_build_that_cannot_be_is_reported(tmp_path, binary):
    """Without CMake, with a folder that holds no build, with the build of another interpreter, without pybind11."""
    build = ["setup.py", "-q", "build", "--build-base", tmp_path / "base"]

    def failed(path="/usr/bin:/bin", **environment):
        words = [str(word) for word in (PYTHON, *build)]
        environment = {"PATH": path, "HOME": str(tmp_path), **environment}
        done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 1
        return done.stderr

    assert "okbench: cmake is missing; tools/setup.sh run python installs" in failed(path=str(tmp_path))
    assert "okbench: cmake --build " in failed(OKBENCH_BUILD=str(tmp_path))
    code = "import sysconfig; sysconfig.get_config_vars()['EXT_SUFFIX'] = '.other.so'; import runpy, sys; "
    build[:1] = ["-c", code + "sys.argv = ['setup.py', *sys.argv[1:]]; runpy.run_path('setup.py', run_name='__main__')"]
    error = failed(OKBENCH_BUILD=str(pathlib.Path(binary).resolve().parent))
    assert "has no _native.other.so; it was built for another interpreter than" in error
    configure = ["cmake", "-S", ROOT, "-B", tmp_path / "b", "-G", "Ninja", "-DCMAKE_DISABLE_FIND_PACKAGE_pybind11=ON"]
    run(*configure, folder=tmp_path)
    done = subprocess.run(
        ["cmake", "--build", tmp_path / "b", "--target", "okbench_native"], capture_output=True, text=True
    )
    assert done.returncode == 1 and "okbench: no Python module: it needs pybind11 and the headers of" in done.stdout
