"""What claims files say of their papers: where they are to be found."""

import json
import pathlib
import re

import pytest

from okbench import claims
from okbench.cli import call

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILES = sorted((ROOT / "experiments").glob("*/claims.toml"))
# Handouts and the like, which have no address that lasts; the claims file says so.
NOWHERE = ("linear-2010",)
ABOUT = {"title": "t", "authors": "a", "venue": "v", "text": "x"}


def write(folder, about):
    """A claims file of the paper p."""
    file = folder / "p" / "claims.toml"
    file.parent.mkdir(exist_ok=True)
    table = "".join(f"{key} = {json.dumps(value)}\n" for key, value in about.items())
    file.write_text(f'format = 1\npaper = "p"\n[about]\n{table}')
    return file


@pytest.mark.parametrize("path", FILES, ids=[path.parent.name for path in FILES])
def test_every_paper_has_a_doi_or_an_address(path):
    about = claims.read(path).about
    if path.parent.name in NOWHERE:
        assert claims.address(about) is None and "# No doi or url: " in path.read_text()
    else:
        assert about.keys() & {"doi", "url"} and claims.address(about).startswith("https://")


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"dio": "10.1000/182"}, "about.dio: unknown key, or not a text; did you mean doi?"),
        ({"doi": "https://doi.org/10.1000/182"}, "about.doi must be a bare DOI, such as 10.1000/182"),
        ({"doi": "10.1000/1 82"}, "about.doi must be a bare DOI"),
        ({"doi": 10.1}, "about.doi: unknown key, or not a text"),
        ({"url": "www.example.org"}, "about.url must be a URL that starts with http:// or https://"),
        ({"url": "javascript:alert(1)"}, "about.url must be a URL"),
        ({"url": "https://example.org/a\nb"}, "about.url must be a URL"),
    ],
)
def test_an_invalid_address_is_one_line(tmp_path, change, cause):
    file = write(tmp_path, {**ABOUT, **change})
    with pytest.raises(claims.ClaimError) as raised:
        claims.read(file)
    assert str(raised.value).startswith(f"{file}: {cause}") and "\n" not in str(raised.value)


def test_a_paper_needs_a_title_where_it_is_reported_of(tmp_path):
    for key in ABOUT:
        file = write(tmp_path, {other: value for other, value in ABOUT.items() if other != key})
        with pytest.raises(claims.ClaimError, match=f"about.{key} is missing"):
            claims.read(file)
    file.write_text('format = 1\npaper = "p"\nabout = 3\n')
    with pytest.raises(claims.ClaimError, match="about must be a table"):
        claims.read(file)
    file.write_text('format = 1\npaper = "p"\n')
    assert claims.read(file).about is None


def test_a_doi_is_the_better_address(tmp_path):
    both = {**ABOUT, "doi": "10.1000/182", "url": "https://example.org/p"}
    assert claims.address(claims.read(write(tmp_path, both)).about) == "https://doi.org/10.1000/182"
    assert claims.address(claims.read(write(tmp_path, {**ABOUT, "url": "https://example.org/p"})).about) == both["url"]
    assert claims.address(ABOUT) is None


def test_json_has_the_papers(tmp_path, capsys):
    write(tmp_path, {**ABOUT, "doi": "10.1000/182"})
    (tmp_path / "r").mkdir()
    assert call("claims", ["--experiments", str(tmp_path), "--results", str(tmp_path / "r"), "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert output["papers"] == [
        {"paper": "p", "title": "t", "authors": "a", "venue": "v", "doi": "10.1000/182", "url": None}
    ]
    assert output["claims"] == []


def test_citations_name_the_papers_with_their_addresses():
    """CITATION.cff and codemeta.json have the papers of the claims files, with their titles and addresses."""
    papers = {about["title"]: claims.address(about) for about in (claims.read(path).about for path in FILES)}
    meta = json.loads((ROOT / "codemeta.json").read_text())
    assert {publication["name"]: publication.get("url") for publication in meta["referencePublication"]} == papers
    references = (ROOT / "CITATION.cff").read_text().split("\nreferences:\n")[1]
    cited = {}
    for entry in re.split(r"^  - ", references, flags=re.M)[1:]:
        url = re.search(r"^    url: (\S+)$", entry, re.M)
        cited[re.search(r'^    title: "?(.*?)"?$', entry, re.M)[1]] = url and url[1]
    assert cited == papers
