"""From tallies to a report folder."""

import logging

# Matplotlib tells on standard error where it keeps its fonts when it cannot write to the home folder.
logging.getLogger("matplotlib").setLevel(logging.ERROR)
