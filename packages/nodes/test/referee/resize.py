"""Expected results of resizing, by PyTorch and Pillow: python3 packages/nodes/test/referee/resize.py

Writes fixtures/resize.json. Sources are noise of noise.py. Results are little-endian float32, or bytes for what goes
through 8 bits; of long ones only every so many elements are kept. PyTorch rounds positions once or twice depending on
the kernel it takes, which the long rows are for; an x86 machine with fused multiplication is assumed.
"""

import base64
import hashlib

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image

from fixture import write_fixture
from noise import noise


def encoded(array, every=1):
    return base64.b64encode(np.ascontiguousarray(array.reshape(-1)[::every]).tobytes()).decode()


def to_bytes(array):
    return np.clip(np.float32(255) * array, 0, 255).astype(np.uint8)


def picture(data):
    return Image.fromarray(data[..., 0] if data.shape[-1] == 1 else data)


def middle(array, width, height):
    """The part in the middle with the new proportions."""
    old = array.shape[2] / array.shape[1]
    new = width / height
    if old > new:
        x = round((array.shape[2] - array.shape[2] * (new / old)) / 2)
        return array[:, :, x : array.shape[2] - x]
    if old < new:
        y = round((array.shape[1] - array.shape[1] * (old / new)) / 2)
        return array[:, y : array.shape[1] - y]
    return array


def scaled(shape, width, height, method, crop="disabled", seed=1, beyond=0.2, every=1):
    source = noise(shape, seed, beyond)
    if crop == "center":
        source = middle(source, width, height)
    if method == "lanczos":
        made = [picture(to_bytes(each)).resize((width, height), Image.Resampling.LANCZOS) for each in source]
        result = np.stack([np.asarray(each) for each in made])
    else:
        channels_first = torch.from_numpy(np.ascontiguousarray(source)).movedim(-1, 1)
        result = F.interpolate(channels_first, size=(height, width), mode=method).movedim(1, -1).numpy().astype("<f4")
    return {
        "shape": shape,
        "seed": seed,
        "beyond": beyond,
        "width": width,
        "height": height,
        "method": method,
        "crop": crop,
        "every": every,
        "data": encoded(result, every),
    }


METHODS = ("nearest-exact", "bilinear", "area", "bicubic", "lanczos")
SCALED = [
    *(scaled([1, 5, 7, 3], 16, 11, method) for method in METHODS),
    *(scaled([2, 20, 33, 4], 17, 9, method, seed=2) for method in METHODS),
    *(scaled([3, 9, 6, 1], 4, 13, method, seed=3) for method in METHODS),
    *(scaled([1, 20, 33, 3], 10, 12, method, "center", seed=4) for method in METHODS),
    *(scaled([1, 31, 8, 3], 19, 9, method, "center", seed=5) for method in METHODS),
    *(scaled([1, 1, 1, 3], 3, 2, method, seed=6) for method in METHODS),
    *(scaled([1, 1, 1, channels], 90, 70, method, seed=11, every=7)
      for method in ("bilinear", "bicubic") for channels in (3, 4)),
    *(scaled([1, 8, 6, 3], 1, 1, method, seed=7) for method in METHODS),
    *(scaled([1, 3, 3000, channels], 7001, 2, method, seed=8, every=211)
      for channels in (1, 3, 4) for method in ("nearest-exact", "bilinear", "bicubic")),
    *(scaled([1, 3000, 3, channels], 2, 7001, method, seed=9, every=211)
      for channels in (3, 4) for method in ("nearest-exact", "bilinear", "bicubic")),
    *(scaled([1, 200, 150, 3], 7, 5, method, seed=10) for method in ("area", "lanczos")),
]

FILTERS = {
    "box": Image.Resampling.BOX,
    "bilinear": Image.Resampling.BILINEAR,
    "hamming": Image.Resampling.HAMMING,
    "bicubic": Image.Resampling.BICUBIC,
    "lanczos": Image.Resampling.LANCZOS,
}


def resampled(shape, width, height, name, seed=1):
    # Beyond 0 and 1, so that alpha is often 0 or 255.
    source = to_bytes(noise(shape, seed, 0.3))
    result = np.asarray(picture(source).resize((width, height), FILTERS[name]))
    return {
        "shape": shape,
        "seed": seed,
        "width": width,
        "height": height,
        "filter": name,
        "sha256": hashlib.sha256(result.tobytes()).hexdigest(),
    }


SIZES = (
    # from (height, width) to (width, height)
    ((33, 20), (61, 50)),
    ((20, 33), (16, 10)),
    ((40, 40), (20, 40)),
    ((40, 40), (40, 20)),
    ((40, 40), (40, 40)),
    ((37, 41), (80, 12)),
    ((120, 40), (20, 58)),
    ((120, 40), (20, 80)),
    ((120, 40), (20, 81)),
    ((700, 5), (11, 90)),
    ((5, 700), (90, 11)),
    ((1, 1), (4, 3)),
    ((90, 64), (1, 1)),
)
RESAMPLED = [
    resampled([height, width, channels], to_width, to_height, name, seed=channels)
    for (height, width), (to_width, to_height) in SIZES
    for channels in (1, 3, 4)
    for name in FILTERS
]

write_fixture("resize", {"scaled": SCALED, "resampled": RESAMPLED})
