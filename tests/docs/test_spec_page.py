"""The examples of docs/reference/specs.md have keys that the reader of specs knows."""

import json
import pathlib
import re
import tomllib

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCKS = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "reference" / "specs.md").read_text(encoding="utf-8"), re.S)


@pytest.fixture
def keys(okbench):
    return json.loads(okbench("help", "keys", "--json", check=0).stdout)


def dotted(table, path=""):
    """Dotted keys of a parsed example, also those of tables in lists."""
    for key, value in table.items():
        yield f"{path}{key}"
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict):
                yield from dotted(inner, f"{path}{key}.")


def pattern(key):
    """A listed key as an expression: names in capitals stand for any."""
    return r"\.".join(r"[^.]+" if part.isupper() else re.escape(part) for part in key.split("."))


def test_the_examples_have_listed_keys_only(keys):
    listed = re.compile("|".join(pattern(row["key"]) for row in keys))
    written = [key for block in BLOCKS for key in dotted(tomllib.loads(block)) if not key.startswith("tiers.quick.")]
    assert len(written) > 30
    assert not [key for key in written if not listed.fullmatch(key)]
