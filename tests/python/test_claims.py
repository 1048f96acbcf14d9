"""Claims: their files, the papers' numbers, comparisons and verdicts."""

import json
import pathlib

import numpy as np
import pytest
from fake_results import FakeResults

from okbench import claims
from okbench.claims.comparisons import comparison
from okbench.errors import ClaimError
from okbench.measures import FUNCTIONS
from okbench.results import Results

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

FILES = sorted((ROOT / "experiments").glob("*/claims.toml"))

NUMBERS = claims.Numbers({"t": {"a": [0.0317, 0.0011], "b": [0.1469, 0.0009], "plain": 3.565e9}})


def holds(text, values, paper=None):
    return comparison(text, len(values), paper, NUMBERS).holds(values)


def judged(**entry):
    """A claim with these fields, judged on the results made up."""
    entry = {"id": "c", "where": "", "statement": "", "tolerance": "", "note": "", **entry}
    return claims.judge(claims.make_claim("p", entry, NUMBERS), FakeResults())


def test_comparisons():
    assert holds("increasing", [1, 2, 3]) and not holds("increasing", [1, 1])
    assert holds("<= 2", [2]) and not holds(">= 2", [1.9])
    assert holds("all <= 2", [1, 2]) and not holds("all within [0, 1]", [0.5, 1.1])
    assert holds("within [[0, 1], [2, 3]]", [1, 2]) and not holds("within [[0, 1], [2, 3]]", [1, 1])
    assert holds("equal", [[1, 2]], [[1, 2]]) and not holds("equal", [[1, 3]], [[1, 2]])


@pytest.mark.parametrize(
    "text, count, paper, cause",
    [
        ("<< 2", 1, None, "is not a comparison"),
        ("< 2", 2, None, "needs 'all' for a list"),
        ("about 3", 1, None, "is not a comparison"),
        ("<= two", 1, None, "'two' must be a number"),
        ("<= 2", 2, None, "needs 'all'"),
        ("equal", 1, None, "needs 'paper'"),
        ("equal", 2, [1], "for each value"),
        ("equal", 2, 1, "for each value"),
        ("increasing", 1, None, "at least two values"),
        (" increasing", 2, None, "is not a comparison"),
        ("<= nan", 1, None, "finite"),
        (">= inf", 1, None, "finite"),
        ("within [0, NaN]", 1, None, "finite"),
        ("within [2, 1]", 1, None, "LOW <= HIGH"),
        ("within []", 1, None, "must be"),
        ("within", 1, None, "is not a comparison"),
        ("within [0, 1]", 2, None, "needs 'all'"),
        ("within -1 of it", 1, 0.5, "distance >= 0"),
        ("within [0, 1", 1, None, "must be"),
        ("within [[0, 1]]", 2, None, "one of them per value"),
        ("within 3", 1, None, "must be"),
        ("within 3 deviations", 1, None, "needs 'paper'"),
        ("within 3 deviations", 1, 0.5, "the path of a"),
        ("within 3 deviations", 1, "t.plain", "'t.plain' has no deviation"),
        ("within 3 deviations", 3, ["t.a", "t.b"], "one per value"),
        ("within some of it", 1, 0.5, "'some' must be a number"),
        ("within a factor of 0", 1, 0.5, "factor >= 1"),
        ("within 1 of it", 1, "t", "is a table"),
        ("within 1 of it", 1, "t.c", "there is no number 't.c': t has a, b, plain"),
        ("within 1 of it", 1, "u.a", r"there is no number 'u.a': \[numbers\] has t"),
    ],
)
def test_bad_comparisons(text, count, paper, cause):
    with pytest.raises(claims.ClaimError, match=cause):
        comparison(text, count, paper, NUMBERS)


@pytest.mark.parametrize(
    "text, count, paper, shown, bounds",
    [
        ("within 3 deviations", 1, "t.a", "within [0.0284, 0.035]", [(0.0284, 0.035)]),
        (
            "within 2 deviations",
            2,
            ["t.a", "t.b"],
            "within [[0.0295, 0.0339], [0.1451, 0.1487]]",
            [(0.0295, 0.0339), (0.1451, 0.1487)],
        ),
        ("all within 1 deviations", 2, "t.a", "all within [0.0306, 0.0328]", [(0.0306, 0.0328)] * 2),
        ("within 0.003 of it", 1, "t.a", "within [0.0287, 0.0347]", [(0.0287, 0.0347)]),
        ("within 0.5 of it", 2, [1, 2], "within [[0.5, 1.5], [1.5, 2.5]]", [(0.5, 1.5), (1.5, 2.5)]),
        ("within a factor of 4", 1, "t.plain", "within [8.9125e+08, 1.426e+10]", [(891250000.0, 14260000000.0)]),
        ("within a factor of 2", 3, 1, "within [0.5, 2]", [(0.5, 2)] * 3),
    ],
)
def test_bounds_derived_from_the_papers_numbers(text, count, paper, shown, bounds):
    criterion = comparison(text, count, paper, NUMBERS)
    assert criterion.bound == bounds and str(criterion) == shown
    assert criterion.holds([low for low, _ in bounds]) and criterion.holds([high for _, high in bounds])
    assert not criterion.holds([low * (1 - 1e-9) for low, _ in bounds]) and not criterion.holds(
        [high * (1 + 1e-9) for _, high in bounds]
    )


def test_verdicts():
    def judge(**changes):
        return judged(**{"value": "test_error(p/e/l[x=1])", "expect": "<= 0.2", **changes})

    assert judge().verdict == "reproduced" and not judge().surprising
    assert judge(expect="<= 0.1").verdict == "not reproduced" and judge(expect="<= 0.1").surprising
    known = {"expected": "not reproduced", "tried": [{"what": "", "value": 1}]}
    assert not judge(expect="<= 0.1", **known).surprising and judge(**known).surprising
    assert judge(tier="default").verdict == "reproduced" and judge(tier="paper").verdict == "not run"
    assert judge(value="test_error(p/e/s)").verdict == "not run" and not judge(value="test_error(p/e/s)").surprising


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_every_claim_of_the_project_can_be_read(path):
    paper = claims.read(path)
    assert paper.name == path.parent.name and len(paper.claims) >= 5
    for claim in paper.claims:
        assert bool(claim.blocked_by) == (claim.id in ("fig8-error", "fig8-loss"))
        verdict = claims.judge(claim, Results("/nonexistent")).verdict
        assert verdict == "not run" or not any("(" in text for text in claim.value)


@pytest.mark.parametrize(
    "change, message",
    [
        ("format = 1", "needs format"),
        ('expect = "<= 1"\n', "'expect' is missing"),
        ('note = "n"', "nota: unknown key"),
        ('id = "b"', "two claims"),
    ],
)
def test_bad_claim_files(tmp_path, change, message):
    text = 'format = 1\npaper = "p"\n' + "".join(
        f'[[claims]]\nid = "{name}"\nwhere = "w"\nstatement = "s"\nvalue = "1"\nexpect = "<= 1"\n'
        'tolerance = "t"\nnote = "n"\n'
        for name in "ab"
    )
    new = {"format = 1": "format = 2", 'note = "n"': 'nota = "n"', 'id = "b"': 'id = "a"'}.get(change, "")
    (tmp_path / "claims.toml").write_text(text.replace(change, new))
    with pytest.raises(claims.ClaimError, match=message):
        claims.read(tmp_path / "claims.toml")


def test_values_of_any_kind_become_json():
    FUNCTIONS["strange"] = lambda results, kind: {
        "int": np.int64(3),
        "inf": float("inf"),
        "list": [np.int64(1), np.float64(2)],
    }[kind]
    try:
        for kind, values in (("int", [3]), ("inf", [None]), ("list", [[1, 2]])):
            judgement = judged(value=f"strange({kind})", expect="<= 5" if kind != "list" else "equal", paper=[1, 2])
            assert json.loads(json.dumps(claims.as_json(judgement), allow_nan=False))["values"] == values
    finally:
        del FUNCTIONS["strange"]


def test_a_measure_without_a_number_is_not_run():
    for text in ("(1 - 1) / (1 - 1)", "test_error(p/e/l[x=1]) / 0", "0 * nothing()"):
        FUNCTIONS["nothing"] = lambda results: float("nan")
        assert judged(value=text, expect="<= 5").verdict == claims.NOT_RUN
    del FUNCTIONS["nothing"]


BAD_FILES = [
    ("[numbers]\nt = true\n", 'paper = "t"', "numbers.t must be a number or a list of numbers"),
    ("[numbers.t]\nr = []\n", 'paper = "t.r"', "numbers.t.r must be a number or a list of numbers"),
    ('[numbers.t]\n"a.b" = 1\n', 'paper = "t.r"', "numbers.t.a.b: invalid name"),
    ("numbers = 3\n", "paper = 1", "numbers must be a table"),
    ("number = 3\n", "paper = 1", "number: unknown key; allowed are format, paper, about"),
    ("[numbers.t]\nr = 1\n", 'paper = "t.s"', "claim 'c': there is no number 't.s': t has r"),
    ("[numbers.t]\nr = 1\n", 'paper = ["t.r", "t.r.s"]', "claim 'c': there is no number 't.r.s': t.r has nothing"),
    ("[numbers.t]\nr = 1\n", "paper = [true]", "claim 'c': paper has True"),
    ("[numbers.t]\nr = 1\n", 'value = "1 + paper(t.s)"', "claim 'c': there is no number 't.s': t has r"),
    ("", 'paper = "t.r"', r"claim 'c': there is no number 't.r': [numbers] has nothing"),
]


@pytest.mark.parametrize("head, line, message", BAD_FILES)
def test_bad_numbers_are_one_line_with_file_claim_and_path(tmp_path, head, line, message):
    value = "" if line.startswith("value") else 'value = "1"\n'
    path = tmp_path / "claims.toml"
    path.write_text(
        f'format = 1\npaper = "p"\n{head}[[claims]]\nid = "c"\nwhere = "w"\nstatement = "s"\n{value}{line}\n'
        'expect = "<= 1"\ntolerance = "t"\nnote = "n"\n'
    )
    with pytest.raises(claims.ClaimError) as raised:
        claims.read(path)
    assert str(raised.value).startswith(f"{path}: {message}") and "\n" not in str(raised.value)


def test_numbers_of_a_paper_by_its_name(tmp_path, monkeypatch):
    assert claims.numbers("sfd-2013").value("table5-3.sfd1.ijcnn1") == 0.0317
    assert claims.numbers("sfd-2013").deviation("table5-3.sfd1.ijcnn1") == 0.0011
    assert claims.numbers("svmd-2006").value("fig7-left.events")[:2] == [6, 60]
    (tmp_path / "experiments" / "sfd-2013").mkdir(parents=True)
    (tmp_path / "experiments" / "sfd-2013" / "claims.toml").write_text(
        'format = 1\npaper = "sfd-2013"\n[numbers]\none = 1\n'
    )
    monkeypatch.setenv("OKBENCH_HOME", str(tmp_path))
    assert claims.numbers("sfd-2013").entry("one") == 1
    with pytest.raises(claims.ClaimError, match="svmd-2006/claims.toml"):
        claims.numbers("svmd-2006")


def test_texts_of_the_thesis_claims_have_its_numbers():
    """Statements for people repeat a cell of a table, and a quotient is of two cells."""
    paper = claims.read(ROOT / "experiments" / "sfd-2013" / "claims.toml")
    claimed = {claim.id: claim for claim in paper.claims}
    cells = [claim for name, claim in claimed.items() if name.startswith(("table5-2-", "table5-3-"))]
    pairs = [tuple(pair) for row in paper.numbers.entry("table5-3").values() for pair in row.values()]
    for claim in cells:
        value, deviation = claim.statement.split(" error of ")[1].split(" %")[0].split(" +- ")
        said = round(float(value) / 100, 4), round(float(deviation) / 100, 4)
        assert said in pairs and said[0] == claim.paper_value
    for name, claim in claimed.items():
        if name.startswith("table5-4-"):
            assert f"needs {claim.paper_value:.3e} kernel" in claim.statement
        if name.startswith("sfd1-cheaper-than-"):
            rival, data_set = name.removeprefix("sfd1-cheaper-than-").rsplit("-", 1)
            quotient = paper.numbers.value(f"table5-4.{data_set}.sfd1") / paper.numbers.value(
                f"table5-4.{data_set}.{rival}"
            )
            assert claim.paper_value == float(f"{quotient:.3g}")
    assert len(cells) == 42


def test_a_single_figure_and_a_single_claim_are_judged():
    whole = claims.read_papers([ROOT / "experiments"], ["svmd-2006"])[0][1]
    (_, figure), (_, single_claim) = claims.read_papers(
        [ROOT / "experiments"], ["svmd-2006/fig3", f"svmd-2006/{whole.claims[-1].id}"]
    )
    assert [claim.id for claim in figure.claims] == [claim.id for claim in whole.claims if claim.id.startswith("fig3-")]
    assert [claim.id for claim in single_claim.claims] == [whole.claims[-1].id] and single_claim.name == "svmd-2006"
    with pytest.raises(ClaimError, match="no claims of 'svmd-2006/fig33'; did you mean svmd-2006/fig3?"):
        claims.read_papers([ROOT / "experiments"], ["svmd-2006/fig33"])
    with pytest.raises(ClaimError, match="no claims of 'svmd-206'; did you mean svmd-2006?"):
        claims.read_papers([ROOT / "experiments"], ["svmd-206"])
