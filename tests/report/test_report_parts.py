"""The report without a browser: what charts keep of long series, and texts that it cannot use."""

import numpy as np
import pytest

from okplots import report


def test_thinning_keeps_spikes_and_ends():
    x = np.arange(1.0, 50001)
    y = np.zeros(50000)
    y[[7, 31234]] = (5, -5)
    for log in (False, True):
        kept_x, kept_y = report.web_figures.thinned(x, y, log)
        assert len(kept_x) <= report.web_figures.POINTS and kept_x[0] == 1 and kept_x[-1] == 50000
        assert kept_y.max() == 5 and kept_y.min() == -5 and np.all(np.diff(kept_x) > 0)


def test_bad_texts_are_one_clear_line(tmp_path, capsys):
    paper = tmp_path / "experiments" / "p"
    paper.mkdir(parents=True)
    (tmp_path / "r").mkdir()
    head = 'format = 1\npaper = "p"\n'
    for content, cause in (
        (head, "about.title is missing"),
        (
            head + '[about]\ntitle="t"\nauthors="a"\nvenue="v"\ntext="x"\n[[figures]]\nname="p/f"\n',
            "needs name, shows and a list of claims",
        ),
        (
            head
            + '[about]\ntitle="t"\nauthors="a"\nvenue="v"\ntext="x"\n[[figures]]\nname="p/f"\nshows="s"\nclaims=[]\n',
            "no figure or table 'p/f'",
        ),
    ):
        (paper / "claims.toml").write_text(content)
        with pytest.raises(SystemExit) as stopped:
            report.main(
                [
                    "--experiments",
                    str(tmp_path / "experiments"),
                    "--results",
                    str(tmp_path / "r"),
                    "--out",
                    str(tmp_path / "o.html"),
                ]
            )
        assert cause in str(stopped.value) and "\n" not in str(stopped.value)
        assert not (tmp_path / "o.html").exists()
