#!/usr/bin/env python
"""Django's command line for mtcalc."""

import os
import sys


def main() -> None:
    """Run the command named by the arguments."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mtcalc.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
