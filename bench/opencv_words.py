#!/usr/bin/python3
"""Computes visual words with OpenCV and scikit-learn, to check okbench's descriptors independently.

Reads a words file from `okbench data words` and writes a file of the same name to another cache folder. It has the same
points of the same images, with OpenCV's SIFT (cells of the same size) and scikit-learn's k-means. Set OKBENCH_CACHE to
that folder to run any spec on these words. Needs Debian's python3-opencv and python3-sklearn.

usage: opencv_words.py WORDS_FILE IMAGES_TAR CELL_PIXELS OTHER_CACHE
"""

import hashlib
import pathlib
import struct
import sys
import tarfile

import cv2
import numpy as np
from sklearn.cluster import MiniBatchKMeans


from okbench.writing import write_bytes

MAGIC = b"okbench words 1\n"
HEAD = struct.Struct("<7I")  # width, height, first point, step, columns, rows, planes
WORDS, SAMPLE = 1000, 500  # number of visual words; descriptors per image for k-means


def read_heads(path):
    """[(name, header)] of the images in a words file. Exits if the file is invalid or has colour words."""
    data = path.read_bytes()
    if not data.startswith(MAGIC):
        sys.exit(f"opencv_words: {path}: not a words file")
    data = data[len(MAGIC) + 64 :]
    (count,) = struct.unpack_from("<I", data)
    at, heads = 4, []
    for _ in range(count):
        (length,) = struct.unpack_from("<I", data, at)
        name = data[at + 4 : at + 4 + length].decode()
        head = HEAD.unpack_from(data, at + 4 + length)
        if head[6] != 1:
            sys.exit("opencv_words: colour words are not supported")
        at += 4 + length + HEAD.size + 2 * head[4] * head[5]
        heads.append((name, head))
    return heads


def descriptors(sift, archive, name, head, cell):
    """OpenCV's SIFT descriptors at the points of an image. A cell is 3/2 of the key point's size."""
    width, height, first, step, columns, rows, _ = head
    image = cv2.imdecode(np.frombuffer(archive.extractfile(name).read(), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert image.shape == (height, width)
    points = [
        cv2.KeyPoint(float(first + c * step), float(first + r * step), cell / 1.5, 0)
        for r in range(rows)
        for c in range(columns)
    ]
    kept, vectors = sift.compute(image, points)
    assert len(kept) == len(points)
    return vectors


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    source, images, cell, cache = pathlib.Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]), pathlib.Path(sys.argv[4])
    heads, sift, random = read_heads(source), cv2.SIFT_create(), np.random.default_rng(0)
    with tarfile.open(images) as archive:
        sample = []
        for name, head in heads:
            vectors = descriptors(sift, archive, name, head, cell)
            sample.append(vectors[random.choice(len(vectors), min(SAMPLE, len(vectors)), replace=False)])
        kmeans = MiniBatchKMeans(WORDS, random_state=0, n_init=1, batch_size=10000, max_iter=60)
        centres = kmeans.fit(np.concatenate(sample)).cluster_centers_.astype(np.float32)
        out = struct.pack("<I", len(heads))
        for name, head in heads:
            vectors = descriptors(sift, archive, name, head, cell)
            words = np.argmax(vectors @ centres.T - (centres**2).sum(axis=1) / 2, axis=1).astype("<u2")
            out += struct.pack("<I", len(name)) + name.encode() + HEAD.pack(*head) + words.tobytes()
    target = cache / "words" / source.name
    write_bytes(target, MAGIC + hashlib.sha256(out).hexdigest().encode() + out, folders=True)
    print(target)


if __name__ == "__main__":
    main()
