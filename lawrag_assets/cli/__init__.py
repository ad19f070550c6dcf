"""The command line `lawrag`: words in, results out. What the work is stands in the rooms; nothing is computed here."""

import sys

import typer

from lawrag_assets.errors import InputError, WorkFailedError


def main() -> None:
    """Run the command line. Exit codes: 0 done; 1 the work failed; 2 bad usage or input, with one line that says what."""
    sys.exit(run_command_line(sys.argv[1:]))


def run_command_line(arguments: list[str]) -> int:
    """Run `lawrag ARGUMENTS…` and return its exit code."""
    from lawrag_assets.cli.app import app
    from lawrag_assets.cli.output import complain

    try:
        result = app(arguments, prog_name="lawrag", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except InputError as error:
        complain(str(error))
        return 2
    except typer.TyperException as error:
        complain(f"{error.format_message()} (see lawrag {' '.join(arguments[:1])} --help)")
        return 2
    except WorkFailedError as error:
        complain(str(error))
        return 1
    except (KeyboardInterrupt, typer.Abort):
        complain("interrupted; the same command goes on where it stopped")
        return 130
