"""A learner that asks for more memory than there is: its trial fails, and the program says so in one line."""


def test_a_learner_that_exceeds_the_memory_fails(okbench, toy, tmp_path):
    done = okbench(
        *("run", "toy.toml", "--only", "*svmd*", "--out", "r"),
        *("--set", "learners.svmd.buffer=4611686018427387903"),
        env=toy("1 1:1\n-1 1:0\n" * 30, "1 1:1\n"),
    )
    assert done.returncode in (1, 2) and 1 <= done.stderr.count("\n") <= 4, done
