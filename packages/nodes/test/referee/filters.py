"""Expected results of the image filters, by PyTorch and SciPy: python3 packages/nodes/test/referee/filters.py

Writes fixtures/filters.json. Inputs are noise of noise.py; results are little-endian float32, or bytes where all are 0
or 1. Sharpening and color transfer are computed in double precision: in float32 they subtract nearly equal numbers, and
PyTorch's own rounding would be larger than what is to be measured.
"""

import base64
import json
import pathlib

import numpy as np
import scipy.linalg
import torch
import torch.nn.functional as F

from noise import noise

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "fixtures"
CASES = []


def given(*shape, seed=1, beyond=0.0, blocks=0):
    """Noise; with `blocks` squares of so many pixels, black or white in each channel."""
    return {"shape": list(shape), "seed": seed, "beyond": beyond, "blocks": blocks}


def tensor(spec):
    image = noise(spec["shape"], spec["seed"], spec["beyond"])
    if spec["blocks"]:
        rows, columns = (np.arange(size) // spec["blocks"] * spec["blocks"] for size in spec["shape"][1:3])
        image = np.round(image[:, rows][:, :, columns])
    return torch.from_numpy(image)


def add(node, inputs, params, *results):
    encoded = []
    for result in results:
        array = np.ascontiguousarray(np.asarray(result))
        kind = "u1" if array.dtype in (np.uint8, np.bool_) else "<f4"
        encoded.append({"shape": list(array.shape), "type": kind[-2:], "data": base64.b64encode(array.astype(kind).tobytes()).decode()})
    CASES.append({"node": node, "inputs": inputs, "params": params, "expected": encoded})


def levels():
    for spec in (given(1, 5, 7, 3), given(3, 4, 3, 4, beyond=0.4), given(1, 1, 1, 1)):
        image = tensor(spec)
        add("ImageInvert", {"image": spec}, {}, 1.0 - image)
        for factor in (0.0, 0.37, 1.9):
            add("AdjustBrightness", {"images": spec}, {"factor": factor}, (image * factor).clamp(0, 1))
            add("AdjustContrast", {"images": spec}, {"factor": factor}, ((image - 0.5) * factor + 0.5).clamp(0, 1))
        add("NormalizeImages", {"images": spec}, {"mean": 0.485, "std": 0.229}, (image - 0.485) / 0.229)


def soft(x):
    return torch.where(x <= 0.25, ((16 * x - 12) * x + 4) * x, torch.sqrt(x))


MODES = {
    "normal": lambda a, b: b,
    "multiply": lambda a, b: a * b,
    "screen": lambda a, b: 1 - (1 - a) * (1 - b),
    "overlay": lambda a, b: torch.where(a <= 0.5, 2 * a * b, 1 - 2 * (1 - a) * (1 - b)),
    "soft_light": lambda a, b: torch.where(b <= 0.5, a - (1 - 2 * b) * a * (1 - a), a + (2 * b - 1) * (soft(a) - a)),
    "difference": lambda a, b: a - b,
}


def blend():
    first, second, single = given(2, 4, 5, 3, seed=2), given(2, 4, 5, 3, seed=3), given(1, 4, 5, 3, seed=4)
    for mode, mixed in MODES.items():
        for top, factor in ((second, 0.3), (single, 1.0)):
            a, b = tensor(first), tensor(top)
            result = torch.clamp(a * (1 - factor) + mixed(a, b) * factor, 0, 1)
            add("ImageBlend", {"image1": first, "image2": top}, {"blend_mode": mode, "blend_factor": factor}, result)
    # Another size and no alpha: made opaque, resized bicubically, the middle kept (here the columns 1 to 8 of 10).
    base, wide = given(1, 6, 6, 4, seed=5), given(1, 8, 10, 3, seed=6)
    a, b = tensor(base), F.pad(tensor(wide), (0, 1), value=1.0)[:, :, 1:9]
    b = F.interpolate(b.movedim(-1, 1), size=(6, 6), mode="bicubic").movedim(1, -1)
    for mode in ("normal", "screen"):
        result = torch.clamp(a * 0.25 + MODES[mode](a, b) * 0.75, 0, 1)
        add("ImageBlend", {"image1": base, "image2": wide}, {"blend_mode": mode, "blend_factor": 0.75}, result)


def gaussian(radius, sigma):
    line = torch.linspace(-1, 1, 2 * radius + 1)
    weights = torch.exp(-(line[:, None] ** 2 + line[None, :] ** 2) / (2 * sigma * sigma))
    return weights / weights.sum()


def convolved(image, kernel, radius):
    channels = image.shape[-1]
    padded = F.pad(image.movedim(-1, 1), (radius,) * 4, "reflect")
    return F.conv2d(padded, kernel.expand(channels, 1, *kernel.shape), groups=channels).movedim(1, -1)


def blur():
    small, alpha, single = given(1, 5, 7, 3, seed=7), given(3, 6, 5, 4, seed=8), given(1, 9, 8, 1, seed=9, beyond=0.5)
    large, tall = given(1, 32, 33, 2, seed=10), given(1, 3, 30, 3, seed=11)
    for spec, radius, sigma in ((small, 1, 1.0), (small, 4, 0.3), (alpha, 2, 10.0), (single, 3, 0.1), (large, 31, 1.0), (tall, 2, 0.7)):
        image = tensor(spec)
        add("ImageBlur", {"image": spec}, {"blur_radius": radius, "sigma": sigma}, convolved(image, gaussian(radius, sigma), radius))
        for alpha_value in (1.0, 5.0):
            kernel = gaussian(radius, sigma).double() * -(alpha_value * 10)
            kernel[radius, radius] += 1.0 - kernel.sum()
            sharp = convolved(image.double(), kernel, radius).clamp(0, 1)
            add("ImageSharpen", {"image": spec}, {"sharpen_radius": radius, "sigma": sigma, "alpha": alpha_value}, sharp)


def window(image, size, largest):
    sign = 1.0 if largest else -1.0
    before = size // 2
    after = size - 1 - before
    padded = F.pad(sign * image.movedim(-1, 1), (before, after, before, after), value=float("-inf"))
    return sign * F.max_pool2d(padded, size, stride=1).movedim(1, -1)


def morphology():
    specs = (given(1, 5, 7, 3, seed=12), given(2, 9, 4, 4, seed=13, beyond=0.5), given(1, 1, 1, 3, seed=14), given(1, 20, 17, 1, seed=15))
    for spec in specs:
        image = tensor(spec)
        for size in (3, 4, 7, 12, 61):
            low = lambda x: window(x, size, False)
            high = lambda x: window(x, size, True)
            results = {
                "erode": low(image),
                "dilate": high(image),
                "open": high(low(image)),
                "close": low(high(image)),
                "gradient": high(image) - low(image),
                "bottom_hat": low(high(image)) - image,
                "top_hat": image - high(low(image)),
            }
            kept = results if size in (3, 4) and spec["shape"][1] < 20 else {key: results[key] for key in ("dilate", "open")}
            for operation, result in kept.items():
                add("Morphology", {"image": spec}, {"operation": operation, "kernel_size": size}, result)


def canny_edges(image, low, high):
    planes = image.movedim(-1, 1)
    if planes.shape[1] == 3:
        planes = 0.299 * planes[:, 0:1] + 0.587 * planes[:, 1:2] + 0.114 * planes[:, 2:3]
    line = torch.exp(-torch.arange(-2.0, 3.0) ** 2 / 2)
    line = line / line.sum()
    smooth = F.conv2d(F.pad(planes, (2, 2, 0, 0), "reflect"), line.view(1, 1, 1, 5))
    smooth = F.conv2d(F.pad(smooth, (0, 0, 2, 2), "reflect"), line.view(1, 1, 5, 1))
    sobel = torch.tensor([[-1.0, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    slopes = F.conv2d(F.pad(smooth, (1, 1, 1, 1), "replicate"), torch.stack([sobel, sobel.T])[:, None])
    dx, dy = slopes[:, 0], slopes[:, 1]
    steep = torch.sqrt(dx * dx + dy * dy + 1e-6)
    octants = torch.round(torch.rad2deg(torch.atan2(dy, dx)) / 45).long() % 8
    steps = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
    framed = F.pad(steep, (1, 1, 1, 1))
    height, width = steep.shape[1:]
    around = torch.stack([framed[:, 1 + y : 1 + y + height, 1 + x : 1 + x + width] for y, x in steps], 1)
    ahead = around.gather(1, octants[:, None])[:, 0]
    behind = around.gather(1, ((octants + 4) % 8)[:, None])[:, 0]
    steep = torch.where((steep > ahead) & (steep > behind), steep, torch.zeros(()))
    weak, strong = steep > low, steep > high
    while True:
        grown = weak & (F.max_pool2d(strong.float(), 3, 1, 1) > 0) | strong
        if torch.equal(grown, strong):
            return strong
        strong = grown


def canny():
    for spec in (given(1, 33, 20, 3, seed=16), given(3, 16, 16, 3, seed=17), given(1, 24, 30, 1, seed=18), given(1, 3, 3, 3, seed=19), given(2, 40, 48, 3, seed=20, blocks=9)):
        for low, high in ((0.1, 0.5), (0.4, 0.8), (0.3, 0.99)):
            edges = canny_edges(tensor(spec), low, high)
            add("Canny", {"image": spec}, {"low_threshold": low, "high_threshold": high}, edges.numpy())


def yuv():
    for spec in (given(1, 5, 7, 3, seed=20), given(3, 2, 3, 3, seed=21, beyond=0.3), given(1, 1, 1, 3, seed=22)):
        r, g, b = tensor(spec).unbind(-1)
        y = 0.299 * r + 0.587 * g + 0.114 * b
        planes = (y, (b - y) * 0.564 + 0.5, (r - y) * 0.713 + 0.5)
        add("ImageRGBToYUV", {"image": spec}, {}, *(plane[..., None].expand(*plane.shape, 3) for plane in planes))
    y, u, v = given(2, 5, 4, 3, seed=23), given(2, 5, 4, 3, seed=24), given(2, 5, 4, 1, seed=25)
    bright, blue, red = (tensor(spec).mean(-1) for spec in (y, u, v))
    rgb = (bright + 1.403 * (red - 0.5), bright - 0.714 * (red - 0.5) - 0.344 * (blue - 0.5), bright + 1.773 * (blue - 0.5))
    add("ImageYUVToRGB", {"Y": y, "U": u, "V": v}, {}, torch.stack(rgb, -1).clamp(0, 1))


TO_XYZ = np.array([[0.412453, 0.357580, 0.180423], [0.212671, 0.715160, 0.072169], [0.019334, 0.119193, 0.950227]])
WHITE = np.array([0.95047, 1.0, 1.08883])


def to_lab(rgb):
    linear = np.where(rgb > 0.04045, np.power((np.maximum(rgb, 0) + 0.055) / 1.055, 2.4), rgb / 12.92)
    xyz = linear @ TO_XYZ.T / WHITE
    x, y, z = np.moveaxis(np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 4 / 29), -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


def from_lab(lab):
    level = (lab[..., 0] + 16) / 116
    curved = np.stack([lab[..., 1] / 500 + level, level, np.maximum(level - lab[..., 2] / 200, 0)], -1)
    xyz = np.where(curved > 0.2068966, curved**3, (curved - 4 / 29) / 7.787) * WHITE
    linear = xyz @ np.linalg.inv(TO_XYZ).T
    encoded = np.where(linear > 0.0031308, 1.055 * np.power(np.maximum(linear, 0.0031308), 1 / 2.4) - 0.055, 12.92 * linear)
    return np.clip(encoded, 0, 1)


def lab_map(source, reference, method):
    """What takes colors of the source to those of the reference; both are lists of pixels."""
    mean_s, mean_r = source.mean(0), reference.mean(0)
    if method == "reinhard_lab":
        matrix = np.diag(reference.std(0) / source.std(0))
    else:
        cov_s, cov_r = np.cov(source.T, bias=True), np.cov(reference.T, bias=True)
        root = scipy.linalg.sqrtm(cov_s).real
        back = np.linalg.inv(root)
        matrix = back @ scipy.linalg.sqrtm(root @ cov_r @ root).real @ back
    return lambda pixels: (pixels - mean_s) @ matrix.T + mean_r


def matched_levels(source, reference):
    tables = []
    for channel in range(source.shape[-1]):
        counts = [np.bincount(np.clip((v[..., channel] * np.float32(255)).astype(np.int64), 0, 255).ravel(), minlength=256) for v in (source, reference)]
        shares = [torch.from_numpy(np.cumsum(c).astype(np.float32)) for c in counts]
        shares = [s / s[-1] for s in shares]
        tables.append(torch.searchsorted(shares[1], shares[0]).clamp_max(255).float() / 255)
    return tables


def color_transfer():
    target, one, many = given(3, 4, 6, 3, seed=26), given(1, 5, 3, 3, seed=27), given(2, 5, 3, 3, seed=28, beyond=-0.2)
    frames = tensor(target).numpy()
    for method in ("reinhard_lab", "mkl_lab", "histogram"):
        for spec in (one, many):
            reference = tensor(spec).numpy()
            for stats in ("per_frame", "uniform", "target_frame"):
                for strength in (1.0, 0.4) if stats == "per_frame" else (2.5,):
                    results = []
                    for index, frame in enumerate(frames):
                        source = {"per_frame": frame[None], "uniform": frames, "target_frame": frames[1:2]}[stats]
                        own = min(index, len(reference) - 1)
                        goal = reference[own : own + 1] if stats == "per_frame" else reference
                        if method == "histogram":
                            tables = matched_levels(source, goal)
                            bins = np.clip((frame * np.float32(255)).astype(np.int64), 0, 255)
                            matched = np.stack([tables[c].numpy()[bins[..., c]] for c in range(3)], -1)
                            mixed = torch.lerp(torch.from_numpy(frame), torch.from_numpy(matched), strength)
                            results.append(mixed.clamp(0, 1).numpy())
                        else:
                            move = lab_map(to_lab(source.astype(float)).reshape(-1, 3), to_lab(goal.astype(float)).reshape(-1, 3), method)
                            lab = to_lab(frame.astype(float))
                            results.append(from_lab(lab + strength * (move(lab) - lab)))
                    add("ColorTransfer", {"image_target": target, "image_ref": spec}, {"method": method, "stats": stats, "target_index": 1, "strength": strength}, np.stack(results))


def histogram():
    for spec in (given(2, 20, 33, 3, seed=29, beyond=0.2), given(1, 1, 1, 4, seed=30)):
        pixels = tensor(spec).numpy()[0]
        level = lambda values: np.bincount(np.clip(values * 255, 0, 255).astype(np.uint8).ravel(), minlength=256)
        r, g, b = (level(pixels[..., c]) for c in range(3))
        bright = level(0.2126 * pixels[..., 0] + 0.7152 * pixels[..., 1] + 0.0722 * pixels[..., 2])
        add("ImageHistogram", {"image": spec}, {}, *(values.astype(np.uint8) for values in ((r + g + b) // 3, bright, r, g, b)))


def add_noise():
    for spec, seed, strength in (
        (given(1, 1, 1, 3, seed=31), 5, 0.5),
        (given(1, 2, 2, 3, seed=31), 6, 1.0),
        (given(1, 4, 4, 3, seed=31), 0, 0.25),
        (given(3, 3, 5, 4, seed=31), 123456789012345, 0.5),
        (given(2, 5, 7, 3, seed=31, beyond=0.3), 2**32 + 7, 0.02),
    ):
        image = tensor(spec)
        generator = torch.manual_seed(seed)
        drawn = torch.randn(image.size(), generator=generator)
        add("ImageAddNoise", {"image": spec}, {"seed": seed, "strength": strength}, torch.clip(image + strength * drawn, 0, 1))


for family in (levels, blend, blur, morphology, canny, yuv, color_transfer, histogram, add_noise):
    family()
lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in CASES)
FIXTURES.joinpath("filters.json").write_text(f"[\n{lines}\n]\n")
