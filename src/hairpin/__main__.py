"""The command line: ``hairpin``, which is also ``python -m hairpin``."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is still being loaded ends it as quietly as later on."""
    try:
        from hairpin.cli import main as run
    except KeyboardInterrupt:
        sys.stderr.write("hairpin: interrupted\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
