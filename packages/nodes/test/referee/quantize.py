"""Expected results of ImageQuantize, by Pillow: python3 packages/nodes/test/referee/quantize.py

Writes fixtures/quantize.json. Results are bytes, red, green, blue by pixel; large ones are kept as a hash.
"""

import base64
import hashlib
import json
import math
import pathlib

import numpy as np
from PIL import Image

from noise import noise

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "fixtures"


def normalized_bayer(power):
    """The ordered pattern of 2^power pixels a side, between -0.5 and 0.5."""
    if power == 0:
        return np.zeros((1, 1), np.float32)
    area = np.float32(4**power)
    finer = normalized_bayer(power - 1) * area
    blocks = np.block([[finer - 1.5, finer + 0.5], [finer + 1.5, finer - 0.5]])
    return (blocks / area).astype(np.float32)


def quantized(picture, colors, dither):
    image = Image.fromarray((picture * np.float32(255)).astype(np.int64).astype(np.uint8))
    palette = image.quantize(colors=colors)
    if dither.startswith("bayer"):
        order = int(dither.split("-")[1])
        spread = np.float32(512 / (len(palette.getpalette()) // 3))
        pattern = spread * normalized_bayer(int(math.log2(order))) + np.float32(0.5)
        height, width = picture.shape[:2]
        tiled = np.tile(pattern, (math.ceil(height / order), math.ceil(width / order)))[:height, :width]
        shifted = np.clip(np.asarray(image).astype(np.float32) + tiled[..., None], 0, 255)
        image = Image.fromarray(shifted.astype(np.uint8))
    method = Image.Dither.FLOYDSTEINBERG if dither == "floyd-steinberg" else Image.Dither.NONE
    return np.asarray(image.quantize(palette=palette, dither=method).convert("RGB"))


def case(shape, colors, dither, seed=1, beyond=0.0, levels=0, smooth=False):
    picture = noise((*shape, 3), seed, beyond)
    if levels:
        picture = np.floor(picture * levels) / np.float32(levels)
    if smooth:
        rows = np.arange(shape[0], dtype=np.float32)[:, None, None] / np.float32(shape[0])
        columns = np.arange(shape[1], dtype=np.float32)[None, :, None] / np.float32(shape[1])
        picture = (picture * np.float32(0.125) + rows * np.float32(0.5) + columns * np.float32(0.25)).astype(np.float32)
    result = quantized(picture, colors, dither)
    given = {"height": shape[0], "width": shape[1], "colors": colors, "dither": dither}
    given |= {"seed": seed, "beyond": beyond, "levels": levels, "smooth": smooth}
    if result.size <= 200:
        return {**given, "expected": base64.b64encode(result.tobytes()).decode()}
    return {**given, "sha256": hashlib.sha256(result.tobytes()).hexdigest()}


def main():
    dithers = ["none", "floyd-steinberg", "bayer-2", "bayer-4", "bayer-8", "bayer-16"]
    cases = [case((5, 7), colors, dither, seed=3) for dither in dithers for colors in (1, 2, 5, 256)]
    cases += [case((33, 20), colors, dither, seed=4) for dither in dithers for colors in (3, 16, 100, 256)]
    cases += [case((64, 96), colors, dither, seed=5, smooth=True) for dither in dithers for colors in (2, 7, 64, 256)]
    # Few distinct values, so that boxes with equal counts and equally near colors occur.
    cases += [case((40, 40), colors, dither, seed=6, levels=4) for dither in dithers for colors in (4, 9, 30, 256)]
    cases += [case((1, 1), 8, dither, seed=7) for dither in dithers]
    cases += [case((1, 9), 3, dither, seed=8) for dither in dithers]
    cases += [case((9, 1), 3, dither, seed=9) for dither in dithers]
    cases += [case((16, 16), 12, dither, seed=10, beyond=0.3) for dither in ("none", "floyd-steinberg")]
    # More than 65536 colors: low bits are dropped before cutting.
    cases += [case((300, 300), 37, dither, seed=11) for dither in ("none", "floyd-steinberg")]
    lines = ",\n".join(json.dumps(each, separators=(",", ":")) for each in cases)
    FIXTURES.joinpath("quantize.json").write_text(f"[\n{lines}\n]\n")


main()
