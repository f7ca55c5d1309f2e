"""The installed `lectern`."""

import sys

import frozen_start

if __name__ == "__main__":
    frozen_start.prepare()
    from core.__main__ import main

    sys.exit(main())
