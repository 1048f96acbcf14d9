"""Images with boxes in the real binary: own sets, their visual words, and what is wrong with them."""

import io
import json
import tarfile

import numpy as np
import pytest
from conftest import boxes_spec
from PIL import Image

HEADER = "image,split,class,xmin,ymin,xmax,ymax,difficult\n"
SPEC = boxes_spec("mine", "recall = true\n", "[trace]\nrounds = [1]\n")


def picture(seed, mode="RGB", size=(64, 48)):
    pixels = np.random.default_rng(seed).integers(0, 256, (size[1], size[0], len(mode)), dtype=np.uint8)
    return Image.fromarray(pixels if len(mode) > 1 else pixels[:, :, 0], mode)


def encoded(image, kind="JPEG"):
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()


def write_set(folder, images, rows, train=4, test=2):
    """A catalog `mine` with these images (name -> bytes) and rows of the table."""
    (folder / "mine").mkdir(exist_ok=True)
    with tarfile.open(folder / "mine/images.tar", "w") as archive:
        for name, content in images.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    (folder / "mine/annotations.csv").write_text(HEADER + "".join(row + "\n" for row in rows))
    files = "files = [{ name = 'mine/images.tar', sha256 = '' }, { name = 'mine/annotations.csv', sha256 = '' }]"
    (folder / "own.toml").write_text(
        "[mine]\ntitle = 'own'\nformat = 'images'\nkind = 'structured'\ncategory = 'cow'\nterms = 'none'\n"
        "words = { count = 5, cells = 2 }\n"
        f"[mine.train]\nrows = {train}\n{files}\n[mine.test]\nrows = {test}\n{files}\n"
    )
    (folder / "spec.toml").write_text(SPEC)


def good_set(folder):
    images = {f"{i}.jpg": encoded(picture(i)) for i in range(6)}
    rows = [f"{i}.jpg,{'train' if i < 4 else 'test'},cow,{4 + i},6,{40 + i},30,0" for i in range(6)]
    write_set(folder, images, rows)
    return images, rows


@pytest.fixture
def call(tmp_path, okbench):
    return lambda *arguments: okbench(
        *arguments, env={"OKBENCH_CACHE": str(tmp_path), "OKBENCH_CATALOG": str(tmp_path / "own.toml")}
    )


def test_own_images_are_learned_from_and_their_words_are_kept(tmp_path, call):
    good_set(tmp_path)
    process = call("data", "words", "mine")
    assert process.returncode == 0 and process.stdout.startswith("made"), process.stderr
    again = call("data", "words", "mine")
    assert again.returncode == 0 and again.stdout.startswith("verified") and not again.stderr
    done = call("run", "spec.toml", "--out", "results")
    assert done.returncode == 0, done.stderr
    row = json.loads(call("summary", "results", "--json").stdout)["trials"][0]
    assert row["status"] == "ok" and row["oracle_calls"] > 0 and 0 <= row["test_task_loss"] <= 1
    assert row["kernel_evaluations"]["requested"] > 0 and row["synthetic"] is False
    # A damaged file of words is made anew, to the same bits.
    (words,) = (tmp_path / "words").iterdir()
    content = bytearray(words.read_bytes())
    content[-1] ^= 1
    words.write_bytes(bytes(content))
    assert call("run", "spec.toml", "--out", "other").returncode == 0
    compared = call("compare", "results", "other")
    assert compared.returncode == 0 and "bit for bit" in compared.stdout
    assert call("data", "words", "mine").stdout.startswith("verified")


def same(content):
    return content


ROW = "1.jpg,train,cow,5,6,41,30,0"


# What becomes of the image 1.jpg, and of its row of the table; what okbench says of it.
WRONG = {
    "truncated": (lambda content: content[:-200], ROW, "1.jpg: JPEG is damaged or truncated"),
    "CMYK": (
        lambda content: encoded(picture(1, "CMYK")),
        ROW,
        "1.jpg: JPEG is neither grey nor RGB",
    ),
    "20 megapixels": (
        lambda content: encoded(Image.new("L", (5500, 3700))),
        ROW,
        "5500 x 3700 pixels; the maximum is 2^24 pixels",
    ),
    "GIF": (lambda content: encoded(picture(1), "GIF"), ROW, "1.jpg: not a JPEG, PNG, or binary PGM or PPM image"),
    "small": (
        lambda content: encoded(picture(1, size=(6, 48))),
        "1.jpg,train,cow,0,0,6,20,0",
        "1.jpg: is smaller than a descriptor's patch of 8 pixels",
    ),
    "box outside": (same, "1.jpg,train,cow,4,6,65,30,0", "a box of 1.jpg exceeds the image of 64 x 48 pixels"),
    "box without area": (same, "1.jpg,train,cow,4,6,4,30,0", "annotations.csv:3: the box has no area"),
    "unknown image": (same, "x.jpg,train,cow,4,6,40,30,0", "image 'x.jpg' is missing from the archive"),
    "no number": (same, "1.jpg,train,cow,4,six,40,30,0", "annotations.csv:3: 'six' is not an integer"),
    "few fields": (same, "1.jpg,train,cow,4", "annotations.csv:3: has 4 fields, expected at least 8"),
    "image without box": (same, "", "part train has 3 images, expected 4"),
    "only a difficult box": (same, ROW[:-1] + "1", "part train has 3 images, expected 4"),
}


@pytest.mark.parametrize("spoil, row, message", WRONG.values(), ids=WRONG.keys())
def test_bad_images_are_one_line_and_leave_no_partial_file(tmp_path, call, spoil, row, message):
    images, rows = good_set(tmp_path)
    assert rows[1] == ROW
    images["1.jpg"] = spoil(images["1.jpg"])
    write_set(tmp_path, images, [*rows[:1], *([row] if row else []), *rows[2:]])
    for arguments in (("data", "words", "mine"), ("run", "spec.toml", "--out", "results")):
        done = call(*arguments)
        assert done.returncode != 0
        lines = [line for line in done.stderr.splitlines() if message in line]
        assert lines, done.stderr
    kept = list((tmp_path / "words").iterdir()) if (tmp_path / "words").exists() else []
    assert not [path for path in kept if ".part-" in path.name]
    assert not list((tmp_path / "results").rglob("*.h5"))


def test_specs_of_images_say_which_boxes(tmp_path, call):
    good_set(tmp_path)
    spec = tmp_path / "spec.toml"
    for old, new, message in (
        ("[data.boxes]\nstride = 12\nrecall = true\n", "", "data.boxes: is missing; it says which boxes of mine"),
        ("stride = 12", "stride = 0", "data.boxes.stride"),
        ("recall = true", "suppression = 0.5", "data.boxes.suppression: needs recall = true"),
        ("recall = true", "recall = true\nsuppression = 0", "data.boxes.suppression: 0 is out of range"),
        ("recall = true", 'normalisation = "l3"', "data.boxes.normalisation: is 'l3', but must be one of l2, l1, none"),
        (
            'recall = true\n[kernel]\nname = "linear"',
            'normalisation = "l1"\n[kernel]\nname = "histogram-intersection"',
            "normalisation needs the kernel linear",
        ),
        (
            'name = "linear"',
            'name = "rbf"\ngamma = 1',
            "learns boxes with the kernels histogram-intersection and linear",
        ),
        ('learner = "structural-sfd"', 'learner = "norma"', ""),
    ):
        spec.write_text(SPEC.replace(old, new))
        done = call("run", "spec.toml", "--out", "results")
        assert done.returncode != 0 and message in done.stderr, done.stderr
    spec.write_text(SPEC.replace('"mine"', '"usps"'))
    done = call("run", "spec.toml", "--out", "results")
    assert done.returncode != 0 and "needs a data set of images; usps has rows of features" in done.stderr


def test_words_and_boxes_have_the_same_bits_on_every_instruction_set(tmp_path, call):
    good_set(tmp_path)
    refused = call("run", "spec.toml", "--out", "none", "--isa", "none").stderr
    targets = refused.split("choose one of ")[1].split()
    assert "best" in [target.strip(",.") for target in targets] and len(targets) > 1
    kept = set()
    for number, target in enumerate(word.strip(",.") for word in targets):
        done = call("run", "spec.toml", "--out", target, "--isa", target, "--jobs", 1 + number % 2)
        assert done.returncode == 0, done.stderr
        (words,) = (tmp_path / "words").iterdir()
        kept.add(words.read_bytes())
        words.unlink()  # made anew by the next
        assert "bit for bit" in call("compare", "best", target).stdout
    assert len(kept) == 1
