"""The one error that a user can mend. Programming errors and failures of the work itself do not belong here."""


class InputError(Exception):
    """Bad usage or bad input: one line that names the input, the reason and, where there is one, the way out.

    The command line prints the line and exits with 2; it never shows a traceback for it.
    """
