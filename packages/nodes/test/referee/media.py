"""Small media files made and decoded by PyAV, the library that the host application reads media with.

python3 packages/nodes/test/referee/media.py
"""

import base64
import io
import json
import pathlib
from fractions import Fraction

import av
import numpy as np

HERE = pathlib.Path(__file__).parent


def picture(width, height, index, count):
    rows, columns = np.mgrid[0:height, 0:width]
    red = columns * 255 // max(1, width - 1)
    green = rows * 255 // max(1, height - 1)
    blue = np.full((height, width), index * 255 // max(1, count - 1))
    return np.stack([red, green, blue], -1).astype(np.uint8)


def tone(channels, samples, rate):
    time = np.arange(samples) / rate
    return np.stack([0.5 * np.sin(2 * np.pi * 220 * (c + 1) * time) for c in range(channels)]).astype(np.float32)


def video(container, codec, pixels, size, times, rate=24, audio=None, options=None):
    """`times` are frame numbers: gaps make a variable rate."""
    width, height = size
    buffer = io.BytesIO()
    with av.open(buffer, "w", format=container) as file:
        stream = file.add_stream(codec, rate=Fraction(rate))
        stream.width, stream.height, stream.pix_fmt = width, height, pixels
        stream.options = options or {}
        stream.codec_context.thread_count = 1
        sound = None
        if audio:
            name, sound_rate, layout, channels = audio
            sound = file.add_stream(name, rate=sound_rate, layout=layout)
        for index, time in enumerate(times):
            frame = av.VideoFrame.from_ndarray(picture(width, height, index, len(times)), format="rgb24")
            frame = frame.reformat(format=pixels)
            frame.pts = time
            frame.time_base = 1 / Fraction(rate)
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
        if sound:
            samples = round((times[-1] + 1) / rate * sound_rate)
            frame = av.AudioFrame.from_ndarray(tone(channels, samples, sound_rate), format="fltp", layout=layout)
            frame.sample_rate = sound_rate
            frame.pts = 0
            file.mux(sound.encode(frame))
            file.mux(sound.encode(None))
    return buffer.getvalue()


def sound(container, codec, rate, layout, channels, sample_format=None):
    buffer = io.BytesIO()
    with av.open(buffer, "w", format=container) as file:
        stream = file.add_stream(codec, rate=rate, layout=layout)
        if sample_format:
            stream.codec_context.format = sample_format
        frame = av.AudioFrame.from_ndarray(tone(channels, 3000, rate), format="fltp", layout=layout)
        frame.sample_rate = rate
        frame.pts = 0
        file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
    return buffer.getvalue()


BYTE_FORMATS = ("yuvj420p", "yuvj422p", "yuvj444p", "rgb24", "rgba", "pal8")


def decoded(data):
    """Frames as float RGB: in 8 bits where the format is 8-bit RGB at heart, else in floating point."""
    with av.open(io.BytesIO(data)) as file:
        stream = file.streams.video[0]
        frames = []
        for frame in file.decode(stream):
            if frame.format.name in BYTE_FORMATS:
                frames.append(frame.to_ndarray(format="rgb24").astype(np.float32) / 255)
            else:
                frames.append(frame.to_ndarray(format="gbrpf32le"))
        facts = {
            "fps": float(stream.average_rate) if stream.average_rate else 1.0,
            "bitDepth": max(component.bits for component in stream.format.components),
        }
    return np.stack(frames), facts


def heard(data):
    """Samples as floats: 16 and 32 bits scaled to 1."""
    with av.open(io.BytesIO(data)) as file:
        stream = file.streams.audio[-1]
        parts = []
        for frame in file.decode(stream):
            block = frame.to_ndarray()
            channels = frame.layout.nb_channels
            if block.shape[0] != channels:
                block = block.reshape(-1, channels).T
            parts.append(block)
        rate = stream.codec_context.sample_rate
    wave = np.concatenate(parts, 1)
    if wave.dtype == np.int16:
        wave = wave.astype(np.float32) / 2**15
    elif wave.dtype == np.int32:
        wave = wave.astype(np.float32) / 2**31
    return wave.astype(np.float32), rate


def sampled(array, count=60):
    """Some elements, spread over all of them."""
    flat = array.reshape(-1)
    step = max(1, flat.size // count)
    return {"step": step, "values": [round(float(value), 7) for value in flat[::step]]}


EVEN = list(range(6))
VIDEOS = {
    "h264.mp4": video("mp4", "libx264", "yuv420p", (64, 34), EVEN, audio=("aac", 44100, "stereo", 2)),
    "h264-10bit.mkv": video("matroska", "libx264", "yuv420p10le", (64, 34), EVEN),
    "vp9.webm": video("webm", "libvpx-vp9", "yuv420p", (64, 34), EVEN, audio=("libopus", 48000, "mono", 1)),
    "vp9-odd.webm": video("webm", "libvpx-vp9", "yuv420p", (33, 21), EVEN),
    "mjpeg.avi": video("avi", "mjpeg", "yuvj420p", (64, 34), EVEN[:3]),
    "mpeg.ts": video("mpegts", "mpeg2video", "yuv420p", (64, 34), EVEN, rate=25, audio=("mp2", 48000, "stereo", 2)),
    "rgb.mov": video("mov", "qtrle", "rgb24", (32, 18), EVEN[:3]),
    "variable.mkv": video("matroska", "libx264", "yuv420p", (64, 34), [0, 1, 5, 6, 12, 13, 20], rate=30),
    "surround.mkv": video("matroska", "libx264", "yuv420p", (32, 18), EVEN, audio=("ac3", 48000, "5.1", 6)),
}
SOUNDS = {
    "s16.wav": sound("wav", "pcm_s16le", 22050, "stereo", 2),
    "s24.wav": sound("wav", "pcm_s24le", 48000, "mono", 1),
    "s32.wav": sound("wav", "pcm_s32le", 44100, "mono", 1),
    "float.wav": sound("wav", "pcm_f32le", 44100, "stereo", 2),
    "s16.flac": sound("flac", "flac", 44100, "stereo", 2),
    "lame.mp3": sound("mp3", "libmp3lame", 44100, "stereo", 2),
    "opus.ogg": sound("ogg", "libopus", 48000, "mono", 1),
}

videos = []
for name, data in VIDEOS.items():
    frames, facts = decoded(data)
    case = {"name": name, "shape": frames.shape[:3], **facts, "frames": sampled(frames), "file": base64.b64encode(data).decode()}
    with av.open(io.BytesIO(data)) as file:
        has_sound = len(file.streams.audio) > 0
    if has_sound:
        wave, rate = heard(data)
        case["audio"] = {"shape": wave.shape, "rate": rate, **sampled(wave)}
    videos.append(case)

sounds = []
for name, data in SOUNDS.items():
    wave, rate = heard(data)
    sounds.append({"name": name, "shape": wave.shape, "rate": rate, **sampled(wave), "file": base64.b64encode(data).decode()})

(HERE.parent / "fixtures").mkdir(exist_ok=True)
(HERE.parent / "fixtures" / "media.json").write_text(json.dumps({"videos": videos, "sounds": sounds}) + "\n")
