"""python -m okbench: the command `okbench`, with this interpreter for the verbs that are written in Python."""

import json
import sys

from . import cli, console, home


def main():
    words = sys.argv[1:]
    if words == ["--options"]:
        print(json.dumps(cli.options()))
        return 0
    name, arguments = cli.find(words)
    if name is None:
        home.become_program(words)
    return cli.call(name, arguments)


if __name__ == "__main__":
    sys.exit(console.run(main))
