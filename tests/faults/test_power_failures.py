"""Power that fails: what was flushed until then has to be enough, and what was not may be there or not."""

import concurrent.futures
import hashlib
import random

import disk
import pytest
import verbs


class Failures:
    """A run of a verb, and all that the disk may hold after a power failure at any point of it."""

    def __init__(self, runner, verb):
        self.runner, self.verb = runner, verb
        place, journal = runner.place("journalled"), runner.folder / "journal"
        journal.touch()
        (place / "tmp").mkdir()
        more = {"LD_PRELOAD": str(runner.faults.library), "JOURNAL": str(journal), "JOURNAL_BELOW": str(place)}
        done = runner.call(verb.words(place), place, more)
        assert done.returncode == 0 and verb.complete(place, done), done
        self.records, self.disk = list(disk.records(journal)), disk.Disk(place, [place / "tmp"])
        self.last = {path.relative_to(place): path.read_bytes() for path in verbs.files_below(place)}

    def states(self, variants):
        """(name, state, output) after each record: what is sure, all names, and `variants` between the two."""
        printed, rng = "", random.Random(5)
        for k, record in enumerate(self.records):
            if record[0] == "tell":
                printed += record[-1].decode()
            else:
                self.disk.apply(record)
            yield f"{k}-least", self.disk.least(), printed
            yield f"{k}-names", self.disk.names_alone(), printed
            for i in range(variants):
                yield f"{k}-some{i}", self.disk.some(rng), printed

    def wrong(self, name, state, printed, again):
        place = self.runner.place(name)
        disk.put(state, place)
        wrong = self.verb.lost(place, printed)
        if again:
            wrong += self.runner.wrong_after(self.verb, place)
        return [f"{self.verb.name}, power fails at {name}: {problem}" for problem in wrong]


@pytest.mark.parametrize("kind", [verbs.Run, verbs.Pack, verbs.Merge], ids=lambda kind: kind.name)
def test_reported_trials_survive_a_power_failure(fault_runner, kind):
    failures = Failures(fault_runner, kind(fault_runner))
    seen, tried = set(), []
    for name, state, printed in failures.states(3 if verbs.FULL else 1):
        content = hashlib.sha256(repr(sorted(state.items())).encode()).digest()
        # Checks equal states for each output, because more output promises more. Reruns from each state once.
        tried.append((name, state, printed, content not in seen))
        seen.add(content)
    # Without a power failure, the replayed disk equals what the program left.
    final = {path: content for path, content in failures.disk.state(failures.disk.names, whole).items() if content}
    assert final == {str(path): content for path, content in failures.last.items() if content}
    # Checks every state. Reruns from a sample of the distinct states, or from all of them in a full test.
    every = 1 if verbs.FULL else max(1, len(tried) // 16)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = list(
            pool.map(lambda at: failures.wrong(*tried[at][:3], tried[at][3] and at % every == 0), range(len(tried)))
        )
    print(f"\n{kind.name}: {len(tried)} power failures, {len(seen)} states of the disk")
    wrong = [line for lines in wrong for line in lines]
    assert not wrong, f"{len(wrong)}:\n" + "\n".join(wrong[:20])


def whole(file):
    return file.content(file.pending)
