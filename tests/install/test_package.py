"""The Debian package: its fields, its files, and that what it unpacks works."""

import hashlib
import pathlib
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from installed import ROOT, check_installation, run  # noqa: E402


@pytest.fixture(scope="module")
def package(binary, tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    config = pathlib.Path(binary).resolve().parent / "CPackConfig.cmake"
    words = ["cpack", "--config", config, "-B", folder, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip"]  # sooner than xz
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("*.deb")
    return path


@pytest.fixture(scope="module")
def unpacked(package, tmp_path_factory):
    folder = tmp_path_factory.mktemp("root")
    subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
    return folder


def field(package, name):
    done = subprocess.run(["dpkg-deb", "--field", package, name], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_its_fields(package, binary):
    version = run(binary, "--version", folder=package.parent).split(",")[0].split()[1]
    assert field(package, "Package") == "okbench" and field(package, "Version") == version
    assert package.name == f"okbench_{version}_{field(package, 'Architecture')}.deb"
    needed = {dependency.split()[0] for dependency in field(package, "Depends").split(", ")}
    assert {"libc6", "libstdc++6", "libhdf5-103-1", "libtbb12", "libhwy1", "libarchive13"} <= needed
    assert {"python3", "python3-numpy", "python3-scipy", "python3-sklearn", "python3-pandas"} <= needed
    minor = sys.version_info.minor
    assert f"python3 (>= 3.{minor}~), python3 (<< 3.{minor + 1}~)" in field(package, "Depends")
    recommended = field(package, "Recommends").split(", ")
    assert {"python3-matplotlib", "python3-jinja2", "python3-pooch"} <= set(recommended)
    lines = field(package, "Description").splitlines()
    assert lines[0].startswith("Reproducible benchmarks") and len(lines) > 4
    assert field(package, "Maintainer") and field(package, "Section") == "science"


def test_its_files_are_below_usr_and_there_once(unpacked):
    assert [path.name for path in unpacked.iterdir()] == ["usr"]
    usr = unpacked / "usr"
    modules = usr / "lib" / "python3" / "dist-packages"
    files = [path for path in usr.rglob("*") if path.is_file()]
    names = {str(path.relative_to(usr)) for path in files}
    sources = {path.relative_to(ROOT / "python") for path in (ROOT / "python" / "okbench").rglob("*.py")}
    assert sources and all((modules / source).is_file() for source in sources)
    assert (modules / "okbench" / "py.typed").is_file() and (modules / "okbench" / "_native.pyi").is_file()
    assert len(list((modules / "okbench").glob("_native*.so"))) == 1
    expected = {
        "bin/okbench",
        "share/okbench/datasets/catalog.toml",
        "share/okbench/datasets/replacements.toml",
        "share/bash-completion/completions/okbench",
        "share/zsh/vendor-completions/_okbench",
        "share/fish/vendor_completions.d/okbench.fish",
        "share/doc/okbench/copyright",
        "share/doc/okbench/changelog.gz",
        "share/man/man1/okbench.1.gz",
    }
    assert expected <= names, expected - names
    assert any(name.startswith("share/okbench/results/reference/") for name in names)
    code = [path for path in files if path.suffix in (".py", ".so") and path.stat().st_size]
    assert len({hashlib.sha256(path.read_bytes()).digest() for path in code}) == len(code)
    assert not [name for name in names if "__pycache__" in name or name.endswith((".a", ".h", ".cmake"))]
    terms = " ".join((ROOT / "LICENSE").read_text().split("\n\n", 2)[2].split())
    copyright_file = (usr / "share" / "doc" / "okbench" / "copyright").read_text()
    assert terms in " ".join(word for word in copyright_file.split() if word != ".")


def test_it_works_where_it_is_unpacked(unpacked, tmp_path):
    usr = unpacked / "usr"
    check_installation(
        [usr / "bin" / "okbench"], usr / "share" / "okbench", usr / "lib" / "python3" / "dist-packages", tmp_path
    )


@pytest.mark.skipif(not shutil.which("lintian"), reason="needs lintian")
def test_lintian_finds_no_error(package):
    done = subprocess.run(["lintian", "--allow-root", package], capture_output=True, text=True)
    assert done.returncode == 0 and not [
        line for line in done.stdout.splitlines() if line.startswith("E:")
    ], done.stdout
