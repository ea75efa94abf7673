"""Expected results of geometry nodes, by PyTorch, Pillow and NumPy: python3 packages/nodes/test/referee/geometry.py

Writes fixtures/geometry.json. Sources are noise of noise.py; results are little-endian float32.
"""

import base64
import math

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image

from fixture import write_fixture
from noise import noise


def tensor(shape, seed=1, beyond=0.0):
    return torch.from_numpy(noise(shape, seed, beyond))


def encoded(result):
    array = np.ascontiguousarray(np.asarray(result), dtype="<f4")
    return {"shape": list(array.shape), "data": base64.b64encode(array.tobytes()).decode()}


def lanczos(array, width, height):
    """One picture of floats through 8 bits."""
    data = np.clip(np.float32(255) * np.asarray(array, np.float32), 0, 255).astype(np.uint8)
    if data.ndim == 3 and data.shape[-1] == 1:
        data = data[..., 0]
    return torch.from_numpy(np.asarray(Image.fromarray(data).resize((width, height), Image.Resampling.LANCZOS)) / np.float32(255))


def case(node, inputs, params, *results):
    return {"node": node, "inputs": inputs, "params": params, "expected": [encoded(result) for result in results]}


def given(*shape, seed=1, beyond=0.0):
    return {"shape": list(shape), "seed": seed, "beyond": beyond}


def make(spec):
    return tensor(spec["shape"], spec["seed"], spec["beyond"])


def turned():
    for quarters, name in enumerate(("none", "90 degrees", "180 degrees", "270 degrees")):
        for shape in ((2, 5, 7, 3), (1, 3, 2, 4), (1, 35, 40, 1)):
            spec = given(*shape)
            if shape[1] == 35 and quarters in (0, 2):
                continue
            yield case("ImageRotate", {"image": spec}, {"rotation": name}, torch.rot90(make(spec), k=quarters, dims=[2, 1]))
    for axis, name in ((1, "x-axis: vertically"), (2, "y-axis: horizontally")):
        spec = given(2, 5, 4, 3)
        yield case("ImageFlip", {"image": spec}, {"flip_method": name}, torch.flip(make(spec), dims=[axis]))


def outpaint():
    for margins, feathering in (((8, 0, 3, 1), 2), ((0, 4, 0, 0), 3), ((1, 2, 3, 4), 9), ((0, 0, 0, 0), 2), ((5, 5, 5, 5), 0)):
        left, top, right, bottom = margins
        spec = given(2, 9, 8, 3)
        image = make(spec)
        _, height, width, channels = image.shape
        grown = F.pad(image, (0, 0, left, right, top, bottom), value=0.5)
        rows = torch.arange(height, dtype=torch.float64)[:, None].expand(height, width)
        columns = torch.arange(width, dtype=torch.float64)[None].expand(height, width)
        distance = torch.full((height, width), math.inf, dtype=torch.float64)
        if top:
            distance = torch.minimum(distance, rows)
        if bottom:
            distance = torch.minimum(distance, height - rows)
        if left:
            distance = torch.minimum(distance, columns)
        if right:
            distance = torch.minimum(distance, width - columns)
        inner = torch.zeros(height, width, dtype=torch.float64)
        if feathering > 0 and feathering * 2 < min(height, width):
            inner = ((feathering - distance) / feathering).clamp(min=0).nan_to_num(neginf=0) ** 2
        mask = F.pad(inner, (left, right, top, bottom), value=1.0)[None]
        params = {"left": left, "top": top, "right": right, "bottom": bottom, "feathering": feathering}
        yield case("ImagePadForOutpaint", {"image": spec}, params, grown, mask)


COLORS = {"white": (1, 1, 1), "black": (0, 0, 0), "red": (1, 0, 0), "green": (0, 1, 0), "blue": (0, 0, 1)}


def opaque(image, channels):
    return F.pad(image, (0, channels - image.shape[-1]), value=1.0)


def stitched():
    for index, (direction, match, spacing, color, first, second) in enumerate((
        ("right", True, 0, "white", (1, 6, 5, 3), (1, 9, 7, 3)),
        ("down", True, 4, "red", (2, 6, 5, 3), (1, 9, 7, 4)),
        ("left", False, 2, "black", (1, 6, 5, 4), (3, 9, 7, 3)),
        ("up", False, 3, "white", (1, 6, 5, 3), (1, 9, 8, 4)),
        ("right", False, 0, "blue", (1, 6, 5, 3), (1, 3, 7, 3)),
        ("down", False, 0, "white", (1, 6, 5, 3), (1, 3, 5, 3)),
    )):
        specs = given(*first, seed=index + 1), given(*second, seed=index + 20, beyond=0.1)
        one, two = map(make, specs)
        across = direction in ("left", "right")
        if match:
            aspect = second[2] / second[1]
            width, height = (int(first[1] * aspect), first[1]) if across else (first[2], int(first[2] / aspect))
            two = torch.stack([lanczos(each, width, height) for each in two])
        else:
            side = 1 if across else 2
            grey = 1.0 if color == "white" else 0.0
            most = max(one.shape[side], two.shape[side])
            def widened(image):
                missing = most - image.shape[side]
                before = missing // 2
                around = (0, 0, 0, 0, before, missing - before) if across else (0, 0, before, missing - before)
                return F.pad(image, around, value=grey)
            one, two = widened(one), widened(two)
        batch = max(len(one), len(two))
        one, two = (torch.cat([each, each[-1:].expand(batch - len(each), -1, -1, -1)]) for each in (one, two))
        channels = max(one.shape[-1], two.shape[-1])
        parts = [opaque(one, channels), opaque(two, channels)]
        if direction in ("left", "up"):
            parts.reverse()
        if spacing:
            wide = spacing + spacing % 2
            size = (batch, one.shape[1], wide, 1) if across else (batch, wide, one.shape[2], 1)
            pixel = torch.tensor([*map(float, COLORS[color]), 1.0])[:channels]
            parts.insert(1, torch.ones(size) * pixel)
        params = {"direction": direction, "match_image_size": match, "spacing_width": spacing, "spacing_color": color}
        yield case("ImageStitch", {"image1": specs[0], "image2": specs[1]}, params, torch.cat(parts, dim=2 if across else 1))


def starts(length, size, overlap):
    stride = round(max(size * 0.25, size - overlap))
    at, found = 0, []
    while True:
        end = min(at + size, length)
        found.append(max(0, end - size))
        if end >= length:
            return found
        at += stride


def merged():
    for width, height, tile_width, tile_height, overlap, batch in ((40, 33, 16, 20, 6, 1), (40, 33, 16, 20, 0, 2), (12, 9, 16, 20, 4, 1), (300, 70, 128, 64, 100, 1)):
        areas = [(x, y) for y in starts(height, tile_height, overlap) for x in starts(width, tile_width, overlap)]
        tile_width, tile_height = min(tile_width, width), min(tile_height, height)
        specs = [given(batch, tile_height, tile_width, 3, seed=index + 1) for index in range(len(areas))]
        weight = torch.ones(tile_height, tile_width)
        if overlap:
            weight = torch.outer(
                torch.sin(torch.linspace(0, 1, tile_height) * math.pi).clamp(min=1e-5),
                torch.sin(torch.linspace(0, 1, tile_width) * math.pi).clamp(min=1e-5),
            )
        weight = weight[None, :, :, None]
        total, weights = torch.zeros(batch, height, width, 3), torch.zeros(batch, height, width, 1)
        for spec, (x, y) in zip(specs, areas):
            total[:, y : y + tile_height, x : x + tile_width] += make(spec) * weight
            weights[:, y : y + tile_height, x : x + tile_width] += weight
        result = (total / weights)[:, ::7, ::5] if width == 300 else total / weights
        params = {"final_width": width, "final_height": height, "overlap": overlap}
        yield {**case("ImageMergeTileList", {"image_list": specs}, params, result), "every": [7, 5] if width == 300 else [1, 1]}


def cut_out():
    for index, (shape, mask_shape, width, height, pad, grow, background) in enumerate((
        ((1, 40, 30, 3), (1, 40, 30), 64, 72, 1.0, 0, "#000000"),
        ((2, 100, 90, 4), (1, 50, 45), 72, 64, 1.3, 2, "#ff8000"),
        ((1, 80, 120, 3), (1, 80, 120), 64, 64, 1.1, -1, "#102030"),
    )):
        inputs = {"images": given(*shape, seed=index + 1, beyond=0.1), "masks": given(*mask_shape, seed=index + 9)}
        images, noisy = make(inputs["images"])[..., :3], make(inputs["masks"])
        # A block of subject in the noise, which the test makes as well; the last case has it the other way round.
        _, mask_height, mask_width = mask_shape
        top, left = mask_height // 3, mask_width // 3
        masks = noisy * 0.3
        masks[:, top : 2 * top, left : 2 * left + 3] = 0.9 + noisy[:, top : 2 * top, left : 2 * left + 3] * 0.1
        if index == 2:
            masks = 1 - masks
        if masks.shape[1:] != images.shape[1:3]:
            masks = F.interpolate(masks[:, None], size=images.shape[1:3], mode="bilinear")[:, 0]
        results = []
        for number, image in enumerate(images):
            image, mask = image.clamp(0, 1), masks[min(number, len(masks) - 1)].clamp(0, 1)
            if index == 2:
                mask = 1 - mask
            if grow > 0:
                mask = F.max_pool2d(mask[None, None], 2 * grow + 1, 1, grow)[0, 0]
            elif grow < 0:
                mask = 1 - F.max_pool2d(1 - mask[None, None], 1 - 2 * grow, 1, -grow)[0, 0]
            mask = torch.where(mask < 0.05, 0.0, mask)
            most = max(width, height)
            if max(mask.shape) > most:
                scale = most / max(mask.shape)
                size = int(mask.shape[1] * scale), int(mask.shape[0] * scale)
                image, mask = lanczos(image, *size), lanczos(mask, *size)
            subject = ((mask * 255).to(torch.uint8) > 204).nonzero()
            (y0, x0), (y1, x1) = subject.amin(0).tolist(), subject.amax(0).tolist()
            wide, high, aspect = x1 - x0 + 1, y1 - y0 + 1, width / height
            if wide / high >= aspect:
                part = int(wide * pad), int(wide / aspect * pad)
            else:
                part = int(high * aspect * pad), int(high * pad)
            half = [math.ceil(each / 2) for each in part]
            left, top = int((x0 + x1) / 2 - half[0]), int((y0 + y1) / 2 - half[1])
            margin = 4 * max(image.shape)
            def taken(value, fill):
                around = F.pad(value, (0, 0) * (value.ndim - 2) + (margin,) * 4, value=fill)
                return around[margin + top : margin + top + 2 * half[1], margin + left : margin + left + 2 * half[0]]
            share = taken(mask, 0.0)[..., None]
            color = torch.tensor([int(background[at : at + 2], 16) / 255 for at in (1, 3, 5)])
            results.append(lanczos((taken(image, 0.0) * share + color * (1 - share)).clamp(0, 1), width, height))
        params = {"width": width, "height": height, "pad_factor": pad, "grow_mask": grow, "background": background}
        result = torch.stack(results)
        yield {**case("ImageCropToMask", inputs, params, result[:, ::3, ::3]), "inverted": index == 2}


def gridded():
    specs = [given(1, 20, 30, 3), given(2, 9, 9, 4, seed=2), given(1, 40, 8, 3, seed=3)]
    cells = [lanczos(each, 32, 40)[..., :3] for spec in specs for each in make(spec)]
    grid = torch.zeros(40 * 2 + 5, 32 * 3 + 2 * 5, 3)
    for index, cell in enumerate(cells):
        x, y = index % 3 * 37, index // 3 * 45
        grid[y : y + 40, x : x + 32] = cell
    params = {"columns": 3, "cell_width": 32, "cell_height": 40, "padding": 5}
    yield {**case("ImageGrid", {"images": specs}, params, grid[None, ::3, ::3]), "every": [3, 3]}


def hashed():
    for channels in (1, 3, 4):
        for seed in range(1, 5):
            spec = given(1, 40, 31, channels, seed=seed)
            data = np.clip(np.float32(255) * make(spec).numpy()[0], 0, 255).astype(np.uint8)
            small = Image.fromarray(data[..., 0] if channels == 1 else data).resize((8, 8), Image.Resampling.LANCZOS)
            levels = np.asarray(small.convert("L"), np.float64).reshape(-1)
            yield {"image": spec, "bits": "".join("1" if level > levels.mean() else "0" for level in levels)}


def drawn():
    for seed in (0, 1, 42, 2**31, 2**32 - 2):
        words = np.random.RandomState(seed).randint(0, 2**32, size=1300, dtype=np.uint32)
        generator = np.random.RandomState(seed)
        below = [int(generator.randint(0, count)) for count in (1, 2, 3, 100, 257, 4096, 2**31 + 1, 7)]
        order = np.random.RandomState(seed).permutation(20).tolist()
        torch.manual_seed(seed)
        low_bits = torch.empty(4, dtype=torch.int64).random_(0, 2**16).tolist()
        yield {"seed": seed, "words": words[[0, 1, 623, 624, 625, 1299]].tolist(), "below": below, "order": order, "torch": low_bits}


nodes = [*turned(), *outpaint(), *stitched(), *merged(), *cut_out(), *gridded()]
write_fixture("geometry", {"nodes": nodes, "hashes": list(hashed()), "draws": list(drawn())})
