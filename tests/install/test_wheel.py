"""The wheel and the source distribution of `make wheel`, installed where nothing else of okbench is."""

import os
import pathlib
import re
import subprocess
import sys
import tarfile
import zipfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from installed import PYTHON, ROOT, check_installation, run  # noqa: E402

pytestmark = pytest.mark.skipif("OKBENCH_WHEEL" not in os.environ, reason="takes seven minutes: make test-wheel")
VERSION = re.search(r"project\(okbench VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
MEGABYTES = 15


@pytest.fixture(scope="module")
def packages():
    """(wheel, source distribution) of `make wheel`; the wheel is built from the source distribution."""
    index = subprocess.run([PYTHON, "-m", "pip", "index", "versions", "scikit-build-core"], capture_output=True)
    if index.returncode:
        pytest.skip("the package index cannot be reached")
    done = subprocess.run(["make", "--silent", "wheel"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (ROOT / "build" / "wheels").glob("*.whl")
    (sources,) = (ROOT / "build" / "wheels").glob("*.tar.gz")
    return wheel, sources


@pytest.fixture(scope="module")
def installed(packages, tmp_path_factory):
    """The `bin` folder of a virtual environment with the wheel and its dependencies."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([PYTHON, "-m", "venv", folder], check=True)
    words = [folder / "bin" / "pip", "install", "--quiet", f"{packages[0]}[all]"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "bin"


def git_files(*folders):
    return subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True).stdout.split()


def test_the_wheel_has_the_package_the_program_and_its_data(packages):
    wheel, _ = packages
    assert re.fullmatch(rf"okbench-{VERSION}-cp3\d+-cp3\d+-manylinux_2_(2[89]|3\d|4\d)_\w+\.whl", wheel.name)
    assert wheel.stat().st_size < MEGABYTES * 1e6
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = archive.read(f"okbench-{VERSION}.dist-info/METADATA").decode()
    sources = {name.removeprefix("python/") for name in git_files("python/okbench") if name.endswith(".py")}
    share = "okbench/share/okbench"
    data = {f"{share}/datasets/{name}.toml" for name in ("catalog", "replacements")}
    data |= {f"{share}/{name}" for name in git_files("experiments", "results/reference")}
    assert sources | data <= names, sorted((sources | data) - names)
    web = "okbench/report/web"
    charts = {f"{web}/node_modules/uplot/dist/uPlot.iife.min.js", f"{web}/node_modules/tabulator-tables/LICENSE"}
    licences = {f"okbench/licences/{name}" for name in ("libhdf5", "libarchive", "liblinear", "libeigen3", "libssl")}
    assert {"okbench/py.typed", "okbench/_native.pyi", f"{web}/page.html"} | charts | licences <= names
    assert {name.split("/")[0] for name in names} == {"okbench", "okbench.libs", f"okbench-{VERSION}.dist-info"}
    assert not [name for name in names if "__pycache__" in name or name.endswith((".a", ".h"))]
    assert f"\nVersion: {VERSION}\n" in metadata and "\nRequires-Dist: numpy\n" in metadata


def test_the_source_distribution_has_every_source_file(packages):
    with tarfile.open(packages[1]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    sources = {
        name for name in git_files() if name.endswith((".cpp", ".h", ".cmake", ".in", "CMakeLists.txt", ".toml"))
    }
    assert len(sources) > 500 and sources <= names, sorted(sources - names)


def test_the_wheel_works_in_an_empty_environment(installed, tmp_path):
    python = installed / "python"
    (package,) = installed.parent.glob("lib/python3*/site-packages")
    (tmp_path / "work").mkdir()
    home = package / "okbench" / "share" / "okbench"
    check_installation([python, "-m", "okbench"], home, package, tmp_path / "work", python)
    assert f"okbench {VERSION}" in run(installed / "okbench", "--version", folder=tmp_path)
    assert "unknown verb 'nosuch'" in run(installed / "okbench", "nosuch", folder=tmp_path, check=2)
    rows = "".join(f"{i % 7},{i % 5},{'even' if (i % 7 + i % 5) % 2 else 'odd'}\n" for i in range(300))
    (tmp_path / "mine.csv").write_text("a,b,kind\n" + rows)
    ranking = run(installed / "okbench", "league", "mine.csv", "--label", "kind", folder=tmp_path)
    assert "without the explorer" not in ranking and (tmp_path / "results" / "mine" / "index.html").is_file()
    drawn = ("--results", "results/mine", "--best", "--out", "p.png")
    run(installed / "okbench", "plot", "results/mine/mine.toml", *drawn, folder=tmp_path)
    run(installed / "okbench", "report", "--results", "results/mine", folder=tmp_path)
    assert (tmp_path / "p.png").is_file()
    code = "import okbench; print(okbench.LibLinear().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]).predict([[3.0]]))"
    assert run(python, "-c", code, folder=tmp_path) == "[1]\n"


def test_the_wheel_needs_no_library_of_debian(installed, tmp_path):
    (package,) = installed.parent.glob("lib/python3*/site-packages")
    files = [package / "okbench" / "bin" / "okbench", *(package / "okbench").glob("_native*.so")]
    files += (package / "okbench" / "lib").iterdir()
    assert len(files) == 3
    for file in files:
        needs = re.findall(r"^\t(\S+) => (\S+)", run("ldd", file, folder=tmp_path), re.M)
        outside = {name.partition(".so")[0] for name, place in needs if not place.startswith(f"{package}/")}
        # What PEP 600 lets a wheel expect of the system.
        assert outside <= {"libc", "libm", "libstdc++", "libgcc_s", "libdl", "libpthread", "librt", "libz"}


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """An interpreter that has nothing but Python's own library."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", folder], check=True)
    return folder / "bin" / "python"


def test_an_interpreter_without_numpy_is_reported_in_one_line(bare, binary, okbench, tmp_path):
    for verb in (["claims"], ["report", "figures", "--results", "r"], ["report"]):
        error = okbench(*verb, env={"OKBENCH_PYTHON": str(bare)}, check=2).stderr
        assert f"okbench: {bare} cannot import " in error and error.count("\n") == 1
        assert re.search(r"cannot import (numpy|matplotlib|jinja2); install it or set OKBENCH_PYTHON", error)
    error = run(ROOT / "tools" / "check-python.sh", bare, "tomllib", "numpy", folder=tmp_path, check=1)
    assert f"{bare} cannot import numpy; set PYTHON=" in error and error.count("\n") == 1
    # What needs no numbers works.
    code = "import okbench, okbench._native as n; print(n.version())"
    assert "okbench " in run(bare, "-c", code, folder=tmp_path, PYTHONPATH=str(ROOT / "python"))


def test_a_build_without_pybind11_is_reported(tmp_path):
    configure = ["cmake", "-S", ROOT, "-B", tmp_path / "b", "-G", "Ninja", "-DCMAKE_DISABLE_FIND_PACKAGE_pybind11=ON"]
    run(*configure, folder=tmp_path)
    build = ["cmake", "--build", tmp_path / "b", "--target", "okbench_native"]
    done = subprocess.run(build, capture_output=True, text=True)
    assert done.returncode == 1 and "okbench: no Python module: it needs pybind11 and the headers of" in done.stdout
