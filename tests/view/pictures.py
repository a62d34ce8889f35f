"""What screenshots show."""

import io

import numpy as np
from PIL import Image

ORANGE = np.array([0xD9, 0x62, 0x2B], float)
"""Of the wheel, the second body."""


def pixels(screenshot: bytes) -> np.ndarray:
    """(height, width, 3)"""
    with Image.open(io.BytesIO(screenshot)) as picture:
        return np.asarray(picture.convert("RGB"), float)


def orange(image: np.ndarray) -> float:
    """Share of the pixels that have the wheel's hue, lit or in shade."""
    flat = image.reshape(-1, 3)
    size = np.linalg.norm(flat, axis=1) + 1e-9
    return float(np.mean((flat @ ORANGE / size / np.linalg.norm(ORANGE) > 0.98) & (size > 60)))


def differ(a: np.ndarray, b: np.ndarray) -> float:
    """Share of the pixels that are clearly not the same."""
    return float(np.mean(np.abs(a - b).max(axis=2) > 24))
