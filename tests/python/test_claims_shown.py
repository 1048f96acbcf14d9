"""Values of claims as people read them: error rates in percent, everything else as it is."""

import dataclasses
import math

import pytest

from okbench import claims
from okbench.measures import Parser, is_error_rate
from okbench.report import markdown

NUMBERS = claims.Numbers({"t": {"error": [0.0317, 0.0011]}})


def judged(value, expect, values, **more):
    entry = {"id": "c", "where": "w", "statement": "s", "value": value, "expect": expect, "tolerance": "t", "note": "n"}
    return claims.Judged(claims.make_claim("p", entry | more, NUMBERS), claims.REPRODUCED, values)


@pytest.mark.parametrize(
    "text, rate",
    [
        ("test_error(p/e/l)", True),
        ("error_rate_last(p/e/l, 100)", True),
        ("margin_error_rate(p/e/l)", True),
        ("least(test_error, p/e/l, size)", True),
        ("least(mistakes, p/e/l, size)", False),
        ("deviation(test_error, p/e/l)", True),
        ("at(p/e/l, test_error, 0.5)", True),
        ("at(p/e/l, objective, 0.5)", False),
        ("pass_mean(p/e/l, mistakes, 2)", True),
        ("pass_mean(p/e/l, loss_sum, 2)", False),
        ("max(test_error(p/e/a), test_error(p/e/b))", True),
        ("max(test_error(p/e/a), rmse(p/e/b))", False),
        ("test_error(p/e/a) / test_error(p/e/b)", False),
        ("test_error(p/e/a) - test_error(p/e/b)", False),
        ("mistakes(p/e/l)", False),
        ("share_below(test_error, p/e/l, 0.05)", False),
        ("chosen_by(test_error, mistakes, p/e/l)", False),
        ("0.05", False),
    ],
)
def test_which_expressions_are_error_rates(text, rate):
    assert is_error_rate(Parser(text).tree()) == rate


def test_each_value_in_its_own_unit():
    judgement = judged(
        ["mistakes(p/e/l)", "support_vectors(p/e/l)", "test_error(p/e/l)"],
        "within [[245, 285], [3100, 3400], [0.044, 0.051]]",
        [261, 3204, 0.0473],
        paper=[265, 3200, 0.047],
    )
    assert claims.shown_values(judgement) == "261, 3204, 4.73 %"
    assert claims.shown_expect(judgement.claim) == "within [[245, 285], [3100, 3400], [4.4, 5.1] %]"
    assert claims.shown_paper(judgement.claim) == "265, 3200, 4.7 %"


@pytest.mark.parametrize(
    "value, expect, values, paper, shown",
    [
        ("test_error(p/e/l)", "within 3 deviations", [0.0602], "t.error", ("6.02 %", "within [2.84, 3.5] %", "3.17 %")),
        ("test_error(p/e/l)", "<= 0.195", [0.0], 0.19, ("0 %", "<= 19.5 %", "19 %")),
        (
            ["test_error(p/e/a)", "test_error(p/e/b)"],
            "all <= 0.03",
            [0.01, 1.0],
            None,
            ("1 %, 100 %", "all <= 3 %", "–"),
        ),
        (["test_error(p/e/a)", "test_error(p/e/b)"], "increasing", [0.1, 0.2], None, ("10 %, 20 %", "increasing", "–")),
        ("test_error(p/e/a) / test_error(p/e/b)", ">= 1.5", [2.0], 2, ("2", ">= 1.5", "2")),
        (["test_error(p/e/a)", "rmse(p/e/b)"], "all <= 0.5", [0.25, 0.25], None, ("25 %, 0.25", "all <= 0.5", "–")),
        ("test_error(p/e/l)", "<= 0.1", [math.inf], None, ("inf %", "<= 10 %", "–")),
    ],
)
def test_comparison_and_paper_are_in_the_unit_of_the_value(value, expect, values, paper, shown):
    judgement = judged(value, expect, values, **({} if paper is None else {"paper": paper}))
    assert (
        claims.shown_values(judgement),
        claims.shown_expect(judgement.claim),
        claims.shown_paper(judgement.claim),
    ) == shown


def test_a_claim_without_a_value_shows_its_reason():
    judgement = judged("test_error(p/e/l)", "<= 0.1", [])
    judgement.reason = "no result of p/e"
    assert claims.shown_values(judgement) == "no result of p/e"


def test_tried_causes_are_shown_alike(capsys):
    judgement = judged(
        "test_error(p/e/l)",
        "<= 0.1",
        [0.2],
        expected="not reproduced",
        tried=[{"what": "others", "value": ["test_error(p/e/k)", "mistakes(p/e/k)"]}, {"what": "none", "value": "1"}],
    )
    judgement.verdict, judgement.tried = claims.NOT_REPRODUCED, [
        ("others", [0.15, 30], ""),
        ("none", [], "no result of p/e"),
    ]
    assert claims.shown_tried(judgement) == [
        ("others", "15 %, 30", "another quantity"),
        ("none", "no result of p/e", ""),
    ]
    claims.print_text([judgement])
    output = capsys.readouterr().out
    assert "ours 20 %; must be <= 10 %; above the bound\n" in output
    assert "tried: others: 15 %, 30 (another quantity)\n" in output


@pytest.mark.parametrize(
    "value, expect, values, told",
    [
        ("test_error(p/e/l)", "<= 0.1", [0.2], "worse than the paper"),
        ("test_error(p/e/l)", "within [0.1, 0.2]", [0.05], "better than the paper"),
        ("mistakes(p/e/l) / mistakes(p/e/k)", "within [0.4, 0.6]", [0.7], "above the bound"),
        ("mistakes(p/e/l) / mistakes(p/e/k)", ">= 0.4", [0.3], "below the bound"),
        (
            ["test_error(p/e/l)", "test_error(p/e/k)"],
            "all within [0.1, 0.2]",
            [0.05, 0.3],
            "above and below the bounds",
        ),
        (["test_error(p/e/l)", "test_error(p/e/k)"], "all within [0.1, 0.2]", [0.15, 0.3], "worse than the paper"),
        (["test_error(p/e/l)", "test_error(p/e/k)"], "increasing", [0.3, 0.2], ""),
    ],
)
def test_the_direction_of_a_difference(value, expect, values, told):
    tried = [{"what": "none", "value": "1"}]
    judgement = judged(value, expect, values, expected="not reproduced", tried=tried, paper=0.15)
    assert claims.direction(judgement) == ""  # before a verdict
    judgement.verdict = claims.NOT_REPRODUCED
    assert claims.direction(judgement) == told
    judgement.claim.paper_value = None  # a paper without a number says nothing of better or worse
    assert "paper" not in claims.direction(judgement)


@pytest.mark.parametrize(
    "value, tried, values, told",
    [
        ("test_error(p/e/l)", "error_rate(p/e/k)", [0.05], "explains it"),
        ("test_error(p/e/l)", ["test_error(p/e/k)", "test_error(p/e/m)"], [0.05, 0.3], "explains it in part"),
        ("test_error(p/e/l)", [0.3, 0.4], [0.3, 0.4], "does not explain it"),
        ("test_error(p/e/l)", "mistakes(p/e/k)", [0], "another quantity"),
        ("test_error(p/e/l)", "test_error(p/e/k)", [math.nan], ""),
        (["test_error(p/e/l)", "mistakes(p/e/l)"], ["test_error(p/e/k)", "mistakes(p/e/k)"], [0.1, 0.1], "explains it"),
        (["test_error(p/e/l)", "mistakes(p/e/l)"], "test_error(p/e/k)", [0.1], "another quantity"),
    ],
)
def test_whether_a_tried_cause_explains_the_difference(value, tried, values, told):
    expect = "all <= 0.1" if isinstance(value, list) else "<= 0.1"
    judgement = judged(value, expect, [0.2], expected="not reproduced", tried=[{"what": "t", "value": tried}])
    judgement.tried = [("t", values, "")]
    ((_, _, explained),) = claims.shown_tried(judgement)
    assert explained == told


def test_a_note_states_the_values_of_these_results():
    value = ["test_error(p/e/l)", "mistakes(p/e/l)"]
    judgement = judged(value, "all <= 1", [0.1237, 30.2], note="{0.2} % and {1.0}; {0.1} of [0, 1]")
    assert claims.shown_note(judgement) == "12.37 % and 30; 12.4 of [0, 1]"
    judgement.values = []
    assert claims.shown_note(judgement) == "\u2013 % and \u2013; \u2013 of [0, 1]"
    with pytest.raises(claims.ClaimError, match=r"note: \{2.0\} is not one of the 2 values"):
        judged(value, "all <= 1", [], note="{2.0}")


def test_failing_claims_are_listed_by_kind():
    def failing(statement, **more):
        judgement = judged("1", "<= 0.5", [1.0], statement=statement, expected=claims.NOT_REPRODUCED, **more)
        return dataclasses.replace(judgement, verdict=claims.NOT_REPRODUCED)

    cause = [{"what": "seeds", "value": "1"}]
    lines = markdown.claim_lines(
        [
            failing("is it so", kind="question", tried=cause),
            failing("it was so", undecided="its data are lost", tried=cause),
            failing("it is so", tried=cause),
        ]
    )
    assert [line for line in lines if line] == [
        "Do not hold:",
        "- It is so (`c`): ours 1; above the bound",
        "Cannot be decided:",
        "- It was so (`c`): ours 1; above the bound; its data are lost",
        "Our questions whose answer is no:",
        "- Is it so (`c`): ours 1; above the bound",
    ]
    assert markdown.claim_lines([]) == []
