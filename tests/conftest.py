"""What holds for every test."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Whoever starts tests in the background of a shell lets them ignore Ctrl-C, and all processes that they start."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
