"""Masks and compositing, computed with PyTorch and SciPy: python3 packages/nodes/test/referee/masks.py"""

import base64

import numpy as np
import scipy.ndimage
import torch
import torch.nn.functional as F

from fixture import write_fixture
from noise import noise


def packed(array):
    array = np.ascontiguousarray(array, dtype="<f4")
    return {"shape": list(array.shape), "data": base64.b64encode(array.tobytes()).decode()}


def bilinear(mask, height, width):
    return F.interpolate(torch.from_numpy(mask)[:, None], size=(height, width), mode="bilinear")[:, 0].numpy()


def grow(mask, expand, tapered):
    footprint = scipy.ndimage.generate_binary_structure(2, 1 if tapered else 2)
    step = scipy.ndimage.grey_dilation if expand > 0 else scipy.ndimage.grey_erosion
    pictures = []
    for picture in mask:
        for _ in range(abs(expand)):
            picture = step(picture, footprint=footprint)
        pictures.append(picture)
    return np.stack(pictures)


def feather(mask, left, top, right, bottom):
    result = torch.from_numpy(mask.copy())
    for step in range(left):
        result[:, :, step] *= (step + 1) / left
    for step in range(right):
        result[:, :, -step] *= (step + 1) / right
    for step in range(top):
        result[:, step, :] *= (step + 1) / top
    for step in range(bottom):
        result[:, -step, :] *= (step + 1) / bottom
    return result.numpy()


def combined(destination, source, x, y, operation):
    result = torch.from_numpy(destination.copy())
    source = torch.from_numpy(source)
    bottom = min(y + source.shape[1], result.shape[1])
    right = min(x + source.shape[2], result.shape[2])
    a = result[:, y:bottom, x:right]
    b = source[:, : bottom - y, : right - x]
    logical = {"and": torch.logical_and, "or": torch.logical_or, "xor": torch.logical_xor}
    if operation in logical:
        value = logical[operation](a.round().bool(), b.round().bool()).float()
    else:
        value = {"multiply": torch.mul, "add": torch.add, "subtract": torch.sub}[operation](a, b)
    result[:, y:bottom, x:right] = value
    return result.clamp(0, 1).numpy()


def laid_over(destination, source, x, y, mask, resize):
    result = torch.from_numpy(destination.copy())
    height, width = result.shape[1:3]
    source = torch.from_numpy(source)
    if resize:
        source = F.interpolate(source.movedim(-1, 1), size=(height, width), mode="bilinear").movedim(1, -1)
    source = source.repeat(-(-result.shape[0] // source.shape[0]), 1, 1, 1)[: result.shape[0]]
    if mask is None:
        cover = torch.ones(source.shape[:3])
    else:
        cover = torch.from_numpy(bilinear(mask, *source.shape[1:3]))
        cover = cover.repeat(-(-result.shape[0] // cover.shape[0]), 1, 1)[: result.shape[0]]
    bottom, right = min(y + source.shape[1], height), min(x + source.shape[2], width)
    cover = cover[:, : bottom - y, : right - x, None]
    result[:, y:bottom, x:right] = (
        cover * source[:, : bottom - y, : right - x] + (1 - cover) * result[:, y:bottom, x:right]
    )
    return result.numpy()


def porter_duff(mode, source, source_mask, destination, destination_mask):
    a, b = (1 - torch.from_numpy(m)[..., None] for m in (source_mask, destination_mask))
    s, d = torch.from_numpy(source) * a, torch.from_numpy(destination) * b
    union = a + b - a * b
    alpha, colour = {
        "ADD": lambda: ((a + b).clamp(0, 1), (s + d).clamp(0, 1)),
        "CLEAR": lambda: (torch.zeros_like(a), torch.zeros_like(s)),
        "DARKEN": lambda: (union, (1 - b) * s + (1 - a) * d + torch.min(s, d)),
        "DST": lambda: (b, d),
        "DST_ATOP": lambda: (a, a * d + (1 - b) * s),
        "DST_IN": lambda: (a * b, a * d),
        "DST_OUT": lambda: ((1 - a) * b, (1 - a) * d),
        "DST_OVER": lambda: (b + (1 - b) * a, d + (1 - b) * s),
        "LIGHTEN": lambda: (union, (1 - b) * s + (1 - a) * d + torch.max(s, d)),
        "MULTIPLY": lambda: (a * b, s * d),
        "OVERLAY": lambda: (union, torch.where(2 * d < b, 2 * s * d, a * b - 2 * (b - s) * (a - d))),
        "SCREEN": lambda: (union, s + d - s * d),
        "SRC": lambda: (a, s),
        "SRC_ATOP": lambda: (b, b * s + (1 - a) * d),
        "SRC_IN": lambda: (a * b, b * s),
        "SRC_OUT": lambda: ((1 - b) * a, (1 - b) * s),
        "SRC_OVER": lambda: (a + (1 - a) * b, s + (1 - a) * d),
        "XOR": lambda: ((1 - b) * a + (1 - a) * b, (1 - b) * s + (1 - a) * d),
    }[mode]()
    colour = torch.where(alpha > 1e-5, colour / alpha, torch.zeros_like(colour)).clamp(0, 1)
    return colour.numpy(), (1 - alpha)[..., 0].numpy()


def main():
    sections = {}
    sections["grow"] = [
        {"expand": n, "tapered": t, "result": packed(grow(noise((2, 7, 9), 3), n, t))}
        for n in (1, -1, 2, -3)
        for t in (True, False)
    ]
    sections["feather"] = [
        {"left": l, "top": t, "right": r, "bottom": b, "result": packed(feather(noise((2, 6, 5), 4), l, t, r, b))}
        for l, t, r, b in ((0, 0, 0, 0), (3, 0, 0, 0), (0, 2, 0, 0), (0, 0, 3, 0), (0, 0, 0, 4), (5, 6, 5, 6))
    ]
    sections["combine"] = [
        {"x": x, "y": y, "operation": o, "result": packed(combined(noise((2, 6, 7), 5), noise((n, 4, 5), 6), x, y, o))}
        for o in ("multiply", "add", "subtract", "and", "or", "xor")
        for x, y, n in ((0, 0, 1), (3, 4, 2))
    ]
    sections["over"] = [
        {
            "x": x,
            "y": y,
            "resize": resize,
            "masked": masked,
            "batch": batch,
            "result": packed(
                laid_over(
                    noise((3, 6, 7, 3), 7),
                    noise((batch, 4, 5, 3), 8),
                    x,
                    y,
                    noise((batch, 3, 8), 9) if masked else None,
                    resize,
                )
            ),
        }
        for x, y, resize, masked, batch in (
            (0, 0, False, False, 1),
            (4, 3, False, False, 2),
            (1, 2, False, True, 1),
            (0, 0, True, True, 2),
            (5, 5, True, True, 3),
        )
    ]
    duff = []
    for mode in (
        "ADD CLEAR DARKEN DST DST_ATOP DST_IN DST_OUT DST_OVER LIGHTEN MULTIPLY OVERLAY SCREEN SRC SRC_ATOP SRC_IN "
        "SRC_OUT SRC_OVER XOR"
    ).split():
        masks = noise((1, 4, 5), 11), noise((1, 4, 5), 12)
        for mask in masks:
            mask[0, 0], mask[0, 1, :2] = 1, 0
        colour, alpha = porter_duff(mode, noise((1, 4, 5, 3), 10), masks[0], noise((1, 4, 5, 3), 13), masks[1])
        duff.append({"mode": mode, "image": packed(colour), "mask": packed(alpha)})
    sections["porterDuff"] = duff
    sections["join"] = [
        {
            "images": images,
            "masks": masks,
            "result": packed(bilinear(noise((masks, 3, 8), 15), 6, 7)),
        }
        for images, masks in ((1, 1), (3, 1), (2, 3))
    ]
    colours = noise((1, 16, 16, 3), 16)
    bytes_ = (torch.from_numpy(colours).clamp(0, 1) * 255).round().int().numpy()
    keys = bytes_[..., 0] * 65536 + bytes_[..., 1] * 256 + bytes_[..., 2]
    sections["colors"] = [{"keys": [int(key) for key in keys.ravel()]}]
    write_fixture("masks", sections)


main()
