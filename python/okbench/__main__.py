"""python -m okbench: the program `okbench`, with this interpreter."""

from .home import main

main()
