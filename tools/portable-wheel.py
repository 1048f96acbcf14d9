#!/usr/bin/python3
"""Makes a wheel independent of Debian's libraries: portable-wheel.py WHEEL FOLDER.

Copies the shared libraries of the program and the module into the wheel, with their licences, except those that PEP 600
lets a wheel expect. Renames the copies, so that the loader cannot confuse them with the system's libraries. Sets the
wheel's tag to the minimum glibc version. Prints the path of the new wheel.
"""

import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

# What PEP 600 lets a wheel expect of the system.
SYSTEM = re.compile(r"(linux-vdso|ld-linux-.*|lib(c|m|dl|rt|util|pthread|resolv|gcc_s|stdc\+\+))\.so(\.\d+)?$")
LIBRARIES = "okbench.libs"


def run(*command):
    try:
        done = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True)
    except FileNotFoundError:
        sys.exit(f"portable-wheel: {command[0]} is missing; tools/setup.sh package installs it")
    except subprocess.CalledProcessError as error:
        sys.exit(f"portable-wheel: {' '.join(map(str, command))} failed: {error.stderr.strip()}")
    return done.stdout


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def needed(path):
    return run("patchelf", "--print-needed", path).split()


def resolved(path):
    """{name: path} of all libraries that a file needs, directly and not."""
    lines = run("ldd", path).splitlines()
    found = {words[0]: words[2] for words in map(str.split, lines) if len(words) > 2 and words[1] == "=>"}
    lost = [name for name, place in found.items() if place == "not"]
    if lost:
        sys.exit(f"portable-wheel: {path} needs {lost[0]}, which is not installed")
    return {name: pathlib.Path(place).resolve() for name, place in found.items() if not SYSTEM.match(name)}


def own_name(path, name):
    """libz.so.1 -> libz-<digest of its content>.so.1"""
    stem, dot, rest = name.partition(".so")
    return f"{stem}-{hashlib.sha256(path.read_bytes()).hexdigest()[:8]}{dot}{rest}"


def licences(paths):
    """{package: its copyright file} of libraries."""
    # Debian 12 knows some by their path without /usr.
    places = {path: (str(path), str(path).removeprefix("/usr")) for path in paths}
    asked = ["dpkg-query", "-S", *(place for both in places.values() for place in both)]
    try:
        lines = subprocess.run(asked, capture_output=True, text=True).stdout.splitlines()
    except FileNotFoundError:
        sys.exit("portable-wheel: dpkg-query is missing; the libraries' licences are those of Debian's packages")
    owners = {place: owner.partition(":")[0] for owner, _, place in (line.partition(": ") for line in lines)}
    found = {}
    for path, both in places.items():
        package = next((owners[place] for place in both if place in owners), None)
        text = pathlib.Path("/usr/share/doc", str(package), "copyright")
        if not text.is_file():
            sys.exit(f"portable-wheel: the licence of {path} is in no Debian package")
        found[package] = text
    return found


def unpack(wheel, folder):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
        for one in archive.infolist():
            # The program's right to be run.
            (folder / one.filename).chmod(0o755 if one.external_attr >> 16 & 0o100 else 0o644)
    return folder


def bundle(folder):
    """Puts the libraries into an unpacked wheel."""
    own = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink() and is_elf(path)]
    libraries = {name: path for file in own for name, path in resolved(file).items()}
    names = {name: own_name(path, name) for name, path in libraries.items()}
    target = folder / LIBRARIES
    (target / "licences").mkdir(parents=True)
    for name, path in libraries.items():
        shutil.copyfile(path, target / names[name])
    for package, text in licences(libraries.values()).items():
        shutil.copyfile(text, target / "licences" / package)
    for file in own + [target / name for name in names.values()]:
        words = [word for name in needed(file) if name in names for word in ("--replace-needed", name, names[name])]
        up = "/".join([".."] * len(file.relative_to(folder).parts[:-1]))
        # One at a time: with a new path in the same run, patchelf 0.14 forgets the new names.
        if words:
            run("patchelf", *words, file)
        if file.parent == target:
            run("patchelf", "--set-soname", file.name, file)
        run("patchelf", "--set-rpath", "$ORIGIN" if file.parent == target else f"$ORIGIN/{up}/{LIBRARIES}", file)


def least_c_library(folder):
    """The newest version of glibc, as (2, minor), of which any file here uses a symbol."""
    text = "".join(run("readelf", "-VW", path) for path in folder.rglob("*") if path.is_file() and is_elf(path))
    return max((int(major), int(minor)) for major, minor in re.findall(r"GLIBC_(\d+)\.(\d+)", text))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wheel, out = map(pathlib.Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as temporary:
        folder = unpack(wheel, pathlib.Path(temporary))
        bundle(folder)
        record = next(folder.glob("*.dist-info/WHEEL"))
        tag = "manylinux_{}_{}_".format(*least_c_library(folder))
        record.write_text(re.sub(r"(?m)^(Tag: .*-)linux_", rf"\g<1>{tag}", record.read_text()))
        out.mkdir(parents=True, exist_ok=True)
        output = run(sys.executable, "-m", "wheel", "pack", folder, "--dest-dir", out)
    print(out / re.search(r"([^/\s]+\.whl)", output)[1])


if __name__ == "__main__":
    main()
