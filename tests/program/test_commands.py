"""list, data and bad requests, on the real binary."""

import gzip
import hashlib
import json
import pathlib
import platform
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from conftest import ROOT, SMOKE  # noqa: E402


def test_own_data_sets_are_listed_and_run(okbench, summary, toy, tmp_path):
    env = toy()
    okbench("run", "toy.toml", "--out", "r", env=env, check=0)
    row = summary(tmp_path / "r")[0]
    assert row["synthetic"] is False and row["examples"] == 2 and row["data_set"] == "toy"
    assert "toy" in okbench("help", "datasets", env=env, check=0).stdout
    assert okbench("data", "verify", "toy", env=env, check=0).stdout.count("verified") == 2
    assert okbench("data", "path", "toy", env=env, check=0).stdout.count("mirror") == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"train": "1 1:1\n-1 2:nan\n"}, "toy.train.gz:2:6: a value is not finite"),
        ({"train": "1 1:1\n-1 2:x\n"}, "toy.train.gz:2:6: 'x' is not a number"),
        ({"train": "1 1:1\n3 2:1\n"}, "toy.train.gz:2:1: label '3' is out of range"),
        ({"train": "1 1:\x01\n"}, "is not a number"),
        ({"train": "\n\n"}, "toy.train.gz: the data set is empty"),
        ({"sha": "0" * 64}, "has sha256"),
        ({"pack": lambda content: content[:-9]}, "truncated or damaged"),
    ],
)  # fmt: skip
def test_bad_data_is_refused_with_file_line_and_column(okbench, toy, tmp_path, change, message):
    done = okbench("run", "toy.toml", "--out", "r", env=toy(**change), check=1)
    assert message in done.stderr
    assert not list((tmp_path / "r").rglob("*.h5"))
    assert json.loads(next((tmp_path / "r").rglob("*.failed.json")).read_text())["kind"] == "data"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "none.toml"], "none.toml: no such file"),
        (["run", "."], ".: is a folder; name its specs: *.toml"),
        (["run", "/dev/null"], "/dev/null: is not a regular file"),
        (["run", SMOKE, "--timeout", "nan"], "--timeout: must be a number"),
        (["run", SMOKE, "--set", "learners.norma.bufer=3"], "did you mean buffer?"),
        (
            ["run", SMOKE, "--set", "learners.svmd.trace_dacay=3"],
            "learners.svmd.trace_dacay: not a parameter of svmd; did you mean trace_decay?",
        ),
        (["run", SMOKE, "--set", "learners.norma.xyzzyxyzzy=3"], "not a parameter of norma; allowed are learner, "),
        (["run", SMOKE, "--set", "learners.svmd.grid.trace_dacay=[3]"], "did you mean trace_decay?"),
        (["run", SMOKE, "--set", "learners.norma.lable=x"], "did you mean label?"),
        (["run", SMOKE, "--set", "data.max_exmples=3"], "did you mean max_examples?"),
        (["run", SMOKE, "--set", "data.bach=3"], "did you mean batch?"),
        (["run", SMOKE, "--set", "kernel.gama=3"], "did you mean gamma?"),
        (["run", SMOKE, "--set", "kernel.xyzzy=3"], "unknown key; allowed are name, bias, sigma, gamma"),
        (["run", SMOKE, "--set", "learners.norma.buffer=-3"], "must be an integer >= 1"),
        (["run", SMOKE, "--set", "learners.norma.learner=norm"], "did you mean norma?"),
        (["run", SMOKE, "--set", "data.name=mnits"], "did you mean mnist?"),
        (["run", SMOKE, "--tier", "huge"], "--tier"),
        (["run", SMOKE, "--jobs", "0"], "--jobs"),
        (["run", SMOKE, "--isa", "sse2"], "target 'sse2' is not available here; choose one of best"),
        (["run"], "spec is required (see okbench run --help)"),
        (["run", __file__], f"; a spec is a TOML file; okbench league {__file__} compares learners"),
        (["plot", SMOKE, "--measure", "kappa"], "--measure: the option is --y kappa"),
        (["plot", SMOKE, "--out", "x.gif"], "--out x.gif: a figure is a .png, .svg or .pdf file"),
        (["rnu"], "see okbench --help"),
        (["summary", "nowhere"], "no such file or folder"),
        (["summary", "--trace", "nowhere.h5"], "no such trace file"),
        (["compare", "nowhere", "nowhere"], "no such file or folder"),
        (["run", SMOKE, "--set", "kernel.sigma=1e-200"], "kernel.sigma: sigma = 1e-200 makes gamma infinite"),
        (["run", SMOKE, "--set", "trace.from_end=[1.5]"], "integers"),
        (["data", "path", "usp"], "did you mean usps?"),
        (["help", "everything"], "learners"),
    ],
)
def test_bad_requests_get_one_clear_line(okbench, arguments, message):
    done = okbench(*arguments)
    assert done.returncode in (1, 2)
    assert message in done.stderr
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("okbench: ")
    assert done.stdout == ""


def test_a_missing_path_is_an_invalid_request(okbench):
    for verb in ("summary", "verify", "plot"):
        assert "no such" in okbench(verb, "nowhere", check=2).stderr


def test_bytes_that_are_no_text_do_not_stop_the_run(okbench, toy, tmp_path):
    env = toy(train="1 1:1\n")
    content = b"1 1:\xff\n"
    (tmp_path / "mirror" / "toy.train.gz").write_bytes(gzip.compress(content))
    catalog = tmp_path / "catalog.toml"
    old = hashlib.sha256(b"1 1:1\n").hexdigest()
    catalog.write_text(catalog.read_text().replace(old, hashlib.sha256(content).hexdigest()))
    done = okbench("run", "toy.toml", "--out", "r", env=env, check=1)
    assert "is not a number" in done.stderr
    assert list((tmp_path / "r").rglob("*.failed.json"))


def test_a_missing_mirror_is_reported(okbench):
    done = okbench("help", "datasets", env={"OKBENCH_MIRROR": "/nonexistent"})
    assert done.returncode == 2 and done.stderr == "okbench: OKBENCH_MIRROR=/nonexistent: no such folder\n"


def test_help_of_every_verb(okbench):
    for verb in ([], ["help"], ["run"], ["summary"], ["compare"], ["data"]):
        text = okbench(*verb, "--help", check=0).stdout
        assert "--help" in text and len(text) > 200


def test_list_names_parameters_with_defaults_units_and_sections(okbench):
    learners = {row["name"]: row for row in json.loads(okbench("help", "learners", "--json", check=0).stdout)}
    assert set(learners) >= {"norma", "svmd"}
    buffer = next(p for p in learners["svmd"]["parameters"] if p["name"] == "buffer")
    assert buffer["default"] == 512 and buffer["unit"] == "support vectors" and "1" in buffer["allowed"]
    assert "svmd-2006" in learners["svmd"]["paper"]
    text = okbench("help", "learners", check=0).stdout
    for parameter in learners["svmd"]["parameters"]:
        assert parameter["name"] in text and parameter["description"] in text
    for what, word in (
        ("losses", "hinge"),
        ("kernels", "rbf"),
        ("keys", "data.max_examples"),
        ("datasets", "usps-esl"),
        ("experiments", "svmd-2006/fig3"),
    ):
        assert word in okbench("help", what, check=0).stdout
        assert word in okbench("help", what, "--json", check=0).stdout


def test_list_has_the_keys_of_specs(okbench):
    keys = {row["key"]: row for row in json.loads(okbench("help", "keys", "--json", check=0).stdout)}
    assert (
        keys["data.max_examples"]["default"] == 0
        and keys["data.max_examples"]["tier"]
        and not keys["data.unit_norm"]["tier"]
    )
    assert keys["data.max_examples"]["allowed"] == "an integer >= 0" and keys["data.name"]["required"]
    assert keys["kernel.degree"]["kernel"] == "polynomial" and keys["learners.KEY.PARAMETER"]["placeholder"]
    kernels = {row["name"]: row for row in json.loads(okbench("help", "kernels", "--json", check=0).stdout)}
    assert [key["name"] for key in kernels["polynomial"]["keys"]] == ["degree", "scale", "offset"]
    assert okbench("help", "keys", "data.max_examples", check=0).stdout.count("\n") == 2
    assert "did you mean data.max_examples?" in okbench("help", "keys", "data.max_exmples", check=2).stderr


@pytest.mark.skipif(platform.machine() != "x86_64" or not shutil.which("qemu-x86_64"), reason="needs qemu-x86_64")
def test_a_processor_without_fused_multiply_add_is_refused(binary, environment, sanitized, tmp_path):
    if sanitized:
        pytest.skip("sanitized programs do not run under qemu")
    done = subprocess.run(
        ["qemu-x86_64", "-cpu", "Nehalem", binary, "run", SMOKE, "--out", "r"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.returncode == 2
    assert "no fused multiply-add" in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "r").exists()


def test_without_files_a_data_set_is_missing(okbench):
    assert "missing   usps/usps.bz2" in okbench("data", "verify", "usps", check=1).stdout
    assert "okbench data fetch" in okbench("data", "path", "usps", check=1).stderr


def test_a_file_with_alternatives_is_missing_by_all_its_names(okbench):
    both = "20newsgroups/20news-bydate.tar.gz or 20newsgroups/20news-bydate.tar.xz"
    assert f"missing   {both}\n" in okbench("data", "verify", "20newsgroups", check=1).stdout
    assert f"{both} is in none of" in okbench("data", "path", "20newsgroups", check=1).stderr


def test_promises_of_whole_numbers_are_reported(okbench):
    shown = okbench("data", "show", "mnist", "usps-esl", "usps", check=0).stdout
    assert "values    integers from 0 to 255" in shown
    assert "values    integers / 1000 from -1 to 1" in shown
    assert shown.count("values    ") == 2  # those of usps are no such


def test_the_trees_of_classes_are_reported(okbench):
    shown = okbench("data", "show", "20newsgroups", "usps", check=0).stdout
    for line in (
        "features  the words of the training part",
        "tree      two-levels: 28 nodes, 20 leaves, depth 2",
        "tree      collapsed: 28 nodes, 20 leaves, depth 3",
        "tree      full: 39 nodes, 20 leaves, depth 5",
        "file      20newsgroups/20news-bydate.tar.xz (missing)",
    ):
        assert f"  {line}\n" in shown
    assert shown.count("tree") == 3 and "usps: USPS" in shown  # usps has none
    sets = {row["name"]: row for row in json.loads(okbench("help", "datasets", "--json", check=0).stdout)}
    assert sets["imageclef07"]["tree"] == {"nodes": 97, "leaves": 63, "depth": 3}
    assert sets["usps"]["tree"] is None and sets["20newsgroups"]["features"] is None
    verified = okbench("data", "verify", "imageclef07", check=1).stdout
    assert "verified  imageclef07: tree of 97 nodes, 63 leaves, depth 3\n" in verified


def test_classes_that_make_no_tree_are_reported_in_one_line(okbench, toy, tmp_path):
    env = toy()
    catalog = tmp_path / "catalog.toml"
    text = catalog.read_text().replace("kind='binary'", "kind='multiclass'\ntree={edges=[['r','1'],['s','1']]}")
    catalog.write_text(text)
    for arguments in (["data", "list"], ["data", "show", "toy"], ["run", "toy.toml", "--set", "data.tree=full"]):
        done = okbench(*arguments, env=env)
        assert done.returncode != 0 and done.stderr.count("\n") == 1
        assert "data set 'toy': label tree: '1' has two parents, 'r' and 's'" in done.stderr


def test_experiments_run_on_synthetic_data_and_say_so(okbench, summary, tmp_path):
    spec = ROOT / "experiments" / "svmd-2006" / "fig3.toml"
    done = okbench("run", spec, "--tier", "quick", "--out", "r", check=0)
    lines = [line for line in done.stderr.splitlines() if line.startswith("[")]
    assert len(lines) == 3 and all("[SYNTHETIC DATA]" in line for line in lines)
    assert all(row["synthetic"] for row in summary(tmp_path / "r"))


def test_claims_are_not_judged_on_the_quick_tier(okbench, tmp_path):
    for spec in ("norma-2001/regression", "svmd-2006/fig3"):
        okbench("run", ROOT / "experiments" / f"{spec}.toml", "--tier", "quick", "--out", tmp_path / "r", check=0)
    done = okbench("claims", "--results", tmp_path / "r", "--json", check=0)
    judged = json.loads(done.stdout)["claims"]
    assert {claim["paper"] for claim in judged} >= {"svmd-2006", "budget-2003", "sfd-2013"}
    assert all(claim["verdict"] == "not run" for claim in judged)
    for reason in ("needs the default tier", "no result", "generated synthetic data"):
        assert any(reason in claim["reason"] for claim in judged)
    text = okbench("claims", "norma-2001", "--results", tmp_path / "r", check=0).stdout
    assert text.startswith("norma-2001: of 0 statements judged, 0 hold; 14 were not run") and "sfd" not in text
    assert text.endswith("run: make experiments\n")
    assert okbench("claims", tmp_path / "r", "norma-2001", check=0).stdout == text
    for verb in ("claims", "report"):
        assert "two result folders" in okbench(verb, tmp_path / "r", "--results", "other", check=2).stderr
    # More runs cannot replace data that are missing.
    text = okbench("claims", "svmd-2006/fig3", "--results", tmp_path / "r", check=0).stdout
    assert "generated synthetic data" in text and "make experiments" not in text


def test_a_surprising_verdict_ends_with_status_1(okbench, tmp_path):
    # The data of this catalog are real ones, as far as okbench can tell.
    (tmp_path / "rows.csv").write_text("".join(f"{i % 2},{2 * (i % 2) - 1}\n" for i in range(40)))
    (tmp_path / "catalog.toml").write_text(
        "[own]\ntitle='own'\nformat='csv'\nfeatures=1\nrange=[-1.0,1.0]\nlabels=['0','1']\nkind='binary'\nterms=''\n"
        "synthetic={generator='clusters'}\n[own.train]\nrows=40\nfiles=[{name='rows.csv', sha256=''}]\n"
    )
    home = tmp_path / "home"
    (home / "experiments" / "mine").mkdir(parents=True)
    for name in ("datasets", "python"):
        (home / name).symlink_to(ROOT / name)
    spec = home / "experiments" / "mine" / "x.toml"
    spec.write_text(
        "format=2\nexperiment='mine/x'\n[data]\nname='own'\n[kernel]\nname='linear'\n[learners.p]\n"
        "learner='perceptron'\n"
    )
    claims = home / "experiments" / "mine" / "claims.toml"
    environment = {
        "OKBENCH_HOME": str(home),
        "OKBENCH_CATALOG": str(tmp_path / "catalog.toml"),
        "OKBENCH_MIRROR": str(tmp_path),
    }
    okbench("run", spec, "--out", "r", env=environment, check=0)
    for expect, expected, verdict, status in (
        ("<= 0.5", "", "reproduced", 0),
        (">= 0.5", "", "not reproduced", 1),
        (">= 0.5", "not reproduced", "not reproduced", 0),
        ("<= 0.5", "not reproduced", "reproduced", 1),
    ):
        claims.write_text(
            "format=1\npaper='mine'\n[[claims]]\nid='c'\nwhere='w'\nstatement='s'\nvalue='error_rate(mine/x/p)'\n"
            f"expect='{expect}'\ntolerance='t'\nnote='why'\n"
            + (
                f"expected='{expected}'\ntried=[{{what='half', value='error_rate(mine/x/p) / 2'}}]\n"
                if expected
                else ""
            )
        )
        done = okbench("claims", "--results", "r", env=environment, check=status)
        assert f"  {verdict}" in done.stdout and ("SURPRISE" in done.stdout) == (status == 1)
        output = json.loads(okbench("claims", "--results", "r", "--json", env=environment, check=status).stdout)[
            "claims"
        ][0]
        assert [attempt["value"][0] for attempt in output["tried"]] == ([output["values"][0] / 2] if expected else [])
        assert output["chance"] is None
    okbench("claims", "--results", "r", "--ranges", env=environment, check=0)
    assert json.loads((claims.parent / "ranges.json").read_text()) == {
        "format": 1,
        "ranges": {},
    }  # one trial is no range
    claims.write_text("format=1\npaper='mine'\n[[claims]]\nid='c'\n")
    assert (
        "claim 'c': keys 'where', 'statement', 'value',"
        in okbench("claims", "--results", "r", env=environment, check=2).stderr
    )
    assert "no claims of 'theirs'" in okbench("claims", "theirs", "--results", "r", env=environment, check=2).stderr
    assert "no such result folder" in okbench("claims", "--results", "nothing", env=environment, check=2).stderr
