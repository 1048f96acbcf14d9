"""Publishers' archives of images, small ones of their layout: asked for by name, fetched, resumed, checked, read."""

import hashlib
import http.server
import io
import json
import tarfile
import threading

import h5py
import numpy as np
import pytest
from conftest import boxes_spec
from PIL import Image

SPEC = boxes_spec("mine-cat")


def xml(size, box):
    sides = "".join(f"<{side}>{value}</{side}>" for side, value in zip(("xmin", "ymin", "xmax", "ymax"), box))
    return (
        f"<annotation><size><width>{size[0]}</width><height>{size[1]}</height><depth>3</depth></size>"
        f"<object><name>cat</name><difficult>0</difficult><bndbox>{sides}</bndbox></object></annotation>"
    ).encode()


def voc_archive(split, numbers):
    """A tar of VOC 2007's layout with these images of a split, 160 x 120 pixels each."""
    files = {f"ImageSets/Main/cat_{split}.txt": "".join(f"{n:06d}  1\n" for n in numbers).encode()}
    for n in numbers:
        pixels = np.random.default_rng(n).integers(0, 256, (120, 160, 3), dtype=np.uint8)
        out = io.BytesIO()
        Image.fromarray(pixels).save(out, "JPEG")
        files[f"JPEGImages/{n:06d}.jpg"] = out.getvalue()
        files[f"Annotations/{n:06d}.xml"] = xml((160, 120), (11, 21, 100 + n, 90))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo("VOCdevkit/VOC2007/" + name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves archives with ranges; the first answer ends half-way."""

    archives = {"/train.tar": voc_archive("train", range(1, 7)), "/test.tar": voc_archive("test", range(7, 10))}
    log = []

    def do_GET(self):
        self.log.append((self.path, self.headers.get("Range")))
        body = self.archives[self.path]
        start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-")) if self.headers.get("Range") else 0
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        self.wfile.write(body[start : len(body) // 2] if len(self.log) == 1 else body[start:])

    def log_message(self, *_):
        pass


@pytest.fixture
def call(tmp_path, okbench):
    Handler.log = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        parts, published = "", ""
        for part, rows in (("train", 6), ("test", 2)):
            md5 = hashlib.md5(Handler.archives[f"/{part}.tar"]).hexdigest()
            large = (
                f"{{ name = 'upstream/{part}.tar', urls = ['http://127.0.0.1:{server.server_port}/{part}.tar'],"
                f" file_md5 = '{md5}', bytes = {len(Handler.archives[f'/{part}.tar'])}, on_request = true }}"
            )
            parts += f"[mine-cat.{part}]\nrows = {rows}\nfiles = [" + ", ".join(
                f"{{ name = 'mine/{name}', urls = [], sha256 = '{64 * '0'}', alternatives = [{large}] }}"
                for name in ("images.tar", "annotations.csv")
            )
            parts += "]\n"
            published += f"{part} = {{ rows = {rows if part == 'train' else 3}, files = [{large}] }}\n"
        (tmp_path / "own.toml").write_text(
            "[mine-cat]\ntitle = 'own'\nformat = 'images'\nkind = 'structured'\ncategory = 'cat'\ncategories = 'cat'\n"
            "terms = 'none'\nwords = { count = 5, cells = 2 }\nlayout = 'voc2007'\nside = 80\nmost = 2\n"
            + parts
            + "[mine-all]\nlike = 'mine-cat'\ntitle = 'all'\npublished = true\nmost = 0\n"
            + published
        )
        (tmp_path / "spec.toml").write_text(SPEC)
        env = {
            "OKBENCH_CACHE": str(tmp_path / "cache"),
            "OKBENCH_CATALOG": str(tmp_path / "own.toml"),
            "NO_PROXY": "*",
        }
        yield lambda *arguments: okbench(*arguments, env=env)
        server.shutdown()


def test_archives_are_fetched_when_asked_for_and_read(tmp_path, call):
    missing = call("data", "words", "mine-cat")
    assert missing.returncode == 1 and not Handler.log
    fetched = call("data", "fetch", "mine")  # the start of the name
    assert fetched.returncode == 0, fetched.stderr
    assert "upstream/train.tar has" in fetched.stdout and "MB" in fetched.stdout  # said beforehand
    half = len(Handler.archives["/train.tar"]) // 2
    assert Handler.log == [("/train.tar", None), ("/train.tar", f"bytes={half}-"), ("/test.tar", None)]
    process = call("data", "words", "mine-cat")
    assert process.returncode == 0 and "6 training images" in process.stdout, process.stderr
    shown = call("data", "show", "mine-cat").stdout
    assert "upstream/train.tar" in shown
    done = call("run", "spec.toml", "--out", "results")
    assert done.returncode == 0, done.stderr
    assert '"synthetic":false' in call("summary", "results", "--json").stdout


def test_a_set_of_published_archives_has_all_their_test_images(tmp_path, call):
    """mine-cat takes the first two test images, mine-all the three that there are, from the same archives."""
    assert call("data", "fetch", "mine-all").returncode == 0
    (tmp_path / "all.toml").write_text(SPEC.replace("mine-cat", "mine-all").replace("own/", "all/"))
    for spec, images in (("spec.toml", 2), ("all.toml", 3)):
        done = call("run", spec, "--out", spec.removesuffix(".toml"))
        assert done.returncode == 0 and "SYNTHETIC" not in done.stderr, done.stderr
        trace = next((tmp_path / spec.removesuffix(".toml")).rglob("*.h5"))
        with h5py.File(trace) as file:
            assert json.loads(file.attrs["provenance"])["data_shape"]["test"] == images


def test_a_damaged_archive_is_reported(tmp_path, call):
    assert call("data", "fetch", "mine-cat").returncode == 0
    path = tmp_path / "cache/upstream/train.tar"
    path.write_bytes(path.read_bytes()[:-600] + bytes(600))
    path.write_bytes(path.read_bytes()[:-512] + b"x" * 512)
    done = call("data", "words", "mine-cat")
    assert done.returncode != 0 and "md5" in done.stderr.lower(), done.stderr
    assert not (tmp_path / "cache/words").exists()


def test_specs_never_fetch_large_archives(tmp_path, call):
    done = call("run", "spec.toml", "--out", "results")
    assert done.returncode == 0 and not Handler.log
    assert '"synthetic":true' in call("summary", "results", "--json").stdout
