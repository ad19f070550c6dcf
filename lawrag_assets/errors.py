"""The errors that end a command in one line. Programming errors do not belong here: they keep their traceback."""


class InputError(Exception):
    """Bad usage or bad input: one line that names the input, the reason and, where there is one, the way out.

    The command line prints the line and exits with 2; it never shows a traceback for it.
    """


class WorkFailedError(Exception):
    """The work failed, though usage and input were right: one line that says what failed and why. Exit code 1."""
