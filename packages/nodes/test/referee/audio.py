"""Expected results of the audio kernels, from torchaudio and NumPy.

python3 packages/nodes/test/referee/audio.py
"""

import base64
import json
import pathlib

import numpy as np
import torch

from noise import noise

# torchaudio refuses to load beside another CUDA build of torch; on the CPU the two fit.
torch.version.cuda = "13.0"

import torchaudio.functional as audio

HERE = pathlib.Path(__file__).parent


def packed(values):
    return base64.b64encode(np.ascontiguousarray(values, "<f4").tobytes()).decode()


def sound(channels, samples, seed):
    return torch.from_numpy(noise((1, channels, samples), seed) * 2 - 1)


RATES = [(44100, 48000), (48000, 44100), (8000, 44100), (44100, 8000), (22050, 44100), (48000, 16000), (11025, 12000)]


def resampled():
    cases = []
    for seed, (source, target) in enumerate(RATES, 1):
        wave = sound(2, 300, seed)
        cases.append({
            "seed": seed,
            "fromRate": source,
            "toRate": target,
            "data": packed(audio.resample(wave, source, target)),
        })
    return cases


BANDS = [
    ("lowShelf", 44100, 6.0, 100.0, 0.707),
    ("lowShelf", 48000, -24.0, 20.0, 0.707),
    ("lowShelf", 8000, 24.0, 500.0, 0.707),
    ("peak", 44100, 12.0, 1000.0, 0.707),
    ("peak", 44100, -3.5, 200.0, 10.0),
    ("peak", 16000, 24.0, 4000.0, 0.1),
    ("highShelf", 44100, 6.0, 5000.0, 0.707),
    ("highShelf", 48000, -12.3, 15000.0, 0.707),
    ("highShelf", 32000, 24.0, 1000.0, 0.707),
]


def equalized():
    cases = []
    for seed, (kind, rate, gain, frequency, q) in enumerate(BANDS, 20):
        wave = sound(1, 400, seed) * 0.5
        if kind == "lowShelf":
            out = audio.bass_biquad(wave, rate, gain, frequency, q)
        elif kind == "peak":
            out = audio.equalizer_biquad(wave, rate, frequency, gain, q)
        else:
            out = audio.treble_biquad(wave, rate, gain, frequency, q)
        cases.append({
            "kind": kind,
            "seed": seed,
            "sampleRate": rate,
            "gainDb": gain,
            "frequency": frequency,
            "q": q,
            "data": packed(out),
        })
    return cases


fixtures = {"resample": resampled(), "biquad": equalized()}
(HERE.parent / "fixtures").mkdir(exist_ok=True)
(HERE.parent / "fixtures" / "audio.json").write_text(json.dumps(fixtures, indent=1) + "\n")
