"""docs/spec-format.md and the keys that the reader of specs has."""

import json
import pathlib
import re
import tomllib

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TEXT = (ROOT / "docs" / "spec-format.md").read_text(encoding="utf-8").split("\n## Trials and ids")[0]
BLOCKS = re.findall(r"```toml\n(.*?)```", TEXT, re.S)


@pytest.fixture
def keys(okbench):
    return json.loads(okbench("list", "keys", "--json", check=0).stdout)


def shown(table, path=""):
    """Dotted keys of a parsed example, those of lists of tables among them."""
    for key, value in table.items():
        yield f"{path}{key}"
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict):
                yield from shown(inner, f"{path}{key}.")


def pattern(key):
    """A listed key as an expression: names in capitals stand for any."""
    return r"\.".join(r"[^.]+" if part.isupper() else re.escape(part) for part in key.split("."))


def test_the_examples_have_listed_keys_alone(keys):
    listed = re.compile("|".join(pattern(row["key"]) for row in keys))
    # Paths of tiers are whole keys.
    written = [
        key
        for block in BLOCKS
        for key in shown(tomllib.loads(block))
        if not key.startswith(("tiers.quick.", "kernel.terms."))
    ]
    assert len(written) > 60
    assert not [key for key in written if not listed.fullmatch(key)]
    for block in BLOCKS:
        for path in tomllib.loads(block).get("tiers", {}).get("quick", {}):
            assert listed.fullmatch(path)


def test_every_listed_key_is_in_the_document(keys):
    written = [key for block in BLOCKS for key in shown(tomllib.loads(block))]
    code = " ".join([*re.findall(r"`([^`]+)`", TEXT), *BLOCKS])
    words = set(re.findall(r"[\w.]+", code)) | {
        word for dotted in re.findall(r"[\w.]+", code) for word in dotted.split(".")
    }
    missing = [
        row["key"]
        for row in keys
        if not any(re.fullmatch(pattern(row["key"]), key) for key in written) and row["name"] not in words
    ]
    assert not [key for key in missing if not key.split(".")[-1].isupper()]


def test_values_that_are_one_of_a_few_are_all_in_the_document(keys):
    for row in keys:
        if row["type"] == "choice":
            for value in row["allowed"].removeprefix("one of ").split(", "):
                assert re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", TEXT), (row["key"], value)
