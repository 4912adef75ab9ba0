"""Makes a report folder small enough for the repository: `python reports/slim.py FOLDER`.

No number changes, and no picture to the eye. Left out are `tallies.json`, which a run makes again, and the
SVG files, whose drawings `report.html` holds. Stored in fewer bytes are those drawings, as text instead of
base64, and the PNG files, with a palette.
"""

from __future__ import annotations

import base64
import re
import sys
from pathlib import Path

import numpy as np
from PIL import Image

FREQUENT, OTHERS = 128, 128
"""Colours kept as they are, the most frequent ones (areas and text), and colours chosen to stand for the rest
(edges and gradients)."""
EMBEDDED = re.compile(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)")


def as_text(found: re.Match[str]) -> str:
    """An embedded drawing as a percent-encoded address; only white space between its words is lost."""
    drawing = " ".join(base64.b64decode(found[1]).decode("utf-8").split())
    for char in '%#"&':
        drawing = drawing.replace(char, f"%{ord(char):02X}")
    return f"data:image/svg+xml;charset=utf-8,{drawing}"


def with_palette(picture: Image.Image) -> Image.Image:
    """The picture in at most 256 colours, every pixel in the nearest one."""
    pixels = np.asarray(picture).astype(np.int32)
    codes, place, times = np.unique(pixels @ [1 << 16, 1 << 8, 1], return_inverse=True, return_counts=True)
    colours = np.stack([codes >> 16, codes >> 8 & 255, codes & 255], -1)
    frequent = colours[np.argsort(-times, kind="stable")[:FREQUENT]]
    others = picture.quantize(OTHERS, Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = np.concatenate([frequent, np.reshape(others, (-1, 3))])
    nearest = ((colours[:, None] - palette) ** 2).sum(-1).argmin(1).astype(np.uint8)
    small = Image.fromarray(nearest[place.reshape(pixels.shape[:2])])
    small.putpalette(palette.astype(np.uint8).tobytes())
    return small


def slim(folder: Path) -> None:
    """Rewrite a report folder in place."""
    (folder / "tallies.json").unlink(missing_ok=True)
    for path in (folder / "figures").glob("*.svg"):
        path.unlink()
    for path in (folder / "figures").glob("*.png"):
        with Image.open(path) as picture:
            small = with_palette(picture.convert("RGB"))
        small.save(path, optimize=True)
    page = folder / "report.html"
    page.write_text(EMBEDDED.sub(as_text, page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    slim(Path(sys.argv[1]))
