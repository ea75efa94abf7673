"""Reading and writing pictures: files that Pillow made and what Pillow reads from them.

python3 packages/nodes/test/referee/image_io.py
"""

import base64
import io
import json
import struct
import zlib

import numpy as np
from fixture import write_fixture
from noise import noise
from PIL import Image, ImageCms, ImageOps, ImageSequence, PngImagePlugin

WIDTH, HEIGHT = 11, 7


def b64(data):
    return base64.b64encode(bytes(data)).decode()


def pattern(channels, phase=0, width=WIDTH, height=HEIGHT):
    """Soft waves: what JPEG is made for."""
    y, x = np.mgrid[0:height, 0:width]
    waves = [127.5 + 120 * np.sin(x / 3 + k + phase) * np.cos(y / 4 + 2 * k) for k in range(channels)]
    return np.round(np.stack(waves, -1)).astype(np.uint8)


def picture(mode, phase=0):
    channels = len(mode)
    data = pattern(channels, phase)
    return Image.fromarray(data[..., 0] if channels == 1 else data, mode)


def saved(image, fmt, **options):
    buffer = io.BytesIO()
    image.save(buffer, fmt, **options)
    return buffer.getvalue()


def animated(frames, fmt, **options):
    return saved(frames[0], fmt, save_all=True, append_images=frames[1:], duration=100, **options)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def raw_png(rows, bits, color, extra=b"", interlace=0):
    scanlines = b"".join(b"\0" + row.tobytes() for row in rows)
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, bits, color, 0, 0, interlace)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(scanlines)) + chunk(b"IEND", b"")
    )


def interlaced_png(data):
    """Adam7, which Pillow reads and does not write."""
    passes = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
    rows = []
    for x, y, across, down in passes:
        part = data[y::down, x::across]
        rows.extend(row for row in part if row.size)
    return raw_png(rows, 8, 2, interlace=1)


def foreign_profile():
    """sRGB with red and blue exchanged: who minds it, shows other colours."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    tags = {}
    for index in range(struct.unpack(">I", profile[128:132])[0]):
        at = 132 + 12 * index
        tags[bytes(profile[at : at + 4])] = struct.unpack(">I", profile[at + 4 : at + 8])[0]
    red, blue = tags[b"rXYZ"], tags[b"bXYZ"]
    profile[red : red + 20], profile[blue : blue + 20] = profile[blue : blue + 20], profile[red : red + 20]
    return bytes(profile)


def read(file):
    frames = []
    for frame in ImageSequence.Iterator(Image.open(io.BytesIO(file))):
        frames.append(np.asarray(ImageOps.exif_transpose(frame).convert("RGBA")))
    return np.stack([frame for frame in frames if frame.shape == frames[0].shape])


def case(name, file, mask, expected=None, loss="none"):
    pixels = read(file) if expected is None else expected
    frames, height, width, _ = pixels.shape
    return {
        "name": name,
        "file": b64(file),
        "frames": frames,
        "height": height,
        "width": width,
        "bits": 16 if pixels.dtype == np.uint16 else 8,
        "rgba": b64(pixels.astype("<u2").tobytes() if pixels.dtype == np.uint16 else pixels.tobytes()),
        # What the host's mask is: from the alpha, empty in the picture's size, or empty and 64 × 64.
        "mask": mask,
        "loss": loss,
    }


def opaque16(samples):
    alpha = np.full(samples.shape[:2] + (1,), 65535, np.uint16)
    return np.concatenate([samples, alpha], -1)[None].astype(np.uint16)


def decode_cases():
    rgb, rgba, gray = picture("RGB"), picture("RGBA"), picture("L")
    palette = rgb.quantize(20)
    several = [picture("RGB", phase) for phase in (0, 1, 2)]
    see_through = [picture("RGBA", phase) for phase in (0, 1, 2)]
    holes = []
    for phase, frame in enumerate(see_through):
        data = np.asarray(frame).copy()
        data[..., 3] = np.where((np.arange(WIDTH) + phase) % 3 == 0, 0, 255)
        holes.append(Image.fromarray(data))
    wide = np.random.default_rng(3)
    rgb16, rgba16, la16 = (wide.integers(0, 65536, (HEIGHT, WIDTH, n)).astype(np.uint16) for n in (3, 4, 2))
    gray16 = wide.integers(0, 65536, (HEIGHT, WIDTH)).astype(np.uint16)
    deep = lambda samples: raw_png(samples.reshape(HEIGHT, -1).astype(">u2"), 16, {3: 2, 4: 6, 2: 4}[samples.shape[2]])
    four_bits = np.pad(np.asarray(gray) >> 4, ((0, 0), (0, 1)))
    four_bits = ((four_bits[:, 0::2] << 4) | four_bits[:, 1::2]).astype(np.uint8)
    profile = foreign_profile()
    cases = [
        case("RGB PNG", saved(rgb, "PNG"), "small"),
        case("RGBA PNG", saved(rgba, "PNG"), "alpha"),
        case("gray PNG", saved(gray, "PNG"), "small"),
        case("gray PNG with alpha", saved(Image.merge("LA", (gray, gray.rotate(180))), "PNG"), "alpha"),
        case("gray PNG of 4 bits", raw_png(four_bits, 4, 0), "small"),
        case("PNG of 1 bit", saved(gray.convert("1"), "PNG"), "small"),
        case("palette PNG", saved(palette, "PNG"), "empty"),
        case("palette PNG with one transparent color", saved(palette, "PNG", transparency=3), "alpha"),
        case("palette PNG with alphas", saved(palette, "PNG", transparency=bytes(range(0, 240, 12))), "alpha"),
        case("RGB PNG with a transparent color", saved(rgb, "PNG", transparency=rgb.getpixel((4, 5))), "alpha"),
        case("interlaced PNG", interlaced_png(np.asarray(rgb)), "small"),
        case("PNG with a gamma", raw_png(np.asarray(rgb).reshape(HEIGHT, -1), 8, 2, chunk(b"gAMA", struct.pack(">I", 100000))), "small"),
        case("RGB PNG of 16 bits", deep(rgb16), "small", opaque16(rgb16)),
        case("RGBA PNG of 16 bits", deep(rgba16), "alpha", rgba16[None]),
        case("gray PNG of 16 bits", raw_png(gray16.astype(">u2"), 16, 0), "small", opaque16(np.repeat(gray16[..., None], 3, -1))),
        case("gray PNG of 16 bits with alpha", deep(la16), "alpha", la16[..., [0, 0, 0, 1]][None]),
        case("JPEG 4:4:4", saved(rgb, "JPEG", quality=90, subsampling=0), "small", loss="jpeg"),
        case("JPEG 4:2:0", saved(rgb, "JPEG", quality=90, subsampling=2), "small", loss="jpeg"),
        case("progressive JPEG", saved(rgb, "JPEG", progressive=True), "small", loss="jpeg"),
        case("gray JPEG", saved(gray, "JPEG"), "small", loss="jpeg"),
        case("CMYK JPEG", saved(rgb.convert("CMYK"), "JPEG"), "empty", loss="jpeg"),
        case("CMYK TIFF", saved(rgb.convert("CMYK"), "TIFF"), "small"),
        case("TIFF", saved(rgb, "TIFF"), "small"),
        case("TIFF with LZW", saved(rgb, "TIFF", compression="tiff_lzw"), "small"),
        case("RGBA TIFF", saved(rgba, "TIFF"), "alpha"),
        case("gray TIFF of 16 bits", saved(Image.fromarray(gray16), "TIFF"), "small", opaque16(np.repeat(gray16[..., None], 3, -1))),
        case("TIFF of three pages", animated(several, "TIFF"), "small"),
        case("TIFF with a page of another size", saved(several[0], "TIFF", save_all=True, append_images=[gray.resize((3, 3)).convert("RGB"), several[1]]), "small"),
        case("lossless WebP", saved(rgb, "WEBP", lossless=True), "empty"),
        case("lossless WebP with alpha", saved(rgba, "WEBP", lossless=True, exact=True), "alpha"),
        case("lossy WebP", saved(rgb, "WEBP"), "small"),
        case("lossy WebP with alpha", saved(rgba, "WEBP"), "alpha"),
        case("animated WebP", animated(several, "WEBP", lossless=True), "small"),
        case("animated WebP with alpha", animated(see_through, "WEBP", lossless=True, exact=True), "alpha"),
        case("GIF", saved(palette, "GIF"), "alpha"),
        case("animated GIF", animated(several, "GIF"), "alpha"),
        case("GIF that clears between frames", animated(holes, "GIF", disposal=2), "alpha"),
        case("GIF that keeps what was there", animated(holes, "GIF", disposal=1), "alpha"),
        case("animated PNG", animated(several, "PNG"), "small"),
        case("animated PNG with alpha", animated(see_through, "PNG"), "alpha"),
        case("BMP", saved(rgb, "BMP"), "small"),
        # What Pillow takes for padding in such a file is alpha to FFmpeg.
        case("BMP with alpha", saved(rgba, "BMP"), "alpha", np.asarray(rgba)[None]),
        case("BMP with a palette", saved(palette, "BMP"), "empty"),
        case("PPM", saved(rgb, "PPM"), "small"),
        case("PGM", saved(gray, "PPM"), "small"),
        case("AVIF", saved(rgb, "AVIF", quality=95, subsampling="4:4:4"), "small", loss="avif"),
        case("PNG with another color profile", saved(rgb, "PNG", icc_profile=profile), "small"),
        case("JPEG with another color profile", saved(rgb, "JPEG", quality=90, icc_profile=profile), "small", loss="jpeg"),
        case("WebP with another color profile", saved(rgb, "WEBP", lossless=True, icc_profile=profile), "empty"),
        case("TIFF with another color profile", saved(rgb, "TIFF", icc_profile=profile), "small"),
        case("CMYK TIFF with another color profile", saved(rgb.convert("CMYK"), "TIFF", icc_profile=profile), "small"),
        case("PNG of one pixel", saved(rgb.crop((2, 2, 3, 3)), "PNG"), "small"),
        case("JPEG of one pixel", saved(rgb.crop((2, 2, 3, 3)), "JPEG"), "small", loss="jpeg"),
    ]
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        cases.append(case(f"JPEG held as {orientation}", saved(rgb, "JPEG", quality=95, exif=exif), "small", loss="jpeg"))
    for orientation in (3, 6, 8):
        exif = Image.Exif()
        exif[0x0112] = orientation
        cases.append(case(f"PNG held as {orientation}", saved(rgb, "PNG", exif=exif), "small"))
        cases.append(case(f"WebP held as {orientation}", saved(rgb, "WEBP", lossless=True, exif=exif), "empty"))
    return cases


PROMPTS = [
    {"prompt": {"1": {"class_type": "SaveImage", "inputs": {"filename_prefix": "a b", "n": 1.5}}}, "extra": None},
    {"prompt": {"1": {"text": "Grüße 🎈 \u2028 \"quoted\" \\ \n"}}, "extra": {"workflow": {"nodes": [], "ok": True}, "größe": [1, None]}},
    {"prompt": None, "extra": None},
]


def chunks_of(file):
    at, found = 8, []
    while at < len(file):
        length, kind = struct.unpack(">I4s", file[at : at + 8])
        found.append((kind.decode("latin1"), file[at : at + 12 + length]))
        at += 12 + length
    return found


def text_cases():
    """What stands between the header and the pixels."""
    cases = []
    for given in PROMPTS:
        info = PngImagePlugin.PngInfo()
        if given["prompt"] is not None:
            info.add_text("prompt", json.dumps(given["prompt"]))
        for key, value in (given["extra"] or {}).items():
            info.add_text(key, json.dumps(value))
        file = saved(picture("RGB"), "PNG", pnginfo=info, compress_level=4)
        texts = b"".join(data for kind, data in chunks_of(file) if kind == "tEXt")
        cases.append({**given, "between": b64(texts)})
    return cases


def apng_cases():
    """Every chunk but the pixels' own."""
    cases = []
    first = noise((6, 9, 3), 1)
    moved = first.copy()
    moved[2:4, 3:8] = noise((2, 5, 3), 2)
    other = noise((6, 9, 3), 3)
    batches = {
        "three pictures": [first, other, moved],
        "a change in one place": [first, moved],
        "equal ones": [first, first, moved, moved, moved],
        "all equal": [first, first],
        "one picture": [first],
    }
    for name, batch in batches.items():
        for fps in (6.0, 0.01, 1000.0):
            images = [Image.fromarray(np.clip(255.0 * frame, 0, 255).astype(np.uint8)) for frame in batch]
            info = PngImagePlugin.PngInfo()
            info.add(b"comf", b"prompt\0" + json.dumps({"1": "é"}).encode("latin-1"), after_idat=True)
            file = saved(
                images[0], "PNG", pnginfo=info, compress_level=4, save_all=True, duration=int(1000.0 / fps), append_images=images[1:]
            )
            chunks = []
            for kind, data in chunks_of(file):
                if kind not in ("IDAT", "fdAT"):
                    chunks.append([kind, b64(data)])
                elif chunks[-1] != [kind, ""]:
                    chunks.append([kind, ""])
            # The sequence numbers after the first frame depend on how many chunks its pixels take: one, here.
            cases.append({"name": name, "fps": fps, "chunks": chunks})
    return cases


def exif_cases():
    cases = []
    for given in PROMPTS[:2]:
        exif = Image.new("RGB", (1, 1)).getexif()
        exif[0x0110] = "prompt:{}".format(json.dumps(given["prompt"]))
        for index, (key, value) in enumerate((given["extra"] or {}).items()):
            exif[0x010F - index] = "{}:{}".format(key, json.dumps(value))
        file = saved(picture("RGB"), "WEBP", exif=exif, lossless=True)
        at = file.index(b"EXIF")
        length = struct.unpack("<I", file[at + 4 : at + 8])[0]
        cases.append({**given, "exif": b64(file[at + 8 : at + 8 + length])})
    return cases


def byte_cases():
    """Saving cuts off; values lie beyond 0 to 1 as well."""
    cases = []
    for channels in (3, 4):
        values = noise((5, 6, channels), channels, 0.2)
        values[0, 0, :3] = (np.inf, -np.inf, 0.5)
        cases.append({"channels": channels, "bits": 8, "bytes": b64(np.clip(255.0 * values, 0, 255).astype(np.uint8))})
        scaled = np.clip(np.float32(65535.0) * values, 0, 65535).astype(np.int32).astype(">u2")
        cases.append({"channels": channels, "bits": 16, "bytes": b64(scaled.tobytes())})
    return cases


def painter_cases():
    strokes = picture("RGBA")
    file = saved(strokes, "PNG")
    cases = []
    for height, width in ((7, 11), (9, 16)):
        painted = strokes if strokes.size == (width, height) else strokes.resize((width, height), Image.LANCZOS)
        values = np.array(painted).astype(np.float32) / 255.0
        base = noise((height, width, 3), 5)
        result = values[..., :3] * values[..., 3:] + base * (1.0 - values[..., 3:])
        cases.append(
            {"width": width, "height": height, "file": b64(file), "image": b64(result.astype("<f4").tobytes()), "mask": b64(values[..., 3].astype("<f4").tobytes())}
        )
    return cases


def preview_cases():
    cases = []
    for height, width in ((20, 33), (3, 700), (64, 64)):
        image = Image.fromarray(np.clip(255.0 * noise((height, width, 3), 4), 0, 255).astype(np.uint8))
        small = ImageOps.contain(image, (512, 512), Image.BILINEAR)
        jpeg = Image.open(io.BytesIO(saved(small, "JPEG", quality=95))).convert("RGB")
        mean = np.asarray(jpeg.resize((8, 4), Image.BOX)).astype(float)
        cases.append({"source": [width, height], "size": list(small.size), "cells": b64(np.round(mean).astype(np.uint8))})
    return cases


write_fixture(
    "image-io",
    {
        "decode": decode_cases(),
        "text": text_cases(),
        "apng": apng_cases(),
        "exif": exif_cases(),
        "bytes": byte_cases(),
        "painter": painter_cases(),
        "preview": preview_cases(),
    },
)
