"""Where the command `turnwise` starts: ctrl+c is heard before anything that takes time is loaded."""

import signal

from turnwise.tui.cli.interrupts import end_at_once

# Nothing is under way yet.
signal.signal(signal.SIGINT, end_at_once)


def main() -> None:
    """Run the command line, and end the process with its exit code."""
    from turnwise.tui.cli.main import main as run_commands  # 60 ms

    run_commands()
