"""What holds for every test."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Whoever starts tests in the background of a shell, or with nohup, lets them ignore signals, and all processes
    that they start.
    """
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, usual)
