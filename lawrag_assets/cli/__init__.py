"""The command line `lawrag`: words in, results out. What the work is stands in the rooms; nothing is computed here."""

import os
import sys

import typer

from lawrag_assets.errors import InputError, WorkFailedError

INTERRUPTED = 130
"""The exit code of a command that was interrupted, as shells have it: 128 + SIGINT."""


def main() -> None:
    """Run the command line. Exit codes: 0 done; 1 the work failed; 2 bad usage or input, with one line that says what."""
    sys.exit(run_command_line(sys.argv[1:]))


def run_command_line(arguments: list[str]) -> int:
    """Run `lawrag ARGUMENTS…` and return its exit code."""
    from lawrag_assets.cli.app import app

    try:
        result = app(arguments, prog_name="lawrag", standalone_mode=False)
    except InputError as error:
        return _complain(str(error), 2)
    except typer.TyperException as error:
        command = getattr(getattr(error, "ctx", None), "command_path", "lawrag")
        return _complain(f"{error.format_message()} (see {command} --help)", 2)
    except BrokenPipeError:  # whoever read the output has had enough of it, as `head` has
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (WorkFailedError, OSError) as error:
        return _complain(str(error), 1)
    except (KeyboardInterrupt, typer.Abort):
        result = INTERRUPTED
    if result == INTERRUPTED:  # typer, too, turns an interrupt into this code
        return _complain("interrupted; the same command goes on where it stopped", INTERRUPTED)
    return result if isinstance(result, int) else 0


def _complain(line: str, code: int) -> int:
    """Say in one line on stderr what is wrong, and return the exit code."""
    print(f"lawrag: {' '.join(line.split())}", file=sys.stderr)
    return code
