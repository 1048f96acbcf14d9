"""The leaderboard: entries are packed, verified in a sandbox, and refused when they were forged."""

import hashlib
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from conftest import ROOT, once, put, reseal  # noqa: E402

EXAMPLES = ROOT / "league" / "examples"
NAMES = ("fourier-adagrad", "pa-budget")


@pytest.fixture(scope="module")
def bundles(binary, sanitized, tmp_path_factory):
    """Bundles of the two examples. They need a program that loads plugins: not one with sanitizers."""
    if sanitized:
        pytest.skip("a plugin is built without sanitizers")
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")

    def make(folder):
        folder.mkdir()
        for name in NAMES:
            shutil.copytree(
                EXAMPLES / name, folder / name, ignore=shutil.ignore_patterns("results", "specs", "bundle.json")
            )
            done = subprocess.run([binary, "board", "submit", name], cwd=folder, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr

    return once(tmp_path_factory, "bundles", make)


@pytest.fixture
def verify(okbench):
    return lambda *arguments, check=0: okbench("board", "verify", *arguments, check=check)


def changed(bundle, out, change):
    """Packs a bundle anew after change(folder), with a manifest that fits."""
    place = out.parent / "unpacked"
    place.mkdir(parents=True)
    with tarfile.open(bundle) as archive:
        archive.extractall(place)
    (folder,) = place.iterdir()
    change(folder)
    manifest = json.loads((folder / "bundle.json").read_text())
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "bundle.json"]
    names = {path: path.relative_to(folder).as_posix() for path in files}
    manifest["files"] = {name: hashlib.sha256(path.read_bytes()).hexdigest() for path, name in names.items()}
    (folder / "bundle.json").write_text(json.dumps(manifest))
    with tarfile.open(out, "w:xz") as archive:
        for path in [folder / "bundle.json", *files]:
            archive.add(path, f"{folder.name}/{path.relative_to(folder)}")
    return out


@pytest.mark.parametrize("name", NAMES)
def test_an_honest_bundle_is_verified(bundles, verify, name):
    out = verify(bundles / f"{name}.tar.xz", "--sample", "1").stdout
    trials = 14 if name == "pa-budget" else 7
    assert f"verified  {trials} of {trials} trials rerun, equal bit for bit" in out
    some = verify(bundles / f"{name}.tar.xz").stdout
    assert f"verified  6 of {trials} trials" in some  # one of each data set


def test_a_bundle_leaves_out_traces_of_no_plan(bundles, binary, tmp_path):
    folder = tmp_path / "pa-budget"
    shutil.copytree(bundles / "pa-budget", folder)
    stale = folder / "results/league/sea/pa-budget-r0-0123456789abcdef.h5"
    stale.write_bytes(b"of an earlier source")
    subprocess.run([binary, "board", "submit", "pa-budget"], cwd=tmp_path, check=True, capture_output=True)
    with tarfile.open(tmp_path / "pa-budget.tar.xz") as archive, tarfile.open(bundles / "pa-budget.tar.xz") as first:
        assert archive.getnames() == first.getnames()


def test_equal_files_give_equal_bundles_that_describe_themselves(bundles, tmp_path):
    with tarfile.open(bundles / "pa-budget.tar.xz") as archive:
        names = archive.getnames()
        crate = json.load(archive.extractfile("pa-budget/results/ro-crate-metadata.json"))
    assert {"pa-budget/entry.toml", "pa-budget/learner.cpp", "pa-budget/specs/sea.toml"} <= {*names}
    assert any(entity.get("softwareVersion") for entity in crate["@graph"])
    assert not any("/home" in name or name.startswith("/") for name in names)


def an_edited_trace(folder):
    """One mistake fewer, in the last row and the summary, with all digests made anew."""
    path = next((folder / "results").rglob("pa-budget-r0-*.h5"))

    def change(file):
        file["trace/mistakes"][-1] -= 1
        summary = json.loads(file.attrs["summary"])
        summary["mistakes"] -= 1
        summary["error_rate"] = summary["mistakes"] / summary["examples"]
        put(file, "summary", json.dumps(summary))
        put(file, "trace_digest", digest_of(file))

    reseal(path, change)


def digest_of(file):
    """The digest of the deterministic columns, as the program computes it."""
    sys.path.insert(0, str(ROOT / "tests" / "python"))
    from fake_results import digest_of as of_tables

    tables = {}
    for name in file.attrs["tables"].decode().split(","):
        group = file[name]
        tables[name] = {
            column: group[column][:]
            for column in group.attrs["columns"].decode().split(",")
            if group[column].attrs["deterministic"]
        }
    return of_tables(tables)


def a_longer_step(folder):
    source = folder / "learner.cpp"
    source.write_text(source.read_text().replace("const double loss = 1 - y", "const double loss = 1.01 - y"))


def an_edited_summary(folder):
    """Cheaper tuning in the summary alone, with all digests made anew."""
    path = next((folder / "results").rglob("pa-budget-r0-*.h5"))

    def change(file):
        summary = json.loads(file.attrs["summary"])
        summary["tuned"]["kernel_evaluations"]["requested"] = 0
        put(file, "summary", json.dumps(summary))

    reseal(path, change)


def plan_of(folder, change):
    path = folder / "results/league/sea/plan.json"
    plan = json.loads(path.read_text())
    change(plan["trials"])
    path.write_text(json.dumps(plan))


def fewer_trials(folder):
    plan_of(folder, lambda trials: trials.pop(next(i for i, trial in enumerate(trials) if trial["fold"] is None)))


def a_trial_twice(folder):
    plan_of(folder, lambda trials: trials.insert(0, next(trial for trial in trials if trial["fold"] is None)))


def a_replaced_learner(folder):
    text = (folder / "entry.toml").read_text()
    (folder / "entry.toml").write_text(text.replace("[tune]", '[parameters]\nlearner = "fogd"\n\n[tune]'))


def more_tuning(folder):
    text = (folder / "entry.toml").read_text()
    (folder / "entry.toml").write_text(text.replace("C = [", "C = [64, "))


def a_false_author(folder):
    text = (folder / "entry.toml").read_text()
    (folder / "entry.toml").write_text(text.replace('"okbench"', '"Ada\\nsigned    by ada"'))


def nested_tables(folder):
    (folder / "entry.toml").write_text("a = " + "[" * 50000)


def another_kernel(folder):
    spec = folder / "specs" / "sea.toml"
    spec.write_text(spec.read_text().replace("gamma = 0.011", "gamma = 0.05"))


def a_missing_trace(folder):
    next((folder / "results").rglob("*-r0-*.h5")).unlink()


@pytest.mark.parametrize(
    "change, message",
    [
        (an_edited_trace, "the rerun gives other bits than the bundle"),
        (a_longer_step, "the rerun gives other bits than the bundle"),
        (an_edited_summary, "the rerun has another spec or summary than the bundle"),
        (fewer_trials, "is missing"),
        (a_trial_twice, "pa-budget.tar.xz: results/league/sea/plan.json: lists a trial twice"),
        (a_replaced_learner, "parameters.learner: is not a parameter"),
        (more_tuning, "tune: the league allows one parameter with a list of at most 5 values"),
        (a_false_author, "author: expected one line"),
        (nested_tables, "entry.toml"),
        (another_kernel, "specs/sea.toml: differs from the leaderboard's spec"),
        (a_missing_trace, "no result of league/"),
    ],
)
def test_a_forged_bundle_is_refused(bundles, verify, tmp_path, change, message):
    forged = changed(bundles / "pa-budget.tar.xz", tmp_path / "forged" / "pa-budget.tar.xz", change)
    done = verify(forged, "--sample", "1", check=1)
    assert message in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr


def test_damage_and_unsafe_archives_are_refused(bundles, verify, tmp_path):
    good = (bundles / "pa-budget.tar.xz").read_bytes()
    (tmp_path / "cut.tar.xz").write_bytes(good[: len(good) // 2])
    assert "not a bundle" in verify("cut.tar.xz", check=1).stderr
    with tarfile.open(tmp_path / "up.tar.xz", "w:xz") as archive:
        info = tarfile.TarInfo("../../escaped")
        info.size = 1
        archive.addfile(info, io.BytesIO(b"x"))
    assert "not regular files below one folder" in verify("up.tar.xz", check=1).stderr
    place = tmp_path / "out"
    with tarfile.open(bundles / "pa-budget.tar.xz") as archive:
        archive.extractall(place)
    (place / "pa-budget/learner.cpp").write_text("int x;")
    with tarfile.open(tmp_path / "swapped.tar.xz", "w:xz") as archive:
        archive.add(place / "pa-budget", "pa-budget")
    assert "not regular files" in verify("swapped.tar.xz", check=1).stderr  # holds a folder
    with tarfile.open(tmp_path / "swapped.tar.xz", "w:xz") as archive:
        for path in (member for member in place.rglob("*") if member.is_file()):
            archive.add(path, path.relative_to(place))
    assert "learner.cpp differs from its digest" in verify("swapped.tar.xz", check=1).stderr
    assert "no such file" in verify("none.tar.xz", check=2).stderr
    assert "--sample: expected a share" in verify(bundles / "pa-budget.tar.xz", "--sample", "2", check=2).stderr


def test_signatures(bundles, verify, tmp_path):
    for name in ("ada", "eve"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / name], check=True)
    (tmp_path / "signers").write_text(f"ada@example.org {(tmp_path / 'ada.pub').read_text()}")
    bundle = pathlib.Path(shutil.copy(bundles / "fourier-adagrad.tar.xz", tmp_path))
    sign = ["ssh-keygen", "-Y", "sign", "-n", "okbench", "-f"]
    assert "signed    not signed" in verify(bundle, "--signers", "signers").stdout
    subprocess.run([*sign, tmp_path / "ada", bundle], check=True, capture_output=True)
    assert "signed    by ada@example.org" in verify(bundle, "--signers", "signers").stdout
    other = pathlib.Path(shutil.copy(bundles / "pa-budget.tar.xz", tmp_path))
    shutil.copy(f"{bundle}.sig", f"{other}.sig")
    assert "does not match this file" in verify(other, "--signers", "signers", check=1).stderr
    pathlib.Path(f"{bundle}.sig").unlink()
    subprocess.run([*sign, tmp_path / "eve", bundle], check=True, capture_output=True)
    assert "does not list its signer" in verify(bundle, "--signers", "signers", check=1).stderr


def test_the_sandbox_has_no_network_and_cannot_write(bundles, verify, tmp_path):
    """The learner tries to write beside the bundle, to read the home folder, and to connect."""
    (tmp_path / "secret").write_text("x")

    def spy(folder):
        source = folder / "learner.py"
        attack = f"""
import os, socket
try:
    open({str(tmp_path / "written")!r}, "w").write("x")
except OSError:
    pass
socket.create_connection(("127.0.0.1", 22), 1)
"""
        source.write_text(source.read_text() + attack)

    forged = changed(bundles / "fourier-adagrad.tar.xz", tmp_path / "spy" / "fourier-adagrad.tar.xz", spy)
    done = verify(forged, check=1)
    assert "cannot be rerun" in done.stderr and ("Network" in done.stderr or "refused" in done.stderr), done.stderr
    assert not (tmp_path / "written").exists()

    def escape(folder):
        """Replaces the source, which the next trial reads, by a link to a file outside."""
        attack = f"""
import os
for place in ("/etc/passwd", {str(tmp_path / "secret")!r}):
    if os.path.exists(place):
        raise SystemExit("sees " + place)
try:
    os.remove(__file__)
    os.symlink({str(tmp_path / "written")!r}, __file__)
except OSError:
    pass
"""
        source = folder / "learner.py"
        source.write_text(source.read_text() + attack)

    forged = changed(bundles / "fourier-adagrad.tar.xz", tmp_path / "escape" / "fourier-adagrad.tar.xz", escape)
    done = verify(forged, "--sample", "1", check=None)
    assert not (tmp_path / "written").exists() and "sees" not in done.stderr


def test_without_a_sandbox_only_trusted_code_runs(bundles, verify, okbench, tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    for tool in ("python3", "env", "sh"):
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
    path = {"PATH": str(tmp_path / "bin"), "OKBENCH_PYTHON": sys.executable}
    bundle = bundles / "fourier-adagrad.tar.xz"
    done = okbench("board", "verify", bundle, env=path, check=2)
    assert "there is no bubblewrap" in done.stderr and "--trust" in done.stderr
    assert "verified  6 of 7" in okbench("board", "verify", bundle, "--trust", env=path, check=0).stdout


def test_the_page_ranks_entries_and_lists_refused_ones(bundles, okbench, tmp_path):
    folder = tmp_path / "entries"
    folder.mkdir()
    for name in NAMES:
        shutil.copy(bundles / f"{name}.tar.xz", folder)
    forged = changed(bundles / "pa-budget.tar.xz", tmp_path / "forged" / "pa-budget.tar.xz", another_kernel)
    shutil.copy(forged, folder / "forged.tar.xz")
    shutil.copy(forged, folder / "pa-budget.tar.xz")
    out = okbench("board", "entries", "--out", "board/index.html", check=0).stdout
    assert "refused  forged.tar.xz: must be called pa-budget.tar.xz" in out and out.count("trials rerun") == 1
    assert "refused  pa-budget.tar.xz: specs/sea.toml: differs" in out
    page = (tmp_path / "board/index.html").read_text()
    assert "<h3>Refused</h3>" in page and "pa-budget.tar.xz: specs/sea.toml" in page
    shutil.copy(bundles / "pa-budget.tar.xz", folder)
    okbench("board", "entries", "--out", "board/index.html", check=0)
    page = (tmp_path / "board/index.html").read_text()
    assert "2 verified entries on 6 data sets" in page and "PA-I (oldest removed)" in page
    assert "not counted" in page and "explorer-data" in page
    assert "no bundles (*.tar.xz) here" in okbench("board", "board", check=2).stderr


def rounded(share):
    """Changes the losses of one trace from row 100 on by this share, as if another processor had computed them."""

    def change(folder):
        def scale(file):
            file["trace/loss"][100:] *= 1 + share
            provenance = json.loads(file.attrs["provenance"])
            put(file, "provenance", json.dumps(provenance | {"cpu": "Another Processor"}))
            put(file, "trace_digest", digest_of(file))

        reseal(next((folder / "results").rglob("fourier-adagrad-r0-*.h5")), scale)

    return change


def test_blas_may_round_differently_but_not_more(bundles, verify, tmp_path):
    bundle = bundles / "fourier-adagrad.tar.xz"
    close = changed(bundle, tmp_path / "close" / bundle.name, rounded(1e-9))
    out = verify(close, "--sample", "1").stdout
    assert "7 of 7 trials rerun, equal up to rounding\n" in out
    assert re.search(
        r"differs   league/[\w-]+/fourier-adagrad/r0, step \d+, loss: \S+ on Another Processor, \S+ on ", out
    )
    far = changed(bundle, tmp_path / "far" / bundle.name, rounded(1e-5))
    error = verify(far, "--sample", "1", check=1).stderr
    assert "the rerun gives other bits than the bundle: step " in error and error.count("\n") == 1

    def exact(folder):
        rounded(1e-9)(folder)
        text = (folder / "entry.toml").read_text()
        (folder / "entry.toml").write_text(text.replace("blas = true\n", ""))

    strict = changed(bundle, tmp_path / "strict" / bundle.name, exact)
    assert "the rerun gives other bits than the bundle: step " in verify(strict, "--sample", "1", check=1).stderr


def test_the_committed_entries_are_verified(bundles, okbench, tmp_path):
    """On any processor: one of them uses BLAS."""
    out = okbench("board", ROOT / "league" / "entries", "--out", "board/index.html", check=0).stdout
    assert out.count("trials rerun") == 2 and "refused" not in out
    page = (tmp_path / "board/index.html").read_text()
    assert page.count('<span class="small">up to rounding</span>') == 1


def test_the_committed_entries_are_the_examples():
    for name in NAMES:
        with tarfile.open(ROOT / "league" / "entries" / f"{name}.tar.xz") as archive:
            for file in (EXAMPLES / name).iterdir():
                if file.suffix in (".toml", ".cpp", ".py"):
                    assert archive.extractfile(f"{name}/{file.name}").read() == file.read_bytes()


@pytest.mark.parametrize(
    "text, message",
    [
        (None, "entry.toml: no such file"),
        ("format = 1\nname = 'x'\n", "entry.toml: title: missing"),
        ("format = 2\nname = 'x'\ntitle = 't'\nauthor = 'a'\nsource = 'l.py'\n", "format: must be 1"),
        ("format = 1\nname = 'X Y'\ntitle = 't'\nauthor = 'a'\nsource = 'l.py'\n", "name: use small letters"),
        ("format = 1\nname = 'x'\ntitle = 't'\nauthor = 'a'\nsource = '../l.py'\n", "source: expected a file of this"),
        ("format = 1\nname = 'x'\ntitle = 't'\nauthor = 'a'\nsource = 'l.py'\n", "there is no file l.py"),
        ("format = 1\nnme = 'x'\n", "unknown key 'nme'"),
        ("format = 1\nname = 'x'\ntitle = 't'\nauthor = 'a'\nsource = 'l.py'\nblas = 1\n", "blas: expected true or"),
    ],
)
def test_mistakes_in_an_entry_are_one_line(okbench, tmp_path, text, message):
    (tmp_path / "e").mkdir()
    if text is not None:
        (tmp_path / "e/entry.toml").write_text(text)
    done = okbench("board", "submit", "e", check=2)
    assert message in done.stderr and len(done.stderr.splitlines()) == 1
