"""What a disk may hold after a power failure, from a journal of the changes that a program made (faults.c)."""

import os

FOLDER = object()


class File:
    """The bytes of a file: those that are on the disk for sure, and what was done to it since."""

    def __init__(self):
        self.flushed, self.pending = b"", []

    def flush(self):
        self.flushed, self.pending = self.content(self.pending), []

    def content(self, changes):
        """The flushed bytes with some of the changes made to them."""
        content = bytearray(self.flushed)
        for offset, data in changes:
            if data is None:  # cut, or made longer
                content[offset:] = bytes(max(0, offset - len(content)))
            else:
                content.extend(bytes(max(0, offset - len(content))))
                content[offset : offset + len(data)] = data
        return bytes(content)


def records(journal):
    """(kind, inode, offset, path, second path, bytes) of each record of a journal."""
    content, at = journal.read_bytes(), 0
    while at < len(content):
        end = content.index(b"\n", at)
        kind, inode, offset, count, path, other = content[at:end].decode().split("\t")
        at = end + 1 + int(count)
        yield kind, int(inode), int(offset), os.path.normpath(path), os.path.normpath(other), content[end + 1 : at]


class Disk:
    """A folder below which all that happens is in the journal; `known` are the folders that were there before."""

    def __init__(self, folder, known):
        self.folder = str(folder)
        self.names = {self.folder: FOLDER, **{str(path): FOLDER for path in known}}
        self.lasting = dict(self.names)  # names that are on the disk for sure
        self.files = {}  # by inode

    def apply(self, record):
        kind, inode, offset, path, other, data = record
        if kind == "create":
            self.names[path] = self.files[inode] = File()
        elif kind == "write":
            self.files[inode].pending.append((offset, data))
        elif kind == "truncate":
            self.files[inode].pending.append((offset, None))
        elif kind == "sync":
            self.files[inode].flush()
        elif kind == "folder":
            for name in [name for name in self.lasting if os.path.dirname(name) == path and name not in self.names]:
                del self.lasting[name]
            self.lasting.update({name: node for name, node in self.names.items() if os.path.dirname(name) == path})
        elif kind == "rename":
            self.names[other] = self.names.pop(path)
        elif kind == "unlink":
            del self.names[path]
        elif kind == "mkdir":
            self.names[path] = FOLDER

    def least(self):
        """What was flushed, and no more."""
        return self.state(self.lasting, lambda file: file.flushed)

    def names_alone(self):
        """All names, and of the files what was flushed."""
        return self.state(self.names, lambda file: file.flushed)

    def some(self, rng):
        """The flushed state plus a random subset of the unflushed names and writes."""
        names = {}
        for name in sorted({*self.names, *self.lasting}):
            node = (self.names if rng.random() < 0.5 else self.lasting).get(name)
            if node is not None:
                names[name] = node
        return self.state(names, lambda file: file.content([change for change in file.pending if rng.random() < 0.5]))

    def state(self, names, content):
        """{relative path: bytes, or None for a folder}. Entries whose parent folder is missing are lost."""
        state = {}
        for name in sorted(names):
            above = os.path.relpath(os.path.dirname(name), self.folder)
            if name != self.folder and (above == "." or above in state):
                node = names[name]
                state[os.path.relpath(name, self.folder)] = None if node is FOLDER else content(node)
        return state


def put(state, place):
    """Makes files and folders of a state in an empty folder."""
    for name, content in state.items():
        if content is None:
            (place / name).mkdir(exist_ok=True)
        else:
            (place / name).write_bytes(content)
