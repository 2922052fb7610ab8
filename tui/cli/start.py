"""Where the command `turnwise` starts: ctrl+c is heard before anything that takes time is loaded."""

# The module that `signal` is made of: it is a part of Python itself, and loading the other takes a while.
import _signal  # type: ignore[import-not-found]
import os


def _end_at_once(number: int, frame: object) -> None:
    """End the process: nothing is under way yet."""
    os.write(2, b"Interrupted.\n")
    os._exit(130)


_signal.signal(_signal.SIGINT, _end_at_once)


def main() -> None:
    """Run the command line, and end the process with its exit code."""
    from turnwise.tui.cli.main import main as run_commands  # 60 ms

    run_commands()
