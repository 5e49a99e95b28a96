"""``python -m hairpin``: the command line."""

from __future__ import annotations

from hairpin.cli import main

if __name__ == "__main__":
    main()
